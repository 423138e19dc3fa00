//! Groups that a paused egress halts (cepheus:III-D.pfc).
//!
//! No copy of the group goes out of any port until every egress goes on. Meanwhile its data wait where they came in,
//! and count there, so that the sender is stopped in its turn. Other packets of that ingress pass.
//!
//! What comes from a splitter cannot be stopped. So nothing halts it: each of its copies waits at its own port.

use lightloom_setup::params::Pausing;
use lightloom_units::Instant;

use crate::engine::Out;
use crate::packet::{Class, Packet};
use crate::switch::Switch;
use crate::switch::groups::{Came, Way};
use crate::switch::port::Apart;

impl Switch<'_> {
    /// Whether a packet of data has to wait: an egress of its group is paused, or others wait already.
    pub(super) fn is_halted(&mut self, now: Instant, place: usize, packet: &Packet) -> bool {
        self.is_lossless(packet)
            && (!self.bridges.tables[place].halted.is_empty()
                || self.awaits_egress(now, place, packet.port))
    }

    /// Whether an egress is paused for data of a group that came in at a port. Each of those wakes the group.
    fn awaits_egress(&mut self, now: Instant, place: usize, from: u16) -> bool {
        let mut is_paused = false;
        for egress in self.bridges.tables[place].egresses(from) {
            let port = &mut self.ports[usize::from(egress)];
            if port.is_paused(now, Class::LOSSLESS) {
                is_paused = true;
                port.apart.begins(Apart::HALTS);
            }
        }
        is_paused
    }

    /// Keeps a packet of data where it came in.
    pub(super) fn halt(&mut self, now: Instant, place: usize, packet: &Packet, out: &mut Out<'_>) {
        if !self.admit(now, packet.port, packet, out) {
            return;
        }
        let table = &mut self.bridges.tables[place];
        let is_first = table.halted.is_empty();
        self.buffer.push(&mut table.halted, *packet, now);
        if is_first {
            self.await_egresses(now, place, packet.port);
        }
    }

    /// A group waits: the ports that halt it are served when their pauses end.
    fn await_egresses(&mut self, now: Instant, place: usize, from: u16) {
        let group = self.bridges.tables[place].group;
        if !self.bridges.halted.contains(&group) {
            self.bridges.halted.push(group);
        }
        let egresses: Vec<u16> = self.bridges.tables[place].egresses(from).collect();
        for egress in egresses {
            if self.ports[usize::from(egress)].apart.is(Apart::HALTS) {
                self.schedule(now, egress);
            }
        }
    }

    /// A port that halts groups is served: if it is not paused any more, they go on.
    #[cold]
    pub(in crate::switch) fn end_halt(&mut self, now: Instant, port: usize, out: &mut Out<'_>) {
        if !self.ports[port].is_paused(now, Class::LOSSLESS) {
            self.ports[port].apart.ends(Apart::HALTS);
            self.go_on(now, out);
        }
    }

    /// Hands on what waits, of every group that no egress halts any more.
    pub(in crate::switch) fn go_on(&mut self, now: Instant, out: &mut Out<'_>) {
        for group in std::mem::take(&mut self.bridges.halted) {
            let Some(place) = self.bridges.place(group) else { continue };
            while let Some((came_at, from)) = self.first_halted(place) {
                if self.awaits_egress(now, place, from) {
                    self.await_egresses(now, place, from);
                    break;
                }
                let table = &mut self.bridges.tables[place];
                if let Some((packet, _)) = self.buffer.pop(&mut table.halted) {
                    self.replicate(now, place, &packet, Came::Waited(came_at), out);
                }
            }
            // What waited for repairs came before them, and they have joined it.
            self.let_go(now, place, out);
        }
    }

    /// Whether an egress halts what waits at its sender's switch for repairs that have arrived.
    pub(super) fn holds_halted(&mut self, now: Instant, place: usize) -> bool {
        if self.bridges.params.pausing == Pausing::Port {
            return false;
        }
        let table = &self.bridges.tables[place];
        let held = table.light.as_ref().map(|light| &light.held.queue);
        let first = held.and_then(|queue| self.buffer.iter(queue).next());
        let Some((_, packet)) = first.filter(|(_, packet)| self.is_lossless(packet)) else {
            return false;
        };
        let is_paused = self.awaits_egress(now, place, packet.port);
        if is_paused {
            self.await_egresses(now, place, packet.port);
        }
        is_paused
    }

    /// Sends a copy of a packet that has waited each of these ways. It counts at its ingress already, and its copies
    /// share that one count: they would not find room to count anew where the ingress is full.
    pub(super) fn hand_out_waited(
        &mut self,
        now: Instant,
        packet: &Packet,
        ways: &[Way],
        came_at: Instant,
        out: &mut Out<'_>,
    ) {
        if self.bridges.accelerator.is_some() {
            self.hand_back(now, packet, ways);
            self.left(now, packet, out);
            return;
        }
        let ways = &*self.unexpired(now, packet, ways);
        let mut wait = Vec::new();
        for way in ways {
            let ready = self.ready(came_at, way.0, packet).max(now);
            if self.is_free(now, way.0, packet.class, ready) {
                let copy = self.copy_of(packet, way);
                self.send(now, way.0, &copy, out);
            } else {
                wait.push((*way, ready));
            }
        }
        if wait.is_empty() {
            self.left(now, packet, out);
        } else {
            self.join_queues(now, packet, &wait);
        }
    }

    /// When the first packet of a group that waits came in, and where.
    fn first_halted(&self, place: usize) -> Option<(Instant, u16)> {
        let halted = &self.bridges.tables[place].halted;
        let (_, packet) = self.buffer.iter(halted).next()?;
        Some((self.buffer.ready(halted), packet.port))
    }

    /// What waits until a port goes on, with the numbers of bodies.
    pub(in crate::switch) fn halted_by(&self, port: u16) -> impl Iterator<Item = (u32, Packet)> {
        let groups = self.bridges.halted.iter().filter_map(|&group| self.bridges.place(group));
        let tables = groups.map(|place| &self.bridges.tables[place]);
        tables.flat_map(move |table| {
            let waits = self.buffer.iter(&table.halted);
            waits.filter(move |(_, packet)| table.egresses(packet.port).any(|at| at == port))
        })
    }

    /// Bytes that wait until a port goes on. What several ports halt counts at each of them.
    pub(in crate::switch) fn halted_bytes(&self, port: u16) -> u64 {
        self.halted_by(port).map(|(_, packet)| u64::from(packet.bytes)).sum()
    }
}
