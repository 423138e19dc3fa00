//! Short messages between the endpoints of a group.

use super::desk::Desk;
use crate::packet::{Class, Dest, Ecn, Kind, Packet, Psn};

/// A packet that tells an endpoint something about a number; it carries the host that tells it.
pub(super) fn control((to, qp): (Dest, u32), kind: Kind, number: u32, desk: &Desk<'_>) -> Packet {
    Packet {
        to,
        qp,
        psn: Psn::new(desk.host.0),
        seen: Psn::new(number),
        bytes: desk.params.wire.control,
        entropy: 0,
        port: 0,
        kind,
        ecn: Ecn::Not,
        class: Class::CONTROL,
        corrupt: false,
    }
}
