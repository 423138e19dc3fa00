//! What a trace of an application has.

use std::path::{Path, PathBuf};

use lightloom_input::kind::FileKind;
use lightloom_input::scenario::{self, read_trace, runnable};
use lightloom_input::text;
use lightloom_request::{Error, InputError, Texts};
use lightloom_scenario::as_trace::as_trace;
use lightloom_scenario::build::{Overrides, ReadTrace};
use lightloom_sim::trace_file::TraceFileReport;
use lightloom_traces::Ideal;
use lightloom_units::{BitRate, Span, Speed};

/// What is asked about a trace.
#[derive(Debug, Clone, Default)]
pub struct TraceOptions {
    /// A file with the process groups of a trace of Chakra. `None`: the trace names them, or has none.
    pub process_groups: Option<PathBuf>,
    /// Speed of each rank, for computations of Chakra that have operations and no duration.
    pub speed: Option<Speed>,
    /// Time that each message of the longest path over a network takes. `None`: none.
    pub latency: Option<Span>,
    /// Rate of the bytes of these messages. `None`: they take no time.
    pub rate: Option<BitRate>,
}

/// What a trace of an application has: ranks, messages, computations, collective operations, and its longest path. It
/// is read as a `[[trace]]` of a scenario is. The messages and computations of a scenario are a trace too, with a rank
/// for each host.
///
/// # Examples
/// ```
/// use lightloom::twin::{TraceOptions, trace};
/// # use std::path::Path;
/// # let texts = lightloom::Texts::default().with(Path::new("app.goal"),
/// #     "num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\nrecv 8b from 0\n}\n".into());
/// let report = trace(Path::new("app.goal"), &texts, TraceOptions::default())?;
/// assert_eq!((report.ranks, report.messages), (2, 1));
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`InputError`](lightloom_request::InputError) with line and rank if the file is no trace, a message has no receive,
/// or operations wait for themselves; also if it is a scenario with messages to groups.
pub fn trace(path: &Path, texts: &Texts, options: TraceOptions) -> Result<TraceFileReport, Error> {
    told(path, &read(path, texts, &options)?.0, &options)
}

/// What a trace has.
pub(crate) fn told(
    path: &Path,
    read: &ReadTrace,
    options: &TraceOptions,
) -> Result<TraceFileReport, Error> {
    let TraceOptions { latency, rate, .. } = *options;
    if rate.is_some_and(|rate| rate.as_bps() == 0) {
        let message = "found 0 bit/s; expected a rate such as \"100 Gb/s\"";
        return Err(InputError::new(message).in_option("rate").into());
    }
    let is_asked = latency.is_some() || rate.is_some();
    let network = is_asked.then(|| Ideal { latency: latency.unwrap_or(Span::ZERO), rate });
    let report = TraceFileReport::new(path.display().to_string(), read, network);
    if is_asked && report.over_network.is_none() {
        let message = "makes the longest path longer than the clock, 213 days; give less of it, or a higher rate";
        return Err(InputError::new(message).in_option("latency").into());
    }
    Ok(report)
}

/// Reads a trace, or makes that of a scenario; also the files that were read.
pub(crate) fn read(
    path: &Path,
    texts: &Texts,
    options: &TraceOptions,
) -> Result<(ReadTrace, Vec<PathBuf>), Error> {
    // A file that cannot be read as a text is refused as a trace.
    let is_scenario =
        text::read(texts, path).is_ok_and(|text| FileKind::of(&text) == FileKind::Scenario);
    if !is_scenario {
        if path.extension().is_some_and(|ending| ending == "toml") {
            let message = "is no scenario; name one, or a trace in GOAL or Chakra";
            return Err(InputError::new(message).in_file(path).into());
        }
        let (trace, files) =
            read_trace(texts, path, (options.process_groups.as_deref(), options.speed))?;
        return Ok((trace, files.into_iter().map(|(file, _)| file).collect()));
    }
    if options.process_groups.is_some() {
        let message = "is for traces of Chakra, whose files end in .et; leave it out";
        return Err(InputError::new(message).in_option("process_groups").into());
    }
    if options.speed.is_some() {
        let message =
            "is for traces of Chakra; the scenario says that of its traces, so leave it out";
        return Err(InputError::new(message).in_option("speed").into());
    }
    let (scenario, _) = scenario::read(path, texts, Overrides::default())?;
    let files = scenario.files.iter().map(|(file, _)| file.clone()).collect();
    let wrong = |message: String| InputError::new(message).in_file(path);
    let trace = as_trace(&scenario).map_err(wrong)?;
    let read = runnable(trace).map_err(|error| wrong(error.to_string()))?;
    Ok((read, files))
}
