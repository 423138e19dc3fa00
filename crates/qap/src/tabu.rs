//! Tabu search of dense problems.
//!
//! E. Taillard: Robust taboo search for the quadratic assignment problem, Parallel Computing 17, 1991. The change of
//! the cost by every swap stands in a table, so that a step takes time for the pairs of facilities and no more. After a
//! while without a better layout a chain goes on from its best one, shuffled in part (A. Misevicius: An implementation
//! of the iterated tabu search algorithm for the quadratic assignment problem, OR Spectrum 34, 2012).

use lightloom_watch::Watch;

use crate::anneal::{Effort, Progress, side_by_side};
use crate::chance::Chance;

/// A round has as many steps as look at about this many pairs of facilities, within limits.
const ROUND: usize = 1 << 24;
/// The fewest and the most steps of a round.
const STEPS: [usize; 2] = [1 << 4, 1 << 14];
/// Steps without a better layout until the best one is shuffled, for each facility.
const PATIENCE: u32 = 400;
/// A chain goes back to the best layout of all its steps once in this number of shuffles. Otherwise it goes on from the
/// best one since the last shuffle.
const BACK: u32 = 4;
/// A swap is taken back at the earliest after this many tenths of the number of facilities, and at the latest after
/// these.
const TENURE: [u32; 2] = [9, 11];
/// A swap that was not done for this many times the square of the number of facilities is done.
const DUE: u32 = 5;

/// Flows between all facilities, over the distances between all locations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dense {
    size: usize,
    flows: Vec<i64>,
    distances: Vec<i64>,
}

impl Dense {
    /// Most facilities. The table of swaps is made anew after each shuffle, in time facilities³: about a second.
    pub const MOST: usize = 1_024;

    /// A problem from the flows by sender and receiver, and the distances in the same way. `None`: there is no
    /// facility, or a matrix is not square, or there are more than [`Self::MOST`], or costs would not fit 62 bits.
    pub fn new(size: usize, flows: Vec<i64>, distances: Vec<i64>) -> Option<Self> {
        let is_square = flows.len() == size * size && distances.len() == size * size;
        let largest = |of: &[i64]| of.iter().map(|value| value.unsigned_abs()).max().unwrap_or(0);
        let pairs = 4 * (size as u128) * (size as u128);
        let fits = u128::from(largest(&flows)) * u128::from(largest(&distances)) * pairs < 1 << 62;
        let is_sound = (1..=Self::MOST).contains(&size) && is_square && fits;
        is_sound.then_some(Self { size, flows, distances })
    }

    /// Number of facilities, and of locations.
    pub fn size(&self) -> usize {
        self.size
    }

    /// What one facility sends to another.
    pub fn flow(&self, from: usize, to: usize) -> i64 {
        self.flows[from * self.size + to]
    }

    /// The distance from one location to another.
    pub fn distance(&self, from: usize, to: usize) -> i64 {
        self.distances[from * self.size + to]
    }

    /// The cost if the facilities are at these locations.
    ///
    /// # Panics
    /// Panics if a location is not among those of the problem.
    pub fn cost(&self, locations: &[u32]) -> i64 {
        let rows = self.flows.chunks(self.size).zip(locations);
        rows.map(|(row, &at)| {
            let far = &self.distances[at as usize * self.size..][..self.size];
            row.iter().zip(locations).map(|(flow, &to)| flow * far[to as usize]).sum::<i64>()
        })
        .sum()
    }
}

/// What a tabu search has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assigned {
    /// The location of each facility.
    pub locations: Vec<u32>,
    /// The cost.
    pub cost: i64,
    /// The least cost of all chains after each round that all of them have done.
    pub curve: Vec<i64>,
}

/// Searches by several chains side by side, each from a random layout. Stopped work returns the best layout so far.
pub fn tabu(problem: &Dense, effort: Effort, seed: u64, watch: Watch<'_, Progress>) -> Assigned {
    let ended = side_by_side(effort.chains, |chain| {
        let mut chain = Chain::new(problem, seed, chain);
        chain.run(effort.rounds.get(), watch);
        chain
    });
    let rounds = ended.iter().map(|chain| chain.curve.len()).min().unwrap_or(0);
    let least = |round: usize| ended.iter().map(|chain| chain.curve[round]).min().unwrap_or(0);
    let curve = (0..rounds).map(least).collect();
    // The first of several equally good chains.
    let best = ended.into_iter().min_by_key(|chain| chain.least);
    let (locations, cost) = best.map_or((Vec::new(), 0), |best| (best.best, best.least));
    Assigned { locations, cost, curve }
}

/// A layout that is searched.
struct Chain<'a> {
    problem: &'a Dense,
    /// The location of each facility.
    at: Vec<u32>,
    /// The distances between the facilities as they are now.
    far: Vec<i64>,
    /// The change of the cost by a swap of two facilities: those of each facility with all later ones.
    deltas: Vec<i64>,
    /// The step until which a facility may not come to a location.
    until: Vec<u32>,
    cost: i64,
    /// The best layout since the last shuffle.
    recent: (Vec<u32>, i64),
    best: Vec<u32>,
    least: i64,
    chance: Chance,
    number: u32,
    curve: Vec<i64>,
    step: u32,
}

impl<'a> Chain<'a> {
    fn new(problem: &'a Dense, seed: u64, number: u32) -> Self {
        let size = problem.size;
        let mut chance = Chance::of_chain(seed, number);
        let mut at: Vec<u32> = (0..u32::try_from(size).unwrap_or(u32::MAX)).collect();
        chance.shuffle(&mut at);
        let mut chain = Self {
            problem,
            far: vec![0; size * size],
            deltas: vec![0; size * size],
            until: vec![0; size * size],
            cost: 0,
            recent: (at.clone(), i64::MAX),
            best: at.clone(),
            least: i64::MAX,
            at,
            chance,
            number,
            curve: Vec::new(),
            step: 0,
        };
        chain.begin();
        chain
    }

    /// Makes the tables of the layout as it is now, and forgets what is forbidden.
    fn begin(&mut self) {
        let size = self.problem.size;
        for (one, &from) in self.at.iter().enumerate() {
            let row = &self.problem.distances[from as usize * size..][..size];
            let far = &mut self.far[one * size..][..size];
            far.iter_mut().zip(&self.at).for_each(|(far, &to)| *far = row[to as usize]);
        }
        for one in 0..size {
            for other in one + 1..size {
                self.deltas[one * size + other] = self.swapped(one, other);
            }
        }
        self.cost = self.problem.cost(&self.at);
        self.recent = (self.at.clone(), self.cost);
        self.until.fill(0);
        self.step = 0;
        self.keep_if_best();
    }

    /// The change of the cost by a swap, from scratch.
    fn swapped(&self, one: usize, other: usize) -> i64 {
        let size = self.problem.size;
        let (flows, far) = (&self.problem.flows[..], &self.far[..]);
        let row = |of: &'a [i64], at: usize| &of[at * size..][..size];
        let far_row = |at: usize| &far[at * size..][..size];
        let (flows_one, flows_other) = (row(flows, one), row(flows, other));
        let (far_one, far_other) = (far_row(one), far_row(other));
        let sent = flows_one.iter().zip(flows_other).zip(far_other.iter().zip(far_one));
        let sent: i64 = sent.map(|((a, b), (c, d))| (a - b) * (c - d)).sum();
        let received: i64 = (0..size)
            .map(|end| {
                let flow = flows[end * size + one] - flows[end * size + other];
                flow * (far[end * size + other] - far[end * size + one])
            })
            .sum();
        // Both sums count the four pairs of the two as if their other ends stayed.
        let counted = |end: usize| {
            (flows_one[end] - flows_other[end]) * (far_other[end] - far_one[end])
                + (flows[end * size + one] - flows[end * size + other])
                    * (far[end * size + other] - far[end * size + one])
        };
        let own = (flows_one[one] - flows_other[other]) * (far_other[other] - far_one[one])
            + (flows_one[other] - flows_other[one]) * (far_other[one] - far_one[other]);
        sent + received - counted(one) - counted(other) + own
    }

    fn run(&mut self, rounds: u32, watch: Watch<'_, Progress>) {
        let size = u32::try_from(self.problem.size).unwrap_or(u32::MAX);
        let patience = size.saturating_mul(PATIENCE);
        let (mut without, mut shuffles) = (0_u32, 0_u32);
        let pairs = self.problem.size * self.problem.size;
        let steps = (ROUND / pairs).clamp(STEPS[0], STEPS[1]);
        for round in 0..rounds {
            let is_stopped = if self.number == 0 {
                watch.so_far(|| Progress { rounds: round, least: self.least });
                watch.progress(round.into(), rounds.into()).is_err()
            } else {
                watch.is_stopped()
            };
            if is_stopped {
                return;
            }
            if size > 1 {
                for _ in 0..steps {
                    let before = self.recent.1;
                    self.go();
                    without = if self.recent.1 < before { 0 } else { without + 1 };
                    if without >= patience {
                        without = 0;
                        shuffles += 1;
                        self.shake(shuffles.is_multiple_of(BACK));
                    }
                }
            }
            self.curve.push(self.least);
        }
    }

    /// Goes on from the best layout, shuffled in part.
    fn shake(&mut self, is_back: bool) {
        self.at.clone_from(if is_back { &self.best } else { &self.recent.0 });
        let size = self.problem.size;
        // A cycle of some facilities: between three of them and half.
        let share = (size / 2).max(3).min(size);
        let count = 2.min(size) + self.chance.below(share);
        let mut chosen: Vec<usize> = (0..size).collect();
        self.chance.shuffle(&mut chosen);
        for pair in chosen[..count.min(size)].windows(2) {
            self.at.swap(pair[0], pair[1]);
        }
        self.begin();
    }

    /// Takes the best swap that is not forbidden, or leads to a layout that is better than all before.
    fn go(&mut self) {
        self.step += 1;
        let size = self.problem.size;
        // Later by more than any tenure: the swap was not done for long.
        let due = u32::try_from(size * size).unwrap_or(u32::MAX).saturating_mul(DUE);
        let mut chosen: Option<(bool, i64, usize, usize)> = None;
        for one in 0..size {
            let deltas = &self.deltas[one * size..][..size];
            for (other, &delta) in deltas.iter().enumerate().skip(one + 1) {
                // Most swaps are worse than the best so far, and none is due for long.
                if self.step <= due && chosen.is_some_and(|(_, least, _, _)| delta >= least) {
                    continue;
                }
                let untils = [
                    self.until[one * size + self.at[other] as usize],
                    self.until[other * size + self.at[one] as usize],
                ];
                let is_forbidden = untils[0] > self.step && untils[1] > self.step;
                let is_better = self.cost + delta < self.least;
                let is_due =
                    self.step > due && untils[0] < self.step - due && untils[1] < self.step - due;
                if is_forbidden && !is_better {
                    continue;
                }
                let asked = is_better || is_due;
                let takes = chosen.is_none_or(|(was_asked, least, _, _)| {
                    (asked && !was_asked) || (asked == was_asked && delta < least)
                });
                if takes {
                    chosen = Some((asked, delta, one, other));
                }
            }
        }
        let Some((_, delta, one, other)) = chosen else { return };
        let from = [self.at[one], self.at[other]];
        self.swap(one, other);
        self.cost += delta;
        for (facility, from) in [one, other].into_iter().zip(from) {
            self.until[facility * size + from as usize] = self.step + self.tenure();
        }
        self.keep_if_best();
    }

    fn tenure(&mut self) -> u32 {
        let size = self.problem.size;
        let [least, most] = TENURE.map(|tenths| size * tenths as usize / 10);
        u32::try_from(least + self.chance.below(most - least + 1)).unwrap_or(u32::MAX)
    }

    /// Swaps two facilities, and brings the table of changes up to date.
    fn swap(&mut self, one: usize, other: usize) {
        let size = self.problem.size;
        self.at.swap(one, other);
        // Rows and columns of the distances.
        let (low, high) = self.far.split_at_mut(one.max(other) * size);
        low[one.min(other) * size..][..size].swap_with_slice(&mut high[..size]);
        for row in self.far.chunks_mut(size) {
            row.swap(one, other);
        }
        let (flows, far) = (&self.problem.flows, &self.far);
        let apart = |of: &[i64], sign: usize| -> (Vec<i64>, Vec<i64>) {
            let (plus, minus) = if sign == 0 { (one, other) } else { (other, one) };
            let sent = (0..size).map(|end| of[plus * size + end] - of[minus * size + end]);
            let received = (0..size).map(|end| of[end * size + plus] - of[end * size + minus]);
            (sent.collect(), received.collect())
        };
        let (flows_sent, flows_received) = apart(flows, 0);
        let (far_sent, far_received) = apart(far, 1);
        for first in 0..size {
            if first == one || first == other {
                continue;
            }
            let (a, b) = (flows_sent[first], far_sent[first]);
            let (c, d) = (flows_received[first], far_received[first]);
            let row = &mut self.deltas[first * size..][first + 1..size];
            let sent = flows_sent[first + 1..].iter().zip(&far_sent[first + 1..]);
            let received = flows_received[first + 1..].iter().zip(&far_received[first + 1..]);
            for ((delta, (x, y)), (z, w)) in row.iter_mut().zip(sent).zip(received) {
                *delta += (a - x) * (b - y) + (c - z) * (d - w);
            }
        }
        for end in 0..size {
            for of in [one, other] {
                if end != of {
                    let (low, high) = (end.min(of), end.max(of));
                    self.deltas[low * size + high] = self.swapped(low, high);
                }
            }
        }
    }

    fn keep_if_best(&mut self) {
        if self.cost < self.recent.1 {
            self.recent.0.clone_from(&self.at);
            self.recent.1 = self.cost;
        }
        if self.cost < self.least {
            self.best.clone_from(&self.at);
            self.least = self.cost;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use proptest::prelude::*;

    use super::*;
    use crate::samples::{least, problems};

    proptest! {
        /// After any steps, cost and every change of the table are what they are from scratch.
        #[test]
        fn tables_stay_true(problem in problems(), seed in any::<u64>(), steps in 1_u32..80) {
            let mut chain = Chain::new(&problem, seed, 0);
            if problem.size > 1 {
                (0..steps).for_each(|_| chain.go());
            }
            prop_assert_eq!(chain.cost, problem.cost(&chain.at));
            for one in 0..problem.size {
                for other in one + 1..problem.size {
                    let mut at = chain.at.clone();
                    at.swap(one, other);
                    let delta = chain.deltas[one * problem.size + other];
                    prop_assert_eq!(problem.cost(&at) - chain.cost, delta);
                }
            }
        }

        /// Small problems are solved: no order of all is better.
        #[test]
        fn small_problems_are_solved(problem in problems().prop_filter("orders", |p| p.size < 7)) {
            let effort = Effort { chains: NonZeroU32::MIN, rounds: NonZeroU32::MIN };
            let found = tabu(&problem, effort, 7, Watch::quiet());
            prop_assert_eq!(problem.cost(&found.locations), found.cost);
            prop_assert_eq!(found.cost, least(&problem));
        }
    }
}
