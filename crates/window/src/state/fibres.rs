//! Answers about single fibres: their traces, and the lengths and margins that hall and fabric show.

use std::sync::Arc;

use lightloom::failures::{Method, RecoverReport};
use lightloom::light::{self, BudgetOptions, Case, OverTrays, TraceReport, TracedBranch};
use lightloom::plan::Fibre;
use lightloom::{Error, Project};

use crate::command::Selection;
use crate::state::answers::{Answers, Of};

impl Answers {
    /// The trace of the selected fibre or port.
    pub fn trace_of(&self, selection: Selection, case: Option<Case>) -> Option<&Arc<TraceReport>> {
        let (of, wanted, asked) = self.trace.last_key()?;
        let is_it = *wanted == selection && *asked == case && self.is_opened(of);
        self.trace.last().filter(|_| is_it)
    }

    /// The trace of the selected fibre.
    pub fn traced_fibre(&self, selection: Selection, case: Option<Case>) -> Option<&TracedBranch> {
        let Selection::Fibre(..) = selection else { return None };
        self.trace_of(selection, case)?.branches.first()
    }

    /// All fibres of the project that is shown.
    pub fn all_fibres(&self) -> Option<&Arc<OverTrays>> {
        let (of, _) = self.over.last_key()?;
        self.over.last().filter(|_| self.is_opened(of))
    }

    /// The repair of these parts by this method.
    pub fn repair(&self, broken: &[String], method: Method) -> Option<&Arc<RecoverReport>> {
        let (_, of, by) = self.recover.last_key()?;
        self.recover.last().filter(|_| of == broken && *by == method)
    }

    /// Whether this is the project that is shown.
    pub(super) fn is_opened(&self, of: &Of) -> bool {
        self.opened.last().is_some_and(|project| Arc::ptr_eq(&of.0, project))
    }

    /// Lets the light be asked again whose work the user has stopped.
    pub(super) fn light_again(&mut self) {
        self.light.forget_halted();
        self.trace.forget_halted();
    }

    /// Asks for the trace of the selection.
    pub fn ask_trace(&mut self, of: &Of, selection: Selection, case: Option<Case>) {
        let tors = of.0.fabric().tors();
        let is_there = match selection {
            Selection::Fibre(from, to) => from.index().max(to.index()) < tors,
            Selection::Port(tor, _) => tor.index() < tors,
            Selection::Nothing | Selection::Tor(_) | Selection::Cassette(_) => false,
        };
        if !is_there {
            return;
        }
        let project = of.0.clone();
        let wake = self.wake.clone();
        self.trace.ask((of.clone(), selection, case), &wake, move |watch| {
            let branches = branches(&project, selection)?;
            light::trace(&project, &branches, &BudgetOptions { case, threads: None }, watch)
        });
    }

    /// Asks for the lengths and margins of all fibres.
    pub fn ask_over(&mut self, of: &Of, case: Option<Case>) {
        let project = of.0.clone();
        let wake = self.wake.clone();
        self.over.ask((of.clone(), case), &wake, move |watch| {
            light::over_trays(&project, &BudgetOptions { case, threads: None }, watch)
        });
    }
}

/// The branches of a fibre or a port.
pub(super) fn branches(
    project: &Project,
    selection: Selection,
) -> Result<Vec<(lightloom::TorId, lightloom::TorId)>, Error> {
    Ok(match selection {
        Selection::Fibre(from, to) => vec![(from, to)],
        Selection::Port(tor, port) => light::branches_of_port(project, tor, port)?,
        Selection::Nothing | Selection::Tor(_) | Selection::Cassette(_) => Vec::new(),
    })
}

/// The fibres of a port: those of its branches, with their feeds.
pub(super) fn fibres_of_port(project: &Project, selection: Selection) -> Vec<Fibre> {
    let branches = branches(project, selection).unwrap_or_default();
    let mut fibres: Vec<Fibre> = Vec::new();
    for (from, to) in branches {
        fibres.extend([(from, Some(to)), (from, None)]);
    }
    fibres
}
