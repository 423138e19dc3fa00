//! How a run ended, and why.

use lightloom_topology::electrical::NodeId;
use lightloom_twin::{End, FlowId, FlowOutcome, Outcome, Service};
use lightloom_units::named_enum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::failed::{ExemptReport, Failed, FailureReport};
use crate::{admission, errors, overflow};
use lightloom_scenario::scenario::Scenario;
use lightloom_scenario::timeouts;

/// Number of ports of a ring that messages list. Reports list all.
const NAMED: usize = 12;

named_enum! {
    /// Ways in which a run can end.
    #[derive(JsonSchema)]
    pub enum Ending {
        /// All requested work is done.
        Done = "done",
        /// The end of the run was reached.
        Time = "time",
        /// The end of the run was reached, and some ports are stopped for ever.
        Deadlock = "deadlock",
        /// The caller stopped the run.
        Stopped = "stopped",
        /// Everything was delivered, and only acknowledgements are lost.
        Unacknowledged = "unacknowledged",
        /// Messages failed: some receivers will never have them.
        Failed = "failed",
        /// No flow made progress.
        Stalled = "stalled",
        /// A lossless packet was lost. This ends the run.
        Fault = "fault",
    }
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EndReport {
    /// The way in which it ended.
    pub how: Ending,
    /// Simulated time at the end, in picoseconds.
    pub reached_ps: u64,
    /// If the caller stopped the run: simulated time at which it would have ended, in picoseconds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub until_ps: Option<u64>,
    /// If the run ended badly: what happened, and what to do.
    pub why: Option<String>,
    /// Ports whose packets wait because the next switch has paused them.
    pub stopped_ports: Vec<StoppedReport>,
    /// Rings of ports that pause each other for ever.
    pub rings: Vec<RingReport>,
    /// Number of ports that are stopped for ever: those in rings, and those that wait for a ring.
    pub stopped_for_ever: usize,
    /// Messages that failed, in the order of messages.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub failures: Vec<FailureReport>,
    /// Receivers that lack a part of a message and that the scenario itself declares dead for good. They make no run
    /// fail.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub exempt: Vec<ExemptReport>,
}

/// A port whose packets wait because the other end has paused it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StoppedReport {
    /// The node.
    pub node: String,
    /// Number of the port.
    pub port: u16,
    /// The node that paused it.
    pub stopped_by: String,
    /// Number of waiting bytes.
    pub bytes: u64,
}

/// Ports of switches that pause each other for ever.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RingReport {
    /// The ports in waiting order: each waits for the next, the last for the first.
    pub ports: Vec<StoppedReport>,
}

impl EndReport {
    /// Describes how a run ended.
    pub fn new(scenario: &Scenario, outcome: &Outcome) -> Self {
        let is_deadlock = !outcome.rings.is_empty();
        let Failed { failures, exempt } = Failed::new(scenario, outcome);
        let has_failed = !failures.is_empty();
        let how = match outcome.end {
            End::Time if is_deadlock => Ending::Deadlock,
            End::Done | End::Time | End::Unacknowledged if has_failed => Ending::Failed,
            End::Done => Ending::Done,
            End::Time => Ending::Time,
            End::Stopped => Ending::Stopped,
            End::Stalled => Ending::Stalled,
            End::Unacknowledged => Ending::Unacknowledged,
            End::Overflow => Ending::Fault,
        };
        let stopped_ports = stopped(scenario, &outcome.paused);
        let ring = |ports: &Vec<_>| RingReport { ports: stopped(scenario, ports) };
        let rings: Vec<_> = outcome.rings.iter().map(ring).collect();
        let why = match (outcome.end, outcome.overflows.first()) {
            _ if how == Ending::Failed => failed(&failures),
            (End::Overflow, Some(first)) => Some(overflow::fault(scenario, first)),
            (End::Stalled, _) => {
                let why = stalled(scenario, outcome, &stopped_ports, &rings);
                let waiting = errors::waiting(scenario, outcome);
                Some(waiting.map_or_else(|| why.clone(), |waiting| format!("{why}; {waiting}")))
            }
            (End::Unacknowledged, _) => Some(unacknowledged(scenario, outcome)),
            _ => deadlock(outcome, &rings),
        };
        Self {
            how,
            reached_ps: outcome.reached.as_ps(),
            until_ps: (how == Ending::Stopped).then(|| scenario.until.as_ps()),
            why,
            stopped_ports,
            rings,
            stopped_for_ever: outcome.stuck.len(),
            failures,
            exempt,
        }
    }

    /// Whether the run reached an end that was requested.
    pub fn good(&self) -> bool {
        matches!(self.how, Ending::Done | Ending::Time)
    }
}

/// The first message that failed, and how many others did.
fn failed(failures: &[FailureReport]) -> Option<String> {
    let (first, others) = failures.split_first()?;
    Some(match others.len() {
        0 => first.why.clone(),
        1 => format!("{}; another message failed too", first.why),
        others => format!("{}; {others} other messages failed too", first.why),
    })
}

fn stopped(scenario: &Scenario, ports: &[(NodeId, u16, u64)]) -> Vec<StoppedReport> {
    let network = &scenario.network;
    let stopped = |&(node, port, bytes): &(NodeId, u16, u64)| StoppedReport {
        node: network.name(node),
        port,
        stopped_by: network.name(network.ports(node)[usize::from(port)].peer),
        bytes,
    };
    ports.iter().map(stopped).collect()
}

/// Message about ports that are stopped for ever. `None`: there are none.
fn deadlock(outcome: &Outcome, rings: &[RingReport]) -> Option<String> {
    let first = &rings.first()?.ports;
    let place = |port: &StoppedReport| format!("{}, port {}", port.node, port.port);
    let mut ring: Vec<String> = first.iter().take(NAMED).map(place).collect();
    if first.len() > NAMED {
        ring.push(format!("{} others", first.len() - NAMED));
    }
    ring.extend(first.first().map(place));
    let others = match rings.len() - 1 {
        0 => String::new(),
        others => format!(", and {others} other rings"),
    };
    Some(format!(
        "a deadlock of pauses: {} ports wait for each other for ever, each for the next: {}{others}; {} ports \
         are stopped by it in all; routes of lossless traffic must not make a ring",
        first.len(),
        ring.join(" > "),
        outcome.stuck.len()
    ))
}

fn stalled(
    scenario: &Scenario,
    outcome: &Outcome,
    stopped: &[StoppedReport],
    rings: &[RingReport],
) -> String {
    let head = format!("no flow got on for {}", scenario.patience);
    if let Some(storm) = storms(scenario, outcome).into_iter().next() {
        return format!("{head}: {storm}");
    }
    if let Some(deadlock) = deadlock(outcome, rings) {
        return format!("{head}: {deadlock}");
    }
    if let [first, ..] = stopped {
        return format!(
            "{head}, and {} ports are stopped, the first {}, port {}, by {}, which does not let it go on",
            stopped.len(),
            first.node,
            first.port,
            first.stopped_by
        );
    }
    if let Some(waiting) = admission::waiting(scenario, outcome) {
        return format!("{head}: {waiting}; see the drops and admission of the messages");
    }
    if let Some(short) = timeouts::of_unfinished(scenario, outcome) {
        return format!("{head}: {short}; give a longer timeout, and more patience than it");
    }
    if outcome.drops.is_empty() {
        return format!(
            "{head}, though no packet was lost: answers take longer; give more patience"
        );
    }
    format!("{head}, and no port is stopped: what is repeated is lost again; see the drops")
}

/// Whose senders do not know that everything has arrived, and what kept the answers.
fn unacknowledged(scenario: &Scenario, outcome: &Outcome) -> String {
    let flows = outcome.flows.iter().map(Some);
    // Messages of datagrams are never acknowledged.
    let casts = scenario.multicast.casts.iter().zip(&outcome.casts).map(|(cast, came)| {
        let service = &scenario.multicast.groups[cast.to.0 as usize].service;
        (*service != Service::Datagrams).then_some(&came.all)
    });
    let open: Vec<_> = (0..)
        .map(FlowId)
        .zip(flows.chain(casts))
        .filter_map(|(message, came)| {
            came.is_some_and(FlowOutcome::is_unacknowledged).then_some((message, came?))
        })
        .collect();
    let who = match open.as_slice() {
        [(message, _)] => format!("sender of {} does", errors::name(scenario, *message)),
        open => format!("senders of {} messages do", open.len()),
    };
    let head = format!(
        "everything was delivered, but the {who} not know, since for {} no acknowledgement came",
        scenario.patience,
    );
    if let Some((message, came)) = open.iter().find(|(_, came)| came.answers_dropped > 0) {
        let (name, lost) = (errors::name(scenario, *message), came.answers_dropped);
        return format!("{head}: of those of {name} {lost} were dropped; see the drops");
    }
    if let Some(short) = timeouts::of_unfinished(scenario, outcome) {
        return format!("{head}: {short}; give a longer timeout, and more patience than it");
    }
    // Switches join the answers of a group, so that drops do not say whose they were.
    let is_known = open.iter().all(|(message, _)| message.index() < outcome.flows.len());
    if is_known || outcome.drops.is_empty() {
        return format!("{head}, though none was lost: answers take longer; give more patience");
    }
    format!("{head}: answers take longer or were lost; see the drops, and give more patience")
}

/// Messages about hosts that paused their switches. A healthy host never does, since it accepts packets at
/// line rate.
pub fn storms(scenario: &Scenario, outcome: &Outcome) -> Vec<String> {
    let network = &scenario.network;
    let stopped = outcome.links.iter().filter(|link| link.paused.as_ps() > 0);
    let by_host = stopped.filter_map(|link| {
        let peer = network.ports(link.from)[usize::from(link.port)].peer;
        let (host, time) = (network.name(peer), link.paused);
        network.is_host(peer).then(|| {
            format!("a pause storm: {host} has stopped its switch for {time}; its port is at fault")
        })
    });
    by_host.collect()
}
