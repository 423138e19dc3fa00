//! Traces in the report of a run: when each rank had done all.

use std::collections::BTreeMap;

use lightloom_scenario::scenario::{CallRun, Scenario, TraceRun};
use lightloom_schedules::{Operation, Schedule};
use lightloom_topology::electrical::NodeId;
use lightloom_twin::Outcome;
use lightloom_units::{DataSize, Instant, Span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::summary::TimesReport;

/// A trace of an application.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TraceRunReport {
    /// Its name.
    pub name: String,
    /// Number of ranks.
    pub ranks: usize,
    /// Number of ranks that have done all.
    pub completed: usize,
    /// Number of sends, receives and computations.
    pub operations: usize,
    /// Number of them that have ended.
    pub ended: usize,
    /// Number of messages, without those of collective operations.
    pub messages: usize,
    /// Payload of these messages in bytes.
    pub bytes: u64,
    /// Collective operations, by process group and kind.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub collectives: Vec<TraceCallsReport>,
    /// Time of all computations, in picoseconds, without the overhead of messages. `None`: longer than the clock.
    pub computing_ps: Option<u64>,
    /// The same of the rank that computes the longest.
    pub most_computing_ps: Option<u64>,
    /// Longest path of computations that wait for each other, over messages that take no time, in picoseconds. `None`:
    /// longer than the clock.
    pub path_ps: Option<u64>,
    /// Start of all ranks, in picoseconds.
    pub start_ps: u64,
    /// Time from the start until the first rank had done all, in picoseconds.
    pub first_ps: Option<u64>,
    /// The same until half of those that completed had.
    pub median_ps: Option<u64>,
    /// The same until the last rank had. `None`: some rank has not.
    pub last_ps: Option<u64>,
}

/// The collective operations of one kind of a process group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TraceCallsReport {
    /// Name of the process group. Empty: all ranks.
    pub group: String,
    /// Number of its ranks.
    pub ranks: usize,
    /// What they do.
    pub operation: Operation,
    /// Who sends what to whom. `None`: there is one rank, and no message.
    pub schedule: Option<Schedule>,
    /// Number of operations.
    pub calls: usize,
    /// Number of them that ended on all ranks.
    pub completed: usize,
    /// Size of the data of all, in bytes. `None`: more than 64 bits.
    pub bytes: Option<u64>,
    /// Time from the begin on the last rank to the end on the last rank, in picoseconds: half of those that completed
    /// took no longer.
    pub median_ps: Option<u64>,
    /// The longest of these times.
    pub longest_ps: Option<u64>,
}

/// What a rank of a trace has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankTime {
    /// Its host.
    pub host: NodeId,
    /// Number of its operations.
    pub operations: usize,
    /// Number of them that have ended.
    pub ended: usize,
    /// Time that it computed, with the overhead of messages. `None`: longer than the clock.
    pub busy: Option<Span>,
    /// When the last of its operations ended. `None`: some have not.
    pub done: Option<Instant>,
}

/// What each rank of a trace has done.
pub fn ranks(scenario: &Scenario, outcome: &Outcome, trace: &TraceRun) -> Vec<RankTime> {
    let of_rank = |(range, &host): (&std::ops::Range<usize>, &NodeId)| {
        let came = &outcome.computations[range.clone()];
        let said = &scenario.computations[range.clone()];
        let over = said.iter().zip(came).filter(|(_, came)| came.ended.is_some());
        let ended = over.clone().count();
        let busy = over.into_iter().try_fold(Span::ZERO, |sum, (it, _)| sum.checked_add(it.takes));
        let last = came.iter().filter_map(|came| came.ended).max().unwrap_or(trace.start);
        let operations = came.len();
        RankTime { host, operations, ended, busy, done: (ended == operations).then_some(last) }
    };
    trace.ranks.iter().zip(&trace.hosts).map(of_rank).collect()
}

impl TraceRunReport {
    /// The traces of a run, in order.
    pub fn all(scenario: &Scenario, outcome: &Outcome) -> Vec<Self> {
        scenario.traces.iter().map(|trace| Self::new(trace, scenario, outcome)).collect()
    }

    fn new(trace: &TraceRun, scenario: &Scenario, outcome: &Outcome) -> Self {
        let ranks = ranks(scenario, outcome, trace);
        let mut done: Vec<u64> =
            ranks.iter().filter_map(|rank| Some((rank.done? - trace.start).as_ps())).collect();
        done.sort_unstable();
        let summary = &trace.summary;
        let ps = |span: Option<Span>| span.map(Span::as_ps);
        Self {
            name: trace.name.clone(),
            ranks: ranks.len(),
            completed: done.len(),
            operations: ranks.iter().map(|rank| rank.operations).sum(),
            ended: ranks.iter().map(|rank| rank.ended).sum(),
            messages: summary.messages,
            collectives: calls(trace, outcome),
            bytes: summary.bytes.map_or(u64::MAX, DataSize::as_bytes),
            computing_ps: ps(summary.computing),
            most_computing_ps: ps(summary.most_computing),
            path_ps: trace.path.map(|path| path.length.as_ps()),
            start_ps: trace.start.as_ps(),
            first_ps: done.first().copied(),
            median_ps: TimesReport::of(done.clone()).map(|times| times.p50_ps),
            last_ps: done.last().copied().filter(|_| done.len() == ranks.len()),
        }
    }
}

/// The collective operations of a trace, by process group and kind.
fn calls(trace: &TraceRun, outcome: &Outcome) -> Vec<TraceCallsReport> {
    let mut all: BTreeMap<(usize, &str), Vec<&CallRun>> = BTreeMap::new();
    for call in &trace.calls {
        all.entry((call.group, call.operation.name())).or_default().push(call);
    }
    let ended = |place: usize| outcome.computations[place].ended;
    let takes = |call: &&CallRun| {
        let begun =
            call.ranks.iter().map(|(begun, _)| ended(*begun)).collect::<Option<Vec<_>>>()?;
        let over = call.ranks.iter().map(|(_, end)| ended(*end)).collect::<Option<Vec<_>>>()?;
        Some((over.into_iter().max()? - begun.into_iter().max()?).as_ps())
    };
    let of_one = |(_, calls): (_, Vec<&CallRun>)| {
        let first = calls[0];
        let mut taken: Vec<u64> = calls.iter().filter_map(takes).collect();
        taken.sort_unstable();
        let sizes = calls.iter().map(|call| call.size.as_bytes());
        TraceCallsReport {
            group: trace.groups[first.group].name.clone(),
            ranks: first.ranks.len(),
            operation: first.operation,
            schedule: first.schedule,
            calls: calls.len(),
            completed: taken.len(),
            bytes: sizes.into_iter().try_fold(0, u64::checked_add),
            longest_ps: taken.last().copied(),
            median_ps: TimesReport::of(taken).map(|times| times.p50_ps),
        }
    };
    all.into_iter().map(of_one).collect()
}

/// Warnings about traces that did not complete.
pub fn incomplete(scenario: &Scenario, outcome: &Outcome) -> Vec<String> {
    let of_one = |trace: &TraceRun| {
        let ranks = ranks(scenario, outcome, trace);
        let (number, first) = ranks.iter().enumerate().find(|(_, rank)| rank.done.is_none())?;
        let open = ranks.iter().filter(|rank| rank.done.is_none()).count();
        Some(format!(
            "{:?} did not complete: {open} of {} ranks have operations left, rank {number} {} of {}",
            trace.name,
            ranks.len(),
            first.operations - first.ended,
            first.operations
        ))
    };
    scenario.traces.iter().filter_map(of_one).collect()
}
