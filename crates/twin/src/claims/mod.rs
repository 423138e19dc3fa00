//! What answers of reliable groups claim, noted during a run and held afterwards against what receivers had: no
//! answer covers a packet that a receiver lacks.
//!
//! Nothing is noted unless [`Simulation::check_answers`](crate::Simulation::check_answers) asks for it.

mod judge;
mod notes;

pub(crate) use judge::{Audience, Judge};
pub use notes::{CheckedAnswers, WrongAnswer};
pub(crate) use notes::{Claim, MemberNotes, SwitchNotes};
