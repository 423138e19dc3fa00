//! Shared by the readers of rows.

use lightloom_power_cost::parts::RowError;
use lightloom_request::InputError;

use crate::rows::Row;

/// Checks a raw row.
pub(super) fn checked<T, R>(row: &Row<'_>, raw: R) -> Result<T, InputError>
where
    T: TryFrom<R, Error = RowError>,
{
    T::try_from(raw).map_err(|error| row.refuse(error.field, error.message))
}

/// Reads optional quantities of a row. A field that the row omits is inherited from the older row, and the word
/// `"unknown"` removes it.
macro_rules! quantities {
    ($row:ident, $old:ident, $($field:ident),*) => {
        $(let $field = $row.inherited(
            stringify!($field),
            $old.and_then(|old| old.$field),
            Row::quantity,
        )?;)*
    };
}

pub(super) use quantities;
