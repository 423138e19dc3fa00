//! What an endpoint of a transport is to its host, whatever the transport.

use lightloom_units::{Instant, Span};

use super::datagram::Datagrams;
use super::desk::Desk;
use super::rc::Rc;
use crate::packet::{Class, FlowId, Kind, Packet};

/// What a packet changed that has arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arrived {
    /// Nothing that the host must look at.
    Noted,
    /// When and what the endpoint sends, and its timer.
    Sending,
    /// A message is complete: others may wait for it.
    Complete,
    /// The endpoint does not expect the packet.
    Stray,
}

/// A place where packets arrive and from which they are sent: all state of one end of a transport, without any
/// input or output. Handlers take the time and say what to do.
pub(crate) trait Transport {
    /// A packet has arrived.
    fn arrive(&mut self, now: Instant, packet: &Packet, desk: &mut Desk<'_>) -> Arrived;

    /// The application asks, now or at a later time, for a message by its place among those of this endpoint;
    /// the software takes a time before the first packet.
    fn ask(&mut self, message: u32, now: Instant, asked: (Instant, Span), desk: &Desk<'_>);

    /// When the next packet may go out; none where there is nothing to send.
    fn next(&mut self, desk: &Desk<'_>) -> Option<Instant>;

    /// Takes the next packet out.
    fn take(&mut self, now: Instant, desk: &mut Desk<'_>) -> Packet;

    /// The time of its timer; none where it waits for nothing.
    fn timer(&self) -> Option<Instant>;

    /// Its timer fires.
    fn fire(&mut self, now: Instant, desk: &Desk<'_>);

    /// Whose a packet is that goes to this endpoint.
    fn owner(&self, kind: Kind, message: u32) -> Option<FlowId>;
}

/// An endpoint of any transport.
#[derive(Debug)]
pub(crate) enum Endpoint {
    /// Of a reliable connection.
    Rc(Rc),
    /// Of datagrams.
    Datagrams(Box<Datagrams>),
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
        }
    };
}

impl Transport for Endpoint {
    #[inline]
    fn arrive(&mut self, now: Instant, packet: &Packet, desk: &mut Desk<'_>) -> Arrived {
        each!(self, inner => inner.arrive(now, packet, desk))
    }

    fn ask(&mut self, message: u32, now: Instant, asked: (Instant, Span), desk: &Desk<'_>) {
        each!(self, inner => inner.ask(message, now, asked, desk))
    }

    #[inline]
    fn next(&mut self, desk: &Desk<'_>) -> Option<Instant> {
        each!(self, inner => inner.next(desk))
    }

    #[inline]
    fn take(&mut self, now: Instant, desk: &mut Desk<'_>) -> Packet {
        each!(self, inner => inner.take(now, desk))
    }

    #[inline]
    fn timer(&self) -> Option<Instant> {
        each!(self, inner => inner.timer())
    }

    fn fire(&mut self, now: Instant, desk: &Desk<'_>) {
        each!(self, inner => inner.fire(now, desk))
    }

    fn owner(&self, kind: Kind, message: u32) -> Option<FlowId> {
        each!(self, inner => inner.owner(kind, message))
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
