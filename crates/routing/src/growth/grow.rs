//! Chooses the edges of a fabric that grows.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use lightloom_topology::{CassetteId, Fabric, FabricError, TorId};
use rand_chacha::ChaCha8Rng;

use crate::growth::draft::Draft;
use crate::growth::factor;
use crate::growth::hops::{Distances, Hops};
use crate::growth::joined::parallel_among;
use crate::growth::pinches::pinchable;
use crate::growth::places::TooShort;
use crate::growth::seats::{self, SplittersStay};
use crate::parallel::count_parallel_sources_among;
use crate::sample;

/// Steps of a whole search: set operations on machine words.
const WORK: u64 = 800_000_000;
/// Fewest and most attempts to exchange two heads, per number of moves.
const TRIES: (u64, u64) = (200, 12_000);
/// A number of moves is enough if the ways are at most this much longer than with any other, in thousandths.
const ENOUGH: u128 = 1_020;
/// Number of searches for a choice that is as good and leaves fewer cords too short.
const SEARCHES: u32 = 6;

/// What is wanted of a growth.
#[derive(Debug, Clone, Default)]
pub struct Wish {
    /// Number of ToRs afterwards.
    pub tors: usize,
    /// Old ToRs whose transmit cord must not move.
    pub pinned: BTreeSet<TorId>,
    /// Largest number of transmit cords that may move. `None`: half of the old ToRs.
    pub most_moves: Option<usize>,
    /// Which moved cords would be too short where. Of equal choices, the one with the fewest is taken.
    pub too_short: TooShort,
    /// What the splitters stay with.
    pub splitters_stay: SplittersStay,
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
    let (order, together) = pinchable(before, &wish.pinned, &TooShort::new());
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
    let mut search = Search {
        before,
        wish,
        hops: Hops::new(before.fan_out(), plain.cassettes, &plain.tails),
        tries: 0,
        plain,
    };
    let tries = WORK / counts.len() as u64 / search.hops.work().max(1);
    search.tries = tries.clamp(TRIES.0, TRIES.1);
    let mut found: Vec<Candidate> = Vec::new();
    for count in counts {
        found.extend(search.candidate(&order[..count], &mut sample::generator())?);
    }
    let best = found.iter().map(Candidate::rank).max().ok_or(GrowthError::NotFound)?;
    found.retain(|candidate| candidate.rank() == best);
    let shortest = found.iter().map(|of| of.distances.cost).min().unwrap_or(0);
    let enough =
        |of: &Candidate| u128::from(of.distances.cost) * 1_000 <= u128::from(shortest) * ENOUGH;
    // The numbers of moves ascend.
    let chosen = found.into_iter().find(enough).ok_or(GrowthError::NotFound)?;
    let chosen = search.longer_cords(chosen)?;
    let Candidate { draft, parallel: parallel_sources, .. } = chosen;
    let edges = draft.edges();
    let seats = seats::grown(before, &edges, wish.splitters_stay);
    let fabric = Fabric::new(before.fan_out(), size(draft.cassettes), &edges)?.seated(&seats)?;
    Ok(Growth { fabric, moved: draft.moved(), parallel_sources })
}

/// The cassette that feeds each ToR of a fabric that grows to this many ToRs, old ToRs first. It does not depend on
/// other wishes.
///
/// # Errors
/// [`GrowthError::NotMore`] if the number does not grow.
pub fn fed_by(before: &Fabric, tors: usize) -> Result<Vec<CassetteId>, GrowthError> {
    if tors <= before.tors() {
        return Err(GrowthError::NotMore { tors, found: before.tors() });
    }
    Ok(Draft::new(before, tors).tails.into_iter().map(CassetteId::at).collect())
}

/// A choice of edges.
struct Candidate {
    distances: Distances,
    draft: Draft,
    /// Number of old edges that new cassettes were pinched into.
    pinched: usize,
    /// Number of parallel sources afterwards.
    parallel: usize,
    /// Number of parallel sources while cords move, at most one less than afterwards, but not capped below 1.
    during: usize,
}

impl Candidate {
    /// Greater is better.
    fn rank(&self) -> (Reverse<usize>, usize, usize) {
        (Reverse(self.distances.loops), self.parallel, self.during)
    }
}

/// A search for edges.
struct Search<'a> {
    before: &'a Fabric,
    wish: &'a Wish,
    /// The edges before any is pinched.
    plain: Draft,
    hops: Hops,
    /// Number of attempts to exchange two heads.
    tries: u64,
}

impl Search<'_> {
    /// The best edges that were found if these old edges are pinched. `None`: some ToR does not reach another.
    fn candidate(
        &mut self,
        pinched: &[usize],
        draws: &mut ChaCha8Rng,
    ) -> Result<Option<Candidate>, FabricError> {
        let before = self.before;
        let mut draft = self.plain.clone();
        draft.pinch(pinched);
        draft.light_evenly(before, &self.wish.pinned, self.wish.most_moves);
        let distances = draft.improve(&mut self.hops, self.tries, draws);
        if distances.cost == u64::MAX {
            return Ok(None);
        }
        draft.place(&self.wish.too_short);
        let fabric = Fabric::new(before.fan_out(), size(draft.cassettes), &draft.edges())?;
        let parallel = count_parallel_sources_among(&fabric, |_| true);
        let during = least_during(before, &draft.moved).min(parallel.saturating_sub(1).max(1));
        Ok(Some(Candidate { distances, draft, pinched: pinched.len(), parallel, during }))
    }

    /// A choice that is as good by all other measures, and with fewer cords that are too short: other old edges
    /// are pinched, those first whose cords reach far.
    fn longer_cords(&mut self, chosen: Candidate) -> Result<Candidate, FabricError> {
        let too_short = &self.wish.too_short;
        let (order, _) = pinchable(self.before, &self.wish.pinned, too_short);
        let (pinched, mut draws) = (&order[..chosen.pinched], sample::generator());
        let mut best = chosen;
        let limit = best.distances;
        for _ in 0..SEARCHES {
            let short = best.draft.too_short(too_short);
            if short == 0 {
                break;
            }
            let Some(other) = self.candidate(pinched, &mut draws)? else { continue };
            let as_good = other.draft.moved.len() <= best.draft.moved.len()
                && other.rank() >= best.rank()
                && other.distances.within(&limit);
            if as_good && other.draft.too_short(too_short) < short {
                best = other;
            }
        }
        Ok(best)
    }
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

fn size(cassettes: usize) -> u32 {
    u32::try_from(cassettes).unwrap_or(u32::MAX)
}
