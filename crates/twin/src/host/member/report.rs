//! What came of the messages of a member when a run ends.

use lightloom_setup::params::Params;
use lightloom_topology::electrical::NodeId;

use super::Member;
use crate::outcome::{Outcome, ReceiverOutcome};

impl Member {
    pub(super) fn report_all(&self, host: NodeId, params: &Params, outcome: &mut Outcome) {
        self.rc.report_sent(params, outcome);
        if let Some(applicant) = &self.applicant {
            applicant.report(outcome);
        }
        if let Some(id) = self.group.as_group() {
            let group = &mut outcome.groups[id.0 as usize];
            group.acks += self.answers.acks;
            group.nacks += self.answers.nacks;
            group.notifications += self.answers.notifications;
            if let Some(coordinator) = &self.coordinator {
                group.standing = Some(coordinator.standing());
                group.registration = coordinator.registration;
                outcome.unconfirmed.extend(coordinator.silent().map(|host| (id, host)));
            }
        }
        let Some(receiver) = self.rc.incoming() else { return };
        for message in receiver.messages.iter() {
            let got = ReceiverOutcome {
                host,
                received: message.done,
                delivered: message.delivered,
                delivered_bytes: message.delivered_bytes,
                spurious: message.copies,
                in_order: receiver.in_order(message, params.wire.mtu),
                last: None,
                causes: None,
            };
            outcome.add_receiver(message.flow, got, &message.goodput);
        }
    }
}
