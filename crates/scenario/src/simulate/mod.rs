//! `simulate`: a scenario in, what came of it out.
//!
//! A scenario (TOML) becomes a checked [`Scenario`](scenario::Scenario), which runs on
//! `lightloom_twin` and comes back as a report and files. The constants of the twin stand in
//! `catalogue/twin.toml`, and every report lists those in force.

mod connection;
mod ending;
mod ideal;
mod limits;
mod links;
mod look;
mod manifest;
mod network;
mod overflow;
mod parameters;
mod probes;
mod racks;
mod replicas;
mod report;
mod saved;
mod scenario;
mod series;
mod sizes;
mod summary;
mod throughput;
mod timeouts;
mod trace;
mod traffic;
mod trouble;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use lightloom_export::folder::{self, Files};
use lightloom_twin::{Multicast, Outcome, Setup, Simulation, Unbalanced};
use serde::Serialize;

use crate::optics::all_threads;
use crate::{Error, InputError, Texts};
pub use ending::{EndReport, RingReport, StoppedReport};
pub use look::{ScenarioReport, read_scenario};
pub use manifest::{FileReport, ManifestReport};
pub use overflow::OverflowReport;
pub use parameters::ParameterReport;
pub use replicas::{ReplicaReport, ReplicasReport};
pub use report::{
    DropReport, FlowsReport, NetworkReport, PortReport, QueuesReport, SimulateReport, SizeReport,
    ThroughputSeries, WorkReport,
};
pub use saved::{Column, check_results, read_columns, read_results, write_results};
use scenario::Scenario;
pub use summary::{IntervalReport, RatiosReport, TimesReport};
use trace::Trace;

/// The files of a run.
const OF_ONE: [&str; 6] =
    ["flows.csv", "throughput.csv", "links.csv", "flows.arrow", "throughput.arrow", REPORT];
/// Those that it has where every flow is recorded.
const BY_FLOW: [&str; 2] = ["flow-throughput.csv", "flow-throughput.arrow"];
/// The table of several runs.
const REPLICAS: &str = "replicas.csv";
const REPORT: &str = "report.json";
/// All files that a folder of results may hold, of one run or of several.
pub const RESULT_FILES: [&str; 9] = {
    let [flows, throughput, links, flows_arrow, throughput_arrow, report] = OF_ONE;
    let [by_flow, by_flow_arrow] = BY_FLOW;
    [
        flows,
        throughput,
        links,
        flows_arrow,
        throughput_arrow,
        by_flow,
        by_flow_arrow,
        REPLICAS,
        report,
    ]
};

/// The most runs of one scenario.
pub const MOST_SEEDS: u32 = 10_000;

/// The most threads that can be asked for: they wait for each other in every link delay.
pub const MOST_THREADS: usize = 256;

/// How a scenario is run.
#[derive(Debug, Clone, Default)]
pub struct SimulateOptions {
    /// Number of threads (default: 1), of which no more are used than there are cores. Results do not
    /// depend on it.
    pub threads: Option<usize>,
    /// A seed in place of the scenario's.
    pub seed: Option<u64>,
    /// Several runs, with this many seeds from that one on.
    pub seeds: Option<u32>,
    /// A file for every arrival.
    pub trace: Option<PathBuf>,
    /// A folder for results.
    pub out: Option<PathBuf>,
    /// Where the texts of the scenario and of the files come from that it names.
    pub texts: Texts,
    /// Keep the files of a run in memory too.
    pub keep_files: bool,
}

/// What came of a scenario.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum Simulated {
    /// Of one run.
    One(Box<Run>),
    /// Of several.
    Many(Box<Runs>),
}

/// One run: what it gave, and how long that took.
#[derive(Debug, Clone, Serialize)]
pub struct Run {
    /// The same for the same input, whatever the machine.
    #[serde(flatten)]
    pub report: SimulateReport,
    /// Of this machine and moment.
    pub timing: TimingReport,
    /// The files of a results' folder, where they are kept.
    #[serde(skip)]
    pub files: Files,
}

/// Several runs: what they gave, and how long that took.
#[derive(Debug, Clone, Serialize)]
pub struct Runs {
    /// The same for the same input, whatever the machine.
    #[serde(flatten)]
    pub report: ReplicasReport,
    /// Of this machine and moment.
    pub timing: TimingReport,
}

/// How long the work took; never written to files.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TimingReport {
    /// Threads that were asked for.
    pub threads: usize,
    /// Threads that there were: no more than the cores that this program may use.
    pub threads_used: usize,
    /// Reading the scenario and making the network, in seconds.
    pub read_s: f64,
    /// The run with its set-up, in seconds.
    pub run_s: f64,
    /// Data packets times links, a second of the run.
    pub data_hops_per_s: f64,
}

impl Simulated {
    /// Whether everything came to an end that was asked for; else the command ends with code 1.
    pub fn good(&self) -> bool {
        match self {
            Self::One(run) => run.report.end.good(),
            Self::Many(runs) => runs.report.replicas.iter().all(|replica| replica.end.good()),
        }
    }
}

/// Runs a scenario. `stop` ends it with what there is so far; `told` hears how much of the simulated
/// time is done, in picoseconds: (done, of).
///
/// # Errors
/// [`Error::Input`] when the scenario is wrong, [`Error::Folder`] when results cannot be written,
/// [`Error::Twin`] when the twin lost count of its packets.
pub fn simulate(
    path: &Path,
    options: &SimulateOptions,
    stop: &AtomicBool,
    told: &(dyn Fn(u64, u64) + Sync),
) -> Result<Simulated, Error> {
    let clock = std::time::Instant::now();
    replicas::check(options)?;
    let scenario = Scenario::read(path, &options.texts, options.seed)?;
    if let Some(out) = &options.out {
        folder::check(out, &RESULT_FILES, REPORT)?;
    }
    let threads = options.threads.unwrap_or(1).max(1);
    // A thread without a core only takes one from the others. Results do not depend on it.
    let threads_used = threads.min(all_threads().get());
    let read_s = clock.elapsed().as_secs_f64();
    let timing = |clock: std::time::Instant, data_hops: u64| {
        let run_s = clock.elapsed().as_secs_f64();
        let data_hops_per_s = data_hops as f64 / run_s.max(1e-9);
        TimingReport { threads, threads_used, read_s, run_s, data_hops_per_s }
    };
    if let Some(seeds) = options.seeds {
        let clock = std::time::Instant::now();
        let (report, data_hops) = replicas::run(&scenario, seeds, threads_used, stop, told)?;
        let timing = timing(clock, data_hops);
        if let Some(out) = &options.out {
            let files: Files = vec![(REPLICAS, replicas::csv(&report)), (REPORT, json(&report))];
            folder::write(out, &files, &RESULT_FILES, REPORT)?;
        }
        return Ok(Simulated::Many(Box::new(Runs { report, timing })));
    }
    let trace = options.trace.as_deref();
    let trace = trace.map(|path| Trace::create(path, &scenario, options.out.as_deref()));
    let trace = trace.transpose()?;
    let clock = std::time::Instant::now();
    let until = scenario.until.as_ps();
    let simulation = checked(setup(&scenario, scenario.seed, threads_used, trace.is_some()))?;
    let outcome = lightloom_twin::simulate(&simulation, stop, &|now| told(now.as_ps(), until));
    let timing = timing(clock, outcome.data_hops);
    check(&scenario, &outcome)?;
    if let Some(file) = trace {
        file.write(&outcome.trace)?;
    }
    let ideals = ideals(&scenario);
    let report = SimulateReport::new(&scenario, &outcome, &ideals);
    let mut made = Files::new();
    if options.out.is_some() || options.keep_files {
        made = files(&scenario, &outcome, &ideals, &report);
    }
    if let Some(out) = &options.out {
        folder::write(out, &made, &RESULT_FILES, REPORT)?;
    }
    Ok(Simulated::One(Box::new(Run { report, timing, files: made })))
}

/// What the twin is asked to run.
fn setup(scenario: &Scenario, seed: u64, threads: usize, traced: bool) -> Setup<'_> {
    Setup {
        network: &scenario.nodes.network,
        params: scenario.parameters.params,
        flows: scenario.flows.clone(),
        losses: scenario.losses.clone(),
        dead: scenario.failures.dead.clone(),
        storms: scenario.failures.storms.clone(),
        multicast: Multicast::default(),
        patience: scenario.patience,
        traced,
        seed,
        until: scenario.until,
        interval: scenario.probes.interval,
        by_flow: scenario.probes.flows,
        threads,
    }
}

/// The simulation of a setup. What a scenario can say was checked where it was read.
fn checked(setup: Setup<'_>) -> Result<Simulation<'_>, InputError> {
    Simulation::new(setup).map_err(|error| InputError::new(error.to_string()))
}

/// How long each flow would take alone, in picoseconds.
fn ideals(scenario: &Scenario) -> Vec<u64> {
    let (network, params) = (&scenario.nodes.network, &scenario.parameters.params);
    scenario.flows.iter().map(|flow| ideal::ideal(network, params, flow).as_ps()).collect()
}

/// Every packet must be accounted for, or nothing that the twin says is worth anything.
fn check(scenario: &Scenario, outcome: &Outcome) -> Result<(), Error> {
    let Some(first) = outcome.unbalanced.first() else { return Ok(()) };
    let first = match first {
        Unbalanced::Flow(flow) => format!("flow {flow}"),
        Unbalanced::Cast(cast) => format!("message {cast} to a group"),
        Unbalanced::Splitter(splitter) => format!("splitter {splitter}"),
        Unbalanced::Link(node, port) => {
            format!("the link at {}, port {port}", scenario.nodes.network.name(*node))
        }
    };
    let others = outcome.unbalanced.len() - 1;
    Err(Error::Twin(format!("packets of {first} and of {others} other flows and links")))
}

fn files(scenario: &Scenario, outcome: &Outcome, ideals: &[u64], report: &SimulateReport) -> Files {
    const MEMORY: &str = "writing tables to memory does not fail";
    let [flows, series, links, flows_arrow, throughput_arrow, _] = OF_ONE;
    let mut files = vec![
        (flows, series::flows_csv(scenario, outcome, ideals).expect(MEMORY)),
        (series, throughput::throughput_csv(scenario, outcome)),
        (links, series::links_csv(scenario, outcome).expect(MEMORY)),
        (flows_arrow, series::flows_arrow(scenario, outcome, ideals).expect(MEMORY)),
        (throughput_arrow, throughput::throughput_arrow(scenario, outcome).expect(MEMORY)),
    ];
    if scenario.probes.flows {
        let [by_flow, by_flow_arrow] = BY_FLOW;
        files.push((by_flow, throughput::flow_throughput_csv(scenario, outcome)));
        let arrow = throughput::flow_throughput_arrow(scenario, outcome);
        files.push((by_flow_arrow, arrow.expect(MEMORY)));
    }
    files.push((REPORT, json(report)));
    files
}

fn json<T: Serialize>(report: &T) -> Vec<u8> {
    let mut json = serde_json::to_vec_pretty(report).expect("reports have text keys and numbers");
    json.push(b'\n');
    json
}
