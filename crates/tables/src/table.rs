//! Tables that are declared once: each column with its title, what its cells are, what it means, and how a row answers
//! it. The file, the list of columns in the documents and the types of data frames come from the declaration.

use std::fmt::{self, Write as _};

use crate::sheet::neutralised;
use crate::shown::Shown;

/// What the rows of a table are.
pub trait Rows {
    /// A row; it may borrow from what all rows share.
    type Row<'a>;
    /// What all rows share.
    type Given<'a>: Copy;
}

/// What the cells of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A text: a name, a word, a list.
    Text,
    /// A whole number.
    Whole,
    /// A number with decimals.
    Real,
    /// An exact number with decimals, such as a price. Programs that take it for a binary fraction change it.
    Decimal,
}

impl Kind {
    /// Its name, for other programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Whole => "whole",
            Self::Real => "real",
            Self::Decimal => "decimal",
        }
    }
}

/// A cell that is being written.
#[derive(Debug, Default)]
pub struct Cell {
    text: String,
}

impl Cell {
    /// Adds a text.
    pub fn text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds the text form of a value.
    pub fn show(&mut self, value: impl fmt::Display) {
        write!(self.text, "{value}").expect("a text takes any text");
    }

    /// Adds the text form of a value, where there is one. Without, the cell stays empty.
    pub fn show_some(&mut self, value: Option<impl fmt::Display>) {
        if let Some(value) = value {
            self.show(value);
        }
    }
}

/// How a row answers a column. An answer without any text leaves the cell empty.
pub type Answer<T> =
    for<'a, 'b, 'c> fn(<T as Rows>::Given<'a>, &'b <T as Rows>::Row<'a>, &'c mut Cell);

/// Whether a table has a column.
pub type When<T> = for<'a> fn(<T as Rows>::Given<'a>) -> bool;

/// A column.
pub struct Column<T: Rows> {
    key: &'static str,
    kind: Kind,
    about: &'static str,
    when: Option<(&'static str, When<T>)>,
    answer: Answer<T>,
}

impl<T: Rows> Column<T> {
    /// A column of every table: its title, what its cells are, and what it means, in words that follow its title.
    pub const fn new(
        key: &'static str,
        kind: Kind,
        about: &'static str,
        answer: Answer<T>,
    ) -> Self {
        Self { key, kind, about, when: None, answer }
    }

    /// The same, only in tables of which something holds: first in words, as after "only".
    pub const fn only(
        key: &'static str,
        kind: Kind,
        about: &'static str,
        said: &'static str,
        when: When<T>,
        answer: Answer<T>,
    ) -> Self {
        Self { key, kind, about, when: Some((said, when)), answer }
    }

    fn is_in(&self, given: T::Given<'_>) -> bool {
        self.when.is_none_or(|(_, when)| when(given))
    }
}

/// A table.
pub struct Table<T: Rows + 'static> {
    /// The name of its file.
    pub file: &'static str,
    /// What a row is, in words that follow "a row for".
    pub about: &'static str,
    /// Its columns, in order.
    pub columns: &'static [Column<T>],
}

impl<T: Rows> Table<T> {
    /// The file: a header and a line for each row. Cells that a spreadsheet would evaluate are neutralised.
    ///
    /// # Panics
    /// Never: memory takes all bytes, and all rows have the same columns.
    pub fn csv<'a>(
        &self,
        given: T::Given<'a>,
        rows: impl IntoIterator<Item = T::Row<'a>>,
    ) -> Vec<u8> {
        const NEVER: &str = "writing CSV to memory does not fail";
        let columns: Vec<&Column<T>> =
            self.columns.iter().filter(|column| column.is_in(given)).collect();
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(columns.iter().map(|column| column.key)).expect(NEVER);
        // One text for all cells: a large plan has tens of millions of them.
        let mut cell = Cell::default();
        for row in rows {
            for column in &columns {
                cell.text.clear();
                (column.answer)(given, &row, &mut cell);
                writer.write_field(neutralised(&cell.text).as_bytes()).expect(NEVER);
            }
            writer.write_record(None::<&[u8]>).expect(NEVER);
        }
        writer.into_inner().expect(NEVER)
    }

    /// The table for people, with titles in words.
    pub fn shown<'a>(
        &self,
        given: T::Given<'a>,
        rows: impl IntoIterator<Item = T::Row<'a>>,
    ) -> Shown {
        let columns: Vec<&Column<T>> =
            self.columns.iter().filter(|column| column.is_in(given)).collect();
        let mut shown = Shown::new(columns.iter().map(|column| in_words(column.key)));
        let mut cell = Cell::default();
        for row in rows {
            shown.add(columns.iter().map(|column| {
                cell.text.clear();
                (column.answer)(given, &row, &mut cell);
                cell.text.clone()
            }));
        }
        shown
    }

    /// What the table is, for documents and other programs.
    pub fn declared(&self) -> Declared {
        let columns = self.columns.iter().map(|column| DeclaredColumn {
            key: column.key,
            kind: column.kind,
            about: column.about,
            only: column.when.map(|(said, _)| said),
        });
        Declared { file: self.file, about: self.about, columns: columns.collect() }
    }
}

/// The title of a column for people, with its unit.
fn in_words(key: &str) -> String {
    let (name, unit) = match (key.strip_suffix("_db"), key.strip_suffix("_m")) {
        (Some(name), _) => (name, ", dB"),
        (None, Some(name)) => (name, ", m"),
        (None, None) => (key, ""),
    };
    name.replace('_', " ") + unit
}

/// What a table is, without its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared {
    /// The name of its file.
    pub file: &'static str,
    /// What a row is, in words that follow "a row for".
    pub about: &'static str,
    /// Its columns, in order.
    pub columns: Vec<DeclaredColumn>,
}

/// What a column is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeclaredColumn {
    /// Its title in the file.
    pub key: &'static str,
    /// What its cells are.
    pub kind: Kind,
    /// What it means.
    pub about: &'static str,
    /// The tables that have it, as after "only". `None`: every table.
    pub only: Option<&'static str>,
}

impl Declared {
    /// The columns as a table in Markdown.
    pub fn markdown(&self) -> String {
        let mut text = String::from("| column | cells | meaning |\n|---|---|---|\n");
        for DeclaredColumn { key, kind, about, only } in &self.columns {
            let only = only.map_or_else(String::new, |only| format!(" Only {only}."));
            let about = about.replace('|', "\\|");
            writeln!(text, "| `{key}` | {} | {about}.{only} |", kind.name())
                .expect("a text takes any text");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Pairs;

    impl Rows for Pairs {
        type Row<'a> = (&'a str, Option<u32>);
        type Given<'a> = bool;
    }

    const TABLE: Table<Pairs> = Table {
        file: "pairs.csv",
        about: "each pair",
        columns: &[
            Column::new("name", Kind::Text, "name of the pair", |_, row: &(&str, _), cell| {
                cell.text(row.0)
            }),
            Column::only(
                "number",
                Kind::Whole,
                "its number",
                "with numbers",
                |numbered| numbered,
                |_, row: &(_, Option<u32>), cell| cell.show_some(row.1),
            ),
        ],
    };

    #[test]
    fn a_column_is_in_the_tables_that_it_says() {
        let rows = || [("a", Some(7)), ("=b,\"c\"", None)];
        let text = |numbered| String::from_utf8(TABLE.csv(numbered, rows())).unwrap();
        assert_eq!(text(true), "name,number\na,7\n\"'=b,\"\"c\"\"\",\n");
        assert_eq!(text(false), "name\na\n\"'=b,\"\"c\"\"\"\n");
        assert_eq!(TABLE.csv(false, [("", None)]), b"name\n\"\"\n");
    }

    #[test]
    fn people_read_titles_in_words() {
        let shown = TABLE.shown(true, [("=b", Some(7))]);
        assert_eq!(shown.titles(), ["name", "number"]);
        assert_eq!(shown.rows(), [["=b", "7"]]);
        let titles = ["from_tor", "length_m", "loss_db", "db_m"].map(in_words);
        assert_eq!(titles, ["from tor", "length, m", "loss, dB", "db, m"]);
    }

    #[test]
    fn documents_list_all_columns() {
        let declared = TABLE.declared();
        assert_eq!(declared.columns.len(), 2);
        assert!(
            declared
                .markdown()
                .ends_with("| `number` | whole | its number. Only with numbers. |\n")
        );
    }
}
