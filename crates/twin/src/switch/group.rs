//! Packets to a group: one egress becomes a set of them, each with its rewrite.

use std::borrow::Cow;
use std::sync::Arc;

use lightloom_prefetch::prefetch_read;
use lightloom_setup::params::Buffering;
use lightloom_topology::electrical::NodeId;
use lightloom_units::Instant;

use super::Switch;
use super::groups::Way;
use crate::drops::DropReason;
use crate::engine::Out;
use crate::packet::{Class, Dest, Kind, Packet};

impl Switch<'_> {
    /// Brings the table of a group and its ports into the cache.
    #[inline(never)]
    pub(super) fn prepare_group(&self, to: Dest) {
        // Small networks stay in the cache, where fetching ahead only costs.
        let place = to.as_group().and_then(|group| self.bridges.place(group));
        let Some(place) = place.filter(|_| self.is_cold) else { return };
        let table = &self.bridges.tables[place];
        prefetch_read(&raw const *table);
        prefetch_read(table.hosts.as_ptr());
        for port in table.paths.all() {
            prefetch_read(&raw const self.links[usize::from(port)]);
            prefetch_read(&raw const self.ports[usize::from(port)]);
        }
    }

    /// Whether the accelerator beside the switch takes a packet to a group. The rules of groups of datagrams are in the
    /// switch itself.
    #[inline]
    pub(super) fn is_redirected(&self, packet: &Packet) -> bool {
        let has_table =
            || packet.to.as_group().is_some_and(|group| self.bridges.place(group).is_some());
        self.bridges.accelerator.is_some() && (packet.kind != Kind::Data || has_table())
    }

    /// Hands on copies of a packet to a group.
    #[inline(never)]
    pub(super) fn spread(&mut self, now: Instant, packet: Packet, out: &mut Out<'_>) {
        let group = packet.to.as_group();
        if matches!(packet.kind, Kind::Register | Kind::Address) {
            self.register(now, &packet, out);
            return;
        }
        // cepheus:III-B1.mft, gleam:alg1:3
        if let Some(place) = group.and_then(|group| self.bridges.place(group)) {
            match packet.kind {
                Kind::Data => self.bridge(now, place, &packet, out),
                _ => self.answer(now, place, &packet, out),
            }
            return;
        }
        // A group of datagrams: rules by group and source, as a plan has them. Its packets carry their source in the
        // field of the queue pair.
        let ways = group.and_then(|group| self.groups.ways(group, NodeId(packet.qp)));
        let Some(ways) = ways else {
            self.drop(now, &packet, DropReason::Stray);
            return;
        };
        // The filter that keeps a repaired fabric free of loops: a copy from another transmitter is absorbed, and
        // counted as such.
        let is_wanted = ways.accept.is_none_or(|port| port == packet.port);
        // The set stays as it is while copies go out.
        let ways = Arc::clone(&ways.out);
        let ways = if is_wanted { &ways[..] } else { &[] };
        self.groups.copies.add(&packet, ways.len());
        self.hand_out(now, &packet, ways, out);
    }

    /// Sends a copy of a packet each of these ways (cepheus:III-B2.copies).
    pub(super) fn hand_out(
        &mut self,
        now: Instant,
        packet: &Packet,
        ways: &[Way],
        out: &mut Out<'_>,
    ) {
        let ways = &*self.unexpired(now, packet, ways);
        // A single copy needs no body beside itself.
        if ways.len() > 1 && self.groups.buffering == Buffering::Shared {
            self.share(now, packet, ways, out);
            return;
        }
        for way in ways {
            self.forward_copy(now, way.0, self.copy_of(packet, way), out);
        }
    }

    /// The ways of a packet, without those that lead over one splitter too many; drops their copies.
    #[inline(always)]
    pub(super) fn unexpired<'w>(
        &mut self,
        now: Instant,
        packet: &Packet,
        ways: &'w [Way],
    ) -> Cow<'w, [Way]> {
        if !self.groups.is_expired(packet) {
            return Cow::Borrowed(ways);
        }
        Cow::Owned(self.drop_expired(now, packet, ways))
    }

    #[cold]
    fn drop_expired(&mut self, now: Instant, packet: &Packet, ways: &[Way]) -> Vec<Way> {
        let (expired, ways): (Vec<Way>, Vec<Way>) =
            ways.iter().copied().partition(|way| self.groups.is_light(way));
        expired.iter().for_each(|_| self.drop(now, packet, DropReason::Expired));
        ways
    }

    /// The copy of a packet that goes a way (gleam:alg1:6, gleam:alg1:9). That to a member has its address and queue
    /// pair (cepheus:III-B2.bridge, gleam:alg1:10).
    #[inline(always)]
    pub(super) fn copy_of(&self, packet: &Packet, way: &Way) -> Packet {
        let (to, qp) = way.1.unwrap_or((packet.to, packet.qp));
        let life = if self.groups.is_light(way) { packet.life.split() } else { packet.life };
        Packet { to, qp, life, ..*packet }
    }

    /// [`Switch::forward`], in one place beside that of packets to hosts (gleam:alg1:7, gleam:alg1:12).
    #[inline(never)]
    pub(super) fn forward_copy(&mut self, now: Instant, way: u16, copy: Packet, out: &mut Out<'_>) {
        self.forward(now, way, &copy, out);
    }

    /// Copies go straight out where nothing is in their way; all others share one body in the buffer, and one
    /// charge to the port that they came in on.
    fn share(&mut self, now: Instant, packet: &Packet, ways: &[Way], out: &mut Out<'_>) {
        // Taken out of the switch while its other parts are borrowed; it goes back with its memory.
        let mut wait = std::mem::take(&mut self.groups.wait);
        for way in ways {
            let (port, ready) = (way.0, self.ready(now, way.0, packet));
            if self.is_free(now, port, packet.class, ready) {
                let copy = self.copy_of(packet, way);
                self.send(now, port, &copy, out);
            } else {
                wait.push((*way, ready));
            }
        }
        if !wait.is_empty() {
            self.hold_copies(now, packet, &wait, out);
            wait.clear();
        }
        self.groups.wait = wait;
    }

    /// Copies wait, each with its way and the time from which it may start. A paused way holds back its own copy, and
    /// the body counts at the port that it came in on until the last copy has left (cepheus:III-D.pfc).
    fn hold_copies(
        &mut self,
        now: Instant,
        packet: &Packet,
        wait: &[(Way, Instant)],
        out: &mut Out<'_>,
    ) {
        let Some(((first, _), _)) = wait.first() else { return };
        let is_lossless = self.is_lossless(packet);
        // A lossless body is admitted as a whole.
        if is_lossless && !self.admit(now, *first, packet, out) {
            for _ in 1..wait.len() {
                self.drop_in_headroom(now, packet);
            }
            return;
        }
        self.join_queues(now, packet, wait);
    }

    /// Copies of a packet join their queues. They share one body, which is admitted where it is lossless.
    #[inline(always)]
    pub(super) fn join_queues(&mut self, now: Instant, packet: &Packet, wait: &[(Way, Instant)]) {
        let (class, is_lossless) = (packet.class, self.is_lossless(packet));
        // A lossy body is judged once for its bytes, and each copy for the length of the queue that it would join.
        let fits = is_lossless || class == Class::CONTROL || self.buffer.takes(packet.bytes);
        let body = self.buffer.hold(packet);
        for (way, ready) in wait {
            let (mut copy, way) = (self.copy_of(packet, way), way.0);
            let queued = self.ports[usize::from(way)].queues[class.index()].bytes;
            let is_short = is_lossless || class == Class::CONTROL || self.buffer.is_short(queued);
            if !fits || !is_short {
                self.drop_leaving(now, &copy, way, DropReason::Buffer);
                continue;
            }
            self.mark(way, &mut copy);
            let port = &mut self.ports[usize::from(way)];
            let queue = &mut port.queues[class.index()];
            self.buffer.append_copy(body, queue, copy, *ready);
            port.most_queued = port.most_queued.max(queue.bytes);
            self.links[usize::from(way)].waits = true;
            self.schedule(now, way);
        }
        // If no copy joined a queue, the body takes no room.
        self.buffer.settle(body, packet);
    }
}
