//! Trees are as late as their router allows, compared with petgraph's distances. A tree's paths, hops and
//! totals agree.

use lightloom_routing::{Balanced, HopsTotal, RelayTables, Rotated, Router, Tree};
use lightloom_topology::{CassetteId, Fabric, TorId};
use proptest::prelude::*;

use crate::check::{distances, is_arborescence};
use crate::fabrics::{any_custom, any_fabric, one_more_hop};

proptest! {
    #[test]
    fn a_path_leads_from_relay_to_relay_over_fibres(fabric in any_fabric(), router in 0_u8..2) {
        let tables = match router {
            0 => one_more_hop(&fabric),
            _ => RelayTables::new(&fabric, &mut Rotated::new(&fabric)),
        };
        for source in fabric.tor_ids().step_by(fabric.tors().div_ceil(20)) {
            let row = tables.row(source);
            let tree = Tree::new(&fabric, source, row).unwrap();
            let mut relays = row.to_vec();
            relays.sort_unstable();
            prop_assert_eq!(tree.relays(), relays);
            for to in fabric.tor_ids() {
                let path = tree.path(to);
                prop_assert_eq!((path[0], path[path.len() - 1]), (source, to));
                prop_assert_eq!(path.len(), tree.hops(to) as usize + 1);
                for hop in path.windows(2) {
                    prop_assert!(row.contains(&hop[0]));
                    prop_assert_eq!(fabric.transmits_into(hop[0]), fabric.receives_from(hop[1]));
                }
                // No path has a ToR twice, except that of the source's returning copy.
                let mut seen = path[..path.len() - 1].to_vec();
                seen.sort_unstable();
                prop_assert!(seen.is_sorted_by(|a, b| a < b));
            }
        }
    }

    #[test]
    fn totals_are_sums_over_all_other_tors(fabric in any_fabric()) {
        let tables = Balanced::new(&fabric).into_tables();
        let mut everything = Vec::new();
        for source in fabric.tor_ids() {
            let tree = Tree::new(&fabric, source, tables.row(source)).unwrap();
            let others = fabric.tor_ids().filter(|&t| t != source);
            let hops: Vec<u64> = others.map(|t| tree.path(t).len() as u64 - 1).collect();
            let total = tree.total_hops();
            prop_assert_eq!(total.sum, hops.iter().sum::<u64>());
            prop_assert_eq!(u64::from(total.max), *hops.iter().max().unwrap());
            everything.extend(hops);
        }
        let total = tables.hops(&fabric).unwrap();
        prop_assert_eq!(u64::from(total.max), *everything.iter().max().unwrap());
        let mean = everything.iter().sum::<u64>() as f64 / everything.len() as f64;
        prop_assert!((total.mean(fabric.tors()) - mean).abs() < 1e-9);
    }

    #[test]
    fn a_row_is_a_tree_exactly_if_its_light_comes_to_all_cassettes(
        fabric in any_custom(7, 2..=4),
        source in any::<prop::sample::Index>(),
        picks in proptest::collection::vec(any::<prop::sample::Index>(), 7),
    ) {
        let source = TorId::at(source.index(fabric.tors()));
        let mut row: Vec<TorId> = fabric
            .cassette_ids()
            .zip(&picks)
            .map(|(c, pick)| *pick.get(fabric.transmitters(c)))
            .collect();
        row[fabric.transmits_into(source).index()] = source;
        match Tree::new(&fabric, source, &row) {
            Ok(_) => prop_assert!(is_arborescence(&fabric, source, &row)),
            Err(error) => {
                prop_assert_eq!(error.source_tor, source);
                prop_assert!(!leads_back(&fabric, source, &row, error.cassette));
                let before = (0..error.cassette.0).map(CassetteId);
                prop_assert!(before.into_iter().all(|c| leads_back(&fabric, source, &row, c)));
            }
        }
    }
}

/// Whether following the relays backwards from a cassette ends at the source's cassette.
fn leads_back(fabric: &Fabric, source: TorId, row: &[TorId], cassette: CassetteId) -> bool {
    let back = |&c: &CassetteId| Some(fabric.receives_from(row[c.index()]));
    let trail = std::iter::successors(Some(cassette), back);
    trail.take(row.len() + 1).any(|c| c == fabric.transmits_into(source))
}

#[test]
fn no_sources_have_no_mean() {
    assert_eq!(HopsTotal::default().mean(10), 0.0);
}

/// Number of hops above the fewest for each ToR of each source.
fn lateness(fabric: &Fabric, tables: &RelayTables) -> Vec<u32> {
    let distances = distances(fabric);
    let mut late = Vec::new();
    for source in fabric.tor_ids() {
        let row = tables.row(source);
        assert!(is_arborescence(fabric, source, row), "source {source}: {row:?}");
        let tree = Tree::new(fabric, source, row).unwrap();
        for tor in fabric.tor_ids() {
            let root = fabric.transmits_into(source).index();
            let fewest = distances[root][fabric.receives_from(tor).index()] + 1;
            late.push(tree.hops(tor).checked_sub(fewest).unwrap());
        }
    }
    late
}

proptest! {
    #[test]
    fn balanced_trees_are_never_late(fabric in any_fabric()) {
        let tables = Balanced::new(&fabric).into_tables();
        prop_assert!(lateness(&fabric, &tables).iter().all(|&late| late == 0));
    }

    #[test]
    fn rotated_trees_are_never_late(fabric in any_fabric()) {
        let tables = RelayTables::new(&fabric, &mut Rotated::new(&fabric));
        prop_assert!(lateness(&fabric, &tables).iter().all(|&late| late == 0));
    }

    #[test]
    fn one_more_hop_is_one_hop_late_at_most(fabric in any_fabric()) {
        let tables = one_more_hop(&fabric);
        prop_assert!(lateness(&fabric, &tables).iter().all(|&late| late <= 1));
    }

    #[test]
    fn a_rotated_row_does_not_depend_on_what_was_asked_before(
        fabric in any_fabric(),
        asked in proptest::collection::vec(any::<prop::sample::Index>(), 1..20),
    ) {
        let tables = RelayTables::new(&fabric, &mut Rotated::new(&fabric));
        let mut router = Rotated::new(&fabric);
        for index in asked {
            let source = TorId::at(index.index(fabric.tors()));
            let mut row = vec![TorId(u32::MAX); fabric.cassettes()];
            router.relay_row(source, &mut row);
            prop_assert_eq!(row, tables.row(source));
        }
    }

    #[test]
    fn a_rotated_relay_has_the_sources_whose_rows_name_it(
        fabric in any_fabric(),
        asked in any::<prop::sample::Index>(),
    ) {
        let relay = TorId::at(asked.index(fabric.tors()));
        let tables = RelayTables::new(&fabric, &mut Rotated::new(&fabric));
        let named = |&source: &TorId| tables.row(source).contains(&relay);
        let sources: Vec<TorId> = fabric.tor_ids().filter(named).collect();
        prop_assert_eq!(Rotated::new(&fabric).sources_of(relay), sources.clone());
        prop_assert_eq!(tables.sources_of(&fabric, relay), sources);
    }
}
