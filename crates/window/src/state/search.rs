//! The search for designs: its limits as they are typed, and what it was asked.

use std::collections::BTreeMap;
use std::str::FromStr;

use lightloom::{ExploreOptions, InputError, read_option};

use crate::search::SearchField;

/// The limits of the search.
#[derive(Debug, Default)]
pub struct Search {
    /// The texts of the fields that are not empty.
    typed: BTreeMap<SearchField, String>,
    /// Why the fields are no limits.
    pub refused: Option<InputError>,
}

impl Search {
    /// The text of a field.
    pub fn get(&self, field: SearchField) -> &str {
        self.typed.get(&field).map_or("", String::as_str)
    }

    /// Types into a field.
    pub(super) fn set(&mut self, field: SearchField, text: String) {
        self.refused = None;
        if text.trim().is_empty() {
            self.typed.remove(&field);
        } else {
            self.typed.insert(field, text);
        }
    }

    /// The limits.
    ///
    /// # Errors
    /// [`InputError`] with the option of the first field that has no value of its kind.
    pub fn options(&self) -> Result<ExploreOptions, InputError> {
        use SearchField as F;
        let said = |field: F| (field.option(), self.typed.get(&field).map(|text| text.trim()));
        let (case, case_said) = said(F::Case);
        let (rank_by, rank_said) = said(F::RankBy);
        let (max_cost, cost_said) = said(F::Cost);
        Ok(ExploreOptions {
            max_hops: whole(said(F::Hops))?,
            parallel_sources: whole(said(F::ParallelSources))?,
            ports_per_tor: whole(said(F::Ports))?,
            max_cables: whole(said(F::Cables))?,
            max_tray_percent: whole(said(F::Tray))?,
            max_cost: read_option(max_cost, cost_said)?,
            case: read_option(case, case_said)?,
            rank_by: read_option(rank_by, rank_said)?,
        })
    }
}

fn whole<T: FromStr>(
    (option, said): (&'static str, Option<&str>),
) -> Result<Option<T>, InputError> {
    let read = |text: &str| {
        let message = || InputError::new(format!("found {text:?}; expected a whole number"));
        text.parse().map_err(|_| message().in_option(option))
    };
    said.map(read).transpose()
}
