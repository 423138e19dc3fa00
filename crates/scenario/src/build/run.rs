//! What a run is told beside its network and its traffic.

use lightloom_request::InputError;
use lightloom_units::{Instant, Span};

use crate::said::{Row as _, RunRow};

/// Default time without progress after which a run is stalled.
const PATIENCE: Span = Span::from_ms(100);

/// When a run ends, and what its random draws come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// Seed of traffic, losses, marking and path choice.
    pub seed: u64,
    /// End of the run.
    pub until: Instant,
    /// Time without progress after which the run is stalled.
    pub patience: Span,
}

impl Run {
    /// What a row says. A `seed` goes before that of the row.
    ///
    /// # Errors
    /// [`InputError`] at the field if the end is missing or a value is out of range.
    pub fn new(row: &RunRow, seed: Option<u64>) -> Result<Self, InputError> {
        let place = RunRow::place();
        row.check(place)?;
        Ok(Self {
            seed: seed.or(row.seed).unwrap_or(1),
            until: row.until.ok_or_else(|| place.missing("until", "\"100 ms\""))?,
            patience: row.patience.unwrap_or(PATIENCE),
        })
    }
}
