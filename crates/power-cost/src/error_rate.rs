//! Error rates from margins: Q, bit errors before correction, and frames lost after it.
//!
//! In a receiver limited by thermal noise, such as a PIN receiver, Q is proportional to the received optical
//! power: a margin of m dB above the sensitivity raises Q by 10^(m/10) (Agrawal, Fiber-Optic Communication
//! Systems, 4th edition, 4.6). In receivers limited by shot noise, such as an APD or a coherent receiver, Q
//! grows with the square root of the power: by 10^(m/20). The sensitivity is the power at which the data
//! sheet promises its bit error ratio.
//!
//! Amplifiers, PAM4 and coherent transmission have error floors that no power passes. No bit error ratio is
//! below the floor of the part. If the floor is unknown, a part whose kind has one promises the bit error
//! ratio at its sensitivity, and nothing better. So does a part whose kind of receiver is unknown, because
//! nobody knows how its Q grows.
//!
//! No ratio is below [`LEAST_RATIO`]: the laws above say nothing there. A ratio that stands at such a floor is
//! a bound, and says so.

use lightloom_units::{BitRate, Db};

use crate::parts::{Fec, Modulation, ReceiverKind, TransceiverRow};

/// Error rates of a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ErrorRate {
    /// Quality factor of the bit error ratio. For PAM4: that of each of its three eyes.
    pub q: f64,
    /// Bit error ratio before correction.
    pub pre_fec_ber: f64,
    /// Whether the bit error ratio is at most that, and the quality factor at least that.
    pub pre_fec_ber_is_bound: bool,
    /// Share of frames that are lost after correction: of [`FRAME_BYTES`] where nothing else is said.
    pub frame_loss: f64,
    /// Whether the share is at most that.
    pub frame_loss_is_bound: bool,
    /// Mean number of such frames in a row that are lost together: an uncorrectable codeword, with those
    /// that are interleaved with it, hits all frames that it carries parts of.
    pub frames_at_once: f64,
}

/// The least error ratio that is told. Below it the models say nothing.
pub const LEAST_RATIO: f64 = 1e-15;

/// Frame size for losses, in bytes: the longest frame of plain Ethernet.
pub const FRAME_BYTES: u32 = 1518;

/// An error ratio in words. A bound is told as one.
pub fn text(ratio: f64, is_bound: bool) -> String {
    format!("{}{ratio:.1e}", if is_bound { "≤ " } else { "" })
}

/// Error rates of a transceiver at a margin over its sensitivity. `None`: its bit error ratio is unknown.
pub fn of_part(row: &TransceiverRow, margin: Db) -> Option<ErrorRate> {
    of_frames(row, margin, FRAME_BYTES)
}

/// Like [`of_part`], for frames of this many bytes.
pub fn of_frames(row: &TransceiverRow, margin: Db, frame_bytes: u32) -> Option<ErrorRate> {
    let ber = row.ber?;
    let kind = row.receiver_kind();
    let shot_noise =
        matches!(kind, Some(ReceiverKind::Apd | ReceiverKind::Coherent)) && margin > Db::ZERO;
    let effective = if shot_noise { margin * 0.5 } else { margin };
    let q = q_of(ber, row.modulation) * 10_f64.powf(effective.get() / 10.0);
    let found = Ratio { least: ber_of(q, row.modulation), is_bound: false };
    let bit_errors = found.above(floor(row, ber, shot_noise));
    let interleaved = interleaved(row.rate);
    let lost = interleaved_loss(bit_errors.least, row.fec, interleaved, frame_bytes);
    let lost = Ratio { least: lost, is_bound: bit_errors.is_bound }.above(Ratio::LEAST);
    Some(ErrorRate {
        // Without a floor it is the quality factor that the ratio came from, without rounding.
        q: if bit_errors == found { q } else { q_of(bit_errors.least, row.modulation) },
        pre_fec_ber: bit_errors.least,
        pre_fec_ber_is_bound: bit_errors.is_bound,
        frame_loss: lost.least,
        frame_loss_is_bound: lost.is_bound,
        frames_at_once: frames_at_once(row.fec, interleaved, frame_bytes),
    })
}

/// An error ratio, or the least one that is known to be kept.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Ratio {
    least: f64,
    is_bound: bool,
}

impl Ratio {
    /// The floor of all ratios.
    const LEAST: Self = Self { least: LEAST_RATIO, is_bound: true };

    /// This ratio, or the floor if it is not above it.
    fn above(self, floor: Self) -> Self {
        if self.least > floor.least { self } else { floor }
    }
}

/// The floor of the bit error ratio of a part: its own, which it reaches, or a bound of what is known.
fn floor(row: &TransceiverRow, ber: f64, shot_noise: bool) -> Ratio {
    let at_sensitivity = Ratio { least: ber, is_bound: true };
    let known = row.ber_floor.map(|least| Ratio { least, is_bound: false });
    let has_floor = row.modulation != Modulation::Nrz || shot_noise;
    let of_part = match row.receiver_kind() {
        None => at_sensitivity,
        Some(_) => known.or(has_floor.then_some(at_sensitivity)).unwrap_or(Ratio::LEAST),
    };
    of_part.above(Ratio::LEAST)
}

/// Number of codewords whose symbols alternate on the line: two from 200 Gb/s on (IEEE 802.3, 119.2.4.8).
fn interleaved(rate: BitRate) -> u32 {
    if rate >= BitRate::from_gbps(200) { 2 } else { 1 }
}

/// Mean number of frames that share a stretch of interleaved codewords with a lost frame, itself included.
fn frames_at_once(fec: Fec, interleaved: u32, frame_bytes: u32) -> f64 {
    match fec {
        Fec::Rs528 | Fec::Rs544 => {
            1.0 + f64::from(interleaved) * PAYLOAD_BITS / (8.0 * f64::from(frame_bytes + GAP_BYTES))
        }
        Fec::None | Fec::Cfec | Fec::Ofec => 1.0,
    }
}

/// Preamble and least gap between two frames, in bytes.
const GAP_BYTES: u32 = 20;

/// Bit error ratio of a Q. NRZ: ½ erfc(Q/√2). PAM4: four levels have six ways to cross into a neighbour,
/// which is 3/2 of a tail per symbol. With Gray labels each crossing costs one of two bits: ¾ of a tail, ⅜
/// erfc(Q/√2).
pub fn ber_of(q: f64, modulation: Modulation) -> f64 {
    let share = match modulation {
        // Each polarisation's in-phase and quadrature part of QPSK is a two-level signal.
        Modulation::Nrz | Modulation::Coherent => 0.5,
        Modulation::Pam4 => 0.375,
    };
    share * libm::erfc(q / std::f64::consts::SQRT_2)
}

/// Q of a bit error ratio, by bisection. 0 if no Q has so high a ratio.
pub fn q_of(ber: f64, modulation: Modulation) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if ber_of(middle, modulation) > ber { low = middle } else { high = middle }
    }
    low
}

/// Probability that a frame of [`FRAME_BYTES`] is lost. Codewords are not interleaved.
pub fn frame_loss(ber: f64, fec: Fec) -> f64 {
    interleaved_loss(ber, fec, 1, FRAME_BYTES)
}

/// Probability that a frame is lost. `interleaved` is the number of codewords whose symbols alternate on the
/// line.
fn interleaved_loss(ber: f64, fec: Fec, interleaved: u32, frame_bytes: u32) -> f64 {
    let (bits, more) = (8.0 * f64::from(frame_bytes), f64::from(interleaved));
    match fec {
        Fec::None => at_least_one(ber, bits),
        // A frame fills this many codewords, and on average it begins in one more of each interleaved.
        Fec::Rs528 => at_least_one(codeword_loss(ber, 528, 7), bits / PAYLOAD_BITS + more),
        Fec::Rs544 => at_least_one(codeword_loss(ber, 544, 15), bits / PAYLOAD_BITS + more),
        // Both are specified by a threshold, below which at most that share of the bits stays wrong.
        Fec::Cfec => at_least_one(beyond(ber, 1.25e-2), bits),
        Fec::Ofec => at_least_one(beyond(ber, 2.0e-2), bits),
    }
}

/// Bit error ratio after a code that is specified by a threshold.
fn beyond(ber: f64, threshold: f64) -> f64 {
    if ber <= threshold { LEAST_RATIO } else { ber }
}

/// Payload of both codes: 514 symbols of 10 bits.
const PAYLOAD_BITS: f64 = 5140.0;

/// Probability that more than `corrected` of `symbols` 10-bit symbols are wrong. Bit errors are independent.
pub fn codeword_loss(ber: f64, symbols: u32, corrected: u32) -> f64 {
    let wrong = at_least_one(ber, 10.0);
    if wrong <= 0.0 {
        return 0.0;
    }
    let n = f64::from(symbols);
    let log_choose =
        |i: f64| libm::lgamma(n + 1.0) - libm::lgamma(i + 1.0) - libm::lgamma(n - i + 1.0);
    let term = |i: u32| {
        let i = f64::from(i);
        (log_choose(i) + i * wrong.ln() + (n - i) * libm::log1p(-wrong)).exp()
    };
    // Summed from the small end, so that small terms are not lost in large ones.
    ((corrected + 1)..=symbols).rev().map(term).sum::<f64>().min(1.0)
}

/// 1 - (1 - p)^n, exact for small p.
fn at_least_one(p: f64, n: f64) -> f64 {
    -libm::expm1(n * libm::log1p(-p))
}
