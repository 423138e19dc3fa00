//! `job` of `[[collective]]`: operations that go one after the other, and round again.

use std::collections::{BTreeMap, VecDeque};

use lightloom_request::InputError;
use lightloom_topology::electrical::NodeId;
use lightloom_twin::{Class, Verb};
use lightloom_units::{Instant, Span};

use crate::build::casts::Casts;
use crate::build::collective_messages::{Making, OfGroup};
use crate::build::computations::Computations;
use crate::build::flows::Traffic;
use crate::build::parts::{Part, Parts};
use crate::build::sent::{Owner, Sent};
use crate::said::{CollectiveRow, Place, Row as _};
use crate::scenario::{Iteration, Job};

/// An operation whose messages are not made yet.
#[derive(Debug, Clone)]
pub(super) struct Prepared {
    /// Its row.
    pub(super) number: usize,
    pub(super) members: Vec<NodeId>,
    pub(super) start: Instant,
    pub(super) class: Class,
    pub(super) verb: Verb,
    pub(super) group: Option<OfGroup>,
    pub(super) parts: Parts,
    pub(super) graphs: BTreeMap<u64, Part>,
}

impl Prepared {
    /// Number of its messages, over all times.
    pub(super) fn messages(&self) -> usize {
        let of_bucket = |bucket| self.graphs[&self.parts.bytes(bucket)].0.messages().len();
        self.parts.repeat as usize * (0..self.parts.buckets).map(of_bucket).sum::<usize>()
    }

    /// Number of its computations, over all times.
    pub(super) fn computations(&self) -> f64 {
        match self.parts.compute {
            Span::ZERO => 0.0,
            _ => self.members.len() as f64 * self.parts.number(),
        }
    }

    /// For each member, whether it sends or computes. Then it waits for all that it did before.
    fn busy(&self) -> Vec<bool> {
        let mut busy = vec![self.parts.compute > Span::ZERO; self.members.len()];
        for (graph, _) in self.graphs.values() {
            graph.messages().iter().for_each(|message| busy[message.from as usize] = true);
        }
        busy
    }
}

/// Refuses what a job cannot have. `jobs` are those until now, and `before` are the operations of the last one.
pub(super) fn check(
    row: &CollectiveRow,
    (jobs, before): (&[Job], &[Prepared]),
    (parts, group): (&Parts, Option<OfGroup>),
    place: Place,
) -> Result<(), InputError> {
    let Some(name) = &row.job else { return Ok(()) };
    if name.trim().is_empty() {
        let message = "found an empty name; give one such as \"step\", or leave it out";
        return Err(place.refuse("job", message));
    }
    if before.is_empty() && jobs.iter().any(|job| job.name == *name) {
        let message = format!(
            "found {name:?}, which other operations are a part of, and not the one before this; put the operations of \
             a job one after the other"
        );
        return Err(place.refuse("job", message));
    }
    if parts.depth > 1 {
        let message = "is for an operation without a job: those of a job go one after the other; leave it out";
        return Err(place.refuse("depth", message));
    }
    if group.is_some_and(|group| group.is_datagram) {
        let message = "is for operations over a reliable group: a sender of datagrams does not learn of their arrival; \
                       leave it out, or take a reliable group";
        return Err(place.refuse("job", message));
    }
    match before.first() {
        Some(first) if first.parts.repeat != parts.repeat => {
            let message = format!(
                "found {}, and the first operation of job {name:?} runs {} times; all of a job run as often",
                parts.repeat, first.parts.repeat
            );
            Err(place.refuse("repeat", message))
        }
        _ => Ok(()),
    }
}

/// What messages are entered into.
pub(super) struct Entering<'a> {
    pub(super) traffic: &'a mut Traffic,
    pub(super) casts: &'a mut Casts,
    pub(super) computations: &'a mut Computations,
    pub(super) awaited: &'a mut Vec<(Sent, usize)>,
}

impl Entering<'_> {
    /// Enters the messages of an operation, or of those of a job, each time. Returns what each operation has each time.
    pub(super) fn all(&mut self, prepared: &[Prepared]) -> Vec<(usize, Iteration)> {
        match prepared {
            [] => Vec::new(),
            [one] => self.alone(one),
            all => self.in_turn(all),
        }
    }

    /// An operation that waits for itself.
    fn alone(&mut self, one: &Prepared) -> Vec<(usize, Iteration)> {
        // What each member has done after each time, of as many as are under way at once.
        let mut done_before: VecDeque<Vec<Vec<Sent>>> = VecDeque::new();
        let mut iterations = Vec::new();
        for _ in 0..one.parts.repeat {
            let before = match done_before.len() as u64 == u64::from(one.parts.depth) {
                true => done_before.pop_front().unwrap_or_default(),
                false => Vec::new(),
            };
            let (iteration, done) = self.once(one, &before);
            done_before.push_back(done);
            iterations.push((one.number, iteration));
        }
        iterations
    }

    /// Operations of a job. A host begins one when it is done with what it has in those before.
    fn in_turn(&mut self, all: &[Prepared]) -> Vec<(usize, Iteration)> {
        let busy: Vec<Vec<bool>> = all.iter().map(Prepared::busy).collect();
        let mut done: BTreeMap<NodeId, Vec<Sent>> = BTreeMap::new();
        let mut iterations = Vec::new();
        for _ in 0..all[0].parts.repeat {
            for (one, busy) in all.iter().zip(&busy) {
                let of_member = |host| done.get(host).cloned().unwrap_or_default();
                let before: Vec<Vec<Sent>> = one.members.iter().map(of_member).collect();
                let (iteration, now) = self.once(one, &before);
                for ((host, now), is_busy) in one.members.iter().zip(now).zip(busy) {
                    let own = done.entry(*host).or_default();
                    // What it does now waits for all before.
                    if *is_busy {
                        own.clear();
                    }
                    own.extend(now);
                }
                iterations.push((one.number, iteration));
            }
        }
        iterations
    }

    /// An operation once, after what its members do `before`. Returns what they have done then.
    fn once(&mut self, one: &Prepared, before: &[Vec<Sent>]) -> (Iteration, Vec<Vec<Sent>>) {
        let mut making = Making {
            members: &one.members,
            start: one.start,
            class: one.class,
            verb: one.verb,
            group: one.group,
            place: CollectiveRow::place_of(one.number),
            owner: Owner::Collective(one.number),
            awaited: self.awaited,
            computations: self.computations,
        };
        making.once(&one.parts, &one.graphs, before, (self.traffic, self.casts))
    }
}
