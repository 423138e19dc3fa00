//! Which racks of an inventory are meant.

use std::path::Path;

use globset::{Glob, GlobMatcher};

use crate::InputError;
use crate::text::{Record, Table};

/// What the user asked for; nothing asked lets everything through.
#[derive(Debug, Clone, Default)]
pub(crate) struct Filters {
    /// Site names.
    pub(crate) site: Option<Vec<String>>,
    /// Globs over locations.
    pub(crate) location: Option<Vec<String>>,
    /// Status values, without regard to case.
    pub(crate) status: Option<Vec<String>>,
}

/// Filters that fit the columns of a file.
pub(crate) struct Compiled<'a> {
    filters: &'a Filters,
    locations: Option<Vec<GlobMatcher>>,
}

impl Filters {
    /// Checks that the columns are there and the globs are globs.
    pub(crate) fn compile(&self, path: &Path, table: &Table) -> Result<Compiled<'_>, InputError> {
        for (column, filter) in
            [("site", &self.site), ("location", &self.location), ("status", &self.status)]
        {
            if filter.is_some() && !table.has(column) {
                let message = "the inventory has no such column; drop the filter";
                return Err(InputError::new(message).in_file(path).at_line(1).in_field(column));
            }
        }
        let compile = |globs: &Vec<String>| -> Result<Vec<GlobMatcher>, InputError> {
            let matcher = |glob: &String| {
                let compiled = Glob::new(glob).map(|glob| glob.compile_matcher());
                compiled.map_err(|error| {
                    InputError::new(format!("is not a glob: {error}")).in_field("location filter")
                })
            };
            globs.iter().map(matcher).collect()
        };
        let locations = self.location.as_ref().map(compile).transpose()?;
        Ok(Compiled { filters: self, locations })
    }
}

impl Compiled<'_> {
    pub(crate) fn passes(&self, record: &Record<'_>) -> bool {
        let is = |column: &str, wanted: &Option<Vec<String>>| {
            let cell = record.cell(column);
            wanted.as_ref().is_none_or(|w| w.iter().any(|w| w.eq_ignore_ascii_case(cell)))
        };
        let location = record.cell("location");
        is("site", &self.filters.site)
            && is("status", &self.filters.status)
            && self
                .locations
                .as_ref()
                .is_none_or(|globs| globs.iter().any(|g| g.is_match(location)))
    }

    /// The complaint when no rack passes, with what there would be.
    pub(crate) fn nothing_left(&self, path: &Path, table: &Table) -> InputError {
        let values = |column: &str| {
            let mut values: Vec<&str> = table.records(path).map(|r| r.cell(column)).collect();
            values.sort_unstable();
            values.dedup();
            let more = if values.len() > 8 { ", …" } else { "" };
            values.truncate(8);
            format!("{column}: {}{more}", values.join(", "))
        };
        let used: Vec<String> = [
            ("site", self.filters.site.is_some()),
            ("location", self.filters.location.is_some()),
            ("status", self.filters.status.is_some()),
        ]
        .iter()
        .filter(|(_, used)| *used)
        .map(|(column, _)| values(column))
        .collect();
        let message = if used.is_empty() {
            "lists no rack".to_owned()
        } else {
            format!("no rack passes the filters; the file has {}", used.join("; "))
        };
        InputError::new(message).in_file(path)
    }
}
