//! Messages that ended in errors of their queue pairs, and those that wait for them in vain.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_setup::Setup;
use lightloom_topology::electrical::NodeId;
use lightloom_transport::sender::{QueuePairError, Sender};

use super::ends::is_datagram;
use super::failed::{Completion, FailedMessage};
use super::{Outcome, Standing};
use crate::packet::FlowId;

impl Outcome {
    /// The messages that ended with the queue pair of a sender. `to` is the member that it reached beside a group.
    pub(crate) fn add_failed(&mut self, sender: &Sender, to: Option<NodeId>) {
        let Some(error) = sender.error() else { return };
        let open = sender.messages.iter().filter(|message| message.done.is_none());
        let mut how = Completion::RetriesExceeded;
        for message in open.filter(|message| message.asked.is_some()) {
            self.errors.push(FailedMessage { message: message.flow, to, how, error });
            how = Completion::Flushed;
        }
    }

    /// The messages of a group whose queue pair is in error are over too, whoever sends them; then all messages that
    /// wait for one that failed.
    pub(super) fn end_errors(&mut self, setup: &Setup<'_>) {
        let first = self.flows.len();
        let number = |place: usize| FlowId(u32::try_from(first + place).unwrap_or(u32::MAX));
        let mut groups: BTreeMap<u32, QueuePairError> = BTreeMap::new();
        for failed in self.errors.iter().filter(|failed| failed.to.is_none()) {
            if let Some(place) = failed.message.index().checked_sub(first) {
                groups.entry(setup.multicast.casts[place].to.0).or_insert(failed.error);
            }
        }
        let known: BTreeSet<FlowId> = self.errors.iter().map(|failed| failed.message).collect();
        for (place, (cast, came)) in setup.multicast.casts.iter().zip(&self.casts).enumerate() {
            let message = number(place);
            let is_open = came.all.acknowledged.is_none() && !known.contains(&message);
            let Some(&error) = groups.get(&cast.to.0).filter(|_| is_open) else { continue };
            let how = Completion::Flushed;
            self.errors.push(FailedMessage { message, to: None, how, error });
        }
        self.errors.sort_unstable_by_key(|failed| (failed.message, failed.to));
        self.never = self.in_vain(setup);
    }

    /// Messages and computations that wait for what will never happen, each with that.
    fn in_vain(&self, setup: &Setup<'_>) -> Vec<(FlowId, FlowId)> {
        let first = self.flows.len();
        let number = |place: usize| FlowId(u32::try_from(place).unwrap_or(u32::MAX));
        let failed = |to: u32| {
            let standing = self.groups.get(to as usize).and_then(|group| group.standing);
            standing == Some(Standing::Failed)
        };
        let casts = setup.multicast.casts.iter().zip(&self.casts).enumerate();
        let refused = casts
            .filter(|(_, (cast, came))| failed(cast.to.0) && came.all.acknowledged.is_none())
            .map(|(place, _)| number(first + place));
        let mut lost: Vec<FlowId> =
            self.errors.iter().map(|failed| failed.message).chain(refused).collect();
        let came = self.flows.iter().map(|came| came.asked);
        let flows = setup.flows.iter().map(|flow| (flow.from, &flow.after)).zip(came);
        let casts = setup.multicast.casts.iter().map(|cast| (cast.from, &cast.after));
        let came = self.casts.iter().map(|cast| cast.all.asked);
        let messages = flows.chain(casts.zip(came));
        let messages = messages.map(|((host, after), asked)| (host, &after[..], &[][..], asked));
        let computations = setup.computations.iter().zip(&self.computations);
        let computations = computations
            .map(|(said, came)| (said.host, &said.after[..], &said.begun[..], came.began));
        let all = messages.chain(computations);
        let mut then: BTreeMap<FlowId, Vec<FlowId>> = BTreeMap::new();
        let mut never = BTreeMap::new();
        for (place, (host, after, begun, began)) in all.enumerate() {
            for &before in after.iter().chain(begun).filter(|_| began.is_none()) {
                if self.is_missed(setup, before, host) {
                    never.insert(number(place), before);
                    lost.push(number(place));
                }
                then.entry(before).or_default().push(number(place));
            }
        }
        while let Some(before) = lost.pop() {
            for next in then.remove(&before).into_iter().flatten() {
                if never.insert(next, before).is_none() {
                    lost.push(next);
                }
            }
        }
        never.into_iter().collect()
    }

    /// Whether a host lacks a part of a message of datagrams for good.
    fn is_missed(&self, setup: &Setup<'_>, message: FlowId, host: NodeId) -> bool {
        let Some(place) = message.index().checked_sub(self.flows.len()) else { return false };
        let (Some(cast), Some(came)) = (setup.multicast.casts.get(place), self.casts.get(place))
        else {
            return false;
        };
        is_datagram(setup, cast)
            && came.all.is_out(cast, setup.params.wire.mtu)
            && came.receivers.iter().any(|got| got.host == host && got.received.is_none())
    }

    /// Whether a message is over though it was not acknowledged: it failed, or waits for one that did.
    pub(super) fn is_lost(&self, message: usize) -> bool {
        let message = FlowId(u32::try_from(message).unwrap_or(u32::MAX));
        self.errors.binary_search_by_key(&message, |failed| failed.message).is_ok()
            || self.never.binary_search_by_key(&message, |&(waits, _)| waits).is_ok()
    }
}
