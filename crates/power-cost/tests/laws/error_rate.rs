//! Error rates, compared with independent arithmetic and with published figures.

use lightloom_power_cost::error_rate::{
    FRAME_BYTES, ber_of, codeword_loss, frame_loss, of_part, q_of,
};
use lightloom_power_cost::parts::{Fec, Modulation, ReceiverKind, TransceiverRow};

use crate::given::{db, nothing_known};

/// Whether two numbers agree to this relative error.
fn within(found: f64, expected: f64, parts: f64) -> bool {
    (found - expected).abs() <= parts * expected.abs()
}

/// Tail of the normal distribution: below 2 by the series of its integral, above by Laplace's continued
/// fraction.
fn tail(x: f64) -> f64 {
    let density = (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt();
    if x < 2.0 {
        let (mut term, mut sum) = (x, x);
        for i in 1..100 {
            term *= x * x / f64::from(2 * i + 1);
            sum += term;
        }
        return 0.5 - density * sum;
    }
    let fraction = (1..400).rev().fold(x, |below, i| x + f64::from(i) / below);
    density / fraction
}

/// Bit errors of four levels with distance 2, noise of deviation 1/q, thresholds in the middle, labels 00,
/// 01, 11, 10. Sums over every confusion of levels and its wrong bits.
fn four_levels(q: f64) -> f64 {
    const LABELS: [u32; 4] = [0b00, 0b01, 0b11, 0b10];
    const THRESHOLDS: [f64; 5] = [f64::NEG_INFINITY, -2.0, 0.0, 2.0, f64::INFINITY];
    let above = |distance: f64| match distance {
        f64::INFINITY => 0.0,
        f64::NEG_INFINITY => 1.0,
        _ if distance < 0.0 => 1.0 - tail(-distance * q),
        _ => tail(distance * q),
    };
    let mut wrong = 0.0;
    for (sent, level) in LABELS.into_iter().zip([-3.0, -1.0, 1.0, 3.0]) {
        for (taken, between) in LABELS.into_iter().zip(THRESHOLDS.windows(2)) {
            let chance = above(between[0] - level) - above(between[1] - level);
            wrong += chance * f64::from((sent ^ taken).count_ones());
        }
    }
    // Four equally frequent levels, two bits each.
    wrong / 8.0
}

/// Terms of the binomial distribution, each from the previous one, without logarithm and gamma function.
fn more_than(corrected: u32, symbols: u32, wrong: f64) -> f64 {
    let mut term = 1.0;
    (0..symbols).for_each(|_| term *= 1.0 - wrong);
    let mut sum = 0.0;
    for i in 0..symbols {
        term *= f64::from(symbols - i) / f64::from(i + 1) * wrong / (1.0 - wrong);
        if i + 1 > corrected {
            sum += term;
        }
    }
    sum
}

/// 1 - (1-p)^10 as a polynomial, so that a small p is not lost.
fn symbol_error(p: f64) -> f64 {
    let (mut none, mut some) = (1.0, 0.0);
    for _ in 0..10 {
        some += none * p;
        none *= 1.0 - p;
    }
    some
}

#[test]
fn two_levels_err_by_the_tail_of_the_normal_distribution() {
    for (q, expected) in [
        (1.0, 0.158_655_253_931_457_07),
        (3.0, 1.349_898_031_630_094_5e-3),
        (6.0, 9.865_876_450_377_007e-10),
        (7.034, 1.003_475_617_034_862_8e-12),
        (12.0, 1.776_482_112_077_7e-33),
    ] {
        assert!(within(tail(q), expected, 1e-12), "the test's own: {q}");
        assert!(within(ber_of(q, Modulation::Nrz), expected, 1e-12), "{q}");
    }
    for q in (0..370).map(|i| f64::from(i) / 10.0) {
        assert!(within(ber_of(q, Modulation::Nrz), tail(q), 1e-9), "{q}");
    }
}

#[test]
fn four_levels_err_as_often_as_all_their_confusions() {
    // Below that, levels with distance 2 are confused too, which the three eyes ignore. Above it, rounding
    // near 1 hides values near 0.
    for q in (30..60).map(|i| f64::from(i) / 10.0) {
        assert!(within(ber_of(q, Modulation::Pam4), four_levels(q), 1e-6), "{q}");
    }
}

#[test]
fn published_qualities() {
    let q = |ber, modulation| q_of(ber, modulation);
    assert!(within(q(1e-12, Modulation::Nrz), 7.034_483_825_301_13, 1e-12));
    assert!(within(q(1e-9, Modulation::Nrz), 5.997_807_015_007_69, 1e-12));
    // 2.4e-4 of bits is 4.8e-4 of PAM4 symbols, of which 3/2 of a tail: 3.2e-4.
    let pam4 = q(2.4e-4, Modulation::Pam4);
    assert!(within(tail(pam4), 3.2e-4, 1e-9) && (3.41..3.42).contains(&pam4), "{pam4}");
}

#[test]
fn a_quality_comes_back_from_its_errors() {
    for modulation in [Modulation::Nrz, Modulation::Pam4] {
        for q in (1..3700).map(|i| f64::from(i) / 100.0) {
            let back = q_of(ber_of(q, modulation), modulation);
            assert!(within(back, q, 1e-9), "{modulation:?}: {q} became {back}");
        }
        assert_eq!(q_of(0.5, modulation), 0.0);
        assert!(q_of(0.0, modulation) > 37.0);
    }
    assert!(q_of(0.49, Modulation::Nrz) > 0.0);
}

#[test]
fn a_codeword_is_lost_when_more_symbols_are_wrong_than_it_mends() {
    for (symbols, corrected) in [(528, 7), (544, 15)] {
        for ber in [1e-6, 1e-5, 5e-5, 1e-4, 2.4e-4, 1e-3, 3e-3, 1e-2] {
            let expected = more_than(corrected, symbols, symbol_error(ber));
            let found = codeword_loss(ber, symbols, corrected);
            assert!(within(found, expected, 1e-9), "{symbols}, {ber}: {found} or {expected}");
        }
    }
    // Forty digits from another program.
    for (ber, symbols, corrected, expected) in [
        (2.4e-4, 544, 15, 8.151_573_399_330_457e-13),
        (1e-3, 544, 15, 1.530_258_592_806_046e-4),
        (1e-6, 544, 15, 2.238_979_241_919_594e-50),
        (5e-5, 528, 7, 4.397_087_761_879_393e-10),
        (1e-5, 528, 7, 1.355_768_928_260_428e-15),
    ] {
        assert!(within(codeword_loss(ber, symbols, corrected), expected, 1e-9), "{ber}");
    }
}

#[test]
fn codewords_of_two_symbols_by_all_patterns_of_their_bits() {
    for ber in [1e-3_f64, 0.05, 0.3] {
        let mut lost = [0.0; 3];
        for pattern in 0_u32..1 << 20 {
            let wrong = pattern.count_ones();
            let symbols = usize::from(pattern >> 10 != 0) + usize::from(pattern & 0x3ff != 0);
            let chance =
                ber.powi(wrong.cast_signed()) * (1.0 - ber).powi((20 - wrong).cast_signed());
            lost[..symbols].iter_mut().for_each(|lost| *lost += chance);
        }
        for (corrected, expected) in (0..3).zip(lost) {
            let found = codeword_loss(ber, 2, corrected);
            assert!((found - expected).abs() < 1e-10, "{ber}, {corrected}: {found}, {expected}");
        }
    }
}

#[test]
fn error_free_and_hopeless_codewords() {
    for fec in [Fec::None, Fec::Rs528, Fec::Rs544] {
        assert_eq!(frame_loss(0.0, fec), 0.0);
        for ber in [0.1, 0.375, 0.5, 1.0] {
            assert!(within(frame_loss(ber, fec), 1.0, 1e-9), "{fec:?} {ber}");
        }
    }
}

/// IEEE 802.3 asks for at most 6.2e-10 lost 64-octet frames behind RS(528,514) at 5e-5 and 1.7e-12
/// behind RS(544,514) at 2.4e-4. A short frame touches 1 + 512/5140 codewords.
#[test]
fn the_codes_keep_what_the_standard_asks_of_them() {
    let short = |codeword: f64| codeword * (1.0 + 512.0 / 5140.0);
    let (kr4, kp4) = (short(codeword_loss(5e-5, 528, 7)), short(codeword_loss(2.4e-4, 544, 15)));
    assert!((3e-10..6.2e-10).contains(&kr4), "{kr4}");
    assert!((5e-13..1.7e-12).contains(&kp4), "{kp4}");
}

#[test]
fn a_frame_is_lost_with_any_codeword_that_it_touches() {
    // The frame begins at any of the 5140 bits of a codeword.
    let bits = 8 * FRAME_BYTES;
    let mean = |lost: &dyn Fn(u32) -> f64| {
        (0..5140).map(|begin| lost((begin + bits).div_ceil(5140))).sum::<f64>() / 5140.0
    };
    for (fec, symbols, corrected, bers) in
        [(Fec::Rs528, 528, 7, [1e-5, 5e-5, 1e-4]), (Fec::Rs544, 544, 15, [1e-4, 2.4e-4, 4e-4])]
    {
        for ber in bers {
            let codeword = codeword_loss(ber, symbols, corrected);
            // So rare that at most one of them is lost.
            let expected = mean(&|touched| f64::from(touched) * codeword);
            assert!(within(frame_loss(ber, fec), expected, 1e-3), "{fec:?} {ber}");
        }
    }
    // Without correction every bit counts: there are 12144.
    assert!(within(frame_loss(1e-12, Fec::None), 1.2144e-8, 1e-6));
    let all_right = (0..12144).fold(1.0, |all, _| all * (1.0 - 1e-4));
    assert!(within(frame_loss(1e-4, Fec::None), 1.0 - all_right, 1e-9));
}

#[test]
fn more_light_never_loses_more_frames() {
    for (ber, modulation, fec) in [
        (1e-12, Modulation::Nrz, Fec::None),
        (5e-5, Modulation::Nrz, Fec::Rs528),
        (2.4e-4, Modulation::Pam4, Fec::Rs544),
    ] {
        let receiver = Some(ReceiverKind::Pin);
        let row =
            TransceiverRow { ber: Some(ber), modulation, fec, receiver, ..nothing_known("x") };
        let margins = (-300..=100).map(|tenths| f64::from(tenths) / 10.0);
        let rates: Vec<_> = margins.map(|margin| of_part(&row, db(margin)).unwrap()).collect();
        for pair in rates.windows(2) {
            assert!(pair[1].q > pair[0].q || pair[1].pre_fec_ber_is_bound, "{pair:?}");
            assert!(pair[1].pre_fec_ber <= pair[0].pre_fec_ber, "{pair:?}");
            assert!(pair[1].frame_loss <= pair[0].frame_loss * (1.0 + 1e-9), "{pair:?}");
        }
        assert!(rates.iter().all(|rate| (0.0..=1.0).contains(&rate.frame_loss)));
        assert!(within(rates[300].pre_fec_ber, ber, 1e-9), "{:?}", rates[300]);
        // 3 dB of light is 10^0.3 of Q.
        assert!(within(rates[290].q / rates[260].q, 1.995_262_314_968_88, 1e-9));
        assert!(rates[0].frame_loss > 0.99 && rates[400].frame_loss_is_bound);
    }
}

#[test]
fn a_stronger_code_loses_less() {
    for ber in [1e-6, 1e-5, 1e-4, 1e-3] {
        let [none, kr4, kp4] = [Fec::None, Fec::Rs528, Fec::Rs544].map(|fec| frame_loss(ber, fec));
        assert!(none > kr4 && kr4 > kp4, "{ber}: {none} {kr4} {kp4}");
    }
}
