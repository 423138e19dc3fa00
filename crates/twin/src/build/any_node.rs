//! A node of a run, of either kind.

use lightloom_units::Instant;

use crate::drops::{Drop, Drops};
use crate::engine::{Arrival, Node, Out};
use crate::host::Host;
use crate::link::Transmitter;
use crate::sample::Sample;
use crate::switch::Switch;

/// A host or a switch.
#[derive(Debug)]
pub(crate) enum AnyNode<'a> {
    Host(Host<'a>),
    Switch(Switch<'a>),
}

impl Node for AnyNode<'_> {
    fn prepare(&mut self, arrivals: &[Arrival]) {
        match self {
            Self::Host(host) => host.prepare(arrivals),
            Self::Switch(switch) => switch.prepare(arrivals),
        }
    }

    #[inline]
    fn arrive(&mut self, now: Instant, place: usize, arrival: &Arrival, out: &mut Out<'_>) {
        match self {
            Self::Host(host) => host.arrive(now, arrival, out),
            Self::Switch(switch) => switch.arrive(now, place, arrival, out),
        }
    }

    #[inline]
    fn next_timer(&self) -> Option<Instant> {
        match self {
            Self::Host(host) => host.next_timer(),
            Self::Switch(switch) => switch.next_timer(),
        }
    }

    #[inline]
    fn fire(&mut self, now: Instant, out: &mut Out<'_>) {
        match self {
            Self::Host(host) => host.fire(now, out),
            Self::Switch(switch) => switch.fire(now, out),
        }
    }

    fn progress(&self) -> Instant {
        match self {
            Self::Host(host) => host.desk.progress,
            Self::Switch(_) => Instant::from_ps(0),
        }
    }

    fn sample(&self, sample: &mut Sample) {
        match self {
            Self::Host(host) => host.sample(sample),
            Self::Switch(switch) => switch.sample(sample),
        }
    }

    fn is_lost(&self, arrival: &Arrival) -> bool {
        match self {
            Self::Host(host) => host.link.is_dead(arrival.at),
            Self::Switch(switch) => switch.is_dead(arrival),
        }
    }

    fn take_drops(&mut self, to: &mut dyn FnMut(Drop)) {
        self.each_drops(&mut |drops| drops.take().for_each(&mut *to));
    }
}

impl AnyNode<'_> {
    /// The links that it transmits on, by port.
    pub(crate) fn links(&self) -> &[Transmitter] {
        match self {
            Self::Host(host) => std::slice::from_ref(&host.link),
            Self::Switch(switch) => &switch.links,
        }
    }

    /// Its drops, and those on the branches of each splitter that it transmits into.
    pub(crate) fn each_drops(&mut self, to: &mut dyn FnMut(&mut Drops)) {
        let (own, links) = match self {
            Self::Host(host) => (&mut host.drops, std::slice::from_mut(&mut host.link)),
            Self::Switch(switch) => (&mut switch.drops, &mut *switch.links),
        };
        to(own);
        links.iter_mut().filter_map(Transmitter::split_mut).for_each(|split| to(&mut split.drops));
    }
}
