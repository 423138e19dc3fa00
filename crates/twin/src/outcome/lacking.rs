//! Why receivers lack packets of datagrams: each packet that a receiver lacks was dropped once on its way, never sent,
//! or has no way there.
//!
//! Trees do not branch together again, so that what was dropped at the places of a receiver's way are the packets that
//! it lacks: where one was dropped, no copy of it comes further.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_setup::{Cast, Egress, Multicast, Rewrite, Rule, Service, Updated};
use lightloom_topology::electrical::NodeId;
use lightloom_units::Instant;

use super::causes::Causes;
use super::{CastOutcome, Outcome};
use crate::drops::{DropReason, DropSpot, Dropped};
use crate::packet::GroupId;
use crate::simulation::Simulation;
use crate::wires::{Place, Wires};

/// A place where a packet can be dropped.
type Spot = (NodeId, u16, DropSpot);

/// The places on the way to each receiver that packets of a group reach.
type Ways = BTreeMap<NodeId, Vec<Spot>>;

/// Dropped data packets of messages to groups, by message, place and reason.
pub(super) type CastDrops = BTreeMap<(usize, Spot, DropReason), Dropped>;

impl Outcome {
    /// Finds the causes of all messages of datagrams that somebody lacks a part of.
    pub(super) fn find_causes(&mut self, simulation: &Simulation<'_>, drops: &CastDrops) {
        let multicast = &simulation.multicast;
        // A switch that begins anew drops several copies of one packet at one place.
        if !simulation.restarts.is_empty() {
            return;
        }
        let mtu = simulation.params.wire.mtu;
        let changes = changes(multicast);
        let mut known: BTreeMap<(GroupId, NodeId, Option<Instant>), Option<Ways>> = BTreeMap::new();
        for (number, (cast, came)) in multicast.casts.iter().zip(&mut self.casts).enumerate() {
            let is_datagram = multicast.groups[cast.to.0 as usize].service == Service::Datagrams;
            let is_lacking = came.receivers.iter().any(|got| got.received.is_none());
            if !is_datagram || !is_lacking {
                continue;
            }
            let to_one = [None, Some(cast.from)].map(|source| changes.get(&(cast.to, source)));
            let all = to_one.into_iter().flatten().flatten().copied().collect();
            let Some(since) = came.rules_met((number, cast), &all, (drops, mtu)) else { continue };
            let ways = known
                .entry((cast.to, cast.from, since))
                .or_insert_with(|| ways(multicast, simulation.wires(), (cast, since)));
            if let Some(ways) = ways {
                let packets = cast.size.as_bytes().div_ceil(mtu.into()).max(1);
                let is_out = came.all.is_out(cast, mtu);
                came.find_causes((number, packets), (ways, is_out), drops);
            }
        }
    }
}

/// When the rules of a group change, for all senders (none) or for one of them.
fn changes(multicast: &Multicast) -> BTreeMap<(GroupId, Option<NodeId>), BTreeSet<Instant>> {
    let mut changes: BTreeMap<_, BTreeSet<Instant>> = BTreeMap::new();
    for update in &multicast.updates {
        if let Updated::Rule(rule) = &update.what {
            changes.entry((rule.group, rule.source)).or_default().insert(update.at);
        }
    }
    changes
}

impl CastOutcome {
    /// The last change of rules before the message (none: they are as at the start), if all of its packets met the
    /// rules that stand since then. `None`: some met others, or may have.
    fn rules_met(
        &self,
        (number, cast): (usize, &Cast),
        changes: &BTreeSet<Instant>,
        (drops, mtu): (&CastDrops, u16),
    ) -> Option<Option<Instant>> {
        // A message that was not asked for has met no rules.
        let Some(asked) = self.all.asked else { return Some(None) };
        let since = changes.range(..=asked).next_back().copied();
        if let Some(&next) = changes.range(asked..).find(|&&at| at > asked) {
            let first = (NodeId::at(0), 0, DropSpot::Inside);
            let of_message = drops.range((number, first, DropReason::Buffer)..);
            let dropped =
                of_message.take_while(|((of, ..), _)| *of == number).map(|(_, at)| at.last);
            let arrived = self.receivers.iter().filter_map(|got| got.last);
            let is_before = arrived.chain(dropped).all(|last| last < next);
            if !(self.all.is_out(cast, mtu) && is_before) {
                return None;
            }
        }
        Some(since)
    }

    /// `all` packets belong to the message. `is_out`: they were all sent, and none is under way.
    fn find_causes(
        &mut self,
        (number, all): (usize, u64),
        (ways, is_out): (&Ways, bool),
        drops: &CastDrops,
    ) {
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
                for (&(.., reason), &Dropped { packets, .. }) in at {
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
            is_clear &= causes.end == 0 || !is_out;
            got.causes = Some(causes).filter(|_| is_clear);
        }
    }
}

/// The places on the way of one sender's packets to each receiver, by the rules that stand after the changes up to
/// `since` (none: as at the start). `None`: some place has two ways to it.
fn ways(
    multicast: &Multicast,
    wires: &Wires<'_>,
    (cast, since): (&Cast, Option<Instant>),
) -> Option<Ways> {
    let mut made: Vec<(Instant, &Rule)> = Vec::new();
    for update in multicast.updates.iter().filter(|update| Some(update.at) <= since) {
        if let Updated::Rule(rule) = &update.what {
            made.push((update.at, rule));
        }
    }
    made.sort_by_key(|&(at, _)| at);
    let all = multicast.rules.iter().chain(made.into_iter().map(|(_, rule)| rule));
    let mut rules: BTreeMap<(NodeId, bool), &Rule> = BTreeMap::new();
    for rule in all.filter(|rule| rule.group == cast.to) {
        if rule.source.is_none_or(|source| source == cast.from) {
            rules.insert((rule.at, rule.source.is_some()), rule);
        }
    }
    // A rule for the sender stands above one for all.
    let rule_at = |node| rules.get(&(node, true)).or_else(|| rules.get(&(node, false))).copied();
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
        let Some(rule) = rule_at(node) else { continue };
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
                Egress::Link(_) => {
                    let next = wires.other_end((node, leaves))?;
                    // From here on it takes the ways of unicast.
                    let is_unicast = matches!(rewrite, Rewrite::ToHost(host) if host != next.0);
                    if is_unicast {
                        return None;
                    }
                    open.push((next, onward));
                }
                Egress::Splitter(splitter) => {
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
