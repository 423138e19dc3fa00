//! Open and save, and what happens if somebody else changes the file.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::command::{Command, Selection};
use crate::panel::Panel;
use crate::place::{Line, Place};
use crate::state::file::DesignFile;
use crate::state::history::History;
use crate::state::model::State;
use crate::state::questions::{PathFor, Question};
use crate::state::work::{EXAMPLE, Work};

/// Longest design file that is read.
const LONGEST: u64 = 16 << 20;

impl State {
    /// Carries out a command about files.
    pub(super) fn apply_to_file(&mut self, command: Command) {
        match command {
            Command::New | Command::Open | Command::OpenFile(_) | Command::Quit
                if self.is_changed() =>
            {
                self.question = Some(Question::Unsaved(Box::new(command)));
            }
            Command::New => self.start(EXAMPLE.into(), DesignFile::default()),
            Command::Open => self.question = Some(Question::Path(PathFor::Open)),
            Command::OpenFile(path) => self.open(path),
            Command::Quit => self.quits = true,
            Command::SaveFirst => {
                if let Some(Question::Unsaved(then)) = self.question.take() {
                    self.after_save = Some(then);
                    self.apply_to_file(Command::Save);
                }
            }
            Command::Save if self.file.is_plan => {
                self.refuse("Save", "a plan's folder is only looked at; save as a design file");
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
            Command::Overwrite => {
                if let Some(Question::ChangedOnDisk(path)) = self.question.take() {
                    let there = fs::read_to_string(&path).ok().map(Arc::from);
                    self.save(path, there);
                }
            }
            Command::Reload => {
                if let Some(Question::ChangedOnDisk(path)) = self.question.take() {
                    self.open(path);
                }
            }
            Command::TakeUnsaved => {
                self.question = None;
                if let Some(kept) = self.unsaved.take() {
                    // What the file had then, so that a change by somebody else is found by the next save.
                    let on_disk = kept.on_disk.map(Arc::from);
                    let file = DesignFile { path: kept.file, on_disk, is_plan: false };
                    self.start(kept.text.into(), file);
                }
            }
            Command::Discard => match self.question.take() {
                Some(Question::Unsaved(then)) => {
                    let text = self.file.on_disk.clone().unwrap_or_else(|| EXAMPLE.into());
                    self.work.change(|work| work.text = text);
                    self.apply(*then);
                }
                Some(Question::Found { .. }) => {
                    self.unsaved.take();
                }
                _ => {}
            },
            // Unsaved text of an earlier session is not given up by closing the question.
            Command::Dismiss => {
                self.question = None;
                self.after_save = None;
            }
            _ => {}
        }
    }

    /// Starts with this text: earlier versions are forgotten.
    fn start(&mut self, text: Arc<str>, file: DesignFile) {
        self.work = History::new(Work::new(text));
        self.file = file;
        self.looks.forget_places();
        self.selection = Selection::Nothing;
    }

    /// Opens a design, a plan or a scenario. What cannot be opened changes nothing.
    fn open(&mut self, path: PathBuf) {
        self.question = None;
        let typed = path.clone();
        let path = std::path::absolute(&path).unwrap_or(path);
        if path.is_dir() {
            return self.open_plan(path);
        }
        let read = fs::metadata(&path).and_then(|there| {
            if there.len() > LONGEST {
                let message = format!("has {} bytes; a design has at most {LONGEST}", there.len());
                return Err(std::io::Error::other(message));
            }
            fs::read_to_string(&path)
        });
        let text: Arc<str> = match read {
            Ok(text) => text.into(),
            Err(error) => return self.refuse_file("Open", &path, &error.to_string()),
        };
        let request = lightloom::Request { design: Some(path.clone()), ..Default::default() };
        match lightloom::read_settings(&request) {
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
            Err(refused) => {
                if lightloom::read_scenario(&path, &lightloom::Texts::default()).is_ok() {
                    return self.apply(Command::ScenarioFile(path));
                }
                self.refuse("Open", &refused.to_string());
            }
        }
    }

    fn open_plan(&mut self, folder: PathBuf) {
        match lightloom::open_plan(&folder) {
            Ok((project, _)) => {
                self.looks.remember(&folder);
                let line = format!("opened the plan in {}", folder.display());
                self.tell(Line::at(line, Place::File(folder.clone())));
                self.start(
                    "".into(),
                    DesignFile { path: Some(folder), on_disk: None, is_plan: true },
                );
                self.answers.show_plan(project);
                self.to_front = Some(Panel::Fabric);
            }
            Err(error) => self.refuse("Open", &error.to_string()),
        }
    }

    fn save(&mut self, path: PathBuf, expected: Option<Arc<str>>) {
        let path = std::path::absolute(&path).unwrap_or(path);
        let text = self.work.now().text.clone();
        match lightloom::save_design(&path, &text, expected.as_deref()) {
            Ok(true) => {
                self.looks.remember(&path);
                self.tell(Line::at(format!("saved {}", path.display()), Place::File(path.clone())));
                self.file = DesignFile { path: Some(path), on_disk: Some(text), is_plan: false };
                if let Some(then) = self.after_save.take() {
                    self.apply(*then);
                }
            }
            Ok(false) => self.question = Some(Question::ChangedOnDisk(path)),
            Err(error) => self.refuse("Save", &error.to_string()),
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
