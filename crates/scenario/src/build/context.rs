//! What the parts of a scenario need to know of the rest, and the limits of its flows and computations.

use lightloom_request::{InputError, Memory};
use lightloom_units::{DataSize, Instant};

use crate::build::nodes::Nodes;
use crate::build::run::Run;
use crate::memory::{of_computations, of_flows};
use crate::said::Place;
use crate::said::limits::MOST_FLOWS;

/// What the parts of a scenario need to know of the rest.
#[derive(Debug, Clone)]
pub(super) struct Context {
    pub(super) nodes: Nodes,
    pub(super) run: Run,
    /// The memory that the run may take.
    pub(super) memory: Memory,
}

impl Context {
    /// Refuses too many flows, and more than the memory may take, before memory is allocated for them. There are
    /// `before` already.
    pub(super) fn check_flows(
        &self,
        place: Place,
        field: &'static str,
        before: usize,
        more: f64,
    ) -> Result<(), InputError> {
        let advice = "shorten it, lower its load, or send fewer, larger messages";
        self.check((place, field), ("flows", advice), before as f64 + more, of_flows)
    }

    /// The same of computations.
    pub(super) fn check_computations(
        &self,
        place: Place,
        field: &'static str,
        before: usize,
        more: f64,
    ) -> Result<(), InputError> {
        let advice = "repeat it less often, or take fewer ranks or members";
        self.check((place, field), ("computations", advice), before as f64 + more, of_computations)
    }

    fn check(
        &self,
        (place, field): (Place, &'static str),
        (what, advice): (&str, &str),
        all: f64,
        memory: fn(u64) -> DataSize,
    ) -> Result<(), InputError> {
        if all > MOST_FLOWS as f64 {
            let message = format!(
                "found {all:.0} {what} in all; a scenario has at most {MOST_FLOWS}; {advice}"
            );
            return Err(place.refuse(field, message));
        }
        if all < 1.0 {
            return Ok(());
        }
        // At most the number above.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let count = all as u64;
        let work = format!("a scenario of {count} {what}");
        let within = self.memory.check_option(&work, memory(count));
        within.map_err(|error| InputError { message: error.message, ..place.refuse(field, "") })
    }

    /// The start of a message or of a group: 0 if none is said.
    pub(super) fn start(&self, place: Place, said: Option<Instant>) -> Result<Instant, InputError> {
        let start = said.unwrap_or(Instant::ZERO);
        if start >= self.run.until {
            let message = format!("found {start}; the run ends at {}", self.run.until);
            return Err(place.refuse("start", message));
        }
        Ok(start)
    }
}
