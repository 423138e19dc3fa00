//! What fails in a planned fabric during a run, and when it works again.

use std::collections::BTreeMap;

use lightloom_routing::failure::Failure;
use lightloom_topology::Fabric;
use lightloom_units::Instant;

use super::rollout::{Event, Happening};

/// Parts of a fabric that fail together, for a while.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incident {
    /// The failed parts that the scenario names, each with its name.
    pub parts: Vec<(Failure, String)>,
    /// All failures: those of the parts, and those that link fault signalling adds.
    pub failures: Vec<Failure>,
    /// Simulated time at which it begins.
    pub from: Instant,
    /// Simulated time at which it ends.
    pub to: Instant,
}

/// A time in which something has failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spell {
    /// Simulated time at which it begins.
    pub from: Instant,
    /// Simulated time at which it ends.
    pub to: Instant,
}

impl Spell {
    /// Whether it has begun and is not over.
    pub fn holds(self, at: Instant) -> bool {
        self.from <= at && at < self.to
    }
}

/// Whether a part is dead for certain while a failure lasts: it is the failed part, or inside of it.
fn is_dead_with(fabric: &Fabric, part: Failure, failure: Failure) -> bool {
    use Failure as F;
    match (part, failure) {
        (
            F::Relay(inner) | F::Transmitter(inner),
            F::Relay(of) | F::Transmitter(of) | F::Tor(of),
        )
        | (F::Receiver { tor: inner, .. }, F::Tor(of)) => inner == of,
        (F::Splitter(of) | F::Branch { from: of, .. }, F::Cassette(cassette)) => {
            fabric.transmits_into(of) == cassette
        }
        _ => part == failure,
    }
}

/// The failures and returns of parts before the end of a run, by time. A part that several incidents name fails when
/// the first of them begins, and returns when the last is over.
pub fn happenings(fabric: &Fabric, incidents: &[Incident], until: Instant) -> Vec<Event> {
    let mut events = Vec::new();
    for (place, one) in incidents.iter().enumerate() {
        let others = || incidents.iter().enumerate().filter(move |(other, _)| *other != place);
        let names = |is_told: &dyn Fn(Failure) -> bool| {
            let told = one.parts.iter().filter(|(failure, _)| is_told(*failure));
            told.map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(",")
        };
        let covers = |other: &Incident, part: Failure| {
            other.failures.iter().any(|&failure| is_dead_with(fabric, part, failure))
        };
        let failed = names(&|part| {
            !others().any(|(number, other)| {
                let begins_first = (other.from, number) < (one.from, place);
                begins_first && one.from <= other.to && covers(other, part)
            })
        });
        let returned = names(&|part| {
            !others().any(|(number, other)| {
                // Of two that end together the first in the list tells it.
                let ends_last = one.to < other.to || (one.to == other.to && number < place);
                ends_last && other.from <= one.to && covers(other, part)
            })
        });
        let both = [(one.from, Happening::Failed, failed), (one.to, Happening::Returned, returned)];
        let told = both.into_iter().filter(|(at, _, parts)| *at < until && !parts.is_empty());
        events.extend(told.map(|(at, what, parts)| Event::new(at, what, parts)));
    }
    events.sort_by_key(|event| event.at);
    events
}

/// When each failure lasts. Spells of one failure that overlap or touch are one.
pub fn spells(incidents: &[Incident]) -> BTreeMap<Failure, Vec<Spell>> {
    let mut spells: BTreeMap<Failure, Vec<Spell>> = BTreeMap::new();
    let mut by_time: Vec<&Incident> = incidents.iter().collect();
    by_time.sort_by_key(|one| one.from);
    for one in by_time {
        for &failure in &one.failures {
            let all = spells.entry(failure).or_default();
            match all.last_mut().filter(|last| one.from <= last.to) {
                Some(last) => last.to = last.to.max(one.to),
                None => all.push(Spell { from: one.from, to: one.to }),
            }
        }
    }
    spells
}
