//! All queries of a fabric agree with its edge list, and breadth-first search finds petgraph's
//! distances.

use lightloom_topology::family::custom;
use lightloom_topology::search::BreadthFirst;
use lightloom_topology::{CassetteId, TorId};
use petgraph::algo::dijkstra;
use petgraph::graph::{EdgeIndex, NodeIndex};
use proptest::prelude::*;

use crate::any_edges;

proptest! {
    #[test]
    fn every_view_of_a_fabric_recounts_its_edge_list(edges in any_edges(8, 2..=4)) {
        let fabric = edges.fabric();
        prop_assert_eq!(fabric.fan_out(), edges.fan_out);
        prop_assert_eq!(fabric.tors(), edges.list.len());
        prop_assert_eq!(fabric.cassettes(), edges.cassettes as usize);
        for (tor, &(from, to)) in fabric.tor_ids().zip(&edges.list) {
            prop_assert_eq!(fabric.receives_from(tor), CassetteId(from));
            prop_assert_eq!(fabric.transmits_into(tor), CassetteId(to));
            let ends = fabric.graph().edge_endpoints(EdgeIndex::new(tor.index())).unwrap();
            prop_assert_eq!((ends.0.index(), ends.1.index()), (from as usize, to as usize));
        }
        let mut fibres = 0;
        for cassette in fabric.cassette_ids() {
            let with = |end: fn(&(u32, u32)) -> u32| -> Vec<TorId> {
                let at = |i: &usize| end(&edges.list[*i]) == cassette.0;
                (0..edges.list.len()).filter(at).map(TorId::at).collect()
            };
            let (transmitters, receivers) = (with(|e| e.1), with(|e| e.0));
            fibres += transmitters.len() * receivers.len();
            prop_assert_eq!(fabric.transmitters(cassette), transmitters);
            prop_assert_eq!(fabric.receivers(cassette), receivers);
        }
        prop_assert_eq!(fabric.branch_fibres(), fibres as u64);
    }

    #[test]
    fn a_tor_finds_itself_at_its_slot_and_its_branch(edges in any_edges(8, 2..=4)) {
        let fabric = edges.fabric();
        for tor in fabric.tor_ids() {
            let (from, to) = edges.list[tor.index()];
            prop_assert_eq!(fabric.transmitters(CassetteId(to))[fabric.mirror_index(tor)], tor);
            prop_assert_eq!(fabric.receivers(CassetteId(from))[fabric.splitter_branch(tor)], tor);
            // One transceiver per incoming fibre. One fibre comes from every relay of the cassette
            // that feeds the ToR.
            let fibres_in = edges.list.iter().filter(|e| e.1 == from).count();
            prop_assert_eq!(fabric.transceivers(tor), fibres_in);
        }
    }

    #[test]
    fn the_order_of_a_custom_list_does_not_matter(
        (edges, order) in any_edges(8, 2..=4).prop_flat_map(|edges| {
            let order: Vec<usize> = (0..edges.list.len()).collect();
            (Just(edges), Just(order).prop_shuffle())
        }),
    ) {
        let entries: Vec<_> = order
            .iter()
            .map(|&i| (TorId::at(i), CassetteId(edges.list[i].0), CassetteId(edges.list[i].1)))
            .collect();
        let shuffled = custom(edges.fan_out, &entries).unwrap();
        for (tor, &(from, to)) in shuffled.tor_ids().zip(&edges.list) {
            prop_assert_eq!(shuffled.receives_from(tor), CassetteId(from));
            prop_assert_eq!(shuffled.transmits_into(tor), CassetteId(to));
        }
    }

    #[test]
    fn depths_are_shortest_distances_and_the_order_is_by_depth(
        edges in proptest::collection::vec(any_edges(9, 2..=4), 1..4),
    ) {
        let mut search = BreadthFirst::default();
        for edges in edges {
            let fabric = edges.fabric();
            for root in 0..edges.cassettes {
                search.run(&fabric, CassetteId(root));
                let distance = dijkstra(fabric.graph(), NodeIndex::new(root as usize), None, |_| 1);
                for (cassette, distance) in distance {
                    let cassette = CassetteId::at(cassette.index());
                    prop_assert_eq!(search.depth(cassette), distance);
                }
                let depths: Vec<u32> = search.order().iter().map(|&c| search.depth(c)).collect();
                prop_assert!(depths.is_sorted());
                let mut reached = search.order().to_vec();
                reached.sort_unstable();
                prop_assert_eq!(reached, (0..edges.cassettes).map(CassetteId).collect::<Vec<_>>());
            }
        }
    }
}
