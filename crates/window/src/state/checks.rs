//! What is asked about a plan before it is made, and about the rules of a repaired fabric.

use lightloom::configs::{ConfigFiles, Dialect, Encoding};
use lightloom::failures::{Concerns, Method};

use crate::slot::Slot;
use crate::state::answers::Of;

/// The question about the rules of a repaired fabric.
pub type Repaired = (Of, Vec<String>, Method, (Option<Dialect>, Option<Encoding>));

/// What is asked about a plan before it is made, and about the rules of a repaired fabric.
#[derive(Debug, Default)]
pub struct Checks {
    /// What a plan would warn of or be refused for.
    pub concerns: Slot<Of, Concerns>,
    /// The configurations of all switches after the repair.
    pub repaired: Slot<Repaired, ConfigFiles>,
}

impl Checks {
    /// Whether something is at work.
    pub fn is_busy(&self) -> bool {
        self.concerns.how_far().is_some() || self.repaired.how_far().is_some()
    }
}
