//! What a host computes: one computation at a time in each of its streams.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use lightloom_setup::Computation;
use lightloom_setup::params::Params;
use lightloom_topology::electrical::NodeId;
use lightloom_transport::messages::Waiter;
use lightloom_units::{Instant, Span};

use super::desk::Desk;
use super::transport::{Arrived, Event, Handed, Hosts, Open, Placed, Transport};
use crate::outcome::{ComputationOutcome, Outcome};
use crate::packet::{Class, FlowId, Kind, Packet};
use crate::simulation::Simulation;

/// The computations of a host.
#[derive(Debug, Default)]
pub(crate) struct Processor {
    /// By their places.
    all: Vec<Item>,
    streams: Vec<Stream>,
    timers: BinaryHeap<Reverse<(Instant, Timer)>>,
}

/// A computation.
#[derive(Debug)]
struct Item {
    /// Its place among all of the setup.
    number: usize,
    /// The place of its stream; none of a delay.
    stream: Option<u32>,
    takes: Span,
    start: Instant,
    /// What it waits for that has not happened.
    missing: u32,
    came: ComputationOutcome,
    /// Messages and computations of the host that wait until it has ended.
    then: Vec<Waiter>,
    /// Computations that wait until it has begun.
    then_begun: Vec<Waiter>,
}

/// A stream: what runs one after the other.
#[derive(Debug, Default)]
struct Stream {
    is_busy: bool,
    /// Computations that may begin, by when they could.
    ready: BinaryHeap<Reverse<(Instant, u32)>>,
}

/// What a timer is for, in the order of one time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Timer {
    End(u32),
    Start(u32),
}

impl Processor {
    /// Adds a computation of the stream of this place; its own place.
    fn add(&mut self, number: usize, said: &Computation, stream: Option<u32>) -> u32 {
        let place = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        let missing = said.after.len() + said.begun.len();
        if missing == 0 {
            self.timers.push(Reverse((said.start, Timer::Start(place))));
        }
        let missing = u32::try_from(missing).unwrap_or(u32::MAX);
        let Computation { takes, start, .. } = *said;
        let (came, then, then_begun) = (ComputationOutcome::default(), Vec::new(), Vec::new());
        self.all.push(Item { number, stream, takes, start, missing, came, then, then_begun });
        place
    }

    /// A computation may begin: it does, or waits for its stream.
    fn may_begin(&mut self, place: u32, now: Instant, desk: &mut Desk<'_>) {
        match self.all[place as usize].stream {
            None => self.begin(place, now, desk),
            Some(stream) => {
                self.streams[stream as usize].ready.push(Reverse((now, place)));
                self.serve(stream, now, desk);
            }
        }
    }

    /// Begins what is next in a stream that is free.
    fn serve(&mut self, stream: u32, now: Instant, desk: &mut Desk<'_>) {
        loop {
            let line = &mut self.streams[stream as usize];
            if line.is_busy {
                return;
            }
            let Some(Reverse((_, place))) = line.ready.pop() else { return };
            line.is_busy = true;
            self.begin(place, now, desk);
        }
    }

    fn begin(&mut self, place: u32, now: Instant, desk: &mut Desk<'_>) {
        let item = &mut self.all[place as usize];
        item.came.began = Some(now);
        desk.handed.append(&mut item.then_begun);
        if item.takes == Span::ZERO {
            self.end(place, now, desk);
            return;
        }
        let at = now.checked_add(item.takes).unwrap_or(Instant::NEVER);
        self.timers.push(Reverse((at, Timer::End(place))));
        // While a host computes the run gets on.
        desk.progress = desk.progress.max(at);
    }

    fn end(&mut self, place: u32, now: Instant, desk: &mut Desk<'_>) {
        let item = &mut self.all[place as usize];
        item.came.ended = Some(now);
        desk.handed.append(&mut item.then);
        if let Some(stream) = item.stream {
            self.streams[stream as usize].is_busy = false;
        }
    }
}

impl Transport for Processor {
    fn arrive(&mut self, _: Instant, _: &Packet, _: &mut Desk<'_>) -> Arrived {
        Arrived::Stray
    }

    fn next(&mut self, _: &Desk<'_>) -> Option<Instant> {
        None
    }

    fn take(&mut self, _: Instant, _: &mut Desk<'_>) -> Packet {
        unreachable!("a processor has no next packet")
    }

    fn timer(&self) -> Option<Instant> {
        self.timers.peek().map(|Reverse((at, _))| *at)
    }

    fn fire(&mut self, now: Instant, desk: &mut Desk<'_>) {
        while let Some(&Reverse((at, timer))) = self.timers.peek()
            && at <= now
        {
            self.timers.pop();
            match timer {
                Timer::Start(place) => self.may_begin(place, now, desk),
                Timer::End(place) => {
                    self.end(place, now, desk);
                    if let Some(stream) = self.all[place as usize].stream {
                        self.serve(stream, now, desk);
                    }
                }
            }
        }
    }

    fn handed(&mut self, message: u32, now: Instant, desk: &mut Desk<'_>) -> Handed {
        let item = &mut self.all[message as usize];
        item.missing = item.missing.saturating_sub(1);
        if item.missing > 0 {
            return Handed::Noted;
        }
        if item.start > now {
            self.timers.push(Reverse((item.start, Timer::Start(message))));
        } else {
            self.may_begin(message, now, desk);
        }
        Handed::Opening
    }

    fn owner(&self, _: Kind, _: u32) -> Option<FlowId> {
        None
    }

    fn then(&mut self, event: Event, waiter: Waiter) -> bool {
        let (place, ends) = match event {
            Event::Computed(place) => (place, true),
            Event::Begun(place) => (place, false),
            Event::Arrived(_) | Event::Acknowledged(_) => return false,
        };
        let Some(item) = self.all.get_mut(place as usize) else { return false };
        if ends {
            item.then.push(waiter)
        } else {
            item.then_begun.push(waiter)
        }
        true
    }

    fn report(&self, _: NodeId, _: &Params, outcome: &mut Outcome) {
        for item in &self.all {
            outcome.computations[item.number] = item.came;
        }
    }
}

impl Open for Processor {
    type Opens = Self;

    /// One for each host that computes.
    fn open(simulation: &Simulation<'_>, hosts: &mut impl Hosts<Self>) {
        let mut of_hosts: BTreeMap<NodeId, (Self, BTreeMap<u32, u32>)> = BTreeMap::new();
        let first = simulation.first_computation();
        for (number, said) in simulation.computations.iter().enumerate() {
            let (processor, streams) = of_hosts.entry(said.host).or_default();
            let stream = said.stream.map(|name| {
                let next = u32::try_from(streams.len()).unwrap_or(u32::MAX);
                *streams.entry(name).or_insert_with(|| {
                    processor.streams.push(Stream::default());
                    next
                })
            });
            let place = processor.add(number, said, stream);
            let of = Waiter { endpoint: hosts.next(said.host), message: place };
            let id = FlowId(u32::try_from(first + number).unwrap_or(u32::MAX));
            hosts.place(id, Placed { from: of, to: of });
        }
        for (host, (processor, _)) in of_hosts {
            hosts.open(host, processor, Class::LOSSLESS);
        }
    }
}
