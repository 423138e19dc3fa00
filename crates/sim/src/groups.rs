//! Messages to groups in the report of a run, and the splitters that carried most and lost most.

use lightloom_power_cost::error_rate;
use lightloom_twin::{
    CastOutcome, Group, GroupOutcome, Outcome, ReceiverOutcome, Service, Standing,
};
use lightloom_units::{Instant, Span, named_enum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::admission::MessageAdmissionReport;
use crate::copies::CopiesReport;
use crate::errors::MessageStatus;
use crate::lacks::LacksReport;
use crate::summary::TimesReport;
use lightloom_scenario::glass::{Light, LitBranch, TreeSize};
use lightloom_scenario::scenario::{GroupTransport, Scenario};

/// Number of branches that a report lists.
const LISTED: usize = 10;

/// One message to a group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MulticastReport {
    /// Name of the group.
    pub group: String,
    /// Its transport.
    pub transport: GroupTransport,
    /// The host that sends.
    pub from: String,
    /// Number of receivers.
    pub receivers: usize,
    /// Number of receivers whose application has all payload.
    pub completed: usize,
    /// Payload in bytes.
    pub bytes: u64,
    /// Time of the request, in picoseconds. `None`: the application did not ask.
    pub start_ps: Option<u64>,
    /// Time from which its group may be sent to, in picoseconds: its switches have the rules, and the sender knows.
    /// `None`: from the start.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub opens_ps: Option<u64>,
    /// Time from the request until the first receiver had all payload, in picoseconds.
    pub first_ps: Option<u64>,
    /// Time from the request until the last receiver had all payload, in picoseconds. `None`: some receiver
    /// lacks a part.
    pub last_ps: Option<u64>,
    /// Times from the request, over the receivers that completed.
    pub completion: Option<TimesReport>,
    /// Each receiver, in the order of the group.
    pub each: Vec<ReceiverReport>,
    /// Payload in bits per second until the last receiver had it.
    pub goodput_bps: Option<f64>,
    /// Number of packets that the sender sent.
    pub sent: u64,
    /// Of those, packets that were sent again.
    pub repeated: u64,
    /// Of those, packets that were sent again after a timeout. The others were reported missing.
    pub repeated_late: u64,
    /// Number of timeouts.
    pub timeouts: u64,
    /// Number of packets that splitters and switches made of others.
    pub copied: u64,
    /// Number of packets that reached receivers.
    pub delivered: u64,
    /// Of those, packets that had arrived before.
    pub twice: u64,
    /// Number of packets that switches did not hand on, on purpose.
    pub absorbed: u64,
    /// Number of packets that were lost or dropped.
    pub dropped: u64,
    /// Number of packets under way at the end.
    pub in_flight: u64,
    /// What one packet crosses. `None`: the switches find the tree during the run.
    pub tree: Option<CrossedReport>,
    /// Links that unicasts of one packet to all receivers cross.
    pub unicast_links: u64,
    /// Copies over links and branches. `None`: the scenario does not ask for them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub copies: Option<CopiesReport>,
    /// How it was admitted. `None`: it needed no admission, or its sender never asked.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub admission: Option<MessageAdmissionReport>,
}

/// What a receiver got of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReceiverReport {
    /// The host.
    pub host: String,
    /// Time from the request until it had all payload, in picoseconds. `None`: it lacks a part.
    pub completion_ps: Option<u64>,
    /// Payload that it has in order, in bytes. Of datagrams, in any order.
    pub in_order_bytes: u64,
    /// How the message stands there.
    pub status: MessageStatus,
    /// What it lacks, and why. `None`: nothing.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub lacks: Option<LacksReport>,
}

/// A reliable group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReliableGroupReport {
    /// Its name.
    pub group: String,
    /// Number of members at the start.
    pub members: usize,
    /// How far it came. `None`: nothing was sent to it.
    pub standing: Option<GroupStanding>,
    /// Time that switches and members took to register, over all registrations, in picoseconds.
    pub registration_ps: u64,
    /// Number of members that were reached without the group (safeguard), over all runs of messages.
    pub fell_back: u64,
    /// Number of those that never answered.
    pub cut_off: u64,
    /// Acknowledgements that reached the sender.
    pub acks: u64,
    /// Negative acknowledgements that did.
    pub nacks: u64,
    /// Congestion notifications that did.
    pub notifications: u64,
    /// Answers that came in at switches, over all hops.
    pub answers_in: u64,
    /// Answers that switches sent on or made of others.
    pub answers_out: u64,
}

named_enum! {
    /// How far a reliable group came.
    #[derive(JsonSchema)]
    pub enum GroupStanding {
        /// It registers, or has not begun to.
        Registering = "registering",
        /// Messages are under way.
        Sending = "sending",
        /// All messages are acknowledged by all their receivers.
        Over = "over",
        /// All messages have ended, but some receivers never answered (`cut_off`).
        CutOff = "cut-off",
        /// A switch had no room for it, or somebody never confirmed.
        Failed = "failed",
    }
}

/// The memory for groups at a switch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GroupTableReport {
    /// The switch.
    pub switch: String,
    /// The most that its tables took, in bytes.
    pub bytes: u64,
}

impl ReliableGroupReport {
    /// The reliable groups, in order.
    pub fn all(scenario: &Scenario, outcome: &Outcome) -> Vec<Self> {
        let groups = scenario.multicast.groups.iter().zip(&outcome.groups);
        let named = groups.zip(&scenario.groups.names);
        let reliable =
            named.filter(|((group, _), _)| matches!(group.service, Service::Reliable(_)));
        let report = |((group, came), name): ((&Group, &GroupOutcome), &String)| Self {
            group: name.clone(),
            members: group.members.len(),
            standing: came.standing.map(|standing| match standing {
                Standing::Registering => GroupStanding::Registering,
                Standing::Sending => GroupStanding::Sending,
                Standing::Over => GroupStanding::Over,
                Standing::CutOff => GroupStanding::CutOff,
                Standing::Failed => GroupStanding::Failed,
            }),
            registration_ps: came.registration.as_ps(),
            fell_back: came.fell_back,
            cut_off: came.cut_off,
            acks: came.acks,
            nacks: came.nacks,
            notifications: came.notifications,
            answers_in: came.answers_in,
            answers_out: came.answers_out,
        };
        reliable.map(report).collect()
    }
}

impl GroupTableReport {
    /// The tables of groups, by switch.
    pub fn all(scenario: &Scenario, outcome: &Outcome) -> Vec<Self> {
        let tables = outcome.tables.iter();
        let name = |node| scenario.network.name(node);
        tables.map(|&(node, bytes)| Self { switch: name(node), bytes }).collect()
    }
}

/// What one packet to a group crosses if nothing is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CrossedReport {
    /// Number of links.
    pub links: u64,
    /// Number of splitters that are lit.
    pub transmissions: u64,
    /// Number of branches of these splitters.
    pub branches: u64,
}

/// The splitters of a design.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SplittersReport {
    /// Number of splitters.
    pub splitters: usize,
    /// The values of optical parts that decided the losses.
    pub light: Light,
    /// Number of packets that all transmitters sent.
    pub sent: u64,
    /// Number of copies that were lost on branches.
    pub lost: u64,
    /// The ToR whose splitter carried most.
    pub busiest: Option<BusyReport>,
    /// The branches that lost most, in order.
    pub lossy: Vec<LossyReport>,
}

/// A splitter with its load.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BusyReport {
    /// The ToR that transmits.
    pub tor: String,
    /// Number of packets that it sent.
    pub sent: u64,
    /// Their bytes.
    pub sent_bytes: u64,
    /// Longest queue before it, in bytes.
    pub most_queued_bytes: u32,
}

/// A branch that lost copies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LossyReport {
    /// The ToR that transmits.
    pub from: String,
    /// The ToR that receives.
    pub to: String,
    /// Number of copies that were lost.
    pub lost: u64,
    /// Number of copies that arrived.
    pub received: u64,
    /// Margin of the branch, in dB. `None`: it is unknown, or the light is off.
    pub margin_db: Option<f64>,
    /// Share of frames that the margin loses. It is never below 1e-15.
    pub frame_loss: Option<f64>,
    /// Whether the margin loses at most that share. The run loses that share.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub frame_loss_is_bound: bool,
}

impl LossyReport {
    /// The share of frames that the margin loses, in words. `None`: it is unknown.
    pub fn frame_loss_text(&self) -> Option<String> {
        Some(error_rate::text(self.frame_loss?, self.frame_loss_is_bound))
    }
}

impl MulticastReport {
    /// The messages to groups, in order.
    pub fn all(scenario: &Scenario, outcome: &Outcome) -> Vec<Self> {
        let casts = (0..).zip(&outcome.casts);
        let mut all: Vec<Self> =
            casts.map(|(number, came)| Self::new(scenario, outcome, (number, came))).collect();
        if scenario.probes.copies {
            let copies = CopiesReport::all(scenario, outcome);
            all.iter_mut().zip(copies).for_each(|(cast, copies)| cast.copies = Some(copies));
        }
        all
    }

    fn new(scenario: &Scenario, outcome: &Outcome, (number, came): (usize, &CastOutcome)) -> Self {
        let cast = &scenario.multicast.casts[number];
        let group = &scenario.multicast.groups[cast.to.0 as usize];
        let network = &scenario.network;
        let all = &came.all;
        let times: Vec<u64> =
            came.receivers.iter().filter_map(|got| taken(all.asked, got.received)).collect();
        let last = taken(all.asked, all.received);
        let bytes = cast.size.as_bytes();
        let message = u64::try_from(number).unwrap_or(u64::MAX);
        let receiver = |got: &ReceiverOutcome| ReceiverReport {
            host: network.name(got.host),
            completion_ps: taken(all.asked, got.received),
            in_order_bytes: got.in_order,
            status: MessageStatus::of_receiver(outcome, message, got),
            lacks: LacksReport::of(scenario, outcome, (number, got)),
        };
        Self {
            group: scenario.groups.names[cast.to.0 as usize].clone(),
            transport: match group.service {
                Service::Datagrams => GroupTransport::Datagram,
                Service::Reliable(_) => GroupTransport::Reliable,
            },
            from: network.name(cast.from),
            // Members may have joined or left since the start.
            receivers: came.receivers.len(),
            completed: times.len(),
            bytes,
            start_ps: all.asked.map(Instant::as_ps),
            opens_ps: scenario.multicast.opens.get(&cast.to).map(|at| at.as_ps()),
            first_ps: times.iter().copied().min(),
            last_ps: last,
            completion: TimesReport::of(times),
            each: came.receivers.iter().map(receiver).collect(),
            goodput_bps: last.filter(|&ps| ps > 0).map(|ps| bytes as f64 * 8e12 / ps as f64),
            sent: all.sent,
            repeated: all.repeated,
            repeated_late: all.repeated_late,
            timeouts: all.timeouts,
            copied: all.copied,
            delivered: all.delivered,
            twice: all.spurious,
            absorbed: all.absorbed,
            dropped: all.dropped,
            in_flight: all.in_flight,
            tree: scenario.groups.trees[number].map(CrossedReport::from),
            unicast_links: CopiesReport::hops(scenario, cast.from, came),
            copies: None,
            admission: MessageAdmissionReport::of(came),
        }
    }
}

/// Time from a request until an arrival, in picoseconds.
pub fn taken(asked: Option<Instant>, received: Option<Instant>) -> Option<u64> {
    received.zip(asked).and_then(|(at, asked)| at.checked_since(asked)).map(Span::as_ps)
}

impl From<TreeSize> for CrossedReport {
    fn from(size: TreeSize) -> Self {
        let TreeSize { links, transmissions, branches } = size;
        Self { links, transmissions, branches }
    }
}

impl SplittersReport {
    /// Describes the splitters. `None`: the scenario has none.
    pub fn of(scenario: &Scenario, outcome: &Outcome) -> Option<Self> {
        let glass = scenario.glass.as_ref()?;
        let name =
            |splitter: usize| scenario.network.name(scenario.multicast.splitters[splitter].from);
        // The first of several maxima.
        let numbered = || outcome.splitters.iter().enumerate().rev();
        let busiest =
            numbered().filter(|(_, came)| came.sent > 0).max_by_key(|(_, came)| came.sent);
        let lit = scenario.lit(scenario.seed);
        let mut branches = Vec::new();
        let mut place = 0;
        for (splitter, came) in outcome.splitters.iter().enumerate() {
            for branch in &came.branches {
                let light: Option<&LitBranch> = lit.get(place);
                place += 1;
                if branch.lost > 0 {
                    branches.push((splitter, branch, light));
                }
            }
        }
        branches.sort_by_key(|(_, branch, _)| std::cmp::Reverse(branch.lost));
        let lossy =
            branches.into_iter().take(LISTED).map(|(splitter, branch, light)| LossyReport {
                from: name(splitter),
                to: scenario.network.name(branch.to),
                lost: branch.lost,
                received: branch.received,
                margin_db: light.and_then(|light| light.margin).map(|margin| margin.get()),
                frame_loss: light.and_then(|light| light.loss),
                frame_loss_is_bound: light.is_some_and(|light| light.loss_is_bound),
            });
        Some(Self {
            splitters: outcome.splitters.len(),
            light: glass.light,
            sent: outcome.splitters.iter().map(|came| came.sent).sum(),
            lost: outcome
                .splitters
                .iter()
                .flat_map(|came| &came.branches)
                .map(|branch| branch.lost)
                .sum(),
            busiest: busiest.map(|(splitter, came)| BusyReport {
                tor: name(splitter),
                sent: came.sent,
                sent_bytes: came.sent_bytes,
                most_queued_bytes: came.most_queued,
            }),
            lossy: lossy.collect(),
        })
    }
}
