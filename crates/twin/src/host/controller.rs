//! The host that admits messages over splitters: the endpoint that senders ask.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_setup::params::{GroupParams, Params};
use lightloom_topology::electrical::NodeId;
use lightloom_transport::admission::rates::{packed, unpacked};
use lightloom_transport::admission::{Arbiter, Changed};
use lightloom_units::{Instant, Span};

use super::applicant::Applications;
use super::desk::Desk;
use super::tell::control;
use super::transport::{Arrived, Hosts, Open, Transport};
use crate::outcome::Outcome;
use crate::packet::{Class, Dest, FlowId, Kind, Packet, Psn};
use crate::simulation::Simulation;

/// The endpoint that decides.
#[derive(Debug)]
pub(crate) struct Controller {
    arbiter: Arbiter,
    /// The endpoint that sends each message, by its place among all to groups; none of those that just go.
    senders: Vec<Option<(Dest, u32)>>,
    /// Messages that wait or go, and when their senders were last heard of.
    heard: BTreeMap<u32, Instant>,
    /// When these times are looked at.
    look: Option<Instant>,
    /// Messages that are over.
    over: BTreeSet<u32>,
    /// The message after which one got its turn, or that it waits for.
    waited_for: BTreeMap<u32, u32>,
}

/// Time after which a sender that says nothing has lost its place.
fn silence(params: &GroupParams) -> Span {
    let timeouts = u64::from(params.register_tries).saturating_add(1);
    Span::from_ps(params.register_timeout.as_ps().saturating_mul(timeouts).min(1 << 62))
}

impl Controller {
    fn new(arbiter: Arbiter, senders: Vec<Option<(Dest, u32)>>) -> Self {
        Self {
            arbiter,
            senders,
            heard: BTreeMap::new(),
            look: None,
            over: BTreeSet::new(),
            waited_for: BTreeMap::new(),
        }
    }

    /// The message that each one waited for, or waits for.
    fn waits(&self) -> BTreeMap<u32, u32> {
        let still = self.heard.keys().filter_map(|&m| Some((m, self.arbiter.waits_for(m)?)));
        self.waited_for.iter().map(|(&message, &other)| (message, other)).chain(still).collect()
    }

    /// Tells the sender of a message something.
    fn tell(&self, message: u32, kind: Kind, desk: &mut Desk<'_>) {
        let Some(to) = self.senders.get(message as usize).copied().flatten() else { return };
        let rate = self.arbiter.rate(message).map_or(0, packed);
        let packet = control(to, kind, message, desk);
        desk.control.push_back(Packet { psn: Psn::new(rate), ..packet });
    }

    fn tell_all(&self, changed: &Changed, desk: &mut Desk<'_>) {
        changed.iter().for_each(|&message| self.tell(message, Kind::Grant, desk));
    }

    /// The sender of a message asks, or says that it is there.
    fn request(&mut self, message: u32, told: Psn, now: Instant, desk: &mut Desk<'_>) {
        if self.over.contains(&message) {
            self.tell(message, Kind::Released, desk);
            return;
        }
        let is_new = self.heard.insert(message, now).is_none();
        self.look.get_or_insert(now + silence(&desk.params.groups));
        let changed = match (is_new, unpacked(told.get())) {
            (true, _) => self.arbiter.ask(message),
            (false, Some(rate)) => self.arbiter.confirm(message, rate),
            (false, None) => Changed::new(),
        };
        self.tell_all(&changed, desk);
        if !changed.contains(&message) {
            self.tell(message, Kind::Grant, desk);
        }
    }

    /// A message has no place any more.
    fn leave(&mut self, message: u32, desk: &mut Desk<'_>) {
        if self.heard.remove(&message).is_none() {
            return;
        }
        let changed = self.arbiter.leave(message);
        if self.arbiter.is_by_turns() {
            self.waited_for.extend(changed.iter().map(|&next| (next, message)));
        }
        self.tell_all(&changed, desk);
        if self.heard.is_empty() {
            self.look = None;
        }
    }
}

impl Transport for Controller {
    fn arrive(&mut self, now: Instant, packet: &Packet, desk: &mut Desk<'_>) -> Arrived {
        let message = packet.seen.get();
        if self.senders.get(message as usize).copied().flatten().is_none() {
            return Arrived::Stray;
        }
        match packet.kind {
            Kind::Request => self.request(message, packet.psn, now, desk),
            Kind::Release => {
                self.over.insert(message);
                self.leave(message, desk);
                self.tell(message, Kind::Released, desk);
            }
            _ => return Arrived::Stray,
        }
        Arrived::Sending
    }

    fn next(&mut self, _: &Desk<'_>) -> Option<Instant> {
        None
    }

    fn take(&mut self, _: Instant, _: &mut Desk<'_>) -> Packet {
        unreachable!("a controller has no next packet")
    }

    fn timer(&self) -> Option<Instant> {
        self.look
    }

    fn fire(&mut self, now: Instant, desk: &mut Desk<'_>) {
        if self.look.is_none_or(|at| at > now) {
            return;
        }
        let silence = silence(&desk.params.groups);
        let silent = self.heard.iter().filter(|&(_, &at)| at + silence <= now);
        let silent: Vec<u32> = silent.map(|(&message, _)| message).collect();
        silent.into_iter().for_each(|message| self.leave(message, desk));
        self.look = self.heard.values().min().map(|&at| at + silence);
    }

    fn owner(&self, _: Kind, _: u32) -> Option<FlowId> {
        None
    }

    /// Which message each one waited for.
    fn report(&self, _: NodeId, _: &Params, outcome: &mut Outcome) {
        for (cast, other) in self.waits() {
            let admission = &mut outcome.casts[cast as usize].admission;
            admission.get_or_insert_default().waited_for = Some(other);
        }
    }
}

impl Open for Controller {
    type Opens = Self;

    /// The controller at its host, where there is one; the endpoints that are open have their messages admitted.
    fn open(simulation: &Simulation<'_>, hosts: &mut impl Hosts<Self>) {
        let Some(admission) = simulation.multicast.admission else { return };
        let at = admission.controller;
        let mut applications = Applications::new(simulation, (at, hosts.next(at)));
        hosts.apply_for(&mut applications);
        let (demands, senders) = applications.end();
        let arbiter = Arbiter::new(admission.policy, demands);
        hosts.open(at, Self::new(arbiter, senders), Class::LOSSLESS);
    }
}
