//! What is promised of a receiver: never more errors fewer than its kind and the printed values allow.

use lightloom_power_cost::error_rate::{LEAST_RATIO, of_part};
use lightloom_power_cost::parts::{
    Fec, Incomparable, LaunchKind, LightLevels, Modulation, ReceiverKind, SensitivityKind,
    Transceiver, TransceiverRow,
};
use lightloom_power_cost::{Optics, Verdict};
use lightloom_units::Db;
use proptest::prelude::*;

use crate::engineer::worst;
use crate::given::{db, dbm, levels, m, optics, plc};

fn checked(row: TransceiverRow) -> Transceiver {
    Transceiver::try_from(row).unwrap()
}

/// A receiver of unknown kind: two levels, corrected by RS(528,514), 5e-5 at its sensitivity.
fn unknown() -> TransceiverRow {
    TransceiverRow {
        receiver: None,
        ber: Some(5e-5),
        fec: Fec::Rs528,
        ..levels("unknown", [0.0, 4.0, -20.0, 0.0])
    }
}

#[test]
fn a_receiver_of_unknown_kind_promises_what_its_sensitivity_does() {
    let found = of_part(&unknown(), db(3.0)).unwrap();
    assert_eq!(found.pre_fec_ber, 5e-5);
    assert!(found.pre_fec_ber_is_bound && found.frame_loss_is_bound, "{found:?}");
    // By hand: a symbol of ten bits is wrong with 5e-4, so 528 have 0.264 wrong ones on average. More than seven
    // are wrong with 0.264^8 / 8! e^-0.264 (1 + 0.264 / 9) = 4.5e-10. A frame lies in 12,144 / 5,140 + 1 = 3.36
    // codewords, so 1.5e-9 of the frames are lost.
    assert!((found.frame_loss / 1.5e-9 - 1.0).abs() < 0.05, "{found:?}");
    // With a floor of its own too: how its errors fall towards the floor is unknown.
    let floor = TransceiverRow { ber_floor: Some(1e-9), ..unknown() };
    assert_eq!(of_part(&floor, db(9.0)).unwrap().pre_fec_ber, 5e-5);
    // Below its sensitivity it is judged as a PIN receiver, which loses most.
    let below = |receiver| of_part(&TransceiverRow { receiver, ..unknown() }, db(-1.0)).unwrap();
    assert_eq!(below(None), below(Some(ReceiverKind::Pin)));
    assert!(!below(None).pre_fec_ber_is_bound);
}

#[test]
fn kind_and_damage_threshold_are_two_facts() {
    let apd = TransceiverRow { receiver: Some(ReceiverKind::Apd), damage: None, ..unknown() };
    let gaps = |row: &TransceiverRow| Optics::gaps(&optics(row.clone(), plc(4)));
    let about = |row: &TransceiverRow, what: &str| {
        gaps(row).into_iter().filter(|gap| gap.contains(what)).collect::<Vec<_>>()
    };
    checked(apd.clone());
    assert_eq!(about(&apd, "damage").len(), 1, "{:?}", gaps(&apd));
    assert!(about(&apd, "kind").is_empty());
    let safe = TransceiverRow { damage: Some(dbm(3.0)), ..apd };
    assert!(about(&safe, "damage").is_empty());
    assert_eq!(about(&unknown(), "kind of its receiver").len(), 1, "{:?}", gaps(&unknown()));
    let damaged = TransceiverRow { damage: Some(dbm(3.0)), ..unknown() };
    assert_eq!(about(&damaged, "kind of its receiver").len(), 1);
    // Coherent light has one kind of receiver.
    let coherent = TransceiverRow { modulation: Modulation::Coherent, ..unknown() };
    assert!(about(&coherent, "kind").is_empty());
}

#[test]
fn a_sensitivity_of_unprinted_kind_is_amplitude() {
    let row = TransceiverRow {
        receiver: Some(ReceiverKind::Pin),
        sensitivity: None,
        sensitivity_unprinted: Some(dbm(-19.0)),
        ..levels("unprinted", [0.0, 6.0, 0.0, 6.0])
    };
    // Average launch power cannot be compared with it.
    let found = optics(row.clone(), plc(4));
    assert_eq!(worst(&found, m(100)).verdict, Verdict::Unknown);
    let reason = found.transceiver.levels().unwrap_err();
    let kinds = Incomparable::Kinds {
        launch: LaunchKind::Average,
        sensitivity: SensitivityKind::Unprinted,
    };
    assert_eq!(reason, kinds);
    assert!(reason.to_string().contains("read as OMA"), "{reason}");
    // By hand: 3.5 dB are 2.2387, and 2 (2.2387 - 1) / (2.2387 + 1) is -1.164 dB.
    let ratio = TransceiverRow { extinction_ratio_min: Some(db(3.5)), ..row.clone() };
    let found = optics(ratio.clone(), plc(4));
    let margin = worst(&found, m(100)).margin.unwrap();
    let loss = worst(&found, m(100)).loss;
    assert!((margin.get() - (-1.164 + 19.0 - loss.get())).abs() < 1e-3, "{margin}");
    assert_eq!(worst(&found, m(100)).verdict, Verdict::Warn, "never a pass");
    assert!(found.gaps().iter().any(|gap| gap.contains("read as OMA")), "{:?}", found.gaps());
    // A printed launch power in OMA goes before one that is derived.
    let printed = TransceiverRow { launch_oma_min: Some(dbm(0.5)), ..ratio };
    let Ok(LightLevels::Pairs { pairs, .. }) = printed.levels() else { panic!("no pairs") };
    assert_eq!(pairs.len(), 1);
    assert!(!pairs[0].is_derived && pairs[0].budget() == db(19.5), "{pairs:?}");
    // One value, one kind.
    let both = TransceiverRow { sensitivity: Some(dbm(-17.0)), ..row };
    let error = Transceiver::try_from(both).unwrap_err();
    assert_eq!(error.field, "sensitivity_unprinted");
}

fn kinds() -> impl Strategy<Value = Option<ReceiverKind>> {
    prop_oneof![Just(None), Just(Some(ReceiverKind::Pin)), Just(Some(ReceiverKind::Apd))]
}

proptest! {
    /// No ratio of any receiver is below the one floor. A ratio that stands on a floor says so. More light makes
    /// no error more likely.
    #[test]
    fn one_floor_for_every_ratio(
        receiver in kinds(),
        ber in prop_oneof![Just(1e-12), Just(5e-5), Just(2.4e-4), Just(1e-17)],
        pam4: bool,
        fec in prop_oneof![Just(Fec::None), Just(Fec::Rs528), Just(Fec::Rs544)],
        margin in -10.0..30.0_f64,
    ) {
        let modulation = if pam4 { Modulation::Pam4 } else { Modulation::Nrz };
        let row = TransceiverRow { receiver, ber: Some(ber), fec, modulation, ..unknown() };
        let at = |margin: f64| of_part(&row, Db::new(margin).unwrap()).unwrap();
        let found = at(margin);
        prop_assert!(found.pre_fec_ber >= LEAST_RATIO && found.frame_loss >= LEAST_RATIO);
        prop_assert!(found.pre_fec_ber_is_bound || found.pre_fec_ber > LEAST_RATIO);
        prop_assert!(found.frame_loss_is_bound || found.frame_loss > LEAST_RATIO);
        prop_assert!(found.frame_loss_is_bound || !found.pre_fec_ber_is_bound);
        // The quality factor is that of the ratio, so it says no more.
        prop_assert!(found.q < 8.3, "{found:?}");
        let more = at(margin + 0.5);
        prop_assert!(more.pre_fec_ber <= found.pre_fec_ber * (1.0 + 1e-9));
        prop_assert!(more.frame_loss <= found.frame_loss * (1.0 + 1e-9));
        if receiver.is_none() && margin >= 0.0 {
            prop_assert!(found.pre_fec_ber >= ber && found.pre_fec_ber_is_bound);
        }
    }
}

#[test]
fn the_floor_is_that_of_a_ratio_and_not_of_a_level() {
    let far = TransceiverRow { receiver: Some(ReceiverKind::Pin), ..unknown() };
    let found = of_part(&far, db(15.0)).unwrap();
    assert_eq!((found.pre_fec_ber, found.frame_loss), (LEAST_RATIO, LEAST_RATIO));
    assert!(found.pre_fec_ber_is_bound && found.frame_loss_is_bound);
    // Without correction a frame has 12,144 bits that may each be wrong with 1e-15.
    let bare = of_part(&TransceiverRow { fec: Fec::None, ..far }, db(15.0)).unwrap();
    assert!((bare.frame_loss / 1.2144e-11 - 1.0).abs() < 1e-6 && bare.frame_loss_is_bound);
}
