//! Monte Carlo budgets of whole fabrics: modules of one lot, sensitivities, and the fabric's verdict.

use lightloom_power_cost::Verdict;
use lightloom_power_cost::parts::TransceiverRow;

use crate::given::{bare, db, dbm, inline, levels, splitter};
use crate::monte_carlo::{at_the_edge, draw, fans};

/// Modules of one lot take its quantile in half of the draws. At the median the probability that three of
/// them close together is the mean over the lot's quantile of a product: half of 0.75³ + 0.25³.
#[test]
fn modules_of_one_lot_are_alike() {
    let optics = at_the_edge([-4.0, 0.0], 0.0, 0.0);
    let found = draw(&optics, &fans(3, 1), 20_000, 5.0);
    let each: f64 = found.failing.iter().sum::<f64>() / 3.0;
    assert!((each - 0.5).abs() < 0.015, "{each}");
    let together = 0.5 * (0.75_f64.powi(3) + 0.25_f64.powi(3));
    let all_close = found.fabric.closing.unwrap().all_close;
    assert!((all_close - together).abs() < 0.015, "{all_close} {together}");
    assert!(
        (found.fabric.closing.unwrap().swaps - 1.5).abs() < 0.04,
        "{}",
        found.fabric.closing.unwrap().swaps
    );
}

#[test]
fn a_fabric_fails_as_a_whole_where_each_branch_alone_does_not() {
    let mut optics = at_the_edge([-4.0, 0.0], 0.0, 0.0);
    // One branch fails in about 2 of 100 draws, one of a hundred in many more.
    optics.ageing = db(-1.6);
    let found = draw(&optics, &fans(100, 1), 4_000, 5.0);
    assert!(found.branches.iter().all(|branch| branch.verdict != Verdict::Fail));
    assert!(found.fabric.closing.unwrap().all_close < 0.95, "{:?}", found.fabric);
    assert_eq!(found.fabric.verdict, Verdict::Fail);
    assert_eq!(draw(&optics, &fans(1, 1), 4_000, 5.0).fabric.verdict, Verdict::Pass);
}

/// The receivers differ: a typical one is 2 dB better than the worst that the data sheet allows.
#[test]
fn sensitivities_are_drawn() {
    let mut row = levels("drawn", [0.0, 0.0, -8.0, 50.0]);
    row.sensitivity_typ = Some(dbm(-10.0));
    let draws = |loss: f64, row: &TransceiverRow| {
        let mut optics = bare(row.clone(), splitter(2, 3.0));
        optics.branch.inline.push(inline(loss, None, loss).try_into().unwrap());
        draw(&optics, &fans(1, 1), 20_000, 5.0).failing[0]
    };
    // -10 dBm arrive: half of the receivers, from -12 to -8 dBm, need more.
    assert!((draws(7.0, &row) - 0.5).abs() < 0.015);
    assert_eq!(draws(9.5, &row), 1.0);
    assert_eq!(draws(5.0, &row), 0.0);
    let fixed = TransceiverRow { sensitivity_typ: None, ..row };
    assert_eq!(draws(7.0, &fixed), 1.0);
}
