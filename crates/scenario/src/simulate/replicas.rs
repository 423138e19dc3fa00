//! One scenario with several seeds: the same traffic, other losses, marks and paths.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use serde::Serialize;

use super::ending::EndReport;
use super::manifest::ManifestReport;
use super::report::{FlowsReport, NetworkReport, SimulateReport};
use super::scenario::Scenario;
use super::summary::IntervalReport;
use super::{
    MOST_SEEDS, MOST_THREADS, SimulateOptions, check as conserved, checked, ideals, setup,
};
use crate::{Error, InputError};

/// What came of several runs of a scenario. Sizes and arrivals are drawn from the scenario's own seed
/// and so are the same in all (common random numbers); losses, marking and the choice among equal
/// paths are drawn from each run's.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReplicasReport {
    /// What they were made from.
    pub manifest: ManifestReport,
    /// Values that were taken with a grain of salt.
    pub warnings: Vec<String>,
    /// The network.
    pub network: NetworkReport,
    /// Each run.
    pub replicas: Vec<ReplicaReport>,
    /// The mean completion time, in picoseconds, over the runs.
    pub mean_completion_ps: Option<IntervalReport>,
    /// The 99th percentile of completion times, in picoseconds, over the runs.
    pub p99_completion_ps: Option<IntervalReport>,
    /// The goodput, in bits per second, over the runs.
    pub goodput_bps: Option<IntervalReport>,
}

/// One run of several.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReplicaReport {
    /// The seed of its losses, marks and paths.
    pub seed: u64,
    /// How it ended.
    pub end: EndReport,
    /// Completion times.
    pub flows: FlowsReport,
    /// Packets dropped.
    pub dropped: u64,
    /// Pauses sent.
    pub pauses: u64,
    /// Data packets times links.
    pub data_hops: u64,
}

/// Refuses options that are out of range or do not go together.
pub(super) fn check(options: &SimulateOptions) -> Result<(), InputError> {
    if let Some(threads) = options.threads.filter(|&threads| threads > MOST_THREADS) {
        let message = format!("found {threads}; expected 1 to {MOST_THREADS}");
        return Err(InputError::new(message).in_field("--threads"));
    }
    let Some(seeds) = options.seeds else { return Ok(()) };
    if !(1..=MOST_SEEDS).contains(&seeds) {
        let message = format!("found {seeds}; expected 1 to {MOST_SEEDS}");
        return Err(InputError::new(message).in_field("--seeds"));
    }
    if options.trace.is_some() {
        let message = "is for one run; leave out --seeds, and choose the run with --seed";
        return Err(InputError::new(message).in_field("--trace"));
    }
    Ok(())
}

/// Runs a scenario with `seeds` seeds, `threads` runs at a time; also the data hops of all. After a stop no
/// run begins; those that had begun are reported.
pub(super) fn run(
    scenario: &Scenario,
    seeds: u32,
    threads: usize,
    stop: &AtomicBool,
    told: &(dyn Fn(u64, u64) + Sync),
) -> Result<(ReplicasReport, u64), Error> {
    let ideals = ideals(scenario);
    let seeds: Vec<u64> = (0..u64::from(seeds)).map(|i| scenario.seed.wrapping_add(i)).collect();
    let reached: Vec<AtomicU64> = seeds.iter().map(|_| AtomicU64::new(0)).collect();
    let until = scenario.until.as_ps();
    let whole = until.saturating_mul(seeds.len() as u64);
    let mut template = setup(scenario, scenario.seed, 1, false);
    // Series of flows are written for single runs only.
    template.by_flow = false;
    let one = |i: usize, seed: u64| -> Result<ReplicaReport, Error> {
        let setup = lightloom_twin::Setup { seed, ..template.clone() };
        let simulation = checked(setup)?;
        let outcome = lightloom_twin::simulate(&simulation, stop, &|now| {
            reached[i].store(now.as_ps(), Ordering::Relaxed);
            let done = reached.iter().map(|at| at.load(Ordering::Relaxed));
            told(done.fold(0, u64::saturating_add), whole);
        });
        reached[i].store(until, Ordering::Relaxed);
        conserved(scenario, &outcome)?;
        Ok(ReplicaReport::new(seed, SimulateReport::new(scenario, &outcome, &ideals)))
    };
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let stopped = i > 0 && stop.load(Ordering::Relaxed);
            let Some(&seed) = seeds.get(i).filter(|_| !stopped) else { return done };
            done.push((i, one(i, seed)));
        }
    };
    let mut runs = std::thread::scope(|scope| {
        let hands: Vec<_> = (0..threads.min(seeds.len())).map(|_| scope.spawn(work)).collect();
        let joined = hands
            .into_iter()
            .map(|hand| hand.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        joined.flatten().collect::<Vec<_>>()
    });
    runs.sort_unstable_by_key(|(i, _)| *i);
    let replicas = runs.into_iter().map(|(_, run)| run).collect::<Result<Vec<_>, Error>>()?;
    let data_hops = replicas.iter().map(|replica| replica.data_hops).sum();
    Ok((summed(scenario, replicas), data_hops))
}

impl ReplicaReport {
    fn new(seed: u64, report: SimulateReport) -> Self {
        Self {
            seed,
            end: report.end,
            flows: report.flows,
            dropped: report.drops.iter().map(|drop| drop.packets).sum(),
            pauses: report.queues.pauses,
            data_hops: report.work.data_hops,
        }
    }

    /// Whether it ran as far as was asked for.
    fn ran(&self) -> bool {
        self.end.good()
    }
}

/// Means and intervals over the runs that ran as far as was asked for.
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
            "{ended} of {all} runs did not run as far as was asked for; means leave them out"
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
    let goodput = over(&|replica| Some(replica.flows.goodput_bps));
    ReplicasReport {
        manifest: ManifestReport::new(scenario),
        warnings,
        network: NetworkReport::new(scenario),
        replicas,
        mean_completion_ps: mean,
        p99_completion_ps: p99,
        goodput_bps: goodput,
    }
}

/// `replicas.csv`: a line each run.
pub(super) fn csv(report: &ReplicasReport) -> Vec<u8> {
    let mut csv = String::from(
        "seed,end,reached_ps,completed,unfinished,mean_completion_ps,p99_completion_ps,goodput_bps,\
         repeated,timeouts,dropped,pauses,data_hops\n",
    );
    for replica in &report.replicas {
        let ReplicaReport { seed, end, flows, dropped, pauses, data_hops } = replica;
        let times = flows.completion;
        let ps = |of: fn(super::TimesReport) -> u64| {
            times.map_or_else(String::new, |times| of(times).to_string())
        };
        csv += &format!(
            "{seed},{},{},{},{},{},{},{:.0},{},{},{dropped},{pauses},{data_hops}\n",
            end.how,
            end.reached_ps,
            flows.completed,
            flows.unfinished,
            ps(|times| times.mean_ps),
            ps(|times| times.p99_ps),
            flows.goodput_bps,
            flows.repeated,
            flows.timeouts,
        );
    }
    csv.into_bytes()
}
