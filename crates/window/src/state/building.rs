//! Commands about the scenario of the twin: open, change, save.

use std::path::PathBuf;
use std::sync::Arc;

use lightloom::edit::ScenarioChange;
use lightloom::units::Instant;

use crate::live::Live;
use crate::panel::Panel;
use crate::state::draft::{self, Draft, DraftFile};
use crate::state::file::read;
use crate::state::model::State;
use crate::state::questions::{Edited, PathFor, Question};
use crate::twin::Build;
use crate::words;

/// Longest scenario file that is read.
pub(super) const LONGEST: u64 = 64 << 20;

impl State {
    /// Carries out a command about the scenario.
    pub(super) fn build(&mut self, command: Build) {
        match command {
            Build::OfDesign => match self.file.path() {
                Some(file) => {
                    let text = draft::of_design(file);
                    self.start_scenario(text, DraftFile::default());
                }
                None => {
                    self.refuse("New scenario", "save the design first; a scenario names its file")
                }
            },
            Build::Electrical => self.start_scenario(draft::electrical(), DraftFile::default()),
            Build::Write(text) => self.write_scenario(text.into()),
            Build::Change { row, field, value } => {
                self.change_scenario(ScenarioChange::Set { row, field, typed: &value });
            }
            Build::Add(section) => self.change_scenario(ScenarioChange::Add(section)),
            Build::Remove(row) => self.change_scenario(ScenarioChange::Remove(row)),
            Build::Page(page) => self.drafts.turn_to(page),
            Build::Save => match self.scenario_path() {
                Some(path) => {
                    let on_disk = self.scenario_file().and_then(|file| file.on_disk.clone());
                    self.save_scenario(path, on_disk);
                }
                None => self.build(Build::SaveAs),
            },
            Build::SaveAs if self.work.now().scenario.is_some() => {
                self.question = Some(Question::Path(PathFor::SaveScenario));
            }
            Build::SaveAs => {}
            Build::SaveTo(path) => {
                self.question = None;
                let path = std::path::absolute(&path).unwrap_or(path);
                let own = self.scenario_file().filter(|file| file.path.as_ref() == Some(&path));
                let expected = own.and_then(|file| file.on_disk.clone());
                self.save_scenario(path, expected);
            }
        }
    }

    fn scenario_file(&self) -> Option<&DraftFile> {
        let draft = self.work.now().scenario.as_ref()?;
        self.drafts.files.get(draft.number)
    }

    fn scenario_path(&self) -> Option<PathBuf> {
        self.scenario_file()?.path.clone()
    }

    /// Whether the scenario differs from its file.
    pub fn is_scenario_changed(&self) -> bool {
        let draft = self.work.now().scenario.as_ref();
        draft.is_some_and(|draft| self.drafts.is_changed(draft))
    }

    /// Goes back to the text of the file, or to no scenario.
    pub(super) fn give_up_scenario(&mut self) {
        let on_disk = self.scenario_file().and_then(|file| file.on_disk.clone());
        self.work.change(|work| {
            let draft = work.scenario.take();
            let number = draft.map(|draft| draft.number);
            work.scenario = number.zip(on_disk).map(|(number, text)| Draft { number, text });
        });
    }

    /// Opens a scenario in the twin. What cannot be read changes nothing.
    pub(super) fn open_scenario(&mut self, path: PathBuf) {
        self.question = None;
        let path = std::path::absolute(&path).unwrap_or(path);
        match read(&path, "a scenario", LONGEST) {
            Ok(text) => {
                self.looks.remember_scenario(&path);
                let file = DraftFile { path: Some(path), on_disk: Some(text.clone()) };
                self.start_scenario(text, file);
            }
            Err(why) => self.refuse("Open a scenario", &format!("{}: {why}", path.display())),
        }
    }

    /// Takes the text of a scenario's file, as one change.
    pub(super) fn take_scenario(&mut self, path: PathBuf, text: Arc<str>) {
        let number = self.work.now().scenario.as_ref().map(|draft| draft.number);
        let own = number.and_then(|number| self.drafts.files.get_mut(number));
        self.looks.remember_scenario(&path);
        match own.filter(|own| own.path.as_ref() == Some(&path)) {
            Some(own) => {
                own.on_disk = Some(text.clone());
                self.write_scenario(text);
            }
            None => {
                let file = DraftFile { path: Some(path), on_disk: Some(text.clone()) };
                self.start_scenario(text, file);
            }
        }
    }

    pub(super) fn start_scenario(&mut self, text: Arc<str>, file: DraftFile) {
        let draft = self.drafts.start(text, file);
        self.drafts.turn_to(0);
        self.work.change(|work| work.scenario = Some(draft));
        self.looks.cameras.remove(&Panel::Twin);
        self.to_front = Some(Panel::Twin);
    }

    fn write_scenario(&mut self, text: Arc<str>) {
        self.work.change(|work| {
            if let Some(draft) = &mut work.scenario {
                draft.text = text;
            }
        });
    }

    fn change_scenario(&mut self, change: ScenarioChange<'_>) {
        let Some(draft) = &self.work.now().scenario else { return };
        match lightloom::edit::change_scenario(&draft.text, &self.drafts.shown(draft), change) {
            Ok(text) => self.write_scenario(text.into()),
            Err(error) => self.refuse("Change the scenario", &words::text_of_input(&error)),
        }
    }

    /// Runs the scenario as it is shown. If nothing was changed here, the file is read again.
    pub(super) fn run_scenario(&mut self, hold_at: Option<Instant>) {
        // A run reads the files of its design as they are now.
        self.read_changed();
        if let Err(why) = self.read_scenario_again() {
            return self.refuse("Run", &why);
        }
        let number = self.work.now().scenario.as_ref().map(|draft| draft.number);
        if let (Some(number), Some(texts)) = (number, self.run_texts()) {
            let options = self.playback.options();
            self.answers.live = Arc::new(Live::of(options.seeds.is_some(), hold_at));
            self.answers.run_again(number, texts, options);
        }
    }

    /// Reads the file of the scenario again, if nothing was changed here. Otherwise the text stays.
    pub(super) fn read_scenario_again(&mut self) -> Result<(), String> {
        let Some(draft) = self.work.now().scenario.clone() else { return Ok(()) };
        let path = self.scenario_path().filter(|_| !self.drafts.is_changed(&draft));
        if let Some(path) = path {
            let text = read(&path, "a scenario", LONGEST)
                .map_err(|why| format!("{}: {why}", path.display()))?;
            if text != draft.text {
                self.drafts.files[draft.number].on_disk = Some(text.clone());
                self.tell(format!("{} was changed and is read again", path.display()));
                self.write_scenario(text);
            }
        }
        // Its rows say which design it names.
        self.drafts.follow(self.work.now().scenario.as_ref());
        Ok(())
    }

    /// Saves the scenario. A file that has another text than expected is not overwritten without asking.
    pub(super) fn save_scenario(&mut self, path: PathBuf, expected: Option<Arc<str>>) {
        let Some(draft) = self.work.now().scenario.clone() else { return };
        match lightloom::edit::save_design(&path, &draft.text, expected.as_deref()) {
            Ok(true) => {
                self.looks.remember_scenario(&path);
                self.tell(format!("saved {}", path.display()));
                self.drafts.files[draft.number] =
                    DraftFile { path: Some(path), on_disk: Some(draft.text) };
                if let Some(then) = self.after_save.take() {
                    self.apply(*then);
                }
            }
            Ok(false) => self.ask_about_theirs(Edited::Scenario, path, &draft.text),
            Err(error) => self.refuse("Save the scenario", &words::text_of_input(&error)),
        }
    }
}
