//! Parses `<number> <unit>`: the split, the exact conversion to an integer, and the error.
//!
//! A number is `digits` or `digits.digits`. It has no exponent, underscore or infinity. Whitespace
//! around the text and between number and unit is optional. Parsing uses no floating point, so
//! `"0.1 us"` is exactly 100,000 ps.

use thiserror::Error;

use crate::text::is_hidden;

/// The longest piece of refused text that an error quotes, in characters.
const QUOTED: usize = 60;

/// A text that is not the expected quantity.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("found \"{found}\"; expected {expected}")]
pub struct ParseError {
    /// The refused text: printable, at most 60 characters.
    pub found: String,
    /// The accepted form, as the end of a sentence: `a length such as "12.5 m"`.
    pub expected: &'static str,
}

impl ParseError {
    /// Quotes `found`, cut after 60 characters and with control characters escaped.
    pub fn new(found: &str, expected: &'static str) -> Self {
        let mut quoted = String::new();
        for character in found.chars().take(QUOTED) {
            match character {
                '\'' => quoted.push(character),
                // Not all of these are escaped by `escape_debug`.
                _ if is_hidden(character) => quoted.extend(character.escape_default()),
                _ => quoted.extend(character.escape_debug()),
            }
        }
        if found.chars().nth(QUOTED).is_some() {
            quoted.push('…');
        }
        Self { found: quoted, expected }
    }
}

/// The text form of an integer quantity, and its error messages.
pub(crate) struct Notation {
    /// The expected form of any text.
    pub expected: &'static str,
    /// The expected form if a number has digits below the integer base.
    pub whole: &'static str,
    /// The expected form if the integer cannot hold a number.
    pub at_most: &'static str,
    /// Each unit's name and its size in the integer base.
    pub units: &'static [(&'static str, u64)],
}

impl Notation {
    /// The quantity in `text`, in the integer base.
    pub fn parse(&self, text: &str) -> Result<u64, ParseError> {
        let refuse = |expected| ParseError::new(text, expected);
        let (number, unit) = Decimal::split(text.trim()).ok_or_else(|| refuse(self.expected))?;
        let &(_, scale) = self
            .units
            .iter()
            .find(|(name, _)| *name == unit)
            .ok_or_else(|| refuse(self.expected))?;
        number.times(scale).map_err(|misfit| match misfit {
            Misfit::TooFine => refuse(self.whole),
            Misfit::TooLarge => refuse(self.at_most),
        })
    }
}

/// A decimal number without a sign, as its original digits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Decimal<'a> {
    text: &'a str,
    whole: &'a str,
    fraction: &'a str,
}

/// The reason why a decimal number has no exact value in an integer base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// It has digits below one.
    TooFine,
    /// It exceeds `u64`.
    TooLarge,
}

impl<'a> Decimal<'a> {
    /// Splits `text` into the leading number and the trimmed rest.
    pub fn split(text: &'a str) -> Option<(Self, &'a str)> {
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (text, rest) = text.split_at(end);
        // "5" has no fraction; "5." has an empty one and is refused.
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let plain = !whole.is_empty() && !fraction.is_empty() && !fraction.contains('.');
        let number = Self { text, whole, fraction };
        plain.then_some((number, rest.trim()))
    }

    /// The number as in the text, `digits` or `digits.digits`.
    pub fn as_str(self) -> &'a str {
        self.text
    }

    /// The number times `scale`, exactly. `scale` is at most `u64::MAX / 10`.
    pub fn times(self, scale: u64) -> Result<u64, Misfit> {
        // Long multiplication of 0.fraction, from the last digit. Each digit that remains after the
        // point must be zero. The carry stays below `scale`, so nothing overflows.
        let mut carry = 0;
        for digit in self.fraction.bytes().rev() {
            let product = u64::from(digit - b'0') * scale + carry;
            if !product.is_multiple_of(10) {
                return Err(Misfit::TooFine);
            }
            carry = product / 10;
        }
        self.whole
            .parse::<u64>()
            .ok()
            .and_then(|whole| whole.checked_mul(scale))
            .and_then(|whole| whole.checked_add(carry))
            .ok_or(Misfit::TooLarge)
    }
}

/// Removes a leading sign. Returns whether it was a minus, and the rest.
pub(crate) fn sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fraction_of_any_length_is_exact() {
        // One byte in TiB: 40 decimal places.
        let (number, unit) =
            Decimal::split("3.0000000000009094947017729282379150390625 TiB").unwrap();
        assert_eq!(number.times(1 << 40), Ok((3 << 40) + 1));
        assert_eq!(unit, "TiB");
    }

    #[test]
    fn zeros_below_the_base_are_not_digits_that_it_cannot_hold() {
        let times = |text, scale| Decimal::split(text).unwrap().0.times(scale);
        assert_eq!(times("1.000", 1), Ok(1));
        assert_eq!(times("1.0001", 1000), Err(Misfit::TooFine));
        assert_eq!(times("18446744073709551615", 1), Ok(u64::MAX));
        assert_eq!(times("18446744073709551616", 1), Err(Misfit::TooLarge));
        assert_eq!(times("18446744073709.551616", 1_000_000), Err(Misfit::TooLarge));
    }

    #[test]
    fn only_plain_decimals_are_numbers() {
        for text in ["", ".", "5.", ".5", "1.2.3", "-1", "+1", "e3", "inf", "NaN", "٣"] {
            assert!(Decimal::split(text).is_none(), "{text}");
        }
    }

    #[test]
    fn an_error_quotes_hostile_text_safely() {
        let error = ParseError::new("12 parsecs", "a length such as \"12.5 m\"");
        assert_eq!(error.to_string(), "found \"12 parsecs\"; expected a length such as \"12.5 m\"");
        assert_eq!(ParseError::new("6'\n\u{1b}[2J", "").found, "6'\\n\\u{1b}[2J");
        let long = ParseError::new(&"µ".repeat(1000), "").found;
        assert_eq!(long, "µ".repeat(60) + "…");
        assert_eq!(ParseError::new(&"x".repeat(60), "").found, "x".repeat(60));
    }
}
