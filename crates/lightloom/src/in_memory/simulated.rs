//! What is asked of a simulation, and what came of it.

use std::path::PathBuf;

use lightloom_export::results;
use lightloom_request::{Files, Texts};
use lightloom_scenario::glass::Light;
use lightloom_sim::capture::Capture;
use lightloom_sim::recording::RecordingReport;
use lightloom_sim::replicas::ReplicasReport;
use lightloom_sim::report::SimulateReport;
use lightloom_sim::so_far::SoFarReport;
use lightloom_units::DataSize;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Options of a simulation.
#[derive(Debug, Clone, Default)]
pub struct SimulateOptions {
    /// Number of threads (default: 1). At most one thread per core is used. Results do not depend on it.
    pub threads: Option<usize>,
    /// Seed that overrides the scenario's seed.
    pub seed: Option<u64>,
    /// Values of optical parts that decide what branches lose. They override the scenario's `light`.
    pub light: Option<Light>,
    /// Number of runs with consecutive seeds, from that seed on. `None`: one run.
    pub seeds: Option<u32>,
    /// In place of the scenario's own run: the run of this number of several, as [`Self::seeds`] makes them. It has the
    /// scenario's traffic, and draws all else from the seed that is greater by this number. `None` or 0: its own run.
    pub replica: Option<u32>,
    /// File for a trace of all arrivals.
    pub trace: Option<PathBuf>,
    /// File for a timeline of messages: events for Perfetto in a file that ends in `.json`, a space-time diagram in one
    /// that ends in `.svg`.
    pub timeline: Option<PathBuf>,
    /// Captures of single links: pcapng files with the bytes of every packet that arrives.
    pub pcap: Vec<Capture>,
    /// Whether to hold every answer of reliable groups against what their receivers had. It takes memory with packets
    /// times receivers.
    pub check: bool,
    /// Whether to run each job of collective operations again without all other messages.
    pub alone: bool,
    /// Folder for results.
    pub out: Option<PathBuf>,
    /// Source of the texts of the scenario and of the files that it names.
    pub texts: Texts,
    /// Whether to record what happens to each packet: the most arrivals, and the most drops. A recording with more of
    /// either ends there and says so.
    pub record: Option<usize>,
    /// The most memory that the run may take, by an estimate before it begins. `None`: what the machine has left.
    pub memory: Option<DataSize>,
    /// Whether to also keep the files of a run in memory.
    pub keep_files: bool,
}

/// Result of a simulation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Simulated {
    /// Result of one run.
    One(Box<Run>),
    /// Result of several runs.
    Many(Box<Runs>),
}

/// One run: its report and its timing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Run {
    /// Equal for equal input, on every machine.
    #[serde(flatten)]
    pub report: SimulateReport,
    /// Depends on the machine and its load.
    pub timing: TimingReport,
    /// What happened to each packet. `None`: it was not recorded.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub recording: Option<RecordingReport>,
    /// What the run had done at the first look in each of at most 500 equal intervals of simulated time, at least 1 us
    /// long. Empty if it was not recorded.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub so_far: Vec<SoFarReport>,
    /// The files of a results folder. Empty unless they are kept.
    #[serde(skip)]
    pub files: Files,
}

/// Several runs: their report and their timing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Runs {
    /// Equal for equal input, on every machine.
    #[serde(flatten)]
    pub report: ReplicasReport,
    /// Depends on the machine and its load.
    pub timing: TimingReport,
}

/// Time that the work took. It is never written to files.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TimingReport {
    /// Requested number of threads.
    pub threads: usize,
    /// Number of threads in use: at most one per core that this program may use.
    pub threads_used: usize,
    /// Time for reading the scenario and building the network, in seconds. 0 in a build without clocks.
    pub read_s: f64,
    /// Time for the run with its set-up, in seconds. 0 in a build without clocks.
    pub run_s: f64,
    /// Data packets times links, per second of the run. 0 in a build without clocks.
    pub data_hops_per_s: f64,
}

impl Simulated {
    /// Whether everything that was requested came to an end. If not, the command ends with exit code 1.
    pub fn good(&self) -> bool {
        match self {
            Self::One(run) => run.report.end.good(),
            Self::Many(runs) => runs.report.replicas.iter().all(|replica| replica.end.good()),
        }
    }

    /// The files of a results folder. For a single run, only the kept files.
    pub fn files(&self) -> Files {
        match self {
            Self::One(run) => run.files.clone(),
            Self::Many(runs) => results::files_of_several(&runs.report),
        }
    }
}
