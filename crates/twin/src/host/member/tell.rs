//! What members and their leader tell each other.

use crate::host::desk::Desk;
use crate::host::tell::control;
use crate::packet::{Dest, Kind, Packet, Psn};

/// Tells the endpoint of another host something about a host and a run.
pub(super) fn tell(to: (Dest, u32), kind: Kind, (about, run): (Psn, u32), desk: &mut Desk<'_>) {
    let packet = Packet { psn: about, ..control(to, kind, run, desk) };
    desk.control.push_back(packet);
}
