//! Chooses the edges of a fabric that grows.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use lightloom_topology::{Fabric, FabricError, TorId};

use crate::growth::draft::Draft;
use crate::growth::factor;
use crate::growth::hops::{Distances, Hops};
use crate::growth::joined::parallel_among;
use crate::growth::seats;
use crate::parallel::count_parallel_sources_among;
use crate::sample;

/// Steps of a whole search: set operations on machine words.
const WORK: u64 = 800_000_000;
/// Fewest and most attempts to exchange two heads, per number of moves.
const TRIES: (u64, u64) = (200, 12_000);
/// A number of moves is enough if the ways are at most this much longer than with any other, in thousandths.
const ENOUGH: u128 = 1_020;

/// What is wanted of a growth.
#[derive(Debug, Clone, Default)]
pub struct Wish {
    /// Number of ToRs afterwards.
    pub tors: usize,
    /// Old ToRs whose transmit cord must not move.
    pub pinned: BTreeSet<TorId>,
    /// Largest number of transmit cords that may move. `None`: half of the old ToRs.
    pub most_moves: Option<usize>,
}

/// A fabric that grew.
#[derive(Debug, Clone)]
pub struct Growth {
    /// The fabric afterwards. Old ToRs, cassettes, splitters and seats keep their numbers.
    pub fabric: Fabric,
    /// The old ToRs whose transmit cord moves, ascending.
    pub moved: Vec<TorId>,
    /// Largest number of sources at line rate at the same time if trees are planned for them.
    pub parallel_sources: usize,
}

/// Why a fabric cannot grow as wished.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GrowthError {
    /// The number of ToRs does not grow.
    #[error("asks for {tors} ToRs; the fabric has {found} already, so name a greater number")]
    NotMore {
        /// Number that was asked for.
        tors: usize,
        /// Number that is there.
        found: usize,
    },
    /// Too few cords may move.
    #[error(
        "new cassettes must be joined by at least {needed} transmit cords of old ToRs, but only {free} may move; \
         pin fewer ToRs, or let more cords move"
    )]
    TooFewMoves {
        /// Number of cords that must move.
        needed: usize,
        /// Number of cords that may move.
        free: usize,
    },
    /// No choice of edges was found that keeps the fabric connected.
    #[error("no edges were found that join all cassettes; let more cords move")]
    NotFound,
    /// The fabric that came out is not one.
    #[error(transparent)]
    Fabric(#[from] FabricError),
}

/// Chooses edges for more ToRs. New ToRs first take empty seats of old cassettes, then new cassettes are pinched
/// into old edges. Tries several numbers of moved cords, and takes the smallest whose ways are hardly longer than
/// the shortest found. Equal wishes give equal fabrics.
///
/// # Errors
/// [`GrowthError`] if there is no such fabric.
pub fn grow(before: &Fabric, wish: &Wish) -> Result<Growth, GrowthError> {
    let (old, p) = (before.tors(), before.fan_out() as usize);
    if wish.tors <= old {
        return Err(GrowthError::NotMore { tors: wish.tors, found: old });
    }
    let plain = Draft::new(before, wish.tors);
    let added = plain.cassettes - plain.old_cassettes;
    let (order, together) = pinchable(before, &wish.pinned);
    let filled = (p * plain.old_cassettes - old).min(wish.tors - old);
    let needed = if added == 0 { 0 } else { p.saturating_sub(filled) };
    let most = wish.most_moves.unwrap_or((old / 2).max(needed)).min(order.len());
    let most = if added == 0 { 0 } else { most.min(wish.tors - old - filled) };
    if most < needed.min(wish.tors - old - filled) {
        return Err(GrowthError::TooFewMoves { needed, free: most });
    }
    let least = needed.min(most);
    let cassettes = plain.old_cassettes;
    let mut counts = vec![least, together / 2, together, cassettes, cassettes * 3 / 2];
    counts.retain(|count| (least..=most).contains(count));
    counts.push(least);
    counts.sort_unstable();
    counts.dedup();
    let mut hops = Hops::new(before.fan_out(), plain.cassettes, &plain.tails);
    let tries = (WORK / counts.len() as u64 / hops.work().max(1)).clamp(TRIES.0, TRIES.1);
    let mut found: Vec<Candidate> = Vec::new();
    for count in counts {
        let mut draft = plain.clone();
        draft.pinch(&order[..count]);
        draft.light_evenly(before, &wish.pinned, wish.most_moves);
        let distances = draft.improve(&mut hops, tries, &mut sample::generator());
        if distances.cost == u64::MAX {
            continue;
        }
        let fabric = Fabric::new(before.fan_out(), size(draft.cassettes), &draft.edges())?;
        let parallel = count_parallel_sources_among(&fabric, |_| true);
        let during = least_during(before, &draft.moved).min(parallel.saturating_sub(1).max(1));
        found.push(Candidate { distances, draft, parallel, during });
    }
    let rank = |of: &Candidate| (Reverse(of.distances.loops), of.parallel, of.during);
    let best = found.iter().map(rank).max().ok_or(GrowthError::NotFound)?;
    found.retain(|candidate| rank(candidate) == best);
    let shortest = found.iter().map(|of| of.distances.cost).min().unwrap_or(0);
    let enough =
        |of: &Candidate| u128::from(of.distances.cost) * 1_000 <= u128::from(shortest) * ENOUGH;
    // The numbers of moves ascend.
    let chosen = found.into_iter().find(enough).ok_or(GrowthError::NotFound)?;
    let Candidate { draft, parallel: parallel_sources, .. } = chosen;
    let edges = draft.edges();
    let seats = seats::grown(before, &edges);
    let fabric = Fabric::new(before.fan_out(), size(draft.cassettes), &edges)?.seated(&seats)?;
    Ok(Growth { fabric, moved: draft.moved(), parallel_sources })
}

/// A choice of edges.
struct Candidate {
    distances: Distances,
    draft: Draft,
    /// Number of parallel sources afterwards.
    parallel: usize,
    /// Number of parallel sources while cords move, at most one less than afterwards, but not capped below 1.
    during: usize,
}

/// The least number of parallel sources of the old fabric while these cords move, one factor at a time.
fn least_during(before: &Fabric, moved: &[usize]) -> usize {
    let ends = |&tor: &usize| {
        let tor = TorId::at(tor);
        (before.receives_from(tor).index(), before.transmits_into(tor).index())
    };
    let edges: Vec<(usize, usize)> = moved.iter().map(ends).collect();
    let sets = factor::split(before.cassettes(), &edges).into_iter();
    let during = sets.map(|set| {
        let out: BTreeSet<usize> = set.into_iter().map(|i| moved[i]).collect();
        parallel_among(before, |tor| !out.contains(&tor.index()))
    });
    during.min().unwrap_or(usize::MAX)
}

/// The old edges that may be pinched, and how many of the first of them can be out together. These share no tail
/// and no head, and cost one parallel source only. The others follow, one factor after the other.
fn pinchable(before: &Fabric, pinned: &BTreeSet<TorId>) -> (Vec<usize>, usize) {
    let free: Vec<TorId> = before.tor_ids().filter(|tor| !pinned.contains(tor)).collect();
    let edges: Vec<(usize, usize)> = free
        .iter()
        .map(|&tor| (before.receives_from(tor).index(), before.transmits_into(tor).index()))
        .collect();
    let mut sets = factor::split(before.cassettes(), &edges).into_iter();
    let first: Vec<TorId> = sets.next().into_iter().flatten().map(|i| free[i]).collect();
    let (together, others) = out_together(before, first);
    let rest = sets.flatten().map(|i| free[i]);
    let count = together.len();
    let order = together.into_iter().chain(others).chain(rest);
    (order.map(TorId::index).collect(), count)
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

fn size(cassettes: usize) -> u32 {
    u32::try_from(cassettes).unwrap_or(u32::MAX)
}
