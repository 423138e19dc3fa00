//! What an endpoint of a transport is to its host, whatever the transport.

use lightloom_units::{Instant, Span};

use super::desk::Desk;
use crate::packet::{FlowId, Kind, Packet};

/// What a packet changed that has arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arrived {
    /// Nothing that the host must look at.
    Noted,
    /// When and what the endpoint sends, and its timer.
    Sending,
    /// The same, and it may have connections to be opened.
    Opening,
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
    fn fire(&mut self, now: Instant, desk: &mut Desk<'_>);

    /// Whose a packet is that goes to this endpoint.
    fn owner(&self, kind: Kind, message: u32) -> Option<FlowId>;
}
