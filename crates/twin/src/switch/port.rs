//! The queues of a port of a switch, and its pauses: those that it obeys, and those that it sends.

use lightloom_setup::params::EcnParams;
use lightloom_units::{BitRate, DataSize, Instant};

use super::buffer::Queue;
use crate::circuits::Gates;
use crate::drops::DropReason;
use crate::link::{MOST_QUANTA, Pace, Pauses};
use crate::overflow::LostPause;
use crate::packet::{CLASSES, Class, Psn};
use crate::random::Stream;

/// The queues of a port. What a waiting packet touches is one cache line; a packet that goes straight out
/// touches nothing here.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct PortQueues {
    pub(crate) queues: [Queue; CLASSES],
    /// When the port is served next.
    pub(crate) wake_at: Instant,
    /// The longest queue so far, in bytes.
    pub(crate) most_queued: u32,
    /// Whether the other end has yet to be told to stop, or to go on.
    pub(crate) due: bool,
    /// Whether the other end has ever paused a class.
    was_paused: bool,
    /// Why it is served otherwise than most.
    pub(super) apart: Apart,
    rare: Option<Box<Rare>>,
}

/// Why a port is served otherwise than most. One look tells that there is no reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Apart(u8);

impl Apart {
    const NONE: Self = Self(0);
    /// Data of a group wait at an ingress until this port goes on.
    pub(super) const HALTS: Self = Self(1);
    /// It is for circuits.
    pub(super) const GATED: Self = Self(2);

    /// Whether there is any reason.
    #[inline(always)]
    pub(super) fn is_any(self) -> bool {
        self != Self::NONE
    }

    pub(super) fn is(self, reason: Self) -> bool {
        self.0 & reason.0 != 0
    }

    pub(super) fn begins(&mut self, reason: Self) {
        self.0 |= reason.0;
    }

    pub(super) fn ends(&mut self, reason: Self) {
        self.0 &= !reason.0;
    }
}

/// What only marks and pauses of a port touch, made for the first of them.
#[derive(Debug, Clone)]
pub(crate) struct Rare {
    marking: Option<Marking>,
    pub(crate) marked: u64,
    pub(crate) pauses: u64,
    /// When a paused sender must be told again, or it would go on by itself.
    refresh_at: Instant,
    /// What the other end has paused.
    pub(crate) paused: Pauses,
    /// The receiving port whose sender is told over this one.
    pub(super) ingress: u16,
    /// Bytes in the headroom of that port; none while the sender may send.
    pub(super) headroom: u32,
    /// The last pause that was lost since the other end was to stop.
    lost_pause: Option<LostPause>,
    overflow: Option<Overflowed>,
}

/// What did not fit into the headroom of a port.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Overflowed {
    /// When the first packet did not.
    pub(crate) at: Instant,
    pub(crate) packets: u64,
    /// The pause that was lost before it.
    pub(crate) lost_pause: Option<LostPause>,
}

impl Rare {
    const NONE: Self = Self {
        marking: None,
        marked: 0,
        pauses: 0,
        refresh_at: Instant::NEVER,
        paused: Pauses::NONE,
        ingress: 0,
        headroom: 0,
        lost_pause: None,
        overflow: None,
    };

    /// What did not fit into the headroom, where anything did not.
    pub(crate) fn overflow(&self) -> Option<Overflowed> {
        self.overflow
    }

    /// Whether the other end was last told to stop.
    pub(super) fn holds(&self) -> bool {
        self.refresh_at != Instant::NEVER
    }
}

/// Random early marking of one port.
#[derive(Debug, Clone)]
pub(crate) struct Marking {
    kmin: u32,
    kmax: u32,
    pmax: f64,
    random: Stream,
}

impl PortQueues {
    pub(crate) const EMPTY: Self = Self {
        queues: [Queue::EMPTY; CLASSES],
        wake_at: Instant::NEVER,
        most_queued: 0,
        due: false,
        was_paused: false,
        apart: Apart::NONE,
        rare: None,
    };

    fn rare_mut(&mut self) -> &mut Rare {
        self.rare.get_or_insert_with(|| Box::new(Rare::NONE))
    }

    /// What marks and pauses have done so far.
    pub(crate) fn rare(&self) -> &Rare {
        self.rare.as_deref().unwrap_or(&Rare::NONE)
    }

    fn is_empty(&self) -> bool {
        self.queues.iter().all(Queue::is_empty)
    }

    /// Until when a class is paused.
    fn paused_until(&self, class: usize) -> Instant {
        // Most ports are never paused: they never touch the second cache line.
        if self.was_paused { self.rare().paused.until(class) } else { Instant::from_ps(0) }
    }

    /// Whether a packet of a class may go out before all that waits here.
    pub(super) fn lets_pass(&self, now: Instant, class: Class) -> bool {
        self.is_empty() && !self.due && self.paused_until(class.index()) <= now
    }

    /// It is for circuits from now on. No packet just goes out there, as if the other end had paused it before.
    pub(super) fn becomes_gated(&mut self) {
        self.apart.begins(Apart::GATED);
        self.was_paused = true;
    }

    /// Whether a packet may not just go out.
    pub(super) fn waits(&self) -> bool {
        !self.is_empty() || self.due || self.was_paused
    }

    /// Whether a packet that joins a queue is marked, by what waits before it. The first time `marking` says
    /// how.
    pub(super) fn marks(&mut self, class: Class, marking: impl FnOnce() -> Marking) -> bool {
        let queued = self.queues[class.index()].bytes;
        let rare = self.rare_mut();
        let marks = rare.marking.get_or_insert_with(marking).marks(queued);
        rare.marked += u64::from(marks);
        marks
    }

    /// The other end says: stop a class for a time, or go on.
    pub(super) fn pause(&mut self, now: Instant, class: Class, quanta: Psn, pace: Pace) {
        self.was_paused = true;
        self.rare_mut().paused.stop(now, class.index(), pace.quanta(quanta.get()));
    }

    /// The other end is told now to stop or to go on; if it is to stop, it must be told again in half of
    /// the time that it then waits.
    pub(super) fn has_paused(&mut self, now: Instant, stop: bool, pace: Pace) {
        self.due = false;
        let rare = self.rare_mut();
        // A pause ends by itself after 65,535 quanta. Half of that leaves time for the next to arrive.
        rare.refresh_at = if stop { now + pace.quanta(MOST_QUANTA / 2) } else { Instant::NEVER };
        rare.pauses += u64::from(stop);
    }

    /// The sender to a receiving port has yet to be told over this one to stop, or to go on.
    pub(super) fn owe(&mut self, ingress: u16) {
        self.due = true;
        self.rare_mut().ingress = ingress;
    }

    /// The other end is to stop from now on: pauses that were lost before have nothing to do with it.
    pub(super) fn begins_to_stop(&mut self) {
        self.rare_mut().lost_pause = None;
    }

    /// A pause to the other end was lost.
    pub(super) fn lost_pause(&mut self, at: Instant, reason: DropReason) {
        self.rare_mut().lost_pause = Some(LostPause { at, reason });
    }

    /// Takes bytes of the headroom, where so many of `size` are free.
    pub(super) fn takes_headroom(&mut self, bytes: u32, size: u32) -> bool {
        let rare = self.rare_mut();
        let fits = size.checked_sub(rare.headroom).is_some_and(|free| bytes <= free);
        rare.headroom += if fits { bytes } else { 0 };
        fits
    }

    /// Gives back bytes that leave, those of the headroom first: how many those are.
    pub(super) fn gives_headroom_back(&mut self, bytes: u32) -> u32 {
        let rare = self.rare_mut();
        // The headroom empties first, so that it is whole when the sender is paused again.
        let of_headroom = rare.headroom.min(bytes);
        rare.headroom -= of_headroom;
        of_headroom
    }

    /// Empties the headroom: what was in it.
    pub(super) fn leaves_headroom(&mut self) -> u32 {
        std::mem::take(&mut self.rare_mut().headroom)
    }

    /// A packet did not fit into the headroom: the pause that was lost before, where one was.
    #[cold]
    pub(super) fn overflows(&mut self, now: Instant) -> Option<LostPause> {
        let rare = self.rare_mut();
        let lost_pause = rare.lost_pause;
        let first = Overflowed { at: now, packets: 0, lost_pause };
        // The first overflow is the one that has a cause; later ones only add to it.
        rare.overflow.get_or_insert(first).packets += 1;
        lost_pause
    }

    /// Whether the other end has paused a class.
    pub(super) fn is_paused(&self, now: Instant, class: Class) -> bool {
        self.paused_until(class.index()) > now
    }

    /// Notes whether a stop must be told again.
    pub(super) fn refresh(&mut self, now: Instant) {
        self.due |= self.refresh_at() <= now;
    }

    fn refresh_at(&self) -> Instant {
        self.rare.as_ref().map_or(Instant::NEVER, |rare| rare.refresh_at)
    }

    /// The first class whose first packet is ready and may go; `ready` says from when one is.
    pub(super) fn next_class(
        &self,
        now: Instant,
        ready: impl Fn(&Queue) -> Instant,
    ) -> Option<usize> {
        // Strict priority: classes are numbered by their rank, control first.
        (0..CLASSES).find(|&c| {
            let queue = &self.queues[c];
            !queue.is_empty() && self.paused_until(c) <= now && ready(queue) <= now
        })
    }

    /// When the port, which is free from `free` on, should be served again; none where nothing waits.
    pub(super) fn wants_service(
        &self,
        free: Instant,
        ready: impl Fn(&Queue) -> Instant,
    ) -> Option<Instant> {
        if self.due {
            // A pause that is due waits for nothing but the wire.
            return Some(free);
        }
        let waiting = (0..CLASSES).filter(|&c| !self.queues[c].is_empty());
        let may = |c: usize| self.paused_until(c).max(ready(&self.queues[c])).max(free);
        let refresh =
            Some(self.refresh_at()).filter(|&at| at != Instant::NEVER).map(|at| at.max(free));
        waiting.map(may).chain(refresh).min()
    }

    /// When a port that is served apart should be served again, where it would be at `wanted`.
    #[cold]
    #[inline(never)]
    pub(super) fn wants_apart(
        &self,
        mut wanted: Option<Instant>,
        gates: Option<&Gates>,
        port: u16,
    ) -> Option<Instant> {
        if self.apart.is(Apart::HALTS) {
            let goes_on = self.goes_on();
            wanted = Some(wanted.map_or(goes_on, |own| own.min(goes_on)));
        }
        wanted.map(|at| gates.map_or(at, |gates| gates.opens(at, usize::from(port))))
    }

    /// When groups that this port halts go on, unless it is paused anew. The wire need not be free then.
    fn goes_on(&self) -> Instant {
        self.paused_until(Class::LOSSLESS.index())
    }

    /// Bytes that wait because the other end has paused them.
    pub(super) fn paused_bytes(&self, now: Instant) -> u64 {
        let paused = (0..CLASSES).filter(|&c| self.paused_until(c) > now);
        paused.map(|c| u64::from(self.queues[c].bytes)).sum()
    }
}

impl Marking {
    /// Marking at a port of a rate, with thresholds in proportion to those of the reference rate `at`.
    pub(super) fn new(ecn: &EcnParams, rate: BitRate, random: Stream) -> Self {
        let (rate, at) = (u128::from(rate.as_bps()), u128::from(ecn.at.as_bps().max(1)));
        let scaled = |size: DataSize| {
            u32::try_from(u128::from(size.as_bytes()) * rate / at).unwrap_or(u32::MAX)
        };
        Self { kmin: scaled(ecn.kmin), kmax: scaled(ecn.kmax), pmax: ecn.pmax, random }
    }

    /// Bytes up to which nothing is marked.
    pub(super) fn kmin(&self) -> u32 {
        self.kmin
    }

    /// Whether a packet is marked that finds so many bytes before it.
    fn marks(&mut self, queued: u32) -> bool {
        // Nothing is drawn outside of the two thresholds, so a port that never fills uses no random number.
        if queued <= self.kmin || queued > self.kmax {
            return queued > self.kmax;
        }
        let over = f64::from(queued - self.kmin);
        let most = f64::from(self.kmax - self.kmin);
        self.random.unit() < self.pmax * over / most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queues_are_one_cache_line() {
        assert_eq!(size_of::<PortQueues>(), 64);
    }
}
