//! Rates of admitted messages are those that the planner computes for the same trees.

use lightloom_routing::fair_share::max_min_fair;
use lightloom_topology::TorId;
use lightloom_twin::max_min_shares;
use lightloom_units::BitRate;
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;

const TORS: u32 = 16;
const LINE: u64 = 400_000_000_000;

proptest! {
    #[test]
    fn shares_are_those_of_the_planner(trees in vec(btree_set(0..TORS, 1..8), 1..12)) {
        let trees: Vec<Vec<u32>> = trees.into_iter().map(Vec::from_iter).collect();
        let capacities = [BitRate::from_bps(LINE); TORS as usize];
        let uses: Vec<&[u32]> = trees.iter().map(Vec::as_slice).collect();
        let rows: Vec<Vec<TorId>> = trees.iter().map(|tree| tree.iter().map(|&t| TorId(t)).collect()).collect();
        let rows: Vec<&[TorId]> = rows.iter().map(Vec::as_slice).collect();
        let planned = max_min_fair(TORS as usize, &rows);
        for (rate, planned) in max_min_shares(&capacities, &uses).iter().zip(planned) {
            // Whole bits are rounded down at each step.
            let planned = planned * LINE as f64;
            prop_assert!((rate.as_bps() as f64 - planned).abs() < 100.0, "{rate} {planned}");
        }
    }
}
