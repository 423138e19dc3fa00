//! Several runs of one scenario with different seeds: equal traffic, different losses, marks and paths.

mod collectives;
mod messages;
mod traces;

pub use collectives::{CollectiveIntervals, ReplicaCollective};
pub use messages::{MessageIntervals, ReplicaMessage};
pub use traces::{ReplicaTrace, TraceIntervals};

use std::sync::atomic::{AtomicU64, Ordering};

use lightloom_request::{Error, InputError};
use lightloom_twin::{Setup, SetupError};
use lightloom_watch::Watch;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bounds;
use crate::collectives::CollectiveReport;
use crate::ending::EndReport;
use crate::goodput::{GoodputIntervals, GoodputsReport};
use crate::groups::MulticastReport;
use crate::hands::shared;
use crate::manifest::ManifestReport;
use crate::report::{FlowsReport, NetworkReport, SimulateReport};
use crate::run::{check as conserved, ideals, multicast, run as run_one, setup, simulation};
use crate::summary::IntervalReport;
use crate::to_groups::ToGroupsReport;
use crate::traces::TraceRunReport;
use lightloom_scenario::scenario::Scenario;

/// Results of several runs of a scenario. Sizes and arrivals are drawn from the scenario's seed, so they are
/// equal in all runs (common random numbers). Losses, marking and the choice among equal paths are drawn from
/// the seed of each run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReplicasReport {
    /// Inputs of the runs.
    pub manifest: ManifestReport,
    /// Warnings about doubtful values.
    pub warnings: Vec<String>,
    /// The network.
    pub network: NetworkReport,
    /// The runs.
    pub replicas: Vec<ReplicaReport>,
    /// If the caller stopped the runs: seeds whose runs had not begun.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub not_begun: Vec<u64>,
    /// Mean completion time, in picoseconds, over the runs.
    pub mean_completion_ps: Option<IntervalReport>,
    /// 99th percentile of completion times, in picoseconds, over the runs.
    pub p99_completion_ps: Option<IntervalReport>,
    /// Goodput over the runs.
    pub goodput: GoodputIntervals,
    /// Messages to groups, in order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub multicasts: Vec<MessageIntervals>,
    /// Collective operations, in order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub collectives: Vec<CollectiveIntervals>,
    /// Traces, in order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub traces: Vec<TraceIntervals>,
}

/// One run of several.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReplicaReport {
    /// Seed of its losses, marks and paths.
    pub seed: u64,
    /// How the run ended.
    pub end: EndReport,
    /// Payload that arrived, with its time and rate.
    pub goodput: GoodputsReport,
    /// Completion times.
    pub flows: FlowsReport,
    /// All messages to groups together. `None`: the scenario has none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub to_groups: Option<ToGroupsReport>,
    /// Number of dropped packets.
    pub dropped: u64,
    /// Number of sent pauses.
    pub pauses: u64,
    /// Data packets times links.
    pub data_hops: u64,
    /// Messages to groups, in order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub multicasts: Vec<ReplicaMessage>,
    /// Collective operations, in order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub collectives: Vec<ReplicaCollective>,
    /// Traces, in order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub traces: Vec<ReplicaTrace>,
}

/// Runs a scenario with `seeds` seeds, `threads` runs at the same time, and checks answers of reliable groups in each
/// where `checks_answers` says so. Also returns the data hops of all
/// runs. After a stop no further run begins, and the runs that had begun are reported.
pub fn run(
    scenario: &Scenario,
    (seeds, checks_answers): (u32, bool),
    threads: usize,
    watch: Watch<'_>,
) -> Result<(ReplicasReport, u64), Error> {
    let ideals = ideals(scenario);
    let mut seeds: Vec<u64> =
        (0..u64::from(seeds)).map(|i| scenario.seed.wrapping_add(i)).collect();
    let reached: Vec<AtomicU64> = seeds.iter().map(|_| AtomicU64::new(0)).collect();
    let until = scenario.until.as_ps();
    let whole = until.saturating_mul(seeds.len() as u64);
    let mut template = setup(scenario, scenario.seed, 1, false);
    // Series of flows are written for single runs only.
    template.by_flow = false;
    let one = |i: usize, seed: u64| -> Result<(ReplicaReport, Messages), Error> {
        let multicast = multicast(scenario, seed);
        let setup = Setup { seed, multicast, ..template.clone() };
        let refused = |error: SetupError| InputError::new(error.to_string());
        let mut simulation = simulation(setup).map_err(refused)?;
        if checks_answers {
            simulation.check_answers();
        }
        let outcome = run_one(&simulation, watch, &|look| {
            reached[i].store(look.at.as_ps(), Ordering::Relaxed);
            let done = reached.iter().map(|at| at.load(Ordering::Relaxed));
            // The run itself checks for a stop.
            let _ = watch.progress(done.fold(0, u64::saturating_add), whole);
        });
        reached[i].store(until, Ordering::Relaxed);
        conserved(scenario, &outcome)?;
        let mut report = SimulateReport::new(scenario, &outcome, &ideals);
        bounds::check(scenario, &outcome, &report)?;
        let messages = Messages {
            multicasts: std::mem::take(&mut report.multicasts),
            collectives: std::mem::take(&mut report.collectives),
            traces: std::mem::take(&mut report.traces),
        };
        let replica = ReplicaReport::new(seed, report, &messages);
        // What the messages are is the same in all runs, so one run tells it.
        Ok((replica, if i == 0 { messages } else { Messages::default() }))
    };
    let begins = |i: usize| i == 0 || !watch.is_stopped();
    let runs = shared((seeds.len(), threads), begins, |i| one(i, seeds[i]));
    let runs = runs.into_iter().map(|(_, run)| run).collect::<Result<Vec<_>, Error>>()?;
    let (replicas, first): (Vec<_>, Vec<_>) = runs.into_iter().unzip();
    let data_hops = replicas.iter().map(|replica| replica.data_hops).sum();
    let mut report = summed(scenario, replicas);
    // Runs begin in the order of their seeds.
    report.not_begun = seeds.split_off(report.replicas.len());
    if let Some(first) = first.first() {
        report.add_messages(&first.multicasts);
        report.add_collectives(&first.collectives);
        report.add_traces(&first.traces);
    }
    Ok((report, data_hops))
}

/// Messages to groups, collective operations and traces of a run.
#[derive(Default)]
struct Messages {
    multicasts: Vec<MulticastReport>,
    collectives: Vec<CollectiveReport>,
    traces: Vec<TraceRunReport>,
}

impl ReplicaReport {
    fn new(seed: u64, report: SimulateReport, messages: &Messages) -> Self {
        Self {
            seed,
            end: report.end,
            goodput: report.goodput,
            flows: report.flows,
            to_groups: report.to_groups,
            dropped: report.drops.iter().map(|drop| drop.packets).sum(),
            pauses: report.queues.pauses,
            data_hops: report.work.data_hops,
            multicasts: messages.multicasts.iter().map(ReplicaMessage::from).collect(),
            collectives: messages.collectives.iter().map(ReplicaCollective::from).collect(),
            traces: messages.traces.iter().map(ReplicaTrace::from).collect(),
        }
    }

    /// Whether the run reached an end that was requested.
    fn ran(&self) -> bool {
        self.end.good()
    }
}

/// Means and intervals over the runs that reached their end.
fn summed(scenario: &Scenario, replicas: Vec<ReplicaReport>) -> ReplicasReport {
    let over = |value: &dyn Fn(&ReplicaReport) -> Option<f64>| {
        let ran = replicas.iter().filter(|replica| replica.ran());
        IntervalReport::of(&ran.filter_map(value).collect::<Vec<_>>())
    };
    let mut warnings = scenario.warnings.clone();
    let all = replicas.len();
    let ended = replicas.iter().filter(|replica| !replica.ran()).count();
    if ended > 0 {
        warnings.push(format!(
            "{ended} of {all} runs failed or did not run as far as was asked for; means leave them out"
        ));
    }
    let ran = replicas.iter().filter(|replica| replica.ran());
    let open = ran.filter(|replica| replica.flows.unfinished > 0).count();
    if open > 0 {
        warnings.push(format!(
            "{open} of {all} runs have unfinished flows, which completion times leave out: the times \
             are too good; let the scenario run longer"
        ));
    }
    let mean = over(&|replica| Some(replica.flows.completion?.mean_ps as f64));
    let p99 = over(&|replica| Some(replica.flows.completion?.p99_ps as f64));
    let ran = replicas.iter().filter(|replica| replica.ran());
    let goodput = GoodputIntervals::new(&ran.map(|replica| replica.goodput).collect::<Vec<_>>());
    ReplicasReport {
        manifest: ManifestReport::new(scenario),
        warnings,
        network: NetworkReport::new(scenario),
        replicas,
        not_begun: Vec::new(),
        mean_completion_ps: mean,
        p99_completion_ps: p99,
        goodput,
        multicasts: Vec::new(),
        collectives: Vec::new(),
        traces: Vec::new(),
    }
}

impl ReplicasReport {
    /// Adds collective operations over the runs that reached their end. `first` are those of the first run.
    fn add_collectives(&mut self, first: &[CollectiveReport]) {
        let ran: Vec<_> = self.replicas.iter().filter(|replica| replica.ran()).collect();
        let over = |(number, one): (usize, &CollectiveReport)| {
            let runs: Vec<_> = ran.iter().map(|replica| replica.collectives[number]).collect();
            CollectiveIntervals::new(one, &runs)
        };
        self.collectives = first.iter().enumerate().map(over).collect();
        let open = self.collectives.iter().filter(|one| one.completed < ran.len()).count();
        if open > 0 {
            self.warnings.push(format!(
                "{open} of {} collective operations did not complete in some of the runs, which their times and rates \
                 leave out",
                first.len()
            ));
        }
    }

    /// Adds traces over the runs that reached their end. `first` are those of the first run.
    fn add_traces(&mut self, first: &[TraceRunReport]) {
        let ran: Vec<_> = self.replicas.iter().filter(|replica| replica.ran()).collect();
        let over = |(number, one): (usize, &TraceRunReport)| {
            let runs: Vec<_> = ran.iter().map(|replica| replica.traces[number]).collect();
            TraceIntervals::new(one, &runs)
        };
        self.traces = first.iter().enumerate().map(over).collect();
        let open = self.traces.iter().filter(|one| one.completed < ran.len()).count();
        if open > 0 {
            self.warnings.push(format!(
                "{open} of {} traces did not complete in some of the runs, which their times leave out",
                first.len()
            ));
        }
    }

    /// Adds messages to groups over the runs that reached their end. `first` are those of the first run.
    fn add_messages(&mut self, first: &[MulticastReport]) {
        let ran: Vec<_> = self.replicas.iter().filter(|replica| replica.ran()).collect();
        let over = |(number, one): (usize, &MulticastReport)| {
            let runs: Vec<_> = ran.iter().map(|replica| replica.multicasts[number]).collect();
            MessageIntervals::new(one, &runs)
        };
        self.multicasts = first.iter().enumerate().map(over).collect();
        let lacks = |replica: &&&ReplicaReport| {
            replica.multicasts.iter().any(|message| message.last_ps.is_none())
        };
        let open = ran.iter().filter(lacks).count();
        if open > 0 {
            self.warnings.push(format!(
                "{open} of {} runs have messages to groups that some receiver lacks a part of; times and \
                 goodput of these messages leave those runs out",
                self.replicas.len()
            ));
        }
    }
}
