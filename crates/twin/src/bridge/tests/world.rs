//! The model: a tree of switches, hosts at its ends, links that keep order, lose and delay.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use lightloom_units::{Instant, Span};

use super::super::paths::{Feedback, Paths};
use super::case::{Case, Change, What};
use super::hosts::{Has, Sends};
use crate::host::Reply;
use crate::packet::Psn;
use crate::random::Stream;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Peer {
    Switch(usize, u16),
    /// A host, from one of its switches.
    Host(usize, usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Msg {
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
enum Event {
    /// A message comes in at a port of a switch, or at a host.
    Arrive(Peer, Msg),
    Send,
    Timer,
    Begin,
    /// A switch hears that a host has gone.
    Gone(usize, u16),
}

#[derive(Debug)]
struct Switch {
    paths: Paths,
    ports: Vec<Option<Peer>>,
    source: usize,
}

#[derive(Debug)]
struct Member {
    at: (usize, u16),
    has: Has,
    /// Whether it counts as a receiver now: whether it is there and not the source.
    receives: bool,
    is_gone: bool,
}

/// A run, and what it has counted.
pub(super) struct World {
    case: Case,
    random: Stream,
    now: Instant,
    events: BinaryHeap<Reverse<(Instant, u64, Event)>>,
    count: u64,
    switches: Vec<Switch>,
    members: Vec<Member>,
    /// When the last message on a link arrives, by where.
    last: BTreeMap<Peer, Instant>,
    source: usize,
    sends: Sends,
    message: usize,
    epoch: u16,
    /// Ways to hosts that are being set up, and the switches that know them.
    set_up: BTreeMap<(usize, usize), BTreeSet<usize>>,
    is_sending: bool,
    /// Whether the sender's port is about to be looked at, until when it is busy, and when its timer is.
    is_awake: bool,
    busy: Instant,
    timer: Option<Instant>,
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

    fn below(&mut self, most: u64) -> usize {
        usize::try_from(self.random.next() % most.max(1)).expect("it is small")
    }

    /// Adds a switch with all that is below it.
    fn grow(&mut self, depth: u32) -> usize {
        let at = self.switches.len();
        let recovery = self.case.transport(0).recovery;
        let paths = Paths::new(Psn::new(self.case.first), recovery, Span::from_ms(5));
        self.switches.push(Switch { paths, ports: Vec::new(), source: usize::MAX });
        for _ in 0..=self.below(self.case.fan) {
            if depth > 1 && self.switches.len() < 40 && self.random.next() % 5 > 0 {
                let child = self.grow(depth - 1);
                let (down, up) = (self.switches[at].ports.len(), self.switches[child].ports.len());
                let (down, up) = (u16::try_from(down).unwrap(), u16::try_from(up).unwrap());
                self.switches[at].ports.push(Some(Peer::Switch(child, up)));
                self.switches[child].ports.push(Some(Peer::Switch(at, down)));
            } else {
                self.attach(at);
            }
        }
        at
    }

    /// Adds a host at a switch.
    fn attach(&mut self, at: usize) -> usize {
        let (host, port) = (self.members.len(), self.plug(at, self.members.len()));
        let has = Has::new(0, 0, self.case.transport(0));
        self.members.push(Member { at: (at, port), has, receives: false, is_gone: false });
        host
    }

    fn plug(&mut self, at: usize, host: usize) -> u16 {
        let ports = &mut self.switches[at].ports;
        ports.push(Some(Peer::Host(host, at)));
        u16::try_from(ports.len() - 1).unwrap()
    }

    fn used(&self, at: usize) -> Vec<u16> {
        let ports = self.switches[at].ports.iter().enumerate();
        ports.filter(|(_, peer)| peer.is_some()).map(|(port, _)| port as u16).collect()
    }

    /// The hosts behind a port of a switch, and the switch of each.
    fn behind(&self, at: usize, port: u16) -> Vec<(usize, usize)> {
        match self.switches[at].ports[usize::from(port)] {
            None => Vec::new(),
            Some(Peer::Host(host, at)) => vec![(host, at)],
            Some(Peer::Switch(next, back)) => {
                let others = self.used(next).into_iter().filter(|&port| port != back);
                others.flat_map(|port| self.behind(next, port)).collect()
            }
        }
    }

    /// The port of a switch toward a host at a switch.
    fn toward(&self, at: usize, host: (usize, usize)) -> u16 {
        let leads = |port: &u16| self.behind(at, *port).contains(&host);
        self.used(at).into_iter().find(leads).expect("it is a tree")
    }

    fn base(&self, message: usize) -> u64 {
        self.case.messages[..message].iter().sum()
    }

    fn psn(&self, packet: u64) -> Psn {
        Psn::of(Psn::new(self.case.first), packet)
    }

    /// The packet of a sequence number, near what is being sent.
    fn place(&self, psn: u32) -> u64 {
        let base = self.base(self.message);
        base.checked_add_signed(Psn::new(psn).after(self.psn(base))).expect("not before the first")
    }

    fn at(&mut self, when: Instant, event: Event) {
        self.count += 1;
        self.events.push(Reverse((when, self.count, event)));
    }

    /// A message goes out to a port of a switch or to a host; it may get lost.
    fn send(&mut self, to: Peer, msg: Msg) {
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
    fn begin(&mut self) {
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

    /// The first source registers the group, so every switch knows the way to it.
    fn lead(&mut self) {
        for at in 0..self.switches.len() {
            let way = self.toward(at, (self.source, self.members[self.source].at.0));
            self.switches[at].source = self.source;
            assert_eq!(self.switches[at].paths.set_up(Some(way), self.now), Feedback::NOTHING);
        }
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

    fn complete(&mut self) {
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

    fn handle(&mut self, event: Event) {
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
                let epoch = self.switches[at].paths.epoch();
                self.remove(at, port, epoch);
            }
            Event::Arrive(Peer::Host(host, leaf), msg) => self.at_host(host, leaf, msg),
            Event::Arrive(Peer::Switch(at, port), msg) => self.at_switch(at, port, msg),
        }
    }

    /// Sees to it that the sender is looked at as soon as its port is free, and when its timer fires.
    fn wake(&mut self) {
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

    fn send_next(&mut self) {
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

    fn change(&mut self, what: What) {
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

    fn is_moving(&self, host: usize) -> bool {
        let plugs = |switch: &Switch| {
            let ports = switch.ports.iter().flatten();
            ports.filter(|peer| matches!(peer, Peer::Host(at, _) if *at == host)).count()
        };
        self.switches.iter().map(plugs).sum::<usize>() != 1
    }

    fn register(&mut self, host: usize, (leaf, way): (usize, u16)) {
        let (at, port) = self.members[self.source].at;
        let (epoch, first) = (self.epoch, self.sends.acked);
        self.set_up.insert((host, leaf), BTreeSet::new());
        self.send(Peer::Switch(at, port), Msg::Register { host, leaf, port: way, epoch, first });
    }

    fn remove(&mut self, at: usize, port: u16, epoch: u16) {
        let feedback = self.switches[at].paths.remove(port, epoch, self.now);
        let end = &mut self.switches[at].ports[usize::from(port)];
        *end = end.filter(|end| matches!(end, Peer::Switch(..)));
        self.say(at, feedback);
        self.prune(at);
    }

    /// A switch with nobody below it says so on the way up.
    fn prune(&mut self, at: usize) {
        let Switch { paths, ports, .. } = &self.switches[at];
        let to = paths.up().and_then(|up| ports[usize::from(up)]);
        if paths.ports().next().is_none()
            && let Some(to @ Peer::Switch(..)) = to
        {
            self.send(to, Msg::Prune { epoch: paths.epoch() });
        }
    }

    fn at_host(&mut self, host: usize, leaf: usize, msg: Msg) {
        let (at, port) = self.members[host].at;
        let epoch = u16::MAX / 2;
        match msg {
            Msg::Register { port: way, .. } => {
                self.set_up.remove(&(host, leaf));
                if leaf != at {
                    self.members[host].at = (leaf, way);
                    let hears = Span::from_ps(self.random.next() % self.case.delay.as_ps());
                    self.at(self.now + hears, Event::Gone(at, port));
                }
            }
            // It takes nothing from where it was.
            _ if leaf != at => {}
            Msg::Data { packet, .. } if !self.members[host].is_gone && host != self.source => {
                let psn = self.psn(packet);
                let reply = match self.members[host].has.data(packet, psn) {
                    Reply::Nothing => return,
                    Reply::Ack(psn) => Msg::Ack { psn: psn.get(), epoch },
                    Reply::Nack(psn, seen) => Msg::Nack { psn: psn.get(), seen: seen.get(), epoch },
                };
                self.send(Peer::Switch(at, port), reply);
            }
            Msg::Ack { psn, .. } if self.is_sending && host == self.source => {
                self.sends.acknowledged(self.now, self.place(psn), Psn::new(psn));
            }
            Msg::Nack { psn, seen, .. } if self.is_sending && host == self.source => {
                let both = (Psn::new(psn), Psn::new(seen));
                self.sends.missed(self.now, self.place(psn), both);
            }
            _ => {}
        }
        if self.is_sending && host == self.source {
            self.wake();
        }
    }

    fn at_switch(&mut self, at: usize, port: u16, msg: Msg) {
        let now = self.now;
        let paths = &mut self.switches[at].paths;
        let feedback = match msg {
            Msg::Data { source, packet, .. } => return self.data(at, port, (source, packet), msg),
            Msg::Ack { psn, epoch } => paths.acked(port, Psn::new(psn), epoch, now),
            Msg::Nack { psn, seen, epoch } => {
                paths.missed(port, (Psn::new(psn), Psn::new(seen)), epoch, now)
            }
            Msg::Prune { epoch } => return self.remove(at, port, epoch),
            Msg::Register { host, leaf, epoch, first, .. } => {
                let way = self.toward(at, (host, leaf));
                self.set_up.entry((host, leaf)).or_default().insert(at);
                let first = self.psn(first);
                let feedback = self.switches[at].paths.add(way, epoch, first, now);
                self.say(at, feedback);
                let to = self.switches[at].ports[usize::from(way)].expect("it leads there");
                return self.send(to, msg);
            }
        };
        self.say(at, feedback);
    }

    fn data(&mut self, at: usize, port: u16, (source, packet): (usize, u64), msg: Msg) {
        let psn = self.psn(packet);
        let now = self.now;
        let switch = &mut self.switches[at];
        if switch.source != source {
            if psn.after(switch.paths.floor()) < 0 {
                return;
            }
            switch.source = source;
            let feedback = switch.paths.set_up(Some(port), now);
            self.say(at, feedback);
            self.prune(at);
        }
        let switch = &self.switches[at];
        let has_host = switch.ports.iter().flatten().any(|end| matches!(end, Peer::Host(..)));
        let is_past = self.case.is_past && !has_host;
        let needs = |&way: &u16| is_past || switch.paths.passes(way, psn);
        let ways: Vec<u16> = switch.paths.ports().filter(needs).collect();
        if ways.is_empty() && !is_past {
            let feedback = self.switches[at].paths.filtered(psn, now);
            self.say(at, feedback);
        }
        for way in ways {
            let to = self.switches[at].ports[usize::from(way)];
            if let Some(to) = to {
                self.send(to, msg);
            }
        }
    }

    /// A switch sends feedback up. It must not cover what some receiver below lacks.
    fn say(&mut self, at: usize, mut feedback: Feedback) {
        loop {
            let Some(up) = self.switches[at].paths.up() else { return };
            let ports = self.used(at).into_iter().filter(|&port| port != up);
            let below: Vec<(usize, usize)> = ports.flat_map(|port| self.behind(at, port)).collect();
            let epoch = self.switches[at].paths.epoch();
            let psn = feedback.ack.or(feedback.nack.map(|(missing, _)| missing));
            for &(host, leaf) in &below {
                if self.set_up.get(&(host, leaf)).is_some_and(|switches| !switches.contains(&at)) {
                    continue;
                }
                let Member { has, receives, .. } = &self.members[host];
                let covered = psn.is_none_or(|psn| self.place(psn.get()) <= has.upto());
                let seen =
                    feedback.nack.filter(|_| self.case.window.is_some()).map(|(_, seen)| seen);
                let seen = seen.is_none_or(|seen| has.has(self.place(seen.get())));
                assert!(
                    !receives || (covered && seen),
                    "{at} covers what {host} lacks: {feedback:?}"
                );
            }
            let msg = match (feedback.ack, feedback.nack) {
                (Some(psn), None) => Msg::Ack { psn: psn.get(), epoch },
                (None, Some((psn, seen))) => Msg::Nack { psn: psn.get(), seen: seen.get(), epoch },
                (None, None) => return,
                (Some(_), Some(_)) => panic!("one at a time: {feedback:?}"),
            };
            if let Some(to) = self.switches[at].ports[usize::from(up)] {
                self.send(to, msg);
            }
            if !feedback.more {
                return;
            }
            feedback = self.switches[at].paths.more(self.now);
        }
    }
}
