//! The course of all recoveries of a run: a pure function of what fails when. The twin only carries it out.
//!
//! A part fails; the controller detects it, computes new rules, and rolls them out in phases, with a drain after the
//! deletions. A part that works again stays shut until the rules that need it are back. So the rules of every phase are
//! proved for all failures that last and for all parts that are still shut.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_routing::failure::Failure;
use lightloom_routing::recovery::{Installed, Method, NotRecovered, RecoveryBase, StepKind};
use lightloom_topology::TorId;
use lightloom_units::{Instant, Span};

use super::incidents::{Incident, Spell, happenings, spells};
use super::rollout::{Begin, Event, Happening, Latch, Practice, Returns, Rollout, Stage};

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
    practice: Practice,
    until: Instant,
) -> Result<Rollout, NotRecovered> {
    let happened = happenings(base.fabric(), incidents, until);
    let times = practice.times;
    let mut course = Course::new(base, method, begin, incidents, practice, until)?;
    course.rollout.events.clone_from(&happened);
    course.rollout.events.extend(detected(&happened, times.detection, until));
    let mut news = happened.iter().peekable();
    let mut free = Instant::ZERO;
    while let Some(first) = news.next() {
        let mut last = first;
        let begins = free.max(first.at + times.detection);
        while let Some(more) = news.next_if(|more| more.at + times.detection <= begins) {
            last = more;
        }
        let Some(end) = course.handle(last, begins)? else {
            course.rollout.is_cut = true;
            break;
        };
        free = end;
    }
    Ok(course.finish(&happened))
}

/// The detections of failures and returns before the end of a run.
pub fn detected(
    happened: &[Event],
    detection: Span,
    until: Instant,
) -> impl Iterator<Item = Event> {
    let detected = move |event: &Event| {
        Event::new(event.at + detection, Happening::Detected, event.parts.clone())
    };
    happened.iter().map(detected).filter(move |event| event.at < until)
}

/// What the controller has done so far.
struct Course<'a, 'b> {
    base: &'b RecoveryBase<'a>,
    method: Method,
    practice: Practice,
    until: Instant,
    /// The failures that last from the start to the end.
    always: Vec<Failure>,
    spells: BTreeMap<Failure, Vec<Spell>>,
    names: BTreeMap<Failure, String>,
    /// For each part that was put back into service: its spells that ended up to this time are over.
    restored: BTreeMap<Failure, Instant>,
    /// The rules in the switches.
    now: Installed,
    /// The rules that the last rollout meant to install.
    meant: Installed,
    rollout: Rollout,
}

impl<'a, 'b> Course<'a, 'b> {
    fn new(
        base: &'b RecoveryBase<'a>,
        method: Method,
        begin: Begin,
        incidents: &[Incident],
        practice: Practice,
        until: Instant,
    ) -> Result<Self, NotRecovered> {
        let Begin { rules, failures } = begin;
        let names = incidents.iter().flat_map(|one| one.parts.iter().cloned()).collect();
        let hops = base.replay(&rules, &failures)?.last_copy;
        let mut course = Self {
            base,
            method,
            practice,
            until,
            always: failures,
            spells: spells(incidents),
            names,
            restored: BTreeMap::new(),
            now: rules.clone(),
            meant: rules.clone(),
            rollout: Rollout { hops, ..Rollout::default() },
        };
        course.rollout.stages.push(Stage {
            from: Instant::ZERO,
            kind: None,
            known: course.always.clone(),
            powerless: course.powerless(Instant::ZERO),
            rules,
            event: None,
        });
        Ok(course)
    }

    /// Failures of spells, with those that always last, ascending.
    fn failures(&self, is_meant: impl Fn(Failure, Spell) -> bool) -> Vec<Failure> {
        let meant = self
            .spells
            .iter()
            .filter(|(failure, spells)| spells.iter().any(|&spell| is_meant(**failure, spell)));
        let meant = meant.map(|(&failure, _)| failure);
        let all: BTreeSet<Failure> = meant.chain(self.always.iter().copied()).collect();
        all.into_iter().collect()
    }

    /// The failures that last at a time.
    fn lasting(&self, at: Instant) -> Vec<Failure> {
        self.failures(|_, spell| spell.holds(at))
    }

    /// Of the failures up to a time those whose parts are not back in service.
    fn out_of_service(&self, known: Instant) -> Vec<Failure> {
        self.failures(|failure, spell| spell.from <= known && !self.is_over(failure, spell))
    }

    /// Whether a part was put back into service after a spell.
    fn is_over(&self, failure: Failure, spell: Spell) -> bool {
        self.restored.get(&failure).is_some_and(|&up_to| spell.to <= up_to)
    }

    /// The ToRs without power, ascending.
    fn powerless(&self, at: Instant) -> Vec<TorId> {
        let off = |failure| match failure {
            Failure::Tor(tor) => Some(tor),
            _ => None,
        };
        self.lasting(at).into_iter().filter_map(off).collect()
    }

    /// Handles all failures and returns up to the last known one. Returns when the controller is free again. `None`:
    /// the run is over before.
    fn handle(&mut self, last: &Event, begins: Instant) -> Result<Option<Instant>, NotRecovered> {
        if begins >= self.until {
            return Ok(None);
        }
        let times = self.practice.times;
        let known = self.lasting(last.at);
        let mut out = self.out_of_service(last.at);
        // Who confirmed no rules counts as out of service, whether its failure is known or not.
        out.extend(self.now.differing_tors(&self.meant).into_iter().map(Failure::Tor));
        // Who has no power at the computation confirms nothing. The controller plans no rules for it.
        let off: Vec<TorId> = self.powerless(last.at);
        let target = self.base.target(&known, self.method)?;
        // Packets that were sent before these failures may be below the parts that failed.
        let hops_before = self.rollout.hops;
        self.rollout.hops = self.rollout.hops.max(self.base.replay(&target, &known)?.last_copy);
        let target = target.except(&self.now, &off);
        self.meant.clone_from(&target);
        let transition = self.base.transition(&self.now, &target, &out, hops_before)?;
        let tell = |what, at| Event::new(at, what, last.parts.clone());
        if begins > last.at + times.detection {
            self.rollout.events.push(tell(Happening::Begun, begins));
        }
        let mut at = begins + times.computation;
        if at >= self.until {
            return Ok(None);
        }
        self.rollout.events.push(tell(Happening::Computed, at));
        let stands_in = !self.now.via.is_empty();
        let drain = self.practice.drain.time(transition.hops, stands_in);
        let mut is_drained = false;
        for step in transition.steps {
            // Without deletions the packets from before the failure drain before anything takes their place.
            if step.kind != StepKind::Delete && !is_drained {
                (at, is_drained) = (at + drain, true);
                self.rollout.drains_stand_ins |= stands_in;
            }
            at = at + times.installation;
            if at >= self.until {
                return Ok(None);
            }
            let powerless = self.powerless(at);
            let rules = step.after.except(&self.now, &powerless);
            let (changed, switches) = rules.differs_from(&self.now);
            let event = Event::new(at, Happening::Installed(step.kind), String::new());
            self.rollout.events.push(Event { rules: changed, switches, ..event });
            let event = Some(self.rollout.events.len() - 1);
            self.now = rules.clone();
            let (kind, known) = (Some(step.kind), known.clone());
            let stage = Stage { from: at, kind, known, powerless, rules, event };
            self.rollout.stages.push(stage);
            if step.kind == StepKind::Delete {
                (at, is_drained) = (at + drain, true);
                self.rollout.drains_stand_ins |= stands_in;
            }
        }
        if at < self.until {
            self.restore(last.at, &known, at);
        }
        Ok(Some(at))
    }

    /// Puts parts back into service that had returned at a known time.
    fn restore(&mut self, known: Instant, lasting: &[Failure], at: Instant) {
        let back: Vec<Failure> = self
            .out_of_service(known)
            .into_iter()
            .filter(|failure| lasting.binary_search(failure).is_err())
            .collect();
        for &failure in &back {
            self.latch(failure, at);
            self.restored.insert(failure, known);
        }
        if self.practice.returns == Returns::AfterRules && !back.is_empty() {
            let names = back.iter().filter_map(|failure| self.names.get(failure));
            let names: Vec<&str> = names.map(String::as_str).collect();
            self.rollout.events.push(Event::new(at, Happening::Restored, names.join(",")));
        }
    }

    /// A part is shut from its first return that no rules followed until a time.
    fn latch(&mut self, failure: Failure, to: Instant) {
        if self.practice.returns == Returns::AtOnce {
            return;
        }
        let spells = self.spells.get(&failure).into_iter().flatten();
        let from =
            spells.filter(|&&spell| !self.is_over(failure, spell)).map(|spell| spell.to).min();
        if let Some(from) = from.filter(|&from| from < to) {
            self.rollout.latches.push(Latch { failure, from, to });
        }
    }

    /// Shuts what never comes back, and looks for states that nothing proves.
    fn finish(mut self, happened: &[Event]) -> Rollout {
        for failure in self.out_of_service(self.until) {
            self.latch(failure, Instant::NEVER);
        }
        self.rollout.unproved = self.unproved(happened);
        self.rollout
    }

    /// Replays the rules in force with what is really out of service, at every change of either.
    fn unproved(&self, happened: &[Event]) -> Vec<String> {
        let stages = &self.rollout.stages;
        let times = stages.iter().map(|stage| stage.from).chain(happened.iter().map(|one| one.at));
        let times: BTreeSet<Instant> = times.collect();
        let mut unproved = Vec::new();
        for at in times {
            let Some(stage) = stages.iter().rfind(|stage| stage.from <= at) else { continue };
            let latched = self.rollout.latches.iter();
            let latched = latched.filter(|latch| latch.from <= at && at < latch.to);
            let mut out = self.lasting(at);
            out.extend(latched.map(|latch| latch.failure));
            if let Err(error) = self.base.replay(&stage.rules, &out) {
                unproved.push(format!("the rules in force from {at} on are not safe: {error}"));
            }
        }
        unproved
    }
}
