//! Whole numbers that are typed into fields.

use std::str::FromStr;

use lightloom::InputError;

/// A number that may be left out.
///
/// # Errors
/// [`InputError`] with the option if the text is no number of this kind.
pub fn number<T: FromStr>(text: &str, option: &'static str) -> Result<Option<T>, InputError> {
    if text.trim().is_empty() { Ok(None) } else { whole(text, option).map(Some) }
}

/// A number.
///
/// # Errors
/// As [`number`].
pub fn whole<T: FromStr>(text: &str, option: &'static str) -> Result<T, InputError> {
    let text = text.trim();
    let message = || InputError::new(format!("found {text:?}; expected a whole number"));
    text.parse().map_err(|_| message().in_option(option))
}
