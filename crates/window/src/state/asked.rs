//! What the panels show, as far as their answers as JSON depend on it.

use std::sync::Arc;

use lightloom::as_built::TakenFiles;
use lightloom::designs::ExploreReport;
use lightloom::failures::Method;
use lightloom::growth::GrownFiles;
use lightloom::light::{self, BudgetOptions, Case, TraceReport};
use lightloom::twin::Simulated;
use lightloom::{Error, InputError, Project, TorId, Watch};

use crate::command::Selection;
use crate::state::answers::Around;
use crate::state::fibres::branches;
use crate::state::placing::Placed;

/// What the panels show, as far as an answer depends on it.
pub struct Asked {
    /// What is selected.
    pub selection: Selection,
    /// The broken parts.
    pub broken: Vec<String>,
    /// Whether their repair is shown.
    pub is_repaired: bool,
    /// The failures that the installed rules go around.
    pub around: Option<Around>,
    /// The case of the light.
    pub case: Option<Case>,
    /// The search for designs.
    pub explored: Option<Arc<ExploreReport>>,
    /// The run of the scenario.
    pub run: Option<Arc<Simulated>>,
    /// The growth.
    pub grown: Option<Arc<GrownFiles>>,
    /// The racks that a search has found.
    pub placed: Option<Arc<Placed>>,
    /// What crews returned.
    pub taken: Option<Arc<TakenFiles>>,
    /// The method of the repair.
    pub method: Method,
}

impl Asked {
    /// The trace of the selected fibre or port.
    ///
    /// # Errors
    /// [`Error`] if neither is selected.
    pub fn trace(&self, project: &Project, watch: Watch<'_>) -> Result<TraceReport, Error> {
        let branches = branches(project, self.selection)?;
        if branches.is_empty() {
            return Err(needs("select a fibre or a port first"));
        }
        light::trace(project, &branches, &BudgetOptions { case: self.case, threads: None }, watch)
    }

    /// The selected ToR.
    ///
    /// # Errors
    /// [`Error`] if none is selected.
    pub fn source(&self) -> Result<TorId, Error> {
        self.selection.source().ok_or_else(|| needs("select a ToR first"))
    }
}

/// What has to be done before there is an answer.
pub fn needs(message: &str) -> Error {
    InputError::new(message).into()
}
