//! Admission of messages over light in the report of a run.

use lightloom_twin::{Admitted, CastOutcome, Outcome, Policy};
use lightloom_units::{BitRate, Instant, Span, named_enum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lightloom_scenario::scenario::{Scenario, TreeChoice};

named_enum! {
    /// How messages that share a transmitter are admitted.
    #[derive(JsonSchema)]
    pub enum AdmissionPolicy {
        /// One after the other, in the order in which they ask.
        Turns = "turns",
        /// At once, with max-min fair rates.
        Share = "share",
    }
}

/// Admission of messages over light.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AdmissionReport {
    /// How messages are admitted.
    pub policy: AdmissionPolicy,
    /// The host that admits them.
    pub controller: String,
    /// Trees of the senders.
    pub trees: TreeChoice,
    /// Number of ToRs that send over light.
    pub senders: usize,
    /// The most of these ToRs whose whole trees share no relay, as far as a bounded search finds. `None`: not looked
    /// for.
    pub disjoint_senders: Option<usize>,
    /// Number of messages that were asked for.
    pub asked: usize,
    /// Number of messages that were admitted.
    pub granted: usize,
    /// Largest number of messages that were admitted and not over at the same time.
    pub most_at_once: usize,
    /// Longest time from a request to its grant, in picoseconds.
    pub longest_wait_ps: Option<u64>,
}

/// Admission of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MessageAdmissionReport {
    /// Time at which its sender asked the controller, in picoseconds.
    pub asked_ps: Option<u64>,
    /// Time at which the sender knew that it may go. `None`: it waited to the end of the run.
    pub granted_ps: Option<u64>,
    /// Time at which it was acknowledged, drained or given up.
    pub over_ps: Option<u64>,
    /// With turns: number of the message that had to be over first, among all messages to groups from 0 on.
    pub waited_for: Option<u32>,
    /// Rate on the wire that it was first granted, in bits per second.
    pub rate_bps: Option<u64>,
    /// Least rate that it was granted, in bits per second.
    pub least_rate_bps: Option<u64>,
}

impl MessageAdmissionReport {
    /// The admission of a message. `None`: it needed none, or its sender never asked.
    pub fn of(came: &CastOutcome) -> Option<Self> {
        let Admitted { asked, granted, over, waited_for, rate, least } = came.admission?;
        Some(Self {
            asked_ps: asked.map(Instant::as_ps),
            granted_ps: granted.map(Instant::as_ps),
            over_ps: over.map(Instant::as_ps),
            waited_for,
            rate_bps: rate.map(BitRate::as_bps),
            least_rate_bps: least.map(BitRate::as_bps),
        })
    }
}

impl AdmissionReport {
    /// The admission of a run. `None`: the scenario asks for none.
    pub fn of(scenario: &Scenario, outcome: &Outcome) -> Option<Self> {
        let admission = scenario.multicast.admission.as_ref()?;
        let plan = scenario.groups.admission?;
        let asked = || outcome.casts.iter().filter_map(|cast| cast.admission);
        let granted = || asked().filter(|one| one.granted.is_some());
        let wait = |one: Admitted| one.granted?.checked_since(one.asked?).map(Span::as_ps);
        Some(Self {
            policy: match admission.policy {
                Policy::Turns => AdmissionPolicy::Turns,
                Policy::Share => AdmissionPolicy::Share,
            },
            controller: scenario.network.name(admission.controller),
            trees: plan.trees,
            senders: plan.senders,
            disjoint_senders: plan.disjoint,
            asked: asked().count(),
            granted: granted().count(),
            most_at_once: most_at_once(granted()),
            longest_wait_ps: granted().filter_map(wait).max(),
        })
    }
}

/// Largest number of messages that hold a grant at the same time.
fn most_at_once(granted: impl Iterator<Item = Admitted>) -> usize {
    let mut steps = Vec::new();
    for one in granted {
        steps.extend(one.granted.map(|at| (at, true)));
        steps.extend(one.over.map(|at| (at, false)));
    }
    // Who is over makes room for who begins at that time.
    steps.sort_unstable();
    let (mut now, mut most) = (0_isize, 0);
    for (_, begins) in steps {
        now += if begins { 1 } else { -1 };
        most = most.max(now);
    }
    most.unsigned_abs()
}

/// What a stalled run says of messages that wait to be admitted. `None`: none waits.
pub(crate) fn waiting(scenario: &Scenario, outcome: &Outcome) -> Option<String> {
    let casts = (0..).zip(&outcome.casts);
    let mut waiting = casts.filter_map(|(number, cast)| {
        let admission = cast.admission?;
        (admission.granted.is_none()).then_some((number, admission.waited_for))
    });
    let (first, before) = waiting.next()?;
    let many = 1 + waiting.count();
    let name = |number: usize| {
        let cast = scenario.multicast.casts.get(number)?;
        let group = scenario.groups.names.get(cast.to.0 as usize)?;
        Some(format!(
            "message {number} of {:?} to group {group:?}",
            scenario.network.name(cast.from)
        ))
    };
    let first = name(first)?;
    let on = match before.and_then(|before| name(before as usize)) {
        Some(before) => format!("for {before}, which is not over"),
        None => {
            let controller = scenario.multicast.admission?.controller;
            format!("for an answer of the controller {:?}", scenario.network.name(controller))
        }
    };
    Some(format!("{many} messages wait to be admitted, the first, {first}, {on}"))
}
