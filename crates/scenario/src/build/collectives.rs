//! `[[collective]]`: collective operations, turned into messages by their schedules.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_request::InputError;
use lightloom_schedules::{Given, Graph, Message, MessageId, Operation, Refusal, Schedule, To};
use lightloom_topology::electrical::NodeId;
use lightloom_twin::{Cast, Class, FlowId, GroupId, Verb};
use lightloom_units::{DataSize, Instant};

use crate::build::casts::Casts;
use crate::build::context::Context;
use crate::build::flows::{Common, Traffic, size};
use crate::build::members::{GroupRows, Grouped};
use crate::build::patterns::each_once;
use crate::build::random::{Purpose, below, stream};
use crate::said::{CollectiveRow, Members, Order, Place, Row as _};
use crate::scenario::{Collective, GroupTransport, Iteration};

/// Size of slices where none is said, in bytes.
const SLICE: u64 = 64_000;

/// The collective operations of a scenario.
#[derive(Debug, Default)]
pub(super) struct Collectives {
    pub(super) all: Vec<Collective>,
    /// Messages that wait for messages to groups, which get their numbers last.
    pub(super) awaited: Vec<(Sent, usize)>,
    /// The rows of groups that operations send to, with the operations.
    groups: Vec<(usize, Place)>,
}

/// A message of a run, by its place among flows or among messages to groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sent {
    Flow(usize),
    Cast(usize),
}

/// The group of an operation.
#[derive(Debug, Clone, Copy)]
struct OfGroup {
    row: usize,
    id: GroupId,
    is_datagram: bool,
}

impl Collectives {
    /// Adds the messages of an operation.
    pub(super) fn add(
        &mut self,
        row: &CollectiveRow,
        (traffic, casts, groups): (&mut Traffic, &mut Casts, &GroupRows),
        context: &Context,
        mtu: u64,
    ) -> Result<(), InputError> {
        let place = CollectiveRow::place_of(self.all.len());
        let operation = row.operation.ok_or_else(|| place.missing("operation", "\"broadcast\""))?;
        check_fields(row, operation, place)?;
        row.check(place)?;
        let schedule = row.schedule.ok_or_else(|| place.missing("schedule", "\"binomial\""))?;
        only_with(row, schedule, place)?;
        let size = match operation {
            Operation::Barrier => DataSize::from_bytes(0),
            _ => size(place, row.size)?,
        };
        let start = context.start(place, row.start)?;
        let group = group(row, schedule, groups, place)?;
        let listed = match group {
            Some(group) => groups.rows[group.row].members[0].clone(),
            None => members(row, place, context)?,
        };
        let members = ordered(row, listed, (place, self.all.len() as u64), context)?;
        let given = Given {
            members: u32::try_from(members.len()).unwrap_or(u32::MAX),
            bytes: size.as_bytes(),
            slice: row.slice.map_or(SLICE, DataSize::as_bytes),
            at_once: row.at_once.unwrap_or(1),
        };
        let repeat = row.repeat.unwrap_or(1);
        let most = schedule.most_messages(&given) as f64 * f64::from(repeat);
        context.check_flows(place, "schedule", traffic.flows.len() + casts.casts.len(), most)?;
        let graph = schedule.graph(operation, &given).map_err(|refusal| {
            let field = if matches!(refusal, Refusal::Alone(_)) { "members" } else { "schedule" };
            place.refuse(field, refusal.to_string())
        })?;
        let class = row.class.unwrap_or(Class::LOSSLESS);
        if let Some(group) = group {
            check_group(row, (&graph, group), (size, mtu), place)?;
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
            number: self.all.len(),
            awaited: &mut self.awaited,
        };
        let dones = dones(&graph, group.is_some_and(|group| !group.is_datagram));
        let mut iterations = Vec::new();
        let mut before: Vec<Sent> = Vec::new();
        for _ in 0..repeat {
            let first = (traffic.flows.len(), casts.casts.len());
            before = making.messages(&graph, (&dones, &before), (traffic, casts));
            let flows = first.0..traffic.flows.len();
            iterations.push(Iteration { flows, casts: first.1..casts.casts.len() });
        }
        casts.of_collectives.push(casts.casts.len());
        let name = row.name.clone().unwrap_or_else(|| format!("{operation} {schedule}"));
        let collective = Collective { name, operation, schedule, members, size, iterations };
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
        let message = "is more than 1, and a sender of datagrams does not learn of their arrival; leave it out, or take \
                       a reliable group";
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

/// The members of an operation, as they are listed.
fn members(
    row: &CollectiveRow,
    place: Place,
    context: &Context,
) -> Result<Vec<NodeId>, InputError> {
    match &row.members {
        None | Some(Members::All) => {
            Ok((0..context.nodes.network.hosts()).map(NodeId::at).collect())
        }
        Some(Members::Listed(listed)) => each_once(listed, (place, "members"), context),
    }
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
    match row.order.unwrap_or(Order::Listed) {
        Order::Listed => {}
        Order::Racks => {
            members.sort_by_key(|&host| {
                (nodes.network.ports(host).first().map(|port| port.peer), host)
            });
        }
        Order::Random => {
            let mut random = stream(context.run.seed, Purpose::Order, number, 0);
            for last in (1..members.len()).rev() {
                members.swap(last, below(&mut random, last + 1));
            }
        }
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

/// The messages after which each member is done with a graph: the last that it sends to each other, and the last of
/// each other to it, unless a message that it sends waits for that. Senders of a group hear of its acknowledgement where
/// it is reliable.
fn dones(graph: &Graph, is_reliable: bool) -> Vec<Vec<MessageId>> {
    let members = graph.members();
    let mut last: Vec<BTreeMap<(u32, To), MessageId>> = vec![BTreeMap::new(); members as usize];
    let mut awaited: BTreeSet<(u32, MessageId)> = BTreeSet::new();
    for (id, message) in (0..).map(MessageId).zip(graph.messages()) {
        let Message { from, to, after, .. } = message;
        awaited.extend(after.iter().map(|before| (*from, *before)));
        let key = (*from, *to);
        let receivers = match to {
            To::Member(to) => *to..*to + 1,
            To::Others => 0..members,
        };
        for member in receivers.filter(|member| member != from) {
            last[member as usize].insert(key, id);
        }
        if *to != To::Others || is_reliable {
            last[*from as usize].insert(key, id);
        }
    }
    let of_member = |(member, last): (u32, BTreeMap<_, MessageId>)| {
        let is_own = |id: MessageId| graph.messages()[id.index()].from == member;
        let open = |id: &MessageId| is_own(*id) || !awaited.contains(&(member, *id));
        last.into_values().filter(open).collect()
    };
    (0..).zip(last).map(of_member).collect()
}

/// Makes the messages of an operation.
struct Making<'a> {
    members: &'a [NodeId],
    start: Instant,
    class: Class,
    verb: Verb,
    group: Option<OfGroup>,
    place: Place,
    /// The number of the operation.
    number: usize,
    awaited: &'a mut Vec<(Sent, usize)>,
}

impl Making<'_> {
    /// Adds the messages of one time. Each also waits until its sender is done with those `before`.
    fn messages(
        &mut self,
        graph: &Graph,
        (dones, before): (&[Vec<MessageId>], &[Sent]),
        (traffic, casts): (&mut Traffic, &mut Casts),
    ) -> Vec<Sent> {
        let mut sent: Vec<Sent> = Vec::with_capacity(graph.messages().len());
        for message in graph.messages() {
            let done = if before.is_empty() { &[][..] } else { &dones[message.from as usize] };
            let waits = message.after.iter().map(|id| sent[id.index()]);
            let waits: Vec<Sent> = waits.chain(done.iter().map(|id| before[id.index()])).collect();
            let size = DataSize::from_bytes(graph.bytes(message.blocks));
            let from = self.members[message.from as usize];
            let added = match (message.to, self.group) {
                (To::Member(to), _) => {
                    let to = self.members[to as usize];
                    Sent::Flow(self.flow((from, to), size, traffic))
                }
                (To::Others, Some(group)) => Sent::Cast(self.cast((from, group), size, casts)),
                // Schedules that send to a group have one.
                (To::Others, None) => continue,
            };
            for wait in waits {
                match (wait, added) {
                    (Sent::Cast(cast), added) => self.awaited.push((added, cast)),
                    (Sent::Flow(flow), Sent::Flow(added)) => {
                        traffic.flows[added].after.push(flow_id(flow));
                    }
                    (Sent::Flow(flow), Sent::Cast(added)) => {
                        casts.casts[added].after.push(flow_id(flow));
                    }
                }
            }
            sent.push(added);
        }
        sent
    }

    fn flow(&self, (from, to): (NodeId, NodeId), size: DataSize, traffic: &mut Traffic) -> usize {
        let common = Common { class: self.class, verb: self.verb, connection: None };
        let connection = traffic.connections.of_collective(self.number, from, to);
        traffic.push(from, to, size, self.start, &common).connection = Some(connection);
        traffic.flows.len() - 1
    }

    fn cast(&self, (from, group): (NodeId, OfGroup), size: DataSize, casts: &mut Casts) -> usize {
        let cast = Cast {
            from,
            to: group.id,
            size,
            start: self.start,
            after: Vec::new(),
            class: self.class,
        };
        casts.push(cast, (group.row, 0), self.place);
        casts.casts.len() - 1
    }
}

fn flow_id(flow: usize) -> FlowId {
    FlowId(u32::try_from(flow).unwrap_or(u32::MAX))
}
