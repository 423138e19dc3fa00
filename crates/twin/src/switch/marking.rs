//! Marks for congestion control (ECN): by the queue that a packet joins, or by the one that it leaves behind.

use super::Switch;
use super::port::Marking;
use crate::packet::{Class, Ecn, Packet};
use crate::random::{MARKING, Stream, link_number};

impl Switch<'_> {
    /// Marks a packet that joins a queue, where that is due.
    #[inline(always)]
    pub(super) fn mark(&mut self, way: u16, packet: &mut Packet) {
        let queued = self.ports[usize::from(way)].queues[packet.class.index()].bytes;
        let may = queued > self.mark_above && packet.ecn == Ecn::Capable;
        if may && self.marks(way, packet.class) {
            packet.ecn = Ecn::Marked;
        }
    }

    /// A packet that has left a queue, marked where that is due by the bytes that are left there.
    #[inline(never)]
    pub(super) fn leaving(&mut self, way: u16, packet: Packet) -> Packet {
        let is_marked = packet.ecn == Ecn::Capable && self.marks(way, packet.class);
        Packet { ecn: if is_marked { Ecn::Marked } else { packet.ecn }, ..packet }
    }

    /// Whether a packet is marked that joins or leaves the queue of a class.
    fn marks(&mut self, way: u16, class: Class) -> bool {
        let Some(ecn) = &self.ecn else { return false };
        let (id, seed, wires) = (self.id, self.seed, &self.wires);
        self.ports[usize::from(way)].marks(class, || {
            let rate = wires.rate_out((id, way));
            Marking::new(ecn, rate, Stream::new(seed, MARKING, link_number(id, way)))
        })
    }
}
