//! No fewest-hop trees load a cassette's relays more evenly than the balanced ones. Checked by brute force
//! over all assignments if possible, otherwise by petgraph's maximum flow.

use lightloom_routing::{Balanced, Load, RelayTables, Rotated};
use lightloom_topology::{CassetteId, Fabric, TorId};
use petgraph::algo::dinics;
use petgraph::graph::DiGraph;
use proptest::prelude::*;

use crate::check::distances;
use crate::fabrics::{any_custom, any_fabric, one_more_hop};

/// For each source of another cassette: the relays into `cassette` that end a shortest way.
fn choices(fabric: &Fabric, distances: &[Vec<u32>], cassette: CassetteId) -> Vec<Vec<TorId>> {
    let into = |t: &TorId| fabric.transmits_into(*t) == cassette;
    let of = |source: TorId| {
        let from_root = &distances[fabric.transmits_into(source).index()];
        let nearer = |t: &TorId| {
            from_root[fabric.receives_from(*t).index()] + 1 == from_root[cassette.index()]
        };
        fabric.tor_ids().filter(into).filter(nearer).collect()
    };
    fabric.tor_ids().filter(|t| !into(t)).map(of).collect()
}

/// Loads of the relays into a cassette, recounted from the rows.
fn loads(fabric: &Fabric, tables: &RelayTables, cassette: CassetteId) -> Vec<u32> {
    let mut load = vec![0; fabric.tors()];
    for source in fabric.tor_ids() {
        load[tables.row(source)[cassette.index()].index()] += 1;
    }
    fabric.transmitters(cassette).iter().map(|t| load[t.index()]).collect()
}

/// Smallest maximum and smallest sum of squares of the loads over all assignments. Every relay carries
/// itself.
fn best(relays: &[TorId], choices: &[Vec<TorId>]) -> (u32, u32) {
    fn go(load: &mut Vec<(TorId, u32)>, rest: &[Vec<TorId>], best: &mut (u32, u32)) {
        let Some((choice, rest)) = rest.split_first() else {
            best.0 = best.0.min(load.iter().map(|l| l.1).max().unwrap());
            best.1 = best.1.min(load.iter().map(|l| l.1 * l.1).sum());
            return;
        };
        for relay in choice {
            let at = load.iter().position(|l| l.0 == *relay).unwrap();
            load[at].1 += 1;
            go(load, rest, best);
            load[at].1 -= 1;
        }
    }
    let mut best = (u32::MAX, u32::MAX);
    go(&mut relays.iter().map(|&t| (t, 1)).collect(), choices, &mut best);
    best
}

/// Whether all sources can be assigned with at most `most` on a relay, by maximum flow.
fn fits(relays: &[TorId], choices: &[Vec<TorId>], most: u32) -> bool {
    let mut network = DiGraph::<(), u32>::new();
    let (start, end) = (network.add_node(()), network.add_node(()));
    let seats: Vec<_> = relays.iter().map(|_| network.add_node(())).collect();
    for &seat in &seats {
        network.add_edge(seat, end, most - 1);
    }
    for choice in choices {
        let source = network.add_node(());
        network.add_edge(start, source, 1);
        for relay in choice {
            network.add_edge(source, seats[relays.iter().position(|r| r == relay).unwrap()], 1);
        }
    }
    dinics(&network, start, end).0 as usize == choices.len()
}

proptest! {
    #[test]
    fn no_assignment_is_more_even_on_small_fabrics(
        fabric in any_custom(4, 2..=3),
    ) {
        let tables = Balanced::new(&fabric).into_tables();
        let distances = distances(&fabric);
        for cassette in fabric.cassette_ids() {
            let choices = choices(&fabric, &distances, cassette);
            let load = loads(&fabric, &tables, cassette);
            let squares = load.iter().map(|l| l * l).sum();
            let found = (*load.iter().max().unwrap(), squares);
            prop_assert_eq!(found, best(fabric.transmitters(cassette), &choices));
        }
    }

    #[test]
    fn no_assignment_has_a_lower_maximum(fabric in any_fabric()) {
        let tables = Balanced::new(&fabric).into_tables();
        let distances = distances(&fabric);
        // In these families cassettes are alike, so a dozen of them is enough.
        for cassette in fabric.cassette_ids().step_by(fabric.cassettes().div_ceil(12)) {
            let relays = fabric.transmitters(cassette);
            let choices = choices(&fabric, &distances, cassette);
            let most = loads(&fabric, &tables, cassette).into_iter().max().unwrap();
            prop_assert!(fits(relays, &choices, most));
            prop_assert!(most == 1 || !fits(relays, &choices, most - 1), "{cassette}: {most}");
        }
    }

    #[test]
    fn loads_and_sources_recount_the_rows(fabric in any_fabric(), router in 0_u8..3) {
        let tables = match router {
            0 => Balanced::new(&fabric).into_tables(),
            1 => RelayTables::new(&fabric, &mut Rotated::new(&fabric)),
            _ => one_more_hop(&fabric),
        };
        let sources = tables.sources_by_relay(&fabric);
        prop_assert_eq!(sources.len(), fabric.tors());
        for (relay, sources) in fabric.tor_ids().zip(&sources) {
            let relayed = |s: &TorId| tables.row(*s).contains(&relay);
            let recount: Vec<TorId> = fabric.tor_ids().filter(relayed).collect();
            prop_assert!(recount.contains(&relay), "{relay} is not in its own row");
            prop_assert_eq!(sources, &recount);
        }
        let counts: Vec<usize> = sources.iter().map(Vec::len).collect();
        let load = tables.load(&fabric);
        prop_assert_eq!(load.min() as usize, *counts.iter().min().unwrap());
        prop_assert_eq!(load.max() as usize, *counts.iter().max().unwrap());
        // One relay for each cassette and source, whatever the tables.
        prop_assert_eq!(counts.iter().sum::<usize>(), fabric.tors() * fabric.cassettes());
        prop_assert_eq!(load.mean(), fabric.cassettes() as f64);
        let mut row_by_row = Load::new(&fabric);
        fabric.tor_ids().for_each(|s| row_by_row.add(tables.row(s)));
        prop_assert_eq!(row_by_row, load);
    }
}
