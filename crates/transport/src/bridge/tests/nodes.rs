//! What hosts and switches of the model do with what comes in.

use lightloom_units::Span;

use super::super::paths::Feedback;
use super::world::{Event, Member, Msg, Peer, Switch, World};
use crate::psn::Psn;
use crate::receiver::Reply;

impl World {
    pub(super) fn remove(&mut self, at: usize, port: u16, epoch: u16) {
        let feedback = self.switches[at].paths.remove(port, epoch, self.now);
        let switch = &mut self.switches[at];
        switch.up = switch.up.filter(|&up| up != port);
        let end = &mut switch.ports[usize::from(port)];
        *end = end.filter(|end| matches!(end, Peer::Switch(..)));
        self.say(at, feedback);
        self.prune(at);
    }

    /// A switch without receivers below it tells the switch above.
    pub(super) fn prune(&mut self, at: usize) {
        let &Switch { ref paths, ref ports, up, epoch, .. } = &self.switches[at];
        let to = up.and_then(|up| ports[usize::from(up)]);
        if paths.ports().next().is_none()
            && let Some(to @ Peer::Switch(..)) = to
        {
            self.send(to, Msg::Prune { epoch });
        }
    }

    pub(super) fn at_host(&mut self, host: usize, leaf: usize, msg: Msg) {
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

    pub(super) fn at_switch(&mut self, at: usize, port: u16, msg: Msg) {
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
                self.switches[at].epoch = epoch;
                let feedback = self.switches[at].paths.add(way, epoch, first, now);
                self.say(at, feedback);
                let to = self.switches[at].ports[usize::from(way)].expect("it leads there");
                return self.send(to, msg);
            }
        };
        self.say(at, feedback);
    }

    pub(super) fn data(&mut self, at: usize, port: u16, (source, packet): (usize, u64), msg: Msg) {
        let psn = self.psn(packet);
        let now = self.now;
        let switch = &mut self.switches[at];
        if switch.source != source {
            if psn.after(switch.paths.floor()) < 0 {
                return;
            }
            (switch.source, switch.up) = (source, Some(port));
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
    pub(super) fn say(&mut self, at: usize, mut feedback: Feedback) {
        loop {
            let Some(up) = self.switches[at].up else { return };
            let ports = self.used(at).into_iter().filter(|&port| port != up);
            let below: Vec<(usize, usize)> = ports.flat_map(|port| self.behind(at, port)).collect();
            let epoch = self.switches[at].epoch;
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
