//! A member of a reliable group: one queue pair that sends and receives, with the group as its other end
//! (Cepheus, HPCA 2024, sections III-A and III-E).
//!
//! All members share one sequence of packets. Who sends next is told by the leader, once all that went before is
//! acknowledged; the queue pair then takes up the sequence where it stands.

mod coordinator;
mod leaving;
mod renewal;
mod renewing;
mod safeguard;
mod tell;
mod watch;

use std::sync::Arc;

use lightloom_topology::electrical::NodeId;
use lightloom_units::{Instant, Span};

use super::desk::Desk;
use super::rc::{Peer, Rc};
use super::tell::control;
use super::transport::{Arrived, Transport};
use crate::claims::{Claim, MemberNotes};
use crate::packet::{Dest, FlowId, Kind, Packet, Psn};
use crate::params::{Params, RETH, Recovery};
use crate::schedule::{Run, Schedule};
pub(crate) use coordinator::Coordinator;
use lightloom_transport::dcqcn::Rate;
use lightloom_transport::outgoing::Outgoing;
use lightloom_transport::receiver::{Incoming, Receiver};
use lightloom_transport::sender::Sender;
pub(crate) use renewal::Renewal;
use tell::tell;
use watch::{Silence, Watch};

/// The endpoint of a reliable group at a host.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) rc: Rc,
    host: NodeId,
    /// The group, as a destination.
    pub(crate) group: Dest,
    schedule: Arc<Schedule>,
    /// The places among all messages to the group of those that this host sends.
    own: Vec<u32>,
    /// The run that this host sends now.
    sends: Option<u32>,
    /// The runs up to this one are over, where this host has sent any.
    ended: Option<u32>,
    rate: Rate,
    /// What data carry before all members were ever registered anew.
    entropy: u16,
    /// Timeouts since something was acknowledged.
    silence: Silence,
    /// What is done where the group makes no progress.
    pub(super) watch: Watch,
    /// Where the leader is, and its endpoint.
    leader: (Dest, u32),
    /// Answers that came in for what it sent.
    pub(crate) answers: Answers,
    /// What the leader does beside; none at all others.
    pub(crate) coordinator: Option<Box<Coordinator>>,
    /// What it had when, where answers are checked.
    pub(crate) notes: Option<Box<MemberNotes>>,
}

/// Answers that a sender got.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Answers {
    pub(crate) acks: u64,
    pub(crate) nacks: u64,
    pub(crate) notifications: u64,
}

impl Member {
    /// The endpoint of a host whose line rate is that of `rate`.
    pub(crate) fn new(
        host: NodeId,
        peer: Peer,
        schedule: Arc<Schedule>,
        (leader, rate): ((Dest, u32), Rate),
        params: &Params,
    ) -> Self {
        let mut rc = Rc::new(peer);
        let mtu = params.wire.mtu;
        let mut own = Vec::new();
        let is_member = |run: &&Run| run.members.contains(&host);
        for run in schedule.runs.iter().filter(is_member) {
            for (place, cast) in schedule.casts(run) {
                if run.source == host {
                    own.push(place);
                    let message = Outgoing::new(cast.flow, cast.bytes, mtu, RETH)
                        .announced(cast.announced, mtu)
                        .from(cast.first);
                    match &mut rc.sender {
                        Some(sender) => sender.append(message),
                        none => {
                            let sender = Sender::new(message, rate.clone(), &params.transport);
                            *none = Some(Box::new(sender));
                        }
                    }
                } else {
                    let message = Incoming::new(cast.flow, cast.bytes, mtu)
                        .announced(cast.announced, mtu)
                        .from(cast.first);
                    match &mut rc.receiver {
                        Some(receiver) => receiver.append(message),
                        none => *none = Some(Box::new(Receiver::new(message))),
                    }
                }
            }
        }
        Self {
            host,
            group: peer.host,
            rc,
            schedule,
            own,
            sends: None,
            ended: None,
            rate,
            entropy: peer.entropy,
            silence: Silence::default(),
            watch: Watch::default(),
            leader,
            answers: Answers::default(),
            coordinator: None,
            notes: None,
        }
    }

    /// The runs of messages of its group.
    pub(crate) fn runs(&self) -> &[Run] {
        &self.schedule.runs
    }

    /// This host sends a run now. Its queue pair is brought to the place of the sequence, which takes a time.
    fn begin(&mut self, number: u32, now: Instant, desk: &Desk<'_>) {
        let Some(run) = self.schedule.runs.get(number as usize) else { return };
        let Some(sender) = &mut self.rc.sender else { return };
        if self.sends.is_some() || self.ended >= Some(number) {
            return;
        }
        sender.synchronise(run.first);
        (self.rc.peer.host, self.rc.peer.qp) = (self.group, self.host.0);
        self.sends = Some(number);
        let (stack, resumes) = (desk.params.stack.send, now + desk.params.groups.synchronisation);
        for (place, cast) in self.schedule.casts(run) {
            let Ok(message) = self.own.binary_search(&place) else { continue };
            let message = u32::try_from(message).unwrap_or(u32::MAX);
            let ready = (cast.start + stack).max(resumes);
            let asked = (cast.start, ready - cast.start);
            sender.ask(message, now, asked, &desk.params.transport);
        }
        self.watch_from(now, desk);
    }

    /// Where all of a run is acknowledged, the leader is told, and the receiving side takes up the sequence
    /// after it.
    fn end(&mut self, now: Instant, desk: &mut Desk<'_>) {
        let Some(number) = self.sends else { return };
        let end = self.schedule.runs.get(number as usize).map_or(0, |run| run.end);
        let is_sent = self.rc.sender.as_ref().is_none_or(|sender| sender.acked() >= end);
        if !(is_sent || self.watch.is_all) || self.watch.open > 0 {
            return;
        }
        (self.sends, self.ended) = (None, Some(number));
        self.watch = Watch::default();
        if let Some(receiver) = &mut self.rc.receiver {
            receiver.synchronise(end);
        }
        if self.leader.0 == Dest::host(desk.host) {
            self.ended(number, now, desk);
        } else {
            tell(self.leader, Kind::Done, (Psn::new(desk.host.0), number), desk);
        }
    }

    /// A run is over: the leader goes on with the next.
    fn ended(&mut self, number: u32, now: Instant, desk: &mut Desk<'_>) {
        if let Some(coordinator) = &mut self.coordinator {
            coordinator.ended(number, now, desk);
        }
        self.take_turn(now, desk);
    }

    /// Begins the run that the leader gives to its own host.
    fn take_turn(&mut self, now: Instant, desk: &mut Desk<'_>) {
        let own = self.coordinator.as_mut().and_then(|leader| leader.own_turn());
        if let Some((number, falls_back, again)) = own {
            self.begin(number, now, desk);
            self.mark(again, now, desk);
            self.fall_back_if(falls_back, now);
        }
    }

    /// All members were registered so often anew: data say so from now on, and what was lost meanwhile is repeated.
    fn mark(&mut self, again: u16, now: Instant, desk: &Desk<'_>) {
        let mark = self.entropy.wrapping_add(again);
        let was = std::mem::replace(&mut self.rc.peer.entropy, mark);
        let transport = &desk.params.transport;
        if let Some(sender) = &mut self.rc.sender
            && was != mark
            && transport.recovery == Recovery::GoBackN
        {
            let acked = transport.psn(sender.acked());
            sender.missed(now, acked, acked, transport);
        }
    }

    /// The first packet that this host has sent and nobody acknowledged, and the timeouts of its message.
    fn under_way(&self) -> (u64, u64) {
        let sender = self.rc.sender.as_deref();
        let waits = sender.and_then(|sender| sender.waited_for());
        (sender.map_or(0, |sender| sender.acked()), waits.map_or(0, |message| message.timeouts))
    }

    /// Timeouts without any progress: a switch may have lost its tables, so the leader is to register all anew.
    fn say_silence(&mut self, acked: u64, now: Instant, desk: &mut Desk<'_>) {
        if self.sends.is_none() || desk.params.groups.safeguard.is_some() {
            return;
        }
        match &mut self.coordinator {
            Some(leader) => leader.renew(now, desk.params.transport.psn(acked), desk),
            None => self.say_acked(self.leader, desk),
        }
    }

    /// Tells the leader what is acknowledged of the run that this host sends.
    fn say_acked(&self, to: (Dest, u32), desk: &mut Desk<'_>) {
        let Some([low, high, ..]) = self.sends.map(u32::to_le_bytes) else { return };
        let acked = desk.params.transport.psn(self.under_way().0);
        let packet = Packet { psn: acked, ..control(to, Kind::Have, desk.host.0, desk) };
        desk.control.push_back(Packet { entropy: u16::from_le_bytes([low, high]), ..packet });
    }

    #[inline]
    fn take_in(&mut self, now: Instant, packet: &Packet, desk: &mut Desk<'_>) -> Arrived {
        match packet.kind {
            Kind::Data => self.rc.arrive(now, packet, desk),
            Kind::Ack | Kind::Nack | Kind::Cnp => {
                match packet.kind {
                    Kind::Ack => self.answers.acks += 1,
                    Kind::Nack => self.answers.nacks += 1,
                    _ => self.answers.notifications += 1,
                }
                let arrived = self.rc.arrive(now, packet, desk);
                self.end(now, desk);
                arrived
            }
            _ => self.told(now, packet, desk),
        }
    }

    /// The next packet that this host may lack is the first of a run.
    fn take_up(&mut self, run: u32) {
        let first = self.schedule.runs.get(run as usize).map_or(0, |run| run.first);
        if let Some(receiver) = &mut self.rc.receiver {
            receiver.synchronise(first);
        }
    }

    /// A packet that is no data and no feedback.
    fn told(&mut self, now: Instant, packet: &Packet, desk: &mut Desk<'_>) -> Arrived {
        let (number, again) = (packet.seen.get(), packet.entropy);
        match packet.kind {
            Kind::Register => {
                self.take_up(number);
                (self.rc.peer.host, self.rc.peer.qp) = (self.group, desk.host.0);
                let packet = control(self.leader, Kind::Confirm, number, desk);
                desk.control.push_back(Packet { entropy: again, ..packet });
            }
            Kind::Go => {
                if self.ended >= Some(number) {
                    // The leader has not heard so.
                    tell(self.leader, Kind::Done, (Psn::new(desk.host.0), number), desk);
                } else {
                    self.begin(number, now, desk);
                    self.mark(again >> 1, now, desk);
                    self.fall_back_if(again & 1 > 0, now);
                }
            }
            Kind::Done => self.ended(number, now, desk),
            Kind::Ask if again > 0 => match self.ended {
                Some(run) if self.sends.is_none() => {
                    // The leader has not heard so.
                    tell(self.leader, Kind::Done, (Psn::new(desk.host.0), run), desk);
                }
                _ => self.say_acked(self.leader, desk),
            },
            Kind::Ask | Kind::Detach => {
                let mut asker = (Dest::host(NodeId(packet.psn.get())), number);
                if packet.kind == Kind::Detach {
                    // It names its run, which names its sender.
                    let run = packet.psn.get();
                    let Some(source) = self.schedule.runs.get(run as usize).map(|run| run.source)
                    else {
                        return Arrived::Stray;
                    };
                    self.take_up(run);
                    asker.0 = Dest::host(source);
                    (self.rc.peer.host, self.rc.peer.qp) = asker;
                }
                let expected = self.rc.receiver.as_ref().map_or(0, |half| half.expected());
                let has = desk.params.transport.psn(expected);
                tell(asker, Kind::Have, (has, desk.host.0), desk);
            }
            Kind::Have => {
                let (host, psn) = (NodeId(number), packet.psn);
                let mut leader = self.coordinator.as_mut();
                let is_source = leader
                    .as_mut()
                    .is_some_and(|own| own.source_has((host, again), psn, now, desk));
                if !is_source {
                    self.has(host, psn, now, desk);
                }
            }
            Kind::Confirm | Kind::Refuse | Kind::Leave => {
                if let Some(coordinator) = &mut self.coordinator {
                    coordinator.answered(packet, now, desk);
                }
                self.hear_of_leaving(packet, now, desk);
                self.take_turn(now, desk);
            }
            _ => return Arrived::Stray,
        }
        desk.progress = now;
        Arrived::Opening
    }
}

/// Notes what a packet that has arrived changed, or what it claims.
#[cold]
fn note(notes: &mut MemberNotes, rc: &Rc, (now, packet): (Instant, &Packet), params: &Params) {
    if matches!(packet.kind, Kind::Ack | Kind::Nack) {
        notes.heard(Claim::of(now, packet));
    }
    let Some(receiver) = &rc.receiver else { return };
    let ahead = packet.psn.after(params.transport.psn(receiver.expected()));
    if packet.kind == Kind::Data && receiver.keeps(ahead) {
        notes.has(receiver.expected().saturating_add_signed(ahead), now);
    }
    notes.has_all_before(receiver.expected(), now);
}

impl Transport for Member {
    #[inline]
    fn arrive(&mut self, now: Instant, packet: &Packet, desk: &mut Desk<'_>) -> Arrived {
        let arrived = self.take_in(now, packet, desk);
        if let Some(notes) = &mut self.notes {
            note(notes, &self.rc, (now, packet), desk.params);
        }
        arrived
    }

    /// Messages are asked for when their run begins.
    fn ask(&mut self, _: u32, _: Instant, _: (Instant, Span), _: &Desk<'_>) {}

    #[inline]
    fn next(&mut self, desk: &Desk<'_>) -> Option<Instant> {
        self.rc.next(desk)
    }

    #[inline]
    fn take(&mut self, now: Instant, desk: &mut Desk<'_>) -> Packet {
        let packet = self.rc.take(now, desk);
        let place = self.own.get(packet.seen.get() as usize).copied().unwrap_or(0);
        Packet { seen: Psn::new(place), ..packet }
    }

    fn timer(&self) -> Option<Instant> {
        let own = self.coordinator.as_ref().and_then(|coordinator| coordinator.deadline());
        own.into_iter().chain(self.rc.timer()).chain(self.watch.deadline()).min()
    }

    fn fire(&mut self, now: Instant, desk: &mut Desk<'_>) {
        let (acked, timeouts) = self.under_way();
        if self.rc.timer().is_some_and(|at| at <= now) {
            self.rc.fire(now, desk);
        }
        if self.under_way().1 > timeouts && self.silence.is_long(acked) {
            self.say_silence(acked, now, desk);
        }
        if let Some(coordinator) = &mut self.coordinator {
            coordinator.fire(now, desk.params.transport.psn(acked), desk);
        }
        self.look(now, desk);
        self.end(now, desk);
        self.take_turn(now, desk);
    }

    fn owner(&self, kind: Kind, message: u32) -> Option<FlowId> {
        let cast = self.schedule.casts.get(message as usize).map(|cast| cast.flow);
        cast.filter(|_| kind == Kind::Data)
    }
}
