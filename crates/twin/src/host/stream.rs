//! What a sender sends to one member of a reliable group that the group does not reach: the rest of its messages,
//! over a connection of their own (cepheus:V-D.throughput, for the members that are behind a fault).
//!
//! The member says what it has. Packets keep their places in the sequence of the group, so it takes them for those of
//! the group.

use std::sync::Arc;

use lightloom_setup::params::Params;
use lightloom_topology::electrical::NodeId;
use lightloom_transport::dcqcn::Rate;
use lightloom_transport::outgoing::Outgoing;
use lightloom_transport::sender::{QueuePairError, Sender};
use lightloom_units::Instant;

use super::desk::Desk;
use super::rc::{Peer, Rc};
use super::tell::control;
use super::transport::{Arrived, Hosts, Open, Transport};
use crate::outcome::{Outcome, Waiting};
use crate::packet::{Dest, FlowId, GroupId, Kind, Packet, Psn};
use crate::schedule::{Run, Schedule};
use crate::simulation::Simulation;

/// The connection to one member.
#[derive(Debug)]
pub(crate) struct Stream {
    rc: Rc,
    /// The group, as a destination.
    group: Dest,
    schedule: Arc<Schedule>,
    run: u32,
    /// The place among all messages to the group of the first that is sent here.
    first: u32,
    /// Its own number among the endpoints of the host.
    number: u32,
    /// The endpoint of the group at this host, which is told when all is sent.
    owner: u32,
    rate: Rate,
    stage: Stage,
}

/// How far it has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The member is asked what it has, for the so manyth time, and again at this time.
    Asks(u32, Instant),
    Sends,
    Over,
    /// The member does not answer, or answers no more.
    CutOff,
}

impl Stream {
    /// To the member of a group at `peer`, for the rest of a run.
    pub(crate) fn new(
        (group, peer): (Dest, Peer),
        (schedule, run): (Arc<Schedule>, u32),
        owner: u32,
        (rate, now): (Rate, Instant),
    ) -> Self {
        let stage = Stage::Asks(0, now);
        Self { rc: Rc::new(peer), group, schedule, run, first: 0, number: 0, owner, rate, stage }
    }

    /// Whether the member never answered, or no more.
    fn is_cut_off(&self) -> bool {
        self.stage == Stage::CutOff
    }

    /// Why its queue pair is in the error state; none where it is not.
    fn error(&self) -> Option<QueuePairError> {
        self.rc.sender.as_ref()?.error()
    }

    fn run(&self) -> Option<&Run> {
        self.schedule.runs.get(self.run as usize)
    }

    /// The member has everything before a packet: the rest is sent.
    fn begin(&mut self, has: Psn, now: Instant, desk: &mut Desk<'_>) {
        let transport = &desk.params.transport;
        let Some(run) = self.schedule.runs.get(self.run as usize) else { return };
        let ahead = has.after(transport.psn(run.first));
        let has = run.first.saturating_add_signed(ahead.max(0));
        self.stage = Stage::Sends;
        for (place, cast) in self.schedule.casts(run) {
            let mtu = desk.params.wire.mtu;
            let message = Outgoing::new(cast.flow, cast.bytes, mtu, cast.extra);
            let message = message.announced(cast.announced, mtu).from(cast.first);
            if message.end() <= has {
                continue;
            }
            match &mut self.rc.sender {
                Some(sender) => sender.append(message),
                none => {
                    let mut sender = Sender::new(message, self.rate.clone(), transport);
                    sender.synchronise(has);
                    self.first = place;
                    *none = Some(Box::new(sender));
                }
            }
        }
        let Some(sender) = &mut self.rc.sender else {
            self.finish(desk);
            return;
        };
        for (message, (_, cast)) in
            (0..).zip(self.schedule.casts(run).skip((self.first - run.casts.start) as usize))
        {
            let ready = cast.start.max(now);
            sender.ask(message, now, (cast.start, ready - cast.start), transport);
        }
    }

    fn finish(&mut self, desk: &mut Desk<'_>) {
        self.stage = Stage::Over;
        desk.reached.push((self.owner, true));
    }
}

impl Transport for Stream {
    fn arrive(&mut self, now: Instant, packet: &Packet, desk: &mut Desk<'_>) -> Arrived {
        match packet.kind {
            Kind::Have => {
                if matches!(self.stage, Stage::Asks(..)) {
                    self.begin(packet.psn, now, desk);
                }
            }
            _ => {
                let arrived = self.rc.arrive(now, packet, desk);
                let end = self.run().map_or(0, |run| run.end);
                let is_over = self.rc.sender.as_ref().is_some_and(|half| half.acked() >= end);
                if self.stage == Stage::Sends && is_over {
                    self.finish(desk);
                } else {
                    return arrived;
                }
            }
        }
        desk.progress = now;
        if self.stage == Stage::Over { Arrived::Complete } else { Arrived::Sending }
    }

    fn next(&mut self, desk: &Desk<'_>) -> Option<Instant> {
        self.rc.next(desk)
    }

    fn take(&mut self, now: Instant, desk: &mut Desk<'_>) -> Packet {
        let packet = self.rc.take(now, desk);
        Packet { seen: Psn::new(self.first + packet.seen.get()), ..packet }
    }

    fn timer(&self) -> Option<Instant> {
        match self.stage {
            Stage::Asks(_, at) => Some(at),
            Stage::Sends => self.rc.timer(),
            Stage::Over | Stage::CutOff => None,
        }
    }

    fn fire(&mut self, now: Instant, desk: &mut Desk<'_>) {
        let Stage::Asks(tries, at) = self.stage else {
            self.rc.fire(now, desk);
            if self.stage == Stage::Sends && self.error().is_some() {
                self.stage = Stage::CutOff;
                desk.reached.push((self.owner, false));
            }
            return;
        };
        if at > now {
            return;
        }
        let params = &desk.params.groups;
        if tries >= params.register_tries {
            self.stage = Stage::CutOff;
            desk.reached.push((self.owner, false));
            return;
        }
        self.stage = Stage::Asks(tries + 1, now + params.register_timeout);
        let to = (self.rc.peer.host, self.rc.peer.qp);
        // Each time another way is tried, where there are several.
        let [low, high, ..] = tries.to_le_bytes();
        let entropy = self.rc.peer.entropy.wrapping_add(u16::from_le_bytes([low, high]));
        let packet = control(to, Kind::Detach, self.number, desk);
        desk.control.push_back(Packet { psn: Psn::new(self.run), entropy, ..packet });
    }

    fn owner(&self, kind: Kind, _: u32) -> Option<FlowId> {
        (kind != Kind::Pause).then(|| Some(self.rc.sender.as_ref()?.waited_for()?.flow))?
    }

    fn group(&self) -> Option<GroupId> {
        self.group.as_group()
    }

    fn numbered(&mut self, number: u32) {
        self.number = number;
    }

    /// What went to the member adds to what the endpoint of the group sent, which was before it.
    fn report(&self, _: NodeId, _: &Params, outcome: &mut Outcome) {
        let member = self.rc.peer.host.as_host();
        if let Some(id) = self.group.as_group() {
            let group = &mut outcome.groups[id.0 as usize];
            group.fell_back += 1;
            group.cut_off += u64::from(self.is_cut_off());
            let cut_off = member.filter(|_| self.is_cut_off());
            outcome.cut_off.extend(cut_off.map(|member| (id, member)));
        }
        let Some(sender) = &self.rc.sender else { return };
        outcome.add_failed(sender, member);
        for message in sender.messages.iter() {
            let flow = outcome.of(message.flow);
            flow.acknowledged = flow.acknowledged.zip(message.done).map(|(a, b)| a.max(b));
            flow.sent += message.sent;
            flow.bytes.sent += message.sent_bytes;
            flow.repeated += message.resent;
            flow.repeated_late += message.resent_late;
            flow.timeouts += message.timeouts;
        }
    }

    fn waiting(&self, params: &Params, to: &mut Vec<Waiting>) {
        self.rc.waiting(params, to);
    }
}

impl Open for Stream {
    type Opens = Self;

    /// Members of groups open it while a run goes on.
    fn open(_: &Simulation<'_>, _: &mut impl Hosts<Self>) {}
}
