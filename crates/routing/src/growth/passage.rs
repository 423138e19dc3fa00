//! The states between two fabrics: which cords move together.

use lightloom_topology::{CassetteId, Fabric, TorId};

use crate::growth::change::{Change, StageError, StageKind};
use crate::growth::factor;
use crate::growth::states::State;
use crate::parallel::count_parallel_sources_among;

/// States, and the cords that move from each to the next.
#[derive(Debug, Clone)]
pub(super) struct Passage {
    pub(super) states: Vec<State>,
    pub(super) batches: Vec<Vec<TorId>>,
}

impl Passage {
    /// The passage that keeps the most parallel sources while cords move. Larger batches are tried first; the
    /// first that loses one source only is taken.
    pub(super) fn best(change: &Change<'_>) -> Result<Self, StageError> {
        let whole = Self::of(change, vec![change.moved.to_vec()]);
        if change.kind == StageKind::Shrink || change.moved.is_empty() {
            return Ok(whole);
        }
        let before = change.before;
        let edges: Vec<(usize, usize)> = change
            .moved
            .iter()
            .map(|&tor| (before.receives_from(tor).index(), before.transmits_into(tor).index()))
            .collect();
        let sets = factor::split(before.cassettes(), &edges).into_iter();
        let sets: Vec<Vec<TorId>> =
            sets.map(|set| set.into_iter().map(|i| change.moved[i]).collect()).collect();
        let parallel = |fabric: &Fabric| count_parallel_sources_among(fabric, |_| true);
        let target = parallel(before).min(parallel(change.after)).saturating_sub(1).max(1);
        let (mut best, mut most) = (whole, None);
        let mut size = change.moved.len();
        for round in 0.. {
            let passage = match round {
                0 => best.clone(),
                1 => Self::of(change, sets.iter().map(|set| sorted(set)).collect()),
                _ => {
                    let parts = sets.iter().flat_map(|set| set.chunks(size));
                    Self::of(change, parts.map(sorted).collect())
                }
            };
            let least = passage.least_parallel(before.fan_out());
            if round == 0 || least > most {
                (best, most) = (passage, least);
            }
            if most >= Some(target) || size == 1 {
                break;
            }
            if round > 0 {
                size = size.div_ceil(2);
            }
        }
        Ok(best)
    }

    fn of(change: &Change<'_>, batches: Vec<Vec<TorId>>) -> Self {
        match change.kind {
            StageKind::Grow => Self::growing(change, batches),
            StageKind::Shrink => Self::shrinking(change, batches),
        }
    }

    fn growing(change: &Change<'_>, batches: Vec<Vec<TorId>>) -> Self {
        let (before, after) = (change.before, change.after);
        let tails: Vec<CassetteId> = after.tor_ids().map(|tor| after.receives_from(tor)).collect();
        let old = before.tors();
        // The old seat of each moved ToR is free only once that ToR has moved.
        let seat_of = |tor: TorId| (before.transmits_into(tor), before.receive_port(tor));
        let mut taken: Vec<(CassetteId, u32)> =
            change.moved.iter().map(|&tor| seat_of(tor)).collect();
        let heads = |moved: &[TorId], taken: &[(CassetteId, u32)]| -> Vec<Option<CassetteId>> {
            let head = |tor: TorId| {
                let new = (after.transmits_into(tor), after.receive_port(tor));
                match tor.index() < old && moved.binary_search(&tor).is_err() {
                    true => Some(before.transmits_into(tor)),
                    false if taken.contains(&new) => None,
                    false => Some(new.0),
                }
            };
            after.tor_ids().map(head).collect()
        };
        let mut moved: Vec<TorId> = Vec::new();
        let first = State {
            heads: heads(&moved, &taken),
            serves: (0..tails.len()).map(|tor| tor < old).collect(),
            tails: tails.clone(),
        };
        let mut states = vec![first];
        for batch in &batches {
            moved.extend(batch);
            moved.sort_unstable();
            taken.retain(|seat| !batch.iter().any(|&tor| seat_of(tor) == *seat));
            let heads = heads(&moved, &taken);
            let serves = heads.iter().map(Option::is_some).collect();
            states.push(State { tails: tails.clone(), heads, serves });
        }
        Self { states, batches }
    }

    fn shrinking(change: &Change<'_>, batches: Vec<Vec<TorId>>) -> Self {
        let (before, after) = (change.before, change.after);
        let tails: Vec<CassetteId> =
            before.tor_ids().map(|tor| before.receives_from(tor)).collect();
        let heads = before.tor_ids().map(|tor| Some(before.transmits_into(tor))).collect();
        let first = State { heads, serves: vec![true; tails.len()], tails: tails.clone() };
        // A cassette of the smaller fabric is known by the ToRs that it feeds.
        let mut heads = vec![None; tails.len()];
        let mut serves = vec![false; tails.len()];
        for (new, &old) in change.tors.iter().enumerate() {
            let head = after.transmits_into(TorId::at(new));
            let fed = after.receivers(head).first();
            heads[old.index()] = fed.map(|fed| tails[change.tors[fed.index()].index()]);
            serves[old.index()] = true;
        }
        let last = State { tails, heads, serves };
        Self { states: vec![first, last], batches }
    }

    /// The ToRs that do not transmit while the cords of a batch move, ascending: those that move and those that
    /// leave.
    pub(super) fn silent(&self, batch: usize) -> Vec<TorId> {
        let (from, to) = (&self.states[batch], &self.states[batch + 1]);
        let leaves = |tor: &TorId| from.serves[tor.index()] && !to.serves[tor.index()];
        let mut silent = self.batches[batch].clone();
        silent.extend((0..from.serves.len()).map(TorId::at).filter(leaves));
        silent.sort_unstable();
        silent.dedup();
        silent
    }

    /// The least number of parallel sources in any state. `None`: some state is disconnected.
    fn least_parallel(&self, fan_out: u32) -> Option<usize> {
        let mut least = usize::MAX;
        for (i, state) in self.states.iter().enumerate() {
            let part = state.part(fan_out).ok()?;
            least = least.min(state.parallel_without(&part, &[]));
            if i < self.batches.len() {
                least = least.min(state.parallel_without(&part, &self.silent(i)));
            }
        }
        Some(least)
    }
}

fn sorted(tors: &[TorId]) -> Vec<TorId> {
    let mut tors = tors.to_vec();
    tors.sort_unstable();
    tors
}
