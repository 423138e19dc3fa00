//! Messages that failed: who lacks what for good, and why. A run with one has an ending of its own.

use std::collections::BTreeSet;

use lightloom_topology::electrical::NodeId;
use lightloom_twin::{FlowId, GroupId, Outcome, Refusal, RefusalReason, Standing};
use lightloom_units::{Instant, named_enum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::errors::{self, MessageStatus};
use lightloom_scenario::scenario::Scenario;

/// Number of hosts that a sentence names. Lists name all.
const NAMED: usize = 4;

named_enum! {
    /// Why a message failed.
    #[derive(JsonSchema)]
    pub enum FailureCause {
        /// Its group needs more ports at a switch than a group may use.
        FanOut = "fan-out",
        /// The groups need more memory than a switch has for them.
        Memory = "memory",
        /// The ways of unicast from the leader of its group meet at a switch again.
        TwoWays = "two-ways",
        /// A member of its group never confirmed that it was registered.
        Unconfirmed = "unconfirmed",
        /// A packet of it was repeated as often as it may be, and not acknowledged.
        RetriesExceeded = "retries-exceeded",
        /// An earlier message of the same queue pair or group exceeded its retries.
        Flushed = "flushed",
        /// A message that it waits for failed.
        NeverStarted = "never-started",
        /// A member was taken out of its group, and did not answer afterwards either.
        CutOff = "cut-off",
    }
}

/// A message that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FailureReport {
    /// The message with its hosts.
    pub message: String,
    /// Why it failed.
    pub cause: FailureCause,
    /// The switch that refused the group. `None`: no switch did.
    pub switch: Option<String>,
    /// The receivers that lack a part of it. Those that the scenario declares dead for good are left out.
    pub members: Vec<String>,
    /// What happened, as a sentence.
    pub why: String,
}

/// Receivers that lack a part of a message to a group and that the scenario itself declares dead for good. The run did
/// not fail because of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExemptReport {
    /// The message with its sender.
    pub message: String,
    /// The receivers.
    pub members: Vec<String>,
}

/// What failed in a run.
#[derive(Debug, Default)]
pub(crate) struct Failed {
    pub(crate) failures: Vec<FailureReport>,
    pub(crate) exempt: Vec<ExemptReport>,
}

impl Failed {
    /// Looks at all messages.
    pub(crate) fn new(scenario: &Scenario, outcome: &Outcome) -> Self {
        let dead = dead_for_good(scenario);
        let mut failed = Self::default();
        for (number, flow) in (0_u64..).zip(&scenario.flows) {
            let Some(cause) = cause_of(MessageStatus::of_flow(outcome, number)) else { continue };
            let place = usize::try_from(number).unwrap_or(usize::MAX);
            let lacks = outcome.flows[place].received.is_none();
            let members = lacks.then_some(flow.to);
            failed.add(scenario, outcome, (place, cause), members.into_iter().collect());
        }
        for (place, came) in outcome.casts.iter().enumerate() {
            let lacking = came.receivers.iter().filter(|got| got.received.is_none());
            let lacking: Vec<NodeId> = lacking.map(|got| got.host).collect();
            let Some(cause) = of_cast(scenario, outcome, (place, &lacking), &dead) else {
                continue;
            };
            let number = scenario.flows.len() + place;
            let (exempt, open): (Vec<NodeId>, Vec<NodeId>) =
                lacking.iter().partition(|host| dead.contains(host));
            if !exempt.is_empty() {
                failed.exempt.push(ExemptReport {
                    message: errors::name(scenario, id(number)),
                    members: exempt.iter().map(|&host| scenario.network.name(host)).collect(),
                });
            }
            if !open.is_empty() || lacking.is_empty() {
                failed.add(scenario, outcome, (number, cause), open);
            }
        }
        failed
    }

    fn add(
        &mut self,
        scenario: &Scenario,
        outcome: &Outcome,
        (number, cause): (usize, Cause),
        members: Vec<NodeId>,
    ) {
        let (name, network) = (errors::name(scenario, id(number)), &scenario.network);
        let why = format!(
            "{name}: {}; {}",
            text(scenario, outcome, number, cause),
            lack(scenario, &members)
        );
        self.failures.push(FailureReport {
            message: name,
            cause: cause.into(),
            switch: match cause {
                Cause::Refused(refusal) => Some(network.name(refusal.switch)),
                _ => None,
            },
            members: members.into_iter().map(|host| network.name(host)).collect(),
            why,
        });
    }
}

/// Why a message failed, with the switch that refused its group.
#[derive(Debug, Clone, Copy)]
enum Cause {
    Refused(Refusal),
    Unconfirmed,
    Retries,
    Flushed,
    Never,
    CutOff,
}

impl From<Cause> for FailureCause {
    fn from(cause: Cause) -> Self {
        match cause {
            Cause::Refused(Refusal { why: RefusalReason::FanOut { .. }, .. }) => Self::FanOut,
            Cause::Refused(Refusal { why: RefusalReason::Memory { .. }, .. }) => Self::Memory,
            Cause::Refused(Refusal { why: RefusalReason::TwoWays, .. }) => Self::TwoWays,
            Cause::Unconfirmed => Self::Unconfirmed,
            Cause::Retries => Self::RetriesExceeded,
            Cause::Flushed => Self::Flushed,
            Cause::Never => Self::NeverStarted,
            Cause::CutOff => Self::CutOff,
        }
    }
}

fn id(number: usize) -> FlowId {
    FlowId(u32::try_from(number).unwrap_or(u32::MAX))
}

fn cause_of(status: MessageStatus) -> Option<Cause> {
    match status {
        MessageStatus::RetriesExceeded => Some(Cause::Retries),
        MessageStatus::Flushed => Some(Cause::Flushed),
        MessageStatus::NeverStarted => Some(Cause::Never),
        MessageStatus::Acknowledged | MessageStatus::Received | MessageStatus::Unfinished => None,
    }
}

/// Why a message to a group failed. `None`: it did not, or may still arrive.
fn of_cast(
    scenario: &Scenario,
    outcome: &Outcome,
    (place, lacking): (usize, &[NodeId]),
    dead: &BTreeSet<NodeId>,
) -> Option<Cause> {
    let number = u64::try_from(place).unwrap_or(u64::MAX);
    if let Some(cause) = cause_of(MessageStatus::of_cast(outcome, number)) {
        return Some(cause);
    }
    let group = scenario.multicast.casts[place].to;
    let standing = outcome.groups.get(group.0 as usize)?.standing;
    if lacking.is_empty() {
        return None;
    }
    if standing == Some(Standing::Failed) {
        let refusal = outcome.refusals.iter().find(|refusal| refusal.group == group);
        return Some(refusal.map_or(Cause::Unconfirmed, |&refusal| Cause::Refused(refusal)));
    }
    // Who is dead for good never confirms, however long the run is. With the safeguard the group does without.
    let is_silent = |(of, host): &(GroupId, NodeId)| *of == group && dead.contains(host);
    if standing == Some(Standing::Registering)
        && scenario.parameters.params.groups.safeguard.is_none()
        && outcome.unconfirmed.iter().any(is_silent)
    {
        return Some(Cause::Unconfirmed);
    }
    let is_cut_off = |host: &NodeId| outcome.cut_off.binary_search(&(group, *host)).is_ok();
    (standing == Some(Standing::CutOff) && lacking.iter().any(is_cut_off)).then_some(Cause::CutOff)
}

/// The hosts whose link the scenario takes down for good.
fn dead_for_good(scenario: &Scenario) -> BTreeSet<NodeId> {
    let network = &scenario.network;
    let for_good =
        scenario.failures.dead.iter().filter(|dead| dead.to == Instant::from_ps(u64::MAX));
    let ends = for_good.flat_map(|dead| {
        let peer = network.ports(dead.node).get(usize::from(dead.port)).map(|port| port.peer);
        peer.into_iter().chain([dead.node])
    });
    ends.filter(|&node| network.is_host(node)).collect()
}

/// What happened, as a part of a sentence.
fn text(scenario: &Scenario, outcome: &Outcome, number: usize, cause: Cause) -> String {
    let network = &scenario.network;
    match cause {
        Cause::Refused(Refusal { switch, why, .. }) => {
            // The limits of an accelerator take the place of those of all switches.
            let beside = scenario.accelerators.iter().find(|(at, _)| *at == switch);
            let fan_out = beside.and_then(|(_, part)| part.fan_out).map(|_| "[[accelerator]]");
            let memory = beside.and_then(|(_, part)| part.memory).map(|_| "[[accelerator]]");
            let [fan_out, memory] =
                [fan_out, memory].map(|said| said.unwrap_or("[parameters.groups]"));
            let switch = network.name(switch);
            match why {
                RefusalReason::FanOut { ports, most } => format!(
                    "{switch} refused its group, which needs {ports} ports there, and a group may use {most} \
                     ({fan_out} fan_out)"
                ),
                RefusalReason::Memory { bytes, most } => format!(
                    "{switch} refused its group: all groups there need {bytes} bytes, and it has {most} for them \
                     ({memory} memory)"
                ),
                RefusalReason::TwoWays => format!(
                    "{switch} refused its group: two ways from the leader lead there; give the switches other routes \
                     or the group another leader"
                ),
            }
        }
        Cause::Unconfirmed => {
            let group = scenario.multicast.casts[number - scenario.flows.len()].to;
            let silent = outcome.unconfirmed.iter().filter(|(of, _)| *of == group);
            let silent: Vec<NodeId> = silent.map(|&(_, host)| host).collect();
            format!(
                "its group was not registered, because {} never confirmed",
                hosts(scenario, &silent)
            )
        }
        Cause::Retries => errors::retries(outcome, id(number)),
        Cause::Flushed => {
            "an earlier message of its queue pair or group exceeded its retries".into()
        }
        Cause::Never => errors::waited_for(scenario, outcome, id(number)),
        Cause::CutOff => {
            "a member was taken out of its group and did not answer afterwards either".into()
        }
    }
}

/// Who lacks a part, as a part of a sentence.
fn lack(scenario: &Scenario, members: &[NodeId]) -> String {
    match members {
        [] => "its receivers have all of it, and its sender does not know".into(),
        [_] => format!("{} lacks a part", hosts(scenario, members)),
        _ => format!("{} lack a part", hosts(scenario, members)),
    }
}

/// The first of some hosts by name, and how many more there are.
fn hosts(scenario: &Scenario, hosts: &[NodeId]) -> String {
    let named: Vec<String> =
        hosts.iter().take(NAMED).map(|&host| scenario.network.name(host)).collect();
    match hosts.len().saturating_sub(NAMED) {
        0 => named.join(", "),
        1 => format!("{} and another", named.join(", ")),
        others => format!("{} and {others} others", named.join(", ")),
    }
}
