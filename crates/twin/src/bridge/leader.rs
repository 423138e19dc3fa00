//! The host that registers a group (Cepheus, HPCA 2024, section III-C): it sends the nodes, collects what they
//! confirm, and repeats what is missing.

use lightloom_topology::electrical::NodeId;
use lightloom_units::{Instant, Span};

use super::registration::{Ask, Node, Registration};
use crate::packet::{GroupId, Psn};

/// How long a leader waits, and how often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Patience {
    /// Silence after which what is missing is asked for again.
    pub(crate) timeout: Span,
    /// The most times that anything is asked for.
    pub(crate) tries: u32,
}

/// Why nodes could not be registered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Failure {
    /// A switch refused.
    Refused { by: NodeId },
    /// These confirmed nothing.
    Silent { missing: Vec<NodeId> },
}

/// What a leader is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stage {
    /// It waits for nodes that join or leave.
    Asking,
    /// It gives back what it has asked for.
    GivingBack(Failure),
    /// Everything is confirmed; where a change has failed, why, and the group is as before.
    Ready(Option<Failure>),
    /// There is no group.
    Failed(Failure),
}

/// What is asked of a node, and whether it has confirmed it.
#[derive(Debug, Clone, Copy)]
struct Asked {
    node: Node,
    ask: Ask,
    is_confirmed: bool,
}

/// The registration of one group. Methods return the packets to send.
#[derive(Debug, Clone)]
pub(crate) struct Leader {
    group: GroupId,
    patience: Patience,
    epoch: u16,
    first: Psn,
    /// Nodes that are registered.
    nodes: Vec<Node>,
    asked: Vec<Asked>,
    tries: u32,
    deadline: Instant,
    stage: Stage,
}

impl Leader {
    /// Begins to register a group. `first` is the first packet that a member may lack.
    pub(crate) fn new(
        group: GroupId,
        nodes: &[Node],
        first: Psn,
        patience: Patience,
        now: Instant,
    ) -> (Self, Vec<Registration>) {
        let mut leader = Self {
            group,
            patience,
            epoch: 0,
            first,
            nodes: Vec::new(),
            asked: Vec::new(),
            tries: 0,
            deadline: now,
            stage: Stage::Asking,
        };
        let packets = leader.ask(nodes.iter().map(|&node| (node, Ask::Join)), now);
        (leader, packets)
    }

    /// What it is doing.
    pub(crate) fn stage(&self) -> &Stage {
        &self.stage
    }

    /// The epoch of what it asks for.
    pub(crate) fn epoch(&self) -> u16 {
        self.epoch
    }

    /// Nodes that are registered and confirmed.
    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// When [`Leader::silence`] is due.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        match self.stage {
            Stage::Asking | Stage::GivingBack(_) => Some(self.deadline),
            Stage::Ready(_) | Stage::Failed(_) => None,
        }
    }

    /// Nodes join and others leave; possible when it is ready, else nothing happens and false is the answer.
    pub(crate) fn change(
        &mut self,
        joins: &[Node],
        leaves: &[Node],
        first: Psn,
        now: Instant,
    ) -> Option<Vec<Registration>> {
        if !matches!(self.stage, Stage::Ready(_)) {
            return None;
        }
        self.epoch = self.epoch.wrapping_add(1);
        self.first = first;
        let joins = joins.iter().map(|&node| (node, Ask::Join));
        let leaves = leaves.iter().map(|&node| (node, Ask::Leave));
        self.stage = Stage::Asking;
        Some(self.ask(joins.chain(leaves), now))
    }

    /// A node has confirmed what was asked of it in an epoch.
    pub(crate) fn confirmed(&mut self, by: (NodeId, Option<NodeId>), epoch: u16) {
        if epoch != self.epoch || self.deadline().is_none() {
            return;
        }
        let asked = self.asked.iter_mut().filter(|asked| asked.node.confirms() == by);
        asked.for_each(|asked| asked.is_confirmed = true);
        if self.asked.iter().all(|asked| asked.is_confirmed) {
            self.complete();
        }
    }

    /// A switch has refused. What was asked for is given back, also where it was granted.
    pub(crate) fn refused(&mut self, by: NodeId, epoch: u16, now: Instant) -> Vec<Registration> {
        if epoch != self.epoch || self.stage != Stage::Asking {
            return Vec::new();
        }
        self.give_back(Failure::Refused { by }, now)
    }

    /// Its timer fires.
    pub(crate) fn silence(&mut self, now: Instant) -> Vec<Registration> {
        if self.deadline().is_none_or(|deadline| deadline > now) {
            return Vec::new();
        }
        if self.tries < self.patience.tries {
            return self.ask_again(now);
        }
        if self.stage == Stage::Asking {
            let missing = self.asked.iter().filter(|asked| !asked.is_confirmed);
            let mut missing: Vec<NodeId> = missing.map(|asked| asked.node.confirms().0).collect();
            missing.dedup();
            return self.give_back(Failure::Silent { missing }, now);
        }
        // Whoever does not answer now is dead.
        self.complete();
        Vec::new()
    }

    fn give_back(&mut self, failure: Failure, now: Instant) -> Vec<Registration> {
        self.epoch = self.epoch.wrapping_add(1);
        self.stage = Stage::GivingBack(failure);
        let asked = std::mem::take(&mut self.asked);
        self.ask(asked.into_iter().map(|asked| (asked.node, Ask::Leave)), now)
    }

    fn ask(&mut self, what: impl Iterator<Item = (Node, Ask)>, now: Instant) -> Vec<Registration> {
        self.asked = what.map(|(node, ask)| Asked { node, ask, is_confirmed: false }).collect();
        self.tries = 0;
        let packets = self.ask_again(now);
        if self.asked.is_empty() {
            self.complete();
        }
        packets
    }

    /// Packets about all that has not confirmed.
    fn ask_again(&mut self, now: Instant) -> Vec<Registration> {
        self.tries += 1;
        self.deadline = now + self.patience.timeout;
        let about = |ask| {
            let missing = self.asked.iter().filter(|asked| !asked.is_confirmed && asked.ask == ask);
            let nodes: Vec<Node> = missing.map(|asked| asked.node).collect();
            Registration::packets((self.group, self.epoch, self.first), ask, &nodes)
        };
        let mut packets = about(Ask::Join);
        packets.extend(about(Ask::Leave));
        packets
    }

    /// What was asked for is done.
    fn complete(&mut self) {
        for Asked { node, ask, .. } in self.asked.drain(..) {
            self.nodes.retain(|other| other.confirms() != node.confirms());
            if ask == Ask::Join {
                self.nodes.push(node);
            }
        }
        let stage = std::mem::replace(&mut self.stage, Stage::Ready(None));
        if let Stage::GivingBack(failure) = stage {
            self.stage = if self.nodes.is_empty() {
                Stage::Failed(failure)
            } else {
                Stage::Ready(Some(failure))
            };
        }
    }
}
