//! The `kautz` family: any number of ToRs at the best possible depth, one splitter a ToR.
//!
//! The cassette graph starts from Imase and Itoh's digraph (IEEE Trans. Computers C-32(8), 1983):
//! on n = ⌈T/p⌉ cassettes, ToR (x, m) runs from cassette x to (-(p x) - m) mod n, m = 1 … p. Its
//! depth is the best known for any n, but as a fabric it has three flaws, and each is why
//! something here departs from it:
//!
//! - *Self-loops* carry no light onward. They exchange their heads among themselves.
//! - *Uneven ways.* If p divides n, the digraph is the line digraph of the one of n/p (Fiol, Yebra
//!   and Alegre, IEEE Trans. Computers C-33(5), 1984) and repeats its flaws p-fold: loops or lone
//!   edges of a base of three cassettes leave most sources of 192 only one relay to choose. So the
//!   line digraph is taken of our own digraph of n/p. It keeps p edges in and out, p edge-disjoint
//!   ways and the absence of loops; it adds one to the depth, and 1/n to the ratio of greatest to
//!   mean relay load. The bases ([`digraph`]) are few and small.
//! - *Empty seats*, when p does not divide T, are chosen where the sources that now must go
//!   another way do least harm ([`seating`]): never two at one cassette's inputs or outputs while
//!   others are full, and former loops first, as no shortest way of the original digraph uses
//!   them. For the sake of those the original is kept where its loads are even enough.
//!
//! On few cassettes, where chance rules, the constructions are compared by what routing can make
//! of them, and if none will do, ToRs swap places until one does. *Checked* for p = 2, 4 and 8
//! and every T from 2 to 5,000: fewest-hop trees exist whose greatest relay load is at most 1.5
//! times the mean (2 times for p = 2, where a cassette with an empty seat has one relay for all).
//!
//! A full fabric whose digraph misses the bound that counting gives is tried again with every
//! construction, generalised de Bruijn digraphs (Du and Hwang, 1988) and one cassette pinched into
//! the loops of the next smaller digraph among them ([`shallow`]). The first to reach the bound
//! replaces the digraph, even where its loads are less even. So depth comes before load: p = 7,
//! T = 35 takes 2 hops with a load of 1.6 times the mean. Each of its cassettes has 7 ToRs toward 4
//! others, so at least one way is by a single ToR, which then carries 8 sources where 5 are the mean.

mod depth;
mod digraph;
mod seating;
mod shallow;
mod ways;

use crate::fabric::{check_fan_out, check_tors};
use crate::{CassetteId, Fabric, FabricError};
use digraph::Digraph;
use seating::Seating;

/// A fabric of the `kautz` family for any number of ToRs.
///
/// Where p divides the number, up to 5,000 ToRs, none of the constructions tried is shallower.
///
/// # Errors
/// [`FabricError`] when p or the number of ToRs is out of bounds.
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
