//! Short messages between the endpoints of a group.

use super::desk::Desk;
use crate::packet::{Dest, Kind, Packet, Psn};

/// A packet that tells an endpoint something about a number; it carries the host that tells it.
pub(super) fn control(to: (Dest, u32), kind: Kind, number: u32, desk: &Desk<'_>) -> Packet {
    let numbers = (Psn::new(desk.host.0), Psn::new(number));
    Packet::control(to, kind, numbers, desk.params.wire.control)
}
