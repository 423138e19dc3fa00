//! What a panel asks of the door, and what it answers with.

use lightloom::{Error, Project, Watch};

use crate::command::Selection;
use crate::panel::Panel;
use crate::state::answers::{Answers, Of};
use crate::state::asked::{Asked, needs};
use crate::state::looks::Looks;
use crate::state::work::Work;

/// What is in sight: the project, what is done with it, and how it is looked at.
pub struct Sight<'a> {
    /// The project of the text.
    pub of: Of,
    /// The design and the broken parts.
    pub work: &'a Work,
    /// What is selected.
    pub selection: Selection,
    /// How panels look at it.
    pub looks: &'a Looks,
}

/// What an answer as JSON is of.
pub struct AnswerOf<'a> {
    /// The project.
    pub project: &'a Project,
    /// What the panels show.
    pub asked: &'a Asked,
    /// Tells how far the work is, and whether it is stopped.
    pub watch: Watch<'a>,
}

/// What a panel asks of the door, and what it answers with.
pub trait Asks: Sync {
    /// Asks what it needs while it is in sight.
    fn ask(&self, _answers: &mut Answers, _sight: &Sight<'_>) {}

    /// Stops its work at the wish of the user.
    fn stop(&self, _answers: &mut Answers) {}

    /// Its answer as JSON, as the command prints it.
    ///
    /// # Errors
    /// [`Error`] if it has no answer, or needs something else first.
    fn answer(&self, _of: &AnswerOf<'_>) -> Result<String, Error> {
        Err(needs("the panel has no answer"))
    }
}

/// Finds a panel by its name.
pub type AsksOf = fn(Panel) -> &'static dyn Asks;
