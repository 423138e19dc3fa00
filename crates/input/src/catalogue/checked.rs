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

/// Reads optional fields of a row; a field that the row omits is inherited from the older row.
macro_rules! quantities {
    ($row:ident, $old:ident, $($field:ident),*) => {
        $(let $field = $row.quantity(stringify!($field))?.or($old.and_then(|old| old.$field));)*
    };
}

pub(super) use quantities;
