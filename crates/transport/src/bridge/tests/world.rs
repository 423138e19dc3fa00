//! The model: a tree of switches, hosts at its ends, links that keep order, lose and delay.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use lightloom_units::{Instant, Span};

use super::super::paths::{Feedback, Paths};
use super::case::{Case, Change, What};
use super::draws::Draws;
use super::hosts::{Has, Sends};
use crate::psn::Psn;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Peer {
    Switch(usize, u16),
    /// A host, from one of its switches.
    Host(usize, usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Msg {
    Data {
        source: usize,
        packet: u64,
        may_be_lost: bool,
        is_first: bool,
    },
    Ack {
        psn: u32,
        epoch: u16,
    },
    Nack {
        psn: u32,
        seen: u32,
        epoch: u16,
    },
    /// The way to a host is set up.
    Register {
        host: usize,
        leaf: usize,
        port: u16,
        epoch: u16,
        first: u64,
    },
    /// Nobody is left behind a port.
    Prune {
        epoch: u16,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Event {
    /// A message comes in at a port of a switch, or at a host.
    Arrive(Peer, Msg),
    Send,
    Timer,
    Begin,
    /// A switch hears that a host has gone.
    Gone(usize, u16),
}

#[derive(Debug)]
pub(super) struct Switch {
    pub(super) paths: Paths,
    pub(super) ports: Vec<Option<Peer>>,
    pub(super) source: usize,
    /// The port toward the source, and the epoch of what it knows.
    pub(super) up: Option<u16>,
    pub(super) epoch: u16,
}

#[derive(Debug)]
pub(super) struct Member {
    pub(super) at: (usize, u16),
    pub(super) has: Has,
    /// Whether it counts as a receiver now: whether it is there and not the source.
    pub(super) receives: bool,
    pub(super) is_gone: bool,
}

/// A run, and what it has counted.
pub(super) struct World {
    pub(super) case: Case,
    pub(super) random: Draws,
    pub(super) now: Instant,
    pub(super) events: BinaryHeap<Reverse<(Instant, u64, Event)>>,
    pub(super) count: u64,
    pub(super) switches: Vec<Switch>,
    pub(super) members: Vec<Member>,
    /// When the last message on a link arrives, by where.
    pub(super) last: BTreeMap<Peer, Instant>,
    pub(super) source: usize,
    pub(super) sends: Sends,
    pub(super) message: usize,
    pub(super) epoch: u16,
    /// Ways to hosts that are being set up, and the switches that know them.
    pub(super) set_up: BTreeMap<(usize, usize), BTreeSet<usize>>,
    pub(super) is_sending: bool,
    /// Whether the sender's port is about to be looked at, until when it is busy, and when its timer is.
    pub(super) is_awake: bool,
    pub(super) busy: Instant,
    pub(super) timer: Option<Instant>,
    pub(super) timeouts: u64,
    pub(super) sent: u64,
}

impl World {
    pub(super) fn new(case: &Case) -> Self {
        let transport = case.transport(0);
        let mut world = Self {
            random: case.stream(),
            now: Instant::from_ps(0),
            events: BinaryHeap::new(),
            count: 0,
            switches: Vec::new(),
            members: Vec::new(),
            last: BTreeMap::new(),
            source: 0,
            sends: Sends::new(0, 1, transport, Instant::from_ps(0)),
            message: 0,
            is_awake: false,
            busy: Instant::from_ps(0),
            timer: None,
            epoch: 0,
            set_up: BTreeMap::new(),
            is_sending: false,
            timeouts: 0,
            sent: 0,
            case: case.clone(),
        };
        world.grow(case.depth);
        // A tree ends at hosts.
        while world.members.len() < 2 || world.switches[0].ports.len() < 2 {
            world.attach(0);
        }
        for at in 0..world.switches.len() {
            for port in world.used(at) {
                let feedback =
                    world.switches[at].paths.add(port, 0, Psn::new(case.first), world.now);
                assert_eq!(feedback, Feedback::NOTHING);
            }
        }
        world.begin();
        world
    }

    pub(super) fn base(&self, message: usize) -> u64 {
        self.case.messages[..message].iter().sum()
    }

    pub(super) fn psn(&self, packet: u64) -> Psn {
        Psn::of(Psn::new(self.case.first), packet)
    }

    /// The packet of a sequence number, near what is being sent.
    pub(super) fn place(&self, psn: u32) -> u64 {
        let base = self.base(self.message);
        base.checked_add_signed(Psn::new(psn).after(self.psn(base))).expect("not before the first")
    }

    pub(super) fn at(&mut self, when: Instant, event: Event) {
        self.count += 1;
        self.events.push(Reverse((when, self.count, event)));
    }

    /// A message goes out to a port of a switch or to a host; it may get lost.
    pub(super) fn send(&mut self, to: Peer, msg: Msg) {
        let share = match msg {
            Msg::Data { may_be_lost: true, is_first: true, .. } => self.case.loss.first,
            Msg::Data { .. } => self.case.loss.repeated,
            Msg::Ack { .. } | Msg::Nack { .. } => self.case.loss.feedback,
            Msg::Register { .. } | Msg::Prune { .. } => 0.0,
        };
        if self.random.unit() < share {
            return;
        }
        let most = self.case.delay.as_ps();
        let takes = Span::from_ps(most / 100 + self.random.next() % most);
        let last = self.last.get(&to).copied().unwrap_or(Instant::from_ps(0));
        let when = (self.now + takes).max(last);
        self.last.insert(to, when);
        self.at(when, Event::Arrive(to, msg));
    }

    /// The next message begins, from a host by chance.
    pub(super) fn begin(&mut self) {
        let (base, packets) = (self.base(self.message), self.case.messages[self.message]);
        let there: Vec<usize> =
            (0..self.members.len()).filter(|&host| !self.members[host].is_gone).collect();
        let transport = self.case.transport(base);
        self.source = there[self.below(there.len() as u64)];
        for (host, member) in self.members.iter_mut().enumerate() {
            member.receives = !member.is_gone && host != self.source;
            member.has = Has::new(base, packets, transport);
        }
        self.sends = Sends::new(base, packets, transport, self.now);
        if self.message == 0 {
            self.lead();
        }
        self.is_sending = true;
        self.wake();
    }

    /// Runs to the end. Everybody then has everything.
    pub(super) fn run(mut self) -> Self {
        while let Some(Reverse((when, _, event))) = self.events.pop() {
            self.now = when;
            assert!(self.count < 400_000, "it goes on for ever");
            self.handle(event);
            if self.is_sending && self.sends.is_idle() {
                self.complete();
            }
        }
        assert_eq!(self.message, self.case.messages.len(), "it stands still");
        self
    }

    pub(super) fn complete(&mut self) {
        let end = self.base(self.message + 1);
        for (host, member) in self.members.iter().enumerate() {
            assert!(!member.receives || member.has.upto() == end, "host {host} lacks something");
        }
        self.timeouts += self.sends.timeouts();
        self.sent += self.sends.sent;
        self.is_sending = false;
        self.message += 1;
        if self.message < self.case.messages.len() {
            let wait = Span::from_ps(self.random.next() % self.case.delay.as_ps());
            self.at(self.now + wait, Event::Begin);
        }
    }

    pub(super) fn handle(&mut self, event: Event) {
        match event {
            // The leader waits until all that join have confirmed it.
            Event::Begin if !self.set_up.is_empty() => {
                self.at(self.now + self.case.delay, Event::Begin);
            }
            Event::Begin => self.begin(),
            Event::Send => {
                self.is_awake = false;
                if self.is_sending {
                    self.send_next();
                }
            }
            Event::Timer => {
                self.timer = self.timer.filter(|&timer| timer > self.now);
                if self.is_sending && self.sends.deadline() <= self.now {
                    self.sends.silence(self.now);
                }
                self.wake();
            }
            Event::Gone(at, port) => {
                let epoch = self.switches[at].epoch;
                self.remove(at, port, epoch);
            }
            Event::Arrive(Peer::Host(host, leaf), msg) => self.at_host(host, leaf, msg),
            Event::Arrive(Peer::Switch(at, port), msg) => self.at_switch(at, port, msg),
        }
    }

    /// Sees to it that the sender is looked at as soon as its port is free, and when its timer fires.
    pub(super) fn wake(&mut self) {
        if !self.is_awake {
            self.is_awake = true;
            self.at(self.busy.max(self.now), Event::Send);
        }
        let deadline = self.sends.deadline();
        if !self.sends.is_idle() && self.timer.is_none_or(|timer| deadline < timer) {
            self.timer = Some(deadline);
            self.at(deadline.max(self.now), Event::Timer);
        }
    }

    pub(super) fn send_next(&mut self) {
        let Some((packet, _, is_first)) = self.sends.take(self.now) else { return };
        let may_be_lost = packet + 1 < self.sends.base + self.sends.packets;
        let (at, port) = self.members[self.source].at;
        let data = Msg::Data { source: self.source, packet, may_be_lost, is_first };
        self.send(Peer::Switch(at, port), data);
        self.busy = self.now + Span::from_ns(100);
        self.wake();
        let place = packet - self.sends.base;
        let is_due = |change: &&Change| {
            change.message == self.message && place == self.sends.packets * change.percent / 100
        };
        let due: Vec<What> =
            self.case.changes.iter().filter(is_due).map(|change| change.what).collect();
        if is_first {
            due.into_iter().for_each(|what| self.change(what));
        }
    }

    pub(super) fn change(&mut self, what: What) {
        let there = |member: &Member| member.receives && !member.is_gone;
        let receivers: Vec<usize> =
            (0..self.members.len()).filter(|&host| there(&self.members[host])).collect();
        let host = receivers[self.below(receivers.len() as u64)];
        let alive: Vec<usize> = (0..self.switches.len())
            .filter(|&at| self.switches[at].paths.ports().next().is_some())
            .collect();
        self.epoch += 1;
        match what {
            What::Leave if receivers.len() > 1 && !self.is_moving(host) => {
                (self.members[host].receives, self.members[host].is_gone) = (false, true);
                let (at, port) = self.members[host].at;
                let hears = Span::from_ps(self.random.next() % self.case.delay.as_ps());
                self.at(self.now + hears, Event::Gone(at, port));
            }
            What::Join if !alive.is_empty() => {
                let at = alive[self.below(alive.len() as u64)];
                let host = self.attach(at);
                let next = self.base(self.message + 1);
                self.members[host].has = Has::new(next, 0, self.case.transport(next));
                self.register(host, self.members[host].at);
            }
            What::Move if !alive.is_empty() && !self.is_moving(host) => {
                let at = alive[self.below(alive.len() as u64)];
                if at != self.members[host].at.0 {
                    let port = self.plug(at, host);
                    self.register(host, (at, port));
                }
            }
            What::Leave | What::Join | What::Move => {}
        }
    }

    pub(super) fn is_moving(&self, host: usize) -> bool {
        let plugs = |switch: &Switch| {
            let ports = switch.ports.iter().flatten();
            ports.filter(|peer| matches!(peer, Peer::Host(at, _) if *at == host)).count()
        };
        self.switches.iter().map(plugs).sum::<usize>() != 1
    }

    pub(super) fn register(&mut self, host: usize, (leaf, way): (usize, u16)) {
        let (at, port) = self.members[self.source].at;
        let (epoch, first) = (self.epoch, self.sends.acked);
        self.set_up.insert((host, leaf), BTreeSet::new());
        self.send(Peer::Switch(at, port), Msg::Register { host, leaf, port: way, epoch, first });
    }
}
