//! Rates as the 24 bits of a packet's sequence number carry them.

use lightloom_units::BitRate;

/// Bits of the number, before those of its shift.
const DIGITS: u32 = 18;

/// A rate in 24 bits: a number of 18 and how far it is shifted, rounded down. 0 is no rate.
pub fn packed(rate: BitRate) -> u32 {
    let bps = rate.as_bps();
    // As in a floating-point number: the leading digits, and how far they are shifted.
    let shift = (u64::BITS - bps.leading_zeros()).saturating_sub(DIGITS);
    shift << DIGITS | u32::try_from(bps >> shift).unwrap_or(u32::MAX)
}

/// The rate that 24 bits carry; none where they carry none.
pub fn unpacked(bits: u32) -> Option<BitRate> {
    let shift = (bits >> DIGITS).min(u64::BITS - DIGITS);
    let number = u64::from(bits & ((1 << DIGITS) - 1));
    (number > 0).then(|| BitRate::from_bps(number << shift))
}

/// The greatest rate that can be carried and is not above another: less by at most one part in 2^17.
pub fn carried(rate: BitRate) -> BitRate {
    unpacked(packed(rate)).unwrap_or(rate)
}
