//! What went over links and splitters.

use lightloom_topology::electrical::NodeId;
use lightloom_units::{Instant, Span};

use super::{BranchOutcome, LinkOutcome, SplitterOutcome};
use crate::build::AnyNode;
use crate::wires::{Place, Source, Wires};

/// The outcomes of all links, by node and port, and of all splitters.
pub(super) struct Links<'a> {
    wires: &'a Wires<'a>,
    pub(super) all: Vec<LinkOutcome>,
    /// Where those of each node begin.
    first: Vec<usize>,
    pub(super) splitters: Vec<SplitterOutcome>,
}

impl<'a> Links<'a> {
    pub(super) fn new(wires: &'a Wires<'a>) -> Self {
        let network = wires.network;
        let (mut all, mut first) = (Vec::new(), Vec::with_capacity(network.nodes()));
        for node in (0..network.nodes()).map(NodeId::at) {
            first.push(all.len());
            all.extend((0..wires.links(node)).map(|port| LinkOutcome::new(node, port)));
        }
        let branch = |&((to, _), _): &(Place, Span)| BranchOutcome {
            to,
            lost: 0,
            received: 0,
            in_flight: 0,
        };
        let splitter = |number| SplitterOutcome {
            sent: 0,
            sent_bytes: 0,
            most_queued: 0,
            branches: wires.branches(number).iter().map(branch).collect(),
        };
        let splitters = wires.splitters().map(splitter).collect();
        Self { wires, all, first, splitters }
    }

    fn of(&mut self, (node, port): Place) -> &mut LinkOutcome {
        &mut self.all[self.first[node.index()] + usize::from(port)]
    }

    /// A packet is on its way to a receiving port.
    pub(super) fn in_flight(&mut self, at: Place) {
        match self.wires.source(at) {
            Source::Link(from) => self.of(from).in_flight += 1,
            Source::Branch { splitter, branch } => {
                self.splitters[splitter as usize].branches[branch as usize].in_flight += 1;
            }
        }
    }

    /// Packets have come in at a receiving port, and others were under way to it when the way died.
    fn received(&mut self, at: Place, packets: u64, lost: u64) {
        match self.wires.source(at) {
            Source::Link(from) => {
                let link = self.of(from);
                link.received = packets;
                link.lost += lost;
            }
            Source::Branch { splitter, branch } => {
                let branch = &mut self.splitters[splitter as usize].branches[branch as usize];
                branch.received = packets;
                branch.lost += lost;
            }
        }
    }

    /// Adds what a node has sent and received by a time.
    pub(super) fn add(&mut self, id: NodeId, node: &AnyNode<'_>, now: Instant) {
        match node {
            AnyNode::Host(host) => self.received((id, 0), host.received, host.lost),
            AnyNode::Switch(switch) => {
                for (port, way) in (0..).zip(&switch.ingress) {
                    self.received((id, port), way.received, switch.lost(port));
                }
            }
        }
        for (port, sends) in (0..).zip(node.links()) {
            let queues = match node {
                AnyNode::Host(_) => None,
                AnyNode::Switch(switch) => Some(&switch.ports[usize::from(port)]),
            };
            if let Some((split, number)) = sends.split().zip(self.wires.splitter((id, port))) {
                let splitter = &mut self.splitters[number as usize];
                (splitter.sent, splitter.sent_bytes) = (sends.sent, sends.sent_bytes);
                splitter.most_queued = queues.map_or(0, |queues| queues.most_queued);
                for (outcome, end) in splitter.branches.iter_mut().zip(&split.branches) {
                    outcome.lost += split.trouble.lost() + end.trouble.lost();
                }
                continue;
            }
            let link = self.of((id, port));
            (link.sent, link.sent_bytes) = (sends.sent, sends.sent_bytes);
            link.lost += sends.lost();
            link.paused = match (node, queues) {
                (AnyNode::Host(host), _) => host.desk.stops.total(now),
                (_, None) => Span::ZERO,
                (_, Some(queues)) => {
                    let rare = queues.rare();
                    (link.marked, link.pauses) = (rare.marked, rare.pauses);
                    link.most_queued = queues.most_queued;
                    rare.paused.total(now)
                }
            };
        }
    }
}

impl LinkOutcome {
    fn new(from: NodeId, port: u16) -> Self {
        Self {
            from,
            port,
            sent: 0,
            sent_bytes: 0,
            lost: 0,
            received: 0,
            in_flight: 0,
            marked: 0,
            pauses: 0,
            most_queued: 0,
            paused: Span::ZERO,
        }
    }
}
