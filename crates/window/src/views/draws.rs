//! What a panel is to the window.

use std::sync::Arc;

use egui::Ui;
use lightloom::Error;

use super::emit::Emit;
use super::tables::To;
use crate::command::Command;
use crate::slot::HowFar;
use crate::state::State;
use crate::state::asks::Asks;

/// A panel: it reads the state, draws it, and emits commands.
pub trait Draws: Asks {
    /// Draws it.
    fn show(&self, ui: &mut Ui, state: &State, emit: &mut Emit<'_>);

    /// How far the work is that a bar over it shows. `None`: nothing is at work.
    fn how_far(&self, _state: &State) -> Option<HowFar> {
        None
    }

    /// Whether an answer that it shows is not there yet. A picture of it waits for that.
    fn is_at_work(&self, state: &State) -> bool {
        self.how_far(state).is_some()
    }

    /// Whether the bar has a button that stops the work.
    fn has_stop(&self) -> bool {
        false
    }

    /// Whether it shows an answer about another design, or to an earlier question.
    fn is_stale(&self, _state: &State) -> bool {
        false
    }

    /// Why its present questions have no answers. Refusals of earlier questions are left out: a panel that is hidden
    /// asks nothing, so nothing takes them back.
    fn refusals<'a>(&self, _state: &'a State) -> Vec<Option<&'a Arc<Error>>> {
        Vec::new()
    }

    /// How a command that filters its rows begins. `None`: they are not filtered.
    fn filter(&self) -> Option<&'static str> {
        None
    }

    /// The titles of the columns of its table. Empty: it has none.
    fn columns(&self, _state: &State) -> Vec<&'static str> {
        Vec::new()
    }

    /// The command that takes the rows of its table, as they are filtered and sorted. `None`: it has no table. The
    /// command itself tells if there are no rows, or if they are of another design.
    fn rows(&self, _state: &State, _to: To) -> Option<Command> {
        None
    }
}
