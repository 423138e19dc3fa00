//! An accelerator at work: its line, what waits for it, and the copies on their way back.

use std::collections::VecDeque;

use lightloom_setup::params::{Accelerator, Params};
use lightloom_units::{Instant, Span};

use super::buffer::Queue;
use crate::link::Pace;
use crate::outcome::AcceleratorOutcome;
use crate::packet::{Class, Packet};

/// Stands in the timers of a switch for its accelerator. It is above the number of any port.
pub(super) const PASS: u16 = u16::MAX - 1;

/// The most ports of a switch beside an accelerator.
pub(crate) const MOST_PORTS: usize = PASS as usize;

/// An accelerator at work.
#[derive(Debug)]
pub(crate) struct Beside {
    /// From a port of the switch into it.
    pub(super) of_port: Pace,
    /// In or out over all ports.
    pub(super) of_all: Pace,
    pub(super) latency: Span,
    /// Bytes on the wire before each frame, and after it.
    pub(super) around: (u32, u32),
    /// What waits in the buffer of the switch: answers and registrations, which go first, and data.
    pub(super) queues: [Queue; 2],
    /// When the packet before is in.
    pub(super) in_until: Instant,
    /// When the switch hands it the next packet. [`Instant::NEVER`]: none waits.
    pub(super) wakes: Instant,
    /// When the first copy of the packet at hand may begin to leave.
    pub(super) copies_from: Instant,
    /// When the last copy has left.
    pub(super) out_until: Instant,
    /// Copies on their way back, with their egress, by the time at which they arrive.
    pub(super) back: VecDeque<(Instant, u16, Packet)>,
    pub(super) done: AcceleratorOutcome,
}

impl Beside {
    pub(crate) fn new(part: &Accelerator, params: &Params) -> Self {
        Self {
            of_port: Pace::of(part.port_rate),
            of_all: Pace::of(part.rate),
            latency: part.latency,
            around: (params.wire.preamble.into(), params.wire.gap.into()),
            queues: [Queue::EMPTY; 2],
            in_until: Instant::from_ps(0),
            wakes: Instant::NEVER,
            copies_from: Instant::from_ps(0),
            out_until: Instant::from_ps(0),
            back: VecDeque::new(),
            done: AcceleratorOutcome::default(),
        }
    }

    /// When it may take a packet: one of data so that its copies follow those of the packets before. Few answers leave,
    /// and they are short.
    pub(super) fn takes(&self, packet: &Packet) -> Instant {
        if packet.class == Class::CONTROL {
            return self.in_until;
        }
        let (comes_in, _) = self.times(self.of_port, packet.bytes);
        let ahead = (comes_in + self.latency).as_ps();
        self.in_until.max(Instant::from_ps(self.out_until.as_ps().saturating_sub(ahead)))
    }

    /// What it did.
    pub(crate) fn done(&self) -> AcceleratorOutcome {
        self.done
    }

    /// A copy leaves it; when it is back at the switch.
    pub(super) fn send(&mut self, now: Instant, way: u16, copy: Packet) -> Instant {
        let starts = self.out_until.max(self.copies_from).max(now);
        let (arrives, takes) = self.times(self.of_all, copy.bytes);
        self.out_until = starts + takes;
        self.back.push_back((starts + arrives, way, copy));
        starts + arrives
    }

    /// From the start of a frame at a pace to its end, and to that of the next frame.
    pub(super) fn times(&self, pace: Pace, bytes: u16) -> (Span, Span) {
        let (before, after) = self.around;
        let frame = before + u32::from(bytes);
        (pace.time(frame), pace.time(frame + after))
    }

    /// The packets in it, and those that wait for it.
    pub(super) fn queues(&self) -> impl Iterator<Item = &Queue> {
        self.queues.iter()
    }

    /// The copies on their way back.
    pub(super) fn on_the_way_back(&self) -> impl Iterator<Item = Packet> {
        self.back.iter().map(|(.., copy)| *copy)
    }
}
