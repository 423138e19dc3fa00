//! Readers of fields that several sections have.

use lightloom_request::InputError;
use lightloom_units::{BitRate, Length, Span};

use crate::rows::Row;
use crate::scenario::limits::{LEAST_RATE, LONGEST_SPAN, MOST_RATE, within};

/// A rate within the range of the twin.
pub(super) fn rate(row: &Row<'_>, field: &str) -> Result<Option<BitRate>, InputError> {
    let Some(rate) = row.quantity(field)? else { return Ok(None) };
    within(row, field, rate, (LEAST_RATE, MOST_RATE)).map(Some)
}

/// The delay of every link: given directly, or from a length of fibre.
pub(super) fn delay(row: &Row<'_>, per_m: Span) -> Result<Span, InputError> {
    let range = (Span::from_ps(1), LONGEST_SPAN);
    match (row.quantity("delay")?, row.quantity::<Length>("length")?) {
        (Some(delay), None) => within(row, "delay", delay, range),
        (None, Some(length)) => within(row, "length", along(length, per_m), range),
        (Some(_), Some(_)) => {
            Err(row.refuse("length", "is given together with delay; give one of the two"))
        }
        (None, None) => {
            let message = "is missing; give delay = \"1 us\" or length = \"200 m\"";
            Err(row.refuse("delay", message))
        }
    }
}

/// The delay along a fibre, rounded up to a picosecond.
pub(super) fn along(length: Length, per_m: Span) -> Span {
    let ps = u128::from(length.as_um()) * u128::from(per_m.as_ps());
    Span::from_ps(u64::try_from(ps.div_ceil(1_000_000)).unwrap_or(u64::MAX))
}
