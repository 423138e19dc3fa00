//! What transmissions still reach, as a graph of receiver groups.
//!
//! A group is a vertex: the receivers of one cassette that the same transmitters can reach. A whole cassette
//! is one group unless branches failed. A transmitting ToR is an edge from the group that it receives in to
//! every group that it lights.

use std::collections::BTreeMap;

use lightloom_topology::{CassetteId, TorId};

use crate::failure::Damage;

/// A vertex of the graph.
pub(super) type Group = usize;

/// Groups, and the ToRs between them.
pub(super) struct Reach {
    groups: Vec<Vec<TorId>>,
    cassette_of: Vec<CassetteId>,
    group_of: Vec<Option<Group>>,
    lights: Vec<Vec<Group>>,
    senders: Vec<Vec<TorId>>,
}

impl Reach {
    /// Every receiver with power, grouped by the transmitters that can reach it.
    pub(super) fn exact(damage: &Damage<'_>) -> Self {
        Self::build(damage, |cassette, receivers| {
            let senders = damage.fabric().transmitters(cassette);
            let signature = |&to: &TorId| -> Vec<bool> {
                senders.iter().map(|&from| damage.arrives(from, to)).collect()
            };
            let mut groups: BTreeMap<Vec<bool>, Vec<TorId>> = BTreeMap::new();
            for to in receivers {
                groups.entry(signature(to)).or_default().push(*to);
            }
            // The group with the most senders first, so that it keeps the cassette's old relay.
            groups.into_values().rev().collect()
        })
    }

    /// One group per cassette. Only ToRs that light the whole cassette light its group: trees of this graph
    /// use one relay per cassette.
    pub(super) fn one_relay_a_cassette(damage: &Damage<'_>) -> Self {
        Self::build(damage, |_, receivers| vec![receivers.to_vec()])
    }

    fn build(damage: &Damage<'_>, split: impl Fn(CassetteId, &[TorId]) -> Vec<Vec<TorId>>) -> Self {
        let fabric = damage.fabric();
        let mut reach = Self {
            groups: Vec::new(),
            cassette_of: Vec::new(),
            group_of: vec![None; fabric.tors()],
            lights: vec![Vec::new(); fabric.tors()],
            senders: Vec::new(),
        };
        for cassette in fabric.cassette_ids() {
            let receivers = fabric.receivers(cassette).iter().copied();
            let powered: Vec<TorId> = receivers.filter(|&to| damage.has_power(to)).collect();
            if powered.is_empty() {
                continue;
            }
            for group in split(cassette, &powered) {
                let id = reach.groups.len();
                let all_arrive = |from: &TorId| group.iter().all(|&to| damage.arrives(*from, to));
                let senders = fabric.transmitters(cassette).iter().copied();
                let senders: Vec<TorId> = senders.filter(all_arrive).collect();
                for sender in &senders {
                    reach.lights[sender.index()].push(id);
                }
                for to in &group {
                    reach.group_of[to.index()] = Some(id);
                }
                reach.groups.push(group);
                reach.cassette_of.push(cassette);
                reach.senders.push(senders);
            }
        }
        reach
    }

    pub(super) fn len(&self) -> usize {
        self.groups.len()
    }

    /// The receivers of a group.
    pub(super) fn receivers(&self, group: Group) -> &[TorId] {
        &self.groups[group]
    }

    pub(super) fn cassette(&self, group: Group) -> CassetteId {
        self.cassette_of[group]
    }

    /// The group that a ToR receives in. `None`: it has no power.
    pub(super) fn group_of(&self, tor: TorId) -> Option<Group> {
        self.group_of[tor.index()]
    }

    /// The groups that a transmitting ToR lights.
    pub(super) fn lights(&self, tor: TorId) -> &[Group] {
        &self.lights[tor.index()]
    }

    /// The ToRs that light a group.
    pub(super) fn senders(&self, group: Group) -> &[TorId] {
        &self.senders[group]
    }

    /// The groups that light from a ToR can reach, through any relays except itself.
    pub(super) fn reached_from(&self, root: TorId) -> Vec<bool> {
        let mut reached = vec![false; self.len()];
        let mut queue: Vec<Group> = self.lights(root).to_vec();
        for &group in &queue {
            reached[group] = true;
        }
        while let Some(group) = queue.pop() {
            for &relay in self.receivers(group).iter().filter(|&&tor| tor != root) {
                for &next in self.lights(relay) {
                    if !std::mem::replace(&mut reached[next], true) {
                        queue.push(next);
                    }
                }
            }
        }
        reached
    }
}
