//! Layers of parameters: the shipped file, a named set, the user's file, and the scenario.

use lightloom_catalogue::Shipped;
use lightloom_request::spelling::{nearest, unknown};
use lightloom_request::{InputError, Said};
use lightloom_scenario::build::SCENARIO;
use lightloom_scenario::said::{SECTIONS, Section, Source, section};

use crate::rows::Row;

/// The built-in file.
pub(super) const SHIPPED: Shipped = lightloom_catalogue::TWIN;

/// The parameter sections, with their names without the prefix.
pub(super) fn sections() -> impl Iterator<Item = (&'static str, &'static Section)> {
    SECTIONS.iter().filter_map(|section| Some((short(section.name)?, section)))
}

fn short(section: &str) -> Option<&str> {
    section.strip_prefix("parameters.")
}

/// Layers of rows, section by section. Later layers override earlier ones.
pub(super) struct Layers<'a> {
    /// The shipped file, the set and the user's file, where there are such.
    pub(super) files: Vec<Vec<Row<'a>>>,
    pub(super) said: Vec<Row<'a>>,
}

impl<'a> Layers<'a> {
    /// Refuses unknown sections and fields, and files without provenance.
    pub(super) fn check(&self) -> Result<(), InputError> {
        for row in self.files.iter().flatten() {
            let Some((_, section)) = sections().find(|(name, _)| *name == row.section) else {
                let known: Vec<&str> = sections().map(|(name, _)| name).collect();
                let message =
                    unknown("section", nearest(row.section, known.iter().copied()), &known);
                return Err(row.refuse("", message).in_field(row.section));
            };
            row.only(&section.names())?;
            row.provenance()?;
        }
        for row in &self.said {
            row.only_these(&section(row.section).names())?;
        }
        Ok(())
    }

    /// The last row that has a field of a section, such as `parameters.wire`; else the shipped row.
    pub(super) fn row(&self, section: &str, field: &str) -> Option<Row<'a>> {
        let said = self.said.iter().find(|row| row.section == section);
        if let Some(row) = said.filter(|row| row.has(field)) {
            return Some(*row);
        }
        let of = |rows: &Vec<Row<'a>>| {
            rows.iter().find(|row| short(section) == Some(row.section)).copied()
        };
        let over = self.files.iter().skip(1).rev().filter_map(of).find(|row| row.has(field));
        over.or_else(|| self.files.first().and_then(of))
    }

    /// Where the value of a field is from.
    pub(super) fn source(&self, section: &str, field: &str) -> String {
        match self.row(section, field) {
            Some(row) if row.section == section => SCENARIO.to_owned(),
            // The provenance of every row has been checked.
            Some(row) => row.provenance().map_or_else(|_| String::new(), |of| of.source),
            None => String::new(),
        }
    }
}

/// A section of the layers: each field from the last row that has it.
pub(super) struct Layered<'a> {
    pub(super) layers: &'a Layers<'a>,
    pub(super) section: &'static str,
}

impl Source for Layered<'_> {
    fn said(&self, field: &'static str) -> Option<Said<'_>> {
        self.layers.row(self.section, field)?.said(field)
    }

    fn refuse(&self, field: &'static str, message: String) -> InputError {
        match self.layers.row(self.section, field) {
            Some(row) => row.refuse(field, message),
            None => InputError::new(message).in_field(format!("{}.{field}", self.section)),
        }
    }
}
