//! Which old edges new cassettes are pinched into.

use std::collections::BTreeSet;

use lightloom_topology::{Fabric, TorId};

use crate::growth::assign;
use crate::growth::factor;
use crate::growth::joined::parallel_among;
use crate::growth::places::TooShort;

/// The old edges that may be pinched, and how many of the first of them can be out together. These share no tail
/// and no head, and cost one parallel source only. The others follow, one factor after the other. Of equal choices,
/// those come first whose cords are long enough for many places.
pub(super) fn pinchable(
    before: &Fabric,
    pinned: &BTreeSet<TorId>,
    too_short: &TooShort,
) -> (Vec<usize>, usize) {
    let mut free: Vec<TorId> = before.tor_ids().filter(|tor| !pinned.contains(tor)).collect();
    let badness = |tor: &TorId| -> u64 {
        too_short.get(tor.index()).into_iter().flatten().copied().map(u64::from).sum()
    };
    // Those that come first are taken first.
    free.sort_by_key(badness);
    let edges: Vec<(usize, usize)> = free
        .iter()
        .map(|&tor| (before.receives_from(tor).index(), before.transmits_into(tor).index()))
        .collect();
    let first = match too_short.is_empty() {
        true => factor::largest(before.cassettes(), &edges),
        false => cheapest_factor(before.cassettes(), &edges, |i| badness(&free[i])),
    };
    let left: Vec<usize> = (0..free.len()).filter(|i| !first.contains(i)).collect();
    let others: Vec<(usize, usize)> = left.iter().map(|&i| edges[i]).collect();
    let rest = factor::split(before.cassettes(), &others).into_iter().flatten();
    let rest: Vec<TorId> = rest.map(|i| free[left[i]]).collect();
    let first: Vec<TorId> = first.into_iter().map(|i| free[i]).collect();
    let (together, others) = out_together(before, first);
    let count = together.len();
    let order = together.into_iter().chain(others).chain(rest);
    (order.map(TorId::index).collect(), count)
}

/// Of the largest sets of edges of which no two share a tail or a head, one with the least sum of costs. Those of
/// least cost come first.
fn cheapest_factor(
    cassettes: usize,
    edges: &[(usize, usize)],
    cost: impl Fn(usize) -> u64,
) -> Vec<usize> {
    let cost = |edge: usize| i64::try_from(cost(edge)).unwrap_or(i64::MAX / 4);
    // A set with one edge more is better than any with less cost.
    let none = 1 + (0..edges.len()).map(cost).sum::<i64>();
    let mut costs = vec![vec![none; cassettes]; cassettes];
    let mut chosen = vec![vec![None; cassettes]; cassettes];
    for (edge, &(tail, head)) in edges.iter().enumerate() {
        if cost(edge) < costs[tail][head] {
            (costs[tail][head], chosen[tail][head]) = (cost(edge), Some(edge));
        }
    }
    let heads = assign::cheapest(&costs);
    let mut set: Vec<usize> =
        heads.iter().enumerate().filter_map(|(tail, &head)| chosen[tail][head]).collect();
    set.sort_by_key(|&edge| (cost(edge), edge));
    set
}

/// Splits ToRs into those whose cords can be out together at the cost of one parallel source, and the others.
fn out_together(before: &Fabric, tors: Vec<TorId>) -> (Vec<TorId>, Vec<TorId>) {
    let target = parallel_among(before, |_| true).saturating_sub(1).max(1);
    let remain =
        |out: &BTreeSet<TorId>| parallel_among(before, |tor| !out.contains(&tor)) >= target;
    if remain(&tors.iter().copied().collect()) {
        return (tors, Vec::new());
    }
    let (mut out, mut others) = (BTreeSet::new(), Vec::new());
    for tor in tors {
        out.insert(tor);
        if !remain(&out) {
            out.remove(&tor);
            others.push(tor);
        }
    }
    (out.into_iter().collect(), others)
}
