//! Formats quantities: exact decimal text, the choice of unit, and alignment.

use std::fmt;

/// `value / scale` as exact decimal text without trailing zeros, but with at least `least_places`
/// digits after the point. `scale` is a power of ten.
pub(crate) fn decimal(value: u64, scale: u64, least_places: usize) -> String {
    let (whole, fraction) = (value / scale, value % scale);
    let places = scale.ilog10() as usize;
    let digits = format!("{fraction:0places$}");
    let kept = digits.trim_end_matches('0').len().max(least_places);
    match &digits[..kept] {
        "" => whole.to_string(),
        kept => format!("{whole}.{kept}"),
    }
}

/// Writes `value` in the first unit that is not larger than it. The table is in descending order,
/// from the largest unit to the base, in powers of ten. Zero is written in the base.
pub(crate) fn in_largest_unit(
    f: &mut fmt::Formatter<'_>,
    value: u64,
    units: &[(&str, u64)],
) -> fmt::Result {
    let &(unit, scale) = units.iter().find(|(_, scale)| *scale <= value.max(1)).unwrap_or(&("", 1));
    number_and_unit(f, false, &decimal(value, scale, 0), unit)
}

/// Writes `-12.5 m`. It honours width, fill, alignment and `+` as for a number.
pub(crate) fn number_and_unit(
    f: &mut fmt::Formatter<'_>,
    negative: bool,
    magnitude: &str,
    unit: impl fmt::Display,
) -> fmt::Result {
    f.pad_integral(!negative, "", &format!("{magnitude} {unit}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact_and_short() {
        assert_eq!(decimal(0, 1, 0), "0");
        assert_eq!(decimal(10, 1, 0), "10");
        assert_eq!(decimal(1_500_000, 1_000_000, 0), "1.5");
        assert_eq!(decimal(1, 1_000_000, 0), "0.000001");
        assert_eq!(decimal(37_000_000, 1_000_000, 2), "37.00");
        assert_eq!(decimal(37_123_000, 1_000_000, 2), "37.123");
    }
}
