//! The messages of collective operations: what a graph of a schedule is in a run.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_schedules::{Graph, Message, MessageId, To};
use lightloom_topology::electrical::NodeId;
use lightloom_twin::{Cast, Class, FlowId, GroupId, Verb};
use lightloom_units::{DataSize, Instant, Span};

use crate::build::casts::Casts;
use crate::build::computations::Computations;
use crate::build::flows::{Common, Traffic};
use crate::build::parts::{Part, Parts};
use crate::build::sent::{Owner, Sent};
use crate::said::Place;
use crate::scenario::Iteration;

/// The group of an operation.
#[derive(Debug, Clone, Copy)]
pub(super) struct OfGroup {
    pub(super) row: usize,
    pub(super) id: GroupId,
    pub(super) is_datagram: bool,
}

/// Makes the messages of an operation.
pub(super) struct Making<'a> {
    pub(super) members: &'a [NodeId],
    pub(super) start: Instant,
    pub(super) class: Class,
    pub(super) verb: Verb,
    pub(super) group: Option<OfGroup>,
    pub(super) place: Place,
    /// Whose connections and streams it takes.
    pub(super) owner: Owner,
    pub(super) awaited: &'a mut Vec<(Sent, usize)>,
    pub(super) computations: &'a mut Computations,
}

impl Making<'_> {
    /// Adds what members compute and send once, after what they do `before`. Returns what each member has done then.
    pub(super) fn once(
        &mut self,
        parts: &Parts,
        graphs: &BTreeMap<u64, Part>,
        before: &[Vec<Sent>],
        (traffic, casts): (&mut Traffic, &mut Casts),
    ) -> (Iteration, Vec<Vec<Sent>>) {
        let first = (traffic.flows.len(), casts.casts.len(), self.computations.all.len());
        let mut done: Vec<Vec<Sent>> = vec![Vec::new(); self.members.len()];
        for bucket in 0..parts.buckets {
            let (graph, last) = &graphs[&parts.bytes(bucket)];
            let computed = match parts.compute {
                Span::ZERO => before.to_vec(),
                _ => self.computations(parts.takes(bucket), before, (traffic, casts)),
            };
            let sent = self.messages(graph, &computed, (traffic, casts));
            for (member, (done, last)) in done.iter_mut().zip(last).enumerate() {
                done.extend(last.iter().map(|id| sent[id.index()]));
                let own = computed.get(member).into_iter().flatten();
                done.extend(own.filter(|it| matches!(it, Sent::Computation(_))));
            }
        }
        let iteration = Iteration {
            flows: first.0..traffic.flows.len(),
            casts: first.1..casts.casts.len(),
            computations: first.2..self.computations.all.len(),
        };
        (iteration, done)
    }

    /// Adds the messages of one part of the data at one time. Each also waits for what its sender does `before` all of
    /// them.
    pub(super) fn messages(
        &mut self,
        graph: &Graph,
        before: &[Vec<Sent>],
        (traffic, casts): (&mut Traffic, &mut Casts),
    ) -> Vec<Sent> {
        let mut sent: Vec<Sent> = Vec::with_capacity(graph.messages().len());
        for message in graph.messages() {
            let own = before.get(message.from as usize).into_iter().flatten().copied();
            let waits: Vec<Sent> =
                message.after.iter().map(|id| sent[id.index()]).chain(own).collect();
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
            waits.into_iter().for_each(|wait| self.wait(added, wait, (traffic, casts)));
            sent.push(added);
        }
        sent
    }

    /// Adds what each member computes before a part of the data, after what it does `before`; by members.
    fn computations(
        &mut self,
        takes: Span,
        before: &[Vec<Sent>],
        (traffic, casts): (&mut Traffic, &mut Casts),
    ) -> Vec<Vec<Sent>> {
        let members = self.members;
        let mut computed = Vec::with_capacity(members.len());
        for (member, &host) in members.iter().enumerate() {
            let stream = self.computations.stream(self.owner, host, 0);
            let added = self.computations.push(host, Some(stream), (takes, self.start));
            let added = Sent::Computation(added);
            for &wait in before.get(member).into_iter().flatten() {
                self.wait(added, wait, (traffic, casts));
            }
            computed.push(vec![added]);
        }
        computed
    }

    /// Lets a message or a computation wait for another.
    pub(super) fn wait(
        &mut self,
        added: Sent,
        wait: Sent,
        (traffic, casts): (&mut Traffic, &mut Casts),
    ) {
        match (wait, added) {
            (Sent::Cast(cast), added) => self.awaited.push((added, cast)),
            (Sent::Computation(computation), added) => self.computations.after(added, computation),
            (Sent::Flow(flow), Sent::Flow(added)) => traffic.flows[added].after.push(flow_id(flow)),
            (Sent::Flow(flow), Sent::Cast(added)) => casts.casts[added].after.push(flow_id(flow)),
            (Sent::Flow(flow), Sent::Computation(added)) => {
                self.computations.after_flow(added, flow);
            }
        }
    }

    fn flow(&self, (from, to): (NodeId, NodeId), size: DataSize, traffic: &mut Traffic) -> usize {
        let common = Common { class: self.class, verb: self.verb, connection: None };
        let connection = traffic.connections.between(self.owner, from, to);
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

/// The messages after which each member is done with a graph: the last that it sends to each other, and the last of
/// each other to it, unless a message that it sends waits for that. Senders of a group hear of its acknowledgement
/// where it is reliable.
pub(super) fn dones(graph: &Graph, is_reliable: bool) -> Vec<Vec<MessageId>> {
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
