//! Reads and runs scenarios, and writes their results.

use std::path::Path;

use lightloom_audit::check_agreement;
use lightloom_design::optics::all_threads;
use lightloom_export::results;
#[cfg(feature = "system")]
use lightloom_export::results::recorded::{Recorded, Wanted};
use lightloom_input::machine;
use lightloom_input::scenario;
use lightloom_request::{Error, Files, InputError, MOST_THREADS, Memory, Message, Texts};
use lightloom_scenario::build::Overrides;
use lightloom_scenario::memory::{Counts, Kept};
use lightloom_scenario::scenario::Scenario;
use lightloom_sim::alone::alone;
use lightloom_sim::bounds;
use lightloom_sim::look::ScenarioReport;
use lightloom_sim::recording::RecordingReport;
use lightloom_sim::replicas;
use lightloom_sim::report::SimulateReport;
use lightloom_sim::run::{check, ideals, run, setup, simulation};
use lightloom_sim::so_far::SoFarReport;
use lightloom_watch::Watch;

use super::clock::Clock;
use super::samples::Samples;
use super::simulated::{Run, Runs, SimulateOptions, Simulated, TimingReport};
#[cfg(feature = "system")]
use crate::folders::places::Places;

/// Largest number of runs of one scenario.
pub const MOST_SEEDS: u32 = 10_000;

/// Runs a scenario. A stop ends the run with the results so far. The watch receives the simulated time in
/// picoseconds, and what the run has done so far when it wants it. The run waits while the watch receives it.
///
/// # Examples
/// ```
/// # use lightloom::Watch;
/// # use lightloom::twin::{Simulated, SimulateOptions, simulate};
/// # use std::collections::BTreeMap;
/// # use std::path::Path;
/// # use lightloom::Texts;
/// const SCENARIO: &str = r#"
/// version = 1
/// until = "1 ms"
/// [network]
/// kind = "leaf-spine"
/// leaves = 1
/// spines = 0
/// hosts_per_leaf = 2
/// rate = "100 Gb/s"
/// length = "10 m"
/// [[flow]]
/// from = 0
/// to = 1
/// size = "64 kB"
/// "#;
/// let file = Path::new("one.toml");
/// let texts = Texts::keeping(BTreeMap::from([(file.into(), SCENARIO.to_owned())]));
/// let options = SimulateOptions { texts, keep_files: true, ..SimulateOptions::default() };
/// let came = simulate(file, &options, Watch::quiet())?;
/// assert!(came.good() && !came.files().is_empty());
/// let Simulated::One(run) = came else { panic!("one seed is one run") };
/// assert_eq!((run.report.flows.completed, run.report.flows.unfinished), (1, 0));
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`Error::Input`] if the scenario is wrong, [`Error::Folder`] if results cannot be written, [`Error::Twin`]
/// if the twin's packet counts do not add up.
pub fn simulate(
    path: &Path,
    options: &SimulateOptions,
    watch: Watch<'_, SoFarReport>,
) -> Result<Simulated, Error> {
    let clock = Clock::start();
    check_options(options)?;
    let scenario = read_with(path, options)?;
    run_read(&scenario, options, clock, watch)
}

/// Runs a scenario that a program has built, as [`simulate`] runs one that it has read.
///
/// # Examples
/// ```
/// use lightloom::scenario::{
///     FlowRow, NetworkRow, Node, Nodes, Overrides, Run, RunRow, ScenarioBuilder, Supplied, shipped_parameters,
/// };
/// use lightloom::twin::{NetworkKind, SimulateOptions, Simulated, simulate_built};
/// use lightloom::units::{BitRate, DataSize, Instant, Length};
/// use lightloom::{Memory, Watch};
///
/// let network = NetworkRow {
///     kind: Some(NetworkKind::LeafSpine),
///     leaves: Some(1),
///     spines: Some(0),
///     hosts_per_leaf: Some(4),
///     rate: Some(BitRate::from_gbps(100)),
///     length: Some(Length::from_m(10)),
///     ..NetworkRow::default()
/// };
/// let run = RunRow { until: Some(Instant::from_ps(1_000_000_000)), ..RunRow::default() };
/// let parameters = shipped_parameters()?;
/// let nodes = Nodes::build(&network, Supplied::Nothing, &parameters, Overrides::default())?;
/// let mut builder = ScenarioBuilder::new(Run::new(&run, None)?, parameters, nodes, Memory::Unknown);
/// for to in 1..4 {
///     let size = Some(DataSize::from_bytes(64_000));
///     let (from, to) = (Some(Node::Host(0)), Some(Node::Host(to)));
///     builder.flow(&FlowRow { from, to, size, ..FlowRow::default() })?;
/// }
/// let (scenario, _) = builder.build()?;
/// let came = simulate_built(&scenario, &SimulateOptions::default(), Watch::quiet())?;
/// let Simulated::One(run) = came else { panic!("one seed is one run") };
/// assert_eq!(run.report.flows.completed, 3);
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// As [`simulate`]. [`Error::Input`] also if options say a seed or values of the light: the builder was told those.
pub fn simulate_built(
    scenario: &Scenario,
    options: &SimulateOptions,
    watch: Watch<'_, SoFarReport>,
) -> Result<Simulated, Error> {
    let clock = Clock::start();
    check_options(options)?;
    let told = [("seed", options.seed.is_some()), ("light", options.light.is_some())];
    if let Some((name, _)) = told.into_iter().find(|(_, is_told)| *is_told) {
        let message = "is said too late; the scenario is built, so tell its builder";
        return Err(InputError::new(message).in_option(name).into());
    }
    check_memory(scenario, options, memory_of(options))?;
    run_read(scenario, options, clock, watch)
}

/// Runs a scenario with options that were checked. `clock` started when it began to be read.
fn run_read(
    scenario: &Scenario,
    options: &SimulateOptions,
    clock: Clock,
    watch: Watch<'_, SoFarReport>,
) -> Result<Simulated, Error> {
    #[cfg(feature = "system")]
    let places = Places::check(options.out.as_deref(), scenario)?;
    if options.alone && scenario.jobs.is_empty() {
        let message =
            "is for scenarios with jobs; give rows of [[collective]] a job, or leave it out";
        return Err(InputError::new(message).in_option("alone").into());
    }
    let (threads, threads_used) = threads(options);
    let refused = |error| scenario::refusal(scenario, &options.texts, &error);
    let read_s = clock.seconds().unwrap_or(0.0);
    let timing = |clock: Clock, data_hops: u64| {
        let run_s = clock.seconds();
        let data_hops_per_s = run_s.map_or(0.0, |run_s| data_hops as f64 / run_s.max(1e-9));
        let run_s = run_s.unwrap_or(0.0);
        TimingReport { threads, threads_used, read_s, run_s, data_hops_per_s }
    };
    if let Some(seeds) = options.seeds {
        let clock = Clock::start();
        // Before the runs: only here is it known which line says what is wrong.
        simulation(setup(scenario, scenario.seed, 1, false)).map_err(refused)?;
        let (report, data_hops) =
            replicas::run(scenario, (seeds, options.check), threads_used, watch.step())?;
        let timing = timing(clock, data_hops);
        #[cfg(feature = "system")]
        places.write(&results::files_of_several(&report))?;
        return Ok(Simulated::Many(Box::new(Runs { report, timing })));
    }
    // A capture beside a recording needs all arrivals too.
    let traced = options.trace.is_some() || (options.record.is_some() && !options.pcap.is_empty());
    let seed = scenario.seed.wrapping_add(options.replica.unwrap_or(0).into());
    let setup = setup(scenario, seed, threads_used, traced);
    let mut simulation = simulation(setup).map_err(refused)?;
    if options.check {
        simulation.check_answers();
    }
    if let Some(most) = options.record {
        simulation.record(most);
    }
    if scenario.probes.copies {
        simulation.count_copies();
    }
    #[cfg(feature = "system")]
    let recorded = Recorded::prepare(
        Wanted {
            trace: options.trace.as_deref(),
            timeline: options.timeline.as_deref(),
            pcap: &options.pcap,
        },
        (&places.inputs, options.out.as_deref()),
        &mut simulation,
    )?;
    let clock = Clock::start();
    let until = scenario.until.as_ps();
    let samples = options.record.map(|_| Samples::new());
    let outcome = run(&simulation, watch, &|look| {
        let now = look.at.as_ps();
        if let Some(samples) = &samples {
            samples.look(now, || SoFarReport::new(scenario, &look));
        }
        // The run itself checks for a stop.
        let _ = watch.progress(now, until);
        watch.so_far_at(now, || SoFarReport::new(scenario, &look));
    });
    let timing = timing(clock, outcome.data_hops);
    check(scenario, &outcome)?;
    #[cfg(feature = "system")]
    recorded.write(scenario, &outcome)?;
    let ideals = ideals(scenario);
    let mut report = SimulateReport::new(scenario, &outcome, &ideals);
    if options.alone
        && let Some(jobs) = alone(scenario, simulation.setup(), watch.step())?
    {
        report.jobs.iter_mut().zip(&jobs).for_each(|(job, alone)| job.enter_alone(alone));
    }
    bounds::check(scenario, &outcome, &report)?;
    let recorded = || RecordingReport::new(scenario, &simulation, &outcome);
    let recording = options.record.map(|_| recorded());
    let so_far = samples.map_or_else(Vec::new, Samples::into_taken);
    let mut made = Files::new();
    if options.out.is_some() || options.keep_files {
        made = results::files(scenario, &outcome, &ideals, &report);
    }
    #[cfg(feature = "system")]
    places.write(&made)?;
    Ok(Simulated::One(Box::new(Run { report, timing, recording, so_far, files: made })))
}

/// The number of threads that was asked for, and the number that is used.
pub(crate) fn threads(options: &SimulateOptions) -> (usize, usize) {
    let threads = options.threads.unwrap_or(1).max(1);
    // Threads beyond the number of cores would only slow down the others. Results do not depend on the number.
    (threads, threads.min(all_threads().get()))
}

/// Reads a scenario with what options say in its place.
pub(crate) fn read_with(path: &Path, options: &SimulateOptions) -> Result<Scenario, Error> {
    let memory = memory_of(options);
    let SimulateOptions { seed, light, .. } = *options;
    let scenario = read(path, &options.texts, Overrides { seed, light, memory })?;
    check_memory(&scenario, options, memory)?;
    Ok(scenario)
}

/// The memory that a run may take.
fn memory_of(options: &SimulateOptions) -> Memory {
    options.memory.map_or_else(machine::memory, Memory::Allowed)
}

/// Refuses a run that needs more memory than it may take.
fn check_memory(
    scenario: &Scenario,
    options: &SimulateOptions,
    memory: Memory,
) -> Result<(), InputError> {
    // A capture keeps the arrivals too.
    let is_traced = options.trace.is_some() || !options.pcap.is_empty();
    let kept = Kept {
        runs: options.seeds.unwrap_or(1),
        // A job alone runs while the whole run is kept.
        at_once: options.seeds.map_or(1 + usize::from(options.alone), |_| threads(options).1),
        is_traced,
        recorded: options.record,
        is_checked: options.check,
    };
    let counted = Counts::of(scenario, is_traced || options.record.is_some());
    let needed = counted.memory(kept);
    memory.check_option("the run", needed).map_err(|error| match scenario.files.first() {
        Some((file, _)) => error.in_file(file),
        None => error,
    })
}

/// Reads a scenario. Refuses a plan folder whose other files do not agree with its `plan.json`.
fn read(path: &Path, texts: &Texts, overrides: Overrides) -> Result<Scenario, Error> {
    let (scenario, plan) = scenario::read(path, texts, overrides)?;
    if let Some(plan) = plan {
        check_agreement(&plan, texts)?;
    }
    Ok(scenario)
}

/// Refuses options that are out of range or that exclude each other.
pub(crate) fn check_options(options: &SimulateOptions) -> Result<(), InputError> {
    if cfg!(not(feature = "system")) {
        let written = [
            ("trace", options.trace.is_some()),
            ("timeline", options.timeline.is_some()),
            ("pcap", !options.pcap.is_empty()),
            ("out", options.out.is_some()),
        ];
        if let Some((name, _)) = written.into_iter().find(|(_, asked)| *asked) {
            let message =
                "names a place on disk, and this build writes no files; keep them in memory";
            return Err(InputError::new(message).in_option(name));
        }
    }
    if let Some(threads) = options.threads.filter(|&threads| threads > MOST_THREADS) {
        let message = format!("found {threads}; expected 1 to {MOST_THREADS}");
        return Err(InputError::new(message).in_option("threads"));
    }
    let Some(seeds) = options.seeds else { return Ok(()) };
    if !(1..=MOST_SEEDS).contains(&seeds) {
        let message = format!("found {seeds}; expected 1 to {MOST_SEEDS}");
        return Err(InputError::new(message).in_option("seeds"));
    }
    let recorded = [
        ("trace", options.trace.is_some()),
        ("timeline", options.timeline.is_some()),
        ("pcap", !options.pcap.is_empty()),
        ("record", options.record.is_some()),
        ("replica", options.replica.is_some()),
        ("alone", options.alone),
    ];
    if let Some((name, _)) = recorded.into_iter().find(|(_, asked)| *asked) {
        let message = Message::new("is for one run; leave out ").option("seeds", None);
        let message = message.text(", and choose the run with ").option("seed", None);
        return Err(InputError::mentioning(message).in_option(name));
    }
    Ok(())
}

/// Reads and checks a scenario.
///
/// # Examples
/// ```
/// # use lightloom::twin::read_scenario;
/// # use std::collections::BTreeMap;
/// # use std::path::Path;
/// # use lightloom::Texts;
/// const SCENARIO: &str = r#"
/// version = 1
/// until = "1 ms"
/// [network]
/// kind = "leaf-spine"
/// leaves = 1
/// spines = 0
/// hosts_per_leaf = 2
/// rate = "100 Gb/s"
/// length = "10 m"
/// [[flow]]
/// from = 0
/// to = 1
/// size = "64 kB"
/// "#;
/// let file = Path::new("one.toml");
/// let texts = Texts::keeping(BTreeMap::from([(file.into(), SCENARIO.to_owned())]));
/// let found = read_scenario(file, &texts)?;
/// assert_eq!((found.network.hosts, found.flows), (2, 1));
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`Error::Input`] at the first error in the scenario.
pub fn read_scenario(path: &Path, texts: &Texts) -> Result<ScenarioReport, Error> {
    Ok(ScenarioReport::new(&read(
        path,
        texts,
        Overrides { memory: machine::memory(), ..Overrides::default() },
    )?))
}
