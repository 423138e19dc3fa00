//! What lines of pictures have in common.

/// Colours of lines in turn (Okabe, Ito 2008).
pub(crate) const COLOURS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a7a00"];

/// A length to a tenth of a pixel.
pub(crate) fn pixels(length: f64) -> String {
    format!("{length:.1}")
}
