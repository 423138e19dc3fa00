//! Answers that are of the present texts, and files that were changed by other programs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lightloom::as_built::TakenFiles;
use lightloom::designs::ExploreReport;
use lightloom::failures::{FailureSet, Method};
use lightloom::growth::GrownFiles;
use lightloom::twin::Simulated;
use lightloom::{Error, Project, Request, Watch};

use crate::place::{Line, Place};
use crate::state::answers::{Of, OpenDesign, RunTexts};
use crate::state::asked::Asked;
use crate::state::model::State;
use crate::state::placing::Placed;
use crate::words;

impl State {
    /// The designs that were found for the present design.
    pub fn current_search(&self) -> Option<&Arc<ExploreReport>> {
        let of = self.answers.explored.last_key().filter(|(of, _)| self.is_current(of));
        of.and(self.answers.explored.last())
    }

    /// The growth of the present design.
    pub fn current_growth(&self) -> Option<&Arc<GrownFiles>> {
        let of = self.growth.grown.last_key().filter(|(of, ..)| self.is_current(of));
        of.and(self.growth.grown.last())
    }

    /// The racks that a search has found for the present design.
    pub fn current_placed(&self) -> Option<&Arc<Placed>> {
        let of = self.placing.placed.last_key().filter(|(of, ..)| self.is_current(of));
        of.and(self.placing.placed.last())
    }

    /// What a returned sheet tells of the present design.
    pub fn current_taken(&self) -> Option<&Arc<TakenFiles>> {
        let of = self.built.taken.last_key().filter(|(of, ..)| self.is_current(of));
        of.and(self.built.taken.last())
    }

    /// The run of the scenario as it is.
    pub fn current_run(&self) -> Option<&Arc<Simulated>> {
        let run = &self.answers.run;
        let is_current = Some(&run.last_key()?.texts) == self.run_texts().as_ref();
        run.last().filter(|_| is_current && !run.is_stale())
    }

    /// What a run of the scenario would read. `None`: there is no scenario.
    pub fn run_texts(&self) -> Option<RunTexts> {
        let work = self.work.now();
        let draft = work.scenario.as_ref()?;
        let scenario = (self.drafts.shown(draft), draft.text.clone());
        let named = lightloom::edit::scenario_design(&self.drafts.rows, &scenario.0);
        let design = named.filter(|named| self.is_own(named));
        let readings = self.answers.readings;
        let design = design.map(|path| OpenDesign { path, text: self.design_text(), readings });
        Some(RunTexts { scenario, design })
    }

    /// Whether the last run is of the open design as it is. Only then are its ToRs those of the other panels.
    pub fn run_is_of_design(&self) -> bool {
        let of = self.answers.run.last_key().and_then(|of| of.texts.design.as_ref());
        let is_last_read = |of: &OpenDesign| of.readings == self.answers.readings;
        of.is_some_and(|of| {
            is_last_read(of) && of.text == self.design_text() && self.is_own(&of.path)
        })
    }

    /// The text of the open design. `None`: it is a plan.
    fn design_text(&self) -> Option<Arc<str>> {
        (!self.file.is_plan()).then(|| self.work.now().text.clone())
    }

    /// Whether a path leads to the open design, or to its plan.
    fn is_own(&self, path: &Path) -> bool {
        let Some(own) = self.file.path() else { return false };
        let in_plan = path.parent().filter(|_| self.file.is_plan() && path.ends_with("plan.json"));
        let path = in_plan.unwrap_or(path);
        // Scenarios name files by other ways too, such as `../design.toml`. Few files have the same name.
        let found = |path: &Path| path.canonicalize().ok();
        path == own
            || (path.file_name() == own.file_name()
                && found(path).is_some_and(|path| Some(path) == found(own)))
    }

    /// Reads the files again that the design and the scenario name.
    pub(super) fn read_again(&mut self) {
        match self.file.path().filter(|_| self.file.is_plan()).map(Path::to_path_buf) {
            Some(folder) => self.read_plan_again(folder),
            None => self.answers.readings += 1,
        }
    }

    /// Reads the open plan again. What was broken and repaired in the window stays, with what can be undone. A plan
    /// that cannot be read changes nothing.
    fn read_plan_again(&mut self, folder: PathBuf) {
        let project = match read_plan(&folder) {
            Ok(project) => project,
            Err(error) => return self.refuse("Read again", &words::text_of(&error)),
        };
        self.answers.readings += 1;
        let recovered_before = self.project().and_then(|before| recovered(before));
        if let Some((broken, method)) = recovered(&project)
            && recovered_before.as_ref() != Some(&(broken.clone(), method))
        {
            self.work.change(|work| work.take_repair(broken, method));
        }
        let is_unknown =
            |part: &String| FailureSet::restore(&project, std::slice::from_ref(part)).is_err();
        let unknown: Vec<String> =
            self.work.now().broken.iter().filter(|part| is_unknown(part)).cloned().collect();
        if !unknown.is_empty() {
            let parts = unknown.join(", ");
            self.tell(format!("the plan has no {parts} any more; taken off the broken parts"));
            self.work.change(|work| {
                work.broken.retain(|part| !unknown.contains(part));
                work.repair = None;
            });
        }
        self.tell(Line::at(format!("read {} again", folder.display()), Place::File(folder)));
        let reading = self.answers.reading(&self.file, &self.work.now().text);
        self.answers.show_plan(reading, project);
    }

    /// Looks for files that other programs changed, and reads them again.
    pub(super) fn look_again(&mut self) {
        let of_present = self.answers.reading(&self.file, &self.work.now().text);
        let opened = &self.answers.opened;
        let is_refused = opened.refused().is_some() && opened.asked_key() == Some(&of_present);
        if is_refused && !self.file.is_plan() {
            // A refused design has no project, so the files that it names are not known. One of them may have changed.
            self.answers.readings += 1;
        } else {
            self.read_changed();
        }
    }

    /// Reads the files again that the design names, if one of them was changed.
    pub(super) fn read_changed(&mut self) {
        let Some(request) = self.project().and_then(|project| project.request()) else {
            return;
        };
        let own = self.file.shown();
        // While a design is refused, the last project may be one of another file.
        if self.answers.opened.last_key().is_some_and(|key| key.path != own) {
            return;
        }
        // The text of the design itself is edited here. A save asks if its file was changed.
        let mut changed = lightloom::edit::changed_files(request).into_iter();
        let Some(path) = changed.find(|path| *path != own) else { return };
        let text = format!("{} was changed and is read again", path.display());
        self.tell(Line::at(text, Place::File(path)));
        self.answers.readings += 1;
    }

    /// What the panels show now.
    pub(super) fn asked(&self) -> Asked {
        let work = self.work.now();
        Asked {
            selection: self.selection,
            broken: work.broken.clone(),
            is_repaired: work.repair.is_some(),
            around: self
                .project()
                .and_then(|project| self.answers.gone_around(&Of(project.clone()), work)),
            case: self.looks.case,
            explored: self.current_search().cloned(),
            run: self.current_run().cloned(),
            grown: self.current_growth().cloned(),
            placed: self.current_placed().cloned(),
            taken: self.current_taken().cloned(),
            method: work.method,
        }
    }
}

/// Reads a plan. Its files must be what its plan.json says, as for the command.
pub(super) fn read_plan(folder: &Path) -> Result<Project, Error> {
    let request = Request { design: Some(folder.to_path_buf()), ..Request::default() };
    lightloom::open_design_or_plan(&request, Watch::quiet())
}

/// The failures that the rules of a plan go around, and the method of the repair. `None`: the plan is not recovered.
pub(super) fn recovered(project: &Project) -> Option<(Vec<String>, Method)> {
    project.recovery().map(|(failed, method)| (failed.names(), *method))
}
