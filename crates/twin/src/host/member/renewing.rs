//! What a leader does where all members are to be registered anew while a run of messages is under way.

use std::collections::BTreeSet;

use lightloom_topology::electrical::NodeId;
use lightloom_units::Instant;

use super::coordinator::{Coordinator, Stage};
use super::renewal::Renews;
use crate::envelope::Known;
use crate::host::desk::Desk;
use crate::host::tell::control;
use crate::node::Step;
use crate::packet::{Dest, Kind, Packet, Psn};

impl Coordinator {
    /// All members are to be registered anew, from what the sender knows to be acknowledged. `acked` is that of the
    /// leader's own host.
    pub(super) fn renew(&mut self, now: Instant, acked: Psn, desk: &mut Desk<'_>) {
        let Some(run) = self.at_hand() else { return };
        let (first, is_own) = (desk.params.transport.psn(run.first), run.source == self.leader);
        match self.stage {
            Stage::Registering => self.register_anew(now, first, desk),
            Stage::Sending if self.falls_back || self.renewal.stage.is_some() => {}
            Stage::Sending if is_own => self.register_anew(now, acked, desk),
            Stage::Sending => {
                (self.tries, self.renewal.stage) = (0, Some(Renews::Asks));
                self.ask_source(now, desk);
            }
            Stage::Waiting | Stage::Over | Stage::Failed => {}
        }
    }

    /// A switch has lost its table. `acked` is that of the leader's own host.
    pub(super) fn lost(&mut self, packet: &Packet, acked: Psn, now: Instant, desk: &mut Desk<'_>) {
        // Registering all anew has begun where another switch has said so.
        if packet.seen == Psn::new(self.run) && packet.entropy == self.renewal.again {
            self.renew(now, acked, desk);
        }
    }

    /// The sender of the run at hand says what is acknowledged, asked or because it makes no progress. Whether it is
    /// that.
    pub(super) fn source_has(
        &mut self,
        (host, run): (NodeId, u16),
        acked: Psn,
        now: Instant,
        desk: &mut Desk<'_>,
    ) -> bool {
        let [low, high, ..] = self.run.to_le_bytes();
        let is_source = self.at_hand().is_some_and(|at_hand| at_hand.source == host);
        let is_it = is_source && host != self.leader && self.stage == Stage::Sending;
        let registers = matches!(self.renewal.stage, Some(Renews::Registers(_)));
        if is_it && !registers && !self.falls_back && run == u16::from_le_bytes([low, high]) {
            self.register_anew(now, acked, desk);
        }
        is_it
    }

    /// Registers all members of the run anew; `first` is the first packet that one of them may lack.
    pub(super) fn register_anew(&mut self, now: Instant, first: Psn, desk: &mut Desk<'_>) {
        let Some(run) = self.at_hand() else { return };
        let all = run.members.difference(&self.dropped).copied().collect();
        (self.joins, self.leaving) = (all, BTreeSet::new());
        (self.joining, self.known) = (self.joins.clone(), Known::Maybe);
        self.renewal.again += 1;
        self.step = Step::Members;
        (self.tries, self.began) = (0, now);
        self.renewal.stage = Some(Renews::Registers(first));
        self.register(now, desk);
    }

    /// Asks the sender of the run what is acknowledged.
    pub(super) fn ask_source(&mut self, now: Instant, desk: &mut Desk<'_>) {
        self.tries += 1;
        self.deadline = Some(now + self.params.register_timeout);
        let ends = &self.schedule.ends;
        let source = self.at_hand().and_then(|run| Some((run.source, *ends.get(&run.source)?)));
        let (Some((source, end)), Some(&own)) = (source, ends.get(&self.leader)) else { return };
        let packet = control((Dest::host(source), end), Kind::Ask, own, desk);
        // Of a leader, not of a sender.
        desk.control.push_back(Packet { entropy: 1, ..packet });
    }
}
