//! Reads traces of applications.

use std::path::{Path, PathBuf};

use lightloom_request::{InputError, Texts};
use lightloom_scenario::build::ReadTrace;
use lightloom_traces::{Ideal, Order, Trace, TraceError, chakra, goal, pair};
use lightloom_units::{Span, Speed};

use crate::rows::Row;
use crate::scenario::rank_files;
use crate::text;

/// Most bytes of the files of a trace: some 20 million operations.
const MOST_BYTES: u64 = 1 << 30;

/// Ending of the files of Chakra.
pub(super) const CHAKRA: &str = "et";

/// The files of a trace, with what is in them.
pub(super) type TraceFiles = Vec<(PathBuf, Vec<u8>)>;

/// Reads the trace in the file that the field `file` names, and the process groups of `process_groups`.
pub(super) fn read(
    row: &Row<'_>,
    (path, groups): (&Path, Option<&Path>),
    speed: Option<Speed>,
    files: &mut TraceFiles,
) -> Result<ReadTrace, InputError> {
    let (trace, read) =
        checked(row.texts(), path, (groups, speed)).map_err(|error| match groups {
            Some(groups) if error.file.as_deref() == Some(groups) => {
                row.of_file("process_groups", groups, error)
            }
            _ => row.of_file("file", path, error),
        })?;
    files.extend(read);
    Ok(trace)
}

/// Reads a trace and checks that it can run to its end; also its files. A trace of Chakra is named by the file of rank
/// 0, `groups` is a file with its process groups, and `speed` that of computations without a duration.
///
/// # Errors
/// [`InputError`] with rank and line or record if it is no trace, a message has no receive, or operations wait for
/// themselves.
pub fn checked(
    texts: &Texts,
    path: &Path,
    (groups, speed): (Option<&Path>, Option<Speed>),
) -> Result<(ReadTrace, TraceFiles), InputError> {
    if path.extension().is_some_and(|ending| ending == CHAKRA) {
        return of_ranks(texts, path, (groups, speed));
    }
    if speed.is_some() {
        let message = "has a speed, which is for traces of Chakra, whose files end in .et; GOAL says times, so leave \
                       it out";
        return Err(InputError::new(message).in_file(path));
    }
    if let Some(groups) = groups {
        let message = "is for traces of Chakra, whose files end in .et; GOAL has no process groups, so leave it out";
        return Err(InputError::new(message).in_file(groups));
    }
    let placed = |error| placed(error, path);
    if let Some(refusal) = goal::refuse_binary(&text::head(path)) {
        return Err(placed(refusal));
    }
    let text = text::read_up_to(texts, path, MOST_BYTES)?;
    let trace = goal::read(&text).map_err(placed)?;
    let read = runnable(trace).map_err(placed)?;
    Ok((read, vec![(path.to_path_buf(), text.into_bytes())]))
}

/// Reads a trace of Chakra: the files of all ranks.
fn of_ranks(
    texts: &Texts,
    path: &Path,
    (groups, speed): (Option<&Path>, Option<Speed>),
) -> Result<(ReadTrace, TraceFiles), InputError> {
    let mut files: TraceFiles = Vec::new();
    let mut left = MOST_BYTES;
    for path in rank_files::of(path)? {
        let bytes = text::bytes_up_to(texts, &path, left)?;
        left -= bytes.len() as u64;
        files.push((path, bytes));
    }
    let mut named = chakra::NamedGroups::new();
    let mut group_file = None;
    if let Some(groups) = groups {
        let text = text::read_up_to(texts, groups, MOST_BYTES)?;
        named = chakra::named_groups(&text).map_err(|error| placed(error, groups))?;
        chakra::check_groups(&named, files.len()).map_err(|error| placed(error, groups))?;
        group_file = Some((groups.to_path_buf(), text.into_bytes()));
    }
    let placed = |error: TraceError| {
        let of_rank = error.rank.and_then(|rank| files.get(rank.index()));
        placed(error, of_rank.map_or(path, |(path, _)| path))
    };
    let bytes: Vec<&[u8]> = files.iter().map(|(_, bytes)| bytes.as_slice()).collect();
    let trace = chakra::read(&bytes, &named, speed).map_err(placed)?;
    let read = runnable(trace).map_err(placed)?;
    files.extend(group_file);
    Ok((read, files))
}

/// Pairs the messages of a trace and checks that nothing waits for itself.
pub fn runnable(trace: Trace) -> Result<ReadTrace, TraceError> {
    let messages = pair(&trace)?;
    let order = Order::new(&trace, &messages)?;
    let network = Ideal { latency: Span::ZERO, rate: None };
    let path = order.critical_path(&trace, network);
    let calls = order.calls_in_turn(&trace);
    Ok(ReadTrace { trace, messages, path, calls })
}

/// An error at the line of a file.
fn placed(error: TraceError, path: &Path) -> InputError {
    let placed = InputError::new(error.to_string()).in_file(path);
    error.line().map_or(placed.clone(), |line| placed.at_line(line.into()))
}
