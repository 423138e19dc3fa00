//! The packets with which a leader registers members, and takes them out.

use lightloom_setup::LightStop;
use lightloom_topology::electrical::NodeId;
use lightloom_units::Instant;

use super::coordinator::{Coordinator, Stage};
use super::renewal::Renews;
use crate::envelope::{Envelope, Known, Round};
use crate::host::desk::Desk;
use crate::node::{Node, Step, Stop};
use crate::packet::{Dest, Packet, Psn};

impl Coordinator {
    /// How many hosts have not confirmed.
    pub(super) fn unconfirmed(&self) -> usize {
        self.joining.len() + self.leaving.len()
    }

    /// Sends registration packets for all that have not answered (cepheus:III-C.packet, gleam:A.packet). Addresses and
    /// queue pairs are known (cepheus:III-C.gather).
    pub(super) fn register(&mut self, now: Instant, desk: &mut Desk<'_>) {
        self.tries += 1;
        self.deadline = Some(now + self.params.register_timeout);
        let (Some(run), Some(&end)) = (self.at_hand(), self.schedule.ends.get(&self.leader)) else {
            return;
        };
        let member =
            |&host: &NodeId| Some(Node::Member { host, qp: *self.schedule.ends.get(&host)? });
        let tree = self.trees.iter().find(|tree| tree.source == run.source);
        let stops = tree.into_iter().flat_map(|tree| &tree.stops).filter_map(|stop| {
            let place = self.vias.binary_search_by_key(&stop.at, |&(at, _)| at).ok()?;
            let &LightStop { at, accept, relay } = stop;
            let is_spare = self.spares.contains(&(run.source, at));
            Some(Node::Stop(Stop { at, via: self.vias[place].1, accept, relay, is_spare }))
        });
        // Pauses go first: light is on its way as soon as members have confirmed.
        let joins = stops.clone();
        let joins = joins.filter(|_| !self.joining.is_empty() && self.step == Step::Members);
        // Those that were taken out since stay out.
        let named = |host: &&NodeId| self.joining.contains(*host) || !self.dropped.contains(*host);
        let hosts = self.joins.iter().filter(named).filter(|_| !self.joining.is_empty());
        let joining: Vec<Node> = joins.chain(hosts.filter_map(member)).collect();
        let is_given_back = self.stage == Stage::Failed || self.falls_back;
        let leaves = stops.filter(|_| is_given_back);
        let leaving: Vec<Node> = leaves.chain(self.leaving.iter().filter_map(member)).collect();
        let envelope = |enters, part, nodes: &[Node]| Envelope {
            enters,
            step: if enters { self.step } else { Step::Members },
            dialect: self.dialect,
            course: self.course,
            known: match (enters, is_given_back) {
                // Its members have confirmed.
                (true, _) if self.step == Step::Addresses => Known::Surely,
                (true, _) => self.known,
                (false, true) => Known::Maybe,
                // The others stay.
                (false, false) => Known::Surely,
            },
            round: Round { run: self.run, again: self.renewal.again },
            mark: self.renewal.mark(),
            first: match self.renewal.stage {
                Some(Renews::Registers(first)) => first,
                _ => desk.params.transport.psn(run.first),
            },
            source: run.source,
            stand_in: tree.and_then(|tree| tree.stand_in),
            leader: (Dest::host(self.leader), end),
            part,
            nodes: nodes.to_vec(),
        };
        let mut envelopes = Vec::new();
        for (enters, nodes) in [(true, joining), (false, leaving)] {
            let most = if enters { self.step } else { Step::Members }.most_nodes();
            let total = u16::try_from(nodes.len().div_ceil(most)).unwrap_or(u16::MAX);
            let parts = (0..).zip(nodes.chunks(most));
            envelopes.extend(parts.map(|(part, nodes)| envelope(enters, (part, total), nodes)));
        }
        for envelope in envelopes {
            let (kind, bytes) = (envelope.step.tells(), envelope.step.bytes(envelope.nodes.len()));
            let numbers = (envelope.first, Psn::new(self.run));
            let to = (Dest::group(self.group), desk.envelopes.put(desk.host, envelope));
            desk.control.push_back(Packet::control(to, kind, numbers, bytes));
        }
    }
}
