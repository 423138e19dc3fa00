//! Edge lists of any shape: wired as listed, next hops as petgraph measures.

use lightloom_topology::electrical::{
    Link, Network, NetworkError, NextHops, NodeId, PortId, edge_list,
};
use lightloom_units::{BitRate, Span};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::electrical::{DELAY, RATE, check, check_routes, fat_tree, fat_tree_wires, hosts, nodes};

/// Nodes called `h0`, `h1`, … and `s0`, `s1`, …
pub(crate) fn listed(
    hosts: usize,
    switches: usize,
    links: &[Link],
) -> Result<Network, NetworkError> {
    let names = |kind: &str, count: usize| -> Vec<String> {
        (0..count).map(|i| format!("{kind}{i}")).collect()
    };
    edge_list(&names("h", hosts), &names("s", switches), links)
}

/// A list with equal rates and delays.
pub(crate) fn alike(ends: &[(usize, usize)]) -> Vec<Link> {
    ends.iter().map(|&(a, b)| (a, b, RATE, DELAY)).collect()
}

#[derive(Debug, Clone)]
struct List {
    hosts: usize,
    switches: usize,
    links: Vec<Link>,
}

/// A random tree of switches, more links between any of them, and hosts at any of them. The order
/// of links and ends is random.
fn any_list() -> impl Strategy<Value = List> {
    (2_usize..=12, 1_usize..=10)
        .prop_flat_map(|(hosts, switches)| {
            let below = |i: usize| 0..i;
            let tree: Vec<_> = (1..switches).map(below).collect();
            let more = vec((0..switches, 0..switches), 0..=2 * switches);
            (Just(hosts), Just(switches), tree, more, vec(0..switches, hosts))
        })
        .prop_flat_map(|(hosts, switches, tree, more, access)| {
            let tree = tree.into_iter().enumerate().map(|(i, parent)| (i + 1, parent));
            let between = tree.chain(more).filter(|(a, b)| a != b);
            let between = between.map(|(a, b)| (hosts + a, hosts + b));
            let access = access.into_iter().enumerate().map(|(host, s)| (host, hosts + s));
            let ends: Vec<_> = between.chain(access).collect();
            let facts = vec((any::<bool>(), 1..u64::MAX, 1..u64::MAX), ends.len());
            (Just((hosts, switches)), Just(ends).prop_shuffle(), facts)
        })
        .prop_map(|((hosts, switches), ends, facts)| {
            let link = |((a, b), (turned, bps, ps))| {
                let (a, b) = if turned { (b, a) } else { (a, b) };
                (a, b, BitRate::from_bps(bps), Span::from_ps(ps))
            };
            List { hosts, switches, links: ends.into_iter().zip(facts).map(link).collect() }
        })
}

proptest! {
    #[test]
    fn a_network_is_wired_and_routed_as_listed(list in any_list()) {
        let network = listed(list.hosts, list.switches, &list.links).unwrap();
        check(&network);
        prop_assert_eq!((network.hosts(), network.switches()), (list.hosts, list.switches));
        for node in nodes(&network) {
            let ports = network.ports(node);
            let seen: Vec<_> =
                ports.iter().map(|p| (p.peer.index(), p.rate, p.delay)).collect();
            let of = |&(a, b, rate, delay): &Link| {
                let peer = if a == node.index() { b } else { a };
                (a == node.index() || b == node.index()).then_some((peer, rate, delay))
            };
            prop_assert_eq!(seen, list.links.iter().filter_map(of).collect::<Vec<_>>());
        }
    }
}

#[test]
fn a_listed_fat_tree_is_the_fat_tree() {
    for (k, h) in [(4, None), (6, None), (8, None), (6, Some(1)), (4, Some(5))] {
        let tree = fat_tree(k, h).network().unwrap();
        let h = h.unwrap_or(k / 2);
        let wires = fat_tree_wires(k as usize, h as usize);
        let network = listed(tree.hosts(), tree.switches(), &alike(&wires)).unwrap();
        for at in nodes(&tree) {
            assert_eq!(network.ports(at), tree.ports(at));
            assert_eq!(network.tier(at), tree.tier(at));
            for to in hosts(&tree) {
                assert_eq!(network.routes(at, to), tree.routes(at, to), "{at} to {to}");
            }
        }
    }
}

#[test]
fn parallel_links_are_ways_of_their_own_and_need_not_be_neighbours() {
    // h0 and h1 at s0 (node 3) and s1 (node 4); h2 at s2 (node 5), which is farther from h1.
    let ends = [(3, 4), (3, 5), (3, 4), (0, 3), (1, 4), (2, 5), (4, 3)];
    let network = listed(3, 3, &alike(&ends)).unwrap();
    assert_eq!(network.routes(NodeId(3), NodeId(1)), NextHops::List(&[0, 2, 4]));
    assert_eq!(network.routes(NodeId(3), NodeId(1)).get(2), PortId(4));
    assert_eq!(network.routes(NodeId(3), NodeId(0)), NextHops::Range { first: 3, count: 1 });
    assert_eq!(network.routes(NodeId(4), NodeId(2)), NextHops::List(&[0, 1, 3]));
    assert_eq!(network.routes(NodeId(0), NodeId(2)), NextHops::Range { first: 0, count: 1 });
    assert!(network.routes(NodeId(2), NodeId(2)).is_empty());
    check(&network);
}

#[test]
fn nodes_keep_their_names_and_tiers_end_at_255() {
    let chain = 600;
    let mut ends: Vec<_> = (2..chain + 1).map(|s| (s, s + 1)).collect();
    ends.extend([(0, 2), (1, chain + 1)]);
    let network = listed(2, chain, &alike(&ends)).unwrap();
    check_routes(&network, hosts(&network));
    assert_eq!(network.name(NodeId(1)), "h1");
    assert_eq!(network.name(NodeId(2)), "s0");
    assert_eq!(network.tier(NodeId(2)), 1);
    assert_eq!(network.tier(NodeId::at(2 + chain / 2)), 255);
    assert_eq!(network.hops(NodeId(0), NodeId(1)), chain + 1);
}
