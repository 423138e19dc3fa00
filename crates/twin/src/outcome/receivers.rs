//! Which receivers have the messages to groups.

use std::collections::BTreeMap;

use lightloom_setup::Setup;
use lightloom_topology::electrical::NodeId;
use lightloom_units::Instant;

use super::{FlowOutcome, Outcome, ReceiverOutcome, Standing};
use crate::packet::FlowId;

impl Outcome {
    /// What came of a flow, or of a message to a group.
    pub(crate) fn of(&mut self, flow: FlowId) -> &mut FlowOutcome {
        let flows = self.flows.len();
        match flow.index().checked_sub(flows) {
            None => &mut self.flows[flow.index()],
            Some(cast) => &mut self.casts[cast].all,
        }
    }

    /// What arrived of a flow by interval, where that is recorded.
    pub(crate) fn add_series(&mut self, flow: FlowId, goodput: &[u64]) {
        if let Some(series) = self.flow_goodput.get_mut(flow.index()) {
            series.clear();
            series.extend_from_slice(goodput);
        }
    }

    /// What a member got of a message to its group.
    pub(crate) fn add_receiver(&mut self, flow: FlowId, receiver: ReceiverOutcome, series: &[u64]) {
        let place = flow.index() - self.flows.len();
        let cast = &mut self.casts[place];
        if !series.is_empty() {
            self.receiver_goodput.insert((place, receiver.host), series.to_vec());
        }
        cast.all.delivered += receiver.delivered;
        cast.all.bytes.delivered += receiver.delivered_bytes;
        cast.all.spurious += receiver.spurious;
        cast.receivers.push(receiver);
    }

    /// Puts the members of each group in order, without the sender, which has its message. A message is received
    /// when the last of them has it.
    pub(super) fn end_casts(&mut self, setup: &Setup<'_>) {
        // The leader hears that a run is over, and not who was cut off in it.
        for group in self.groups.iter_mut().filter(|group| group.cut_off > 0) {
            if group.standing == Some(Standing::Over) {
                group.standing = Some(Standing::CutOff);
            }
        }
        for (cast, said) in self.casts.iter_mut().zip(&setup.multicast.casts) {
            // Those of the group in its order, and then those that have joined it.
            let members = &setup.multicast.groups[said.to.0 as usize].members;
            cast.receivers.retain(|receiver| receiver.host != said.from);
            let places: BTreeMap<NodeId, usize> =
                members.iter().enumerate().map(|(place, &host)| (host, place)).collect();
            cast.receivers.sort_by_key(|receiver| {
                (places.get(&receiver.host).copied().unwrap_or(usize::MAX), receiver.host)
            });
            let received: Option<Vec<Instant>> =
                cast.receivers.iter().map(|receiver| receiver.received).collect();
            cast.all.received = received.and_then(|all| all.into_iter().max());
            // The others may have acknowledged what one that was cut off lacks.
            cast.all.acknowledged = cast.all.acknowledged.filter(|_| cast.all.received.is_some());
        }
    }
}
