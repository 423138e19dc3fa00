//! What an endpoint of a transport is to all others: its host, who builds it, and who gathers what came of it.

use lightloom_setup::params::Params;
use lightloom_topology::electrical::NodeId;
use lightloom_transport::messages::Waiter;
use lightloom_units::{Instant, Span};

use super::applicant::Applications;
use super::desk::Desk;
use crate::claims::MemberNotes;
use crate::outcome::{Outcome, Waiting};
use crate::packet::{Class, FlowId, GroupId, Kind, Packet};
use crate::schedule::Run;
use crate::simulation::Simulation;

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

/// What changes where a message is there that another waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Handed {
    /// Nothing: it waits for more.
    Noted,
    /// The application asks for the waiting message, not before this time. The number is its payload in bytes.
    Ask(Instant, u64),
    /// When and what the endpoint sends, its timer, and it may have connections to be opened.
    Opening,
}

/// What a message can wait for, by the place of another message or a computation among those of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    /// A message that comes in is complete.
    Arrived(u32),
    /// A message that goes out is acknowledged.
    Acknowledged(u32),
    /// A computation has begun.
    Begun(u32),
    /// A computation has ended.
    Computed(u32),
}

/// What an endpoint noted for the check of answers.
pub(crate) struct Checked<'a> {
    pub(crate) group: GroupId,
    pub(crate) notes: &'a MemberNotes,
    /// The runs of messages of the group.
    pub(crate) runs: &'a [Run],
}

/// A place where packets arrive and from which they are sent: all state of one end of a transport, without any
/// input or output. Handlers take the time and say what to do.
///
/// The first part is asked for every packet. What follows is asked a few times in a run, or once, and has an answer
/// for transports that have no such thing.
pub(crate) trait Transport {
    /// A packet has arrived.
    fn arrive(&mut self, now: Instant, packet: &Packet, desk: &mut Desk<'_>) -> Arrived;

    /// When the next packet may go out; none where there is nothing to send.
    fn next(&mut self, desk: &Desk<'_>) -> Option<Instant>;

    /// Takes the next packet out.
    fn take(&mut self, now: Instant, desk: &mut Desk<'_>) -> Packet;

    /// The time of its timer; none where it waits for nothing.
    fn timer(&self) -> Option<Instant>;

    /// Its timer fires.
    fn fire(&mut self, now: Instant, desk: &mut Desk<'_>);

    /// The application asks, now or at a later time, for a message by its place among those of this endpoint;
    /// the software takes a time before the first packet. Default: the endpoint asks for its messages by itself.
    fn ask(&mut self, _message: u32, _now: Instant, _asked: (Instant, Span), _desk: &Desk<'_>) {}

    /// One of the messages is there that a message of this endpoint waits for.
    fn handed(&mut self, _message: u32, _now: Instant, _desk: &mut Desk<'_>) -> Handed {
        Handed::Noted
    }

    /// A connection is over that this endpoint had opened, and its member has all or was cut off.
    fn reached(&mut self, _has_all: bool, _now: Instant, _desk: &mut Desk<'_>) {}

    /// Messages that its application has.
    fn completed(&self) -> usize {
        0
    }

    /// Whose a packet is that goes to this endpoint.
    fn owner(&self, kind: Kind, message: u32) -> Option<FlowId>;

    /// The group that it sends to or receives from.
    fn group(&self) -> Option<GroupId> {
        None
    }

    /// Its number among the endpoints of its host.
    fn numbered(&mut self, _number: u32) {}

    /// The place of a message among those that it sends.
    fn sends(&self, _message: FlowId) -> Option<u32> {
        None
    }

    /// The place of a message among those that it receives.
    fn receives(&self, _message: FlowId) -> Option<u32> {
        None
    }

    /// Lets a message of the host wait for an event; false where the endpoint never hears of it.
    fn then(&mut self, _event: Event, _waiter: Waiter) -> bool {
        false
    }

    /// Has its messages admitted that must be; whether it has any.
    fn apply_for(&mut self, _applications: &mut Applications<'_>) -> bool {
        false
    }

    /// Notes from now on what answers claim and what it has.
    fn check_answers(&mut self) {}

    /// What it noted, where answers are checked.
    fn checked(&self) -> Option<Checked<'_>> {
        None
    }

    /// What came of its messages when a run ends.
    fn report(&self, host: NodeId, params: &Params, outcome: &mut Outcome);

    /// What its messages wait for where a run stands still.
    fn waiting(&self, _params: &Params, _to: &mut Vec<Waiting>) {}
}

/// How the endpoints of a transport come to be.
pub(crate) trait Open: Transport + Sized {
    /// What its endpoints open while a run goes on; itself where they open nothing.
    type Opens;

    /// Opens the endpoints of all its messages before a run.
    fn open(simulation: &Simulation<'_>, hosts: &mut impl Hosts<Self>);

    /// What an endpoint is about to open; taken out of it.
    fn opens(&mut self) -> Vec<Self::Opens> {
        Vec::new()
    }
}

/// Where a flow is: the endpoint and the message at each end. Both are one of a computation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placed {
    pub(crate) from: Waiter,
    pub(crate) to: Waiter,
}

/// All hosts, as a transport sees them that opens its endpoints.
pub(crate) trait Hosts<T> {
    /// Opens an endpoint at a host whose data are of this class; its number there.
    fn open(&mut self, at: NodeId, endpoint: T, class: Class) -> u32;

    /// The number of the endpoint that is opened next at a host.
    fn next(&self, at: NodeId) -> u32;

    /// The endpoint of a number at a host.
    ///
    /// # Panics
    /// If it is none of this transport.
    fn endpoint(&mut self, at: NodeId, number: u32) -> &mut T;

    /// The application of a host asks an endpoint for a message. `asked` is the time, and the payload in bytes.
    fn ask(&mut self, at: NodeId, of: Waiter, asked: (Instant, u64));

    /// The endpoint at a host that packets to a group go to.
    fn listens(&self, at: NodeId, group: GroupId) -> Option<u32>;

    /// Packets to a group go to this endpoint at a host.
    fn listen(&mut self, at: NodeId, group: GroupId, number: u32);

    /// Notes where a flow or a computation is, for what waits for it.
    fn place(&mut self, flow: FlowId, placed: Placed);

    /// Lets each endpoint of any transport have its messages admitted.
    fn apply_for(&mut self, applications: &mut Applications<'_>);
}
