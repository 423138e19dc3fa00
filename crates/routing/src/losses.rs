//! Losses of many failures at once: from an index of each source's tree, and not from a replay for each failure.
//!
//! A failure takes whole subtrees of a tree (shufflecast:III-C1.impact). [`SubtreeIndex`] numbers the ToRs of one tree
//! in preorder, so a subtree is an interval, and the loss of a failure is the union of a few intervals. An index takes
//! time for all ToRs once, and then a few steps for each failure.

use lightloom_topology::{Fabric, TorId};

use crate::failure::Damage;
use crate::tree::NotATree;

/// The parts of a damage that can cut a tree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cuts {
    /// The ToRs that cannot transmit, ascending.
    mute: Vec<TorId>,
    /// The ToRs without power, ascending.
    dark: Vec<TorId>,
    /// The branches over which nothing arrives, by sender and receiver, ascending.
    branches: Vec<(TorId, TorId)>,
}

impl Cuts {
    /// The cuts of a damage.
    pub fn of(damage: &Damage<'_>) -> Self {
        Self {
            mute: damage.silent().collect(),
            dark: damage.without_power().collect(),
            branches: damage.cut_branches().collect(),
        }
    }

    /// Whether a ToR can still transmit.
    pub fn sends(&self, tor: TorId) -> bool {
        self.mute.binary_search(&tor).is_err()
    }

    /// The ToRs that cannot transmit, ascending.
    pub fn silent(&self) -> &[TorId] {
        &self.mute
    }
}

/// The tree of one source with the subtree of every ToR. Reused for one source after another.
#[derive(Debug)]
pub struct SubtreeIndex<'a> {
    fabric: &'a Fabric,
    source: TorId,
    row: Vec<TorId>,
    /// The ToRs in preorder, the source first.
    order: Vec<TorId>,
    /// The place of each ToR in `order`.
    place: Vec<u32>,
    /// The place behind the last ToR of each ToR's subtree.
    end: Vec<u32>,
    /// ToRs that are being walked: each with the next of its receivers.
    walk: Vec<(TorId, u32)>,
    /// Intervals of one failure.
    lost: Vec<(u32, u32)>,
}

impl<'a> SubtreeIndex<'a> {
    /// An index for the trees of a fabric, without a tree yet.
    pub fn new(fabric: &'a Fabric) -> Self {
        let tors = fabric.tors();
        Self {
            fabric,
            source: TorId(0),
            row: Vec::new(),
            order: Vec::with_capacity(tors),
            place: vec![0; tors],
            end: vec![0; tors],
            walk: Vec::new(),
            lost: Vec::new(),
        }
    }

    /// Takes the tree of a source: for each cassette, the ToR that relays into it.
    ///
    /// # Errors
    /// [`NotATree`] if the relays do not reach every ToR.
    pub fn take(&mut self, source: TorId, row: &[TorId]) -> Result<(), NotATree> {
        self.source = source;
        self.row.clear();
        self.row.extend_from_slice(row);
        self.order.clear();
        self.enter(source);
        while let Some(&(tor, next)) = self.walk.last() {
            let receivers = self.receivers(tor);
            let Some(&receiver) = receivers.get(next as usize) else {
                self.end[tor.index()] = place(self.order.len());
                self.walk.pop();
                continue;
            };
            if let Some(last) = self.walk.last_mut() {
                last.1 += 1;
            }
            // The copy that returns to the source is dropped.
            if receiver != source {
                if self.order.len() == self.place.len() {
                    self.walk.clear();
                    return Err(self.not_a_tree());
                }
                self.enter(receiver);
            }
        }
        if self.order.len() == self.place.len() { Ok(()) } else { Err(self.not_a_tree()) }
    }

    fn enter(&mut self, tor: TorId) {
        self.place[tor.index()] = place(self.order.len());
        self.order.push(tor);
        self.walk.push((tor, 0));
    }

    /// The receivers of a ToR's transmissions. Empty: it does not relay.
    fn receivers(&self, tor: TorId) -> &'a [TorId] {
        let into = self.fabric.transmits_into(tor);
        if self.row[into.index()] == tor { self.fabric.receivers(into) } else { &[] }
    }

    fn not_a_tree(&self) -> NotATree {
        NotATree { source_tor: self.source, cassette: self.fabric.receives_from(self.source) }
    }

    /// Number of other ToRs that the source loses. All of them if it can no longer transmit.
    pub fn lost(&mut self, cuts: &Cuts) -> u32 {
        if !cuts.sends(self.source) {
            return place(self.order.len() - 1);
        }
        self.find_lost(cuts);
        self.lost.iter().map(|(start, end)| end - start).sum()
    }

    /// The other ToRs that the source loses, ascending. All of them if it can no longer transmit.
    pub fn lost_tors(&mut self, cuts: &Cuts) -> Vec<TorId> {
        if cuts.sends(self.source) {
            self.find_lost(cuts);
        } else {
            self.lost.clear();
            self.lost.push((1, place(self.order.len())));
        }
        let of = |&(start, end): &(u32, u32)| &self.order[start as usize..end as usize];
        let mut tors: Vec<TorId> = self.lost.iter().flat_map(of).copied().collect();
        tors.sort_unstable();
        tors
    }

    /// Finds the outermost intervals of `order` that the cuts take. They do not overlap.
    fn find_lost(&mut self, cuts: &Cuts) {
        self.lost.clear();
        for &tor in &cuts.mute {
            let (own, end) = (self.place[tor.index()], self.end[tor.index()]);
            if end > own + 1 {
                self.lost.push((own + 1, end));
            }
        }
        let without = cuts.dark.iter().copied().filter(|&tor| tor != self.source);
        let behind = cuts.branches.iter().filter(|(from, to)| {
            *to != self.source && self.row[self.fabric.receives_from(*to).index()] == *from
        });
        for tor in without.chain(behind.map(|&(_, to)| to)) {
            self.lost.push((self.place[tor.index()], self.end[tor.index()]));
        }
        // Subtrees are nested or apart, so one that begins within the last one taken is a part of it.
        if self.lost.len() > 1 {
            self.lost.sort_unstable_by_key(|&(start, end)| (start, std::cmp::Reverse(end)));
            let mut covered = 0;
            self.lost.retain(|&(start, end)| {
                let is_outer = start >= covered;
                covered = covered.max(end);
                is_outer
            });
        }
    }
}

/// A place in the preorder. Fabrics with listed tables have far fewer ToRs.
#[allow(clippy::cast_possible_truncation, reason = "numbers of ToRs have 32 bits")]
fn place(at: usize) -> u32 {
    at as u32
}
