//! What a row of `[[collective]]` says, checked.

use lightloom_request::InputError;
use lightloom_schedules::{Given, Graph, Operation, Refusal, Route, Schedule, To};
use lightloom_topology::electrical::NodeId;
use lightloom_twin::GroupId;
use lightloom_units::{DataSize, Instant, Span};

use crate::build::casts::Casts;
use crate::build::collective_messages::{OfGroup, dones};
use crate::build::context::Context;
use crate::build::flows::size;
use crate::build::members::{GroupRows, Grouped};
use crate::build::order;
use crate::build::parts::{Part, Parts};
use crate::build::patterns::each_once;
use crate::build::random::Purpose;
use crate::build::routes::{self, Routing};
use crate::said::limits::LARGEST_FLOW;
use crate::said::{CollectiveRow, Order, Place, Row as _};
use crate::scenario::GroupTransport;

/// An operation as its row says it.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) operation: Operation,
    pub(super) schedule: Schedule,
    pub(super) start: Instant,
    pub(super) group: Option<OfGroup>,
    /// In the order of the schedule.
    pub(super) members: Vec<NodeId>,
    /// The tokens of a mixture of experts.
    routes: Vec<Route>,
    /// All of the data.
    pub(super) size: DataSize,
    pub(super) parts: Parts,
    pub(super) place: Place,
}

impl Said {
    /// Checks a row by itself. `routing` is what is in the file that it names.
    pub(super) fn new(
        row: &CollectiveRow,
        routing: Option<&Routing>,
        (groups, context): (&GroupRows, &Context),
        number: usize,
    ) -> Result<Self, InputError> {
        let place = CollectiveRow::place_of(number);
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
        let members = ordered(row, listed, (place, number as u64), context)?;
        let routes = match (operation, routing) {
            (Operation::Dispatch | Operation::Combine, None) => {
                return Err(place.missing("routes", "\"tokens.csv\""));
            }
            (_, None) => Vec::new(),
            (_, Some(routing)) => routes::routes(routing, &members, (place, context))?,
        };
        let size = all(size, routes.len(), place)?;
        let parts = Parts {
            repeat: row.repeat.unwrap_or(1),
            depth: row.depth.unwrap_or(1),
            buckets: row.buckets.unwrap_or(1),
            compute: row.compute.unwrap_or(Span::ZERO),
            size,
        };
        Ok(Self { operation, schedule, start, group, members, routes, size, parts, place })
    }

    /// What the schedule is made for.
    pub(super) fn given(&self, row: &CollectiveRow) -> Given<'_> {
        let number = |all: usize| u32::try_from(all).unwrap_or(u32::MAX);
        Given {
            members: number(self.members.len()),
            bytes: self.size.as_bytes(),
            slice: self.schedule.slice(row.slice.map(DataSize::as_bytes)),
            at_once: row.at_once.unwrap_or(1),
            sources: row.sources.as_ref().map_or(1, |all| number(all.len())),
            shards: row.shards.unwrap_or(1),
            layers: row.layers.unwrap_or(1),
            routes: &self.routes,
        }
    }

    /// The messages of a part of the data, and those after which members are done with it.
    pub(super) fn part(&self, given: &Given<'_>) -> Result<Part, InputError> {
        let graph = self.schedule.graph(self.operation, given).map_err(|refusal| {
            let field = match refusal {
                Refusal::Alone(_) | Refusal::Fleet { .. } => "members",
                Refusal::AtHome => "routes",
                _ => "schedule",
            };
            self.place.refuse(field, refusal.to_string())
        })?;
        let is_reliable = self.group.is_some_and(|group| !group.is_datagram);
        let dones = dones(&graph, is_reliable);
        Ok((graph, dones))
    }
}

/// What all tokens have together, or what is said where there are none.
fn all(size: DataSize, tokens: usize, place: Place) -> Result<DataSize, InputError> {
    if tokens == 0 {
        return Ok(size);
    }
    let bytes = size.as_bytes().saturating_mul(tokens as u64);
    let all = DataSize::from_bytes(bytes);
    if all > LARGEST_FLOW {
        let message =
            format!("found {size} for {tokens} tokens; all together have at most {LARGEST_FLOW}");
        return Err(place.refuse("size", message));
    }
    Ok(all)
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
pub(super) fn check_group(
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
    if let Some(sources) = &row.sources {
        return sources_first(members, &each_once(sources, (place, "sources"), context)?, place);
    }
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

/// The members with the sources before the others.
fn sources_first(
    members: Vec<NodeId>,
    sources: &[NodeId],
    place: Place,
) -> Result<Vec<NodeId>, InputError> {
    if sources.is_empty() {
        return Err(place.refuse("sources", "found an empty list; name a member, or leave it out"));
    }
    if let Some(foreign) = sources.iter().find(|source| !members.contains(source)) {
        let message = format!("found {foreign}, which is no member; name members");
        return Err(place.refuse("sources", message));
    }
    let others = members.into_iter().filter(|member| !sources.contains(member));
    Ok(sources.iter().copied().chain(others).collect())
}
