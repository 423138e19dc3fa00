//! A queue pair of a reliable connection (RC): two-way, and as long as its connection lives (cepheus:V-C.transport).
//!
//! Each direction exists where messages go that way. With its default of one message the connection is what a
//! message of its own is.

use lightloom_transport::receiver::{Receiver, Reply};
use lightloom_transport::sender::{QueuePairError, Sender};
use lightloom_units::{Instant, Span};

use super::desk::Desk;
use super::transport::{Arrived, Transport};
use crate::packet::{Class, Dest, Ecn, FlowId, Kind, Life, Packet, Psn};
use crate::params::Notices;
use lightloom_transport::messages::Waiter;

/// Where the other end of a connection is, and how its packets travel.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer {
    pub(crate) host: Dest,
    /// The queue pair there.
    pub(crate) qp: u32,
    pub(crate) class: Class,
    pub(crate) entropy: u16,
}

/// A queue pair.
#[derive(Debug)]
pub(crate) struct Rc {
    pub(crate) peer: Peer,
    pub(crate) sender: Option<Box<Sender>>,
    pub(crate) receiver: Option<Box<Receiver>>,
    /// The receiving side where the queue pair is in the error state: nothing reaches it any more.
    closed: Option<Box<Receiver>>,
}

impl Rc {
    /// A queue pair without any message.
    pub(crate) fn new(peer: Peer) -> Self {
        Self { peer, sender: None, receiver: None, closed: None }
    }

    /// Lets another message wait until one that comes in is complete.
    pub(crate) fn hand_on(&mut self, message: u32, to: Waiter) {
        let receiver = self.receiver.as_mut();
        if let Some(message) = receiver.and_then(|half| half.messages.get_mut(message)) {
            message.then.push(to);
        }
    }

    /// What has come in, in the error state too.
    pub(crate) fn incoming(&self) -> Option<&Receiver> {
        self.receiver.as_deref().or(self.closed.as_deref())
    }

    /// Its timer fires: the error where the oldest packet may not be repeated again.
    pub(super) fn silence(&mut self, now: Instant, desk: &Desk<'_>) -> Option<QueuePairError> {
        self.sender.as_mut()?.silence(now, &desk.params.transport)
    }

    /// The queue pair goes to the error state. It sends nothing more, and drops what comes in.
    #[cold]
    fn fail(&mut self, error: QueuePairError) {
        if let Some(sender) = &mut self.sender {
            sender.fail(error);
        }
        self.closed = self.receiver.take();
    }

    #[inline(always)]
    fn data(&mut self, now: Instant, packet: &Packet, desk: &mut Desk<'_>) -> Arrived {
        let Some(receiver) = self.receiver.as_deref_mut() else { return Arrived::Stray };
        let (in_order, reply) = receiver.data(packet.psn, &desk.params.transport);
        let is_complete = in_order > 0 && receiver.deliver(now, in_order, desk);
        let Peer { host, qp, entropy, .. } = self.peer;
        let bytes = desk.params.wire.control;
        let control = |kind, psn, seen, ecn| Packet {
            entropy,
            ecn,
            ..Packet::control((host, qp), kind, (psn, seen), bytes)
        };
        let mut echo = Ecn::Not;
        if packet.ecn == Ecn::Marked
            && let Some(dcqcn) = &desk.params.dcqcn
            && receiver.notified.is_none_or(|last| now >= last + dcqcn.cnp_interval)
            && (dcqcn.notices == Notices::Packets || reply != Reply::Nothing)
        {
            receiver.notified = Some(now);
            desk.notifications += 1;
            match dcqcn.notices {
                Notices::Packets => {
                    let notice = control(Kind::Cnp, packet.psn, packet.psn, Ecn::Not);
                    desk.control.push_back(notice);
                }
                Notices::Answers => echo = Ecn::Marked,
            }
        }
        match reply {
            Reply::Nothing => {}
            Reply::Ack(psn) => desk.control.push_back(control(Kind::Ack, psn, psn, echo)),
            Reply::Nack(psn, seen) => desk.control.push_back(control(Kind::Nack, psn, seen, echo)),
        }
        if is_complete { Arrived::Complete } else { Arrived::Noted }
    }
}

impl Transport for Rc {
    #[inline(always)]
    fn arrive(&mut self, now: Instant, packet: &Packet, desk: &mut Desk<'_>) -> Arrived {
        if packet.kind == Kind::Data {
            return self.data(now, packet, desk);
        }
        let Some(sender) = self.sender.as_deref_mut() else { return Arrived::Stray };
        let transport = &desk.params.transport;
        // Switches mark data only: a mark on an answer is the receiver's notification.
        if (packet.kind == Kind::Cnp || packet.ecn == Ecn::Marked)
            && let Some(dcqcn) = &desk.params.dcqcn
        {
            sender.rate.notified(now, dcqcn);
        }
        match packet.kind {
            Kind::Cnp => {}
            Kind::Nack => sender.missed(now, packet.psn, packet.seen, transport),
            Kind::Ack => sender.acknowledged(now, packet.psn, transport),
            _ => return Arrived::Stray,
        }
        Arrived::Sending
    }

    fn ask(&mut self, message: u32, now: Instant, asked: (Instant, Span), desk: &Desk<'_>) {
        if let Some(sender) = &mut self.sender {
            sender.ask(message, now, asked, &desk.params.transport);
        }
    }

    #[inline]
    fn next(&mut self, desk: &Desk<'_>) -> Option<Instant> {
        let sender = self.sender.as_deref_mut()?;
        sender.has_work(&desk.params.transport).then_some(sender.eligible)
    }

    #[inline(always)]
    fn take(&mut self, now: Instant, desk: &mut Desk<'_>) -> Packet {
        let params = desk.params;
        let wire = &params.wire;
        let sender = self.sender.as_deref_mut().expect("only what sends has a next packet");
        let place = sender.take();
        let (bytes, message, is_first) = sender.goes_out(place, wire.mtu, wire.header);
        if is_first {
            desk.progress = now;
        }
        if !sender.is_waiting_since_before() {
            sender.listen_from(now, &params.transport);
        }
        let on_wire = u32::from(wire.preamble) + u32::from(bytes) + u32::from(wire.gap);
        let gap = match &params.dcqcn {
            Some(dcqcn) => sender.rate.sent(now, on_wire, dcqcn),
            None => desk.pace.time(on_wire),
        };
        sender.may_go_on(now + gap, &params.transport);
        Packet {
            to: self.peer.host,
            qp: self.peer.qp,
            psn: params.transport.psn(place),
            seen: Psn::new(message),
            bytes,
            entropy: self.peer.entropy,
            port: 0,
            kind: Kind::Data,
            ecn: if params.switch.ecn.is_some() { Ecn::Capable } else { Ecn::Not },
            class: self.peer.class,
            life: Life::default(),
        }
    }

    #[inline]
    fn timer(&self) -> Option<Instant> {
        let sender = self.sender.as_deref().filter(|sender| !sender.is_idle())?;
        Some(sender.deadline())
    }

    fn fire(&mut self, now: Instant, desk: &mut Desk<'_>) {
        if let Some(error) = self.silence(now, desk) {
            self.fail(error);
        }
    }

    fn owner(&self, kind: Kind, message: u32) -> Option<FlowId> {
        match kind {
            Kind::Data => Some(self.incoming()?.messages.get(message)?.flow),
            Kind::Pause => None,
            _ => Some(self.sender.as_ref()?.waited_for()?.flow),
        }
    }
}
