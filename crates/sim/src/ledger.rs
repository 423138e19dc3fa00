//! The ledger of a run: what messages asked for, what went out for it, and where all of that ended.

use std::ops::Range;

use lightloom_scenario::scenario::{Iteration, Scenario};
use lightloom_twin::{CastOutcome, FlowBytes, Outcome};
use lightloom_units::named_enum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

named_enum! {
    /// What messages come from.
    #[derive(JsonSchema)]
    pub enum MessageOrigin {
        /// Rows of flows and patterns.
        Traffic = "traffic",
        /// Messages to groups.
        Multicast = "multicast",
        /// Collective operations.
        Collective = "collective",
        /// Traces of applications.
        Trace = "trace",
    }
}

/// The messages of one origin. Payload is what applications have; frames are data packets from the first byte of the
/// Ethernet header to the last of the check sequence, with what announces addresses.
///
/// Both sides are equal: asked − unsent + repeated + copied = delivered + filtered + lost + in flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LedgerReport {
    /// What the messages come from.
    pub origin: MessageOrigin,
    /// Number of messages.
    pub messages: usize,
    /// Their payload, once for each receiver, in bytes.
    pub payload_bytes: u64,
    /// Payload that receivers had in order; of datagrams, in any order.
    pub had_bytes: u64,
    /// Frames of all messages, each sent once.
    pub asked_bytes: u64,
    /// Of those, frames that never went out.
    pub unsent_bytes: u64,
    /// Frames that went out again, over connections to single members of a group too.
    pub repeated_bytes: u64,
    /// Frames that splitters and switches made of others.
    pub copied_bytes: u64,
    /// Frames that reached a receiver, again and out of order too.
    pub delivered_bytes: u64,
    /// Frames that a switch did not forward because it has no receivers behind it.
    pub filtered_bytes: u64,
    /// Frames that were dropped.
    pub lost_bytes: u64,
    /// Frames that were under way at the end.
    pub in_flight_bytes: u64,
}

impl LedgerReport {
    /// The origins that have messages, in order.
    pub fn all(scenario: &Scenario, outcome: &Outcome) -> Vec<Self> {
        let mut ledger: Vec<Self> = MessageOrigin::ALL.into_iter().map(Self::none).collect();
        let of_flows = Origins::of_flows(scenario);
        for (number, (flow, came)) in scenario.flows.iter().zip(&outcome.flows).enumerate() {
            let own = &mut ledger[of_flows.place(number)];
            own.add(flow.size.as_bytes(), came.in_order, &came.bytes);
        }
        let of_casts = Origins::of_casts(scenario);
        let casts = scenario.multicast.casts.iter().zip(&outcome.casts).enumerate();
        for (place, (cast, came)) in casts {
            let own = &mut ledger[of_casts.place(place)];
            let receivers = came.receivers.len() as u64;
            let payload = cast.size.as_bytes().saturating_mul(receivers);
            own.add(payload, had(came), &came.all.bytes);
        }
        ledger.retain(|row| row.messages > 0);
        ledger
    }

    fn none(origin: MessageOrigin) -> Self {
        Self {
            origin,
            messages: 0,
            payload_bytes: 0,
            had_bytes: 0,
            asked_bytes: 0,
            unsent_bytes: 0,
            repeated_bytes: 0,
            copied_bytes: 0,
            delivered_bytes: 0,
            filtered_bytes: 0,
            lost_bytes: 0,
            in_flight_bytes: 0,
        }
    }

    fn add(&mut self, payload: u64, had: u64, bytes: &FlowBytes) {
        self.messages += 1;
        self.payload_bytes = self.payload_bytes.saturating_add(payload);
        self.had_bytes += had;
        self.asked_bytes = self.asked_bytes.saturating_add(bytes.asked);
        self.unsent_bytes += bytes.asked - bytes.first;
        self.repeated_bytes += bytes.sent - bytes.first;
        self.copied_bytes += bytes.copied;
        self.delivered_bytes += bytes.delivered;
        self.filtered_bytes += bytes.absorbed;
        self.lost_bytes += bytes.dropped;
        self.in_flight_bytes += bytes.in_flight;
    }

    /// Whether both sides are equal, and receivers have no more than was asked for and arrived.
    pub fn is_even(&self) -> bool {
        let went = u128::from(self.asked_bytes)
            + u128::from(self.repeated_bytes)
            + u128::from(self.copied_bytes);
        let ended = [
            self.unsent_bytes,
            self.delivered_bytes,
            self.filtered_bytes,
            self.lost_bytes,
            self.in_flight_bytes,
        ];
        went == ended.into_iter().map(u128::from).sum()
            && self.had_bytes <= self.payload_bytes
            && self.had_bytes <= self.delivered_bytes
    }
}

/// Payload that the receivers of a message to a group have.
fn had(came: &CastOutcome) -> u64 {
    came.receivers.iter().map(|receiver| receiver.in_order).sum()
}

/// Which messages come from what: the others come from rows of their own.
struct Origins {
    own: MessageOrigin,
    collectives: Vec<Range<usize>>,
    traces: Vec<Range<usize>>,
}

impl Origins {
    fn of_flows(scenario: &Scenario) -> Self {
        Self {
            own: MessageOrigin::Traffic,
            collectives: of_collectives(scenario, |time| time.flows.clone()),
            traces: scenario.traces.iter().map(|trace| trace.flows.clone()).collect(),
        }
    }

    fn of_casts(scenario: &Scenario) -> Self {
        Self {
            own: MessageOrigin::Multicast,
            collectives: of_collectives(scenario, |time| time.casts.clone()),
            traces: scenario.traces.iter().map(|trace| trace.casts.clone()).collect(),
        }
    }

    /// The place of the origin of a message.
    fn place(&self, message: usize) -> usize {
        let is_of = |all: &[Range<usize>]| {
            let one = all.partition_point(|range| range.end <= message);
            all.get(one).is_some_and(|range| range.contains(&message))
        };
        let origin = match () {
            () if is_of(&self.collectives) => MessageOrigin::Collective,
            () if is_of(&self.traces) => MessageOrigin::Trace,
            () => self.own,
        };
        MessageOrigin::ALL.iter().position(|one| *one == origin).unwrap_or(0)
    }
}

/// The messages of all collective operations, which follow each other.
fn of_collectives(
    scenario: &Scenario,
    of: impl Fn(&Iteration) -> Range<usize>,
) -> Vec<Range<usize>> {
    let all = || scenario.collectives.iter().flat_map(|one| one.iterations.iter().map(&of));
    let begin = all().map(|range| range.start).min();
    let end = all().map(|range| range.end).max();
    begin.zip(end).map(|(begin, end)| begin..end).into_iter().collect()
}
