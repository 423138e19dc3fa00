//! A fabric that grows, while its new edges are still free to choose.

use std::collections::BTreeSet;

use lightloom_topology::{CassetteId, Fabric, TorId};
use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;

use crate::growth::factor;
use crate::growth::hops::{Distances, Hops};

/// Tails and heads of all ToRs, old ones first. Only heads change.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    /// Number of cassettes that were there.
    pub(super) old_cassettes: usize,
    pub(super) cassettes: usize,
    /// Number of ToRs that were there.
    pub(super) old_tors: usize,
    pub(super) tails: Vec<usize>,
    pub(super) heads: Vec<usize>,
    /// The old ToRs whose transmit cord moves.
    pub(super) moved: Vec<usize>,
}

impl Draft {
    /// All old edges, and new edges without pinching: new ToRs first take the empty seats of the old cassettes,
    /// then those of new cassettes, which form a digraph of their own.
    pub(super) fn new(before: &Fabric, tors: usize) -> Self {
        let p = before.fan_out() as usize;
        let old_cassettes = before.cassettes();
        let mut tails: Vec<usize> =
            before.tor_ids().map(|tor| before.receives_from(tor).index()).collect();
        let mut heads: Vec<usize> =
            before.tor_ids().map(|tor| before.transmits_into(tor).index()).collect();
        let old_tors = tails.len();
        let added = tors - old_tors;
        let empty = |taken: &dyn Fn(CassetteId) -> usize| -> Vec<usize> {
            let free = before.cassette_ids().map(|c| std::iter::repeat_n(c.index(), p - taken(c)));
            free.flatten().collect()
        };
        let mut free_heads = empty(&|c| before.transmitters(c).len());
        let mut in_old = Vec::new();
        for tail in empty(&|c| before.receivers(c).len()).into_iter().take(added) {
            // A loop carries no light onward.
            let other = free_heads.iter().position(|&head| head != tail).unwrap_or(0);
            in_old.push((tail, free_heads.remove(other)));
        }
        let beyond = added - in_old.len();
        let in_new = new_edges(p, beyond, old_cassettes);
        let cassettes = old_cassettes + beyond.div_ceil(p);
        let filled = in_old.len();
        for (tail, head) in in_old.into_iter().chain(in_new) {
            tails.push(tail);
            heads.push(head);
        }
        let mut draft =
            Self { old_cassettes, cassettes, old_tors, tails, heads, moved: Vec::new() };
        // A seat that is filled in an old cassette joins it to the new ones as a pinched edge does.
        let new: Vec<usize> = draft.inner();
        for (i, &edge) in new.iter().take(filled).enumerate() {
            draft.heads.swap(old_tors + i, edge);
        }
        draft
    }

    /// The new edges among new cassettes, in an order that spreads their tails and heads.
    fn inner(&self) -> Vec<usize> {
        let inner = |edge: &usize| self.tails[*edge].min(self.heads[*edge]) >= self.old_cassettes;
        let mut left: Vec<usize> = (self.old_tors..self.tails.len()).filter(inner).collect();
        let mut spread = Vec::with_capacity(left.len());
        while !left.is_empty() {
            let edges: Vec<(usize, usize)> =
                left.iter().map(|&edge| (self.tails[edge], self.heads[edge])).collect();
            let set = factor::largest(self.cassettes, &edges);
            let mut taken = vec![false; left.len()];
            for i in set {
                taken[i] = true;
                spread.push(left[i]);
            }
            left = left.iter().zip(taken).filter(|(_, taken)| !taken).map(|(&e, _)| e).collect();
        }
        spread
    }

    /// Pinches these old edges, each with a new one: the old ToR takes the head of the new one, and the new ToR
    /// the head of the old one. Pinches as many as there are edges among new cassettes.
    pub(super) fn pinch(&mut self, old: &[usize]) {
        let with = self.inner();
        for (&old, &new) in old.iter().zip(&with) {
            self.heads.swap(old, new);
            self.moved.push(old);
        }
        self.moved.sort_unstable();
    }

    /// Lights new cassettes that have two or more empty slots: old ToRs move there, and leave empty slots at
    /// cassettes that are full. Every cassette then lacks at most one transmitter, as in a fresh fabric.
    pub(super) fn light_evenly(
        &mut self,
        before: &Fabric,
        pinned: &BTreeSet<TorId>,
        most_moves: Option<usize>,
    ) {
        let p = before.fan_out() as usize;
        let mut count = vec![0_usize; self.cassettes];
        for &head in &self.heads {
            count[head] += 1;
        }
        let homes: BTreeSet<usize> = self.moved.iter().map(|&tor| home(before, tor)).collect();
        // Cassettes from which no cord moves come first: a stage then takes one from each at most.
        let (untouched, others): (Vec<usize>, Vec<usize>) =
            (0..self.old_cassettes).partition(|cassette| !homes.contains(cassette));
        let mut from = untouched.into_iter().chain(others);
        for new in self.old_cassettes..self.cassettes {
            while count[new] + 1 < p {
                // The last slot: the first one lights ports that also transmit.
                let last = |cassette: &usize| {
                    let tor = *before.transmitters(CassetteId::at(*cassette)).last()?;
                    let stays = !pinned.contains(&tor) && self.heads[tor.index()] == *cassette;
                    (count[*cassette] == p && stays).then_some(tor.index())
                };
                let room = most_moves.is_none_or(|most| self.moved.len() < most);
                let Some(tor) = from.find_map(|cassette| last(&cassette)).filter(|_| room) else {
                    return;
                };
                count[self.heads[tor]] -= 1;
                count[new] += 1;
                self.heads[tor] = new;
                self.moved.push(tor);
                self.moved.sort_unstable();
            }
        }
    }

    /// Exchanges heads of new edges and of moved ones while that shortens ways. Makes up to `tries` attempts.
    pub(super) fn improve(
        &mut self,
        hops: &mut Hops,
        tries: u64,
        draws: &mut ChaCha8Rng,
    ) -> Distances {
        let free: Vec<usize> =
            self.moved.iter().copied().chain(self.old_tors..self.tails.len()).collect();
        let mut best = hops.measure(&self.tails, &self.heads);
        if free.len() < 2 {
            return best;
        }
        for _ in 0..tries {
            let a = free[draws.random_range(0..free.len())];
            let b = free[draws.random_range(0..free.len())];
            let (head_a, head_b) = (self.heads[a], self.heads[b]);
            if head_a == head_b || !self.may_take(a, head_b) || !self.may_take(b, head_a) {
                continue;
            }
            self.heads.swap(a, b);
            let found = hops.measure(&self.tails, &self.heads);
            if found <= best {
                best = found;
            } else {
                self.heads.swap(a, b);
            }
        }
        best
    }

    /// Whether an edge may get this head. A moved ToR goes to a new cassette: its splitter can be tested before
    /// the cord moves.
    fn may_take(&self, edge: usize, head: usize) -> bool {
        self.tails[edge] != head && (edge >= self.old_tors || head >= self.old_cassettes)
    }

    /// The edges as a fabric lists them.
    pub(super) fn edges(&self) -> Vec<(CassetteId, CassetteId)> {
        let ends = self.tails.iter().zip(&self.heads);
        ends.map(|(&tail, &head)| (CassetteId::at(tail), CassetteId::at(head))).collect()
    }

    /// The moved ToRs.
    pub(super) fn moved(&self) -> Vec<TorId> {
        self.moved.iter().map(|&tor| TorId::at(tor)).collect()
    }
}

/// The cassette that an old ToR transmits into before the growth.
fn home(before: &Fabric, tor: usize) -> usize {
    before.transmits_into(TorId::at(tor)).index()
}

/// Edges among ⌈count/p⌉ new cassettes, numbered from `first`, ordered by tail: a digraph with short ways, of
/// which edges with distinct tails and heads are left out where p does not divide `count`.
fn new_edges(p: usize, count: usize, first: usize) -> Vec<(usize, usize)> {
    let cassettes = count.div_ceil(p);
    // Imase and Itoh's digraph. Its loops are pinched or exchanged later.
    let all = (0..cassettes).flat_map(|x| {
        (1..=p).map(move |m| (x, (cassettes * p - (p * x + m) % cassettes) % cassettes))
    });
    let mut all: Vec<(usize, usize)> = all.collect();
    let spare = cassettes * p - count;
    let (mut no_tail, mut no_head) = (vec![false; cassettes], vec![false; cassettes]);
    for spread in [true, false] {
        let mut at = all.len();
        while all.len() > count && at > 0 {
            at -= 1;
            let (tail, head) = all[at];
            if !spread || (!no_tail[tail] && !no_head[head]) {
                (no_tail[tail], no_head[head]) = (true, true);
                all.remove(at);
            }
        }
    }
    debug_assert_eq!(all.len(), cassettes * p - spare);
    all.into_iter().map(|(tail, head)| (tail + first, head + first)).collect()
}
