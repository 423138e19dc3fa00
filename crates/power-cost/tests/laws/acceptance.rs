//! Limits of measured branches, and whether they notice that a pad is missing.

use lightloom_power_cost::parts::{FittedPad, PadPlace};
use lightloom_power_cost::spec::{METER_UNCERTAINTY_DB, acceptance};
use lightloom_power_cost::{Optics, Spread};
use lightloom_units::Length;
use rand::RngExt;

use crate::given::{any_length, any_optics, er, optics, pad, plc, seeded};

fn padded(optics: &Optics, decibels: f64) -> Optics {
    let pad = FittedPad { pad: pad(decibels, 0.5), at: PadPlace::Receiver };
    Optics { pad: Some(pad), ..optics.clone() }
}

/// The limits say that they show the pad exactly if no branch without it can measure within them.
#[test]
fn limits_that_show_the_pad_refuse_every_branch_without_it() {
    let mut draws = seeded(11);
    let (mut shown, mut hidden) = (0, 0);
    for _ in 0..2000 {
        let optics = any_optics(&mut draws);
        let (feed, branch) = (any_length(&mut draws), any_length(&mut draws));
        let decibels = f64::from(draws.random_range(1..25_u32));
        let with = acceptance(&padded(&optics, decibels), feed, branch);
        let without: Spread = acceptance(&optics, feed, branch).loss;
        // The greatest reading of a branch without its pad.
        let most = without.most.get() + METER_UNCERTAINTY_DB;
        let check = with.pad.unwrap();
        let can_pass = most >= with.loss.least.get() - 1e-9;
        assert!(check.is_told != can_pass || (most - with.loss.least.get()).abs() < 1e-6);
        (shown, hidden) = if check.is_told { (shown + 1, hidden) } else { (shown, hidden + 1) };
    }
    assert!(shown > 100 && hidden > 100, "{shown} {hidden}");
    assert!(acceptance(&optics(er(), plc(4)), Length::ZERO, Length::ZERO).pad.is_none());
}

/// By hand: behind 1:4 a branch has 5.22 to 9.95 dB without fibre: the even share less the uniformity, and 7.4 dB with
/// 0.3 of polarisation and three pairs of 0.75. A pad of 1 ± 0.5 dB lifts the least limit to 5.72 only.
#[test]
fn a_pad_of_one_decibel_is_not_shown_and_one_of_six_is() {
    let bare = optics(er(), plc(4));
    let limits = |decibels| acceptance(&padded(&bare, decibels), Length::ZERO, Length::ZERO);
    let one = limits(1.0);
    assert!((one.loss.least.get() - 5.7206).abs() < 1e-3, "{one:?}");
    let check = one.pad.unwrap();
    assert!(!check.is_told);
    // Taking it out shows it: the loss falls by 1 dB with its tolerance of 0.5 and 0.2 of the meter.
    let (least, most) = check.fall.unwrap();
    assert!((least.get() - 0.3).abs() < 1e-9 && (most.get() - 1.7).abs() < 1e-9);
    // 5.22 + 5.5 is above 9.95 + 0.2, and 5.22 + 4.5 is not.
    assert!(limits(6.0).pad.unwrap().is_told && !limits(5.0).pad.unwrap().is_told);
}

/// A pad whose least attenuation is no more than what a measurement can be wrong by cannot be shown.
#[test]
fn a_pad_within_the_uncertainty_is_looked_at() {
    let weak = FittedPad { pad: pad(0.6, 0.3), at: PadPlace::Feed };
    let optics = Optics { pad: Some(weak), ..optics(er(), plc(2)) };
    let limits = acceptance(&optics, Length::ZERO, Length::ZERO);
    assert_eq!(limits.pad.map(|check| (check.is_told, check.fall)), Some((false, None)));
}
