//! Every electrical network is wired as its definition states. Its next hops are exactly those that
//! petgraph's distances allow.

use std::collections::BTreeSet;

use lightloom_topology::electrical::{
    FatTree, LeafSpine, MulticastCore, Network, NextHops, NodeId, PortId,
};
use lightloom_units::{BitRate, Span};
use petgraph::algo::dijkstra;
use petgraph::graph::{NodeIndex, UnGraph};
use proptest::prelude::*;

pub(crate) const RATE: BitRate = BitRate::from_gbps(400);
pub(crate) const DELAY: Span = Span::from_ns(500);

pub(crate) fn fat_tree(ports: u32, hosts_per_edge: Option<u32>) -> FatTree {
    FatTree { ports, hosts_per_edge, rate: RATE, host_rate: None, delay: DELAY }
}

pub(crate) fn leaf_spine(leaves: u32, spines: u32, hosts_per_leaf: u32) -> LeafSpine {
    LeafSpine { leaves, spines, hosts_per_leaf, rate: RATE, host_rate: None, delay: DELAY }
}

pub(crate) fn multicast_core(tors: u32, ports: u32) -> MulticastCore {
    MulticastCore { tors, ports, rate: RATE, delay: DELAY }
}

pub(crate) fn nodes(network: &Network) -> impl Iterator<Item = NodeId> + use<> {
    (0..network.nodes()).map(NodeId::at)
}

pub(crate) fn hosts(network: &Network) -> impl Iterator<Item = NodeId> + use<> {
    (0..network.hosts()).map(NodeId::at)
}

fn graph(network: &Network) -> UnGraph<(), ()> {
    let mut graph = UnGraph::default();
    for _ in nodes(network) {
        graph.add_node(());
    }
    for node in nodes(network) {
        for port in network.ports(node).iter().filter(|port| port.peer > node) {
            graph.add_edge(NodeIndex::new(node.index()), NodeIndex::new(port.peer.index()), ());
        }
    }
    graph
}

/// Links from every node to one node.
fn distances(graph: &UnGraph<(), ()>, to: NodeId) -> Vec<usize> {
    let found = dijkstra(graph, NodeIndex::new(to.index()), None, |_| 1);
    graph.node_indices().map(|node| found[&node]).collect()
}

/// The network offers every shortest next hop toward these hosts, and no other.
pub(crate) fn check_routes(network: &Network, to: impl IntoIterator<Item = NodeId>) {
    let graph = graph(network);
    for to in to {
        let distance = distances(&graph, to);
        for at in nodes(network) {
            let here = distance[at.index()];
            let ports = network.ports(at);
            let nearer = |port: &PortId| distance[ports[port.index()].peer.index()] + 1 == here;
            let expected: Vec<_> = (0..ports.len()).map(PortId::at).filter(nearer).collect();
            let routes = network.routes(at, to);
            assert_eq!(routes.iter().collect::<Vec<_>>(), expected, "{at} to {to}");
            assert_eq!((routes.len(), routes.is_empty()), (expected.len(), at == to));
        }
        // Only after the check, because following wrong next hops might never end.
        for at in nodes(network) {
            assert_eq!(network.hops(at, to), distance[at.index()], "{at} to {to}");
        }
    }
}

/// Properties of every network.
pub(crate) fn check(network: &Network) {
    assert_eq!(network.nodes(), network.hosts() + network.switches());
    let mut names = BTreeSet::new();
    for node in nodes(network) {
        assert!(names.insert(network.name(node)), "{} twice", network.name(node));
        assert_eq!(network.is_host(node), node.index() < network.hosts());
        for (place, port) in network.ports(node).iter().enumerate() {
            let back = network.ports(port.peer)[port.peer_port.index()];
            assert_eq!((back.peer, back.peer_port), (node, PortId::at(place)));
            assert_eq!((back.rate, back.delay), (port.rate, port.delay));
        }
    }
    for host in hosts(network) {
        assert_eq!(network.ports(host).len(), 1);
        assert!(!network.is_host(network.ports(host)[0].peer));
    }
    let graph = graph(network);
    let from_hosts: Vec<_> = hosts(network).map(|host| distances(&graph, host)).collect();
    for node in nodes(network) {
        let nearest = from_hosts.iter().map(|distance| distance[node.index()]).min();
        assert_eq!(Some(usize::from(network.tier(node))), nearest);
    }
    let delays = nodes(network).flat_map(|node| network.ports(node)).map(|port| port.delay);
    assert_eq!(Some(network.shortest_delay()), delays.min());
    check_routes(network, hosts(network));
}

/// Links as pairs of nodes, the lower first, in order.
fn wires(network: &Network) -> Vec<(usize, usize)> {
    let mut wires: Vec<_> = nodes(network)
        .flat_map(|a| network.ports(a).iter().map(move |p| (a.index(), p.peer.index())))
        .filter(|(a, b)| a < b)
        .collect();
    wires.sort_unstable();
    wires
}

/// The fat tree's links as Al-Fares et al. (SIGCOMM 2008, section 2.2) define them: pod, place in
/// the pod, stride.
pub(crate) fn fat_tree_wires(k: usize, h: usize) -> Vec<(usize, usize)> {
    let half = k / 2;
    let edge = |pod: usize, place: usize| k * half * h + pod * half + place;
    let aggregation = |pod: usize, place: usize| edge(0, 0) + k * half + pod * half + place;
    let core = |group: usize, place: usize| edge(0, 0) + 2 * k * half + group * half + place;
    let mut wires = Vec::new();
    for pod in 0..k {
        for a in 0..half {
            for b in 0..half {
                wires.push((edge(pod, a), aggregation(pod, b)));
                wires.push((aggregation(pod, a), core(a, b)));
            }
            wires.extend((0..h).map(|i| (((pod * half) + a) * h + i, edge(pod, a))));
        }
    }
    wires.sort_unstable();
    wires
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn fat_trees_are_wired_and_routed_as_published(
        half in 2_u32..=4,
        hosts_per_edge in proptest::option::of(1_u32..=6),
    ) {
        let network = fat_tree(2 * half, hosts_per_edge).network().unwrap();
        let h = hosts_per_edge.unwrap_or(half) as usize;
        prop_assert_eq!(wires(&network), fat_tree_wires(2 * half as usize, h));
        check(&network);
    }

    #[test]
    fn every_leaf_meets_every_spine_once(
        leaves in 1_u32..=9,
        spines in 1_u32..=9,
        hosts_per_leaf in 1_u32..=6,
    ) {
        prop_assume!(leaves * hosts_per_leaf > 1);
        let network = leaf_spine(leaves, spines, hosts_per_leaf).network().unwrap();
        check(&network);
        prop_assert_eq!(network.hosts(), (leaves * hosts_per_leaf) as usize);
        prop_assert_eq!(network.switches(), (leaves + spines) as usize);
        let first_spine = network.hosts() + leaves as usize;
        for leaf in network.hosts()..first_spine {
            let peers: BTreeSet<_> =
                network.ports(NodeId::at(leaf)).iter().map(|port| port.peer.index()).collect();
            let below = (leaf - network.hosts()) * hosts_per_leaf as usize;
            let expected = (below..below + hosts_per_leaf as usize)
                .chain(first_spine..first_spine + spines as usize);
            prop_assert_eq!(peers, expected.collect::<BTreeSet<_>>());
        }
    }

    #[test]
    fn a_multicast_core_is_the_tree_that_the_paper_counts(
        tors in 2_u32..=240,
        ports in prop_oneof![3_u32..=9, 3_u32..=260],
    ) {
        let network = multicast_core(tors, ports).network().unwrap();
        check(&network);
        // level_0 = N; while level_i > m: level_(i+1) = ceil(level_i / (m-1)); L is their sum.
        let (mut level, mut uplinks, mut levels) = (tors, 0, 1);
        while level > ports {
            level = level.div_ceil(ports - 1);
            uplinks += level;
            levels += 1;
        }
        prop_assert_eq!(network.hosts(), tors as usize);
        prop_assert_eq!(network.switches(), uplinks as usize + 1);
        let ends: usize = nodes(&network).map(|node| network.ports(node).len()).sum();
        prop_assert_eq!(ends, 2 * (tors + uplinks) as usize);
        let top = NodeId::at(network.nodes() - 1);
        prop_assert_eq!(network.tier(top), levels);
        for switch in nodes(&network).skip(tors as usize) {
            prop_assert!(network.ports(switch).len() <= ports as usize);
            let ups = network.ports(switch).iter().filter(|port| port.peer > switch).count();
            prop_assert_eq!(ups, usize::from(switch != top));
        }
    }
}

#[test]
fn fat_trees_have_a_quarter_of_k_cubed_hosts_and_five_quarters_of_k_squared_switches() {
    for (k, hosts, switches) in
        [(4, 16, 20), (8, 128, 80), (16, 1024, 320), (32, 8192, 1280), (64, 65_536, 5120)]
    {
        let network = fat_tree(k, None).network().unwrap();
        assert_eq!((network.hosts(), network.switches()), (hosts, switches));
        let first = NodeId(0);
        let last = NodeId::at(hosts - 1);
        assert_eq!(network.hops(first, NodeId(1)), 2);
        assert_eq!(network.hops(first, NodeId(k / 2)), 4);
        assert_eq!(network.hops(first, last), 6);
        for switch in nodes(&network).skip(hosts) {
            assert_eq!(network.ports(switch).len(), k as usize);
        }
        let edge = network.ports(first)[0].peer;
        let up = u16::try_from(k / 2).unwrap();
        assert_eq!(network.routes(edge, last), NextHops::Range { first: up, count: up });
    }
}

#[test]
fn the_largest_networks_are_routed_too() {
    let sample = |network: &Network, of: usize| -> Vec<_> {
        (0..of).map(|i| NodeId::at(i * (network.hosts() - 1) / (of - 1))).collect()
    };
    let network = fat_tree(32, Some(17)).network().unwrap();
    check_routes(&network, sample(&network, 5));
    let network = multicast_core(4_099, 3).network().unwrap();
    check_routes(&network, sample(&network, 9));
    let network = leaf_spine(100, 40, 60).network().unwrap();
    check_routes(&network, sample(&network, 7));
}

#[test]
fn more_hosts_at_an_edge_switch_share_the_same_uplinks() {
    let network = fat_tree(8, Some(12)).network().unwrap();
    assert_eq!((network.hosts(), network.switches()), (8 * 4 * 12, 80));
    let edge = network.ports(NodeId(0))[0].peer;
    assert_eq!(network.ports(edge).len(), 12 + 4);
    let last = NodeId::at(network.hosts() - 1);
    assert_eq!(network.routes(edge, last), NextHops::Range { first: 12, count: 4 });
}

#[test]
fn hosts_may_have_a_rate_of_their_own() {
    let slow = BitRate::from_gbps(100);
    let tree = FatTree { host_rate: Some(slow), ..fat_tree(4, Some(3)) };
    let leaves = LeafSpine { host_rate: Some(slow), ..leaf_spine(3, 2, 4) };
    for network in [tree.network().unwrap(), leaves.network().unwrap()] {
        for node in nodes(&network) {
            for port in network.ports(node) {
                let host = network.is_host(node) || network.is_host(port.peer);
                assert_eq!(port.rate, if host { slow } else { RATE });
                assert_eq!(port.delay, DELAY);
            }
        }
    }
}

/// 8 ToRs at 4 ports: 3 switches below the top one; 192 at 32: 7; 2 N + 2 L port ends.
#[test]
fn multicast_cores_of_known_size() {
    for (tors, ports, switches, ends) in
        [(8, 4, 4, 22), (192, 32, 8, 398), (4, 4, 1, 8), (5, 4, 3, 14), (100, 4, 51, 300)]
    {
        let network = multicast_core(tors, ports).network().unwrap();
        assert_eq!(network.switches(), switches);
        let found: usize = nodes(&network).map(|node| network.ports(node).len()).sum();
        assert_eq!(found, ends);
    }
}

#[test]
fn nodes_are_called_what_and_which_they_are() {
    let network = fat_tree(4, Some(3)).network().unwrap();
    for (node, name) in [
        (0, "host 0"),
        (23, "host 23"),
        (24, "edge 0.0"),
        (27, "edge 1.1"),
        (32, "aggregation 0.0"),
        (39, "aggregation 3.1"),
        (40, "core 0"),
        (43, "core 3"),
    ] {
        assert_eq!(network.name(NodeId(node)), name);
    }
    let network = leaf_spine(2, 2, 2).network().unwrap();
    assert_eq!(network.name(NodeId(5)), "leaf 1");
    assert_eq!(network.name(NodeId(6)), "spine 0");
    let network = multicast_core(8, 4).network().unwrap();
    assert_eq!(network.name(NodeId(7)), "ToR 7");
    assert_eq!(network.name(NodeId(10)), "level-1 switch 2");
    assert_eq!(network.name(NodeId(11)), "level-2 switch 0");
}
