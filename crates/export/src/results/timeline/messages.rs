//! The messages and computations of a run, each with its times.

use std::ops::Range;

use lightloom_scenario::scenario::{Rows, Scenario};
use lightloom_topology::electrical::NodeId;
use lightloom_twin::Outcome;
use lightloom_units::{Instant, Span};

/// A message that was asked for.
pub(super) struct Message {
    /// Its number among all messages; those to groups come after all flows.
    pub(super) number: usize,
    pub(super) from: NodeId,
    /// Its group. `None`: it goes to one host.
    pub(super) group: Option<String>,
    pub(super) bytes: u64,
    pub(super) asked: Instant,
    /// When its sender knew that all had it. `None`: never, or it is of datagrams.
    pub(super) acknowledged: Option<Instant>,
    /// Its receivers, and when each had all of it.
    pub(super) receivers: Vec<(NodeId, Option<Instant>)>,
    /// The numbers of the messages that it waited for.
    pub(super) after: Vec<u32>,
    /// The collective operation or the trace that it belongs to, by its place: traces follow operations.
    pub(super) job: Option<usize>,
}

impl Message {
    /// When the last of it happened. `None`: it was never over.
    pub(super) fn over(&self) -> Option<Instant> {
        let received: Option<Vec<Instant>> = self.receivers.iter().map(|(_, at)| *at).collect();
        self.acknowledged.max(received.and_then(|all| all.into_iter().max()))
    }
}

/// All messages that were asked for, in the order of their numbers.
pub(super) fn all<'a>(
    scenario: &'a Scenario,
    outcome: &'a Outcome,
) -> impl Iterator<Item = Message> + 'a {
    let first_cast = scenario.rows.casts.last().copied().unwrap_or(0);
    let flows = scenario.flows.iter().zip(&outcome.flows).enumerate();
    let flows = flows.filter_map(move |(number, (flow, came))| {
        Some(Message {
            number,
            from: flow.from,
            group: None,
            bytes: flow.size.as_bytes(),
            asked: came.asked?,
            acknowledged: came.acknowledged,
            receivers: vec![(flow.to, came.received)],
            after: flow.after.iter().map(|before| before.0).collect(),
            job: job(scenario, number),
        })
    });
    let casts = scenario.multicast.casts.iter().zip(&outcome.casts).enumerate();
    let casts = casts.filter_map(move |(place, (cast, came))| {
        Some(Message {
            number: scenario.flows.len() + place,
            from: cast.from,
            group: Some(scenario.groups.names[cast.to.0 as usize].clone()),
            bytes: cast.size.as_bytes(),
            asked: came.all.asked?,
            acknowledged: came.all.acknowledged,
            receivers: came.receivers.iter().map(|got| (got.host, got.received)).collect(),
            after: cast.after.iter().map(|before| before.0).collect(),
            job: (place >= first_cast).then(|| cast_job(scenario, place)).flatten(),
        })
    });
    flows.chain(casts)
}

/// The operation or the trace of a flow.
fn job(scenario: &Scenario, number: usize) -> Option<usize> {
    let Rows { collectives, traces, .. } = &scenario.rows;
    if let Some(trace) = traces.iter().position(|(flows, _)| flows.contains(&number)) {
        return Some(scenario.collectives.len() + trace);
    }
    collectives.of_flow(number)
}

/// The same of a message to a group.
fn cast_job(scenario: &Scenario, place: usize) -> Option<usize> {
    let Rows { collectives, traces, .. } = &scenario.rows;
    let of_trace = || traces.iter().position(|(_, casts)| casts.contains(&place));
    collectives.of_cast(place).or_else(|| Some(scenario.collectives.len() + of_trace()?))
}

/// A computation that has begun.
pub(super) struct Computed {
    pub(super) host: NodeId,
    /// The number of its stream. `None`: it is a delay.
    pub(super) stream: Option<u32>,
    pub(super) began: Instant,
    /// `None`: it was not over at the end of the run.
    pub(super) ended: Option<Instant>,
    /// The collective operation or the trace that it belongs to, as of a message.
    pub(super) job: Option<usize>,
}

/// All computations that have begun and take a time, in the order of their numbers.
pub(super) fn computed<'a>(
    scenario: &'a Scenario,
    outcome: &'a Outcome,
) -> impl Iterator<Item = Computed> + 'a {
    // Operations of a job have computations in turns.
    let operations = scenario.collectives.iter().enumerate().flat_map(|(number, one)| {
        one.iterations.iter().map(move |time| (time.computations.clone(), number))
    });
    let traces = (scenario.collectives.len()..).zip(&scenario.traces);
    let traces = traces.map(|(number, trace)| (trace.computations.clone(), number));
    let mut owners: Vec<(Range<usize>, usize)> = operations.chain(traces).collect();
    owners.retain(|(own, _)| !own.is_empty());
    owners.sort_by_key(|(own, _)| own.start);
    let all = scenario.computations.iter().zip(&outcome.computations).enumerate();
    all.filter_map(move |(place, (said, came))| {
        let began = came.began?;
        (said.takes > Span::ZERO).then(|| Computed {
            host: said.host,
            stream: said.stream,
            began,
            ended: came.ended,
            job: owners
                .get(owners.partition_point(|(own, _)| own.end <= place))
                .filter(|(own, _)| own.contains(&place))
                .map(|(_, job)| *job),
        })
    })
}
