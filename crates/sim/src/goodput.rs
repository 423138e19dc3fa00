//! Payload that arrived, the time that this took, and the rate that follows: of flows, of groups, and of both.

use lightloom_twin::{CastOutcome, Outcome, Service};
use lightloom_units::Instant;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::summary::IntervalReport;
use lightloom_scenario::scenario::Scenario;

/// Payload that arrived, with its time and rate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GoodputReport {
    /// Payload that arrived in order, in bytes. A message to a group counts for each receiver.
    pub bytes: u64,
    /// Time from the first request to the last completion, in picoseconds. Messages that are not complete count to the
    /// end of the run; datagrams of which some were lost, to the last that arrived.
    pub time_ps: u64,
    /// This payload in bits per second of that time.
    pub goodput_bps: f64,
}

/// Goodput of a run. `None`: nothing arrived.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct GoodputsReport {
    /// Messages from one host to another.
    pub flows: Option<GoodputReport>,
    /// Messages to groups.
    pub groups: Option<GoodputReport>,
    /// All messages together.
    pub all: Option<GoodputReport>,
}

/// Goodput in bits per second over several runs. `None`: nothing arrived in any of them.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct GoodputIntervals {
    /// Messages from one host to another.
    pub flows: Option<IntervalReport>,
    /// Messages to groups.
    pub groups: Option<IntervalReport>,
    /// All messages together.
    pub all: Option<IntervalReport>,
}

/// What some messages moved, from their first request to their last completion.
#[derive(Debug, Clone, Copy, Default)]
struct Moved {
    bytes: u64,
    first: Option<Instant>,
    last: Option<Instant>,
}

impl Moved {
    fn add(&mut self, bytes: u64, asked: Option<Instant>, ended: Instant) {
        // What was never asked for has neither payload nor time.
        let Some(asked) = asked else { return };
        self.bytes = self.bytes.saturating_add(bytes);
        self.first = Some(self.first.map_or(asked, |first| first.min(asked)));
        self.last = self.last.max(Some(ended));
    }

    fn and(self, other: Self) -> Self {
        Self {
            bytes: self.bytes.saturating_add(other.bytes),
            first: self.first.into_iter().chain(other.first).min(),
            last: self.last.max(other.last),
        }
    }

    fn report(self) -> Option<GoodputReport> {
        let time = self.last?.checked_since(self.first?)?.as_ps();
        let goodput_bps = self.bytes as f64 * 8e12 / time as f64;
        let moved = GoodputReport { bytes: self.bytes, time_ps: time, goodput_bps };
        (self.bytes > 0 && time > 0).then_some(moved)
    }
}

impl GoodputsReport {
    /// What arrived in a run.
    pub fn new(scenario: &Scenario, outcome: &Outcome) -> Self {
        let (mut flows, mut groups) = (Moved::default(), Moved::default());
        for came in &outcome.flows {
            flows.add(came.in_order, came.asked, came.received.unwrap_or(outcome.reached));
        }
        for (number, came) in outcome.casts.iter().enumerate() {
            let bytes = came.receivers.iter().map(|receiver| receiver.in_order);
            let ended = ended(scenario, outcome, (number, came));
            groups.add(bytes.fold(0, u64::saturating_add), came.all.asked, ended);
        }
        Self { flows: flows.report(), groups: groups.report(), all: flows.and(groups).report() }
    }
}

/// When a message to a group had ended: with its last receiver, or, of datagrams that are all out, with the last of
/// them that arrived anywhere. What is not complete and could still be lasts to the end of the run.
fn ended(scenario: &Scenario, outcome: &Outcome, (number, came): (usize, &CastOutcome)) -> Instant {
    if let Some(received) = came.all.received {
        return received;
    }
    let cast = &scenario.multicast.casts[number];
    let is_datagram = scenario.multicast.groups[cast.to.0 as usize].service == Service::Datagrams;
    let mtu = scenario.parameters.params.wire.mtu;
    let last = came.receivers.iter().filter_map(|got| got.received.max(got.last)).max();
    let over = last.filter(|_| is_datagram && came.all.is_out(cast, mtu));
    over.unwrap_or(outcome.reached).min(outcome.reached)
}

impl GoodputIntervals {
    /// Goodput over the runs that moved something.
    pub(crate) fn new(runs: &[GoodputsReport]) -> Self {
        let over = |of: fn(&GoodputsReport) -> Option<GoodputReport>| {
            let rates: Vec<f64> =
                runs.iter().filter_map(of).map(|moved| moved.goodput_bps).collect();
            IntervalReport::of(&rates)
        };
        Self {
            flows: over(|run| run.flows),
            groups: over(|run| run.groups),
            all: over(|run| run.all),
        }
    }
}
