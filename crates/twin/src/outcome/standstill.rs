//! Which messages wait where a run stands still.

use lightloom_transport::sender::Sender;

use super::Outcome;
use super::waiting::{Waiting, WaitsFor};
use crate::host::{Endpoint, Host};
use crate::params::Transport;

impl Outcome {
    /// What the messages of a host wait for.
    pub(super) fn add_waiting(&mut self, host: &Host<'_>) {
        let transport = &host.desk.params.transport;
        for slot in &host.slots {
            let rc = match &slot.endpoint {
                Endpoint::Rc(rc) => rc,
                Endpoint::Stream(stream) => &stream.rc,
                Endpoint::Datagrams(_) | Endpoint::Controller(_) => continue,
                Endpoint::Member(member) => {
                    let leader = member.coordinator.as_ref();
                    self.waiting.extend(leader.and_then(|leader| leader.open()));
                    &member.rc
                }
            };
            let sender = rc.sender.as_deref();
            self.waiting.extend(sender.and_then(|sender| of_sender(sender, transport)));
        }
    }

    /// Puts what waits in order, one for each message. Of a group whose sender has begun, its packet is what waits.
    pub(super) fn end_waiting(&mut self) {
        let rank = |waiting: &Waiting| u8::from(waiting.what == WaitsFor::Turn);
        self.waiting.sort_by_key(|waiting| (waiting.message, rank(waiting)));
        self.waiting.dedup_by_key(|waiting| waiting.message);
        let flows = self.flows.len();
        let is_over = |waiting: &Waiting| {
            let cast = waiting.message.index().checked_sub(flows);
            waiting.what == WaitsFor::Turn
                && cast.is_some_and(|cast| self.casts[cast].all.acknowledged.is_some())
        };
        self.waiting.retain(|waiting| !is_over(waiting));
    }
}

/// What the oldest message of a sender waits for; none where nothing of it is under way.
fn of_sender(sender: &Sender, transport: &Transport) -> Option<Waiting> {
    let message = sender.waited_for().filter(|_| !sender.is_idle())?.flow;
    let what = WaitsFor::Acknowledgement(transport.psn(sender.acked()));
    Some(Waiting { message, what })
}
