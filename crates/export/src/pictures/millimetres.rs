//! Lengths on paper.

/// Millimetres with at most two decimals.
pub(super) fn mm(value: f64) -> String {
    // No minus before a zero.
    let rounded = (value * 100.0).round() / 100.0 + 0.0;
    let text = format!("{rounded:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
