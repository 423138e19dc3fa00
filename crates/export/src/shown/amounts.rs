//! Times and data sizes as people read them.

/// A value, or that there is none.
pub fn known(value: Option<String>) -> String {
    value.unwrap_or_else(|| "none".into())
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
