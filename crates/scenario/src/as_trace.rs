//! A scenario's messages and computations as a trace, for other simulators.

use std::collections::BTreeMap;

use lightloom_topology::electrical::NodeId;
use lightloom_traces::{Need, Op, OpId, Program, Rank, Stage, Trace, What};
use lightloom_twin::FlowId;
use lightloom_units::Instant;

use crate::scenario::Scenario;

/// The stream of messages. Those of computations follow it.
const MESSAGES: u32 = 0;

/// The messages and computations of a scenario as a trace: a rank for each host, in their order. Each message has a tag
/// of its own between its two hosts. A later start is a computation of that length in a stream of its own.
///
/// # Errors
/// What a trace cannot say: messages to groups.
pub fn as_trace(scenario: &Scenario) -> Result<Trace, String> {
    if !scenario.multicast.casts.is_empty() {
        return Err(format!(
            "has {} messages to groups, and a trace has messages between two ranks only; give these operations a \
             schedule without a group",
            scenario.multicast.casts.len()
        ));
    }
    let mut making = Making {
        scenario,
        ranks: (0..scenario.network.hosts()).map(|_| Host::default()).collect(),
        flows: Vec::new(),
        computations: Vec::new(),
    };
    making.operations();
    making.needs();
    let program = |host: Host| Program::new(host.ops, host.needs);
    let ranks = making.ranks.into_iter().map(program).collect();
    Ok(Trace { ranks, ..Trace::default() })
}

/// The program of a host in the making.
#[derive(Default)]
struct Host {
    ops: Vec<Op>,
    needs: Vec<(OpId, Need)>,
    /// The number of each stream.
    streams: BTreeMap<Own, u32>,
    /// The operation that ends at a time.
    times: BTreeMap<Instant, OpId>,
    /// The messages to each host.
    sent: BTreeMap<NodeId, u32>,
}

/// What has a stream of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Own {
    /// A stream of computations.
    Stream(u32),
    /// A delay, by the place of its computation.
    Delay(usize),
    /// The time until a start.
    Start(Instant),
}

impl Host {
    fn push(&mut self, what: What, stream: u32) -> OpId {
        let id = OpId(u32::try_from(self.ops.len()).unwrap_or(u32::MAX));
        self.ops.push(Op { what, stream, nic: 0, at: 0 });
        id
    }

    fn stream(&mut self, own: Own) -> u32 {
        let next = u32::try_from(self.streams.len()).unwrap_or(u32::MAX).saturating_add(1);
        *self.streams.entry(own).or_insert(next)
    }

    /// Lets an operation wait until a time.
    fn starts(&mut self, op: OpId, start: Instant) {
        if start == Instant::ZERO {
            return;
        }
        let on = match self.times.get(&start) {
            Some(&on) => on,
            None => {
                let stream = self.stream(Own::Start(start));
                let on = self.push(What::Compute { takes: start - Instant::ZERO }, stream);
                self.times.insert(start, on);
                on
            }
        };
        self.needs.push((op, Need { on, how: Stage::Ended }));
    }
}

struct Making<'a> {
    scenario: &'a Scenario,
    ranks: Vec<Host>,
    /// The send and the receive of each flow.
    flows: Vec<(OpId, OpId)>,
    /// The operation of each computation.
    computations: Vec<OpId>,
}

impl Making<'_> {
    fn operations(&mut self) {
        for (place, said) in self.scenario.computations.iter().enumerate() {
            let host = &mut self.ranks[said.host.index()];
            let own = said.stream.map_or(Own::Delay(place), Own::Stream);
            let stream = host.stream(own);
            let op = host.push(What::Compute { takes: said.takes }, stream);
            host.starts(op, said.start);
            self.computations.push(op);
        }
        for flow in &self.scenario.flows {
            let [from, to] = [flow.from, flow.to].map(rank);
            let next = self.ranks[flow.from.index()].sent.entry(flow.to).or_insert(0);
            let (tag, size) = (*next, flow.size);
            *next += 1;
            let host = &mut self.ranks[flow.from.index()];
            let send = host.push(What::Send { to, size, tag }, MESSAGES);
            host.starts(send, flow.start);
            let receive = What::Receive { from: Some(from), size, tag: Some(tag) };
            self.flows.push((send, self.ranks[flow.to.index()].push(receive, MESSAGES)));
        }
    }

    fn needs(&mut self) {
        let scenario = self.scenario;
        for (said, &op) in scenario.computations.iter().zip(&self.computations.clone()) {
            said.after.iter().for_each(|&on| self.need(said.host, op, (on, Stage::Ended)));
            said.begun.iter().for_each(|&on| self.need(said.host, op, (on, Stage::Begun)));
        }
        for (flow, (send, _)) in scenario.flows.iter().zip(&self.flows.clone()) {
            flow.after.iter().for_each(|&on| self.need(flow.from, *send, (on, Stage::Ended)));
        }
    }

    /// Lets an operation of a host wait for a message or a computation.
    fn need(&mut self, host: NodeId, waits: OpId, (on, how): (FlowId, Stage)) {
        let on = match self.scenario.flows.get(on.index()) {
            Some(flow) if flow.from == host => self.flows[on.index()].0,
            Some(_) => self.flows[on.index()].1,
            None => self.computations[on.index() - self.scenario.flows.len()],
        };
        self.ranks[host.index()].needs.push((waits, Need { on, how }));
    }
}

/// The rank of a host.
fn rank(host: NodeId) -> Rank {
    Rank(host.0)
}
