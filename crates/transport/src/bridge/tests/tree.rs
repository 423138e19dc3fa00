//! The tree of the model: switches, and hosts at its ends.

use lightloom_units::Span;

use super::super::paths::{Feedback, Paths};
use super::hosts::Has;
use super::world::{Member, Peer, Switch, World};
use crate::psn::Psn;

impl World {
    pub(super) fn below(&mut self, most: u64) -> usize {
        usize::try_from(self.random.next() % most.max(1)).expect("it is small")
    }

    /// Adds a switch with all that is below it.
    pub(super) fn grow(&mut self, depth: u32) -> usize {
        let at = self.switches.len();
        let recovery = self.case.transport(0).recovery;
        let paths = Paths::new(Psn::new(self.case.first), recovery, Span::from_ms(5));
        self.switches.push(Switch {
            paths,
            ports: Vec::new(),
            source: usize::MAX,
            up: None,
            epoch: 0,
        });
        for _ in 0..=self.below(self.case.fan) {
            if depth > 1 && self.switches.len() < 40 && !self.random.next().is_multiple_of(5) {
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
    pub(super) fn attach(&mut self, at: usize) -> usize {
        let (host, port) = (self.members.len(), self.plug(at, self.members.len()));
        let has = Has::new(0, 0, self.case.transport(0));
        self.members.push(Member { at: (at, port), has, receives: false, is_gone: false });
        host
    }

    pub(super) fn plug(&mut self, at: usize, host: usize) -> u16 {
        let ports = &mut self.switches[at].ports;
        ports.push(Some(Peer::Host(host, at)));
        u16::try_from(ports.len() - 1).unwrap()
    }

    pub(super) fn used(&self, at: usize) -> Vec<u16> {
        let ports = (0..).zip(&self.switches[at].ports);
        ports.filter(|(_, peer)| peer.is_some()).map(|(port, _)| port).collect()
    }

    /// The hosts behind a port of a switch, and the switch of each.
    pub(super) fn behind(&self, at: usize, port: u16) -> Vec<(usize, usize)> {
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
    pub(super) fn toward(&self, at: usize, host: (usize, usize)) -> u16 {
        let leads = |port: &u16| self.behind(at, *port).contains(&host);
        self.used(at).into_iter().find(leads).expect("it is a tree")
    }

    /// The first source registers the group, so every switch knows the way to it.
    pub(super) fn lead(&mut self) {
        for at in 0..self.switches.len() {
            let way = self.toward(at, (self.source, self.members[self.source].at.0));
            (self.switches[at].source, self.switches[at].up) = (self.source, Some(way));
            assert_eq!(self.switches[at].paths.set_up(Some(way), self.now), Feedback::NOTHING);
        }
    }
}
