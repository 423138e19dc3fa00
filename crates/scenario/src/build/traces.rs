//! `[[trace]]`: what the ranks of a trace send, receive and compute, on the hosts of a run.
//!
//! A send is a computation, which takes the overhead in its stream, and a flow after it. A receive is a computation
//! after its message has arrived. So messages wait for a busy processor as in LogGOPSim (T. Hoefler, T. Schneider, A.
//! Lumsdaine, "LogGOPSim", LSAP 2010).

use std::collections::BTreeMap;

use lightloom_request::InputError;
use lightloom_topology::electrical::NodeId;
use lightloom_traces::{
    CallId, Message, Need, Op, OpId, Path, Place as OpPlace, Rank, Stage, Summary, Trace, What,
};
use lightloom_twin::{Class, Verb};
use lightloom_units::{DataSize, Instant, Span};

use crate::build::casts::Casts;
use crate::build::computations::Computations;
use crate::build::context::Context;
use crate::build::flows::{Common, Traffic};
use crate::build::members::GroupRows;
use crate::build::order;
use crate::build::random::Purpose;
use crate::build::sent::{Owner, Sent};
use crate::build::trace_calls::{Calls, refused};
use crate::said::limits::LARGEST_FLOW;
use crate::said::{Order, Place, Row as _, TraceRow};
use crate::scenario::TraceRun;

/// Largest message whose send is over with its overhead, if none is said: that of LogGOPSim.
const EAGER: DataSize = DataSize::from_bytes(65_535);

/// A trace as a file has it, checked: each message has its receive, and nothing waits for itself.
#[derive(Debug, Clone)]
pub struct ReadTrace {
    /// What the ranks do.
    pub trace: Trace,
    /// Its messages.
    pub messages: Vec<Message>,
    /// Its collective operations in the order in which they go, as far as they share a group.
    pub calls: Vec<CallId>,
    /// Its longest path where messages take no time. `None`: it is longer than the clock.
    pub path: Option<Path>,
}

/// The traces of a scenario.
#[derive(Debug, Clone, Default)]
pub(super) struct Traces {
    pub(super) all: Vec<TraceRun>,
    /// What waits for messages to groups, which get their numbers last.
    pub(super) awaited: Vec<(Sent, usize)>,
    pub(super) warnings: Vec<String>,
}

impl Traces {
    /// Adds the messages and computations of a trace. `file` is the name of its file. Errors about an operation have
    /// its line.
    pub(super) fn add(
        &mut self,
        row: &TraceRow,
        (file, read): (&str, &ReadTrace),
        (traffic, casts, computations): (&mut Traffic, &mut Casts, &mut Computations),
        (groups, context, mtu): (&GroupRows, &Context, u64),
    ) -> Result<(), InputError> {
        let place = TraceRow::place_of(self.all.len());
        row.check(place)?;
        if row.name.as_ref().is_some_and(|name| name.trim().is_empty()) {
            let message = "found an empty name; give one such as \"training\", or leave it out";
            return Err(place.refuse("name", message));
        }
        let number = self.all.len() as u64;
        let start = context.start(place, row.start)?;
        let hosts = hosts(row, (place, number), read.trace.ranks.len(), context)?;
        let (flows, first_cast) = (traffic.flows.len(), casts.casts.len());
        context.check_flows(place, "file", flows, read.messages.len() as f64)?;
        let operations = read.trace.operations();
        if operations == 0 {
            let message = "has no operations; name a trace whose ranks do something";
            return Err(place.refuse("file", message));
        }
        // A collective operation also has the time at which a rank begins it.
        let calls: usize = read.trace.calls.iter().map(|call| call.members.len()).sum();
        let all = (operations + calls) as f64;
        context.check_computations(place, "file", computations.all.len(), all)?;
        let name = row.name.clone().unwrap_or_else(|| file.to_owned());
        let first = computations.all.len();
        let mut lowering = Lowering {
            read,
            owner: Owner::Trace(self.all.len()),
            place,
            hosts: &hosts,
            start,
            overhead: row.overhead.unwrap_or(Span::ZERO),
            eager: row.eager.unwrap_or(EAGER),
            common: Common {
                class: row.class.unwrap_or(Class::LOSSLESS),
                verb: row.verb.unwrap_or(Verb::Write),
                connection: None,
            },
            first: Vec::new(),
            flows: Vec::new(),
            begun: BTreeMap::new(),
            traffic,
            computations,
        };
        lowering.operations();
        lowering.delays();
        lowering.messages()?;
        lowering.needs();
        let Lowering { first: begins, begun, common, .. } = lowering;
        let of_calls = Calls {
            row,
            trace: (self.all.len(), &read.trace),
            in_turn: &read.calls,
            hosts: &hosts,
            start,
            class: common.class,
            verb: common.verb,
            place,
            begun: &begun,
            first: &begins,
            awaited: &mut self.awaited,
        };
        let calls = of_calls.add((traffic, casts, computations), (groups, context, mtu))?;
        let ends = begins
            .iter()
            .zip(&read.trace.ranks)
            .map(|(begin, one)| *begin..begin + one.ops().len());
        let summary = Summary::new(&read.trace, &read.messages);
        self.warn(&name, &summary, read);
        self.all.push(TraceRun {
            name,
            hosts,
            start,
            flows: flows..traffic.flows.len(),
            casts: first_cast..casts.casts.len(),
            computations: first..computations.all.len(),
            ranks: ends.collect(),
            path: read.path,
            summary,
            groups: read.trace.groups.clone(),
            calls,
        });
        Ok(())
    }

    /// Warns of what a run does otherwise than the trace says.
    fn warn(&mut self, name: &str, summary: &Summary, read: &ReadTrace) {
        if summary.other_nics > 0 {
            self.warnings.push(format!(
                "{name}: {} messages and receives name a network interface other than 0; a host has one port, which \
                 carries all",
                summary.other_nics
            ));
        }
        let own =
            read.messages.iter().filter(|message| message.send.0 == message.receive.0).count();
        let notes = read.trace.notes.iter();
        self.warnings.extend(notes.map(|note| format!("{name}: {note}")));
        if own > 0 {
            self.warnings.push(format!(
                "{name}: {own} messages go from a rank to itself; they take no time, and no link carries them"
            ));
        }
    }
}

/// The hosts of the ranks.
fn hosts(
    row: &TraceRow,
    (place, number): (Place, u64),
    ranks: usize,
    context: &Context,
) -> Result<Vec<NodeId>, InputError> {
    let mut hosts = order::listed(row.hosts.as_ref(), (place, "hosts"), context)?;
    if hosts.len() < ranks {
        let field = if row.hosts.is_some() { "hosts" } else { "file" };
        let message = format!(
            "has {} hosts for a trace of {ranks} ranks; each rank takes a host, so give at least {ranks}",
            hosts.len()
        );
        return Err(place.refuse(field, message));
    }
    order::put(row.order.unwrap_or(Order::Listed), &mut hosts, (Purpose::Ranks, number), context);
    hosts.truncate(ranks);
    Ok(hosts)
}

/// Turns a trace into flows and computations.
struct Lowering<'a, 'b> {
    read: &'a ReadTrace,
    /// Whose its streams are.
    owner: Owner,
    place: Place,
    /// The host of each rank.
    hosts: &'a [NodeId],
    start: Instant,
    overhead: Span,
    eager: DataSize,
    common: Common<'a>,
    /// The first computation of each rank: each operation has one.
    first: Vec<usize>,
    /// The flow of each send, in the order of messages. None of a message of a rank to itself.
    flows: Vec<(OpPlace, Option<usize>)>,
    /// The delay that ends where an operation begins: of collective operations, and of receives whose begin others
    /// need, and that need something themselves.
    begun: BTreeMap<OpPlace, usize>,
    traffic: &'b mut Traffic,
    computations: &'b mut Computations,
}

impl Lowering<'_, '_> {
    /// Adds a computation for each operation.
    fn operations(&mut self) {
        for (rank, program) in self.read.trace.programs() {
            let host = self.hosts[rank.index()];
            self.first.push(self.computations.all.len());
            for op in program.ops() {
                let takes = match op.what {
                    What::Compute { takes } => takes,
                    What::Send { .. } | What::Receive { .. } => self.overhead,
                    What::Collective { .. } => Span::ZERO,
                };
                // A collective operation ends whatever else the rank does.
                let stream = match op.what {
                    What::Collective { .. } => None,
                    _ => Some(self.computations.stream(self.owner, host, op.stream)),
                };
                self.computations.push(host, stream, (takes, self.start));
            }
        }
    }

    /// Adds a flow for each message. It goes after the computation of its send, and that of its receive after it.
    fn messages(&mut self) -> Result<(), InputError> {
        for &Message { send, receive } in &self.read.messages {
            let What::Send { to, size, .. } = self.op(send).what else { continue };
            if size > LARGEST_FLOW {
                let message = format!("found a message of {size}; one has at most {LARGEST_FLOW}");
                return Err(refused((self.place, &self.read.trace), send, message));
            }
            if send.0 == receive.0 {
                let (waits, before) = (self.of(receive), self.of(send));
                self.computations.after(Sent::Computation(waits), before);
                self.flows.push((send, None));
                continue;
            }
            let (from, to) = (self.hosts[send.0.index()], self.hosts[to.index()]);
            self.traffic.push(from, to, size, self.start, &self.common);
            let flow = self.traffic.flows.len() - 1;
            self.computations.after(Sent::Flow(flow), self.of(send));
            let waits = self.of(receive);
            self.computations.after_flow(waits, flow);
            self.flows.push((send, Some(flow)));
        }
        Ok(())
    }

    /// Adds the delays of collective operations, and of receives whose begin others need.
    fn delays(&mut self) {
        let read = self.read;
        for &(rank, op) in read.trace.calls.iter().flat_map(|call| &call.members) {
            let host = self.hosts[rank.index()];
            let delay = self.computations.push(host, None, (Span::ZERO, self.start));
            self.computations.after(Sent::Computation(self.of((rank, op))), delay);
            self.begun.insert((rank, op), delay);
        }
        for (rank, program) in read.trace.programs() {
            let begun = program.iter().flat_map(|(_, _, needs)| needs);
            for on in begun.filter(|need| need.how == Stage::Begun).map(|need| need.on) {
                let is_receive = matches!(program.ops()[on.index()].what, What::Receive { .. });
                if is_receive
                    && !program.needs(on).is_empty()
                    && !self.begun.contains_key(&(rank, on))
                {
                    let host = self.hosts[rank.index()];
                    let delay = self.computations.push(host, None, (Span::ZERO, self.start));
                    self.begun.insert((rank, on), delay);
                }
            }
        }
    }

    /// Lets operations wait for what they need.
    fn needs(&mut self) {
        let read = self.read;
        for (rank, program) in read.trace.programs() {
            for (id, _, needs) in program.iter() {
                let own = [Some(self.of((rank, id))), self.begun.get(&(rank, id)).copied()];
                for waits in own.into_iter().flatten() {
                    needs.iter().for_each(|need| self.need(waits, rank, *need));
                }
            }
        }
    }

    /// Lets a computation wait for an operation of its rank.
    fn need(&mut self, waits: usize, rank: Rank, Need { on, how }: Need) {
        let before = (rank, on);
        let of = self.of(before);
        match (how, self.op(before).what) {
            (Stage::Ended, What::Send { size, .. }) if size > self.eager => {
                match self.flow(before) {
                    Some(flow) => self.computations.after_flow(waits, flow),
                    None => self.computations.after(Sent::Computation(waits), of),
                }
            }
            (Stage::Ended, _) => self.computations.after(Sent::Computation(waits), of),
            (Stage::Begun, What::Receive { .. } | What::Collective { .. }) => {
                if let Some(&begun) = self.begun.get(&before) {
                    self.computations.after(Sent::Computation(waits), begun);
                }
            }
            (Stage::Begun, _) => self.computations.after_begin(waits, of),
        }
    }

    /// The computation of an operation.
    fn of(&self, (rank, id): OpPlace) -> usize {
        self.first[rank.index()] + id.index()
    }

    fn op(&self, (rank, OpId(id)): OpPlace) -> Op {
        self.read.trace.ranks[rank.index()].ops()[id as usize]
    }

    /// The flow of a send.
    fn flow(&self, send: OpPlace) -> Option<usize> {
        let found = self.flows.binary_search_by_key(&send, |(send, _)| *send).ok()?;
        self.flows[found].1
    }
}
