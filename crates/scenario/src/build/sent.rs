//! What a schedule or a trace adds to a run.

/// A message or a computation of a run, by its place among flows, messages to groups, or computations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sent {
    Flow(usize),
    Cast(usize),
    Computation(usize),
}
