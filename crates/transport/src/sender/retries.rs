//! Timeouts in a row, and the error that they end in.

use lightloom_units::Instant;

use crate::psn::Psn;

/// A queue pair has repeated its oldest packet as often as it may, and nothing was acknowledged (InfiniBand
/// Architecture 1.4, 9.9.2: the retry counter). It is in the error state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueuePairError {
    /// When it gave up.
    pub at: Instant,
    /// The oldest packet that was not acknowledged.
    pub psn: Psn,
    /// Timeouts since the last acknowledgement of anything new.
    pub timeouts: u32,
}

/// Counts timeouts in a row. It is made at the first timeout of a sender.
#[derive(Debug, Default)]
pub(super) struct Retries {
    /// The oldest packet at the last timeout.
    packet: u64,
    in_a_row: u32,
    pub(super) error: Option<QueuePairError>,
}

impl Retries {
    /// A timeout, with this packet as the oldest; how many there were with it. Another packet says that something was
    /// acknowledged, so acknowledgements need not be told.
    pub(super) fn timed_out(&mut self, packet: u64) -> u32 {
        if packet != self.packet {
            (self.packet, self.in_a_row) = (packet, 0);
        }
        // Without a limit on repetitions a run may time out any number of times.
        self.in_a_row = self.in_a_row.saturating_add(1);
        self.in_a_row
    }
}
