//! What members and their leader tell each other.

use crate::host::desk::Desk;
use crate::packet::{Class, Dest, Ecn, Kind, Packet, Psn};

/// Tells the endpoint of another host something about a run.
pub(super) fn tell((to, qp): (Dest, u32), kind: Kind, run: u32, desk: &mut Desk<'_>) {
    desk.control.push_back(Packet {
        to,
        qp,
        psn: Psn::new(desk.host.0),
        seen: Psn::new(run),
        bytes: desk.params.wire.control,
        entropy: 0,
        port: 0,
        kind,
        ecn: Ecn::Not,
        class: Class::CONTROL,
        corrupt: false,
    });
}
