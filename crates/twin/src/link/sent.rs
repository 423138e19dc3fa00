//! What a transmitter says of a packet that it has sent.

use lightloom_units::Instant;

/// What becomes of a packet that was put on a link.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sent {
    /// When it arrives; when it went out, where it went into a splitter.
    pub(crate) at: Instant,
    /// Whether its bits are wrong there.
    pub(crate) corrupt: bool,
}
