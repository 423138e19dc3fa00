//! A member of a reliable group: one queue pair that sends and receives, with the group as its other end
//! (cepheus:III-A.qp, gleam:3.3.qp).
//!
//! All members share one sequence of packets. Who sends next is told by the leader, once all that went before is
//! acknowledged; the queue pair then takes up the sequence where it stands.

mod admission;
mod control;
mod coordinator;
mod leaving;
mod open;
mod registering;
mod relay;
mod renewal;
mod renewing;
mod report;
mod safeguard;
mod silence;
mod tell;
mod watch;

use std::sync::Arc;

use lightloom_setup::params::Params;
use lightloom_topology::electrical::NodeId;
use lightloom_transport::dcqcn::Rate;
use lightloom_transport::messages::Waiter;
use lightloom_transport::outgoing::Outgoing;
use lightloom_transport::receiver::{Incoming, Receiver};
use lightloom_transport::sender::Sender;
use lightloom_units::{BitRate, Instant};

use super::applicant::{Applicant, Applications};
use super::desk::Desk;
use super::rc::{Peer, Rc};
use super::tell::control;
use super::transport::{Arrived, Checked, Event, Handed, Transport};
use crate::claims::{Claim, MemberNotes};
use crate::outcome::{Outcome, Waiting};
use crate::packet::{Dest, Ecn, FlowId, GroupId, Kind, Packet, Psn};
use crate::schedule::{Run, Schedule};
use coordinator::Coordinator;
use renewal::Renewal;
use watch::{Silence, Watch};

/// The endpoint of a reliable group at a host. It shares no cache line with others, so that all lie alike.
#[derive(Debug)]
#[repr(align(64))]
pub(crate) struct Member {
    rc: Rc,
    host: NodeId,
    /// The group, as a destination.
    group: Dest,
    schedule: Arc<Schedule>,
    /// The places among all messages to the group of those that this host sends.
    own: Vec<u32>,
    /// When its queue pair has taken up the sequence of the run.
    resumes: Instant,
    /// The run that this host sends now.
    sends: Option<u32>,
    /// The runs up to this one are over, where this host has sent any.
    ended: Option<u32>,
    rate: Rate,
    /// The rate of the slowest port on the tree.
    slowest: BitRate,
    /// What data carry before all members were ever registered anew.
    entropy: u16,
    /// Timeouts since something was acknowledged.
    silence: Silence,
    /// What is done where the group makes no progress.
    watch: Watch,
    /// Where the leader is, and its endpoint.
    leader: (Dest, u32),
    /// Answers that came in for what it sent.
    answers: Answers,
    /// What the leader does beside; none at all others.
    coordinator: Option<Box<Coordinator>>,
    /// Where its messages must be admitted.
    applicant: Option<Box<Applicant>>,
    /// What it had when, where answers are checked.
    notes: Option<Box<MemberNotes>>,
}

/// Answers that a sender got.
#[derive(Debug, Clone, Copy, Default)]
struct Answers {
    acks: u64,
    nacks: u64,
    notifications: u64,
}

impl Member {
    /// The endpoint of a host whose line rate is that of `rate`.
    fn new(
        host: NodeId,
        peer: Peer,
        schedule: Arc<Schedule>,
        (leader, rate, slowest): ((Dest, u32), Rate, BitRate),
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
                    let message = Outgoing::new(cast.flow, cast.bytes, mtu, cast.extra)
                        .announced(cast.announced, mtu)
                        .from(cast.first)
                        .waits_for(cast.missing, cast.start);
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
            resumes: Instant::ZERO,
            sends: None,
            ended: None,
            rate,
            slowest,
            entropy: peer.entropy,
            silence: Silence::default(),
            watch: Watch::default(),
            leader,
            answers: Answers::default(),
            coordinator: None,
            applicant: None,
            notes: None,
        }
    }

    /// This host sends a run now. Its queue pair is brought to the place of the sequence, which takes a time
    /// (cepheus:III-E.psn, gleam:B.psn).
    fn begin(&mut self, number: u32, now: Instant, desk: &mut Desk<'_>) {
        let Some(run) = self.schedule.runs.get(number as usize) else { return };
        let Some(sender) = &mut self.rc.sender else { return };
        if self.sends.is_some() || self.ended >= Some(number) {
            return;
        }
        sender.synchronise(run.first);
        (self.rc.peer.host, self.rc.peer.qp) = (self.group, self.host.0);
        self.sends = Some(number);
        self.resumes = now + desk.params.groups.synchronisation;
        let casts = run.casts.clone();
        self.request_all(casts, now, desk);
        self.watch_from(now, desk);
        self.apply(now, desk);
    }

    /// Where all of a run is acknowledged, the leader is told, and the receiving side takes up the sequence
    /// after it (cepheus:III-E.psn, gleam:B.psn).
    fn end(&mut self, now: Instant, desk: &mut Desk<'_>) {
        self.look_over(now, desk);
        let Some(number) = self.sends else { return };
        let end = self.schedule.runs.get(number as usize).map_or(0, |run| run.end);
        let is_sent = self.rc.sender.as_ref().is_none_or(|sender| sender.acked() >= end);
        if !(is_sent || self.watch.is_all) || self.watch.open > 0 {
            return;
        }
        if let Some(receiver) = &mut self.rc.receiver {
            receiver.synchronise(end);
        }
        self.over(number, now, desk);
    }

    /// This host sends nothing more of a run, and tells the leader.
    fn over(&mut self, number: u32, now: Instant, desk: &mut Desk<'_>) {
        (self.sends, self.ended) = (None, Some(number));
        self.watch = Watch::default();
        if let Some(applicant) = &mut self.applicant {
            applicant.withdraw(now, desk);
        }
        if self.leader.0 == Dest::host(desk.host) {
            self.ended((number, self.is_in_error()), now, desk);
        } else {
            self.tell_end(number, desk);
        }
    }

    /// Tells the leader that a run is over, and whether by an error.
    fn tell_end(&self, number: u32, desk: &mut Desk<'_>) {
        let about = Psn::new(desk.host.0);
        let packet = control(self.leader, Kind::Done, number, desk);
        let entropy = u16::from(self.is_in_error());
        desk.control.push_back(Packet { psn: about, entropy, ..packet });
    }

    /// Whether its queue pair is in the error state.
    fn is_in_error(&self) -> bool {
        self.rc.sender.as_ref().is_some_and(|sender| sender.error().is_some())
    }

    /// A run is over: the leader goes on with the next. By an error of the sender's queue pair all runs are over.
    fn ended(&mut self, (number, by_error): (u32, bool), now: Instant, desk: &mut Desk<'_>) {
        if let Some(coordinator) = &mut self.coordinator {
            if by_error {
                coordinator.broke(number, now, desk);
            } else {
                coordinator.ended(number, now, desk);
            }
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
                // The mark of an answer is one too.
                self.answers.notifications += u64::from(packet.ecn == Ecn::Marked);
                let arrived = self.rc.arrive(now, packet, desk);
                self.end(now, desk);
                arrived
            }
            _ => self.control(now, packet, desk),
        }
    }

    /// The next packet that this host may lack is the first of a run.
    fn take_up(&mut self, run: u32) {
        let first = self.schedule.runs.get(run as usize).map_or(0, |run| run.first);
        if let Some(receiver) = &mut self.rc.receiver {
            receiver.synchronise(first);
        }
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

    #[inline]
    fn next(&mut self, desk: &Desk<'_>) -> Option<Instant> {
        self.rc.next(desk)
    }

    #[inline]
    fn take(&mut self, now: Instant, desk: &mut Desk<'_>) -> Packet {
        let packet = self.rc.take(now, desk);
        self.keep_pace(now, &packet, desk);
        let place = self.own.get(packet.seen.get() as usize).copied().unwrap_or(0);
        Packet { seen: Psn::new(place), ..packet }
    }

    fn timer(&self) -> Option<Instant> {
        let own = self.coordinator.as_ref().and_then(|coordinator| coordinator.deadline());
        let own = own.into_iter().chain(self.rc.timer()).chain(self.watch.deadline());
        own.chain(self.applicant.as_ref().and_then(|applicant| applicant.deadline())).min()
    }

    fn fire(&mut self, now: Instant, desk: &mut Desk<'_>) {
        let (acked, timeouts) = self.under_way();
        if self.rc.timer().is_some_and(|at| at <= now)
            && let Some(error) = self.rc.silence(now, desk)
        {
            self.exhausted(error, now, desk);
        }
        if self.under_way().1 > timeouts && self.silence.is_long(acked) {
            self.say_silence(acked, now, desk);
        }
        if let Some(coordinator) = &mut self.coordinator {
            coordinator.fire(now, desk.params.transport.psn(acked), desk);
        }
        self.apply(now, desk);
        self.look(now, desk);
        self.end(now, desk);
        self.take_turn(now, desk);
    }

    fn handed(&mut self, message: u32, now: Instant, desk: &mut Desk<'_>) -> Handed {
        self.has_come(message, now, desk);
        Handed::Opening
    }

    fn reached(&mut self, has_all: bool, now: Instant, desk: &mut Desk<'_>) {
        self.has_reached(has_all, now, desk);
    }

    fn completed(&self) -> usize {
        self.rc.completed()
    }

    fn owner(&self, kind: Kind, message: u32) -> Option<FlowId> {
        let cast = self.schedule.casts.get(message as usize).map(|cast| cast.flow);
        cast.filter(|_| kind == Kind::Data)
    }

    fn group(&self) -> Option<GroupId> {
        self.group.as_group()
    }

    fn sends(&self, message: FlowId) -> Option<u32> {
        let messages = &self.rc.sender.as_ref()?.messages;
        u32::try_from(messages.iter().position(|sent| sent.flow == message)?).ok()
    }

    fn receives(&self, message: FlowId) -> Option<u32> {
        let messages = &self.rc.receiver.as_ref()?.messages;
        u32::try_from(messages.iter().position(|came| came.flow == message)?).ok()
    }

    fn then(&mut self, event: Event, waiter: Waiter) -> bool {
        self.rc.then(event, waiter)
    }

    fn apply_for(&mut self, applications: &mut Applications<'_>) -> bool {
        self.apply_for_own(applications);
        true
    }

    fn check_answers(&mut self) {
        self.notes = Some(Box::default());
    }

    fn checked(&self) -> Option<Checked<'_>> {
        let (group, notes) = (self.group.as_group()?, self.notes.as_deref()?);
        Some(Checked { group, notes, runs: &self.schedule.runs })
    }

    fn report(&self, host: NodeId, params: &Params, outcome: &mut Outcome) {
        self.report_all(host, params, outcome);
    }

    fn waiting(&self, params: &Params, to: &mut Vec<Waiting>) {
        to.extend(self.coordinator.as_ref().and_then(|leader| leader.open()));
        self.rc.waiting(params, to);
    }
}
