//! The collective operations of a trace, as messages by the schedules that the scenario names.
//!
//! A rank begins its part when it has done what the operation waits for, and its part ends with the last message that
//! it sends or receives in it. Messages between two ranks of one process group go over one queue pair.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use lightloom_request::InputError;
use lightloom_schedules::{Given, Operation, Refusal, Schedule, To};
use lightloom_topology::electrical::NodeId;
use lightloom_traces::{At, Call, CallId, OpId, Place as OpPlace, Rank, Trace};
use lightloom_twin::{Class, GroupId, Verb};
use lightloom_units::{DataSize, Instant};

use crate::build::casts::Casts;
use crate::build::collective_messages::{Making, OfGroup, dones};
use crate::build::computations::Computations;
use crate::build::context::Context;
use crate::build::flows::Traffic;
use crate::build::members::GroupRows;
use crate::build::parts::Part;
use crate::build::sent::{Owner, Sent};
use crate::said::limits::LARGEST_FLOW;
use crate::said::{Place, TraceRow};
use crate::scenario::{CallRun, GroupTransport};

/// The collective operations of a trace in the making.
pub(super) struct Calls<'a> {
    pub(super) row: &'a TraceRow,
    /// The number of the trace, and what it has.
    pub(super) trace: (usize, &'a Trace),
    /// The operations in the order in which they go: messages to one group go one after the other.
    pub(super) in_turn: &'a [CallId],
    /// The host of each rank.
    pub(super) hosts: &'a [NodeId],
    pub(super) start: Instant,
    pub(super) class: Class,
    pub(super) verb: Verb,
    pub(super) place: Place,
    /// The delay that ends where a rank begins an operation.
    pub(super) begun: &'a BTreeMap<OpPlace, usize>,
    /// The first computation of each rank: each operation has one, which ends with it.
    pub(super) first: &'a [usize],
    pub(super) awaited: &'a mut Vec<(Sent, usize)>,
}

impl Calls<'_> {
    /// Adds the messages of all collective operations.
    pub(super) fn add(
        self,
        (traffic, casts, computations): (&mut Traffic, &mut Casts, &mut Computations),
        (groups, context, mtu): (&GroupRows, &Context, u64),
    ) -> Result<Vec<CallRun>, InputError> {
        let (number, trace) = self.trace;
        self.check_fields()?;
        let mut to_groups: BTreeMap<usize, OfGroup> = BTreeMap::new();
        let mut parts: BTreeMap<(&str, u64, usize), Part> = BTreeMap::new();
        let mut messages = 0.0;
        for call in &trace.calls {
            let members = self.members(call);
            // A single rank has all that it needs.
            if members.len() < 2 {
                continue;
            }
            let schedule = self.schedule(call)?;
            let given = self.given(call, schedule);
            messages += schedule.most_messages(call.operation, &given) as f64;
            let before = traffic.flows.len() + casts.casts.len();
            context.check_flows(self.place, field(call.operation), before, messages)?;
            if schedule.has_multicasts()
                && let Entry::Vacant(none) = to_groups.entry(call.group)
            {
                none.insert(self.group(call, (groups, context))?);
            }
            let key = (call.operation.name(), given.bytes, members.len());
            if let Entry::Vacant(none) = parts.entry(key) {
                none.insert(self.part(call, schedule, mtu)?);
            }
        }
        let mut runs = Vec::with_capacity(trace.calls.len());
        for call in self.in_turn.iter().map(|id| &trace.calls[id.index()]) {
            runs.push(self.run(call));
            let members = self.members(call);
            let key = (call.operation.name(), call.size.as_bytes(), members.len());
            let Some((graph, done)) = parts.get(&key) else { continue };
            let ops = rotated(&call.members, call.root);
            let begin = |op: &OpPlace| Sent::Computation(self.begun[op]);
            let before: Vec<Vec<Sent>> = ops.iter().map(|op| vec![begin(op)]).collect();
            let ends: Vec<Sent> = ops.iter().map(|op| Sent::Computation(self.end(*op))).collect();
            let has_group = self.schedule(call)?.has_multicasts();
            let group = to_groups.get(&call.group).filter(|_| has_group).copied();
            if let Some(group) = group {
                let shared = casts.has_class(group.row, self.class);
                shared.map_err(|message| self.place.refuse("class", message))?;
            }
            let mut making = Making {
                members: &members,
                start: self.start,
                class: self.class,
                verb: self.verb,
                group,
                place: self.place,
                owner: Owner::Group { trace: number, group: call.group },
                awaited: self.awaited,
                computations,
            };
            let sent = making.messages(graph, &before, (traffic, casts));
            for (end, last) in ends.into_iter().zip(done) {
                for id in last {
                    making.wait(end, sent[id.index()], (traffic, casts));
                }
            }
        }
        casts.of_traces.push(casts.casts.len());
        Ok(runs)
    }

    /// What a report needs to know of an operation.
    fn run(&self, call: &Call) -> CallRun {
        let ranks = call.members.iter().map(|member| (self.begun[member], self.end(*member)));
        CallRun {
            group: call.group,
            operation: call.operation,
            schedule: self.said(call.operation).filter(|_| call.members.len() > 1),
            size: call.size,
            ranks: ranks.collect(),
        }
    }

    /// The computation that ends with the part of a rank.
    fn end(&self, (rank, op): OpPlace) -> usize {
        self.first[rank.index()] + op.index()
    }

    /// The hosts of an operation, that of the root first.
    fn members(&self, call: &Call) -> Vec<NodeId> {
        let ops = rotated(&call.members, call.root);
        ops.into_iter().map(|(rank, _)| self.hosts[rank.index()]).collect()
    }

    fn given(&self, call: &Call, schedule: Schedule) -> Given<'static> {
        Given {
            members: u32::try_from(call.members.len()).unwrap_or(u32::MAX),
            bytes: call.size.as_bytes(),
            slice: schedule.slice(self.row.slice.map(DataSize::as_bytes)),
            ..Given::new(0, 0)
        }
    }

    /// The schedule that the row names for an operation.
    fn said(&self, operation: Operation) -> Option<Schedule> {
        match operation {
            Operation::Broadcast => self.row.broadcast,
            Operation::Allgather => self.row.allgather,
            Operation::ReduceScatter => self.row.reduce_scatter,
            Operation::Allreduce => self.row.allreduce,
            Operation::AllToAll => self.row.all_to_all,
            Operation::Barrier => self.row.barrier,
            Operation::Scatter => self.row.scatter,
            Operation::Gather => self.row.gather,
            Operation::Reduce => self.row.reduce,
            // No trace has them.
            Operation::Refresh | Operation::Dispatch | Operation::Combine => None,
        }
    }

    /// The same, which must be there.
    fn schedule(&self, call: &Call) -> Result<Schedule, InputError> {
        let operation = call.operation;
        self.said(operation).ok_or_else(|| {
            let known = Schedule::ALL.into_iter();
            let names: Vec<&str> = known
                .filter(|schedule| schedule.operations().contains(&operation))
                .map(Schedule::name)
                .collect();
            let message = format!(
                "is missing, and the trace has collective operations of this kind ({operation}); name their schedule: \
                 {}",
                names.join(", ")
            );
            self.place.refuse(field(operation), message)
        })
    }

    /// Refuses schedules of operations that the trace does not have, and a size of slices without any.
    fn check_fields(&self) -> Result<(), InputError> {
        let (_, trace) = self.trace;
        let has = |operation| trace.calls.iter().any(|call| call.operation == operation);
        let idle = Operation::ALL
            .into_iter()
            .find(|operation| self.said(*operation).is_some() && !has(*operation));
        if let Some(operation) = idle {
            let message =
                format!("is for traces with {operation}, and this one has none; leave it out");
            return Err(self.place.refuse(field(operation), message));
        }
        let cuts = Operation::ALL
            .into_iter()
            .any(|operation| self.said(operation).is_some_and(Schedule::has_slices));
        if self.row.slice.is_some() && !cuts {
            let message = "is for schedules with slices: chain, binomial-pipeline, double-tree and cornet; leave it \
                           out";
            return Err(self.place.refuse("slice", message));
        }
        Ok(())
    }

    /// The messages of an operation, and the last ones of each rank.
    fn part(&self, call: &Call, schedule: Schedule, mtu: u64) -> Result<Part, InputError> {
        let (_, trace) = self.trace;
        let place = self.place;
        let first = call.members[0];
        if call.size > LARGEST_FLOW {
            let message = format!(
                "found {} of {}; one has at most {LARGEST_FLOW}",
                call.operation, call.size
            );
            return Err(refused((place, trace), first, message));
        }
        let graph = schedule.graph(call.operation, &self.given(call, schedule));
        let graph = graph.map_err(|refusal: Refusal| {
            let group = &trace.groups[call.group].name;
            place.refuse(field(call.operation), format!("{refusal} (process group {group:?})"))
        })?;
        for message in graph.messages().iter().filter(|message| message.to == To::Others) {
            let size = DataSize::from_bytes(graph.bytes(message.blocks));
            if size == DataSize::ZERO {
                let message = format!(
                    "found {} of {} for {} ranks; over a group each sends at least 1 B",
                    call.operation,
                    call.size,
                    graph.members()
                );
                return Err(refused((place, trace), first, message));
            }
            Casts::check_size(size, mtu)
                .map_err(|message| refused((place, trace), first, message))?;
        }
        let done = dones(&graph, true);
        Ok((graph, done))
    }

    /// The group of the scenario whose members are the hosts of a process group.
    fn group(
        &self,
        call: &Call,
        (groups, context): (&GroupRows, &Context),
    ) -> Result<OfGroup, InputError> {
        let hosts: BTreeSet<NodeId> = self.members(call).into_iter().collect();
        let has_hosts = |members: &Vec<NodeId>| {
            members.len() == hosts.len() && members.iter().all(|host| hosts.contains(host))
        };
        let fits = |row: &usize| {
            let group = &groups.rows[*row];
            group.members.len() == 1 && has_hosts(&group.members[0])
        };
        let found: Vec<usize> = (0..groups.rows.len()).filter(fits).collect();
        let field = field(call.operation);
        let name = &self.trace.1.groups[call.group].name;
        let names: Vec<String> =
            hosts.iter().take(8).map(|host| context.nodes.network.name(*host)).collect();
        let more = if hosts.len() > 8 { ", …" } else { "" };
        let hosts = format!("[{}{more}]", names.join(", "));
        let [row] = found.as_slice() else {
            let message = match found.len() {
                0 => format!(
                    "sends to a group, and no [[group]] has just the hosts of process group {name:?}: {hosts}; add one"
                ),
                many => format!(
                    "sends to a group, and {many} have the hosts of process group {name:?}: {hosts}; keep one of them"
                ),
            };
            return Err(self.place.refuse(field, message));
        };
        let group = &groups.rows[*row];
        if group.transport == GroupTransport::Datagram {
            let message = format!(
                "sends to {:?}, a group of datagrams, whose sender does not learn of their arrival; take \
                 transport = \"rc\"",
                groups.names[group.first as usize]
            );
            return Err(self.place.refuse(field, message));
        }
        if groups.changes.iter().any(|(changed, _)| changed == row) {
            let message = "sends to a group whose members change; an operation has the same members throughout";
            return Err(self.place.refuse(field, message));
        }
        Ok(OfGroup { row: *row, id: GroupId(group.first), is_datagram: false })
    }
}

/// A refusal of an operation: at its line, or at the file where that has none.
pub(super) fn refused(
    (place, trace): (Place, &Trace),
    operation: OpPlace,
    message: String,
) -> InputError {
    let rank = operation.0.0;
    match trace.at(operation) {
        At::Line(line) => {
            let message = format!("rank {rank}: {message}");
            InputError::new(message).in_field("send").at_line(line.into())
        }
        at @ At::Record(_) => place.refuse("file", format!("rank {rank}: {at}: {message}")),
    }
}

/// The field with the schedule of an operation.
fn field(operation: Operation) -> &'static str {
    match operation {
        Operation::Broadcast => "broadcast",
        Operation::Allgather => "allgather",
        Operation::ReduceScatter => "reduce_scatter",
        Operation::Allreduce => "allreduce",
        Operation::AllToAll => "all_to_all",
        Operation::Barrier => "barrier",
        Operation::Scatter => "scatter",
        Operation::Gather => "gather",
        Operation::Reduce => "reduce",
        operation @ (Operation::Refresh | Operation::Dispatch | Operation::Combine) => {
            operation.name()
        }
    }
}

/// The members of an operation, the root first and the others after it.
fn rotated(members: &[(Rank, OpId)], root: usize) -> Vec<OpPlace> {
    let mut members = members.to_vec();
    members.rotate_left(root);
    members
}
