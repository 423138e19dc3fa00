//! Writes traces of applications.

use std::path::Path;

use lightloom_export::output::Inputs;
use lightloom_export::results::single::SingleFile;
use lightloom_request::{Error, InputError, Texts};
use lightloom_sim::trace_file::TraceFileReport;
use lightloom_traces::goal;

use crate::in_memory::traces::{TraceOptions, read, told};

/// As [`trace`](crate::twin::trace), and writes the trace to a file in the text form of GOAL, whose name ends in
/// `.goal`. A file that is there is replaced.
///
/// # Examples
/// ```
/// # use lightloom::Texts;
/// # use lightloom::twin::{TraceOptions, write_trace};
/// # let place = tempfile::tempdir().expect("a folder can be made");
/// # let scenario = place.path().join("ping.toml");
/// # let text = "version = 1
/// # until = '1 ms'
/// # network = { kind = 'leaf-spine', leaves = 1, spines = 1, hosts_per_leaf = 2, rate = '100 Gb/s', delay = '1 us' }
/// # flow = [{ from = 0, to = 1, size = '1 kB' }]";
/// # std::fs::write(&scenario, text).expect("a file can be written");
/// let goal = place.path().join("ping.goal");
/// let report = write_trace(&scenario, &Texts::default(), TraceOptions::default(), &goal)?;
/// assert_eq!(report.messages, 1);
/// assert!(std::fs::read_to_string(&goal).expect("it is there").contains("send 1000b to 1 tag 0"));
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// As [`trace`](crate::twin::trace); also if the file cannot be written, is one that was read, or has another ending.
pub fn write_trace(
    path: &Path,
    texts: &Texts,
    options: TraceOptions,
    to: &Path,
) -> Result<TraceFileReport, Error> {
    if to.extension().is_none_or(|ending| ending != "goal") {
        let message = "names no trace; end it in .goal";
        return Err(InputError::new(message).in_file(to).in_option("goal").into());
    }
    let (read, files) = read(path, texts, &options)?;
    if !read.trace.calls.is_empty() {
        let message = format!(
            "has {} collective operations, and GOAL has none; run it in a scenario with a schedule for each kind",
            read.trace.calls.len()
        );
        return Err(InputError::new(message).in_file(path).into());
    }
    let file = SingleFile::create(to, "goal", (&Inputs::of(files), None), [])?;
    let report = told(path, &read, &options)?;
    file.write(|out| goal::write(&read.trace, out))?;
    Ok(report)
}
