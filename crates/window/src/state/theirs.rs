//! What happens if somebody else has changed a file that is edited here.

use std::path::PathBuf;

use crate::place::{Line, Place};
use crate::state::building::LONGEST as LONGEST_SCENARIO;
use crate::state::file::{DesignFile, read};
use crate::state::model::State;
use crate::state::open_save::LONGEST;
use crate::state::questions::{Edited, Question, Theirs};

impl State {
    /// Asks whether a file with another text than expected is overwritten, or taken.
    pub(super) fn ask_about_theirs(&mut self, of: Edited, path: PathBuf, ours: &str) {
        let text = read(&path, "a design or a scenario", LONGEST_SCENARIO).ok();
        let lines =
            text.as_deref().map(|theirs| lightloom::edit::changed_lines(theirs, ours).into());
        self.question = Some(Question::ChangedOnDisk(Theirs { of, path, text, lines }));
    }

    /// Saves over the text that was shown. If the file has yet another one, it is asked again.
    pub(super) fn overwrite_theirs(&mut self) {
        if let Some(Question::ChangedOnDisk(Theirs { of, path, text, .. })) = self.question.take() {
            match of {
                Edited::Design => self.save(path, text),
                Edited::Scenario => self.save_scenario(path, text),
            }
        }
    }

    /// Takes the text of the file. It is one change: the text before is one undo away.
    pub(super) fn take_theirs(&mut self) {
        let Some(Question::ChangedOnDisk(Theirs { of, path, .. })) = self.question.take() else {
            return;
        };
        // Nothing was saved, so nothing goes on that waited for it.
        self.after_save = None;
        let (what, most) = match of {
            Edited::Design => ("a design", LONGEST),
            Edited::Scenario => ("a scenario", LONGEST_SCENARIO),
        };
        let text = match read(&path, what, most) {
            Ok(text) => text,
            Err(why) => return self.refuse("Take its text", &format!("{}: {why}", path.display())),
        };
        match of {
            Edited::Design => {
                self.looks.remember(&path);
                self.work.change(|work| work.text = text.clone());
                let (own, on_disk) = (Some(path.clone()), Some(text));
                self.file = DesignFile { path: own, on_disk, is_plan: false };
                self.answers.readings += 1;
            }
            Edited::Scenario => self.take_scenario(path.clone(), text),
        }
        let line = format!("took the text of {}; undo brings back the one before", path.display());
        self.tell(Line::at(line, Place::File(path)));
    }
}
