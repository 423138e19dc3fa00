//! Which racks of an inventory are meant.

use std::path::Path;

use globset::{Glob, GlobMatcher};

use crate::InputError;
use crate::settings::Settings;
use crate::text::{Record, Table};

/// What the user asked for; nothing asked lets everything through.
#[derive(Debug, Clone, Default)]
pub(crate) struct Filters {
    /// Site names, without regard to case.
    site: Option<Vec<String>>,
    /// Globs over locations.
    location: Option<Vec<GlobMatcher>>,
    /// Status values, without regard to case.
    status: Option<Vec<String>>,
}

impl Filters {
    /// The keys of the filters, with the columns that they are about.
    const KEYS: [(&str, &str); 3] =
        [("hall.site", "site"), ("hall.location", "location"), ("hall.status", "status")];

    /// The filters that settings ask for.
    pub(crate) fn read(settings: &Settings) -> Result<Self, InputError> {
        let list = |key: &str| Ok(settings.list(key)?.map(<[String]>::to_vec));
        let glob = |glob: &String| {
            let compiled = Glob::new(glob).map(|glob| glob.compile_matcher());
            compiled
                .map_err(|error| settings.refuse("hall.location", format!("is no glob: {error}")))
        };
        let globs = settings.list("hall.location")?;
        let location = globs.map(|globs| globs.iter().map(glob).collect::<Result<_, _>>());
        Ok(Self {
            site: list("hall.site")?,
            location: location.transpose()?,
            status: list("hall.status")?,
        })
    }

    /// The first filter that settings ask for.
    pub(crate) fn first_key(settings: &Settings) -> Option<&'static str> {
        Self::KEYS.iter().map(|(key, _)| *key).find(|key| settings.has(key))
    }

    /// Checks that the columns are there.
    pub(crate) fn check(&self, path: &Path, table: &Table) -> Result<(), InputError> {
        match self.used().find(|column| !table.has(column)) {
            Some(column) => {
                let message = "the inventory has no such column; drop the filter";
                Err(InputError::new(message).in_file(path).at_line(1).in_field(column))
            }
            None => Ok(()),
        }
    }

    /// The columns that are filtered by.
    pub(crate) fn used(&self) -> impl Iterator<Item = &'static str> {
        let used = [self.site.is_some(), self.location.is_some(), self.status.is_some()];
        Self::KEYS.iter().zip(used).filter(|(_, used)| *used).map(|((_, column), _)| *column)
    }

    pub(crate) fn passes(&self, record: &Record<'_>) -> bool {
        let is = |column: &str, wanted: &Option<Vec<String>>| {
            let cell = record.cell(column);
            wanted.as_ref().is_none_or(|w| w.iter().any(|w| w.eq_ignore_ascii_case(cell)))
        };
        let location = record.cell("location");
        is("site", &self.site)
            && is("status", &self.status)
            && self.location.as_ref().is_none_or(|globs| globs.iter().any(|g| g.is_match(location)))
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
        let used: Vec<String> = self.used().map(values).collect();
        let message = if used.is_empty() {
            "lists no rack".to_owned()
        } else {
            format!("no rack passes the filters; the file has {}", used.join("; "))
        };
        InputError::new(message).in_file(path)
    }
}
