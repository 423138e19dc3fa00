//! Times, sizes and amounts as people read them.

use lightloom_units::Money;

/// A value, or that there is none.
pub fn known(value: Option<String>) -> String {
    value.unwrap_or_else(|| "none".into())
}

/// What stands for a value that is not known.
pub const UNKNOWN: &str = "unknown";

/// A value with this number of decimals. `None` is written as [`UNKNOWN`].
pub fn decimals(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(|| UNKNOWN.to_owned(), |value| format!("{value:.decimals$}"))
}

/// A length in metres.
pub fn metres(value: f64) -> String {
    format!("{value:.2}")
}

/// A value that rows are sorted by. Those without one are last.
pub(super) fn or_nan(value: Option<f64>) -> f64 {
    value.unwrap_or(f64::NAN)
}

/// An amount that rows are sorted by.
#[allow(clippy::cast_precision_loss, reason = "it only sorts")]
pub(super) fn amount(money: Option<Money>) -> f64 {
    money.map_or(f64::NAN, |money| money.as_micros() as f64)
}

/// A time with four digits or so, in a unit that fits.
pub fn time(ps: u64) -> String {
    let units = [(1e12, "s"), (1e9, "ms"), (1e6, "us"), (1e3, "ns")];
    let value = ps as f64;
    units
        .iter()
        .find(|(scale, _)| value >= *scale)
        .map_or_else(|| format!("{ps} ps"), |(scale, unit)| digits(value / scale, unit))
}

/// A time with three digits, in a unit that fits.
pub fn rounded(ps: u64) -> String {
    let mut power = 1;
    while ps / power >= 1000 {
        power *= 10;
    }
    // The next digit rounds.
    time(ps.saturating_add(power / 2) / power * power)
}

/// A data size with four digits or so, in a unit that fits.
pub fn bytes(bytes: u64) -> String {
    let units = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    let value = bytes as f64;
    units
        .iter()
        .find(|(scale, _)| value >= *scale)
        .map_or_else(|| format!("{bytes} B"), |(scale, unit)| digits(value / scale, unit))
}

/// A number with at most three decimals and its unit.
fn digits(value: f64, unit: &str) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text} {unit}")
}
