//! Rings of ports that have paused each other for ever, looked for when a run has ended.
//!
//! A port of a switch is paused by the switch at its other end until enough of the packets have left there
//! that came in over the link. Those wait at ports that may be paused themselves. Ports that may still go on
//! are taken away, and those that they let go on, until no more can be: each of those that remain waits for
//! another that remains, whatever else happens, so following them leads into a ring.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_topology::electrical::NodeId;
use lightloom_units::Instant;

use crate::build::{AnyNode, Cut};
use crate::engine::Part;
use crate::packet::{Class, Kind};
use crate::switch::{ByIngress, Switch, of_port};
use crate::wires::{Place, Wires};

/// A port whose lossless packets wait, and their bytes.
pub(crate) type Waiting = (NodeId, u16, u64);

/// Ports that are paused for ever.
#[derive(Debug, Default)]
pub(crate) struct Deadlock {
    /// Rings, each in the order in which its ports wait: for the next one, and the last for the first.
    pub(crate) rings: Vec<Vec<Waiting>>,
    /// All of them: those of rings, and those that wait for one.
    pub(crate) stuck: Vec<Waiting>,
}

/// The nodes of a run that has ended.
struct State<'a, 'b> {
    wires: &'a Wires<'a>,
    cut: &'a Cut,
    parts: &'a [Part<AnyNode<'b>>],
    /// Where a sender is about to be told to go on.
    released: BTreeSet<Place>,
    /// Where lossless packets are about to arrive.
    expected: BTreeSet<Place>,
}

/// Finds the ports that are paused for ever, in the state at a time.
pub(crate) fn find(
    wires: &Wires<'_>,
    cut: &Cut,
    parts: &[Part<AnyNode<'_>>],
    now: Instant,
) -> Deadlock {
    let state = State::new(wires, cut, parts);
    let mut stuck = state.held(now);
    if stuck.is_empty() {
        return Deadlock::default();
    }
    // What waits at each of them, by the port that it came in on.
    let by_ingress = |&(id, port): &Place| {
        let waits = state.switch(id).map(|switch| switch.lossless_by_ingress(port));
        ((id, port), waits.unwrap_or_default())
    };
    let waits: BTreeMap<Place, ByIngress> = stuck.iter().map(by_ingress).collect();
    loop {
        let before = stuck.len();
        let held = state.held_for_ever(&stuck, &waits);
        let is_held = |end: Place| held.contains(&end);
        stuck.retain(|&place| wires.other_end(place).is_some_and(is_held));
        if stuck.len() == before {
            break;
        }
    }
    Deadlock { rings: state.rings(&stuck, &waits), stuck: state.waiting(stuck.iter().copied()) }
}

impl<'a, 'b> State<'a, 'b> {
    fn new(wires: &'a Wires<'a>, cut: &'a Cut, parts: &'a [Part<AnyNode<'b>>]) -> Self {
        let (mut released, mut expected) = (BTreeSet::new(), BTreeSet::new());
        for (part, ids) in parts.iter().zip(&cut.nodes) {
            for (local, arrival) in part.on_the_way() {
                let (packet, place) = (&arrival.packet, (ids[local], arrival.packet.port));
                let goes_on = packet.kind == Kind::Pause && packet.psn.get() == 0;
                if packet.class == Class::LOSSLESS && goes_on {
                    released.extend(wires.way_back(place).map(|port| (place.0, port)));
                } else if packet.class == Class::LOSSLESS && packet.kind != Kind::Pause {
                    expected.insert(place);
                }
            }
        }
        Self { wires, cut, parts, released, expected }
    }

    fn switch(&self, id: NodeId) -> Option<&'a Switch<'b>> {
        let address = self.cut.address(id);
        match &self.parts[usize::from(address.part)].nodes[address.local as usize] {
            AnyNode::Switch(switch) => Some(switch),
            AnyNode::Host(_) => None,
        }
    }

    /// Ports that are paused by another switch, which holds them still.
    fn held(&self, now: Instant) -> BTreeSet<Place> {
        let nodes = self.cut.nodes.iter().flatten();
        let paused = nodes.filter_map(|&id| Some((id, self.switch(id)?.paused_lossless(now))));
        let places = paused.flat_map(|(id, ports)| ports.map(move |port| (id, port)));
        let is_held = |&place: &Place| {
            let holds = |(by, port)| self.switch(by).is_some_and(|switch| switch.holds(port));
            self.wires.other_end(place).is_some_and(holds) && !self.released.contains(&place)
        };
        places.filter(is_held).collect()
    }

    /// Where senders are held for ever by what waits at ports that are.
    fn held_for_ever(
        &self,
        stuck: &BTreeSet<Place>,
        waits: &BTreeMap<Place, ByIngress>,
    ) -> BTreeSet<Place> {
        let mut never_leave: BTreeMap<NodeId, ByIngress> = BTreeMap::new();
        for (id, port) in stuck {
            let at = never_leave.entry(*id).or_default();
            at.extend(&waits[&(*id, *port)]);
        }
        let held = never_leave.iter().filter_map(|(&id, never_leave)| {
            let comes = move |port| self.expected.contains(&(id, port));
            let held = self.switch(id)?.held_for_ever(never_leave, comes);
            Some(held.map(move |port| (id, port)))
        });
        held.flatten().collect()
    }

    /// The rings that following the ports leads into, each from one to the one where most of the bytes wait
    /// that hold it.
    fn rings(
        &self,
        stuck: &BTreeSet<Place>,
        waits: &BTreeMap<Place, ByIngress>,
    ) -> Vec<Vec<Waiting>> {
        let next = |&place: &Place| {
            let (by, ingress) = self.wires.other_end(place).expect("only links are ever paused");
            let ports = stuck.range((by, 0)..=(by, u16::MAX));
            let bytes = |place: &Place| of_port(&waits[place], ingress);
            // Of equal ones the first.
            let most = ports.rev().max_by_key(|place| bytes(place));
            (place, most.copied().expect("what holds a stuck port waits at stuck ports"))
        };
        let next: BTreeMap<Place, Place> = stuck.iter().map(next).collect();
        let mut seen = BTreeSet::new();
        let mut rings = Vec::new();
        for &start in stuck {
            // The places of this walk, in order.
            let (mut walk, mut at) = (Vec::new(), start);
            while seen.insert(at) {
                walk.push(at);
                at = next[&at];
            }
            if let Some(begins) = walk.iter().position(|&place| place == at) {
                let mut ring = walk.split_off(begins);
                let first = (0..ring.len()).min_by_key(|&i| ring[i]).unwrap_or(0);
                ring.rotate_left(first);
                rings.push(self.waiting(ring.into_iter()));
            }
        }
        rings.sort_unstable();
        rings
    }

    fn waiting(&self, places: impl Iterator<Item = Place>) -> Vec<Waiting> {
        let bytes = |id, port| self.switch(id).map_or(0, |switch| switch.lossless_bytes(port));
        places.map(|(id, port)| (id, port, bytes(id, port))).collect()
    }
}
