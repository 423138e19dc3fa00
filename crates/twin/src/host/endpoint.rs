//! An endpoint of any transport, with what its host knows of it.

use lightloom_units::{Instant, Span};

use super::controller::Controller;
use super::datagram::Datagrams;
use super::desk::Desk;
use super::member::Member;
use super::processor::Processor;
use super::rc::Rc;
use super::stream::Stream;
use super::transport::{Arrived, Hosts, Open, Transport};
use crate::packet::{Class, Packet};
use crate::simulation::Simulation;

/// An endpoint of any transport that can be one of this.
pub(crate) trait Of<T> {
    /// The endpoint of this transport; none where it is one of another.
    fn of(&mut self) -> Option<&mut T>;
}

/// Makes the endpoint of any transport from the list of all, and what opens them in the order of the list.
///
/// The first is the common one: it stands within its slot, and what is asked for every packet looks for it first. Those
/// handlers of the others are functions of their own, so that those of the first stay together.
macro_rules! transports {
    ($common:ident, $($other:ident),+ $(,)?) => {
        /// An endpoint of any transport.
        #[derive(Debug)]
        pub(crate) enum Endpoint {
            $common($common),
            $($other(Box<$other>),)+
        }

        /// What is asked for every packet.
        impl Endpoint {
            #[inline(always)]
            pub(super) fn arrive(&mut self, now: Instant, packet: &Packet, desk: &mut Desk<'_>) -> Arrived {
                match self {
                    Self::$common(end) => end.arrive(now, packet, desk),
                    others => others.arrive_otherwise(now, packet, desk),
                }
            }

            #[inline(never)]
            fn arrive_otherwise(&mut self, now: Instant, packet: &Packet, desk: &mut Desk<'_>) -> Arrived {
                match self {
                    Self::$common(end) => end.arrive(now, packet, desk),
                    $(Self::$other(end) => end.arrive(now, packet, desk),)+
                }
            }

            #[inline]
            pub(super) fn next(&mut self, desk: &Desk<'_>) -> Option<Instant> {
                match self {
                    Self::$common(end) => end.next(desk),
                    $(Self::$other(end) => end.next(desk),)+
                }
            }

            #[inline(always)]
            pub(super) fn take(&mut self, now: Instant, desk: &mut Desk<'_>) -> Packet {
                match self {
                    Self::$common(end) => end.take(now, desk),
                    others => others.take_otherwise(now, desk),
                }
            }

            #[inline(never)]
            fn take_otherwise(&mut self, now: Instant, desk: &mut Desk<'_>) -> Packet {
                match self {
                    Self::$common(end) => end.take(now, desk),
                    $(Self::$other(end) => end.take(now, desk),)+
                }
            }

            #[inline]
            pub(super) fn timer(&self) -> Option<Instant> {
                match self {
                    Self::$common(end) => end.timer(),
                    $(Self::$other(end) => end.timer(),)+
                }
            }

            pub(super) fn fire(&mut self, now: Instant, desk: &mut Desk<'_>) {
                match self {
                    Self::$common(end) => end.fire(now, desk),
                    $(Self::$other(end) => end.fire(now, desk),)+
                }
            }

            pub(super) fn ask(&mut self, message: u32, now: Instant, asked: (Instant, Span), desk: &Desk<'_>) {
                match self {
                    Self::$common(end) => end.ask(message, now, asked, desk),
                    $(Self::$other(end) => end.ask(message, now, asked, desk),)+
                }
            }
        }

        /// What is asked a few times in a run goes through the trait.
        impl Endpoint {
            pub(crate) fn transport(&self) -> &dyn Transport {
                match self {
                    Self::$common(end) => end,
                    $(Self::$other(end) => &**end,)+
                }
            }

            pub(crate) fn transport_mut(&mut self) -> &mut dyn Transport {
                match self {
                    Self::$common(end) => end,
                    $(Self::$other(end) => &mut **end,)+
                }
            }

            /// What it is about to open; taken out of it.
            pub(super) fn opens(&mut self) -> Vec<Endpoint> {
                match self {
                    Self::$common(end) => end.opens().into_iter().map(Self::from).collect(),
                    $(Self::$other(end) => end.opens().into_iter().map(Self::from).collect(),)+
                }
            }
        }

        impl From<$common> for Endpoint {
            fn from(end: $common) -> Self {
                Self::$common(end)
            }
        }

        impl Of<$common> for Endpoint {
            fn of(&mut self) -> Option<&mut $common> {
                match self {
                    Self::$common(end) => Some(end),
                    _ => None,
                }
            }
        }

        $(
            impl From<$other> for Endpoint {
                fn from(end: $other) -> Self {
                    Self::$other(Box::new(end))
                }
            }

            impl Of<$other> for Endpoint {
                fn of(&mut self) -> Option<&mut $other> {
                    match self {
                        Self::$other(end) => Some(end),
                        _ => None,
                    }
                }
            }
        )+

        /// Opens the endpoints of all transports.
        pub(crate) fn open_all<H>(simulation: &Simulation<'_>, hosts: &mut H)
        where
            H: Hosts<$common> $(+ Hosts<$other>)+,
        {
            $common::open(simulation, hosts);
            $($other::open(simulation, hosts);)+
        }
    };
}

// The list of all transports. Those that follow may ask those before them to apply for admission.
transports!(Rc, Datagrams, Member, Stream, Controller, Processor);

/// An endpoint, and what its host knows of it: one cache line.
#[derive(Debug)]
#[repr(align(64))]
pub(crate) struct Slot {
    pub(crate) endpoint: Endpoint,
    /// When its timer is looked at; the end of time where it has none.
    pub(super) alarm: Instant,
    /// Whether it waits for its turn at the port.
    pub(super) queued: bool,
    /// Class of its data.
    pub(super) class: Class,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_one_cache_line() {
        assert_eq!(size_of::<Slot>(), 64);
    }
}
