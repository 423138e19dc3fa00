//! Names of racks and rows from users.

use std::fmt;

use lightloom_units::text::is_hidden;
use unicode_normalization::UnicodeNormalization;

/// A name: 1 to 128 characters, none of them a control character, no space at either end.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(String);

/// The reason why a text is not a name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Empty, or only white space.
    #[error("found no name; give each rack and row a name")]
    Empty,
    /// Longer than 128 characters.
    #[error("found a name of {0} characters; a name has at most 128")]
    TooLong(usize),
    /// The name has a line break, tab or other control character, which would break labels and
    /// sheets.
    #[error("found {0:?} in the name; remove line breaks, tabs and control characters")]
    Control(char),
}

impl Name {
    /// Checks a text. White space around it is removed.
    ///
    /// # Errors
    /// [`NameError`] with the reason.
    pub fn new(text: &str) -> Result<Self, NameError> {
        // Checked before trimming: a name that ends in a line break is refused, not repaired.
        if let Some(c) = text.chars().find(|&c| is_hidden(c)) {
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

    /// What a reader sees of the name: its compatibility form (Unicode, NFKC), with one space for each run of white
    /// space. Two names of one form are one name to a reader.
    pub fn form(&self) -> String {
        let form: String = self.0.nfkc().collect();
        form.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Compares with another name. `None`: they are equal, or differ in more than case, blanks and Unicode form.
    pub fn alike(&self, other: &Self) -> Option<Alike> {
        if self == other {
            return None;
        }
        let (form, others) = (self.form(), other.form());
        // Letters that look the same are told apart by their numbers.
        let (only_in, tell): (_, fn(&str) -> String) = if form == others {
            ("blanks or Unicode form", |name| name.escape_default().to_string())
        } else if form.to_lowercase() == others.to_lowercase() {
            ("case", str::to_owned)
        } else {
            return None;
        };
        Some(Alike { found: tell(&self.0), other: tell(&other.0), only_in })
    }
}

/// Two names that a reader takes for one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alike {
    /// The name, with escapes where its letters look like those of the other.
    pub found: String,
    /// The other name.
    pub other: String,
    /// What they differ in.
    pub only_in: &'static str,
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}
