//! Files of a run in memory: a trace of its arrivals, a timeline, and captures of links.

use std::path::{Path, PathBuf};

use lightloom_export::output::Inputs;
use lightloom_export::results::captured::{Captured, trace_bytes};
use lightloom_export::results::single::checked;
use lightloom_export::results::timeline::{self, Form};
use lightloom_input::scenario;
use lightloom_request::{Error, InputError};
use lightloom_sim::run::{check, run, setup, simulation};
use lightloom_watch::Watch;

use crate::in_memory::simulated::SimulateOptions;
use crate::in_memory::twin::{check_options, read_with, threads};

/// The files that `trace`, `timeline` and `pcap` of the options name, with the bytes that
/// [`simulate`](crate::twin::simulate) writes to them. The scenario is run for it, and nothing is written. The trace
/// comes first, then the timeline.
///
/// Of the other options, those count that decide what the run does: `threads`, `seed`, `light`, `check` and `texts`.
/// The watch receives the simulated time in picoseconds.
///
/// # Examples
/// ```
/// # use lightloom::{Texts, Watch};
/// # use lightloom::twin::{Capture, SimulateOptions, arrival_files};
/// # use std::collections::BTreeMap;
/// # use std::path::Path;
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
/// let pcap = vec![Capture { file: "up.pcapng".into(), link: "host 0>leaf 0".to_owned() }];
/// let trace = Some("trace.csv".into());
/// let options = SimulateOptions { texts, trace, pcap, ..SimulateOptions::default() };
/// let files = arrival_files(file, &options, Watch::quiet())?;
/// let [(trace, lines), (_, capture)] = &files[..] else { panic!("two files were named") };
/// assert_eq!(trace, Path::new("trace.csv"));
/// assert!(lines.starts_with(b"time_ps,node,") && capture.len() > 64_000);
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`Error::Input`] if the scenario is wrong, if a link is none of its network, or if a file is one that the scenario
/// is read from. [`Error::Twin`] if the twin's packet counts do not add up. [`Error::Stopped`] if the watch ends the
/// run: a part of the arrivals would be no trace.
pub fn arrival_files(
    path: &Path,
    options: &SimulateOptions,
    watch: Watch<'_>,
) -> Result<Vec<(PathBuf, Vec<u8>)>, Error> {
    check_options(options)?;
    let scenario = read_with(path, options)?;
    let inputs = Inputs::of(scenario.files.iter().map(|(file, _)| file));
    for (file, option) in named(options) {
        checked(file, option, &inputs)?;
    }
    let (_, threads) = threads(options);
    let setup = setup(&scenario, scenario.seed, threads, options.trace.is_some());
    let refused = |error| scenario::refusal(&scenario, &options.texts, &error);
    let mut simulation = simulation(setup).map_err(refused)?;
    if options.check {
        simulation.check_answers();
    }
    let form = |file: &PathBuf| Ok::<_, InputError>((file.clone(), Form::of(file)?));
    let timeline = options.timeline.as_ref().map(form).transpose()?;
    let mut captures = Vec::new();
    for capture in &options.pcap {
        captures.push((&capture.file, Captured::prepare(&capture.link, &mut simulation)?));
    }
    let until = scenario.until.as_ps();
    let outcome = run(&simulation, watch, &|look| {
        // The run itself checks for a stop.
        let _ = watch.progress(look.at.as_ps(), until);
    });
    watch.check()?;
    check(&scenario, &outcome)?;
    let mut files = Vec::new();
    if let Some(file) = &options.trace {
        files.push((file.clone(), trace_bytes(&outcome)));
    }
    if let Some((file, form)) = timeline {
        files.push((file, timeline::bytes(form, &scenario, &outcome)));
    }
    for (file, captured) in captures {
        files.push((file.clone(), captured.bytes(&outcome)?));
    }
    Ok(files)
}

/// The files that options name, and the option of each.
fn named(options: &SimulateOptions) -> impl Iterator<Item = (&Path, &'static str)> {
    let trace = options.trace.iter().map(|file| (file.as_path(), "trace"));
    let timeline = options.timeline.iter().map(|file| (file.as_path(), "timeline"));
    trace.chain(timeline).chain(options.pcap.iter().map(|capture| (capture.file.as_path(), "pcap")))
}
