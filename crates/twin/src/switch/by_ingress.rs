//! Waiting bytes by the port that packets came in on.

use std::collections::BTreeMap;

/// Bytes by the port that packets came in on, and by their body in the buffer: copies that share a body are
/// charged once.
pub(crate) type ByIngress = BTreeMap<(u16, u32), u64>;

/// The bytes that came in on a port.
pub(crate) fn of_port(bytes: &ByIngress, port: u16) -> u64 {
    bytes.range((port, 0)..=(port, u32::MAX)).map(|(_, bytes)| bytes).sum()
}
