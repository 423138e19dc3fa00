//! `[[collective]]`: collective operations, turned into messages by their schedules.

use lightloom_request::InputError;
use lightloom_schedules::{Given, Graph, Message, MessageId, To};
use lightloom_topology::electrical::NodeId;
use lightloom_twin::{Class, Verb};
use lightloom_units::{DataSize, Span};

use crate::build::casts::Casts;
use crate::build::collective_rows::{Said, check_group};
use crate::build::computations::Computations;
use crate::build::context::Context;
use crate::build::flows::Traffic;
use crate::build::jobs::{self, Entering, Prepared};
use crate::build::members::GroupRows;
use crate::build::parts::Parts;
use crate::build::routes::Routing;
use crate::build::sent::Sent;
use crate::said::{CollectiveRow, Place};
use crate::scenario::{Collective, Job, OfTime};

/// The collective operations of a scenario.
#[derive(Debug, Clone, Default)]
pub(super) struct Collectives {
    pub(super) all: Vec<Collective>,
    /// Messages that wait for messages to groups, which get their numbers last.
    pub(super) awaited: Vec<(Sent, usize)>,
    /// Flows of one operation that follow each other, by the number after them.
    pub(super) flow_ends: Vec<(usize, usize)>,
    pub(super) jobs: Vec<Job>,
    /// Operations whose messages are made with those of their job.
    prepared: Vec<Prepared>,
    /// The rows of groups that operations send to, with the operations.
    groups: Vec<(usize, Place)>,
}

impl Collectives {
    /// Adds the messages of an operation.
    pub(super) fn add(
        &mut self,
        (row, routing): (&CollectiveRow, Option<&Routing>),
        (traffic, casts, groups): (&mut Traffic, &mut Casts, &GroupRows),
        computations: &mut Computations,
        context: &Context,
        mtu: u64,
    ) -> Result<(), InputError> {
        let number = self.all.len();
        let said = Said::new(row, routing, (groups, context), number)?;
        let Said { operation, schedule, start, group, size, parts, place, .. } = said;
        let given = said.given(row);
        if !self.is_of_last_job(row) {
            self.enter(traffic, casts, computations);
        }
        jobs::check(row, (&self.jobs, &self.prepared), (&parts, group), place)?;
        let sent = traffic.flows.len() + casts.casts.len() + self.expected();
        parts.check((place, context), (sent, schedule.most_messages(operation, &given) as f64))?;
        if parts.compute > Span::ZERO {
            let computing = said.members.len() as f64 * parts.number();
            let prepared: f64 = self.prepared.iter().map(Prepared::computations).sum();
            let all = computations.all.len();
            context.check_computations(place, "compute", all, prepared + computing)?;
        }
        let graphs = parts.graphs(|bytes| said.part(&Given { bytes, ..given }))?;
        let class = row.class.unwrap_or(Class::LOSSLESS);
        if let Some(group) = group {
            for (graph, _) in graphs.values() {
                check_group(row, (graph, group), (size, mtu), place)?;
            }
            casts.has_class(group.row, class).map_err(|message| place.refuse("class", message))?;
            self.groups.push((group.row, place));
        }
        let name = row.name.clone().unwrap_or_else(|| format!("{operation} {schedule}"));
        let Parts { depth, buckets, compute, .. } = parts;
        let members = said.members;
        let filtered = graphs.values().map(|(graph, _)| graph.filtered()).sum();
        let firsts = graphs.values().flat_map(|(graph, _)| firsts(graph, &members)).collect();
        self.prepared.push(Prepared {
            number,
            members: members.clone(),
            start,
            class,
            verb: row.verb.unwrap_or(Verb::Write),
            group,
            parts,
            graphs,
        });
        let collective = Collective {
            name,
            operation,
            schedule,
            members,
            size,
            compute,
            buckets,
            depth,
            filtered: DataSize::from_bytes(filtered),
            firsts,
            iterations: Vec::new(),
        };
        self.all.push(collective);
        match &row.job {
            None => self.enter(traffic, casts, computations),
            Some(name) => self.job(name),
        }
        Ok(())
    }

    /// Whether an operation goes on with the job whose messages are not made yet.
    fn is_of_last_job(&self, row: &CollectiveRow) -> bool {
        let last = self.jobs.last().filter(|_| !self.prepared.is_empty());
        last.is_some_and(|job| row.job.as_ref() == Some(&job.name))
    }

    /// Enters the last operation into its job.
    fn job(&mut self, name: &str) {
        let end = self.all.len();
        match self.jobs.last_mut().filter(|job| job.name == name) {
            Some(job) => job.operations.end = end,
            None => self.jobs.push(Job { name: name.to_owned(), operations: end - 1..end }),
        }
    }

    /// Number of messages of the operations that are prepared.
    pub(super) fn expected(&self) -> usize {
        self.prepared.iter().map(Prepared::messages).sum()
    }

    /// Makes the messages of the operations that are prepared.
    pub(super) fn enter(
        &mut self,
        traffic: &mut Traffic,
        casts: &mut Casts,
        computations: &mut Computations,
    ) {
        let prepared = std::mem::take(&mut self.prepared);
        let mut run = Entering { traffic, casts, computations, awaited: &mut self.awaited };
        for (operation, iteration) in run.all(&prepared) {
            let (flows, casts) = (iteration.flows.end, iteration.casts.end);
            push_end(&mut self.flow_ends, (flows, operation));
            push_end(&mut run.casts.of_collectives, (casts, operation));
            self.all[operation].iterations.push(iteration);
        }
    }

    /// The number of the first flow of all operations.
    pub(super) fn begin(&self, flows: usize) -> usize {
        let first = self.all.first().and_then(|one| one.iterations.first());
        first.map_or(flows, |first| first.flows.start)
    }

    /// Refuses operations over groups whose members change.
    pub(super) fn check(&self, groups: &GroupRows) -> Result<(), InputError> {
        let changes = |of: usize| groups.changes.iter().any(|(changed, _)| *changed == of);
        match self.groups.iter().find(|(of, _)| changes(*of)) {
            None => Ok(()),
            Some((_, place)) => {
                let message = "names a group whose members change; an operation has the same members throughout";
                Err(place.refuse("group", message))
            }
        }
    }
}

/// The servers of a fleet, each with the message that brings its first layer.
fn firsts(graph: &Graph, members: &[NodeId]) -> Vec<(NodeId, OfTime)> {
    let (mut flows, mut casts) = (0, 0);
    let place = |message: &Message| {
        let (of, count): (fn(usize) -> OfTime, _) = match message.to {
            To::Member(_) => (OfTime::Flow, &mut flows),
            To::Others => (OfTime::Cast, &mut casts),
        };
        *count += 1;
        of(*count - 1)
    };
    let places: Vec<OfTime> = graph.messages().iter().map(place).collect();
    let of = |&(member, id): &(u32, MessageId)| (members[member as usize], places[id.index()]);
    graph.firsts().iter().map(of).collect()
}

/// Lets the messages until an end be those of an operation. All operations have an end, also those without messages.
fn push_end(ends: &mut Vec<(usize, usize)>, (end, of): (usize, usize)) {
    match ends.last_mut().filter(|(_, last)| *last == of) {
        Some(last) => last.0 = end,
        None => ends.push((end, of)),
    }
}
