//! CSV files with a header.

use std::path::Path;

use lightloom_request::{Complaints, InputError, Texts};

use crate::text::dialect::{Dialect, unclosed_quote};
use crate::text::files;
use crate::text::lines::{line_at, line_ends};

/// Largest number of columns.
const MAX_COLUMNS: usize = 256;

/// A known column: its name, and its synonyms.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// Name of the column in the reader.
    pub name: &'static str,
    /// Other titles with the same meaning, folded by [`fold`].
    pub synonyms: &'static [&'static str],
}

/// A column without synonyms.
pub const fn column(name: &'static str) -> Column {
    Column { name, synonyms: &[] }
}

/// Folds a title: lower case, spaces for `_` and `-`, round brackets for square ones, no colon at the end.
pub fn fold(title: &str) -> String {
    let plain = title.trim().trim_end_matches(':').to_lowercase();
    let plain: String = plain
        .chars()
        .map(|c| match c {
            '_' | '-' => ' ',
            '[' => '(',
            ']' => ')',
            c => c,
        })
        .collect();
    plain.replace('(', " (").split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Column {
    fn is(&self, folded: &str) -> bool {
        fold(self.name) == folded || self.synonyms.contains(&folded)
    }
}

/// A CSV file with a header.
pub struct Table {
    /// Names of the columns: the reader's name for known columns, the title in lower case for others.
    header: Vec<String>,
    /// The titles as written.
    titles: Vec<String>,
    header_line: u64,
    separator: u8,
    /// Records, each with the line that it begins on.
    records: Vec<(u64, csv::StringRecord)>,
}

/// A record with its file and line.
#[derive(Clone, Copy)]
pub struct Record<'a> {
    table: &'a Table,
    cells: &'a csv::StringRecord,
    line: u64,
    file: &'a Path,
}

impl Table {
    /// Reads a file that a user wrote or exported. `known` are the columns of its reader.
    pub fn read(path: &Path, texts: &Texts, known: &[Column]) -> Result<Self, InputError> {
        Self::foreign(path, &files::read(texts, path)?, known)
    }

    /// Like [`Table::read`], for a text.
    pub fn foreign(path: &Path, text: &str, known: &[Column]) -> Result<Self, InputError> {
        let mut table = Self::untitled(path, text, known)?;
        table.name(path, known)?;
        Ok(table)
    }

    /// A table with its own titles. `known` only decides the separator. Call [`Table::name`] next.
    pub fn untitled(path: &Path, text: &str, known: &[Column]) -> Result<Self, InputError> {
        let is_known = |title: &str| known.iter().any(|column| column.is(&fold(title)));
        let dialect = Dialect::of(text, is_known).ok_or_else(|| {
            let message = "cannot tell whether commas, semicolons or tabs separate the columns; write \
                           the header with one of them, and quote titles that have another";
            let start = text.len() - text.trim_start_matches(['\r', '\n']).len();
            InputError::new(message).in_file(path).at_line(line_at(text.as_bytes(), start))
        })?;
        Self::parse_as(path, text, dialect)
    }

    /// Parses a table that lightloom wrote. Titles are compared without regard to case and surrounding white
    /// space.
    pub fn parse(path: &Path, text: &str) -> Result<Self, InputError> {
        Self::parse_as(path, text, Dialect::OWN)
    }

    /// A table whose cells a program gives. A row has a cell for each column.
    pub fn given(columns: &[String], rows: &[Vec<String>]) -> Self {
        let header = columns.iter().map(|title| title.to_lowercase()).collect();
        let records = (2..).zip(rows).map(|(line, row)| (line, row.iter().collect())).collect();
        Self { header, titles: columns.to_vec(), header_line: 1, separator: b',', records }
    }

    /// The table as a CSV file.
    pub fn text(&self) -> String {
        let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
        let records = self.records.iter().map(|(_, cells)| cells);
        let titles = csv::StringRecord::from(self.titles.clone());
        let written = std::iter::once(&titles)
            .chain(records)
            .try_for_each(|record| writer.write_record(record));
        // Memory takes everything.
        let bytes = written.ok().and_then(|()| writer.into_inner().ok()).unwrap_or_default();
        String::from_utf8(bytes).unwrap_or_default()
    }

    fn parse_as(path: &Path, text: &str, dialect: Dialect) -> Result<Self, InputError> {
        let Dialect { separator, start } = dialect;
        let refuse =
            |line: u64, message: String| InputError::new(message).in_file(path).at_line(line);
        if let Some(at) = unclosed_quote(&text[start..], separator) {
            let line = line_at(text.as_bytes(), start + at);
            return Err(refuse(
                line,
                "found a quote that is never closed; close or delete it".into(),
            ));
        }
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(separator)
            .flexible(true)
            .has_headers(false)
            .from_reader(&text.as_bytes()[start..]);
        let mut lines = Lines { bytes: text.as_bytes(), at: 0, line: 1 };
        let mut records = Vec::new();
        for record in reader.records() {
            let record = record
                .map_err(|error| InputError::new(format!("is not CSV: {error}")).in_file(path))?;
            let byte = record.position().map_or(0, csv::Position::byte);
            let line = lines.of_record(start + usize::try_from(byte).unwrap_or(usize::MAX));
            records.push((line, record));
        }
        let mut rows = records.into_iter();
        let (header_line, header) = rows.next().unwrap_or_default();
        let titles: Vec<String> = header.iter().map(|title| title.trim().to_owned()).collect();
        if titles.len() > MAX_COLUMNS {
            let found = titles.len();
            let message =
                format!("found {found} columns; a table of at most {MAX_COLUMNS} is read");
            return Err(refuse(header_line, message));
        }
        if titles.iter().all(String::is_empty) {
            let message = "is empty; the first line must name the columns";
            return Err(InputError::new(message).in_file(path));
        }
        let header: Vec<String> = titles.iter().map(|title| title.to_lowercase()).collect();
        if let Some((i, twice)) =
            header.iter().enumerate().find(|(i, h)| !h.is_empty() && header[..*i].contains(h))
        {
            let message = format!("column {} has the name of an earlier one", i + 1);
            return Err(refuse(header_line, message).in_field(twice.clone()));
        }
        let mut complaints = Complaints::default();
        let mut records = Vec::new();
        // Spreadsheets write empty rows below the last one. They are skipped.
        for (line, cells) in rows.filter(|(_, cells)| cells.iter().any(|c| !c.trim().is_empty())) {
            if cells.len() == header.len() {
                records.push((line, cells));
            } else {
                let (found, expected) = (cells.len(), header.len());
                let message = format!("found {found} cells; the header has {expected}");
                complaints.add(refuse(line, message));
            }
        }
        complaints.end()?;
        Ok(Self { header, titles, header_line, separator, records })
    }

    /// Renames known columns to the names of their reader.
    pub fn name(&mut self, path: &Path, known: &[Column]) -> Result<(), InputError> {
        for (i, title) in self.titles.iter().enumerate() {
            let folded = fold(title);
            let Some(column) = known.iter().find(|column| column.is(&folded)) else { continue };
            if let Some(first) = self.header[..i].iter().position(|name| name == column.name) {
                let message = format!(
                    "columns {:?} and {title:?} mean the same; keep one of them",
                    self.titles[first]
                );
                return Err(self.at_header(path, message).in_field(column.name));
            }
            column.name.clone_into(&mut self.header[i]);
        }
        Ok(())
    }

    /// Names of the columns, in order.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// The columns: their names in the reader, and their titles as written.
    pub fn columns(&self) -> impl Iterator<Item = (&str, &str)> {
        self.header.iter().map(String::as_str).zip(self.titles.iter().map(String::as_str))
    }

    /// The header as messages quote it.
    pub fn header_text(&self) -> String {
        let text = self.titles.join(", ");
        let short: String = text.chars().take(300).collect();
        if short.len() < text.len() { short + " …" } else { short }
    }

    /// Whether commas separate the cells.
    pub(super) fn has_commas(&self) -> bool {
        self.separator == b','
    }

    /// The line that the header begins on, counted from 1.
    pub fn header_line(&self) -> u64 {
        self.header_line
    }

    /// An error about the header.
    pub fn at_header(&self, path: &Path, message: impl std::fmt::Display) -> InputError {
        InputError::new(message).in_file(path).at_line(self.header_line)
    }

    /// Whether the table has a column.
    pub fn has(&self, column: &str) -> bool {
        self.header.iter().any(|h| h == column)
    }

    /// Checks that the table has these columns. Otherwise the error is at the header.
    pub fn require(&self, file: &Path, columns: &[&str]) -> Result<(), InputError> {
        match columns.iter().find(|column| !self.has(column)) {
            Some(missing) => {
                let message = format!("the column is missing; found {}", self.header_text());
                Err(self.at_header(file, message).in_field(*missing))
            }
            None => Ok(()),
        }
    }

    /// The records, in file order. `file` is for error messages.
    pub fn records<'a>(&'a self, file: &'a Path) -> impl Iterator<Item = Record<'a>> {
        self.records.iter().map(move |(line, cells)| Record {
            table: self,
            cells,
            line: *line,
            file,
        })
    }
}

/// Counts lines while records are read.
struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u64,
}

impl Lines<'_> {
    /// The line of the record that begins at `byte` or after the line ends there. The CSV parser leaves the
    /// LF of a CR LF, and empty lines, in front of the next record.
    fn of_record(&mut self, mut byte: usize) -> u64 {
        while matches!(self.bytes.get(byte), Some(b'\r' | b'\n')) {
            byte += 1;
        }
        let byte = byte.min(self.bytes.len());
        self.line += line_ends(self.bytes, self.at, byte.max(self.at));
        self.at = byte.max(self.at);
        self.line
    }
}

impl<'a> Record<'a> {
    /// The cell of a column, unchanged. Empty if there is no such column.
    pub fn raw(&self, column: &str) -> &'a str {
        let at = self.table.header.iter().position(|h| h == column);
        at.and_then(|i| self.cells.get(i)).unwrap_or("")
    }

    /// The cell of a column without surrounding white space.
    pub fn cell(&self, column: &str) -> &'a str {
        self.raw(column).trim()
    }

    /// All cells without surrounding white space.
    pub fn cells(&self) -> impl Iterator<Item = &'a str> {
        self.cells.iter().map(str::trim)
    }

    /// The line that the record begins on, counted from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// An error about a cell. It quotes the title of the column if that differs from its name.
    pub fn refuse(&self, column: &str, message: impl std::fmt::Display) -> InputError {
        let at = self.table.header.iter().position(|h| h == column);
        let title = at.map(|i| self.table.titles[i].as_str());
        let field = title.filter(|title| title.to_lowercase() != column).unwrap_or(column);
        InputError::new(message).in_file(self.file).at_line(self.line).in_field(field)
    }

    /// A cell that must be a whole number. `expected` describes it in the error.
    pub fn number<T: std::str::FromStr>(
        &self,
        column: &str,
        expected: &str,
    ) -> Result<T, InputError> {
        let cell = self.cell(column);
        cell.parse()
            .map_err(|_| self.refuse(column, format!("found {cell:?}; expected {expected}")))
    }
}
