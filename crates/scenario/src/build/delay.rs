//! Delays along fibres.

use lightloom_request::InputError;
use lightloom_units::{Length, Span};

use crate::said::limits::LONGEST_SPAN;
use crate::said::{NetworkRow, Row as _};

/// The delay of every link of a network: given directly, or from a length of fibre.
pub(super) fn of_links(row: &NetworkRow, per_m: Span) -> Result<Span, InputError> {
    let place = NetworkRow::place();
    match (row.delay, row.length) {
        (Some(delay), None) => Ok(delay),
        (None, Some(length)) => {
            place.within("length", along(length, per_m), (Span::from_ps(1), LONGEST_SPAN))
        }
        (Some(_), Some(_)) => {
            Err(place.refuse("length", "is given together with delay; give one of the two"))
        }
        (None, None) => {
            let message = "is missing; give delay = \"1 us\" or length = \"200 m\"";
            Err(place.refuse("delay", message))
        }
    }
}

/// The delay along a fibre, rounded up to a picosecond.
pub(super) fn along(length: Length, per_m: Span) -> Span {
    let ps = u128::from(length.as_um()) * u128::from(per_m.as_ps());
    Span::from_ps(u64::try_from(ps.div_ceil(1_000_000)).unwrap_or(u64::MAX))
}
