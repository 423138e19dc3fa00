//! Carries out commands about growth.

use crate::command::Command;
use crate::panel::Panel;
use crate::place::{Line, Place};
use crate::state::answers::Of;
use crate::state::growth::GrowthQuestion;
use crate::state::model::State;
use crate::words;

impl State {
    /// Carries out a command about growth.
    pub(super) fn apply_to_growth(&mut self, command: Command) {
        let question = match command {
            Command::GrowthField(field, text) => return self.growth.fields.set(field, text),
            Command::Grow => self.growth.fields.to_grow(),
            Command::Shrink => self.growth.fields.to_shrink(),
            _ => return,
        };
        self.growth.refused = None;
        self.to_front = Some(Panel::Growth);
        // What is grown is the design of the text, with its files as they are now.
        self.read_changed();
        match self.current().cloned().and_then(|project| Ok((project, question?))) {
            Ok((project, question)) => self.ask_growth(Of(project), question),
            Err(error) => self.growth.refused = Some(error),
        }
    }

    fn ask_growth(&mut self, of: Of, question: GrowthQuestion) {
        let (project, asked) = (of.0.clone(), question.clone());
        self.growth.asked += 1;
        self.growth.grown.ask(
            (of, question, self.growth.asked),
            &self.answers.wake,
            move |watch| match asked {
                GrowthQuestion::Grow(options, inventory) => {
                    lightloom::growth::grow_project(&project, &options, inventory.as_deref(), watch)
                }
                GrowthQuestion::Shrink(options) => {
                    lightloom::growth::shrink_files(&project, &options, watch)
                }
            },
        );
    }

    /// Takes the answer about growth.
    pub(super) fn poll_growth(&mut self) {
        if !self.growth.grown.poll() {
            return;
        }
        let place = Place::Panel(Panel::Growth);
        let text = match (self.growth.grown.refused(), self.growth.grown.last()) {
            (Some(error), _) => format!("growth: {}", words::text_of(error)),
            (None, Some(grown)) => {
                let change = &grown.report.change;
                format!("{} from {} to {} ToRs", change.kind, change.tors_before, change.tors)
            }
            (None, None) => return,
        };
        self.tell(Line::at(text, place));
    }
}
