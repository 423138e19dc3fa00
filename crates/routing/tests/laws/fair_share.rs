//! Max-min fair rates (shufflecast:VI-B.shares) have the certificate of their optimality: no relay is above its line
//! rate, and every source has a full relay on which no source is faster (Bertsekas and Gallager).

use lightloom_routing::fair_share::max_min_fair;
use lightloom_routing::parallel::trees_for;
use lightloom_routing::{Balanced, RelayTables};
use lightloom_topology::TorId;
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;

use crate::fabrics::{any_fabric, shufflecast};

const CLOSE: f64 = 1e-9;

fn rates(tors: usize, rows: &[Vec<TorId>]) -> Vec<f64> {
    let rows: Vec<&[TorId]> = rows.iter().map(Vec::as_slice).collect();
    max_min_fair(tors, &rows)
}

/// The error in some rates, if any.
fn objection(tors: usize, rows: &[Vec<TorId>], rates: &[f64]) -> Option<String> {
    if rates.len() != rows.len() {
        return Some(format!("{} rates for {} sources", rates.len(), rows.len()));
    }
    let on = |relay: TorId| (0..rows.len()).filter(move |&i| rows[i].contains(&relay));
    let used = |relay: TorId| on(relay).map(|i| rates[i]).sum::<f64>();
    if let Some(relay) = (0..tors).map(TorId::at).find(|&relay| used(relay) > 1.0 + CLOSE) {
        return Some(format!("relay {relay} carries {}", used(relay)));
    }
    let is_bottleneck = |relay: TorId, rate: f64| {
        used(relay) > 1.0 - CLOSE && on(relay).all(|i| rates[i] <= rate + CLOSE)
    };
    let free = |at: &(&Vec<TorId>, &f64)| !at.0.iter().any(|&r| is_bottleneck(r, *at.1));
    let (row, rate) = rows.iter().zip(rates).find(free)?;
    Some(format!("nothing keeps {row:?} at {rate}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    #[test]
    fn every_source_has_a_bottleneck_and_no_relay_overflows(
        rows in vec(btree_set(0_u32..12, 1..6), 0..25),
    ) {
        let rows: Vec<Vec<TorId>> =
            rows.into_iter().map(|row| row.into_iter().map(TorId).collect()).collect();
        let rates = rates(12, &rows);
        prop_assert_eq!(objection(12, &rows, &rates), None, "{:?}", rates);
    }

    #[test]
    fn sources_that_share_one_relay_share_its_rate(m in 1_u32..60, private in 0_u32..4) {
        let row = |i: u32| {
            let own = (0..private).map(move |j| TorId(1 + i * private + j));
            own.chain([TorId(0)]).collect()
        };
        let rows: Vec<Vec<TorId>> = (0..m).map(row).collect();
        for rate in rates(1 + (m * private) as usize, &rows) {
            prop_assert!((rate - 1.0 / f64::from(m)).abs() < CLOSE);
        }
    }

    #[test]
    fn the_order_of_sources_does_not_matter(
        (rows, order) in vec(btree_set(0_u32..9, 1..4), 1..12).prop_flat_map(|rows| {
            let order: Vec<usize> = (0..rows.len()).collect();
            (Just(rows), Just(order).prop_shuffle())
        }),
    ) {
        let rows: Vec<Vec<TorId>> =
            rows.into_iter().map(|row| row.into_iter().map(TorId).collect()).collect();
        let shuffled: Vec<_> = order.iter().map(|&i| rows[i].clone()).collect();
        let (straight, shuffled) = (rates(9, &rows), rates(9, &shuffled));
        for (&i, rate) in order.iter().zip(shuffled) {
            prop_assert!((straight[i] - rate).abs() < CLOSE);
        }
    }
}

proptest! {
    #[test]
    fn active_sources_of_a_fabric_are_rated_fairly(
        fabric in any_fabric(),
        active in vec(any::<prop::sample::Index>(), 1..40),
    ) {
        let tables: RelayTables = Balanced::new(&fabric).into_tables();
        let rows: Vec<Vec<TorId>> = active
            .iter()
            .map(|i| tables.row(TorId::at(i.index(fabric.tors()))).to_vec())
            .collect();
        let rates = rates(fabric.tors(), &rows);
        prop_assert_eq!(objection(fabric.tors(), &rows, &rates), None);
    }
}

#[test]
fn sources_with_disjoint_trees_send_at_line_rate() {
    for (p, k) in [(2, 3), (3, 2), (4, 2)] {
        let fabric = shufflecast(p, k);
        let sources: Vec<TorId> = fabric.tor_ids().step_by(5).take(p as usize).collect();
        let rows = trees_for(&fabric, &sources).unwrap();
        assert_eq!(rates(fabric.tors(), &rows), vec![1.0; p as usize]);
    }
}

#[test]
fn a_source_without_relays_is_held_back_by_none() {
    assert_eq!(max_min_fair(3, &[&[], &[TorId(0)], &[TorId(0)]]), [1.0, 0.5, 0.5]);
}
