//! Layers of parameters: the shipped file, a named set, the user's file, and the scenario.

use std::path::Path;

use lightloom_catalogue::Shipped;
use lightloom_request::InputError;
use lightloom_request::scenario::{SECTIONS, Section, section};
use lightloom_request::spelling::{nearest, unknown};

use crate::rows::Row;

/// The built-in file.
pub(super) const SHIPPED: Shipped = lightloom_catalogue::TWIN;

/// The parameter sections, with their names without the prefix.
pub(super) fn sections() -> impl Iterator<Item = (&'static str, &'static Section)> {
    let prefixed =
        |section: &'static Section| Some((section.name.strip_prefix("parameters.")?, section));
    SECTIONS.iter().filter_map(prefixed)
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

    /// The last row that gives a field, and the source of that row.
    pub(super) fn saying(
        &self,
        section: &str,
        field: &str,
    ) -> Result<(Row<'a>, String), InputError> {
        let said =
            self.said.iter().find(|row| row.section.strip_prefix("parameters.") == Some(section));
        if let Some(row) = said.filter(|row| row.has(field)) {
            return Ok((*row, "the scenario".into()));
        }
        let of = |rows: &Vec<Row<'a>>| rows.iter().find(|row| row.section == section).copied();
        let (shipped, over) =
            self.files.split_first().map_or((None, &[][..]), |(first, over)| (of(first), over));
        let over = over.iter().rev().filter_map(of).find(|row| row.has(field));
        let row = over.or(shipped).ok_or_else(|| {
            InputError::new("the section is missing")
                .in_file(Path::new(SHIPPED.path))
                .in_field(section)
        })?;
        let source = row.provenance()?.source;
        Ok((row, source))
    }
}
