//! Budgets computed by hand, and the points where verdicts change.
//!
//! The way of a branch is 50 m of fibre, a connector pair, the splitter, a connector pair, and 450 m of
//! fibre. Without the splitter the worst case is 0.5 km × 0.4 dB/km + 2 × 0.75 dB, and the typical case is
//! 0.5 km × 0.34 dB/km + 2 × 0.25 dB. The worst case also includes the splitter's polarisation dependence.

use lightloom_power_cost::parts::{Modulation, SplitterRow, TransceiverRow};
use lightloom_power_cost::{Assessment, Case, Judge, Optics, Verdict};
use lightloom_units::Db;

use crate::given::{
    bare, best_case, db, dbm, er, fr4, inline, joint, levels, lr, m, near, nothing_known, optics,
    plc, splitter,
};

fn at(optics: &Optics, case: Case) -> Assessment {
    Judge::new(optics).branch(m(50), m(450), case)
}

/// Loss, received level, margin and headroom, in this order, and the verdict.
fn check(found: Assessment, loss: f64, rest: [Option<f64>; 3], verdict: Verdict) {
    let [received, margin, headroom] = rest;
    assert!(near(found.loss.get(), loss), "{found:?}");
    let same = |found: Option<f64>, expected: Option<f64>| match (found, expected) {
        (Some(found), Some(expected)) => near(found, expected),
        (found, expected) => found.is_none() && expected.is_none(),
    };
    assert!(same(found.received.map(|level| level.get()), received), "{found:?}");
    assert!(same(found.margin.map(Db::get), margin), "{found:?}");
    assert!(same(found.headroom.map(Db::get), headroom), "{found:?}");
    assert_eq!(found.verdict, verdict, "{found:?}");
}

/// Loss of an even division by 2, 4, 8. Except for the uniformity, no output is brighter.
const EVEN: [f64; 3] = [3.010_299_956_64, 6.020_599_913_28, 9.030_899_869_92];

#[test]
fn ten_gigabit_lr_behind_1_to_4() {
    let optics = optics(lr(), plc(4));
    // 0.02 + 0.75 + 7.4 + 0.3 + 0.75 + 0.18 = 9.4 dB; -6 - 9.4 = -15.4 dBm; -15.4 + 14 = -1.4 dB.
    // At most 0 dBm - (6.0206 - 0.8) dB arrive; 0.5 dBm are allowed.
    let headroom = 0.5 - (0.0 - (EVEN[1] - 0.8));
    let rest = [Some(-15.4), Some(-1.4), Some(headroom)];
    check(at(&optics, Case::Worst), 9.4, rest, Verdict::Fail);
    // 0.017 + 0.25 + 7.4 + 0.25 + 0.153 = 8.07 dB below the middle of -6 and 0 dBm.
    let rest = [Some(-11.07), Some(2.93), Some(0.5 + 11.07)];
    check(at(&optics, Case::Typical), 8.07, rest, Verdict::Pass);
}

#[test]
fn ten_gigabit_er_behind_1_to_2_blinds_its_receiver() {
    let optics = optics(er(), plc(2));
    // 0.2 + 1.5 + 4.3 + 0.2 = 6.2 dB; -4.7 - 6.2 = -10.9 dBm; 4.9 dB above -15.8 dBm. But at most 4 - (3.0103
    // - 0.5) = 1.4897 dBm arrive; -1 dBm are allowed.
    let rest = [Some(-10.9), Some(4.9), Some(-1.0 - (4.0 - (EVEN[0] - 0.5)))];
    check(at(&optics, Case::Worst), 6.2, rest, Verdict::Fail);
    // -0.35 dBm - (0.17 + 0.5 + 4.3) dB = -5.32 dBm.
    check(at(&optics, Case::Typical), 4.97, [Some(-5.32), Some(10.48), Some(4.32)], Verdict::Pass);
}

#[test]
fn ten_gigabit_er_behind_1_to_8() {
    let optics = optics(er(), plc(8));
    // 0.2 + 1.5 + 10.7 + 0.3 = 12.7 dB; -17.4 dBm; 1.6 dB too little.
    let rest = [Some(-17.4), Some(-1.6), Some(-1.0 - (4.0 - (EVEN[2] - 1.0)))];
    check(at(&optics, Case::Worst), 12.7, rest, Verdict::Fail);
    // -0.35 dBm - (0.17 + 0.5 + 10.7) dB = -11.72 dBm.
    let rest = [Some(-11.72), Some(4.08), Some(10.72)];
    check(at(&optics, Case::Typical), 11.37, rest, Verdict::Pass);
}

#[test]
fn four_hundred_gigabit_fr4_behind_1_to_2() {
    // 6.2 dB as above. Average power leaves -3.3 + 7.3 = 4 dB for it, amplitude -1.7 + 6 = 4.3 dB.
    let headroom = 3.5 - (3.5 - (EVEN[0] - 0.5));
    let found = at(&optics(fr4(), plc(2)), Case::Worst);
    check(found, 6.2, [Some(-9.5), Some(-2.2), Some(headroom)], Verdict::Fail);
    // With 1 dB less amplitude, the amplitude decides: 3.3 - 6.2.
    let weaker = TransceiverRow { oma_minus_tdecq_min: Some(dbm(-2.7)), ..fr4() };
    let found = at(&optics(weaker, plc(2)), Case::Worst);
    check(found, 6.2, [Some(-9.5), Some(-2.9), Some(headroom)], Verdict::Fail);
    // 0.1 dBm - (0.17 + 0.5 + 4.3) dB = -4.87 dBm, 2.43 dB above -7.3 dBm. There is no typical amplitude, so
    // the smallest amplitude leaves 4.3 - 4.97 dB.
    let found = at(&optics(fr4(), plc(2)), Case::Typical);
    check(found, 4.97, [Some(-4.87), Some(-0.67), Some(3.5 + 4.87)], Verdict::Fail);
}

#[test]
fn an_optic_of_which_only_the_best_case_is_known() {
    // 14.9 - (0.2 + 1.5 + 7.3) = 5.9 dB: it closes, but the distance from the best case is unknown.
    let optics = optics(best_case(14.9), splitter(4, 7.3));
    // Neither the worst nor the typical case follows from it.
    check(at(&optics, Case::Worst), 9.0, [None, Some(5.9), None], Verdict::Unknown);
    check(at(&optics, Case::Typical), 7.97, [None, Some(6.93), None], Verdict::Unknown);
    check(at(&optics, Case::Best), 9.0, [None, Some(5.9), None], Verdict::Warn);
    // What fails even so, fails.
    let dim = Optics { transceiver: best_case(8.9).try_into().unwrap(), ..optics };
    check(at(&dim, Case::Worst), 9.0, [None, Some(-0.1), None], Verdict::Fail);
}

#[test]
fn levels_go_before_a_best_case() {
    let both = TransceiverRow { best_case_budget: Some(db(30.0)), ..lr() };
    for case in [Case::Worst, Case::Typical] {
        let alone = at(&optics(lr(), plc(4)), case);
        assert_eq!(at(&optics(both.clone(), plc(4)), case), alone);
    }
}

#[test]
fn penalties_and_ageing_come_off_the_margin_and_nothing_else() {
    let with_penalty = TransceiverRow { penalty: Some(db(0.5)), ..lr() };
    let mut optics = optics(with_penalty, plc(4));
    (optics.penalty, optics.ageing) = (db(0.25), db(1.0));
    let headroom = 0.5 + (EVEN[1] - 0.8);
    let rest = [Some(-15.4), Some(-1.4 - 1.75), Some(headroom)];
    check(at(&optics, Case::Worst), 9.4, rest, Verdict::Fail);
    let mut best = Optics { transceiver: best_case(14.9).try_into().unwrap(), ..optics };
    best.splitter = splitter(4, 7.3).try_into().unwrap();
    // Without the transceiver's own penalty of half a decibel.
    check(at(&best, Case::Worst), 9.0, [None, Some(5.9 - 1.25), None], Verdict::Unknown);
}

#[test]
fn splices_panels_and_an_amplifier() {
    let mut optics = optics(lr(), plc(4));
    (optics.feed.splices, optics.feed.panels) = (2, 1);
    (optics.branch.splices, optics.branch.panels) = (1, 3);
    // 9.4 + 3 × 0.15 + 4 × 0.75, and 8.07 + 3 × 0.1 + 4 × 0.25.
    assert!(near(at(&optics, Case::Worst).loss.get(), 12.85));
    assert!(near(at(&optics, Case::Typical).loss.get(), 9.37));
    let before = [Case::Worst, Case::Typical].map(|case| at(&optics, case));
    optics.branch.inline.push(inline(-20.0, Some(-18.0), -17.0).try_into().unwrap());
    let after = [Case::Worst, Case::Typical].map(|case| at(&optics, case));
    let gain = |i: usize| (after[i].margin.unwrap() - before[i].margin.unwrap()).get();
    let nearer = |i: usize| (before[i].headroom.unwrap() - after[i].headroom.unwrap()).get();
    assert!(near(gain(0), 17.0) && near(gain(1), 18.0));
    assert!(near(nearer(0), 20.0) && near(nearer(1), 18.0));
}

#[test]
fn where_verdicts_change() {
    // 1:2 of exactly 3 dB, and numbers that floats hold exactly. -4 dBm at least, 0 dBm at most.
    let verdict = |sensitivity: f64, overload: f64| {
        let row = levels("exact", [-4.0, 0.0, sensitivity, overload]);
        Judge::new(&bare(row, splitter(2, 3.0))).branch(m(5), m(5), Case::Worst).verdict
    };
    let hair = 1.0 / 1024.0;
    assert_eq!(verdict(-7.0 + hair, 4.0), Verdict::Fail);
    assert_eq!(verdict(-7.0, 4.0), Verdict::Marginal);
    assert_eq!(verdict(-8.0 + hair, 4.0), Verdict::Marginal);
    assert_eq!(verdict(-8.0, 4.0), Verdict::Pass);
    assert_eq!(verdict(-8.0, -3.0), Verdict::Pass);
    assert_eq!(verdict(-8.0, -3.0 - hair), Verdict::Fail);
    let mut at_ease = bare(levels("exact", [-4.0, 0.0, -7.0, 4.0]), splitter(2, 3.0));
    at_ease.least_margin = Db::ZERO;
    assert_eq!(at(&at_ease, Case::Worst).verdict, Verdict::Pass);
}

/// Sums of tenths of a decibel, as data sheets print them, are exact in spite of floating-point rounding.
#[test]
fn a_budget_that_comes_out_even_closes() {
    let tenths = |value: i32| f64::from(value) / 10.0;
    for (splitter_loss, pdl, pair) in
        (43..90).flat_map(|loss| (0..4).map(move |i| (loss, i, 2 * i + 1)))
    {
        for launch in -80..20 {
            let sensitivity = launch - splitter_loss - pdl - 2 * pair;
            let row = levels("even", [tenths(launch), 30.0, tenths(sensitivity), 60.0]);
            let splitter =
                SplitterRow { pdl: Some(db(tenths(pdl))), ..splitter(2, tenths(splitter_loss)) };
            let mut optics = bare(row, splitter);
            optics.connector = Some(joint("pair", None, tenths(pair)).try_into().unwrap());
            let found = at(&optics, Case::Worst);
            assert_eq!(found.verdict, Verdict::Marginal, "{launch}, {splitter_loss}: {found:?}");
        }
    }
}

#[test]
fn what_is_not_known_is_said_and_never_passes() {
    let roomy = || levels("roomy", [-1.0, 0.0, -40.0, 20.0]);
    let known = optics(roomy(), plc(2));
    assert!(known.gaps().is_empty());
    assert_eq!(at(&known, Case::Worst).verdict, Verdict::Pass);
    let pam4 = TransceiverRow {
        modulation: Modulation::Pam4,
        sensitivity_oma_minus_secq: Some(dbm(-40.0)),
        ..roomy()
    };
    let with = |row: TransceiverRow| optics(row, plc(2));
    for (word, lacking) in [
        ("launch_max", with(TransceiverRow { launch_max: None, ..roomy() })),
        ("overload", with(TransceiverRow { overload: None, ..roomy() })),
        ("TDECQ", with(pam4)),
        ("best-case", with(best_case(40.0))),
        ("fibre", Optics { fibre: None, ..known.clone() }),
        ("connectors", Optics { connector: None, ..known.clone() }),
    ] {
        let mut gaps = lacking.gaps();
        // No link of PAM4 with a splitter has limits for its reflections.
        gaps.retain(|gap| !gap.contains("reflections are not covered"));
        assert!(matches!(&gaps[..], [gap] if gap.contains(word)), "{word}: {gaps:?}");
        let verdict = if word == "best-case" { Verdict::Unknown } else { Verdict::Warn };
        for case in [Case::Worst, Case::Typical] {
            assert_eq!(at(&lacking, case).verdict, verdict, "{word}");
        }
    }
}

#[test]
fn nothing_is_said_of_light_that_nobody_knows() {
    let rows = [
        ("launch_min", nothing_known("x")),
        ("launch_min", TransceiverRow { launch_min: None, ..lr() }),
        ("sensitivity", TransceiverRow { sensitivity: None, ..lr() }),
    ];
    for (field, row) in rows {
        let optics = optics(row, plc(4));
        assert!(optics.gaps().iter().any(|gap| gap.contains(field)), "{field}");
        check(at(&optics, Case::Worst), 9.4, [None; 3], Verdict::Unknown);
        check(at(&optics, Case::Typical), 8.07, [None; 3], Verdict::Unknown);
    }
}

/// 0 dBm leave at least 0 - (3.0103 - 0.5) = -2.5 dBm in the worst case, and the receiver breaks above -3
/// dBm. This holds with or without an overload in the data sheet.
#[test]
fn light_that_may_break_the_receiver_does_not_close() {
    let breaks = TransceiverRow { overload: None, damage: Some(dbm(-3.0)), ..lr() };
    assert_eq!(at(&optics(breaks, plc(2)), Case::Worst).verdict, Verdict::Fail);
}
