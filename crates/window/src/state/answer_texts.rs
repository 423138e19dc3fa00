//! The answer of each panel as JSON, as the command prints it.

use std::sync::Arc;

use lightloom::as_built::TakenFiles;
use lightloom::configs::ConfigsOptions;
use lightloom::designs::{self, ExploreReport};
use lightloom::failures::Method;
use lightloom::growth::GrownFiles;
use lightloom::light::{self, BudgetOptions, Case, TraceReport};
use lightloom::plan;
use lightloom::twin::{Run, Simulated};
use lightloom::{Error, Files, InputError, Project, Watch, to_json};

use crate::command::Selection;
use crate::panel::Panel;
use crate::state::answers::{Around, Of};
use crate::state::asking::{failures, standing};
use crate::state::fibres::branches;
use crate::state::model::State;

/// What the panels show, as far as an answer depends on it.
pub struct Asked {
    selection: Selection,
    broken: Vec<String>,
    is_repaired: bool,
    around: Option<Around>,
    case: Option<Case>,
    explored: Option<Arc<ExploreReport>>,
    run: Option<Arc<Simulated>>,
    grown: Option<Arc<GrownFiles>>,
    taken: Option<Arc<TakenFiles>>,
    method: Method,
}

impl Asked {
    /// What the panels show now.
    pub fn of(state: &State) -> Self {
        let work = state.work.now();
        Self {
            selection: state.selection,
            broken: work.broken.clone(),
            is_repaired: work.repair.is_some(),
            around: state
                .project()
                .and_then(|project| state.answers.gone_around(&Of(project.clone()), work)),
            case: state.looks.case,
            explored: state.current_search().cloned(),
            run: state.current_run().cloned(),
            grown: state.current_growth().cloned(),
            taken: state.current_taken().cloned(),
            method: work.method,
        }
    }

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
}

/// The answer of a panel: one line of JSON.
///
/// # Errors
/// [`Error`] if the panel has no answer, or needs something else first.
pub fn answer(
    panel: Panel,
    project: &Project,
    asked: &Asked,
    watch: Watch<'_>,
) -> Result<String, Error> {
    let source = || asked.selection.source().ok_or_else(|| needs("select a ToR first"));
    let text = match panel {
        Panel::Design => to_json(&standing(project, asked.around.as_ref())?.info(watch)?),
        Panel::Fabric => to_json(&standing(project, asked.around.as_ref())?.tree(source()?)?),
        Panel::Hall => to_json(&plan::floor(project)),
        Panel::Failures if asked.broken.is_empty() => Err(needs("break a part first")),
        Panel::Failures if asked.is_repaired => {
            let failed = failures(project, &asked.broken)?;
            to_json(&project.recover(&failed, asked.method)?)
        }
        Panel::Failures => to_json(&project.impact(&failures(project, &asked.broken)?)?),
        Panel::Light => {
            let options = BudgetOptions { case: asked.case, threads: None };
            to_json(&project.budget(&options, watch)?)
        }
        Panel::Trace => to_json(&asked.trace(project, watch)?),
        Panel::Money => to_json(&designs::compare(project, None)?),
        Panel::Explore => match &asked.explored {
            Some(found) => to_json(&**found),
            None => Err(needs("search all designs for this design first")),
        },
        Panel::Twin => match &asked.run {
            Some(run) => printed(run),
            None => Err(needs("run the scenario as it is first")),
        },
        Panel::Rules => to_json(&standing(project, asked.around.as_ref())?.rules(source()?)?),
        Panel::Problems => to_json(&lightloom::configs::lint(project, &ConfigsOptions::default())?),
        Panel::Growth => match &asked.grown {
            Some(grown) => to_json(&grown.report),
            None => Err(needs("compute a growth of this design first")),
        },
        Panel::Cabling => to_json(&project.cabling()?),
        Panel::AsBuilt => match &asked.taken {
            Some(taken) => to_json(&taken.report),
            None => Err(needs("take a returned sheet of this design first")),
        },
        Panel::Text | Panel::Log | Panel::Exports => Err(needs("the panel has no answer")),
    };
    Ok(text? + "\n")
}

/// The answer of a run without what only the window asks for. Recordings are large, so they are not copied.
fn printed(run: &Simulated) -> Result<String, Error> {
    let Simulated::One(run) = run else { return to_json(run) };
    let (report, timing) = (run.report.clone(), run.timing);
    let (recording, so_far, files) = (None, Vec::new(), Files::new());
    to_json(&Simulated::One(Box::new(Run { report, timing, recording, so_far, files })))
}

/// What has to be done before there is an answer.
pub fn needs(message: &str) -> Error {
    InputError::new(message).into()
}
