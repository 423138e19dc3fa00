//! Data to reliable groups.

use lightloom_setup::Repair;
use lightloom_setup::params::Pausing;
use lightloom_topology::electrical::NodeId;
use lightloom_units::Instant;

use crate::engine::Out;
use crate::packet::{Class, Packet};
use crate::switch::Switch;
use crate::switch::bridges::{HERE, NONE, Table, has_member};
use crate::switch::groups::{Came, Way};

/// What is done with a packet beside handing on copies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Then {
    Nothing,
    /// It waits until repairs have arrived.
    Hold,
    /// All ports have it already.
    Repeat,
}

impl Switch<'_> {
    /// Takes a packet of data to a group that has a table (gleam:alg1:1).
    pub(in crate::switch) fn bridge(
        &mut self,
        now: Instant,
        place: usize,
        packet: &Packet,
        out: &mut Out<'_>,
    ) {
        if self.bridges.params.pausing == Pausing::Group && self.is_halted(now, place, packet) {
            self.halt(now, place, packet, out);
        } else {
            self.replicate(now, place, packet, Came::New, out);
        }
    }

    /// Hands on copies of a packet of data. Most packets have just come in: that they have is known where this is
    /// compiled, and costs nothing.
    #[inline(always)]
    pub(super) fn replicate(
        &mut self,
        now: Instant,
        place: usize,
        packet: &Packet,
        came: Came,
        out: &mut Out<'_>,
    ) {
        if self.bridges.tables[place].awaits == Some(packet.entropy) {
            self.speak(now, place, packet.port, out);
        }
        let mut copies = std::mem::take(&mut self.bridges.copies);
        copies.clear();
        let table = &mut self.bridges.tables[place];
        let then = table.ways(now, packet, &mut copies);
        match then {
            Then::Hold => self.hold(now, place, packet, came, out),
            Then::Nothing | Then::Repeat => {
                table.done.copies.add(packet, copies.len());
                match came {
                    Came::New => self.hand_copies(now, packet, &copies, out),
                    Came::Waited(at) => self.hand_out_waited(now, packet, &copies, at, out),
                }
            }
        }
        if then == Then::Repeat {
            // All have it, and yet the sender repeats it: the answer was lost on its way up.
            let told = self.bridges.tables[place].paths.filtered(packet.psn, now);
            self.tell_up(now, place, packet.port, told, out);
        }
        self.bridges.copies = copies;
    }

    /// Keeps a fresh packet at its sender's switch.
    fn hold(&mut self, now: Instant, place: usize, packet: &Packet, came: Came, out: &mut Out<'_>) {
        // It counts at the port that it came in on, as any packet in the buffer does, so a long hold stops the sender.
        let counts = packet.class == Class::CONTROL || matches!(came, Came::Waited(_));
        let waits = counts || self.admit(now, packet.port, packet, out);
        let table = &mut self.bridges.tables[place];
        let Some(light) = table.light.as_mut().filter(|_| waits) else { return };
        self.buffer.push(&mut light.held.queue, *packet, now);
        // A sender that is paused cannot send what the others wait for.
        let is_full = light.held.queue.bytes > self.buffer.resume_below();
        if packet.class == Class::LOSSLESS
            && (is_full || self.ingress[usize::from(packet.port)].paused)
        {
            while self.send_held(now, place, out) {}
        }
    }

    /// Sends what waited for repairs, where these have arrived.
    pub(in crate::switch) fn let_go(&mut self, now: Instant, place: usize, out: &mut Out<'_>) {
        loop {
            let table = &self.bridges.tables[place];
            let floor = table.paths.floor();
            let may_go = table.light.as_ref().is_some_and(|light| light.held.may_go(floor));
            if !may_go || self.holds_halted(now, place) || !self.send_held(now, place, out) {
                return;
            }
        }
    }

    /// Sends the first packet that waits for repairs; whether there was one.
    fn send_held(&mut self, now: Instant, place: usize, out: &mut Out<'_>) -> bool {
        let table = &mut self.bridges.tables[place];
        let Some(light) = &mut table.light else { return false };
        let Some((packet, is_last)) = self.buffer.pop(&mut light.held.queue) else { return false };
        let mut copies = std::mem::take(&mut self.bridges.copies);
        copies.clear();
        table.over_light(&packet, &mut copies);
        table.to_stand_in(&mut copies);
        table.done.copies.add(&packet, copies.len());
        self.hand_copies(now, &packet, &copies, out);
        self.bridges.copies = copies;
        if is_last {
            self.left(now, &packet, out);
        }
        true
    }
}

impl Table {
    /// The ways of a packet of data, by where it has come in (gleam:alg1:2).
    #[inline(always)]
    fn ways(&mut self, now: Instant, packet: &Packet, copies: &mut Vec<Way>) -> Then {
        let (from, source) = (packet.port, NodeId(packet.qp));
        if source != self.source {
            // Over links the sender's address tells that another one sends (cepheus:III-E.switch, gleam:B.switch). A
            // port alone does not: repairs and returning copies come in elsewhere, too. A late copy of the sender
            // before is not from a new one.
            let is_late = packet.psn.after(self.paths.floor()) < 0;
            if is_late || self.light.is_some() || !self.paths.uses(from) {
                return Then::Nothing;
            }
            // All was acknowledged before: nothing is left to be told.
            let _ = self.switch_source(source, from, now);
        }
        let is_from_source = self.paths.up() == Some(from);
        let Some(light) = &mut self.light else {
            if is_from_source {
                self.over_links(packet, copies);
            }
            return self.after(packet, is_from_source);
        };
        if from == light.accept {
            self.over_light(packet, copies);
            return self.after(packet, true);
        }
        if !is_from_source {
            return Then::Nothing;
        }
        let is_at_sender = has_member(&self.hosts, from);
        // On the way to the stand-in every switch does what the sender's does: fresh data go there, repairs over links
        // go to all that lack them.
        let feeds = light.feed != NONE && light.feed != from;
        if !is_at_sender && !feeds {
            self.over_links(packet, copies);
            return self.after(packet, true);
        }
        // A switch without members behind it repairs nothing.
        let is_bare = !is_at_sender && self.paths.ports().next().is_none();
        if !is_at_sender && !is_bare {
            light.held.catch_up(self.paths.floor());
        }
        let is_fresh = light.held.is_fresh(packet.psn) || is_bare;
        if is_at_sender && is_fresh && light.held.waits(self.paths.floor()) {
            return Then::Hold;
        }
        if is_fresh || light.repair == Repair::Light {
            if is_at_sender || light.feed == HERE {
                self.over_light(packet, copies);
            }
            self.to_stand_in(copies);
        } else {
            light.held.repairs(packet.psn);
            self.over_links(packet, copies);
        }
        self.after(packet, true)
    }

    /// What is to be done beside handing on copies of a packet that is taken, or not. Where no port lacks it, what went
    /// up may be lost, whether its light goes on or not.
    fn after(&self, packet: &Packet, is_taken: bool) -> Then {
        let is_known = is_taken && self.paths.open(packet.psn).next().is_none();
        if is_known { Then::Repeat } else { Then::Nothing }
    }

    /// Along the tree of links: to every port that lacks the packet.
    fn over_links(&self, packet: &Packet, copies: &mut Vec<Way>) {
        copies.extend(self.open_ways(packet.psn));
    }

    /// Over the link toward the stand-in, where that is elsewhere.
    fn to_stand_in(&self, copies: &mut Vec<Way>) {
        let feed = self.light.as_ref().map_or(NONE, |light| light.feed);
        copies.extend((feed < HERE).then_some((feed, None)));
    }

    /// To the members at this switch that lack the packet, and into the splitter.
    fn over_light(&self, packet: &Packet, copies: &mut Vec<Way>) {
        let hosts = self.hosts.iter();
        let lacks = |port| self.paths.passes(port, packet.psn);
        let hosts = hosts.filter(|&&(port, ..)| lacks(port));
        copies.extend(hosts.map(|&(port, host, qp)| (port, Some((host, qp)))));
        let relay = self.light.as_ref().map_or(NONE, |light| light.relay);
        copies.extend((relay != NONE).then_some((relay, None)));
    }
}
