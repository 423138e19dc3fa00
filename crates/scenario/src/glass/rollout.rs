//! What the controller of a planned fabric does in a run: what it knows, computes and installs, and when.

use lightloom_routing::failure::Failure;
use lightloom_routing::recovery::{Installed, StepKind};
use lightloom_topology::TorId;
use lightloom_topology::electrical::NodeId;
use lightloom_units::{Instant, Span, named_enum};
use schemars::JsonSchema;

use super::drain::Drain;

named_enum! {
    /// When a part that works again is used again.
    #[derive(JsonSchema)]
    pub enum Returns {
        /// When the rules that need it are back. Until then its ports are shut.
        AfterRules = "after-rules",
        /// At once, whatever the rules are.
        AtOnce = "at-once",
    }
}

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

/// How a planned fabric recovers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Practice {
    /// How long the steps take.
    pub times: RecoveryTimes,
    /// How long additions wait for packets under the old rules.
    pub drain: Drain,
    /// When a part that works again is used again.
    pub returns: Returns,
}

/// What happens in the course of a recovery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Happening {
    /// Parts fail.
    Failed,
    /// Parts work again.
    Returned,
    /// The controller knows of it.
    Detected,
    /// A controller that was busy begins with what it knows of.
    Begun,
    /// It has new rules.
    Computed,
    /// The switches of a phase have their rules.
    Installed(StepKind),
    /// Parts that had returned are in service again.
    Restored,
    /// All switches have new routes.
    Rerouted,
}

/// Something that happens in the course of a recovery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Simulated time of the event.
    pub at: Instant,
    /// What happens.
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
    /// Simulated time from which they are in force.
    pub from: Instant,
    /// What the step changes that leads here. `None`: it is the start.
    pub kind: Option<StepKind>,
    /// The failures that the rules are made for, once all steps are done.
    pub known: Vec<Failure>,
    /// The ToRs without power, ascending. They get no rules, and keep those that they have.
    pub powerless: Vec<TorId>,
    /// The rules in the switches.
    pub rules: Installed,
    /// The place of the event that installs them. `None`: they are there from the start.
    pub event: Option<usize>,
}

/// A failed part that works again, but is not in service yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Latch {
    /// The failure that was.
    pub failure: Failure,
    /// From when: its end.
    pub from: Instant,
    /// Until when: its rules are back.
    pub to: Instant,
}

/// All that the controller does in a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rollout {
    /// The rules in force, by time, those of the start first.
    pub stages: Vec<Stage>,
    /// What happens, by time.
    pub events: Vec<Event>,
    /// Parts that work again, but are not in service yet.
    pub latches: Vec<Latch>,
    /// The most hops of any packet, under the rules of the start and of every recovery. 0: not known.
    pub hops: u32,
    /// Whether additions wait for packets that a stand-in transmits.
    pub drains_stand_ins: bool,
    /// Whether the longest time of a run ends before the rules for all of its failures and returns are in force.
    pub is_cut: bool,
    /// States that are not safe, because a part was used again before its rules were back.
    pub unproved: Vec<String>,
}

impl Rollout {
    /// Adds events of the same run that are not told yet.
    pub fn tell(&mut self, events: Vec<Event>) {
        let is_known = |event: &Event| {
            let names = |one: &Event| one.parts.split(',').any(|part| part == event.parts);
            let same = |one: &Event| (one.at, one.what) == (event.at, event.what) && names(one);
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
