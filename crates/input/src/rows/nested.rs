//! Values that only scenarios have: nested tables, lists of tables, and numbers of 64 bits.

use lightloom_request::InputError;
use toml::de::{DeTable, DeValue};

use crate::rows::{Row, a_kind};

impl<'a> Row<'a> {
    /// A table within this row, as a row. `section` is its name in messages.
    pub fn table(&self, field: &'a str, section: &'a str) -> Result<Option<Row<'a>>, InputError> {
        match self.entry(field) {
            None => Ok(None),
            Some((at, DeValue::Table(table))) => Ok(Some(self.inner(section, at, table))),
            Some((_, other)) => {
                let message = format!("found {}; expected a table, [{section}]", a_kind(other));
                Err(self.refuse(field, message))
            }
        }
    }

    /// Whether a field is a table.
    pub fn has_table(&self, field: &str) -> bool {
        matches!(self.value(field), Some(DeValue::Table(_)))
    }

    /// The tables of a list `[[section]]`, as rows. Empty if the file has no such list.
    pub fn tables(&self, section: &'a str) -> Result<Vec<Row<'a>>, InputError> {
        let refuse = |found: &str| {
            let message =
                format!("found {found}; expected a list of tables, each begun by [[{section}]]");
            self.refuse(section, message)
        };
        let items = match self.entry(section) {
            None => return Ok(Vec::new()),
            Some((_, DeValue::Array(items))) => items,
            Some((_, other)) => return Err(refuse(&a_kind(other))),
        };
        let row = |item: &'a toml::Spanned<DeValue<'a>>| match item.get_ref() {
            DeValue::Table(table) => Ok(self.inner(section, item.span().start, table)),
            other => Err(refuse(&format!("a list with {}", a_kind(other)))),
        };
        items.iter().map(row).collect()
    }

    /// A whole number from 0 to 2^63-1.
    pub fn count(&self, field: &str) -> Result<Option<u64>, InputError> {
        match self.value(field) {
            None => Ok(None),
            Some(DeValue::Integer(number)) => {
                let read = i64::from_str_radix(number.as_str(), number.radix()).ok();
                read.and_then(|n| u64::try_from(n).ok()).map(Some).ok_or_else(|| {
                    let message = format!(
                        "found {number}; expected a whole number from 0 to 9223372036854775807"
                    );
                    self.refuse(field, message)
                })
            }
            Some(other) => {
                let message = format!("found {}; expected a whole number", a_kind(other));
                Err(self.refuse(field, message))
            }
        }
    }

    /// A Boolean.
    pub fn flag(&self, field: &str) -> Result<Option<bool>, InputError> {
        match self.value(field) {
            None => Ok(None),
            Some(DeValue::Boolean(said)) => Ok(Some(*said)),
            Some(other) => {
                let message = format!("found {}; expected true or false", a_kind(other));
                Err(self.refuse(field, message))
            }
        }
    }

    /// The values of a list, of any kind.
    pub fn values(&self, field: &str) -> Result<Option<Vec<&DeValue<'a>>>, InputError> {
        match self.value(field) {
            None => Ok(None),
            Some(DeValue::Array(items)) => {
                Ok(Some(items.iter().map(|item| item.get_ref()).collect()))
            }
            Some(other) => {
                let message = format!("found {}; expected a list in [ ]", a_kind(other));
                Err(self.refuse(field, message))
            }
        }
    }

    fn inner(&self, section: &'a str, at: usize, table: &'a DeTable<'a>) -> Row<'a> {
        Row { section, name: "", at, table, ..*self }
    }
}
