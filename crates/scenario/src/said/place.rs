//! The place of a row in a scenario, and errors about its fields.

use std::fmt::Display;

use lightloom_request::{At, InputError};

/// A row of a scenario: a section, or one of the rows of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Name of the section. Empty for the fields before all sections.
    pub section: &'static str,
    /// Place in the list, from 0. `None`: the section is no list.
    pub number: Option<usize>,
}

impl Place {
    /// The scenario as a whole: its fields are those before all sections, and the sections.
    pub const ROOT: Self = Self { section: "", number: None };

    /// A row of a list.
    pub const fn in_list(section: &'static str, number: usize) -> Self {
        Self { section, number: Some(number) }
    }

    /// An error about a field.
    pub fn refuse(self, field: &'static str, message: impl Display) -> InputError {
        let Self { section, number } = self;
        InputError::new(message).at(At { section, number, field })
    }

    /// The error about a missing field, with an example value.
    pub fn missing(self, field: &'static str, example: &str) -> InputError {
        self.refuse(field, format!("is missing; give one such as {example}"))
    }

    /// Refuses a value outside a range.
    ///
    /// # Errors
    /// [`InputError`] at the field.
    pub fn within<T: PartialOrd + Display>(
        self,
        field: &'static str,
        found: T,
        (least, most): (T, T),
    ) -> Result<T, InputError> {
        if found < least || found > most {
            return Err(self.refuse(field, format!("found {found}; expected {least} to {most}")));
        }
        Ok(found)
    }
}
