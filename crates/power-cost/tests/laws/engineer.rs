//! Budgets as an optical engineer writes them, with the parts of the data sheets.
//!
//! All losses are those of the SH-PLC splitters (1:2 4.3 + 0.2, 1:4 7.4 + 0.3 dB with its polarisation
//! dependence), two LC pairs of 0.75 dB, and 100 m of fibre at 0.4 dB/km. The brightest output of the 1:4
//! splitter gets the even share less the uniformity: 6.02 - 0.8 = 5.22 dB.

use lightloom_power_cost::error_rate::of_part;
use lightloom_power_cost::parts::{
    Fec, FittedPad, Modulation, PadPlace, ReceiverKind, SplitterRow, TransceiverRow,
};
use std::num::NonZeroUsize;

use lightloom_power_cost::{
    Assessment, Case, Fan, Judge, Lanes, Lights, Optics, Sampling, Verdict, best_pad,
};
use lightloom_units::{BitRate, Db, Length};

use crate::given::{db, dbm, er, levels, m, near, optics, pad, plc, splitter};

/// The policy of 1 dB on both sides.
fn with_policy(optics: Optics) -> Optics {
    Optics { least_margin: db(1.0), least_headroom: db(1.0), ..optics }
}

pub fn worst(optics: &Optics, length: Length) -> Assessment {
    Judge::new(optics).branch(Length::ZERO, length, Case::Worst)
}

fn padded(optics: &Optics, decibels: f64) -> Assessment {
    let pad = FittedPad { pad: pad(decibels, 0.5), at: PadPlace::Receiver };
    worst(&Optics { pad: Some(pad), ..optics.clone() }, m(100))
}

fn is(found: Option<Db>, expected: f64) -> bool {
    found.is_some_and(|found| (found.get() - expected).abs() < 0.005)
}

#[test]
fn ten_gigabit_lr_by_its_standard_behind_1_to_2() {
    let row = TransceiverRow {
        launch_min: Some(dbm(-8.2)),
        launch_max: Some(dbm(0.5)),
        receive_min: Some(dbm(-14.4)),
        sensitivity: None,
        ..levels("10gbase-lr-802-3", [0.0, 0.0, 0.0, 0.5])
    };
    let optics = with_policy(optics(row, plc(2)));
    // -8.2 - (4.3 + 0.2 + 2 × 0.75) + 14.4 = +0.2 dB before fibre.
    let found = worst(&optics, Length::ZERO);
    assert!(near(found.margin.unwrap().get(), 0.2) && found.verdict == Verdict::Marginal);
    assert!(optics.gaps().iter().any(|gap| gap.contains("channel loss of the class")));
}

#[test]
fn ten_gigabit_er_behind_1_to_4_wants_a_pad_of_1_db() {
    let optics = with_policy(optics(er(), plc(4)));
    // -4.7 - (7.4 + 0.3 + 1.5 + 0.04) + 15.8, and -1 - (4 - 5.22).
    let bare = worst(&optics, m(100));
    assert!(is(bare.margin, 1.86) && is(bare.headroom, 0.22), "{bare:?}");
    assert_eq!(bare.verdict, Verdict::Marginal);
    // 1 ± 0.5 dB: it closes both ways, with 0.36 and 0.72 dB.
    let with = padded(&optics, 1.0);
    assert!(is(with.margin, 0.36) && is(with.headroom, 0.72), "{with:?}");
    assert!(with.verdict.closes());
    let pads = [1.0, 2.0, 3.0].map(|decibels| pad(decibels, 0.5));
    let fit = best_pad(&optics, pads.iter(), PadPlace::Transmitter, Case::Worst, &|judge, case| {
        vec![judge.branch(Length::ZERO, m(100), case)]
    });
    assert_eq!(fit.pad.map(|fitted| fitted.pad.name.clone()).as_deref(), Some("pad-1"));
}

/// Splitters of a maker who guarantees an excess loss of 0.5 dB at least. Then the tolerance of the pads of
/// 0.5 dB is covered; without a guaranteed excess the next stronger pad is needed.
#[test]
fn ten_gigabit_zr_with_6_db_and_an_average_of_18_5_dbm_with_5_db_behind_1_to_4() {
    let parts = [
        (levels("10g-zr", [0.0, 4.0, -24.0, -7.0]), 6.0, 8.76),
        (levels("average", [-2.5, 6.5, -18.5, -3.5]), 5.0, 1.76),
    ];
    for (row, decibels, nominal) in parts {
        let name = row.name.clone();
        let known = SplitterRow { excess_min: Some(db(0.5)), ..plc(4) };
        let found = padded(&optics(row.clone(), known), decibels);
        // The nominal margins of the arithmetic by hand, less the tolerance.
        assert!(is(found.margin, nominal - 0.5), "{name}: {found:?}");
        assert!(is(found.headroom, 0.22 + 0.5 - 0.5), "{name}: {found:?}");
        assert!(found.verdict.closes(), "{name}: {found:?}");
        let unknown = optics(row, plc(4));
        assert!(is(padded(&unknown, decibels).headroom, 0.22 - 0.5), "{name}");
        assert!(padded(&unknown, decibels + 1.0).verdict.closes(), "{name}");
    }
}

#[test]
fn like_is_compared_with_like() {
    let average = levels("x", [-4.0, 2.0, 0.0, 2.0]);
    let row = |change: fn(&mut TransceiverRow)| {
        let mut row = TransceiverRow { sensitivity: None, ..average.clone() };
        change(&mut row);
        optics(row, splitter(2, 3.1))
    };
    let margin = |optics: &Optics| worst(optics, Length::ZERO).margin.map(Db::get);
    // Average launch power and a sensitivity in OMA, without an extinction ratio: unknown, with the reason.
    let unlike = row(|row| row.sensitivity_oma = Some(dbm(-12.0)));
    assert_eq!(worst(&unlike, Length::ZERO).verdict, Verdict::Unknown);
    let gap = unlike.gaps().join(" ");
    assert!(gap.contains("average") && gap.contains("unstressed OMA"), "{gap}");
    assert!(gap.contains("extinction ratio"), "{gap}");
    // 4.77 dB is a ratio of 3: OMA = 2 P (3 - 1) / (3 + 1) = P.
    let related = row(|row| {
        row.sensitivity_oma = Some(dbm(-12.0));
        row.extinction_ratio_min = Some(db(10.0 * 3_f64.log10()));
    });
    assert!((margin(&related).unwrap() - (-4.0 - 3.1 - 1.5 + 12.0)).abs() < 1e-9);
    // OMA minus its penalty: the penalty is not subtracted twice.
    let deducted = row(|row| {
        row.oma_minus_tdp_min = Some(dbm(-5.0));
        row.sensitivity_oma = Some(dbm(-12.0));
        row.penalty = Some(db(3.0));
    });
    assert!((margin(&deducted).unwrap() - (-5.0 - 3.1 - 1.5 + 12.0)).abs() < 1e-9);
    // A stressed sensitivity alone compares with nothing.
    let stressed = row(|row| {
        row.launch_oma_min = Some(dbm(-3.0));
        row.stressed_sensitivity_oma = Some(dbm(-10.0));
    });
    assert_eq!(worst(&stressed, Length::ZERO).verdict, Verdict::Unknown);
    // The average minimum of the class counts only where nothing better is known.
    let both = row(|row| {
        row.receive_min = Some(dbm(-9.0));
        row.sensitivity = Some(dbm(-14.0));
    });
    assert!((margin(&both).unwrap() - (-4.0 - 3.1 - 1.5 + 14.0)).abs() < 1e-9);
}

#[test]
fn the_least_loss_counts_the_excess_and_polarisation_counts_once() {
    let known = SplitterRow { excess_min: Some(db(0.4)), pdl_included: true, ..plc(4) };
    let (with, without) = (optics(er(), known), optics(er(), plc(4)));
    let (with, without) = (worst(&with, m(100)), worst(&without, m(100)));
    assert!(near((with.headroom.unwrap() - without.headroom.unwrap()).get(), 0.4));
    assert!(near((with.margin.unwrap() - without.margin.unwrap()).get(), 0.3));
}

#[test]
fn lanes_are_compared_with_the_limit_of_the_receiver() {
    let row = |dependence: Option<f64>, launch: f64| {
        let row = TransceiverRow {
            modulation: Modulation::Pam4,
            lanes: 4,
            lane_difference_launch: Some(db(launch)),
            lane_difference_receive: Some(db(4.1)),
            ..levels("fr4", [10.0, 11.0, -7.3, 30.0])
        };
        optics(row, SplitterRow { wavelength_dependence: dependence.map(db), ..plc(2) })
    };
    assert_eq!(row(Some(0.1), 4.0).lanes(), Lanes::Alike);
    let different = row(Some(0.3), 4.0);
    assert_eq!(different.lanes(), Lanes::TooDifferent { difference: db(4.3), limit: db(4.1) });
    assert_eq!(worst(&different, m(100)).verdict, Verdict::Fail);
    assert!(different.hazards()[0].contains("4.30 dB"), "{:?}", different.hazards());
    assert!(matches!(row(None, 4.0).lanes(), Lanes::Unknown(_)));
    assert_eq!(worst(&row(None, 4.0), m(100)).verdict, Verdict::Warn);
    assert!(matches!(row(None, 4.2).lanes(), Lanes::TooDifferent { .. }));
}

#[test]
fn a_receiver_in_danger_is_told() {
    let row = TransceiverRow {
        receiver: Some(ReceiverKind::Apd),
        damage: Some(dbm(-3.0)),
        ..levels("apd", [0.0, 6.0, -19.0, -4.0])
    };
    let bare = optics(row, plc(4));
    let told = bare.hazards();
    assert!(
        matches!(&told[..], [one] if one.contains("6 dBm") && one.contains("-3 dBm")),
        "{told:?}"
    );
    // Without its pad, 6 - 5.22 = 0.78 dBm arrive.
    let fitted = FittedPad { pad: pad(6.0, 0.5), at: PadPlace::Transmitter };
    let told = Optics { pad: Some(fitted), ..bare }.hazards();
    assert!(told.len() == 2 && told[1].contains("without its pad pad-6"), "{told:?}");
}

#[test]
fn light_that_may_be_reported_as_lost_is_a_warning() {
    let row =
        TransceiverRow { signal_detect: Some(dbm(-13.0)), ..levels("lr", [-5.0, 2.0, -20.0, 9.0]) };
    // -5 - 9.24 = -14.24 dBm.
    let dim = optics(row.clone(), plc(4));
    assert_eq!(worst(&dim, m(100)).verdict, Verdict::Warn);
    let fans = [Fan { feed: Length::ZERO, branches: vec![m(100); 3] }];
    let sampling = Sampling {
        samples: NonZeroUsize::MIN,
        seed: 1,
        percentile: 1.0,
        threads: NonZeroUsize::MIN,
    };
    let lights = |optics: &Optics| {
        Lights::new(optics, &fans, &[0, 1, 2], Case::Worst, sampling, &mut |_| true).unwrap()
    };
    let told = lights(&dim).hazards(&dim);
    assert!(matches!(&told[..], [one] if one.starts_with("3 branches") && one.contains("-13 dBm")));
    // 2 - 5.22 = -3.22 dBm at most, and -4 dBm are too much.
    let fragile = optics(
        TransceiverRow {
            damage: Some(dbm(-4.0)),
            overload: Some(dbm(-5.0)),
            signal_detect: None,
            ..row.clone()
        },
        plc(4),
    );
    let told = lights(&fragile).hazards(&fragile);
    assert!(
        told.iter().any(|one| one.starts_with("3 branches may get more than -4 dBm")),
        "{told:?}"
    );
    let quiet = TransceiverRow { signal_detect: Some(dbm(-14.3)), ..row };
    assert_eq!(worst(&optics(quiet, plc(4)), m(100)).verdict, Verdict::Pass);
}

#[test]
fn errors_stay_above_the_floor_of_the_part() {
    let row = |change: fn(&mut TransceiverRow)| {
        let mut row = TransceiverRow { ber: Some(1e-12), ..er() };
        change(&mut row);
        row
    };
    let at = |row: &TransceiverRow, margin: f64| of_part(row, db(margin)).unwrap();
    // NRZ and PIN: Q grows with the power, 7.03 at 1e-12 and 1.0715 times that at 0.3 dB. At 3 dB it would be twice
    // as large, with a ratio far below the least that is told: 1e-15, which is a Q of 7.94.
    let pin = |margin| at(&row(|row| row.receiver = Some(ReceiverKind::Pin)), margin);
    assert!((pin(0.3).q - 7.034 * 1.0715).abs() < 0.01, "{:?}", pin(0.3));
    assert!((pin(3.0).q - 7.941).abs() < 0.01 && pin(3.0).pre_fec_ber == 1e-15);
    assert!(pin(3.0).pre_fec_ber_is_bound && !pin(0.3).pre_fec_ber_is_bound);
    // An avalanche photodiode: with the square root of the power, and with a known floor not below it.
    let apd = |row: &mut TransceiverRow| {
        row.receiver = Some(ReceiverKind::Apd);
        row.ber_floor = Some(1e-15);
    };
    let some = at(&row(apd), 0.3);
    assert!((some.q - 7.034 * 1.0351).abs() < 0.01 && some.pre_fec_ber > 1e-15, "{some:?}");
    assert_eq!(at(&row(apd), 10.0).pre_fec_ber, 1e-15);
    // Without a known floor nothing better than the promise of the data sheet.
    let unknown = at(&row(|row| row.modulation = Modulation::Pam4), 10.0);
    assert_eq!(unknown.pre_fec_ber, 1e-12);
    // Below the sensitivity nothing is softened.
    let below = at(&row(apd), -3.0);
    assert!((below.q - 7.034 / 1.9953).abs() < 0.01, "{below:?}");
}

/// A codeword of 5,140 bits hits 1 + 5,140 / (8 x 1,538) frames of 1,518 bytes; two interleaved codewords
/// from 400 Gb/s on hit twice as many more, and a frame touches one codeword more.
#[test]
fn codewords_take_their_frames_together() {
    let row = |gbps| TransceiverRow {
        rate: BitRate::from_gbps(gbps),
        modulation: Modulation::Pam4,
        fec: Fec::Rs544,
        ber: Some(5e-4),
        ..er()
    };
    let (slow, fast) =
        (of_part(&row(100), Db::ZERO).unwrap(), of_part(&row(400), Db::ZERO).unwrap());
    assert!(near(slow.frames_at_once, 1.0 + 5140.0 / (8.0 * 1538.0)));
    assert!(near(fast.frames_at_once, 1.0 + 2.0 * 5140.0 / (8.0 * 1538.0)));
    let codewords = 8.0 * 1518.0 / 5140.0;
    let ratio = fast.frame_loss / slow.frame_loss;
    assert!((ratio - (codewords + 2.0) / (codewords + 1.0)).abs() < 1e-3, "{ratio}");
}
