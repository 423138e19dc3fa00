//! Writes GOAL.

use std::io::{self, Write};

use crate::program::{Need, OpId, Stage, Trace, What};

/// Writes a trace: what [`read`](super::read) reads again as it was, but for the numbers of lines.
///
/// # Errors
/// Those of the writer; also if the trace has collective operations.
pub fn write(trace: &Trace, to: &mut (impl Write + ?Sized)) -> io::Result<()> {
    writeln!(to, "num_ranks {}", trace.ranks.len())?;
    for (rank, program) in trace.programs() {
        writeln!(to, "\nrank {} {{", rank.0)?;
        for (id, op, needs) in program.iter() {
            write!(to, "l{}: ", id.0)?;
            match op.what {
                What::Send { to: peer, size, tag } => {
                    write!(to, "send {}b to {} tag {tag}", size.as_bytes(), peer.0)?;
                }
                What::Receive { from, size, tag } => {
                    let any = |number: Option<u32>| number.map_or(-1, i64::from);
                    let (from, tag) = (any(from.map(|rank| rank.0)), any(tag));
                    write!(to, "recv {}b from {from} tag {tag}", size.as_bytes())?;
                }
                What::Collective { .. } => {
                    let message = "GOAL has no collective operations";
                    return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
                }
                // Times of less than a nanosecond have no place in GOAL.
                What::Compute { takes } => write!(to, "calc {}", takes.as_ps().div_ceil(1_000))?,
            }
            write!(to, " cpu {}", op.stream)?;
            match op.what {
                What::Compute { .. } => writeln!(to)?,
                _ => writeln!(to, " nic {}", op.nic)?,
            }
            for need in needs.iter().filter(|need| need.on < id) {
                needs_line(to, id, need)?;
            }
        }
        // A label comes before what names it.
        for (id, _, needs) in program.iter() {
            for need in needs.iter().filter(|need| need.on >= id) {
                needs_line(to, id, need)?;
            }
        }
        writeln!(to, "}}")?;
    }
    Ok(())
}

fn needs_line(to: &mut (impl Write + ?Sized), id: OpId, need: &Need) -> io::Result<()> {
    let how = if need.how == Stage::Ended { "requires" } else { "irequires" };
    writeln!(to, "l{} {how} l{}", id.0, need.on.0)
}
