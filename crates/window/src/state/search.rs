//! The search for designs: its limits as they are typed, and what it was asked.

use std::collections::BTreeMap;

use lightloom::designs::ExploreOptions;
use lightloom::{InputError, read_option};

use crate::search::SearchField;
use crate::state::numbers::number;

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
        let said = |field: F| self.typed.get(&field).map(|text| text.trim());
        let options = ExploreOptions {
            max_hops: number(self.get(F::Hops), F::Hops.option())?,
            parallel_sources: number(self.get(F::ParallelSources), F::ParallelSources.option())?,
            ports_per_tor: number(self.get(F::Ports), F::Ports.option())?,
            max_cables: number(self.get(F::Cables), F::Cables.option())?,
            max_tray_percent: number(self.get(F::Tray), F::Tray.option())?,
            max_cost: read_option(F::Cost.option(), said(F::Cost))?,
            case: read_option(F::Case.option(), said(F::Case))?,
            rank_by: read_option(F::RankBy.option(), said(F::RankBy))?,
        };
        // A default that was chosen is the same search.
        let (case, rank_by) = (Some(options.case()), Some(options.rank_by()));
        Ok(ExploreOptions { case, rank_by, ..options })
    }
}
