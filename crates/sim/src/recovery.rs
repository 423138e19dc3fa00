//! The course of recoveries during a run, in its report.

use lightloom_routing::recovery::StepKind;
use lightloom_topology::electrical::Network;
use lightloom_twin::{DropReason, Outcome, ReceiverOutcome, Service};
use lightloom_units::named_enum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lightloom_scenario::glass::rollout::{Event, Happening};
use lightloom_scenario::scenario::Scenario;

named_enum! {
    /// What happens in the course of a recovery.
    #[derive(JsonSchema)]
    pub enum RecoveryEventKind {
        /// Parts fail.
        Failed = "failed",
        /// Parts work again.
        Returned = "returned",
        /// The controller knows of it.
        Detected = "detected",
        /// A controller that was busy begins with what it knows of.
        Begun = "begun",
        /// The controller has new rules.
        Computed = "computed",
        /// Rules are deleted at all switches of the phase.
        Deleted = "deleted",
        /// Port filters are set or removed.
        Filtered = "filtered",
        /// Rules are added.
        Added = "added",
        /// Parts that had returned are in service again: the rules that need them are back.
        Restored = "restored",
        /// All switches have routes around dead links and switches, or the usual ones again.
        Rerouted = "rerouted",
    }
}

/// Something that happens in the course of a recovery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecoveryEventReport {
    /// Time, in picoseconds.
    pub at_ps: u64,
    /// What happens.
    pub what: RecoveryEventKind,
    /// The parts that fail, return or are restored. Of a begin and a computation: the latest that the controller knows
    /// of. `None`: a phase.
    pub parts: Option<String>,
    /// Number of rules of all sources that change, filters and stand-ins included. Of new routes: number of pairs of a
    /// switch and a destination switch whose next hops change.
    pub rules: usize,
    /// Number of switches at which they change.
    pub switches: usize,
    /// Number of entries that change for the senders and groups of the run. Of new routes: number of groups whose
    /// leaders are told to register again.
    pub group_rules: usize,
    /// Hosts that no path of links reaches from then on. Only new routes tell them.
    pub cut_off: Vec<String>,
}

/// Members that lack a part of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LackingReport {
    /// The group.
    pub group: String,
    /// The host that sends.
    pub from: String,
    /// The members.
    pub hosts: Vec<String>,
}

/// Failures of a planned fabric, of links and of switches during a run, and recoveries from them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecoveryReport {
    /// What happens, by time.
    pub events: Vec<RecoveryEventReport>,
    /// Whether the rules for all failures and returns were in force when the run ended.
    pub finished: bool,
    /// Number of packets that were lost on links and branches that were dead, or shut until their rules are back. Each
    /// copy is counted.
    pub lost: u64,
    /// Number of packets of messages to groups that members lack at the end, each counted at each member.
    pub missing: u64,
    /// Number of packets that senders to groups sent again.
    pub repeated: u64,
    /// Number of copies of datagrams that members of groups had already.
    pub twice: u64,
    /// Members that lack a part of a message at the end.
    pub lacking: Vec<LackingReport>,
}

/// Copies of datagrams that members had already, where a recovery or a return in its course brought them.
fn twice(scenario: &Scenario, outcome: &Outcome) -> u64 {
    let casts = outcome.casts.iter().zip(&scenario.multicast.casts);
    let datagrams = casts.filter(|(_, cast)| {
        let group = scenario.multicast.groups.get(cast.to.0 as usize);
        group.is_some_and(|group| group.service == Service::Datagrams)
    });
    datagrams.map(|(came, _)| came.all.spurious).sum()
}

/// The warning about second copies in a run with recoveries.
pub(crate) fn second_copies(scenario: &Scenario, outcome: &Outcome) -> Option<String> {
    let rollout = scenario.recovery.as_ref()?;
    let twice = Some(twice(scenario, outcome)).filter(|&twice| twice > 0)?;
    let why = if rollout.unproved.is_empty() {
        "packets under the old rules were still under way when rules were added; a longer recovery.drain avoids it"
    } else {
        "parts were used again before their rules were back; recovery.returns = \"after-rules\" avoids it"
    };
    Some(format!("{twice} copies came twice to members of groups: {why}"))
}

impl RecoveryReport {
    /// Describes the recoveries. `None`: the scenario does not say what is done about failures.
    pub fn of(scenario: &Scenario, outcome: &Outcome) -> Option<Self> {
        let rollout = scenario.recovery.as_ref()?;
        let mut events: Vec<RecoveryEventReport> = rollout
            .events
            .iter()
            .map(|event| RecoveryEventReport::new(event, &scenario.network))
            .collect();
        events.sort_by_key(|event| event.at_ps);
        let dead = outcome.drops.iter().filter(|((.., why), _)| *why == DropReason::Dead);
        let mtu = u64::from(scenario.parameters.params.wire.mtu);
        let missing = outcome.casts.iter().zip(&scenario.multicast.casts).map(|(came, cast)| {
            let packets = cast.size.as_bytes().div_ceil(mtu).max(1);
            let has = |got: &ReceiverOutcome| got.delivered - got.spurious;
            came.receivers.iter().map(|got| packets.saturating_sub(has(got))).sum::<u64>()
        });
        let casts = outcome.casts.iter().zip(&scenario.multicast.casts);
        let lacking = casts.filter_map(|(came, cast)| {
            let lack = came.receivers.iter().filter(|receiver| receiver.received.is_none());
            let hosts: Vec<String> =
                lack.map(|receiver| scenario.network.name(receiver.host)).collect();
            let group = scenario.groups.names[cast.to.0 as usize].clone();
            let from = scenario.network.name(cast.from);
            (!hosts.is_empty()).then_some(LackingReport { group, from, hosts })
        });
        let is_late = |event: &Event| event.at > outcome.reached;
        let finished = !(rollout.is_cut || rollout.events.iter().any(is_late));
        Some(Self {
            events,
            finished,
            lost: dead.map(|(_, packets)| packets).sum(),
            missing: missing.sum(),
            repeated: outcome.casts.iter().map(|cast| cast.all.repeated).sum(),
            twice: twice(scenario, outcome),
            lacking: lacking.collect(),
        })
    }
}

impl RecoveryEventReport {
    fn new(event: &Event, network: &Network) -> Self {
        Self {
            at_ps: event.at.as_ps(),
            what: match event.what {
                Happening::Failed => RecoveryEventKind::Failed,
                Happening::Returned => RecoveryEventKind::Returned,
                Happening::Detected => RecoveryEventKind::Detected,
                Happening::Begun => RecoveryEventKind::Begun,
                Happening::Computed => RecoveryEventKind::Computed,
                Happening::Restored => RecoveryEventKind::Restored,
                Happening::Installed(StepKind::Delete) => RecoveryEventKind::Deleted,
                Happening::Installed(StepKind::Accept) => RecoveryEventKind::Filtered,
                Happening::Installed(StepKind::Add) => RecoveryEventKind::Added,
                Happening::Rerouted => RecoveryEventKind::Rerouted,
            },
            parts: (!event.parts.is_empty()).then(|| event.parts.clone()),
            rules: event.rules,
            switches: event.switches,
            group_rules: event.group_rules,
            cut_off: event.cut_off.iter().map(|&host| network.name(host)).collect(),
        }
    }
}
