//! When a run has ended, and whether its sums come out even.

use lightloom_setup::Setup;
use lightloom_setup::{Cast, Service};
use lightloom_units::Instant;

use super::{BranchOutcome, FlowOutcome, Outcome, SplitterOutcome, Unbalanced};
use crate::engine::End;

/// Whether a message goes to a group of datagrams.
pub(super) fn is_datagram(setup: &Setup<'_>, cast: &Cast) -> bool {
    setup.multicast.groups[cast.to.0 as usize].service == Service::Datagrams
}

impl Outcome {
    /// A message that the application would have after the end of the run is unfinished; a run that is done
    /// ends when the last application has its message, and one whose messages are all done is done. Where all
    /// applications have their messages only acknowledgements are missing.
    pub(super) fn cut_ends(&mut self, setup: &Setup<'_>) {
        if self.end == End::Stalled && self.is_all_over(setup) {
            self.end = End::Done;
        }
        if self.end == End::Done {
            let received = self.flows.iter().filter_map(|flow| flow.received);
            let received = received.chain(self.casts.iter().filter_map(|cast| cast.all.received));
            let received = received.chain(self.computations.iter().filter_map(|it| it.ended));
            self.reached = received.fold(self.reached, Instant::max).min(setup.until);
        }
        let reached = self.reached;
        let casts_received = self.casts.iter_mut().flat_map(|cast| {
            let members = cast.receivers.iter_mut().map(|receiver| &mut receiver.received);
            members.chain([&mut cast.all.received])
        });
        let all = self.flows.iter_mut().map(|flow| &mut flow.received).chain(casts_received);
        for received in all {
            *received = received.filter(|&at| at <= reached);
        }
        let casts = || self.casts.iter().map(|cast| &cast.all).zip(&setup.multicast.casts);
        let mtu = setup.params.wire.mtu;
        let has_arrived = |(came, cast): (&FlowOutcome, &Cast)| {
            came.received.is_some() || (is_datagram(setup, cast) && came.is_out(cast, mtu))
        };
        let all_received = self.flows.iter().all(|flow| flow.received.is_some());
        let all_received = all_received && casts().all(has_arrived);
        let all_received = all_received && self.computations.iter().all(|it| it.ended.is_some());
        if self.end == End::Stalled && all_received && self.rings.is_empty() {
            self.end = End::Unacknowledged;
        }
    }

    /// Whether each message is acknowledged and each computation has ended, or never will.
    fn is_all_over(&self, setup: &Setup<'_>) -> bool {
        let casts = self.casts.iter().map(|cast| &cast.all).zip(&setup.multicast.casts);
        let is_done = |(number, (came, cast)): (usize, (&FlowOutcome, &Cast))| {
            (is_datagram(setup, cast) && came.is_out(cast, setup.params.wire.mtu))
                || came.acknowledged.is_some()
                || self.is_lost(number)
        };
        let is_over = |(number, flow): (usize, &FlowOutcome)| {
            flow.acknowledged.is_some() || self.is_lost(number)
        };
        let mut casts = (self.flows.len()..).zip(casts);
        let first = self.flows.len() + self.casts.len();
        let mut computations = (first..).zip(&self.computations);
        self.flows.iter().enumerate().all(is_over)
            && casts.all(is_done)
            && computations.all(|(number, it)| it.ended.is_some() || self.is_lost(number))
    }

    /// Sent + copied = delivered + absorbed + dropped + under way, for each flow, link and splitter; for flows also in
    /// bytes.
    pub(super) fn check(&mut self) {
        let is_even = |flow: &FlowOutcome| {
            let ended = flow.delivered + flow.absorbed + flow.dropped;
            let bytes = &flow.bytes;
            let ended_bytes = bytes.delivered + bytes.absorbed + bytes.dropped;
            let is_first = bytes.first <= bytes.asked && bytes.first <= bytes.sent;
            is_first
                && flow.sent + flow.copied == ended + flow.in_flight
                && bytes.sent + bytes.copied == ended_bytes + bytes.in_flight
        };
        let flows = self.flows.iter().enumerate().filter(|(_, flow)| !is_even(flow));
        self.unbalanced.extend(flows.map(|(number, _)| Unbalanced::Flow(number)));
        let casts = self.casts.iter().enumerate().filter(|(_, cast)| !is_even(&cast.all));
        self.unbalanced.extend(casts.map(|(number, _)| Unbalanced::Cast(number)));
        let links = self.links.iter();
        let links = links.filter(|link| link.sent != link.lost + link.received + link.in_flight);
        self.unbalanced.extend(links.map(|link| Unbalanced::Link(link.from, link.port)));
        let is_even = |splitter: &SplitterOutcome| {
            let ended = |branch: &BranchOutcome| branch.lost + branch.received + branch.in_flight;
            splitter.branches.iter().all(|branch| splitter.sent == ended(branch))
        };
        let splitters = self.splitters.iter().enumerate().filter(|(_, s)| !is_even(s));
        self.unbalanced.extend(splitters.map(|(number, _)| Unbalanced::Splitter(number)));
    }
}
