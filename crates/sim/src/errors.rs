//! Messages that ended in errors of their queue pairs, those that wait for them in vain, and what waits where a run
//! stands still.

use lightloom_twin::{
    Completion, FailedMessage, FlowId, Outcome, ReceiverOutcome, Service, Waiting, WaitsFor,
};
use lightloom_units::{Instant, named_enum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lightloom_scenario::scenario::{Collective, Scenario};
use lightloom_scenario::timeouts;

named_enum! {
    /// How a message ended that was not completed, as the verbs of RDMA name it.
    #[derive(JsonSchema)]
    pub enum MessageError {
        /// A packet of it was repeated as often as it may be, and not acknowledged.
        RetriesExceeded = "retries-exceeded",
        /// An earlier message of the same queue pair or group exceeded its retries.
        Flushed = "flushed",
    }
}

named_enum! {
    /// How a message stands at the end of a run.
    #[derive(JsonSchema)]
    pub enum MessageStatus {
        /// The receiver has it, and the sender knows.
        Acknowledged = "acknowledged",
        /// The receiver has it.
        Received = "received",
        /// The queue pair went to the error state while a packet of it was not acknowledged.
        RetriesExceeded = "retries-exceeded",
        /// An earlier message of the same queue pair or group exceeded its retries.
        Flushed = "flushed",
        /// It waits for a message that failed.
        NeverStarted = "never-started",
        /// The receiver lacks a part.
        Unfinished = "unfinished",
    }
}

impl MessageStatus {
    /// How a flow stands, by its number.
    pub fn of_flow(outcome: &Outcome, flow: u64) -> Self {
        let Ok(place) = usize::try_from(flow) else { return Self::Unfinished };
        let came = outcome.flows.get(place);
        if came.is_some_and(|came| came.acknowledged.is_some()) {
            return Self::Acknowledged;
        }
        match Self::failed(outcome, place) {
            Some(failed) => failed,
            None if came.is_some_and(|came| came.received.is_some()) => Self::Received,
            None => Self::Unfinished,
        }
    }

    /// How a message to a group stands at a receiver, by its number among those to groups.
    pub fn of_receiver(outcome: &Outcome, message: u64, receiver: &ReceiverOutcome) -> Self {
        if receiver.received.is_some() {
            return Self::Received;
        }
        Self::of_cast(outcome, message)
    }

    /// How a message to a group stands where a receiver lacks a part of it, by its number among those to groups.
    pub fn of_cast(outcome: &Outcome, message: u64) -> Self {
        let place = usize::try_from(message).unwrap_or(usize::MAX);
        Self::failed(outcome, outcome.flows.len().saturating_add(place)).unwrap_or(Self::Unfinished)
    }

    /// How a message failed, by its number among all.
    fn failed(outcome: &Outcome, message: usize) -> Option<Self> {
        let number = |failed: &FailedMessage| failed.message.index();
        let first = outcome.errors.partition_point(|failed| number(failed) < message);
        let failed = outcome.errors.get(first).filter(|failed| number(failed) == message);
        let never = || outcome.never.binary_search_by_key(&message, |(waits, _)| waits.index());
        match failed.map(|failed| failed.how) {
            Some(Completion::RetriesExceeded) => Some(Self::RetriesExceeded),
            Some(Completion::Flushed) => Some(Self::Flushed),
            None => never().is_ok().then_some(Self::NeverStarted),
        }
    }
}

/// A message that ended because its queue pair went to the error state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QueuePairErrorReport {
    /// The message with its hosts.
    pub message: String,
    /// Number of the flow. `None`: it is a message to a group.
    pub flow: Option<usize>,
    /// Number of the message among those to groups. `None`: it is a flow.
    pub multicast: Option<usize>,
    /// The member for which the sender had a connection beside the group. `None`: the queue pair is that of the flow or
    /// of the group.
    pub to: Option<String>,
    /// How it ended.
    pub error: MessageError,
    /// When the queue pair went to the error state, in picoseconds.
    pub at_ps: u64,
    /// Sequence number of the oldest packet that was not acknowledged.
    pub psn: u32,
    /// Timeouts since the last progress.
    pub timeouts: u32,
    /// What each receiver had.
    pub receivers: Vec<HadReport>,
}

/// What a receiver had of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HadReport {
    /// The host.
    pub host: String,
    /// Payload in order, in bytes.
    pub in_order_bytes: u64,
}

/// A message or a computation that never started because a message failed that it waits for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NeverStartedReport {
    /// The message or the computation.
    pub message: String,
    /// What it waits for.
    pub waits_for: String,
}

impl From<Completion> for MessageError {
    fn from(how: Completion) -> Self {
        match how {
            Completion::RetriesExceeded => Self::RetriesExceeded,
            Completion::Flushed => Self::Flushed,
        }
    }
}

impl QueuePairErrorReport {
    /// All of a run, in the order of messages.
    pub fn all(scenario: &Scenario, outcome: &Outcome) -> Vec<Self> {
        outcome.errors.iter().map(|failed| Self::new(scenario, outcome, failed)).collect()
    }

    fn new(scenario: &Scenario, outcome: &Outcome, failed: &FailedMessage) -> Self {
        let multicast = multicast(scenario, failed.message);
        let had = had(scenario, outcome, failed.message).into_iter();
        let to = failed.to.map(|to| scenario.network.name(to));
        let receivers = had
            .map(|(host, in_order_bytes, _)| HadReport { host, in_order_bytes })
            .filter(|had| to.as_ref().is_none_or(|to| had.host == *to));
        Self {
            message: name(scenario, failed.message),
            flow: multicast.is_none().then_some(failed.message.index()),
            multicast,
            error: failed.how.into(),
            at_ps: failed.error.at.as_ps(),
            psn: failed.error.psn.get(),
            timeouts: failed.error.timeouts,
            receivers: receivers.collect(),
            to,
        }
    }
}

impl NeverStartedReport {
    /// All of a run, in the order of messages.
    pub fn all(scenario: &Scenario, outcome: &Outcome) -> Vec<Self> {
        let never = outcome.never.iter().map(|&(waits, before)| Self {
            message: name(scenario, waits),
            waits_for: name(scenario, before),
        });
        never.collect()
    }
}

/// The place of a message among those to groups. `None`: it is a flow.
fn multicast(scenario: &Scenario, message: FlowId) -> Option<usize> {
    message.index().checked_sub(scenario.flows.len())
}

/// The place of a computation, which are numbered after all messages. `None`: it is a message.
fn computation(scenario: &Scenario, number: FlowId) -> Option<usize> {
    multicast(scenario, number)?.checked_sub(scenario.multicast.casts.len())
}

/// The name of a computation in texts: its host, and whose it is.
fn computed(scenario: &Scenario, place: usize) -> String {
    let host = scenario.computations.get(place).map(|it| scenario.network.name(it.host));
    let host = host.unwrap_or_default();
    let of_rank = scenario.traces.iter().find_map(|trace| {
        let rank = trace.ranks.partition_point(|ops| ops.end <= place);
        let operation = place.checked_sub(trace.ranks.get(rank)?.start)?;
        Some(format!("operation {operation} of rank {rank} of {:?} at {host}", trace.name))
    });
    of_rank.unwrap_or_else(|| {
        let computes =
            |one: &&Collective| one.iterations.iter().any(|it| it.computations.contains(&place));
        let one =
            scenario.collectives.iter().find(computes).map(|one| format!(" for {:?}", one.name));
        format!("computation {place} at {host}{}", one.unwrap_or_default())
    })
}

/// The name of a message or a computation in texts.
pub(crate) fn name(scenario: &Scenario, message: FlowId) -> String {
    if let Some(place) = computation(scenario, message) {
        return computed(scenario, place);
    }
    let Some(place) = multicast(scenario, message) else {
        return timeouts::name(scenario, message.index());
    };
    let cast = &scenario.multicast.casts[place];
    let group = &scenario.groups.names[cast.to.0 as usize];
    format!("message {place} to group {group:?} (from {})", scenario.network.name(cast.from))
}

/// The receivers of a message, what each had in order in bytes, and whether that is all.
fn had(scenario: &Scenario, outcome: &Outcome, message: FlowId) -> Vec<(String, u64, bool)> {
    let network = &scenario.network;
    let Some(cast) = multicast(scenario, message) else {
        let came = &outcome.flows[message.index()];
        let to = network.name(scenario.flows[message.index()].to);
        return vec![(to, came.in_order, came.received.is_some())];
    };
    let receivers = outcome.casts[cast].receivers.iter();
    receivers.map(|got| (network.name(got.host), got.in_order, got.received.is_some())).collect()
}

/// What happened to a message whose queue pair is in the error state, as a part of a sentence.
pub(crate) fn retries(outcome: &Outcome, message: FlowId) -> String {
    let failed = outcome.errors.iter().find(|failed| failed.message == message);
    failed.map_or_else(String::new, |failed| {
        let error = failed.error;
        let (psn, timeouts, at) = (error.psn.get(), error.timeouts, error.at);
        format!("packet {psn} was not acknowledged, after {timeouts} timeouts, at {at}")
    })
}

/// What a message waits for in vain, as a part of a sentence.
pub(crate) fn waited_for(scenario: &Scenario, outcome: &Outcome, message: FlowId) -> String {
    let before = outcome.never.iter().find(|(waits, _)| *waits == message);
    before.map_or_else(String::new, |&(_, before)| {
        format!("it never started, because it waits for {}", missed(scenario, before))
    })
}

/// A message or computation that others wait for in vain, and why.
fn missed(scenario: &Scenario, message: FlowId) -> String {
    if let Some(place) = computation(scenario, message) {
        return format!("{}, which never began", computed(scenario, place));
    }
    let cast = multicast(scenario, message).map(|cast| &scenario.multicast.casts[cast]);
    let group = cast.map(|cast| &scenario.multicast.groups[cast.to.0 as usize]);
    let why = match group.is_some_and(|group| group.service == Service::Datagrams) {
        true => "of which its host lacks datagrams",
        false => "which failed",
    };
    format!("{}, {why}", name(scenario, message))
}

/// Payload of a message in bytes.
fn size(scenario: &Scenario, message: FlowId) -> u64 {
    match multicast(scenario, message) {
        None => scenario.flows[message.index()].size.as_bytes(),
        Some(cast) => scenario.multicast.casts[cast].size.as_bytes(),
    }
}

/// The receiver that lacks most, with how many others lack something.
fn lacking(scenario: &Scenario, outcome: &Outcome, message: FlowId) -> Option<String> {
    let had = had(scenario, outcome, message);
    let open = || had.iter().filter(|(_, _, has_all)| !has_all);
    let (host, bytes, _) = open().min_by_key(|(_, bytes, _)| *bytes)?;
    let size = size(scenario, message);
    let others = match open().count() - 1 {
        0 => String::new(),
        1 => ", and another lacks a part".to_owned(),
        others => format!(", and {others} others lack a part"),
    };
    Some(format!("{host} has {bytes} of {size} bytes in order{others}"))
}

/// Warnings about messages that failed, and about those that wait for them.
pub fn warnings(scenario: &Scenario, outcome: &Outcome) -> Vec<String> {
    let mut warnings = Vec::new();
    if let [first, others @ ..] = outcome.errors.as_slice() {
        let error = first.error;
        let lacks = lacking(scenario, outcome, first.message);
        let lacks = lacks.map_or_else(String::new, |lacks| format!("; {lacks}"));
        warnings.push(format!(
            "{} messages ended in errors of queue pairs, the first {}: packet {} was not acknowledged, after {} \
             timeouts, at {}{lacks}",
            others.len() + 1,
            name(scenario, first.message),
            error.psn.get(),
            error.timeouts,
            error.at,
        ));
    }
    if let [(waits, before), others @ ..] = outcome.never.as_slice() {
        let all = others.len() + 1;
        let computations = outcome
            .never
            .iter()
            .filter(|(waits, _)| computation(scenario, *waits).is_some())
            .count();
        let what = match (all, computations) {
            (1, 0) => "1 message".to_owned(),
            (all, 0) => format!("{all} messages"),
            (all, computations) => {
                format!("{} messages and {computations} computations", all - computations)
            }
        };
        warnings.push(format!(
            "{what} never started, the first {}: it waits for {}",
            name(scenario, *waits),
            missed(scenario, *before),
        ));
    }
    warnings
}

/// What the first message waits for that has begun and does not get on. `None`: there is none.
pub fn waiting(scenario: &Scenario, outcome: &Outcome) -> Option<String> {
    let Waiting { message, what } = outcome.waiting.first()?;
    let network = &scenario.network;
    let named = name(scenario, *message);
    let told = match what {
        WaitsFor::Acknowledgement(psn) => {
            let lacks = lacking(scenario, outcome, *message);
            let lacks = lacks.unwrap_or_else(|| "its receivers have all of it".into());
            let since = since(scenario, outcome, *message);
            format!("packet {} is not acknowledged, since {since}; {lacks}", psn.get())
        }
        WaitsFor::Confirmation { hosts, since } => {
            let first = hosts.first().map_or_else(String::new, |&host| network.name(host));
            let all = hosts.len();
            format!(
                "{all} hosts have not confirmed that they are registered, since {since}, the first {first}"
            )
        }
        WaitsFor::Turn => {
            "the leader has told its sender to go, and has not heard that it has sent all".into()
        }
    };
    Some(format!("{named} waits: {told}"))
}

/// When something last arrived in order at a receiver that lacks a part of a message, or at any receiver.
fn since(scenario: &Scenario, outcome: &Outcome, message: FlowId) -> Instant {
    let hosts: Vec<_> = match multicast(scenario, message) {
        None => vec![scenario.flows[message.index()].to],
        Some(cast) => {
            let receivers = || outcome.casts[cast].receivers.iter();
            let open: Vec<_> =
                receivers().filter(|got| got.received.is_none()).map(|got| got.host).collect();
            if open.is_empty() { receivers().map(|got| got.host).collect() } else { open }
        }
    };
    let at = hosts.iter().filter_map(|host| outcome.last_progress.get(host)).max();
    at.copied().unwrap_or(Instant::ZERO)
}
