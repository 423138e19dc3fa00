//! Whole numbers of a command line.

use std::num::NonZeroUsize;

/// Reads a whole number. What it means is checked where it is used.
pub(crate) fn whole<T: TryFrom<i128>>(text: &str) -> Result<T, &'static str> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err("expected a whole number, such as 8");
    }
    let number = text.parse().ok().and_then(|number: i128| T::try_from(number).ok());
    let negative = digits.len() < text.len();
    number.ok_or(if negative { "expected 0 or more" } else { "that number is too large" })
}

/// Reads a number of threads.
pub(crate) fn hands(text: &str) -> Result<NonZeroUsize, &'static str> {
    NonZeroUsize::new(whole(text)?).ok_or("expected 1 or more")
}
