//! The `kautz` family: any number of ToRs at the best possible depth, one splitter per ToR.
//!
//! The cassette graph starts from Imase and Itoh's digraph (IEEE Trans. Computers C-32(8), 1983): on n =
//! ⌈T/p⌉ cassettes, ToR (x, m) is the edge from cassette x to (-(p x) - m) mod n, m = 1 … p. Its depth is the
//! best known for any n. As a fabric it has three flaws, and this module departs from it for each:
//!
//! - *Self-loops* carry no light onward. They exchange their heads among themselves.
//! - *Uneven ways.* If p divides n, the digraph is the line digraph of the one of n/p (Fiol, Yebra and
//!   Alegre, IEEE Trans. Computers C-33(5), 1984) and repeats its flaws p-fold: loops or lone edges of a base
//!   of three cassettes leave most sources of 192 only one relay to choose. So we take the line digraph of
//!   our own digraph of n/p. It keeps p edges in and out and p edge-disjoint ways, and it has no loops. It
//!   adds one to the depth, and 1/n to the ratio of greatest to mean relay load. The bases ([`digraph`]) are
//!   few and small.
//! - *Empty seats* exist if p does not divide T. They are chosen so that the rerouted sources do least harm
//!   ([`seating`]): never two at one cassette's inputs or outputs while others are full, and former loops
//!   first, because no shortest way of the original digraph uses them. To keep former loops available, the
//!   original digraph is kept if its loads are even enough.
//!
//! On few cassettes, where chance decides, the constructions are compared by the loads that routing can
//! reach. If none is good enough, ToRs swap places until one is. *Checked* for p = 2, 4 and 8 and every T
//! from 2 to 5,000: fewest-hop trees exist whose greatest relay load is at most 1.5 times the mean (2 times
//! for p = 2, where a cassette with an empty seat has one relay for all).
//!
//! If the digraph of a full fabric misses the bound that counting gives, all other constructions are tried:
//! generalised de Bruijn digraphs (Du and Hwang, 1988), and one cassette pinched into the loops of the next
//! smaller digraph ([`shallow`]). The first one that reaches the bound replaces the digraph, also if its
//! loads are less even. So depth has priority over load: p = 7, T = 35 takes 2 hops with a load of 1.6 times
//! the mean. Each of its cassettes has 7 ToRs toward 4 others, so at least one way has a single ToR, which
//! then carries 8 sources; the mean is 5.

mod depth;
mod digraph;
mod seating;
mod shallow;
mod ways;

use crate::fabric::{Fabric, FabricError, check_fan_out, check_tors};
use crate::id::CassetteId;
use digraph::Digraph;
use seating::Seating;

/// A fabric of the `kautz` family for any number of ToRs.
///
/// If p divides the number, up to 5,000 ToRs, none of the tried constructions is shallower.
///
/// # Errors
/// [`FabricError`] if p or the number of ToRs is out of bounds.
pub fn kautz(p: u32, tors: u32) -> Result<Fabric, FabricError> {
    check_fan_out(p)?;
    check_tors(tors.into())?;
    let cassettes = tors.div_ceil(p);
    let digraphs = Digraph::to_seat(p, cassettes, tors);
    let mut edges =
        Seating::best(&digraphs, tors as usize).map_or_else(Vec::new, Seating::into_edges);
    if tors == cassettes * p {
        edges = shallow::fewer_hops(p, cassettes, &edges).unwrap_or(edges);
    }
    let edges: Vec<_> =
        edges.iter().map(|&(from, to)| (CassetteId(from), CassetteId(to))).collect();
    Fabric::new(p, cassettes, &edges)
}
