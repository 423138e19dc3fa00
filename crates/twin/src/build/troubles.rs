//! What goes wrong on links and branches: random losses, and times in which they are dead.

use std::collections::BTreeMap;

use lightloom_setup::{BranchLoss, DeadSplitter};
use lightloom_setup::{DeadLink, LinkLoss};

use crate::link::{Dead, Loss, Trouble};
use crate::random::{BRANCH_LOSS, LOSS, SPLITTER_LOSS, Stream, link_number};
use crate::simulation::Simulation;
use crate::wires::{Place, Source};

/// What goes wrong, by the port that transmits, and by splitter and branch.
pub(super) struct Troubles {
    losses: BTreeMap<Place, LinkLoss>,
    dead: BTreeMap<Place, Vec<Dead>>,
    dark: BTreeMap<(u32, u32), Vec<Dead>>,
}

impl Troubles {
    pub(super) fn new(simulation: &Simulation<'_>) -> Self {
        let wires = simulation.wires();
        let mut dead: BTreeMap<_, Vec<Dead>> = BTreeMap::new();
        for &DeadLink { node, port, from, to } in &simulation.dead {
            let other = wires.other_end((node, port));
            for end in other.into_iter().chain([(node, port)]) {
                dead.entry(end).or_default().push(Dead { from, to });
            }
        }
        let mut dark: BTreeMap<_, Vec<Dead>> = BTreeMap::new();
        for &DeadSplitter { splitter, branch, from, to } in &simulation.multicast.dead {
            let all = 0..u32::try_from(wires.branches(splitter).len()).unwrap_or(u32::MAX);
            for branch in all.filter(|&each| branch.is_none_or(|branch| branch == each)) {
                dark.entry((splitter, branch)).or_default().push(Dead { from, to });
            }
        }
        let losses = simulation.losses.iter();
        let losses = losses.map(|loss| ((loss.from, loss.port), *loss)).collect();
        Self { losses, dead, dark }
    }

    /// The trouble of one direction of a link.
    pub(super) fn of_link(&self, seed: u64, (id, port): Place) -> Trouble {
        let dead = self.dead.get(&(id, port)).cloned().unwrap_or_default();
        let loss = self.losses.get(&(id, port)).map(|said| {
            let random = Stream::new(seed, LOSS, link_number(id, port));
            Loss::new(said.rate, said.burst, said.corrupt, random)
        });
        Trouble::new(dead, loss)
    }

    /// The trouble of a splitter's transmitter. It is dead where all its branches are.
    pub(super) fn of_splitter(
        &self,
        seed: u64,
        splitter: u32,
        loss: Option<BranchLoss>,
    ) -> Trouble {
        let loss = loss.map(|said| {
            let random = Stream::new(seed, SPLITTER_LOSS, u64::from(splitter));
            Loss::new(said.rate, said.burst, said.corrupt, random)
        });
        Trouble::new(Vec::new(), loss)
    }

    /// The trouble of a branch of a splitter.
    pub(super) fn of_branch(
        &self,
        seed: u64,
        (splitter, branch): (u32, u32),
        loss: Option<BranchLoss>,
    ) -> Trouble {
        let dead = self.dark.get(&(splitter, branch)).cloned().unwrap_or_default();
        let loss = loss.map(|said| {
            let number = u64::from(splitter) << 32 | u64::from(branch);
            let random = Stream::new(seed, BRANCH_LOSS, number);
            Loss::new(said.rate, said.burst, said.corrupt, random)
        });
        Trouble::new(dead, loss)
    }

    /// When the way into a receiving port is dead.
    pub(super) fn way_in(&self, source: Source) -> Vec<Dead> {
        let dead = match source {
            Source::Link(from) => self.dead.get(&from),
            Source::Branch { splitter, branch } => self.dark.get(&(splitter, branch)),
        };
        dead.cloned().unwrap_or_default()
    }
}
