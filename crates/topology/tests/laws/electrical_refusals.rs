//! For any arguments, an electrical network is made, or the message names the error.

use lightloom_topology::electrical::{
    FatTree, LeafSpine, Link, MAX_HOSTS, MulticastCore, NetworkError, NodeId, edge_list,
};
use lightloom_units::{BitRate, Span};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::electrical::{DELAY, RATE, check, fat_tree, leaf_spine, multicast_core};
use crate::electrical_lists::{alike, listed};

const STILL: BitRate = BitRate::from_bps(0);

#[test]
fn fat_trees_have_an_even_number_of_ports() {
    for ports in [0, 1, 2, 3, 5, 127, 129, 130, u32::MAX] {
        let refused = fat_tree(ports, None).network().unwrap_err();
        assert_eq!(refused, NetworkError::FatTreePorts(ports));
    }
    assert_eq!(fat_tree(128, None).network().unwrap().hosts(), 524_288);
}

#[test]
fn hosts_are_two_to_the_limit() {
    let hosts = |result: Result<_, NetworkError>| result.map(|_| ()).unwrap_err();
    assert_eq!(hosts(fat_tree(4, Some(0)).network()), NetworkError::Hosts(0));
    let most = u64::from(u32::MAX);
    let refused = hosts(fat_tree(128, Some(u32::MAX)).network());
    assert_eq!(refused, NetworkError::Hosts(8192 * most));
    let refused = hosts(leaf_spine(u32::MAX, u32::MAX, u32::MAX).network());
    assert_eq!(refused, NetworkError::Hosts(most * most));
    for (leaves, h) in [(0, 5), (5, 0), (1, 1)] {
        let refused = hosts(leaf_spine(leaves, 1, h).network());
        assert_eq!(refused, NetworkError::Hosts(u64::from(leaves * h)));
    }
    for tors in [0, 1, MAX_HOSTS + 1, u32::MAX] {
        let refused = hosts(multicast_core(tors, 3).network());
        assert_eq!(refused, NetworkError::Hosts(tors.into()));
    }
    assert_eq!(hosts(listed(0, 0, &[])), NetworkError::Hosts(0));
    assert_eq!(hosts(listed(1, 1, &alike(&[(0, 1)]))), NetworkError::Hosts(1));
    assert_eq!(multicast_core(MAX_HOSTS, 64).network().unwrap().hosts(), MAX_HOSTS as usize);
}

#[test]
fn switches_have_65535_ports_at_most() {
    let too_many =
        |switch: &str, ports| NetworkError::TooManyPorts { switch: switch.into(), ports };
    let edge = fat_tree(4, Some(65_534)).network().unwrap_err();
    assert_eq!(edge, too_many("edge 0.0", 65_536));
    let leaf = leaf_spine(1, 0, 65_536).network().unwrap_err();
    assert_eq!(leaf, too_many("leaf 0", 65_536));
    let spine = leaf_spine(65_536, 1, 1).network().unwrap_err();
    assert_eq!(spine, too_many("spine 0", 65_536));
    let top = multicast_core(65_536, u32::MAX).network().unwrap_err();
    assert_eq!(top, too_many("level-1 switch 0", 65_536));
    let full = leaf_spine(1, 0, 65_535).network().unwrap();
    assert_eq!(full.routes(NodeId(65_535), NodeId(65_534)).get(0).0, 65_534);
    let refused = leaf_spine(3_000, 3_000, 1).network().unwrap_err();
    assert_eq!(refused, NetworkError::Links(3_000 * 3_001));
}

#[test]
fn parts_that_join_nothing_are_refused() {
    assert_eq!(leaf_spine(2, 0, 4).network().unwrap_err(), NetworkError::NoSpines { leaves: 2 });
    assert_eq!(leaf_spine(1, 0, 4).network().unwrap().switches(), 1);
    for ports in 0..3 {
        let refused = multicast_core(8, ports).network().unwrap_err();
        assert_eq!(refused, NetworkError::CorePorts(ports));
    }
}

#[test]
fn every_link_carries_something_and_takes_time() {
    let rate = |link, from: &str, to: &str| {
        Some(NetworkError::ZeroRate { link, from: from.into(), to: to.into() })
    };
    let delay = |link, from: &str, to: &str| {
        Some(NetworkError::ZeroDelay { link, from: from.into(), to: to.into() })
    };
    let tree = fat_tree(4, None);
    let spine = leaf_spine(2, 2, 2);
    let core = multicast_core(8, 4);
    let none = Span::ZERO;
    let refused = FatTree { host_rate: Some(STILL), ..tree }.network().err();
    assert_eq!(refused, rate(0, "host 0", "edge 0.0"));
    let refused = FatTree { rate: STILL, host_rate: Some(RATE), ..tree }.network().err();
    assert_eq!(refused, rate(16, "edge 0.0", "aggregation 0.0"));
    assert_eq!(FatTree { delay: none, ..tree }.network().err(), delay(0, "host 0", "edge 0.0"));
    let refused = LeafSpine { rate: STILL, ..spine }.network().err();
    assert_eq!(refused, rate(0, "host 0", "leaf 0"));
    assert_eq!(LeafSpine { delay: none, ..spine }.network().err(), delay(0, "host 0", "leaf 0"));
    let refused = MulticastCore { rate: STILL, ..core }.network().err();
    assert_eq!(refused, rate(0, "ToR 0", "level-1 switch 0"));
    let refused = MulticastCore { delay: none, ..core }.network().err();
    assert_eq!(refused, delay(0, "ToR 0", "level-1 switch 0"));
    let link = (1, 2, STILL, DELAY);
    assert_eq!(listed(2, 1, &[(0, 2, RATE, DELAY), link]).err(), rate(1, "h1", "s0"));
    let link = (2, 1, RATE, none);
    assert_eq!(listed(2, 1, &[(0, 2, RATE, DELAY), link]).err(), delay(1, "s0", "h1"));
}

#[test]
fn lists_that_are_no_network_name_the_node() {
    let refused = |hosts, switches, ends: &[(usize, usize)]| {
        listed(hosts, switches, &alike(ends)).unwrap_err().to_string()
    };
    for (ends, message) in [
        (
            &[(0, 2), (1, 4)][..],
            "link 1 names node 4, but the network has 4 nodes, numbered from 0",
        ),
        (&[(0, 2), (1, 3), (2, 2)], "found a link from s0 to itself; a link joins two nodes"),
        (
            &[(0, 2), (1, 0)],
            "found a link between the hosts h1 and h0; a host is linked to a switch",
        ),
        (&[(0, 2), (2, 3)], "found 0 links at the host h1; a host has exactly 1 link"),
        (&[(0, 2), (1, 3), (3, 1)], "found 2 links at the host h1; a host has exactly 1 link"),
        (
            &[(0, 2), (1, 3)],
            "there is no way from h0 to h1; all hosts and switches must be joined by links",
        ),
        (
            &[(0, 2), (1, 2)],
            "there is no way from h0 to s1; all hosts and switches must be joined by links",
        ),
    ] {
        assert_eq!(refused(2, 2, ends), message);
    }
}

#[test]
fn names_are_given_once() {
    let names = |list: &[&str]| -> Vec<String> { list.iter().map(ToString::to_string).collect() };
    for (hosts, switches, first, second) in [
        (["a", "a"], ["b", "c"], 0, 1),
        (["b", "a"], ["c", "a"], 1, 3),
        (["b", "c"], ["a", "a"], 2, 3),
    ] {
        let refused = edge_list(&names(&hosts), &names(&switches), &[]).unwrap_err();
        assert_eq!(refused, NetworkError::DuplicateName { name: "a".into(), first, second });
    }
}

#[test]
fn tables_that_would_not_fit_are_refused() {
    // One host per switch: 8193 squared is just above 2^26.
    let chain = |n: usize, links: usize| -> Vec<(usize, usize)> {
        let steps = (1..n).flat_map(|s| std::iter::repeat_n((n + s - 1, n + s), links));
        (0..n).map(|s| (s, n + s)).chain(steps).collect()
    };
    let refused = |n| NetworkError::Table { switches: n, targets: n };
    let ends = chain(8193, 1);
    assert_eq!(listed(8193, 8193, &alike(&ends)).unwrap_err(), refused(8193));
    // In a ring of bundles, links to the left and to the right alternate at each switch, so the
    // ports are never a range: 1000 squared cells of 68 ports each.
    let n = 1000;
    let mut ends: Vec<_> = (0..n).map(|s| (s, n + s)).collect();
    for _ in 0..68 {
        ends.extend((0..n).map(|s| (n + s, n + (s + 1) % n)));
    }
    assert_eq!(listed(n, n, &alike(&ends)).unwrap_err(), refused(n));
}

proptest! {
    #[test]
    fn no_list_of_links_panics(
        hosts in 0_usize..=5,
        switches in 0_usize..=4,
        links in vec((0_usize..=8, 0_usize..=8, 0_u64..=9, 0_u64..=9), 0..=12),
    ) {
        let link = |(a, b, bps, ps)| (a, b, BitRate::from_bps(bps), Span::from_ps(ps));
        let links: Vec<Link> = links.into_iter().map(link).collect();
        if let Ok(network) = listed(hosts, switches, &links) {
            check(&network);
        }
    }

    #[test]
    fn no_numbers_panic(a in 0_u32..=12, b in 0_u32..=12, c in 0_u32..=12) {
        let made = [
            fat_tree(a, Some(b)).network(),
            leaf_spine(a, b, c).network(),
            multicast_core(a, b).network(),
        ];
        for network in made.into_iter().flatten() {
            prop_assert!((2..=12 * 12 * 12).contains(&network.hosts()));
        }
    }
}
