//! Laws of fabrics and their families.

#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml frees #[test] functions only; these files are those and their helpers"
)]

mod building;
mod detours;
mod electrical;
mod electrical_lists;
mod electrical_refusals;
mod fabric;
mod fill;
mod kautz;
mod kautz_depth;
mod logical;
mod refusals;
mod shufflecast;
mod sizes;

use lightloom_topology::family::custom;
use lightloom_topology::{CassetteId, Fabric, TorId};
use proptest::collection::vec;
use proptest::prelude::*;

/// An edge list: (cassette that feeds the ToR, cassette that it transmits into) of ToR 0, 1, …
#[derive(Debug, Clone)]
pub(crate) struct Edges {
    pub(crate) fan_out: u32,
    pub(crate) cassettes: u32,
    pub(crate) list: Vec<(u32, u32)>,
}

impl Edges {
    pub(crate) fn fabric(&self) -> Fabric {
        let tors = (0..).map(TorId).zip(&self.list);
        let entries: Vec<_> = tors.map(|(t, &(a, b))| (t, CassetteId(a), CassetteId(b))).collect();
        custom(self.fan_out, &entries).unwrap()
    }
}

/// Connected multigraphs of up to `most` cassettes, with loops and parallel ToRs: a cycle through
/// all cassettes, then for each further seat one more ToR out of and into every cassette, across
/// the fabric or within one half of it. Some of these are left out. The order is random.
pub(crate) fn any_edges(
    most: u32,
    fan_outs: std::ops::RangeInclusive<u32>,
) -> impl Strategy<Value = Edges> {
    (1..=most, fan_outs)
        .prop_flat_map(|(n, p)| {
            let order = Just((0..n).collect::<Vec<_>>()).prop_shuffle();
            let layers = vec((order.clone(), any::<bool>()), p as usize - 1);
            let left_out = prop_oneof![Just(0.0), 0.0..0.5_f64];
            (Just(p), order, layers, left_out, vec(0.0..1.0_f64, (n * p) as usize))
        })
        .prop_flat_map(|(p, cycle, layers, left_out, draws)| {
            let n = cycle.len();
            let mut list: Vec<(u32, u32)> =
                (0..n).map(|i| (cycle[i], cycle[(i + 1) % n])).collect();
            let mut more = Vec::new();
            for (order, local) in layers {
                let (half, other) = cycle.split_at(if local { n / 2 } else { 0 });
                for part in [half, other] {
                    let heads = order.iter().filter(|c| part.contains(c));
                    more.extend(part.iter().copied().zip(heads.copied()));
                }
            }
            // One ToR is not a fabric.
            list.extend(more.pop().filter(|_| n == 1));
            list.extend(more.into_iter().zip(draws).filter(|m| m.1 >= left_out).map(|m| m.0));
            let cassettes = u32::try_from(n).unwrap();
            Just(list).prop_shuffle().prop_map(move |list| Edges { fan_out: p, cassettes, list })
        })
}
