//! Annealing of several layouts side by side.

use std::num::NonZeroU32;

use lightloom_watch::Watch;

use crate::chance::Chance;
use crate::layout::{Layout, Moves};

/// Number of moves of a round.
const ROUND: u32 = 1 << 18;
/// Number of moves at one temperature.
const AT_ONCE: u32 = 1 << 12;
/// Number of moves that are tried to find the first temperature.
const TRIED: u32 = 1 << 12;
/// The first temperatures of chains, in turn, in means of the moves that go up. Cool chains have more time where it
/// counts; hot ones leave a bad beginning.
const HOTTEST: [f64; 2] = [0.15, 0.4];
/// The last temperature, in first ones.
const COLDEST: f64 = 0.05;
/// The first temperature of single swaps after blocks were placed, in means of the moves that go up: blocks stay
/// together.
const AFTER_BLOCKS: f64 = 0.005;
/// One move in this number is a move of blocks, if there are blocks.
const BLOCK_MOVES: usize = 4;
/// Most locations for which all swaps are tried at the end.
const DESCENDED: usize = 4_096;

/// How much is searched. The result depends on both numbers, and on nothing of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Number of layouts that are annealed side by side, each with random draws of its own.
    pub chains: NonZeroU32,
    /// Number of rounds of each chain.
    pub rounds: NonZeroU32,
}

/// What a search may do.
#[derive(Debug, Clone, Copy)]
pub struct Search<'a> {
    /// How much is searched.
    pub effort: Effort,
    /// Seed of the random draws.
    pub seed: u64,
    /// The moves.
    pub moves: &'a Moves,
}

/// How far a search is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Number of rounds that the first chain has done.
    pub rounds: u32,
    /// The least cost that it has found.
    pub least: i64,
}

/// What a search has found.
#[derive(Debug, Clone)]
pub struct Found<L> {
    /// The best layout. It is never worse than the first one.
    pub layout: L,
    /// Its cost.
    pub cost: i64,
    /// The least cost of all chains after each round that all of them have done.
    pub curve: Vec<i64>,
}

/// Searches from a layout. Each chain cools down over its rounds, and then goes down over all swaps. Stopped work
/// returns the best layout so far.
pub fn search<L: Layout + Sync>(
    first: &L,
    search: &Search<'_>,
    watch: Watch<'_, Progress>,
) -> Found<L> {
    let cost = first.cost();
    let ended: Vec<Ended<L>> = side_by_side(search.effort.chains, |chain| {
        Chain::new(first, cost, search, chain).run(search, watch)
    });
    let rounds = ended.iter().map(|ended| ended.curve.len()).min().unwrap_or(0);
    let least = |round: usize| ended.iter().map(|ended| ended.curve[round]).min().unwrap_or(cost);
    let curve = (0..rounds).map(least).collect();
    // The first of several equally good chains.
    let best = ended.into_iter().min_by_key(|ended| ended.cost);
    match best.filter(|best| best.cost < cost) {
        Some(Ended { layout, cost, .. }) => Found { layout, cost, curve },
        None => Found { layout: first.clone(), cost, curve },
    }
}

/// What each of several chains comes to, each on a thread of its own.
pub(crate) fn side_by_side<E: Send>(chains: NonZeroU32, run: impl Fn(u32) -> E + Sync) -> Vec<E> {
    let chains = 0..chains.get();
    if !cfg!(feature = "threads") || chains.len() == 1 {
        return chains.map(run).collect();
    }
    std::thread::scope(|scope| {
        let run = &run;
        let hands: Vec<_> = chains.map(|chain| scope.spawn(move || run(chain))).collect();
        let joined = hands.into_iter();
        joined
            .map(|hand| hand.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

/// A layout that is annealed.
struct Chain<L> {
    now: L,
    cost: i64,
    best: L,
    least: i64,
    chance: Chance,
    number: u32,
}

/// A chain at its end.
struct Ended<L> {
    layout: L,
    cost: i64,
    curve: Vec<i64>,
}

/// A move: two locations, or two blocks.
#[derive(Clone, Copy)]
enum Move {
    Swap(u32, u32),
    Blocks(usize, usize),
}

impl<L: Layout> Chain<L> {
    fn new(first: &L, cost: i64, search: &Search<'_>, number: u32) -> Self {
        let (now, best) = (first.clone(), first.clone());
        let chance = Chance::of_chain(search.seed, number);
        Self { now, cost, best, least: cost, chance, number }
    }

    /// The mean of the moves that go up.
    #[allow(clippy::cast_precision_loss, reason = "costs stay below 2^53")]
    fn mean_up(&mut self, moves: &Moves) -> f64 {
        let (mut sum, mut count) = (0.0, 0_u32);
        for _ in 0..TRIED {
            let chosen = self.choose(moves);
            let delta = self.tried(chosen, moves);
            self.take_back(chosen, delta, moves);
            if delta > 0 {
                sum += delta as f64;
                count += 1;
            }
        }
        if count == 0 { 1.0 } else { sum / f64::from(count) }
    }

    fn run(mut self, search: &Search<'_>, watch: Watch<'_, Progress>) -> Ended<L> {
        let (moves, rounds) = (search.moves, search.effort.rounds.get());
        let mut curve = Vec::new();
        let hottest = HOTTEST[self.number as usize % HOTTEST.len()];
        // Blocks first, and then what is in them.
        let (blocks, all) =
            if moves.blocks.len() > 1 { (rounds / 2, rounds - rounds / 2) } else { (0, rounds) };
        let only_blocks = Moves { sets: Vec::new(), blocks: moves.blocks.clone() };
        let mut is_whole = self.cool(&only_blocks, (0, blocks, rounds), hottest, &mut curve, watch);
        if is_whole {
            let hottest = if blocks > 0 { AFTER_BLOCKS } else { hottest };
            is_whole = self.cool(moves, (blocks, all, rounds), hottest, &mut curve, watch);
        }
        if is_whole && watch.check().is_ok() {
            self.descend(moves);
            self.keep_if_best();
        }
        Ended { layout: self.best, cost: self.least, curve }
    }

    /// Cools down over some rounds, after those that are done and of those that there are. Returns whether it was not
    /// stopped.
    fn cool(
        &mut self,
        moves: &Moves,
        (done, rounds, of): (u32, u32, u32),
        hottest: f64,
        curve: &mut Vec<i64>,
        watch: Watch<'_, Progress>,
    ) -> bool {
        if rounds == 0 || moves.is_empty() {
            return true;
        }
        let hottest = hottest * self.mean_up(moves);
        for round in 0..rounds {
            let is_stopped = if self.number == 0 {
                watch.so_far(|| Progress { rounds: done + round, least: self.least });
                watch.progress((done + round).into(), of.into()).is_err()
            } else {
                watch.is_stopped()
            };
            if is_stopped {
                return false;
            }
            for part in 0..ROUND / AT_ONCE {
                let share = f64::from(round) + f64::from(part) / f64::from(ROUND / AT_ONCE);
                let temperature = hottest * libm::pow(COLDEST, share / f64::from(rounds));
                (0..AT_ONCE).for_each(|_| self.step(temperature, moves));
            }
            self.keep_if_best();
            curve.push(self.least);
        }
        true
    }

    fn keep_if_best(&mut self) {
        if self.cost < self.least {
            self.least = self.cost;
            self.best = self.now.clone();
        }
    }

    fn choose(&mut self, moves: &Moves) -> Move {
        let (sets, blocks) = (&moves.sets, &moves.blocks);
        let has_blocks = blocks.len() > 1;
        if has_blocks && (sets.is_empty() || self.chance.below(BLOCK_MOVES) == 0) {
            let (one, other) = self.chance.pair_below(blocks.len());
            return Move::Blocks(one, other);
        }
        let set = match &sets[..] {
            [only] => only,
            several => {
                // As often as it has locations.
                let mut at = self.chance.below(several.iter().map(Vec::len).sum());
                let found = several.iter().find(|set| {
                    let is_here = at < set.len();
                    at = at.saturating_sub(set.len());
                    is_here
                });
                found.unwrap_or(&several[0])
            }
        };
        let (one, other) = self.chance.pair_below(set.len());
        Move::Swap(set[one], set[other])
    }

    /// The change of the cost by a move. Blocks are swapped to find it.
    fn tried(&mut self, chosen: Move, moves: &Moves) -> i64 {
        match chosen {
            Move::Swap(one, other) => self.now.delta(one, other),
            Move::Blocks(one, other) => {
                self.now.swap_blocks(&moves.blocks[one], &moves.blocks[other])
            }
        }
    }

    fn take(&mut self, chosen: Move, delta: i64) {
        if let Move::Swap(one, other) = chosen {
            self.now.swap(one, other);
        }
        self.cost += delta;
    }

    fn take_back(&mut self, chosen: Move, delta: i64, moves: &Moves) {
        if let Move::Blocks(one, other) = chosen {
            let back = self.now.swap_blocks(&moves.blocks[one], &moves.blocks[other]);
            debug_assert_eq!(back, -delta, "a swap and its way back");
        }
    }

    #[allow(clippy::cast_precision_loss, reason = "costs stay below 2^53")]
    fn step(&mut self, temperature: f64, moves: &Moves) {
        let chosen = self.choose(moves);
        let delta = self.tried(chosen, moves);
        if delta <= 0 || (delta as f64) < temperature * self.chance.threshold() {
            self.take(chosen, delta);
        } else {
            self.take_back(chosen, delta, moves);
        }
    }

    /// Takes every move that goes down, until none does.
    fn descend(&mut self, moves: &Moves) {
        if moves.sets.iter().map(Vec::len).sum::<usize>() > DESCENDED {
            return;
        }
        loop {
            let before = self.cost;
            for set in &moves.sets {
                for (at, &one) in set.iter().enumerate() {
                    for &other in &set[at + 1..] {
                        self.take_if_down(Move::Swap(one, other), moves);
                    }
                }
            }
            for one in 0..moves.blocks.len() {
                for other in one + 1..moves.blocks.len() {
                    self.take_if_down(Move::Blocks(one, other), moves);
                }
            }
            if self.cost == before {
                break;
            }
        }
    }

    fn take_if_down(&mut self, chosen: Move, moves: &Moves) {
        let delta = self.tried(chosen, moves);
        if delta < 0 {
            self.take(chosen, delta);
        } else {
            self.take_back(chosen, delta, moves);
        }
    }
}
