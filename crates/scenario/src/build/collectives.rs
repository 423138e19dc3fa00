//! `[[collective]]`: collective operations, turned into messages by their schedules.

use lightloom_request::InputError;
use lightloom_schedules::{Given, Graph, Operation, Refusal, Schedule, To};
use lightloom_topology::electrical::NodeId;
use lightloom_twin::{Class, GroupId, Verb};
use lightloom_units::{DataSize, Span};

use crate::build::casts::Casts;
use crate::build::collective_messages::{Making, OfGroup, dones};
use crate::build::computations::Computations;
use crate::build::context::Context;
use crate::build::flows::{Traffic, size};
use crate::build::members::{GroupRows, Grouped};
use crate::build::order;
use crate::build::parts::Parts;
use crate::build::random::Purpose;
use crate::build::sent::{Owner, Sent};
use crate::said::{CollectiveRow, Order, Place, Row as _};
use crate::scenario::{Collective, GroupTransport};

/// Size of slices where none is said, in bytes.
pub(super) const SLICE: u64 = 64_000;

/// The collective operations of a scenario.
#[derive(Debug, Clone, Default)]
pub(super) struct Collectives {
    pub(super) all: Vec<Collective>,
    /// Messages that wait for messages to groups, which get their numbers last.
    pub(super) awaited: Vec<(Sent, usize)>,
    /// The rows of groups that operations send to, with the operations.
    groups: Vec<(usize, Place)>,
}

impl Collectives {
    /// Adds the messages of an operation.
    pub(super) fn add(
        &mut self,
        row: &CollectiveRow,
        (traffic, casts, groups): (&mut Traffic, &mut Casts, &GroupRows),
        computations: &mut Computations,
        context: &Context,
        mtu: u64,
    ) -> Result<(), InputError> {
        let place = CollectiveRow::place_of(self.all.len());
        let operation = row.operation.ok_or_else(|| place.missing("operation", "\"broadcast\""))?;
        check_fields(row, operation, place)?;
        row.check(place)?;
        let schedule = row.schedule.ok_or_else(|| place.missing("schedule", "\"binomial\""))?;
        only_with(row, schedule, place)?;
        if row.name.as_ref().is_some_and(|name| name.trim().is_empty()) {
            let message = "found an empty name; give one such as \"step\", or leave it out";
            return Err(place.refuse("name", message));
        }
        let size = match operation {
            Operation::Barrier => DataSize::from_bytes(0),
            _ => size(place, row.size)?,
        };
        let start = context.start(place, row.start)?;
        let group = group(row, schedule, groups, place)?;
        let listed = match group {
            Some(group) => groups.rows[group.row].members[0].clone(),
            None => order::listed(row.members.as_ref(), (place, "members"), context)?,
        };
        let members = ordered(row, listed, (place, self.all.len() as u64), context)?;
        let given = Given {
            members: u32::try_from(members.len()).unwrap_or(u32::MAX),
            bytes: size.as_bytes(),
            slice: row.slice.map_or(SLICE, DataSize::as_bytes),
            at_once: row.at_once.unwrap_or(1),
        };
        let parts = Parts {
            repeat: row.repeat.unwrap_or(1),
            depth: row.depth.unwrap_or(1),
            buckets: row.buckets.unwrap_or(1),
            compute: row.compute.unwrap_or(Span::ZERO),
            size,
        };
        let sent = traffic.flows.len() + casts.casts.len();
        parts.check((place, context), (sent, schedule.most_messages(&given) as f64))?;
        if parts.compute > Span::ZERO {
            let computing = members.len() as f64 * parts.number();
            context.check_computations(place, "compute", computations.all.len(), computing)?;
        }
        let is_reliable = group.is_some_and(|group| !group.is_datagram);
        let graphs = parts.graphs(|bytes| {
            let graph =
                schedule.graph(operation, &Given { bytes, ..given }).map_err(|refusal| {
                    let field =
                        if matches!(refusal, Refusal::Alone(_)) { "members" } else { "schedule" };
                    place.refuse(field, refusal.to_string())
                })?;
            let dones = dones(&graph, is_reliable);
            Ok((graph, dones))
        })?;
        let class = row.class.unwrap_or(Class::LOSSLESS);
        if let Some(group) = group {
            for (graph, _) in graphs.values() {
                check_group(row, (graph, group), (size, mtu), place)?;
            }
            casts.has_class(group.row, class).map_err(|message| place.refuse("class", message))?;
            self.groups.push((group.row, place));
        }
        let mut making = Making {
            members: &members,
            start,
            class,
            verb: row.verb.unwrap_or(Verb::Write),
            group,
            place,
            owner: Owner::Collective(self.all.len()),
            awaited: &mut self.awaited,
            computations,
        };
        let iterations = making.iterations(&parts, &graphs, (traffic, casts));
        let Parts { depth, buckets, compute, .. } = parts;
        casts.of_collectives.push(casts.casts.len());
        let name = row.name.clone().unwrap_or_else(|| format!("{operation} {schedule}"));
        let collective = Collective {
            name,
            operation,
            schedule,
            members,
            size,
            compute,
            buckets,
            depth,
            iterations,
        };
        self.all.push(collective);
        Ok(())
    }

    /// The number of the first flow of all operations.
    pub(super) fn begin(&self, flows: usize) -> usize {
        let first = self.all.first().and_then(|one| one.iterations.first());
        first.map_or(flows, |first| first.flows.start)
    }

    /// The number of the first flow after each operation.
    pub(super) fn flow_ends(&self) -> Vec<usize> {
        let last = |one: &Collective| one.iterations.last().map_or(0, |last| last.flows.end);
        self.all.iter().map(last).collect()
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

/// Refuses fields that an operation does not have.
fn check_fields(row: &CollectiveRow, operation: Operation, place: Place) -> Result<(), InputError> {
    let known = CollectiveRow::SECTION.names_of(operation.name());
    let foreign = CollectiveRow::SECTION
        .names()
        .into_iter()
        .find(|name| !known.contains(name) && row.has(name));
    match foreign {
        None => Ok(()),
        Some(field) => {
            Err(place
                .refuse(field, format!("is for other operations than {operation}; leave it out")))
        }
    }
}

/// Refuses fields that do nothing with a schedule.
fn only_with(row: &CollectiveRow, schedule: Schedule, place: Place) -> Result<(), InputError> {
    let sends = schedule.has_multicasts();
    let idle = [
        ("slice", row.slice.is_some() && !schedule.has_slices(), "schedules with slices"),
        ("group", row.group.is_some() && !sends, "schedules that send to a group; give members"),
        ("at_once", row.at_once.is_some() && !sends, "schedules that send to a group"),
        (
            "members",
            row.members.is_some() && sends,
            "schedules that send to no group; name the group",
        ),
    ];
    match idle.into_iter().find(|(_, is_idle, _)| *is_idle) {
        None => Ok(()),
        Some((field, _, of)) => {
            Err(place.refuse(field, format!("does nothing with {schedule}: it is for {of}")))
        }
    }
}

/// The group that a schedule sends to.
fn group(
    row: &CollectiveRow,
    schedule: Schedule,
    groups: &GroupRows,
    place: Place,
) -> Result<Option<OfGroup>, InputError> {
    if !schedule.has_multicasts() {
        return Ok(None);
    }
    let of = groups.named(place, row.group.as_ref())?;
    let Grouped { first, members, transport, .. } = &groups.rows[of];
    if members.len() != 1 {
        let message = format!("found {} groups of one row; name a single group", members.len());
        return Err(place.refuse("group", message));
    }
    let is_datagram = *transport == GroupTransport::Datagram;
    Ok(Some(OfGroup { row: of, id: GroupId(*first), is_datagram }))
}

/// Refuses what a group cannot do.
fn check_group(
    row: &CollectiveRow,
    (graph, group): (&Graph, OfGroup),
    (size, mtu): (DataSize, u64),
    place: Place,
) -> Result<(), InputError> {
    if row.at_once.is_some_and(|at_once| at_once > 1) && !group.is_datagram {
        let message = "is more than 1, and a reliable group sends one message at a time; leave it out, or take a group \
                       with transport = \"datagram\"";
        return Err(place.refuse("at_once", message));
    }
    if row.repeat.is_some_and(|repeat| repeat > 1) && group.is_datagram {
        let message = "is more than 1, and a sender of datagrams does not learn of their arrival; leave it out, or \
                       take a reliable group";
        return Err(place.refuse("repeat", message));
    }
    let of_group = graph.messages().iter().filter(|message| message.to == To::Others);
    let sizes = of_group.map(|message| graph.bytes(message.blocks));
    let (least, most) = sizes.fold((u64::MAX, 0), |(a, b), bytes| (a.min(bytes), b.max(bytes)));
    if least == 0 {
        let members = graph.members();
        let message = format!("found {size} for {members} members; give each at least 1 B to send");
        return Err(place.refuse("size", message));
    }
    Casts::check_size(DataSize::from_bytes(most), mtu)
        .map_err(|message| place.refuse("size", message))
}

/// The members in the order of the schedule, the root first.
fn ordered(
    row: &CollectiveRow,
    mut members: Vec<NodeId>,
    (place, number): (Place, u64),
    context: &Context,
) -> Result<Vec<NodeId>, InputError> {
    let nodes = &context.nodes;
    let root = row.root.as_ref().map(|said| nodes.host_of(place, "root", said)).transpose()?;
    let root = root.or(members.first().copied());
    let random = (Purpose::Order, number);
    order::put(row.order.unwrap_or(Order::Listed), &mut members, random, context);
    let Some(root) = root else { return Ok(members) };
    let Some(first) = members.iter().position(|&member| member == root) else {
        let name = nodes.network.name(root);
        return Err(
            place.refuse("root", format!("found {name:?}, which is no member; name a member"))
        );
    };
    members.rotate_left(first);
    Ok(members)
}
