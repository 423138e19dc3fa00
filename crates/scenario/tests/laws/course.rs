//! The course of recoveries: what fails, what is latched, what is told, and what each phase leaves in the switches.

use std::collections::BTreeSet;
use std::sync::Arc;

use lightloom_routing::failure::Failure;
use lightloom_routing::recovery::{Method, Objective, RecoveryBase, StepKind};
use lightloom_routing::{Algorithm1, RelayTables, RouterKind};
use lightloom_scenario::glass::drain::Drain;
use lightloom_scenario::glass::rollout::{
    Begin, Happening, Practice, RecoveryTimes, Returns, Rollout,
};
use lightloom_scenario::glass::{Incident, roll_out};
use lightloom_topology::family::Shufflecast;
use lightloom_topology::{Fabric, TorId};
use lightloom_units::{Instant, Span};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::copies::failure;

const METHOD: Method = Method::Replan(Objective::FewestChanges);
const UNTIL: Instant = Instant::from_ps(10_000_000_000);

fn us(time: u64) -> Instant {
    Instant::from_us(time)
}

/// Everything takes a microsecond, and the drain ten.
fn practice(returns: Returns) -> Practice {
    let one = Span::from_us(1);
    let times = RecoveryTimes { detection: one, computation: one, installation: one };
    Practice { times, drain: Drain::Said(Span::from_us(10)), returns }
}

fn incident(failure: Failure, from: u64, to: Option<u64>) -> Incident {
    Incident {
        parts: vec![(failure, format!("{failure:?}"))],
        failures: vec![failure],
        from: us(from),
        to: to.map_or(Instant::NEVER, us),
    }
}

struct World {
    shape: Shufflecast,
    fabric: Fabric,
}

impl World {
    fn new(p: u32, k: u32) -> Self {
        let shape = Shufflecast::new(p, k).unwrap();
        Self { shape, fabric: shape.fabric().unwrap() }
    }

    fn base(&self) -> RecoveryBase<'_> {
        let tables = RelayTables::new(&self.fabric, &mut Algorithm1::new(self.shape));
        let router = RouterKind::Algorithm1(self.shape);
        RecoveryBase::new(&self.fabric, router, Arc::new(tables), Span::from_us(2))
    }
}

fn course(base: &RecoveryBase<'_>, incidents: &[Incident], returns: Returns) -> Rollout {
    let begin = Begin { rules: base.target(&[], METHOD).unwrap(), failures: Vec::new() };
    roll_out(base, METHOD, begin, incidents, practice(returns), UNTIL).unwrap()
}

fn times(rollout: &Rollout, what: Happening) -> Vec<Instant> {
    rollout.events.iter().filter(|event| event.what == what).map(|event| event.at).collect()
}

/// Whether it is back before it is detected, before its rollout ends, or later.
#[test]
fn every_branch_that_comes_back_waits_for_its_rules() {
    let world = World::new(2, 3);
    let base = world.base();
    for from in world.fabric.tor_ids() {
        for &to in world.fabric.receivers(world.fabric.transmits_into(from)) {
            let failure = Failure::Branch { from, to };
            // Before it is detected, as it is, during its rollout, and after that.
            for returns in [11, 12, 15, 50] {
                let incidents = [incident(failure, 10, Some(returns))];
                let rollout = course(&base, &incidents, Returns::AfterRules);
                assert_eq!(rollout.unproved, Vec::<String>::new());
                let restored = times(&rollout, Happening::Restored);
                let last = rollout.stages.last().unwrap();
                assert_eq!((restored.len(), &last.rules), (1, &base.target(&[], METHOD).unwrap()));
                assert!(restored[0] >= last.from);
                let [latch] = rollout.latches[..] else { panic!("{:?}", rollout.latches) };
                assert_eq!(
                    (latch.failure, latch.from, latch.to),
                    (failure, us(returns), restored[0])
                );
                let at_once = course(&base, &incidents, Returns::AtOnce);
                assert_eq!(at_once.latches, []);
                assert_eq!(at_once.stages, rollout.stages);
            }
        }
    }
}

#[test]
fn a_part_that_fails_twice_at_a_time_returns_once() {
    let world = World::new(2, 2);
    let base = world.base();
    let relay = Failure::Relay(TorId(3));
    let mut incidents = vec![incident(relay, 10, Some(60)), incident(relay, 40, Some(100))];
    for _ in 0..2 {
        let rollout = course(&base, &incidents, Returns::AfterRules);
        assert_eq!(times(&rollout, Happening::Failed), [us(10)]);
        assert_eq!(times(&rollout, Happening::Returned), [us(100)]);
        assert_eq!(times(&rollout, Happening::Detected), [us(11), us(101)]);
        incidents.reverse();
    }
    // A transmitter is no good without its ToR.
    let tor = incident(Failure::Tor(TorId(3)), 40, Some(100));
    let rollout = course(&base, &[incident(relay, 10, Some(60)), tor], Returns::AfterRules);
    let parts: Vec<_> = rollout
        .events
        .iter()
        .filter(|event| event.what == Happening::Returned)
        .map(|event| (event.at, event.parts.as_str()))
        .collect();
    assert_eq!(parts, [(us(100), "Tor(TorId(3))")]);
}

#[test]
fn a_busy_controller_begins_later_than_it_detects() {
    let world = World::new(2, 3);
    let base = world.base();
    let [first, second] = [3, 10].map(|tor| Failure::Relay(TorId(tor)));
    let incidents = [incident(first, 10, None), incident(second, 12, None)];
    let rollout = course(&base, &incidents, Returns::AfterRules);
    assert_eq!(times(&rollout, Happening::Detected), [us(11), us(13)]);
    // The first rollout: computed at 12, deleted at 13, drained until 23, added at 24.
    assert_eq!(times(&rollout, Happening::Begun), [us(24)]);
    assert_eq!(times(&rollout, Happening::Computed), [us(12), us(25)]);
}

#[test]
fn a_tor_without_power_gets_no_rules() {
    let world = World::new(2, 3);
    let base = world.base();
    let tor = TorId(23);
    let incidents = [incident(Failure::Tor(tor), 10, Some(200))];
    let rollout = course(&base, &incidents, Returns::AfterRules);
    let begin = &rollout.stages[0].rules;
    let dark: Vec<_> = rollout.stages.iter().filter(|stage| stage.from < us(200)).collect();
    assert!(dark.len() > 2);
    assert!(dark.iter().all(|stage| stage.rules.lists[23] == begin.lists[23]));
    // The plan deletes its rules too: it is told of all but these.
    let planned = base.target(&[Failure::Tor(tor)], METHOD).unwrap();
    let deleted = |lists: &[Vec<TorId>]| -> usize {
        let both = begin.lists.iter().zip(lists);
        both.map(|(old, new)| old.iter().filter(|source| !new.contains(source)).count()).sum()
    };
    let own = begin.lists[23].iter().filter(|source| !planned.lists[23].contains(source)).count();
    let told = rollout
        .events
        .iter()
        .find(|event| event.what == Happening::Installed(StepKind::Delete))
        .unwrap();
    assert!(own > 0);
    assert_eq!(told.rules, deleted(&planned.lists) - own);
}

proptest! {
    /// Whatever fails and returns: no run is refused, every state is proved, and no phase changes a ToR without power.
    #[test]
    fn every_course_is_carried_out_and_proved(
        size in prop_oneof![Just((2, 2)), Just((3, 2)), Just((2, 3))],
        draws in vec((0_u8..7, any::<Index>(), any::<Index>(), 1_u64..60, proptest::option::of(1_u64..60)), 1..6),
    ) {
        let world = World::new(size.0, size.1);
        let base = world.base();
        let incidents: Vec<Incident> = draws
            .into_iter()
            .map(|(kind, which, other, from, lasts)| {
                let failure = failure(&world.fabric, (kind, which, other));
                incident(failure, from, lasts.map(|lasts| from + lasts))
            })
            .collect();
        let rollout = course(&base, &incidents, Returns::AfterRules);
        prop_assert_eq!(&rollout.unproved, &Vec::<String>::new());
        let off = |at: Instant| -> BTreeSet<TorId> {
            let lasting = incidents.iter().filter(|one| one.from <= at && at < one.to);
            let tor = |failure: &Failure| match *failure {
                Failure::Tor(tor) => Some(tor),
                _ => None,
            };
            lasting.flat_map(|one| &one.failures).filter_map(tor).collect()
        };
        for pair in rollout.stages.windows(2) {
            prop_assert!(pair[0].from <= pair[1].from);
            for tor in off(pair[1].from) {
                prop_assert_eq!(&pair[0].rules.lists[tor.index()], &pair[1].rules.lists[tor.index()]);
            }
            // A phase of deletions adds nothing, and one of additions deletes nothing.
            for (old, new) in pair[0].rules.lists.iter().zip(&pair[1].rules.lists) {
                let gone = old.iter().any(|source| !new.contains(source));
                let come = new.iter().any(|source| !old.contains(source));
                let is_fine = match pair[1].kind {
                    Some(StepKind::Delete) => !come,
                    Some(StepKind::Accept) => !come && !gone,
                    _ => true,
                };
                prop_assert!(is_fine, "{:?}", pair[1].kind);
            }
        }
        // What is not used again at the end waits for rules, or is not back.
        for latch in &rollout.latches {
            prop_assert!(latch.from < latch.to);
        }
    }
}
