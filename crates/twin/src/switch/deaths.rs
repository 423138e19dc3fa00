//! What is lost because the way into a port of a switch is dead.

use super::Switch;
use crate::engine::Arrival;

impl Switch<'_> {
    /// Whether the way of an arrival is dead then, so that nothing arrives.
    pub(crate) fn is_dead(&self, arrival: &Arrival) -> bool {
        // Asked of every recorded arrival; the flag answers for nearly all of them.
        self.mortal && self.reception.is_dead(arrival.packet.port, arrival.at)
    }

    /// Packets that were under way to a port when its way died.
    pub(crate) fn lost(&self, port: u16) -> u64 {
        self.reception.lost(port)
    }
}
