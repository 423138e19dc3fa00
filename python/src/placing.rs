//! Searches for placements.

use std::collections::BTreeMap;
use std::sync::Arc;

use lightloom::plan::{PlaceOptions, SearchEffort, place};
use lightloom::{Error, InputError, Project, Request, Watch};
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;

use crate::asking::json;
use crate::errors;
use crate::long::{Answer, Progress, long};

/// What a search is asked, as a dict.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Search {
    effort: String,
    seed: u64,
    fixed: String,
    forbidden: Vec<String>,
    rack_groups: BTreeMap<String, String>,
}

impl Search {
    /// The project with its ToRs in the racks that were found, which `open` makes an object of Python, and the report
    /// of the search.
    pub(crate) fn of<P>(
        self,
        project: Arc<Project>,
        progress: &Progress<'_>,
        open: impl Fn(Project) -> P + Send + 'static,
    ) -> Answer
    where
        (P, String): for<'a> IntoPyObject<'a>,
    {
        let effort = effort(progress.py(), &self.effort)?;
        let Self { seed, fixed, forbidden, rack_groups: groups, .. } = self;
        let options = PlaceOptions { seed, fixed, forbidden, groups, ..PlaceOptions::new(effort) };
        let work = move |watch: Watch<'_>| -> Result<_, Error> {
            let (placed, report) = place(of_design(&project)?, &options, watch.step())?;
            Ok((placed, json(&report)?))
        };
        long(progress, work, move |py, placed| {
            let (project, report) = placed.map_err(|error| errors::planning(py, &error))?;
            (open(project), report).into_py_any(py)
        })
    }
}

/// Chains and rounds, or a time.
pub(crate) fn effort(py: Python<'_>, said: &str) -> PyResult<SearchEffort> {
    said.parse::<SearchEffort>()
        .map_err(|wrong| errors::input(py, &InputError::new(wrong).in_option("time")))
}

/// The request that a project was opened from.
pub(crate) fn of_design(project: &Project) -> Result<&Request, InputError> {
    project.request().ok_or_else(|| {
        let message = "the fabric is that of a plan that was read back; place its design";
        InputError::new(message).in_option("place")
    })
}
