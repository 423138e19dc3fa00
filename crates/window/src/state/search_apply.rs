//! Carries out commands about the search for designs.

use crate::panel::Panel;
use crate::state::model::State;

impl State {
    /// Searches for designs within the limits.
    pub(super) fn search(&mut self) {
        self.to_front = Some(Panel::Explore);
        self.search.refused = None;
        match self.search.options() {
            Ok(options) => self.answers.explores = Some(options),
            Err(error) => self.search.refused = Some(error),
        }
    }

    /// Whether the answer of the search has other limits than the fields.
    pub fn search_has_other_limits(&self) -> bool {
        let asked = self.answers.explored.last_key().map(|(_, options)| options);
        asked.is_some_and(|asked| self.search.options().ok().as_ref() != Some(asked))
    }
}
