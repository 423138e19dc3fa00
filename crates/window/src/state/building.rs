//! Commands of the form that makes a scenario.

use std::path::PathBuf;

use crate::state::draft::Draft;
use crate::state::model::State;
use crate::state::questions::{PathFor, Question};
use crate::twin::Build;

impl State {
    /// Carries out a command of the form.
    pub(super) fn build(&mut self, command: Build) {
        match command {
            Build::OfDesign => match self.file.path() {
                Some(file) => self.draft = Some(Draft::of_design(file)),
                None => {
                    self.refuse("New scenario", "save the design first; a scenario names its file")
                }
            },
            Build::Electrical => self.draft = Some(Draft::electrical()),
            Build::Save => match &self.draft {
                Some(Draft { file: Some(file), .. }) => self.save_draft(file.clone()),
                Some(_) => self.question = Some(Question::Path(PathFor::SaveScenario)),
                None => {}
            },
            Build::SaveTo(path) => {
                self.question = None;
                self.save_draft(std::path::absolute(&path).unwrap_or(path));
            }
            of_rows => {
                let Some(draft) = &mut self.draft else { return };
                match of_rows {
                    Build::Change { row, field, value } => draft.change(row, field, value),
                    Build::Add(section) => draft.add(section),
                    Build::Remove(row) => draft.remove(row),
                    _ => {}
                }
            }
        }
    }

    /// Saves the scenario of the form, and opens it in the twin. A file that has another text than the form's last one
    /// is not overwritten.
    fn save_draft(&mut self, path: PathBuf) {
        let Some(draft) = &mut self.draft else { return };
        let text = draft.text().text;
        let is_own = draft.file.as_ref() == Some(&path);
        let expected = draft.on_disk.clone().filter(|_| is_own);
        match lightloom::save_design(&path, &text, expected.as_deref()) {
            Ok(true) => {
                (draft.file, draft.on_disk) = (Some(path.clone()), Some(text));
                self.tell(format!("saved {}", path.display()));
                self.open_scenario(path);
            }
            Ok(false) => {
                let message =
                    format!("{} is there with another text; choose another name", path.display());
                // The next save asks for a path.
                draft.file = None;
                self.refuse("Save the scenario", &message);
            }
            Err(error) => self.refuse("Save the scenario", &error.to_string()),
        }
    }
}
