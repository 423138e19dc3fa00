//! Reads CSV tables of routings: a row for each token of a mixture of experts and each of its experts.

use std::path::Path;

use lightloom_request::InputError;
use lightloom_scenario::build::{RoutedToken, Routing};

use crate::rows::Row;
use crate::scenario::files::Files;
use crate::scenario::flow_list::node;
use crate::scenario::sheet::Sheet;
use crate::text::column;

const COLUMNS: [&str; 3] = ["token", "from", "to"];

/// Reads the table in the file that the field `routes` names.
pub(super) fn read(row: &Row<'_>, path: &Path, files: &mut Files) -> Result<Routing, InputError> {
    let sheet = Sheet::read(row, "routes", path, &COLUMNS.map(column))?;
    let table = &sheet.table;
    table.require(path, &COLUMNS)?;
    if let Some((_, title)) = table.columns().find(|(name, _)| !COLUMNS.contains(name)) {
        let message = format!("found column {title:?}; the columns are token, from and to");
        return Err(table.at_header(path, message));
    }
    let mut rows = Vec::new();
    sheet.each(path, |record| {
        let token = record.cell("token");
        if token.is_empty() {
            return Err(
                record.refuse("token", "found an empty cell; give the token a number or a name")
            );
        }
        let (from, to) = (node(record, "from")?, node(record, "to")?);
        rows.push(RoutedToken { line: record.line(), token: token.to_owned(), from, to });
        Ok(())
    })?;
    files.push((path.to_path_buf(), sheet.text));
    Ok(Routing { rows })
}
