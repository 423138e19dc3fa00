//! Names that users give to racks and rows.

use std::fmt;

/// A name: 1 to 128 characters, none of them a control character, no space at either end.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(String);

/// Why a text is no name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Nothing, or only white space.
    #[error("found no name; give each rack and row a name")]
    Empty,
    /// Longer than 128 characters.
    #[error("found a name of {0} characters; a name has at most 128")]
    TooLong(usize),
    /// A line break, tab or other control character would break labels and sheets.
    #[error("found {0:?} in the name; take line breaks, tabs and control characters out of it")]
    Control(char),
}

impl Name {
    /// Checks a text; white space around it is dropped.
    ///
    /// # Errors
    /// [`NameError`] says what is wrong with it.
    pub fn new(text: &str) -> Result<Self, NameError> {
        // Looked for before trimming: a name that ends in a line break is refused, not mended.
        if let Some(c) = text.chars().find(|&c| is_unprintable(c)) {
            return Err(NameError::Control(c));
        }
        let text = text.trim();
        match text.chars().count() {
            0 => Err(NameError::Empty),
            1..=128 => Ok(Self(text.to_owned())),
            n => Err(NameError::TooLong(n)),
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Control characters, and those that nobody sees: they break a line, join or part letters without a
/// trace, or turn the writing direction.
fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}'
        )
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}
