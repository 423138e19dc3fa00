//! Reads traces of applications.

use std::path::Path;

use lightloom_request::{InputError, Texts};
use lightloom_scenario::build::ReadTrace;
use lightloom_traces::{Ideal, Order, TraceError, goal, pair};
use lightloom_units::Span;

use crate::rows::Row;
use crate::scenario::files::Files;
use crate::text;

/// Largest file of a trace: some 20 million operations.
const MOST_BYTES: u64 = 1 << 30;

/// Reads the trace in the file that the field `file` names.
pub(super) fn read(row: &Row<'_>, path: &Path, files: &mut Files) -> Result<ReadTrace, InputError> {
    let (trace, text) =
        checked(row.texts(), path).map_err(|error| row.of_file("file", path, error))?;
    files.push((path.to_path_buf(), text));
    Ok(trace)
}

/// Reads a trace and checks that it can run to its end; also its text.
///
/// # Errors
/// [`InputError`] with line and rank if it is no trace, a message has no receive, or operations wait for themselves.
pub fn checked(texts: &Texts, path: &Path) -> Result<(ReadTrace, String), InputError> {
    let placed = |error: TraceError| {
        let message = error.to_string();
        let placed = InputError::new(message).in_file(path);
        error.line.map_or(placed.clone(), |line| placed.at_line(line.into()))
    };
    if let Some(refusal) = goal::refuse_binary(&text::head(path)) {
        return Err(placed(refusal));
    }
    let text = text::read_up_to(texts, path, MOST_BYTES)?;
    let trace = goal::read(&text).map_err(placed)?;
    let messages = pair(&trace).map_err(placed)?;
    let order = Order::new(&trace, &messages).map_err(placed)?;
    let network = Ideal { latency: Span::ZERO, rate: None };
    let path = order.critical_path(&trace, network);
    Ok((ReadTrace { trace, messages, path }, text))
}
