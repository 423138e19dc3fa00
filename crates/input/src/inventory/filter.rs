//! Filters that select racks of an inventory.

use std::path::Path;

use globset::GlobSet;
use lightloom_design::globs;
use lightloom_request::setting::hall::{LOCATION, SITE, STATUS};
use lightloom_request::{InputError, Key, Setting, Settings};

use crate::text::{Record, Table};

/// The filters. Without any, all racks pass.
#[derive(Debug, Clone, Default)]
pub struct Filters {
    /// Site names, in lower case.
    site: Option<Vec<String>>,
    /// Globs for locations, in lower case.
    location: Option<GlobSet>,
    /// Status values, in lower case.
    status: Option<Vec<String>>,
}

impl Filters {
    /// The settings of the filters, each with its column.
    const SETTINGS: [(&Setting<Vec<String>>, &str); 3] =
        [(&SITE, "site"), (&LOCATION, "location"), (&STATUS, "status")];

    /// Reads the filters from the settings.
    pub fn read(settings: &Settings) -> Result<Self, InputError> {
        let list = |setting: &Setting<Vec<String>>| {
            let texts = settings.get(setting)?;
            Ok(texts.map(|texts| texts.iter().map(|text| text.trim().to_lowercase()).collect()))
        };
        let location = globs::read(settings, &LOCATION)?;
        Ok(Self { site: list(&SITE)?, location, status: list(&STATUS)? })
    }

    /// The first filter that the settings give.
    pub fn first_setting(settings: &Settings) -> Option<&'static Key> {
        let keys = Self::SETTINGS.iter().map(|(setting, _)| &***setting);
        keys.into_iter().find(|key| settings.has(key))
    }

    /// Checks that the file has the columns of the filters.
    pub fn check(&self, path: &Path, table: &Table) -> Result<(), InputError> {
        match self.used().find(|column| !table.has(column)) {
            Some(column) => {
                let message = "the inventory has no such column; drop the filter";
                Err(table.at_header(path, message).in_field(column))
            }
            None => Ok(()),
        }
    }

    /// The columns of the given filters.
    pub fn used(&self) -> impl Iterator<Item = &'static str> {
        let used = [self.site.is_some(), self.location.is_some(), self.status.is_some()];
        Self::SETTINGS.iter().zip(used).filter(|(_, used)| *used).map(|((_, column), _)| *column)
    }

    /// Whether a filter for the status is given.
    pub fn asks_for_status(&self) -> bool {
        self.status.is_some()
    }

    /// Whether a rack passes all filters. Sites, locations and statuses are compared without regard to case.
    pub fn passes(&self, record: &Record<'_>) -> bool {
        let is = |column: &str, wanted: &Option<Vec<String>>| {
            let cell = record.cell(column).to_lowercase();
            wanted.as_ref().is_none_or(|wanted| wanted.contains(&cell))
        };
        let location = record.cell("location").to_lowercase();
        is("site", &self.site)
            && is("status", &self.status)
            && self.location.as_ref().is_none_or(|globs| globs.is_match(&location))
    }

    /// The error if no rack passes. It lists the values that the file has.
    pub fn nothing_left(&self, path: &Path, table: &Table) -> InputError {
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
