//! Independent checkers of damaged fabrics: they read failures and edges, and count copies ToR by ToR. They
//! do not use groups, trees or repairs.

use std::collections::VecDeque;

use lightloom_routing::failure::Failure;
use lightloom_routing::recovery::Repair;
use lightloom_topology::{Fabric, TorId};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

/// The working parts of a fabric.
pub struct Damaged<'a> {
    pub fabric: &'a Fabric,
    pub mute: Vec<bool>,
    pub dark: Vec<bool>,
    pub cut: Vec<(TorId, TorId)>,
}

/// The copies of one packet.
pub struct Played {
    /// Hops of the copy that each ToR accepted.
    pub hops: Vec<Option<u32>>,
    /// Number of copies that arrived at each ToR, accepted or not.
    pub arrived: Vec<u32>,
}

impl<'a> Damaged<'a> {
    pub fn new(fabric: &'a Fabric, failures: &[Failure]) -> Self {
        let none = vec![false; fabric.tors()];
        let mut left = Self { fabric, mute: none.clone(), dark: none, cut: Vec::new() };
        for &failure in failures {
            match failure {
                Failure::Relay(t) | Failure::Transmitter(t) | Failure::Splitter(t) => {
                    left.mute[t.index()] = true;
                }
                Failure::Tor(t) => {
                    left.mute[t.index()] = true;
                    left.dark[t.index()] = true;
                }
                Failure::Branch { from, to } => left.cut.push((from, to)),
                Failure::Receiver { tor, port } => {
                    let lights = |t: &TorId| fabric.transmits_into(*t) == fabric.receives_from(tor);
                    let from = fabric.tor_ids().filter(lights).nth(port as usize).unwrap();
                    left.cut.push((from, tor));
                }
                Failure::Cassette(c) => {
                    for t in fabric.tor_ids().filter(|&t| fabric.transmits_into(t) == c) {
                        left.mute[t.index()] = true;
                    }
                }
            }
        }
        left
    }

    /// Whether a fibre still carries light to a receiver with power.
    pub fn arrives(&self, from: TorId, to: TorId) -> bool {
        self.fabric.transmits_into(from) == self.fabric.receives_from(to)
            && !self.mute[from.index()]
            && !self.dark[to.index()]
            && !self.cut.contains(&(from, to))
    }

    /// Whether a ToR lights all receivers of its splitter that have power.
    pub fn lights_all(&self, from: TorId) -> bool {
        let due = self.receivers(from).filter(|to| !self.dark[to.index()]);
        due.into_iter().all(|to| self.arrives(from, to))
    }

    fn receivers(&self, from: TorId) -> impl Iterator<Item = TorId> + use<'a> {
        self.fabric.receivers(self.fabric.transmits_into(from)).iter().copied()
    }

    /// The fewest hops to every ToR if every ToR of `relaying` relays.
    pub fn fewest_hops(&self, root: TorId, relaying: impl Fn(TorId) -> bool) -> Vec<Option<u32>> {
        let mut hops = vec![None; self.fabric.tors()];
        let mut open = VecDeque::from([(root, 0)]);
        while let Some((at, depth)) = open.pop_front() {
            if at != root && !relaying(at) {
                continue;
            }
            for to in self.receivers(at).filter(|&to| self.arrives(at, to)) {
                if hops[to.index()].is_none() {
                    hops[to.index()] = Some(depth + 1);
                    if to != root {
                        open.push_back((to, depth + 1));
                    }
                }
            }
        }
        hops
    }

    /// Number of ToRs, except the source, that get its packet if `root` transmits first and all relay.
    pub fn held(&self, source: TorId, root: TorId) -> usize {
        let hops = self.fewest_hops(root, |_| true);
        let holds = |t: &TorId| *t != source && (*t == root || hops[t.index()].is_some());
        self.fabric.tor_ids().filter(holds).count()
    }

    /// Follows every copy of a packet that `root` transmits. The source and the root do not relay from the
    /// fabric. Every other ToR relays what it accepts if it has a rule.
    pub fn play(
        &self,
        source: TorId,
        root: TorId,
        has_rule: impl Fn(TorId) -> bool,
        accept: &[(TorId, TorId)],
    ) -> Result<Played, String> {
        let tors = self.fabric.tors();
        let mut played = Played { hops: vec![None; tors], arrived: vec![0; tors] };
        let mut open = VecDeque::from([(root, 0)]);
        if !has_rule(root) {
            open.clear();
        }
        while let Some((at, depth)) = open.pop_front() {
            for to in self.receivers(at).filter(|&to| self.arrives(at, to)) {
                played.arrived[to.index()] += 1;
                if accept.iter().any(|&(tor, from)| tor == to && from != at) {
                    continue;
                }
                if played.hops[to.index()].replace(depth + 1).is_some() {
                    return Err(format!("source {source}: {to} takes a second copy, from {at}"));
                }
                if to != source && to != root && has_rule(to) {
                    open.push_back((to, depth + 1));
                }
            }
        }
        Ok(played)
    }

    /// Replays a repair and compares it with what light can reach.
    pub fn check(&self, repair: &Repair) -> Result<(), String> {
        let Repair { source, root, relays, accept, unreachable, max_hops, restricted: _ } = repair;
        let fail = |what: &str| Err(format!("{what}: {repair:?}"));
        let live = |t: TorId| !self.mute[t.index()];
        if !relays.is_sorted_by(|a, b| a < b) || !relays.iter().all(|&t| live(t)) {
            return fail("relays");
        }
        let others: Vec<TorId> = self.fabric.tor_ids().filter(|t| t != source).collect();
        let Some(root) = *root else {
            let none = relays.is_empty() && accept.is_empty() && *max_hops == 0;
            let nobody = self.dark[source.index()] || self.fabric.tor_ids().all(|t| !live(t));
            return if none && nobody && *unreachable == others { Ok(()) } else { fail("no root") };
        };
        if !live(root) || (live(*source) && root != *source) || self.dark[source.index()] {
            return fail("root");
        }
        if root != *source {
            let held = self.held(*source, root);
            if self.fabric.tor_ids().any(|t| live(t) && self.held(*source, t) > held) {
                return fail("a better root");
            }
        }
        let played = self.play(*source, root, |t| relays.binary_search(&t).is_ok(), accept)?;
        let can = self.fewest_hops(root, |_| true);
        let lost: Vec<TorId> =
            others.iter().copied().filter(|&t| t != root && can[t.index()].is_none()).collect();
        if *unreachable != lost {
            return fail("unreachable");
        }
        let missed = |t: &TorId| can[t.index()].is_some() && played.hops[t.index()].is_none();
        if others.iter().any(missed) {
            return fail("reachable but left out");
        }
        if others.iter().filter_map(|t| played.hops[t.index()]).max().unwrap_or(0) != *max_hops {
            return fail("hops");
        }
        let twice = |t: &TorId| played.arrived[t.index()] > 1;
        let filtered: Vec<TorId> = accept.iter().map(|a| a.0).collect();
        if filtered != self.fabric.tor_ids().filter(twice).collect::<Vec<_>>() {
            return fail("accept where two copies arrive and nowhere else");
        }
        if self.cut.is_empty() {
            let mut lit: Vec<_> = relays.iter().map(|&t| self.fabric.transmits_into(t)).collect();
            lit.sort_unstable();
            if lit.windows(2).any(|w| w[0] == w[1]) || !accept.is_empty() {
                return fail("two relays of one cassette");
            }
        }
        // Every relay is needed.
        let idle =
            |t: &TorId| *t != root && !self.receivers(*t).any(|to| self.takes(to, *t, accept));
        if relays.iter().any(idle) { fail("an idle relay") } else { Ok(()) }
    }

    fn takes(&self, to: TorId, from: TorId, accept: &[(TorId, TorId)]) -> bool {
        self.arrives(from, to) && !accept.iter().any(|&(tor, taken)| tor == to && taken != from)
    }
}

/// A random failure: its kind, and two draws for its parts.
pub type Draw = (u8, Index, Index);

/// One to `most` failures of every kind.
pub fn draws(most: usize) -> impl Strategy<Value = Vec<Draw>> {
    vec((0_u8..7, any::<Index>(), any::<Index>()), 1..=most)
}

/// The failures of a fabric that the draws select.
pub fn failures(fabric: &Fabric, draws: &[Draw]) -> Vec<Failure> {
    let failure = |&(kind, a, b): &Draw| {
        let tor = TorId::at(a.index(fabric.tors()));
        let of = |seats: &[TorId]| (!seats.is_empty()).then(|| seats[b.index(seats.len())]);
        match kind {
            0 => Failure::Relay(tor),
            1 => Failure::Transmitter(tor),
            2 => Failure::Splitter(tor),
            3 => of(fabric.receivers(fabric.transmits_into(tor)))
                .map_or(Failure::Relay(tor), |to| Failure::Branch { from: tor, to }),
            4 => {
                let ports = fabric.transmitters(fabric.receives_from(tor)).len();
                Failure::Receiver { tor, port: u32::try_from(b.index(ports)).unwrap() }
            }
            5 => Failure::Tor(tor),
            _ => Failure::Cassette(fabric.transmits_into(tor)),
        }
    };
    draws.iter().map(failure).collect()
}
