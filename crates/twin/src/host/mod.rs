//! A host: its endpoints, and the port that they share.

mod applicant;
mod controller;
mod datagram;
mod desk;
mod endpoint;
mod member;
mod processor;
mod rc;
mod requests;
mod sampling;
mod storm;
mod stream;
mod tell;
mod transport;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;

use lightloom_prefetch::prefetch_read;
use lightloom_setup::PauseStorm;
use lightloom_setup::params::Params;
use lightloom_topology::electrical::NodeId;
use lightloom_units::{Instant, Span};

use crate::drops::{DropReason, DropSpot, Drops};
use crate::engine::{Arrival, Out};
use crate::envelope::Envelopes;
use crate::link::Transmitter;
use crate::packet::{Class, Dest, GroupId, Kind, Packet};
pub(crate) use applicant::Applications;
pub(crate) use desk::Desk;
pub(crate) use endpoint::{Endpoint, Of, Slot, open_all};
use transport::Arrived;
pub(crate) use transport::{Event, Hosts, Placed};

/// What a timer of a host is for, in the order in which they fire at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Timer {
    /// The port may send.
    Port,
    /// The timer of an endpoint.
    Endpoint(u32),
    /// A storm begins, is told again, or ends.
    Storm,
}

/// A host. What every packet touches stands first.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Host<'a> {
    pub(crate) link: Transmitter,
    pub(crate) slots: Vec<Slot>,
    timers: BinaryHeap<Reverse<(Instant, Timer)>>,
    /// When the port is looked at next.
    wake_at: Instant,
    /// Packets that came in.
    pub(crate) received: u64,
    /// Packets that were under way to it when its link died.
    pub(crate) lost: u64,
    /// Endpoints that have something to send, by class as in [`Class::DATA`] and by when they may.
    ready: [BinaryHeap<Reverse<(Instant, u32)>>; Class::DATA.len()],
    /// Whether its state leaves the cache between two windows.
    is_cold: bool,
    /// Where packets to it go.
    own: Dest,
    pub(crate) desk: Desk<'a>,
    /// The endpoints of groups.
    groups: BTreeMap<GroupId, u32>,
    /// When it stops its switch though it need not.
    storms: Vec<PauseStorm>,
    pub(crate) drops: Drops,
}

/// The place of a class among those of data.
fn place_of(class: Class) -> usize {
    usize::from(class != Class::DATA[0])
}

impl<'a> Host<'a> {
    /// A host whose series have intervals of this length, flow by flow too if asked for.
    pub(crate) fn new(
        id: NodeId,
        link: Transmitter,
        params: &'a Params,
        series: (Span, bool),
        envelopes: Arc<Envelopes>,
    ) -> Self {
        Self {
            is_cold: false,
            own: Dest::host(id),
            desk: Desk::new(id, params, link.pace, series, envelopes),
            link,
            received: 0,
            lost: 0,
            slots: Vec::new(),
            groups: BTreeMap::new(),
            ready: Default::default(),
            timers: BinaryHeap::new(),
            wake_at: Instant::NEVER,
            storms: Vec::new(),
            drops: Drops::default(),
        }
    }

    /// Adds an endpoint whose data are of this class; its number.
    pub(crate) fn open(&mut self, mut endpoint: Endpoint, class: Class) -> u32 {
        let number = self.next_number();
        endpoint.transport_mut().numbered(number);
        self.slots.push(Slot { endpoint, alarm: Instant::NEVER, queued: false, class });
        number
    }

    /// The number of the endpoint that is added next.
    pub(crate) fn next_number(&self) -> u32 {
        u32::try_from(self.slots.len()).unwrap_or(u32::MAX)
    }

    /// Packets to a group go to this endpoint.
    pub(crate) fn listen(&mut self, group: GroupId, number: u32) {
        self.groups.insert(group, number);
    }

    /// The endpoint of a group, where there is one.
    pub(crate) fn endpoint(&self, group: GroupId) -> Option<u32> {
        self.groups.get(&group).copied()
    }

    pub(crate) fn next_timer(&self) -> Option<Instant> {
        self.timers.peek().map(|Reverse((at, _))| *at)
    }

    /// The same host in a network that does not fit into the cache.
    pub(crate) fn cold(self, is_cold: bool) -> Self {
        Self { is_cold, ..self }
    }

    /// Brings the timers and the endpoints of arriving packets into the cache.
    pub(crate) fn prepare(&self, arrivals: &[Arrival]) {
        if !self.is_cold {
            return;
        }
        prefetch_read(self.timers.as_slice().as_ptr());
        for Arrival { packet, .. } in arrivals {
            prefetch_read(self.slots.as_ptr().wrapping_add(packet.qp as usize));
        }
    }

    pub(crate) fn fire(&mut self, now: Instant, out: &mut Out<'_>) {
        match self.timers.pop() {
            Some(Reverse((at, Timer::Port))) if self.wake_at == at => {
                self.wake_at = Instant::NEVER;
                self.serve(now, out);
            }
            Some(Reverse((_, Timer::Endpoint(number)))) => self.alarm(now, number, out),
            Some(Reverse((_, Timer::Storm))) => self.storm(now, out),
            _ => self.forget_stale(),
        }
    }

    pub(crate) fn arrive(&mut self, now: Instant, arrival: &Arrival, out: &mut Out<'_>) {
        let packet = &arrival.packet;
        if self.link.is_dead(now) {
            self.lost += 1;
            self.drop(now, packet, DropSpot::Inside, DropReason::Dead);
            return;
        }
        self.received += 1;
        if packet.is_corrupt() {
            self.drop(now, packet, DropSpot::Inside, DropReason::Corrupt);
            return;
        }
        if packet.kind == Kind::Pause {
            let stop = self.link.pace.quanta(packet.psn.get());
            self.desk.stops.stop(now, packet.class.index(), stop);
        } else {
            let number = if packet.to == self.own { packet.qp } else { self.member(packet) };
            let arrived = match self.slots.get_mut(number as usize) {
                Some(slot) => slot.endpoint.arrive(now, packet, &mut self.desk),
                None => Arrived::Stray,
            };
            match arrived {
                Arrived::Noted => {}
                Arrived::Sending => {
                    self.set_alarm(number);
                    self.enqueue(number);
                }
                Arrived::Opening => {
                    self.set_alarm(number);
                    self.enqueue(number);
                    self.open_streams(number);
                }
                Arrived::Complete => {
                    self.set_alarm(number);
                    self.enqueue(number);
                    self.hand_on(now);
                }
                Arrived::Stray => self.drop(now, packet, DropSpot::Inside, DropReason::Stray),
            }
        }
        self.serve(now, out);
    }

    /// The endpoint that a packet to a group is for; beyond all where there is none.
    #[cold]
    #[inline(never)]
    fn member(&self, packet: &Packet) -> u32 {
        let group = packet.to.as_group();
        group.and_then(|group| self.endpoint(group)).unwrap_or(u32::MAX)
    }

    /// Removes stale timers from the front, so that they do not delay the end of a run.
    fn forget_stale(&mut self) {
        while let Some(&Reverse((at, timer))) = self.timers.peek() {
            let stale = match timer {
                Timer::Port => self.wake_at != at,
                Timer::Endpoint(number) => self.slots[number as usize].alarm == Instant::NEVER,
                Timer::Storm => false,
            };
            if !stale {
                return;
            }
            self.timers.pop();
        }
    }

    fn alarm(&mut self, now: Instant, number: u32, out: &mut Out<'_>) {
        let slot = &mut self.slots[number as usize];
        // An alarm that was overtaken by an earlier one is stale.
        if slot.alarm != now {
            self.forget_stale();
            return;
        }
        slot.endpoint.fire(now, &mut self.desk);
        slot.alarm = Instant::NEVER;
        self.set_alarm(number);
        self.enqueue(number);
        self.hand_on(now);
        self.open_streams(number);
        self.serve(now, out);
    }

    /// Sees to it that the timer of an endpoint is looked at in time.
    pub(crate) fn set_alarm(&mut self, number: u32) {
        let slot = &mut self.slots[number as usize];
        match slot.endpoint.timer() {
            Some(at) if at < slot.alarm => {
                slot.alarm = at;
                self.timers.push(Reverse((at, Timer::Endpoint(number))));
            }
            Some(_) => {}
            None => slot.alarm = Instant::NEVER,
        }
    }

    /// Puts an endpoint that has something to send among those that wait for the port; when it may.
    fn enqueue(&mut self, number: u32) -> Option<Instant> {
        let slot = &mut self.slots[number as usize];
        if slot.queued {
            return None;
        }
        let at = slot.endpoint.next(&self.desk)?;
        slot.queued = true;
        self.ready[place_of(slot.class)].push(Reverse((at, number)));
        Some(at)
    }

    /// Sends what may go out now, and sees to it that the port is looked at again.
    fn serve(&mut self, now: Instant, out: &mut Out<'_>) {
        if self.link.busy_until <= now {
            if self.desk.stops.until(Class::CONTROL.index()) <= now
                && let Some(packet) = self.desk.control.pop_front()
            {
                self.transmit(now, packet, out);
            } else if let Some(number) = self.next_endpoint(now) {
                self.send_data(now, number, out);
            }
        }
        let free = self.link.busy_until.max(now);
        let control = (!self.desk.control.is_empty())
            .then(|| self.desk.stops.until(Class::CONTROL.index()).max(free));
        let data = self.next_data(free).map(|(at, _)| at);
        match control.into_iter().chain(data).min() {
            Some(at) => self.wake(at),
            None => self.wake_at = Instant::NEVER,
        }
        self.forget_stale();
    }

    /// The endpoint that may go next, not before `free`, and when: the one that has waited longest of those
    /// whose class is not paused.
    fn next_data(&self, free: Instant) -> Option<(Instant, u32)> {
        let first = |(class, ready): (&Class, &BinaryHeap<Reverse<(Instant, u32)>>)| {
            let Reverse((eligible, number)) = *ready.peek()?;
            let may = eligible.max(self.desk.stops.until(class.index())).max(free);
            Some((may, eligible, number))
        };
        let firsts = Class::DATA.iter().zip(&self.ready).filter_map(first);
        firsts.min().map(|(may, _, number)| (may, number))
    }

    /// Takes the endpoint that may go now, past those that had their last packets acknowledged while they
    /// waited.
    fn next_endpoint(&mut self, now: Instant) -> Option<u32> {
        loop {
            let (may, number) = self.next_data(now)?;
            if may > now {
                return None;
            }
            let slot = &mut self.slots[number as usize];
            self.ready[place_of(slot.class)].pop();
            slot.queued = false;
            if slot.endpoint.next(&self.desk).is_some() {
                return Some(number);
            }
        }
    }

    fn send_data(&mut self, now: Instant, number: u32, out: &mut Out<'_>) {
        let slot = &mut self.slots[number as usize];
        let packet = slot.endpoint.take(now, &mut self.desk);
        self.transmit(now, packet, out);
        self.set_alarm(number);
        self.enqueue(number);
    }

    fn transmit(&mut self, now: Instant, packet: Packet, out: &mut Out<'_>) {
        if let Err(reason) = self.link.send(now, &packet, out) {
            self.drop(now, &packet, DropSpot::Leaving, reason);
        }
    }

    fn drop(&mut self, now: Instant, packet: &Packet, spot: DropSpot, reason: DropReason) {
        self.drops.add(now, packet, (0, spot), reason);
    }

    fn wake(&mut self, at: Instant) {
        if at < self.wake_at {
            self.wake_at = at;
            self.timers.push(Reverse((at, Timer::Port)));
        }
    }
}
