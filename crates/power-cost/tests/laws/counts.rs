//! Ports and links of multicast trees, compared with the paper's figures and with trees that are built.

use lightloom_power_cost::{MulticastCore, excess_resource, peer_to_peer, splitter_fabric};

use crate::given::near;

/// The tree, built: for every switch the number of links below it, layer by layer, top switch last.
fn built(tors: u64, ports: u64) -> Vec<Vec<u64>> {
    let mut layers = Vec::new();
    let mut below = tors;
    while below > ports {
        // The fewest switches for everything below, each with one port kept for its uplink.
        let mut layer: Vec<u64> = Vec::new();
        for _ in 0..below {
            match layer.last_mut() {
                Some(links) if *links < ports - 1 => *links += 1,
                _ => layer.push(1),
            }
        }
        below = layer.len() as u64;
        layers.push(layer);
    }
    layers.push(vec![below]);
    layers
}

/// shufflecast:VI-A.power, shufflecast:II-B.excess, shufflecast:fig1
#[test]
fn eight_tors_and_switches_of_four_ports() {
    // 2,2-Shufflecast: k p^(k-1) = 4 relays, each with a splitter.
    let splitters = splitter_fabric(8, 4);
    let core = MulticastCore::new(8, 4).unwrap();
    assert_eq!([splitters.ports, peer_to_peer(8).ports, core.counts().ports], [12, 16, 22]);
    assert_eq!([splitters.splitters, splitters.fibres], [4, 8]);
    assert!(!splitters.pairs && peer_to_peer(8).pairs && core.counts().pairs);
    assert!(near(excess_resource(&core), 1.75));
}

/// shufflecast:II-B.excess, shufflecast:fig1
#[test]
fn the_excess_of_192_tors_and_switches_of_32_ports() {
    let core = MulticastCore::new(192, 32).unwrap();
    // Seven switches of 31 ToRs under the top: (192 + 14) / 192.
    assert!(near(excess_resource(&core), 206.0 / 192.0));
    assert_eq!((100.0 * excess_resource(&core)).round(), 107.0);
}

/// shufflecast:II-B.core
#[test]
fn a_packet_core_is_the_tree_that_is_built() {
    for ports in 3..=12 {
        for tors in 1..=600 {
            let layers = built(tors, ports);
            let (switches, below) = layers.split_last().unwrap();
            assert!(switches.iter().all(|&links| links <= ports));
            // A ToR has one port, every link has two ends, and every switch except the top one has one
            // uplink.
            let uplinks: u64 = below.iter().map(|layer| layer.len() as u64).sum();
            let core = MulticastCore::new(tors, ports).unwrap();
            let found = core.counts();
            let ends: u64 = layers.iter().flatten().sum::<u64>() + uplinks + tors;
            assert_eq!((found.ports, found.transceivers), (ends, ends), "{tors}, {ports}");
            assert_eq!((found.fibres, found.splitters), (tors + uplinks, 0));
            // Relative to the N ports that the ToRs already have.
            let excess = (ends - tors) as f64 / tors as f64;
            assert!(near(excess_resource(&core), excess), "{tors}, {ports}");
        }
    }
}

/// shufflecast:II-B.core
#[test]
fn no_tree_of_fewer_layers_holds_all_tors() {
    for ports in 3..=12_u64 {
        for tors in 1..=2_000 {
            // A top of m ports over h layers that multiply by m - 1.
            let holds = |layers: u32| ports * (ports - 1).pow(layers);
            let layers = (0..).find(|&layers| holds(layers) >= tors).unwrap();
            let core = MulticastCore::new(tors, ports).unwrap();
            assert_eq!(core.levels.len(), layers as usize + 1, "{tors}, {ports}");
        }
    }
}

#[test]
fn switches_of_two_ports_join_nothing() {
    assert!((0..3).all(|ports| MulticastCore::new(8, ports).is_none()));
    assert!(MulticastCore::new(u64::from(u32::MAX), 3).is_some());
}

#[test]
fn a_chain_takes_more_power_than_splitters_by_the_paper_s_ratio() {
    // N (1 + 1/p) against 2 N ports, one column of p^k ToRs after another.
    for (p, ratio) in
        [(3, 1.5), (4, 1.6), (5, 5.0 / 3.0), (6, 12.0 / 7.0), (7, 1.75), (8, 16.0 / 9.0)]
    {
        for k in 1..=4 {
            let relays = u64::from(k) * u64::pow(p, k - 1);
            let (splitters, chain) =
                (splitter_fabric(p * relays, relays), peer_to_peer(p * relays));
            assert!(near(chain.ports as f64 / splitters.ports as f64, ratio), "{p},{k}");
            assert_eq!(
                (splitters.transceivers, chain.transceivers),
                (splitters.ports, chain.ports)
            );
            assert_eq!((splitters.splitters, splitters.fibres), (relays, p * relays));
        }
    }
}

/// For each node of the tree its parent: the ToRs first, then the switches layer by layer, the top one last.
fn parents(tors: u64, ports: u64) -> (Vec<Option<usize>>, Vec<std::ops::Range<usize>>) {
    let layers = built(tors, ports);
    let tors = usize::try_from(tors).unwrap();
    let (mut parents, mut ranges) = (Vec::new(), Vec::new());
    let mut first = tors;
    for layer in &layers {
        for (switch, &links) in layer.iter().enumerate() {
            parents.extend((0..links).map(|_| Some(first + switch)));
        }
        ranges.push(first..first + layer.len());
        first += layer.len();
    }
    parents.push(None);
    (parents, ranges)
}

/// Ordered pairs of ToRs that stay joined without a switch or without its uplink.
fn joined(
    parents: &[Option<usize>],
    tors: usize,
    without: Option<usize>,
    cut: Option<usize>,
) -> u64 {
    let top = |tor: usize| {
        let mut at = tor;
        while let Some(next) = parents[at].filter(|&next| Some(next) != without && Some(at) != cut)
        {
            at = next;
        }
        at
    };
    let mut sizes = std::collections::BTreeMap::new();
    (0..tors).for_each(|tor| *sizes.entry(top(tor)).or_insert(0_u64) += 1);
    sizes.values().map(|size| size * (size - 1)).sum()
}

/// What one failed switch and one failed uplink cut off, against trees that are built and cut.
#[test]
fn failures_of_the_core_cut_off_what_a_search_finds() {
    for (tors, ports) in
        [(2, 3), (8, 4), (9, 4), (24, 5), (32, 32), (33, 32), (64, 8), (100, 3), (200, 16)]
    {
        let (parents, layers) = parents(tors, ports);
        let count = usize::try_from(tors).unwrap();
        let core = MulticastCore::new(tors, ports).unwrap();
        let all = tors * (tors - 1);
        let cuts = core.cuts(ports);
        assert_eq!(cuts.len(), layers.len());
        assert_eq!(core.switches(), layers.iter().map(|layer| layer.len() as u64).sum::<u64>());
        for (cuts, layer) in cuts.iter().zip(layers) {
            let by_switch = layer.clone().map(|at| all - joined(&parents, count, Some(at), None));
            let by_uplink = layer.clone().map(|at| all - joined(&parents, count, None, Some(at)));
            let found = (cuts.switches, cuts.by_switch, cuts.by_uplink);
            let most = (layer.len() as u64, by_switch.max().unwrap(), by_uplink.max().unwrap());
            assert_eq!(found, most, "{tors} ToRs, {ports} ports, {cuts:?}");
        }
    }
}
