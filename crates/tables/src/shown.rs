//! Tables for people. What a list shows is declared once, and the command and the window show it.

/// Who shows a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Face {
    /// The command. A terminal has room for few columns.
    Command,
    /// The window.
    Window,
}

/// A table for people: titles, and rows with a cell for each title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    titles: Vec<String>,
    rows: Vec<Vec<String>>,
    left_out: usize,
}

impl Shown {
    /// A table without rows.
    pub fn new<T: Into<String>>(titles: impl IntoIterator<Item = T>) -> Self {
        let titles = titles.into_iter().map(Into::into).collect();
        Self { titles, rows: Vec::new(), left_out: 0 }
    }

    /// A table of facts: their names, and a value for each.
    pub fn facts(title: &str, rows: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        let mut shown = Self::new([title, "value"]);
        for (name, value) in rows {
            shown.add([name.to_owned(), value]);
        }
        shown
    }

    /// Adds a row, which has a cell for each title: with one less, values would stand under titles of others.
    pub fn add(&mut self, cells: impl IntoIterator<Item = String>) {
        let row: Vec<String> = cells.into_iter().collect();
        debug_assert_eq!(row.len(), self.titles.len(), "cells of a row");
        self.rows.push(row);
    }

    /// The titles of its columns.
    pub fn titles(&self) -> &[String] {
        &self.titles
    }

    /// Its rows.
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// The table as text with tabs, as spreadsheets take it.
    pub fn tabbed(&self) -> String {
        let lines = std::iter::once(&self.titles).chain(&self.rows);
        lines.map(|cells| cells.join("\t") + "\n").collect()
    }

    /// The number of rows that it would have, had it no limit.
    pub const fn all(&self) -> usize {
        self.rows.len() + self.left_out
    }
}

/// A column of a list of `R`.
pub struct Head<R> {
    title: &'static str,
    only: Option<Face>,
    text: fn(&R) -> String,
    value: Option<fn(&R) -> f64>,
}

impl<R> Head<R> {
    /// A column: its title, with the unit, and the text of a row.
    pub const fn new(title: &'static str, text: fn(&R) -> String) -> Self {
        Self { title, only: None, text, value: None }
    }

    /// A column with a value that rows are sorted by where people choose it. Rows whose value is not a number are last.
    pub const fn by(title: &'static str, text: fn(&R) -> String, value: fn(&R) -> f64) -> Self {
        Self { title, only: None, text, value: Some(value) }
    }

    /// A column that one of the faces shows.
    pub const fn only(face: Face, title: &'static str, text: fn(&R) -> String) -> Self {
        Self { title, only: Some(face), text, value: None }
    }

    /// Its title, with the unit.
    pub const fn title(&self) -> &'static str {
        self.title
    }

    /// The text of a row.
    pub fn text(&self, row: &R) -> String {
        (self.text)(row)
    }

    /// The value that rows are sorted by. `None`: they are sorted by the text.
    pub fn value(&self) -> Option<fn(&R) -> f64> {
        self.value
    }
}

/// A list whose rows are answers of one type.
pub struct List<R: 'static> {
    /// What it lists, as a title.
    pub title: &'static str,
    /// Its columns, in order.
    pub heads: &'static [Head<R>],
}

impl<R> List<R> {
    /// The columns that a face shows.
    pub fn of(&self, face: Face) -> Vec<&'static Head<R>> {
        self.heads.iter().filter(|head| head.only.is_none_or(|only| only == face)).collect()
    }

    /// The table that a face shows. It has the first `most` rows, and counts the others.
    pub fn shown<'a>(
        &self,
        face: Face,
        rows: impl IntoIterator<Item = &'a R>,
        most: usize,
    ) -> Shown {
        let heads = self.of(face);
        let mut shown = Shown::new(heads.iter().map(|head| head.title));
        for row in rows {
            if shown.rows.len() == most {
                shown.left_out += 1;
            } else {
                shown.add(heads.iter().map(|head| (head.text)(row)));
            }
        }
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: List<u32> = List {
        title: "Numbers",
        heads: &[
            Head::new("number", u32::to_string),
            Head::only(Face::Window, "twice", |number| (2 * number).to_string()),
        ],
    };

    #[test]
    fn a_face_shows_its_columns_and_counts_what_it_leaves_out() {
        let command = LIST.shown(Face::Command, &[3, 4, 5], 2);
        assert_eq!(command.titles(), ["number"]);
        assert_eq!(command.rows(), [["3"], ["4"]]);
        assert_eq!((command.all(), command.tabbed().as_str()), (3, "number\n3\n4\n"));
        let window = LIST.shown(Face::Window, &[3], 2);
        assert_eq!(window.titles(), ["number", "twice"]);
        assert_eq!((window.rows(), window.all()), (&[vec!["3".into(), "6".into()]][..], 1));
    }
}
