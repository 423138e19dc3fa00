//! Detours: with links dead, next hops are those of the shortest ways over what is left.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use lightloom_topology::electrical::{Network, NodeId};
use proptest::prelude::*;

use crate::electrical::{fat_tree, leaf_spine};

/// Links of what is left between a node and all that it reaches.
fn distances(
    network: &Network,
    dead: &BTreeSet<(NodeId, u16)>,
    from: NodeId,
) -> BTreeMap<NodeId, u32> {
    let mut far = BTreeMap::from([(from, 0)]);
    let mut queue = VecDeque::from([from]);
    while let Some(at) = queue.pop_front() {
        let own = far[&at];
        for (port, link) in (0_u16..).zip(network.ports(at)) {
            let is_dead =
                dead.contains(&(at, port)) || dead.contains(&(link.peer, link.peer_port.0));
            if !is_dead && !far.contains_key(&link.peer) {
                far.insert(link.peer, own + 1);
                queue.push_back(link.peer);
            }
        }
    }
    far
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(80) })]
    #[test]
    fn routes_are_shortest_over_what_is_left(
        is_tree in any::<bool>(),
        links in proptest::collection::vec((any::<usize>(), any::<usize>()), 0..8),
        switches in proptest::collection::vec(any::<usize>(), 0..3),
    ) {
        let network = if is_tree { fat_tree(4, None).network() } else { leaf_spine(5, 3, 2).network() };
        let network = network.unwrap();
        let nodes = network.nodes();
        let mut dead: BTreeSet<(NodeId, u16)> = BTreeSet::new();
        for (node, port) in links {
            let node = NodeId::at(node % nodes);
            let (port, _) = (0_u16..).zip(network.ports(node)).nth(port % network.ports(node).len()).unwrap();
            dead.insert((node, port));
        }
        for switch in switches {
            let node = NodeId::at(network.hosts() + switch % network.switches());
            dead.extend((0_u16..).zip(network.ports(node)).map(|(port, _)| (node, port)));
        }
        let detours = network.detours(dead.iter().copied());
        prop_assert!(detours.fits(&network));
        let mut largest = BTreeSet::new();
        for to in (0..network.hosts()).map(NodeId::at) {
            let far = distances(&network, &dead, to);
            let hosts: BTreeSet<NodeId> =
                far.keys().copied().filter(|&node| network.is_host(node)).collect();
            if hosts.len() > largest.len() {
                largest = hosts;
            }
            for at in (network.hosts()..nodes).map(NodeId::at) {
                let routes: Vec<u16> =
                    network.routes_around(&detours, at, to).iter().map(|port| port.0).collect();
                prop_assert!(!routes.is_empty());
                let Some(&own) = far.get(&at) else { continue };
                let nearer = |(port, link): &(u16, &lightloom_topology::electrical::Port)| {
                    let is_dead =
                        dead.contains(&(at, *port)) || dead.contains(&(link.peer, link.peer_port.0));
                    !is_dead && far.get(&link.peer).is_some_and(|&peer| peer < own)
                };
                let ports = (0_u16..).zip(network.ports(at)).filter(nearer);
                let expected: Vec<u16> = ports.map(|(port, _)| port).collect();
                prop_assert_eq!(routes, expected, "{} to {}", at, to);
            }
        }
        let cut_off: BTreeSet<NodeId> = detours.cut_off().iter().copied().collect();
        let all: BTreeSet<NodeId> = (0..network.hosts()).map(NodeId::at).collect();
        let expected: BTreeSet<NodeId> = all.difference(&largest).copied().collect();
        prop_assert_eq!(cut_off.len(), expected.len());
        prop_assert_eq!(cut_off, expected);
    }
}

/// Nothing is listed where nothing is dead, and little where one link is.
#[test]
fn only_what_changes_is_listed() {
    let network = fat_tree(8, None).network().unwrap();
    assert_eq!(network.detours([]).entries(), 0);
    // The first link up of the first edge switch: that switch toward all 31 others, and what leads down over the link.
    let edge = NodeId::at(network.hosts());
    let up = (0_u16..).zip(network.ports(edge)).find(|(_, link)| !network.is_host(link.peer));
    let detours = network.detours([(edge, up.unwrap().0)]);
    let (all, listed) = (network.switches() * 32, detours.entries());
    assert!((31..200).contains(&listed), "{listed} of {all}");
    assert_eq!(detours.changed_from(&network.detours([])), listed);
}
