//! The receivers that light can reach: as wired, and for any rules.

use std::collections::VecDeque;

use fixedbitset::FixedBitSet;
use lightloom_topology::TorId;

use crate::verify::violation::Violation;

/// The receivers that each ToR's splitter lights, as wired.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LightMap {
    outputs: Vec<Vec<TorId>>,
}
impl LightMap {
    /// The wiring of a fabric of `tors` ToRs. Each fibre joins a ToR's splitter to a receiver.
    ///
    /// # Panics
    /// Panics if a fibre names a ToR beyond `tors`.
    pub fn new(tors: usize, fibres: impl IntoIterator<Item = (TorId, TorId)>) -> Self {
        let mut outputs = vec![Vec::new(); tors];
        for (from, to) in fibres {
            outputs[from.index()].push(to);
        }
        Self { outputs }
    }

    /// The number of ToRs.
    pub fn tors(&self) -> usize {
        self.outputs.len()
    }

    /// The ToRs, ascending.
    pub fn tor_ids(&self) -> impl Iterator<Item = TorId> + use<> {
        (0..self.tors()).map(TorId::at)
    }

    /// The receivers that a ToR's splitter lights, in the order of its fibres.
    pub fn receivers(&self, from: TorId) -> &[TorId] {
        &self.outputs[from.index()]
    }

    /// The number of fibres.
    pub fn fibres(&self) -> u64 {
        self.outputs.iter().map(|outputs| outputs.len() as u64).sum()
    }

    /// Proves properties that rules cannot change. Every splitter has exactly its number of outputs.
    /// Splitters that share a receiver share all receivers, so one transmission serves a cassette. Every ToR
    /// can reach every other ToR.
    ///
    /// # Errors
    /// The first [`Violation`].
    pub fn check(&self, fan_out: u32) -> Result<(), Violation> {
        let sorted = |outputs: &Vec<TorId>| {
            let mut sorted = outputs.clone();
            sorted.sort_unstable();
            sorted
        };
        let lit: Vec<Vec<TorId>> = self.outputs.iter().map(sorted).collect();
        let mut first_of: Vec<Option<TorId>> = vec![None; self.tors()];
        for (tor, outputs) in lit.iter().enumerate() {
            let tor = TorId::at(tor);
            let repeated = outputs.windows(2).any(|pair| pair[0] == pair[1]);
            if repeated || outputs.len() > fan_out as usize {
                return Err(Violation::Splitter { tor, outputs: outputs.len(), fan_out });
            }
            let mut compared = tor;
            for &shared in outputs {
                let first = *first_of[shared.index()].get_or_insert(tor);
                if first != compared && lit[first.index()] != *outputs {
                    return Err(Violation::MixedCassette { a: first, b: tor, shared });
                }
                compared = first;
            }
        }
        let mut against = vec![Vec::new(); self.tors()];
        for (from, outputs) in self.outputs.iter().enumerate() {
            for to in outputs {
                against[to.index()].push(TorId::at(from));
            }
        }
        let start = TorId(0);
        let first_unreached = |outputs| lit_over(outputs, start, |_, _| true).zeroes().next();
        if let Some(to) = first_unreached(&self.outputs).map(TorId::at) {
            return Err(Violation::Unreachable { from: start, to });
        }
        if let Some(from) = first_unreached(&against).map(TorId::at) {
            return Err(Violation::Unreachable { from, to: start });
        }
        Ok(())
    }

    /// The ToRs that light from `root` can reach if every ToR relays everything. The root is included only if
    /// light returns to it. `arrives` returns whether light passes a branch.
    pub fn lit(&self, root: TorId, arrives: impl Fn(TorId, TorId) -> bool) -> FixedBitSet {
        lit_over(&self.outputs, root, arrives)
    }
}

fn lit_over(
    outputs: &[Vec<TorId>],
    root: TorId,
    arrives: impl Fn(TorId, TorId) -> bool,
) -> FixedBitSet {
    let mut lit = FixedBitSet::with_capacity(outputs.len());
    let mut queue = VecDeque::from([root]);
    while let Some(at) = queue.pop_front() {
        for &to in outputs[at.index()].iter().filter(|&&to| arrives(at, to)) {
            if !lit.put(to.index()) {
                queue.push_back(to);
            }
        }
    }
    lit
}
