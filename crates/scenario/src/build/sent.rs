//! What a schedule or a trace adds to a run.

/// Whose a connection or a stream is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Owner {
    /// A collective operation, by its row.
    Collective(usize),
    /// A trace, by its row.
    Trace(usize),
    /// A process group of a trace.
    Group {
        /// The row of the trace.
        trace: usize,
        /// The place of the group in it.
        group: usize,
    },
}

/// A message or a computation of a run, by its place among flows, messages to groups, or computations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sent {
    Flow(usize),
    Cast(usize),
    Computation(usize),
}
