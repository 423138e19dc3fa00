//! An accelerator beside a switch, which does what the switch itself cannot do for reliable groups
//! (cepheus:IV.accelerator).
//!
//! The switch hands it each packet of a group, and gets back the copies, each with its egress. All groups of the switch
//! share its rate, both ways: it takes data when the packet before is in, and when its copies are out by the time that
//! the new copies are ready. Until then the packet waits in the buffer of the switch, and counts at the
//! port that it came in on. So an accelerator that is slow stops senders, and loses nothing.

use std::cmp::Reverse;

use lightloom_units::{DataSize, Instant};

use super::Switch;
use super::beside::PASS;
use super::groups::Way;
use crate::drops::DropReason;
use crate::engine::Out;
use crate::packet::{Class, Packet};

impl Switch<'_> {
    /// Hands a packet of a reliable group to the accelerator.
    #[cold]
    pub(super) fn redirect(&mut self, now: Instant, packet: Packet, out: &mut Out<'_>) {
        let is_control = packet.class == Class::CONTROL;
        if self.is_lossless(&packet) {
            if !self.admit(now, packet.port, &packet, out) {
                return;
            }
        } else if !is_control {
            let Some(beside) = &self.bridges.accelerator else { return };
            if !self.buffer.admit_lossy(packet.bytes, beside.queues[1].bytes) {
                self.drop(now, &packet, DropReason::Buffer);
                return;
            }
        }
        let Some(beside) = &mut self.bridges.accelerator else { return };
        let queue = &mut beside.queues[usize::from(!is_control)];
        self.buffer.push(queue, packet, now);
        let waiting = DataSize::from_bytes(queue.bytes.into());
        beside.done.most_waiting = beside.done.most_waiting.max(waiting);
        // Data behind data wait for the timer that is set. Answers overtake them.
        if is_control || beside.wakes == Instant::NEVER {
            self.serve_accelerator(now, out);
        }
    }

    /// What the accelerator does at a time: copies come back, and it takes the next packet.
    #[cold]
    pub(super) fn pass(&mut self, now: Instant, out: &mut Out<'_>) {
        while let Some(beside) = &mut self.bridges.accelerator
            && let Some((_, way, copy)) = beside.back.pop_front_if(|(at, ..)| *at <= now)
        {
            // Counted here: what is still on its way at the end of a run was not sent. Gaps lie between copies.
            let (frame, with_gap) = beside.times(beside.of_all, copy.bytes);
            let took = if beside.done.copies == 0 { frame } else { with_gap };
            beside.done.sending = beside.done.sending + took;
            beside.done.copies += 1;
            self.forward_copy(now, way, copy, out);
        }
        if self.bridges.accelerator.as_ref().is_some_and(|beside| beside.wakes <= now) {
            self.serve_accelerator(now, out);
        }
    }

    /// Hands the accelerator what it takes now: answers and registrations first.
    fn serve_accelerator(&mut self, now: Instant, out: &mut Out<'_>) {
        while let Some(beside) = &mut self.bridges.accelerator {
            let queued = beside.queues.iter().position(|queue| !queue.is_empty());
            let first = queued.and_then(|at| self.buffer.iter(&beside.queues[at]).next());
            let Some((at, (_, next))) = queued.zip(first) else {
                beside.wakes = Instant::NEVER;
                return;
            };
            let takes = beside.takes(&next);
            if takes > now {
                // A timer that is set already comes first, and finds the rest.
                if takes != beside.wakes {
                    beside.wakes = takes;
                    self.timers.push(Reverse((takes, PASS)));
                }
                return;
            }
            let Some((packet, is_last)) = self.buffer.pop(&mut beside.queues[at]) else { return };
            let (comes_in, _) = beside.times(beside.of_port, packet.bytes);
            let (_, takes) = beside.times(beside.of_all, packet.bytes);
            beside.in_until = now + takes;
            beside.copies_from = now + comes_in + beside.latency;
            beside.done.packets += 1;
            if is_last {
                self.left(now, &packet, out);
            }
            self.spread(now, packet, out);
        }
    }

    /// Hands on copies of a packet of data: by way of the accelerator, where there is one.
    #[inline(always)]
    pub(super) fn hand_copies(
        &mut self,
        now: Instant,
        packet: &Packet,
        ways: &[Way],
        out: &mut Out<'_>,
    ) {
        if self.bridges.accelerator.is_none() {
            self.hand_out(now, packet, ways, out);
            return;
        }
        self.hand_back(now, packet, ways);
    }

    /// The accelerator sends a copy of a packet each of these ways.
    #[cold]
    pub(super) fn hand_back(&mut self, now: Instant, packet: &Packet, ways: &[Way]) {
        let ways = &*self.unexpired(now, packet, ways);
        for way in ways {
            let copy = self.copy_of(packet, way);
            self.come_back(now, way.0, copy);
        }
    }

    /// Hands on a packet that was made for a group: by way of the accelerator, where there is one.
    #[inline(always)]
    pub(super) fn emit(&mut self, now: Instant, way: u16, packet: Packet, out: &mut Out<'_>) {
        if self.bridges.accelerator.is_none() {
            self.forward_copy(now, way, packet, out);
            return;
        }
        self.come_back(now, way, packet);
    }

    #[cold]
    fn come_back(&mut self, now: Instant, way: u16, copy: Packet) {
        if let Some(beside) = &mut self.bridges.accelerator {
            let at = beside.send(now, way, copy);
            self.timers.push(Reverse((at, PASS)));
        }
    }

    /// Loses all that is in the accelerator and waits for it.
    pub(super) fn drop_accelerated(&mut self, now: Instant, out: &mut Out<'_>) {
        while let Some(beside) = &mut self.bridges.accelerator
            && let Some(queue) = beside.queues.iter_mut().find(|queue| !queue.is_empty())
            && let Some((packet, is_last)) = self.buffer.pop(queue)
        {
            self.drop(now, &packet, DropReason::Dead);
            if is_last {
                self.left(now, &packet, out);
            }
        }
        let back = self.bridges.accelerator.as_mut().map(|beside| std::mem::take(&mut beside.back));
        for (.., copy) in back.into_iter().flatten() {
            self.drop(now, &copy, DropReason::Dead);
        }
    }
}
