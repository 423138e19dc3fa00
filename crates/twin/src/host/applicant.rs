//! A sender's part in admission: it asks for its messages one after the other, says from time to time that it is
//! there, and tells when a message is over.

use std::collections::VecDeque;

use lightloom_topology::electrical::NodeId;
use lightloom_transport::admission::Demands;
use lightloom_transport::admission::rates::{packed, unpacked};
use lightloom_units::{BitRate, Instant, Span};

use super::desk::Desk;
use super::tell::control;
use crate::demands::drain;
use crate::link::Pace;
use crate::outcome::{Admitted, Outcome};
use crate::packet::{Dest, FlowId, GroupId, Kind, Packet, Psn};
use crate::simulation::Simulation;

/// A message that is to be admitted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted {
    /// Its place among all messages to groups.
    pub(crate) cast: u32,
    /// Its place among those of the endpoint.
    pub(crate) message: u32,
    /// When it is asked for.
    pub(crate) at: Instant,
    /// When its sender may begin, at the earliest.
    pub(crate) ready: Instant,
}

/// The messages of all endpoints that must be admitted, as they are gathered before a run.
pub(crate) struct Applications<'a> {
    simulation: &'a Simulation<'a>,
    demands: Demands,
    /// The endpoint that sends each message, by its place among all to groups; none of those that just go.
    senders: Vec<Option<(Dest, u32)>>,
    /// Where the controller will be, and its endpoint.
    controller: (NodeId, u32),
    /// The endpoint that applies.
    at: (NodeId, u32),
}

impl<'a> Applications<'a> {
    /// To the controller at an endpoint of a host.
    pub(super) fn new(simulation: &'a Simulation<'a>, controller: (NodeId, u32)) -> Self {
        let demands = simulation.demands();
        let senders = vec![None; demands.uses.len()];
        Self { simulation, demands, senders, controller, at: controller }
    }

    /// The same, of an endpoint of a host.
    pub(crate) fn of(&mut self, at: NodeId, endpoint: u32) -> &mut Self {
        self.at = (at, endpoint);
        self
    }

    /// Applies for a message of the endpoint; its place among all to groups, where it must be admitted.
    pub(super) fn message(&mut self, flow: FlowId) -> Option<u32> {
        let cast = u32::try_from(flow.index().checked_sub(self.simulation.flows.len())?).ok()?;
        if self.demands.of(cast).is_empty() {
            return None;
        }
        self.senders[cast as usize] = Some((Dest::host(self.at.0), self.at.1));
        Some(cast)
    }

    /// What the endpoint asks with.
    pub(super) fn applicant(&self) -> Box<Applicant> {
        let (host, endpoint) = self.controller;
        Box::new(Applicant::new(host, endpoint))
    }

    /// Time from the begin of a packet of the endpoint to a group until all copies have arrived.
    pub(super) fn drain(&self, group: Option<GroupId>) -> Span {
        let wires = self.simulation.wires();
        group.map_or(Span::ZERO, |group| drain(self.simulation, wires, (group, self.at.0)))
    }

    /// What messages demand, and who sends them.
    pub(super) fn end(self) -> (Demands, Vec<Option<(Dest, u32)>>) {
        (self.demands, self.senders)
    }
}

/// What an answer of the controller changed.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Heard {
    /// Nothing that the endpoint must look at, or a rate.
    Noted,
    /// A message may go.
    Granted(Wanted),
}

/// What an endpoint knows of admission.
#[derive(Debug)]
pub(crate) struct Applicant {
    /// Where the controller is, and its endpoint.
    controller: (Dest, u32),
    /// Messages that are not over, the one at hand first.
    wanted: VecDeque<Wanted>,
    stage: Stage,
    /// When the controller is told next.
    next: Instant,
    /// What it was told since it last answered.
    unanswered: u16,
    /// What came of each message that was asked for.
    log: Vec<(u32, Admitted)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The first message is not asked for yet.
    Idle,
    /// It waits.
    Asks,
    /// It may go at this rate.
    Holds(BitRate),
    /// It is over. The number is how often the controller was told.
    Releases(u32),
}

impl Applicant {
    fn new(controller: NodeId, endpoint: u32) -> Self {
        Self {
            controller: (Dest::host(controller), endpoint),
            wanted: VecDeque::new(),
            stage: Stage::Idle,
            next: Instant::NEVER,
            unanswered: 0,
            log: Vec::new(),
        }
    }

    /// What it knows of the messages that had to be admitted.
    pub(super) fn report(&self, outcome: &mut Outcome) {
        for &(cast, admitted) in &self.log {
            let admission = outcome.casts[cast as usize].admission.get_or_insert_default();
            *admission = Admitted { waited_for: admission.waited_for, ..admitted };
        }
    }

    /// A message is to be asked for after all others, and not before its time.
    pub(crate) fn want(&mut self, wanted: Wanted) {
        self.wanted.push_back(wanted);
    }

    /// A message that waited for others is to be asked for at a time, and may go once it is ready.
    pub(crate) fn may_begin(&mut self, message: u32, (at, ready): (Instant, Instant)) {
        if let Some(wanted) = self.wanted.iter_mut().find(|wanted| wanted.message == message) {
            (wanted.at, wanted.ready) = (at, ready);
        }
    }

    /// The message that may go, with its pace.
    pub(crate) fn holds(&self) -> Option<(&Wanted, Pace)> {
        let Stage::Holds(rate) = self.stage else { return None };
        Some((self.wanted.front()?, Pace::of(rate)))
    }

    /// When it has something to do.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        match self.stage {
            Stage::Idle => self.wanted.front().map(|wanted| wanted.at),
            _ => Some(self.next),
        }
    }

    /// Does what is due by now.
    pub(crate) fn fire(&mut self, now: Instant, desk: &mut Desk<'_>) {
        let Some(&Wanted { cast, at, .. }) = self.wanted.front() else { return };
        let due = if self.stage == Stage::Idle { at } else { self.next };
        if due > now {
            return;
        }
        match self.stage {
            Stage::Idle => {
                self.stage = Stage::Asks;
                self.log.push((cast, Admitted { asked: Some(now), ..Admitted::default() }));
                self.say(Kind::Request, now, desk);
            }
            Stage::Asks | Stage::Holds(_) => self.say(Kind::Request, now, desk),
            // A controller that never answers finds out by itself.
            Stage::Releases(tries) if tries >= desk.params.groups.register_tries => {
                self.go_on(now, desk);
            }
            Stage::Releases(tries) => {
                self.stage = Stage::Releases(tries + 1);
                self.say(Kind::Release, now, desk);
            }
        }
    }

    /// The controller says something.
    pub(crate) fn heard(&mut self, now: Instant, packet: &Packet, desk: &mut Desk<'_>) -> Heard {
        let Some(&wanted) = self.wanted.front() else { return Heard::Noted };
        if packet.seen != Psn::new(wanted.cast) {
            return Heard::Noted;
        }
        self.unanswered = 0;
        match (self.stage, packet.kind, unpacked(packet.psn.get())) {
            (Stage::Asks | Stage::Holds(_), Kind::Grant, Some(rate)) => {
                let before = std::mem::replace(&mut self.stage, Stage::Holds(rate));
                if before == self.stage {
                    return Heard::Noted;
                }
                let at_once = Some(now);
                if let Some((_, log)) = self.log.last_mut() {
                    log.granted = log.granted.or(at_once);
                    log.rate = log.rate.or(Some(rate));
                    log.least = Some(log.least.map_or(rate, |least| least.min(rate)));
                }
                self.say(Kind::Request, now, desk);
                if before == Stage::Asks { Heard::Granted(wanted) } else { Heard::Noted }
            }
            (Stage::Releases(_), Kind::Released, _) => {
                self.go_on(now, desk);
                Heard::Noted
            }
            _ => Heard::Noted,
        }
    }

    /// The message at hand is over from a time on.
    pub(crate) fn over(&mut self, at: Instant, now: Instant, desk: &mut Desk<'_>) {
        if let Some((_, log)) = self.log.last_mut() {
            log.over = Some(at);
        }
        (self.stage, self.next, self.unanswered) = (Stage::Releases(0), at, 0);
        self.fire(now, desk);
    }

    /// Nothing more goes out: what was asked for is given back.
    pub(crate) fn withdraw(&mut self, now: Instant, desk: &mut Desk<'_>) {
        match self.stage {
            Stage::Idle => self.wanted.clear(),
            Stage::Asks | Stage::Holds(_) => {
                self.wanted.truncate(1);
                self.over(now, now, desk);
            }
            Stage::Releases(_) => self.wanted.truncate(1),
        }
    }

    /// The controller knows that a message is over: the next.
    fn go_on(&mut self, now: Instant, desk: &mut Desk<'_>) {
        self.wanted.pop_front();
        (self.stage, self.next) = (Stage::Idle, Instant::NEVER);
        self.fire(now, desk);
    }

    /// Tells the controller about the message at hand, and does so again where nothing else happens.
    fn say(&mut self, kind: Kind, now: Instant, desk: &mut Desk<'_>) {
        let Some(&Wanted { cast, .. }) = self.wanted.front() else { return };
        let rate = match self.stage {
            Stage::Holds(rate) => packed(rate),
            _ => 0,
        };
        let packet = control(self.controller, kind, cast, desk);
        // Each time without an answer another way is tried, where there are several.
        let entropy = self.unanswered;
        desk.control.push_back(Packet { psn: Psn::new(rate), entropy, ..packet });
        self.unanswered = self.unanswered.saturating_add(1);
        self.next = now + desk.params.groups.register_timeout;
    }
}

/// The time from one packet until the next may go: the longer of two.
pub(super) fn slower(gap: Span, pace: Option<Pace>, bytes: u32) -> Span {
    pace.map_or(gap, |pace| gap.max(pace.time(bytes)))
}
