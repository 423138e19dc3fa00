//! Tables that fields of a scenario name.

use std::path::Path;

use lightloom_request::given::Contents;
use lightloom_request::{Complaints, Field, InputError};
use lightloom_units::ParseError;

use crate::rows::Row;
use crate::text::{self, Column, Record, Table};

/// A table with its text.
pub(super) struct Sheet {
    pub(super) table: Table,
    pub(super) text: String,
}

impl Sheet {
    /// Reads the table of a file that a field names, or the cells that a program gives in its place.
    pub(super) fn read(
        row: &Row<'_>,
        field: &str,
        path: &Path,
        known: &[Column],
    ) -> Result<Self, InputError> {
        if let Some(Contents::Sheet { columns, rows }) = row.texts().given(path) {
            let table = Table::given(columns, rows);
            let text = table.text();
            return Ok(Self { table, text });
        }
        let text =
            text::read(row.texts(), path).map_err(|error| row.of_file(field, path, error))?;
        Ok(Self { table: Table::foreign(path, &text, known)?, text })
    }

    /// Does something with each record. All errors are told.
    pub(super) fn each(
        &self,
        path: &Path,
        mut call: impl FnMut(&Record<'_>) -> Result<(), InputError>,
    ) -> Result<(), InputError> {
        let mut complaints = Complaints::default();
        for record in self.table.records(path) {
            let called = call(&record).map_err(|error| match error.field {
                Some(Field::At(at)) => record.refuse(at.field, error.message),
                _ => error,
            });
            complaints.take(called);
        }
        complaints.end()
    }
}

/// The value of a cell.
pub(super) fn cell<T: std::str::FromStr<Err = ParseError>>(
    record: &Record<'_>,
    column: &str,
) -> Result<T, InputError> {
    record.cell(column).parse().map_err(|error| record.refuse(column, error))
}
