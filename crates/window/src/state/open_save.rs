//! Open and save.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lightloom::{FileKind, Texts};

use crate::command::{Command, Selection};
use crate::panel::Panel;
use crate::place::{Line, Place};
use crate::state::current::{read_plan, recovered};
use crate::state::draft::DraftFile;
use crate::state::file::{DesignFile, read};
use crate::state::history::History;
use crate::state::model::State;
use crate::state::questions::{Edited, PathFor, Question};
use crate::state::unsaved::Kept;
use crate::state::work::{EXAMPLE, Work};
use crate::twin::{Build, Twin, TwinView};
use crate::words;

/// Longest design file that is read.
pub(super) const LONGEST: u64 = 16 << 20;

impl State {
    /// Carries out a command about files.
    pub(super) fn apply_to_file(&mut self, command: Command) {
        match command {
            Command::New | Command::Open | Command::OpenFile(_) | Command::Quit
                if self.is_changed() =>
            {
                self.question = Some(Question::Unsaved(Edited::Design, Box::new(command)));
            }
            // Another design leaves the scenario as it is.
            Command::Quit
            | Command::OpenScenario
            | Command::ScenarioFile(_)
            | Command::Twin(Twin::Build(Build::OfDesign | Build::Electrical))
                if self.is_scenario_changed() =>
            {
                self.question = Some(Question::Unsaved(Edited::Scenario, Box::new(command)));
            }
            Command::New => self.start(EXAMPLE.into(), DesignFile::default()),
            Command::Open => self.question = Some(Question::Path(PathFor::Open)),
            Command::OpenFile(path) => self.open(path),
            Command::OpenScenario => self.question = Some(Question::Path(PathFor::Scenario)),
            Command::ScenarioFile(path) => self.open_scenario(path),
            Command::Twin(Twin::Build(build)) => self.build(build),
            Command::Quit if self.unwritten().is_empty() => self.quits = true,
            Command::Quit => self.question = Some(Question::Writing),
            Command::SaveFirst => {
                if let Some(Question::Unsaved(of, then)) = self.question.take() {
                    self.after_save = Some(then);
                    self.apply(match of {
                        Edited::Design => Command::Save,
                        Edited::Scenario => Command::Twin(Twin::Build(Build::Save)),
                    });
                }
            }
            Command::Save | Command::SaveAs | Command::SaveTo(_) if self.file.is_plan => {
                // It has no text of a design that could be written.
                self.refuse("Save", "a plan's folder is only looked at; open its design file");
            }
            Command::Save => match self.file.path.clone() {
                Some(path) => self.save(path, self.file.on_disk.clone()),
                None => self.question = Some(Question::Path(PathFor::SaveAs)),
            },
            Command::SaveAs => self.question = Some(Question::Path(PathFor::SaveAs)),
            Command::SaveTo(path) => {
                self.question = None;
                let path = std::path::absolute(&path).unwrap_or(path);
                let expected = self.file.on_disk.clone();
                let is_own = self.file.path.as_ref() == Some(&path);
                self.save(path, expected.filter(|_| is_own));
            }
            Command::Overwrite => self.overwrite_theirs(),
            Command::Reload => self.take_theirs(),
            Command::TakeUnsaved => {
                self.question = None;
                // What the files had then, so that a change by somebody else is found by the next save.
                let Kept { design, scenario } = self.unsaved.take().unwrap_or_default();
                if let Some(kept) = design {
                    let on_disk = kept.on_disk.map(Arc::from);
                    let file = DesignFile { path: kept.file, on_disk, is_plan: false };
                    self.start(kept.text.into(), file);
                }
                if let Some(kept) = scenario {
                    let on_disk = kept.on_disk.map(Arc::from);
                    let file = DraftFile { path: kept.file, on_disk };
                    self.start_scenario(kept.text.into(), file);
                }
            }
            Command::Discard => match self.question.take() {
                Some(Question::Unsaved(Edited::Design, then)) => {
                    let text = self.file.on_disk.clone().unwrap_or_else(|| EXAMPLE.into());
                    self.work.change(|work| work.text = text);
                    self.apply(*then);
                }
                Some(Question::Unsaved(Edited::Scenario, then)) => {
                    self.give_up_scenario();
                    self.apply(*then);
                }
                Some(Question::Found(_)) => {
                    self.unsaved.take();
                }
                Some(Question::Writing) => self.quits = true,
                _ => {}
            },
            Command::Browse => {
                if let (Some(browse), Some(Question::Path(purpose))) =
                    (self.browse, self.question.clone())
                {
                    self.browsed.clear();
                    self.browsed.ask(purpose, &self.answers.wake, move |_| Ok(browse(purpose)?));
                }
            }
            Command::Dismiss => {
                match self.question.take() {
                    // Unsaved text of an earlier session is not given up: the next start asks again.
                    Some(Question::Found(_)) => self.unsaved.leave(),
                    Some(Question::Replace { .. }) => self.exporting.give_up(),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// Forgets what waits for a save when the question of the save gave way to another one.
    pub(super) fn forget_after_save(&mut self) {
        let of_save = [PathFor::SaveAs, PathFor::SaveScenario].map(Question::Path);
        let waits = self.question.as_ref().is_some_and(|question| {
            of_save.contains(question) || matches!(question, Question::ChangedOnDisk(_))
        });
        if !waits {
            self.after_save = None;
        }
    }

    /// Starts with this text: earlier versions are forgotten. The scenario stays.
    fn start(&mut self, text: Arc<str>, file: DesignFile) {
        let scenario = self.work.now().scenario.clone();
        self.work = History::new(Work { scenario, ..Work::new(text) });
        self.file = file;
        // The files that it names are read again, also if it is the same text.
        self.answers.readings += 1;
        self.looks.forget_places();
        self.selection = Selection::FIRST;
        // The selection is of the design that is being opened.
        self.followed = None;
    }

    /// Opens a design, a plan or a scenario. What cannot be opened changes nothing.
    pub(super) fn open(&mut self, path: PathBuf) {
        self.question = None;
        let typed = path.clone();
        let path = std::path::absolute(&path).unwrap_or(path);
        if path.is_dir() {
            return self.open_plan(path);
        }
        let text = match read(&path, "a design", LONGEST) {
            Ok(text) => text,
            Err(why) => return self.refuse_file("Open", &path, &why),
        };
        if FileKind::of(&text) == FileKind::Scenario {
            return self.open_as_scenario(path);
        }
        let request = lightloom::Request { design: Some(path.clone()), ..Default::default() };
        match lightloom::edit::read_settings(&request) {
            Ok(_) => {
                self.looks.remember(&path);
                self.tell(Line::at(
                    format!("opened {}", typed.display()),
                    Place::File(path.clone()),
                ));
                self.start(
                    text.clone(),
                    DesignFile { path: Some(path), on_disk: Some(text), is_plan: false },
                );
            }
            Err(refused) => self.refuse("Open", &words::text_of_input(&refused)),
        }
    }

    /// Opens a scenario, also one with an error: it is mended where the error is shown.
    fn open_as_scenario(&mut self, path: PathBuf) {
        self.apply(Command::ScenarioFile(path.clone()));
        if self.question.is_some() {
            return;
        }
        if let Err(error) = lightloom::twin::read_scenario(&path, &Texts::default()) {
            self.playback.apply(Twin::Show(TwinView::Scenario), None);
            let line = format!("the scenario cannot be run: {}", words::text_of(&error));
            self.tell(Line::refused(line, &error));
        }
    }

    fn open_plan(&mut self, folder: PathBuf) {
        match read_plan(&folder) {
            Ok(project) => {
                self.looks.remember(&folder);
                let line = format!("opened the plan in {}", folder.display());
                self.tell(Line::at(line, Place::File(folder.clone())));
                self.start(
                    "".into(),
                    DesignFile { path: Some(folder), on_disk: None, is_plan: true },
                );
                if let Some((broken, method)) = recovered(&project) {
                    let mut work = self.work.now().clone();
                    work.take_repair(broken, method);
                    self.work = History::new(work);
                }
                let reading = self.answers.reading(&self.file, &self.work.now().text);
                self.answers.show_plan(reading, project);
                self.to_front = Some(Panel::Fabric);
            }
            Err(error) => self.refuse("Open", &words::text_of(&error)),
        }
    }

    pub(super) fn save(&mut self, path: PathBuf, expected: Option<Arc<str>>) {
        let path = std::path::absolute(&path).unwrap_or(path);
        let text = self.work.now().text.clone();
        match lightloom::edit::save_design(&path, &text, expected.as_deref()) {
            Ok(true) => {
                self.looks.remember(&path);
                self.tell(Line::at(format!("saved {}", path.display()), Place::File(path.clone())));
                self.file = DesignFile { path: Some(path), on_disk: Some(text), is_plan: false };
                if let Some(then) = self.after_save.take() {
                    self.apply(*then);
                }
            }
            Ok(false) => self.ask_about_theirs(Edited::Design, path, &text),
            Err(error) => self.refuse("Save", &words::text_of_input(&error)),
        }
    }

    /// Takes the answer of the dialog of the desktop, if its question still waits.
    pub(super) fn poll_browsed(&mut self) {
        if !self.browsed.poll() {
            return;
        }
        if let Some(error) = self.browsed.refused() {
            let told = words::text_of(error);
            return self.tell(told);
        }
        let path = self.browsed.last().and_then(|path| path.as_ref().clone());
        if let (Some(Question::Path(purpose)), Some(path)) = (&self.question, path)
            && self.browsed.last_key() == Some(purpose)
        {
            self.apply(purpose.command(path));
        }
    }

    fn refuse_file(&mut self, title: &str, path: &Path, why: &str) {
        self.refuse(title, &format!("{}: {why}", path.display()));
    }

    /// Tells that something could not be done.
    pub(super) fn refuse(&mut self, title: &str, message: &str) {
        self.tell(format!("{title}: {message}"));
        self.question =
            Some(Question::Told { title: title.to_owned(), message: message.to_owned() });
    }
}
