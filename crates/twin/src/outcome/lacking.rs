//! Why receivers lack packets of datagrams: each packet that a receiver lacks was dropped once on its way, never sent, or has
//! no way there.
//!
//! Trees do not branch together again, so that what was dropped at the places of a receiver's way are the packets that it
//! lacks: where one was dropped, no copy of it comes further.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_topology::electrical::NodeId;

use super::causes::Causes;
use super::{CastOutcome, Outcome};
use crate::drops::{DropReason, DropSpot};
use crate::multicast::{Cast, Multicast, Rewrite, Rule, Service, Updated, WayOut};
use crate::packet::GroupId;
use crate::simulation::Simulation;
use crate::wires::{Place, Wires};

/// A place where a packet can be dropped.
type Spot = (NodeId, u16, DropSpot);

/// The places on the way to each receiver that packets of a group reach.
type Ways = BTreeMap<NodeId, Vec<Spot>>;

/// Dropped data packets of messages to groups, by message, place and reason.
pub(super) type CastDrops = BTreeMap<(usize, Spot, DropReason), u64>;

impl Outcome {
    /// Finds the causes of all messages of datagrams that somebody lacks a part of.
    pub(super) fn find_causes(&mut self, simulation: &Simulation<'_>, drops: &CastDrops) {
        let multicast = &simulation.multicast;
        // A switch that begins anew drops several copies of one packet at one place.
        if !simulation.restarts.is_empty() {
            return;
        }
        let changed: BTreeSet<GroupId> = multicast.updates.iter().filter_map(changes).collect();
        let mut known: BTreeMap<(GroupId, NodeId), Option<Ways>> = BTreeMap::new();
        for (number, (cast, came)) in multicast.casts.iter().zip(&mut self.casts).enumerate() {
            let is_datagram = multicast.groups[cast.to.0 as usize].service == Service::Datagrams;
            let is_lacking = came.receivers.iter().any(|got| got.received.is_none());
            if !is_datagram || !is_lacking || changed.contains(&cast.to) {
                continue;
            }
            let ways = known
                .entry((cast.to, cast.from))
                .or_insert_with(|| ways(multicast, simulation.wires(), cast));
            if let Some(ways) = ways {
                let all = cast.size.as_bytes().div_ceil(simulation.params.wire.mtu.into()).max(1);
                came.find_causes((number, all), ways, drops);
            }
        }
    }
}

/// The group whose rules an update changes.
fn changes(update: &crate::multicast::Update) -> Option<GroupId> {
    match &update.what {
        Updated::Rule(rule) => Some(rule.group),
        Updated::Light { .. } | Updated::StandIn { .. } => None,
    }
}

impl CastOutcome {
    /// `all` packets belong to the message.
    fn find_causes(&mut self, (number, all): (usize, u64), ways: &Ways, drops: &CastDrops) {
        let unsent = all.saturating_sub(self.all.sent);
        for got in self.receivers.iter_mut().filter(|got| got.received.is_none()) {
            let lacks = all.saturating_sub(got.delivered - got.spurious);
            let Some(way) = ways.get(&got.host) else {
                let causes =
                    Causes { end: unsent, rules: lacks - unsent.min(lacks), ..Causes::default() };
                got.causes = Some(causes).filter(|causes| causes.sum() == lacks);
                continue;
            };
            let mut causes = Causes::default();
            let mut is_clear = true;
            for &spot in way {
                let from = (number, spot, DropReason::Buffer);
                let at =
                    drops.range(from..).take_while(|((of, at, _), _)| (*of, *at) == (number, spot));
                for (&(.., reason), &packets) in at {
                    match reason {
                        DropReason::Dead => causes.dead += packets,
                        DropReason::Link | DropReason::Corrupt => causes.lost += packets,
                        DropReason::Buffer => causes.overflow += packets,
                        DropReason::Stray | DropReason::Expired => causes.rules += packets,
                        // Copies that waited together are dropped at one place, others of the same packet went out.
                        DropReason::Headroom => is_clear = false,
                    }
                }
            }
            let known = causes.sum();
            is_clear &= known <= lacks;
            causes.end = lacks.saturating_sub(known);
            got.causes = Some(causes).filter(|_| is_clear);
        }
    }
}

/// The places on the way of one sender's packets to each receiver. `None`: some place has two ways to it.
fn ways(multicast: &Multicast, wires: &Wires<'_>, cast: &Cast) -> Option<Ways> {
    let of_group = || multicast.rules.iter().filter(|rule| rule.group == cast.to);
    let mut rules: BTreeMap<NodeId, &Rule> =
        of_group().filter(|rule| rule.source.is_none()).map(|rule| (rule.at, rule)).collect();
    rules.extend(of_group().filter(|r| r.source == Some(cast.from)).map(|rule| (rule.at, rule)));
    let mut found = BTreeMap::new();
    let mut seen: BTreeSet<NodeId> = BTreeSet::new();
    let first = vec![(cast.from, 0, DropSpot::Leaving)];
    let mut open: Vec<(Place, Vec<Spot>)> = vec![(wires.other_end((cast.from, 0))?, first)];
    while let Some(((node, port), mut way)) = open.pop() {
        way.push((node, port, DropSpot::Inside));
        if wires.network.is_host(node) {
            if found.insert(node, way).is_some() {
                return None;
            }
            continue;
        }
        let Some(rule) = rules.get(&node) else { continue };
        let accepted = rule.accept.map(|way| wires.port_in(node, way));
        if accepted.is_some_and(|accepted| accepted != Some(port)) {
            continue;
        }
        if !seen.insert(node) {
            return None;
        }
        for &(out, rewrite) in &rule.ways {
            let Some(leaves) = wires.port_out(node, out) else { continue };
            let mut onward = way.clone();
            onward.push((node, leaves, DropSpot::Leaving));
            match out {
                WayOut::Link(_) => {
                    let next = wires.other_end((node, leaves))?;
                    // From here on it takes the ways of unicast.
                    let is_unicast = matches!(rewrite, Rewrite::ToHost(host) if host != next.0);
                    if is_unicast {
                        return None;
                    }
                    open.push((next, onward));
                }
                WayOut::Splitter(splitter) => {
                    for (&(next, _), branch) in wires.branches(splitter).iter().zip(0..) {
                        let mut onward = onward.clone();
                        onward.push((node, leaves, DropSpot::Branch(branch)));
                        open.push((next, onward));
                    }
                }
            }
        }
    }
    Some(found)
}
