//! Tables within a row, lists of tables, and flags.

use lightloom_request::InputError;

use crate::rows::Row;
use crate::rows::fields::Table;

impl<'a> Row<'a> {
    /// A table within this row, as a row. `section` is its name in messages.
    pub fn table(&self, field: &str, section: &'a str) -> Result<Option<Row<'a>>, InputError> {
        let Some((at, value)) = self.entry(field) else { return Ok(None) };
        match value.table() {
            Some(table) => Ok(Some(self.inner(section, (at, None), table))),
            None => {
                let found = value.said().kind();
                let message = format!("found {found}; expected a table, [{section}]");
                Err(self.refuse(field, message))
            }
        }
    }

    /// Whether a field is a table.
    pub fn has_table(&self, field: &str) -> bool {
        self.entry(field).is_some_and(|(_, value)| value.table().is_some())
    }

    /// The tables of a list `[[section]]`, as rows. Empty if the file has no such list.
    pub fn tables(&self, section: &'a str) -> Result<Vec<Row<'a>>, InputError> {
        let refuse = |found: &str| {
            let message =
                format!("found {found}; expected a list of tables, each begun by [[{section}]]");
            self.refuse(section, message)
        };
        let Some((_, value)) = self.entry(section) else { return Ok(Vec::new()) };
        let items = value.items().ok_or_else(|| refuse(&value.said().kind()))?;
        let mut rows = Vec::with_capacity(items.len());
        for (number, (at, item)) in items.into_iter().enumerate() {
            let Some(table) = item.table() else {
                return Err(refuse(&format!("a list with {}", item.said().kind())));
            };
            rows.push(self.inner(section, (at, Some(number)), table));
        }
        Ok(rows)
    }

    /// A Boolean.
    pub fn flag(&self, field: &str) -> Result<Option<bool>, InputError> {
        self.typed(field, |said| said.flag())
    }

    fn inner(
        &self,
        section: &'a str,
        (at, number): (usize, Option<usize>),
        table: Table<'a>,
    ) -> Row<'a> {
        Row { section, name: "", at, number, table, ..*self }
    }
}
