//! Why questions about the broken parts have no answers.

use std::sync::Arc;

use lightloom::Error;

use crate::state::answers::Of;
use crate::state::model::State;

impl State {
    /// Why it is unknown who the broken parts cut off.
    pub fn impact_refused(&self) -> Option<&Arc<Error>> {
        self.answers
            .impact
            .refused_of(|(of, broken)| self.is_shown(of) && *broken == self.work.now().broken)
    }

    /// Why the broken parts have no repair. `None`: there is one, or none was asked for.
    pub fn recover_refused(&self) -> Option<&Arc<Error>> {
        let work = self.work.now();
        self.answers.recover.refused_of(|(of, broken, method)| {
            let is_asked = work.repair.is_some() && *broken == work.broken;
            is_asked && *method == work.method && self.is_shown(of)
        })
    }

    /// Whether panels show this project.
    pub fn is_shown(&self, of: &Of) -> bool {
        self.project().is_some_and(|project| Arc::ptr_eq(project, &of.0))
    }
}
