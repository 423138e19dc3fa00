//! An endpoint of any transport, with what its host knows of it.

use lightloom_units::{Instant, Span};

use super::controller::Controller;
use super::datagram::Datagrams;
use super::desk::Desk;
use super::member::Member;
use super::rc::Rc;
use super::stream::Stream;
use super::transport::{Arrived, Transport};
use crate::packet::{Class, FlowId, Kind, Packet};

/// An endpoint of any transport.
#[derive(Debug)]
pub(crate) enum Endpoint {
    /// Of a reliable connection.
    Rc(Rc),
    /// Of datagrams.
    Datagrams(Box<Datagrams>),
    /// Of a reliable group.
    Member(Box<Member>),
    /// To a member of one that the group does not reach.
    Stream(Box<Stream>),
    /// Of who admits messages.
    Controller(Box<Controller>),
}

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

macro_rules! each {
    ($endpoint:expr, $inner:ident => $call:expr) => {
        match $endpoint {
            Endpoint::Rc($inner) => $call,
            Endpoint::Datagrams($inner) => $call,
            Endpoint::Member($inner) => $call,
            Endpoint::Stream($inner) => $call,
            Endpoint::Controller($inner) => $call,
        }
    };
}

impl Transport for Endpoint {
    #[inline(always)]
    fn arrive(&mut self, now: Instant, packet: &Packet, desk: &mut Desk<'_>) -> Arrived {
        match self {
            Self::Rc(rc) => rc.arrive(now, packet, desk),
            others => others.arrive_otherwise(now, packet, desk),
        }
    }

    fn ask(&mut self, message: u32, now: Instant, asked: (Instant, Span), desk: &Desk<'_>) {
        each!(self, inner => inner.ask(message, now, asked, desk))
    }

    #[inline]
    fn next(&mut self, desk: &Desk<'_>) -> Option<Instant> {
        each!(self, inner => inner.next(desk))
    }

    #[inline(always)]
    fn take(&mut self, now: Instant, desk: &mut Desk<'_>) -> Packet {
        match self {
            Self::Rc(rc) => rc.take(now, desk),
            others => others.take_otherwise(now, desk),
        }
    }

    #[inline]
    fn timer(&self) -> Option<Instant> {
        each!(self, inner => inner.timer())
    }

    fn fire(&mut self, now: Instant, desk: &mut Desk<'_>) {
        each!(self, inner => inner.fire(now, desk))
    }

    fn owner(&self, kind: Kind, message: u32) -> Option<FlowId> {
        each!(self, inner => inner.owner(kind, message))
    }
}

/// Handlers of groups are functions of their own, so that those of connections stay together.
impl Endpoint {
    #[inline(never)]
    fn arrive_otherwise(&mut self, now: Instant, packet: &Packet, desk: &mut Desk<'_>) -> Arrived {
        each!(self, inner => inner.arrive(now, packet, desk))
    }

    #[inline(never)]
    fn take_otherwise(&mut self, now: Instant, desk: &mut Desk<'_>) -> Packet {
        each!(self, inner => inner.take(now, desk))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_one_cache_line() {
        assert_eq!(size_of::<Slot>(), 64);
    }
}
