//! Priority flow control (IEEE 802.1Qbb): who is paused, and who is told to go on.
//!
//! A sender can be paused only over a way back to it. What comes in where there is none, as from a splitter, is
//! lossy.

use lightloom_setup::params::Overflows;
use lightloom_units::Instant;

use super::Switch;
use crate::drops::DropReason;
use crate::engine::Out;
use crate::link::MOST_QUANTA;
use crate::overflow::{FatalOverflow, LostPause};
use crate::packet::{Class, Packet};

impl Switch<'_> {
    /// A neighbour stops the port that transmits to it, or lets it go on.
    pub(super) fn paused(&mut self, now: Instant, packet: &Packet, out: &mut Out<'_>) {
        let Some(port) = self.ingress[usize::from(packet.port)].back() else {
            self.drop(now, packet, DropReason::Stray);
            return;
        };
        let at = usize::from(port);
        self.ports[at].pause(now, packet.class, packet.psn, self.links[at].pace);
        self.serve(now, port, out);
    }

    /// Whether a lossless packet is admitted where reserves are told apart: it waits in that of its port, else in the
    /// shared buffer, else in the headroom.
    #[inline(never)]
    pub(super) fn admit_with_reserves(
        &mut self,
        now: Instant,
        packet: &Packet,
        out: &mut Out<'_>,
    ) -> bool {
        let bytes = u32::from(packet.bytes);
        let ingress = &mut self.ingress[usize::from(packet.port)];
        let waiting = ingress.waiting + bytes;
        // In this order: the minimum of the port, the shared part, the headroom.
        let fits = waiting <= self.buffer.pause_beyond_reserves()
            && self.buffer.fits_beyond_reserves(bytes);
        if !fits && waiting > self.buffer.minimum {
            return self.takes_headroom(now, packet, out);
        }
        let paused_over = ingress.back().filter(|_| ingress.paused);
        let in_headroom =
            paused_over.map_or(0, |back| self.ports[usize::from(back)].rare().headroom);
        let outside = waiting - in_headroom;
        // Judged as it will be once this packet is in the shared part.
        let reaches = outside >= self.buffer.pause_with(bytes);
        self.buffer.changes(ingress.waiting - in_headroom, outside);
        let stops = self.buffer.within && reaches && !ingress.paused && ingress.waiting > 0;
        ingress.waiting = waiting;
        if stops {
            self.stop_sender(now, packet.port, out);
        }
        true
    }

    /// A lossless packet that is one too many for the shared buffer stops its sender, and waits in the headroom
    /// of its port. Whether it fits there.
    pub(super) fn takes_headroom(
        &mut self,
        now: Instant,
        packet: &Packet,
        out: &mut Out<'_>,
    ) -> bool {
        let bytes = u32::from(packet.bytes);
        let ingress = &mut self.ingress[usize::from(packet.port)];
        let Some(back) = ingress.back() else { return false };
        let port = &mut self.ports[usize::from(back)];
        let headroom = self.buffer.headroom.get(usize::from(packet.port));
        // A sender that was told in time fits in here by the size of the headroom. What does not fit is a fault: of the
        // size, or of a pause that was lost.
        let fits = port.takes_headroom(bytes, headroom.copied().unwrap_or(0));
        if fits {
            self.buffer.enter_headroom(bytes);
            ingress.waiting += bytes;
        }
        // Where nothing waits nothing would let the sender go on.
        if !ingress.paused && ingress.waiting > 0 {
            self.stop_sender(now, packet.port, out);
        }
        if !fits {
            let lost_pause = self.drop_in_headroom(now, packet);
            if self.overflow == Overflows::End {
                out.fail(FatalOverflow { at: now, node: self.id, port: packet.port, lost_pause });
            }
        }
        fits
    }

    /// Pauses the sender to a receiving port.
    fn stop_sender(&mut self, now: Instant, ingress: u16, out: &mut Out<'_>) {
        let Some(back) = self.ingress[usize::from(ingress)].back() else { return };
        self.ports[usize::from(back)].begins_to_stop();
        self.tell_later(now, (ingress, back), true, out);
    }

    /// Drops a packet that found the headroom of its port full; the pause that was lost before, where one was.
    pub(super) fn drop_in_headroom(&mut self, now: Instant, packet: &Packet) -> Option<LostPause> {
        let back = self.ingress[usize::from(packet.port)].back()?;
        let lost_pause = self.ports[usize::from(back)].overflows(now);
        self.drop(now, packet, DropReason::Headroom);
        lost_pause
    }

    /// Whether a packet is lossless here: so is its class, and its sender can be paused.
    #[inline]
    pub(super) fn is_lossless(&self, packet: &Packet) -> bool {
        let is_class = packet.class == Class::LOSSLESS && self.buffer.pfc;
        is_class && self.ingress[usize::from(packet.port)].hears_us()
    }

    /// A packet has left the buffer, with all its copies: its sender may go on.
    #[inline(always)]
    pub(super) fn left(&mut self, now: Instant, packet: &Packet, out: &mut Out<'_>) {
        if packet.class != Class::LOSSLESS || !self.buffer.pfc {
            return;
        }
        let bytes = u32::from(packet.bytes);
        let ingress = &mut self.ingress[usize::from(packet.port)];
        let Some(back) = ingress.back() else { return };
        let before = ingress.waiting;
        ingress.waiting -= bytes;
        if !ingress.paused {
            self.buffer.changes(before, ingress.waiting);
            return;
        }
        let port = &mut self.ports[usize::from(back)];
        let outside = before - port.rare().headroom;
        self.buffer.leave_headroom(port.gives_headroom_back(bytes));
        // The headroom must be free again before the sender goes on.
        let in_headroom = port.rare().headroom;
        self.buffer.changes(outside, ingress.waiting - in_headroom);
        let keeps = self.buffer.within && in_headroom > 0;
        if !keeps
            && ingress.waiting <= self.buffer.resume_below()
            && self.buffer.fits_beyond_reserves(in_headroom)
        {
            self.buffer.changes(ingress.waiting - in_headroom, ingress.waiting);
            self.buffer.leave_headroom(port.leaves_headroom());
            self.tell_later(now, (packet.port, back), false, out);
        }
    }

    /// Sees to it that the sender to a receiving port is told to stop sending lossless packets, or to go on, as
    /// soon as the port `back` to it is free.
    fn tell_later(
        &mut self,
        now: Instant,
        (ingress, back): (u16, u16),
        stop: bool,
        out: &mut Out<'_>,
    ) {
        self.ingress[usize::from(ingress)].paused = stop;
        self.ports[usize::from(back)].owe(ingress);
        self.serve(now, back, out);
    }

    /// Tells the other end of a port to stop sending lossless packets, or to go on.
    pub(super) fn tell(&mut self, now: Instant, port: u16, out: &mut Out<'_>) {
        let ingress = self.ports[usize::from(port)].rare().ingress;
        let stop = self.ingress[usize::from(ingress)].paused;
        let pace = self.links[usize::from(port)].pace;
        self.ports[usize::from(port)].has_paused(now, stop, pace);
        let quanta = if stop { MOST_QUANTA } else { 0 };
        let packet = Packet::pause(Class::LOSSLESS, quanta, self.pause_bytes);
        let link = &mut self.links[usize::from(port)];
        let sent = link.send_pause(now, (&packet, self.pause_response), out);
        let lost = match sent {
            Err(reason) => Some(reason),
            Ok(arrival) if arrival.corrupt => Some(DropReason::Corrupt),
            Ok(arrival) if link.is_dead(arrival.at) => Some(DropReason::Dead),
            Ok(_) => None,
        };
        if let Some(reason) = lost.filter(|_| stop) {
            self.ports[usize::from(port)].lost_pause(now, reason);
        }
        if let Err(reason) = sent {
            self.drop_leaving(now, &packet, port, reason);
        }
    }
}
