//! Takes returned sheets into the plan.

use std::path::PathBuf;

use lightloom::Texts;

use crate::panel::Panel;
use crate::place::{Line, Place};
use crate::state::answers::Of;
use crate::state::model::State;
use crate::words::{self, Fields};

impl State {
    /// Takes a returned sheet into the plan, in memory.
    pub(super) fn take_returned(&mut self, path: PathBuf) {
        self.question = None;
        self.to_front = Some(Panel::AsBuilt);
        let path = std::path::absolute(&path).unwrap_or(path);
        let project = match self.current() {
            Ok(project) => project.clone(),
            Err(error) => return self.refuse("As built", &error.message.in_words(&Fields)),
        };
        self.built.readings += 1;
        self.built.returned = Some(path.clone());
        let key = (Of(project.clone()), path.clone(), self.built.readings);
        self.built.taken.ask(key, &self.answers.wake, move |watch| {
            let returned = lightloom::as_built::read_returned(&path, &Texts::default())?;
            lightloom::as_built::take_files(&project, &returned, watch)
        });
    }

    /// Asks what the plan itself has, and takes answers.
    pub(super) fn refresh_built(&mut self, visible: &[Panel]) {
        self.built.there.poll();
        if visible.contains(&Panel::AsBuilt)
            && let Some(project) = self.project().cloned()
        {
            let of = Of(project.clone());
            self.built
                .there
                .ask(of, &self.answers.wake, move |_| Ok(lightloom::as_built::as_built(&project)?));
        }
        if !self.built.taken.poll() {
            return;
        }
        let line = match (self.built.taken.refused(), self.built.taken.last()) {
            (Some(error), _) => {
                Line::refused(format!("as built: {}", words::text_of(error)), error)
            }
            (None, Some(taken)) => {
                let found = if taken.report.good { "it is good" } else { "it is not good" };
                let text = format!("took what was built: {found}");
                Line::at(text, Place::Panel(Panel::AsBuilt))
            }
            (None, None) => return,
        };
        self.tell(line);
    }
}
