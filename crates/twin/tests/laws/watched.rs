//! What is watched is recorded, and nothing else.

use std::sync::atomic::AtomicBool;

use lightloom_topology::electrical::NodeId;
use lightloom_twin::{Hop, Setup, Simulation, Way, simulate};
use proptest::prelude::*;

use crate::conservation::{any_drawn, drawn};
use crate::given::*;
use crate::splitters::{glass, tors};

/// All ways of a simulation.
fn ways(simulation: &Simulation<'_>) -> Vec<Way> {
    let nodes = (0..simulation.network.nodes()).map(NodeId::at);
    nodes.flat_map(|node| simulation.ways_into(node)).collect()
}

/// What is recorded of some ways.
fn watched(setup: &Setup<'_>, threads: usize, ways: &[Way]) -> Vec<Hop> {
    let mut simulation = checked(&Setup { threads, traced: false, ..setup.clone() });
    ways.iter().for_each(|way| simulation.watch(way));
    simulate(&simulation, &AtomicBool::new(false), &|_| {}).trace
}

/// What a full trace has of some ways.
fn of_trace(setup: &Setup<'_>, ways: &[Way]) -> Vec<Hop> {
    let is_on = |hop: &Hop| ways.iter().any(|way| (way.to, way.port) == (hop.node, hop.port));
    let outcome = run(&Setup { traced: true, ..setup.clone() });
    outcome.trace.into_iter().filter(is_on).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever is watched, and on however many threads: it is what a full trace has of it.
    #[test]
    fn watching_is_a_part_of_tracing(
        (network, params, traffic) in any_drawn(),
        picked in any::<u64>(),
        threads in 1_usize..4,
    ) {
        let setup = drawn(&network, params, &traffic);
        let all = ways(&checked(&setup));
        let some = all.iter().enumerate().filter(|(i, _)| picked >> (i % 64) & 1 == 1);
        let some: Vec<Way> = some.map(|(_, way)| *way).collect();
        prop_assert_eq!(watched(&setup, threads, &some), of_trace(&setup, &some));
    }
}

/// A way into a node names who transmits, and a branch its splitter.
#[test]
fn branches_are_ways() {
    let network = tors(G100);
    let multicast = glass(G100, |_| None);
    let setup = Setup { multicast, ..simulation(&network, params(), vec![]) };
    let found = ways(&checked(&setup));
    let links: usize = (0..network.nodes()).map(|node| network.ports(NodeId::at(node)).len()).sum();
    let branches: Vec<Way> = found.iter().copied().filter(|way| way.splitter.is_some()).collect();
    assert_eq!(found.len(), links + 4);
    assert!(branches.iter().all(|way| way.from == NodeId(5) && way.splitter == Some(0)));
    let recorded = watched(&setup, 1, &branches[1..2]);
    assert_eq!(recorded, of_trace(&setup, &branches[1..2]));
    assert_eq!(recorded.len(), 100);
    assert_eq!(watched(&setup, 1, &[]), []);
}
