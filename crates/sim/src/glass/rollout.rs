//! Rollouts of the planner during a run: what the controller knows, computes and installs, and when.

use std::collections::BTreeSet;

use lightloom_routing::failure::Failure;
use lightloom_routing::recovery::{Installed, Method, NotRecovered, RecoveryBase, StepKind};
use lightloom_topology::electrical::NodeId;
use lightloom_units::{Instant, Span};

/// How long the steps of a recovery take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecoveryTimes {
    /// From a failure, or its end, until the controller knows of it.
    pub detection: Span,
    /// From then until it has new rules.
    pub computation: Span,
    /// From the begin of a phase until all its switches have the rules.
    pub installation: Span,
}

/// Parts of a fabric that fail together, for a while.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incident {
    /// Their names.
    pub parts: String,
    /// The failures, with those that link fault signalling adds.
    pub failures: Vec<Failure>,
    /// From when.
    pub from: Instant,
    /// Until when.
    pub to: Instant,
}

/// What happens in the course of a recovery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Happening {
    /// Parts fail.
    Failed,
    /// Parts work again.
    Returned,
    /// The controller knows of all failures and returns up to one.
    Detected,
    /// It has new rules.
    Computed,
    /// The switches of a phase have their rules.
    Installed(StepKind),
    /// All switches have new routes.
    Rerouted,
}

/// Something that happens in the course of a recovery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// When.
    pub at: Instant,
    /// What.
    pub what: Happening,
    /// The parts that it is about. Empty for a phase.
    pub parts: String,
    /// Number of rules of all sources that change, filters and stand-ins included. Of new routes: number of pairs of a
    /// switch and a destination switch whose next hops change.
    pub rules: usize,
    /// Number of their switches.
    pub switches: usize,
    /// Number of rules that change for the senders and groups of the run. Of new routes: number of groups that are
    /// registered again.
    pub group_rules: usize,
    /// Hosts that no way reaches from then on.
    pub cut_off: Vec<NodeId>,
}

/// Rules that are in force from a time on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage {
    /// From when.
    pub from: Instant,
    /// The failures that the controller knows of.
    pub known: Vec<Failure>,
    /// The rules.
    pub rules: Installed,
    /// The place of the event that installs them. `None`: they are there from the start.
    pub event: Option<usize>,
}

/// All that the controller does in a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rollout {
    /// The rules in force, by time, those of the start first.
    pub stages: Vec<Stage>,
    /// What happens, by time.
    pub events: Vec<Event>,
    /// States that are not safe, because something failed or came back that the controller did not know of.
    pub unproved: Vec<String>,
}

impl Rollout {
    /// Adds events of the same run that are not told yet.
    pub fn tell(&mut self, events: Vec<Event>) {
        let is_known = |event: &Event| {
            let same = |one: &Event| {
                (one.at, one.what, &one.parts) == (event.at, event.what, &event.parts)
            };
            self.events.iter().any(same)
        };
        let new: Vec<Event> = events.into_iter().filter(|event| !is_known(event)).collect();
        self.events.extend(new);
    }
}

/// What a run begins with.
#[derive(Debug, Clone, Default)]
pub struct Begin {
    /// The rules.
    pub rules: Installed,
    /// The failures from the start on.
    pub failures: Vec<Failure>,
}

impl Event {
    pub(crate) fn new(at: Instant, what: Happening, parts: String) -> Self {
        Self { at, what, parts, rules: 0, switches: 0, group_rules: 0, cut_off: Vec::new() }
    }
}

/// The failures and returns of incidents before the end of the run, by time.
pub fn happenings(incidents: &[Incident], until: Instant) -> Vec<Event> {
    let both = incidents.iter().flat_map(|one| {
        let failed = Event::new(one.from, Happening::Failed, one.parts.clone());
        [failed, Event::new(one.to, Happening::Returned, one.parts.clone())]
    });
    let mut events: Vec<Event> = both.filter(|event| event.at < until).collect();
    events.sort_by_key(|event| event.at);
    events
}

/// The course of all recoveries. The controller handles what it knows of at once, and looks again when a rollout is
/// over.
///
/// # Errors
/// [`NotRecovered`] if a state of a rollout is not safe.
pub fn roll_out(
    base: &RecoveryBase<'_>,
    method: Method,
    begin: Begin,
    incidents: &[Incident],
    times: RecoveryTimes,
    until: Instant,
) -> Result<Rollout, NotRecovered> {
    let happened = happenings(incidents, until);
    let failed_at = |at: Instant| {
        let lasting = incidents.iter().filter(move |one| one.from <= at && at < one.to);
        let failures = lasting.flat_map(|one| &one.failures).chain(&begin.failures);
        failures.copied().collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>()
    };
    let first = Stage {
        from: Instant::ZERO,
        known: begin.failures.clone(),
        rules: begin.rules.clone(),
        event: None,
    };
    let mut rollout =
        Rollout { stages: vec![first], events: happened.clone(), unproved: Vec::new() };
    let mut news = happened.iter().peekable();
    let mut free = Instant::ZERO;
    while let Some(first) = news.next() {
        let mut last = first;
        let begins = free.max(first.at + times.detection);
        while let Some(more) = news.next_if(|more| more.at + times.detection <= begins) {
            last = more;
        }
        if begins >= until {
            break;
        }
        let mut at = begins + times.computation;
        let known = failed_at(last.at);
        let target = base.target(&known, method)?;
        let now = rollout.stages.last().map(|stage| stage.rules.clone()).unwrap_or_default();
        let transition = base.transition(&now, &target, &known)?;
        rollout.events.push(Event::new(begins, Happening::Detected, last.parts.clone()));
        rollout.events.push(Event::new(at, Happening::Computed, last.parts.clone()));
        for step in transition.steps {
            at = at + times.installation;
            if at >= until {
                break;
            }
            let event = Event::new(at, Happening::Installed(step.kind), String::new());
            rollout.events.push(Event { rules: step.rules, switches: step.tors, ..event });
            let (known, event) = (known.clone(), Some(rollout.events.len() - 1));
            rollout.stages.push(Stage { from: at, known, rules: step.after, event });
            if step.kind == StepKind::Delete {
                at = at + transition.drain;
            }
        }
        free = at;
    }
    rollout.unproved = unproved(base, &rollout.stages, &happened, failed_at);
    Ok(rollout)
}

/// Replays the states that the transitions did not: rules beside failures that the controller does not know of yet.
fn unproved(
    base: &RecoveryBase<'_>,
    stages: &[Stage],
    happened: &[Event],
    failed_at: impl Fn(Instant) -> Vec<Failure>,
) -> Vec<String> {
    let times = stages.iter().map(|stage| stage.from).chain(happened.iter().map(|one| one.at));
    let times: BTreeSet<Instant> = times.collect();
    let mut unproved = Vec::new();
    for at in times {
        let Some(stage) = stages.iter().rfind(|stage| stage.from <= at) else { continue };
        let failed = failed_at(at);
        if failed == stage.known {
            continue;
        }
        if let Err(error) = base.replay(&stage.rules, &failed) {
            unproved.push(format!("the rules in force from {at} on are not safe: {error}"));
        }
    }
    unproved
}
