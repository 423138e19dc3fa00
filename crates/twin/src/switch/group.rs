//! Packets to a group: one way out becomes a set of ways, each with its rewrite.

use std::sync::Arc;

use lightloom_topology::electrical::NodeId;
use lightloom_units::Instant;

use super::Switch;
use super::groups::Way;
use crate::drops::DropReason;
use crate::engine::Out;
use crate::packet::{Class, Kind, Packet};
use crate::params::Buffering;

impl Switch<'_> {
    /// Hands on copies of a packet to a group.
    #[cold]
    pub(super) fn spread(&mut self, now: Instant, packet: Packet, out: &mut Out<'_>) {
        let group = packet.to.as_group();
        if packet.kind == Kind::Register {
            self.register(now, &packet, out);
            return;
        }
        if let Some(place) = group.and_then(|group| self.bridges.place(group)) {
            match packet.kind {
                Kind::Data => self.bridge(now, place, &packet, out),
                _ => self.answer(now, place, &packet, out),
            }
            return;
        }
        let ways = group.and_then(|group| self.groups.ways(group, NodeId(packet.qp)));
        let Some(ways) = ways else {
            self.drop(&packet, packet.port, DropReason::Stray);
            return;
        };
        let is_wanted = ways.accept.is_none_or(|port| port == packet.port);
        // The set stays as it is while copies go out.
        let ways = Arc::clone(&ways.out);
        self.hand_out(now, &packet, if is_wanted { &ways } else { &[] }, out);
    }

    /// Sends a copy of a packet each of these ways. Without any it is absorbed.
    pub(super) fn hand_out(
        &mut self,
        now: Instant,
        packet: &Packet,
        ways: &[Way],
        out: &mut Out<'_>,
    ) {
        match ways.len() as u64 {
            0 => {
                self.groups.copies.absorbed.add(packet, 1);
                return;
            }
            1 => {}
            copies => self.groups.copies.copied.add(packet, copies - 1),
        }
        match self.groups.buffering {
            Buffering::Copies => {
                for (way, copy) in copies_of(packet, ways) {
                    self.forward_copy(now, way, copy, out);
                }
            }
            Buffering::Shared => self.share(now, packet, ways, out),
        }
    }

    /// [`Switch::forward`], in one place beside that of packets to hosts.
    #[inline(never)]
    pub(super) fn forward_copy(&mut self, now: Instant, way: u16, copy: Packet, out: &mut Out<'_>) {
        self.forward(now, way, copy, out);
    }

    /// Copies go straight out where nothing is in their way; all others share one body in the buffer, and one
    /// charge to the port that they came in on.
    fn share(&mut self, now: Instant, packet: &Packet, ways: &[Way], out: &mut Out<'_>) {
        let class = packet.class;
        let mut wait = Vec::new();
        for (way, copy) in copies_of(packet, ways) {
            let ready = self.ready(now, way, packet);
            if self.is_free(now, way, class, ready) {
                self.send(now, way, copy, out);
            } else {
                wait.push((way, copy, ready));
            }
        }
        let Some((first, ..)) = wait.first() else { return };
        let is_lossless = self.is_lossless(packet);
        // A lossless body is admitted as a whole.
        if is_lossless && !self.admit(now, *first, packet, out) {
            for _ in 1..wait.len() {
                self.drop_in_headroom(now, packet);
            }
            return;
        }
        let fits = is_lossless || class == Class::CONTROL || self.buffer.takes(packet.bytes);
        let body = self.buffer.hold(*packet);
        for (way, mut copy, ready) in wait {
            let queued = self.ports[usize::from(way)].queues[class.index()].bytes;
            let is_short = is_lossless || class == Class::CONTROL || self.buffer.is_short(queued);
            if !fits || !is_short {
                self.drop(&copy, way, DropReason::Buffer);
                continue;
            }
            self.mark(way, &mut copy);
            let port = &mut self.ports[usize::from(way)];
            let queue = &mut port.queues[class.index()];
            self.buffer.append_copy(body, queue, &copy, ready);
            port.most_queued = port.most_queued.max(queue.bytes);
            self.links[usize::from(way)].waits = true;
            self.schedule(now, way);
        }
        self.buffer.settle(body);
    }
}

/// The copies of a packet with their ways out.
fn copies_of(packet: &Packet, ways: &[Way]) -> impl Iterator<Item = (u16, Packet)> {
    ways.iter().map(|&(way, rewrite)| {
        let (to, qp) = rewrite.unwrap_or((packet.to, packet.qp));
        (way, Packet { to, qp, ..*packet })
    })
}
