//! The search for the racks of ToRs: what is typed, what was asked, how far it is, and the answer.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use lightloom::plan::{PlaceOptions, PlaceReport};
use lightloom::{InputError, Project};

use crate::placing::PlacingField;
use crate::slot::Slot;
use crate::state::answers::Of;
use crate::state::numbers::number;

/// How long a search takes if nothing is typed.
pub const USUAL_TIME: &str = "30s";

/// What was asked: the options, and the file of groups of racks.
pub type PlacingQuestion = (PlaceOptions, Option<PathBuf>);

/// What a search has found.
#[derive(Debug)]
pub struct Placed {
    /// The project with its ToRs in the racks that were found.
    pub project: Project,
    /// How it compares with the racks before.
    pub report: PlaceReport,
}

impl Placed {
    /// Whether the design keeps an old plan. Such a design cannot name a placement too.
    pub fn keeps_plan(&self) -> bool {
        self.project.request().is_none()
    }
}

/// The search for racks.
#[derive(Debug, Default)]
pub struct Placing {
    /// The texts of the fields that are not empty.
    typed: BTreeMap<PlacingField, String>,
    /// The answer.
    pub placed: Slot<(Of, PlacingQuestion, u64), Placed>,
    /// The least cost after each round of the search that is at work.
    pub curve: Arc<Curve>,
    /// How often it was asked: the same search can be asked for again.
    pub(super) asked: u64,
    /// Why the fields are no search.
    pub refused: Option<InputError>,
}

/// The least cost after each round, written by the thread of the search: micro-units of money, or micrometres.
#[derive(Debug, Default)]
pub struct Curve(Mutex<Vec<i64>>);

impl Curve {
    pub(super) fn push(&self, least: i64) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(least);
    }

    /// The costs so far.
    pub fn so_far(&self) -> Vec<i64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Placing {
    /// The text of a field.
    pub fn get(&self, field: PlacingField) -> &str {
        self.typed.get(&field).map_or("", String::as_str)
    }

    pub(super) fn set(&mut self, field: PlacingField, text: String) {
        self.refused = None;
        if text.trim().is_empty() {
            self.typed.remove(&field);
        } else {
            self.typed.insert(field, text);
        }
    }

    /// What the fields ask for.
    pub(super) fn question(&self) -> Result<PlacingQuestion, InputError> {
        use PlacingField as F;
        let said = |field: F| Some(self.get(field).trim()).filter(|text| !text.is_empty());
        let time = said(F::Time).unwrap_or(USUAL_TIME);
        let wrong = |why: String| InputError::new(why).in_option(F::Time.option());
        let names = said(F::Forbidden).into_iter().flat_map(|text| text.split(','));
        let options = PlaceOptions {
            seed: number(self.get(F::Seed), F::Seed.option())?.unwrap_or(0),
            fixed: said(F::Fixed).unwrap_or_default().to_owned(),
            forbidden: names.map(|name| name.trim().to_owned()).collect(),
            ..PlaceOptions::new(time.parse().map_err(wrong)?)
        };
        Ok((options, said(F::Groups).map(PathBuf::from)))
    }
}
