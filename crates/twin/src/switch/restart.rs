//! A switch that begins anew.

use lightloom_units::Instant;

use super::Switch;
use crate::drops::DropReason;
use crate::engine::Out;
use crate::packet::CLASSES;

impl Switch<'_> {
    /// Empties the queues and forgets all reliable groups. Ports that are paused stay so until their stop ends: the
    /// neighbour that paused them relies on it.
    pub(super) fn restart(&mut self, now: Instant, out: &mut Out<'_>) {
        for place in 0..self.bridges.tables.len() {
            self.drop_held(now, place, out);
        }
        self.drop_accelerated(now, out);
        // Tables are gone without a word to anybody. That a group has lost its table is found by the next registration
        // that takes it for known.
        while !self.bridges.tables.is_empty() {
            self.bridges.close(0);
        }
        // Nor does it know any more which groups have left.
        self.bridges.left.clear();
        for port in 0..self.ports.len() {
            for class in 0..CLASSES {
                while let Some((packet, is_last)) =
                    self.buffer.pop(&mut self.ports[port].queues[class])
                {
                    self.drop(now, &packet, DropReason::Dead);
                    if is_last {
                        self.left(now, &packet, out);
                    }
                }
            }
        }
        for port in (0..self.ports.len()).filter_map(|port| u16::try_from(port).ok()) {
            self.serve(now, port, out);
        }
    }
}
