//! What a switch drops.

use lightloom_units::Instant;

use super::Switch;
use crate::drops::{DropReason, DropSpot};
use crate::packet::Packet;

impl Switch<'_> {
    /// Drops a packet at the switch. It counts at the port that it came in on.
    pub(super) fn drop(&mut self, now: Instant, packet: &Packet, reason: DropReason) {
        self.drops.add(now, packet, (packet.port, DropSpot::Inside), reason);
    }

    /// Drops a packet on its way out of a port.
    pub(super) fn drop_leaving(
        &mut self,
        now: Instant,
        packet: &Packet,
        port: u16,
        reason: DropReason,
    ) {
        self.drops.add(now, packet, (port, DropSpot::Leaving), reason);
    }
}
