//! Reading users' files without being hurt by them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::InputError;

/// The largest text that is read: inventories of a million racks are below it.
const MAX_BYTES: u64 = 256 << 20;

/// The widest table that is read.
const MAX_COLUMNS: usize = 256;

/// Where texts of users' files come from: the disk, or, for callers that have no files, memory.
///
/// [`Texts::keeping`] also remembers what is read, so that a request can be repeated elsewhere.
#[derive(Debug, Clone, Default)]
pub struct Texts {
    kept: Option<Arc<Mutex<BTreeMap<PathBuf, String>>>>,
}

impl Texts {
    /// These texts stand in for the files of their names; all others are read and kept.
    pub fn keeping(texts: BTreeMap<PathBuf, String>) -> Self {
        Self { kept: Some(Arc::new(Mutex::new(texts))) }
    }

    /// All texts that were given or read; none where none are kept.
    pub fn kept(&self) -> BTreeMap<PathBuf, String> {
        self.kept.as_ref().map_or_else(BTreeMap::new, |kept| lock(kept).clone())
    }

    /// The text of a file: a regular file of at most 256 MiB, UTF-8, without NUL.
    pub(crate) fn read(&self, path: &Path) -> Result<String, InputError> {
        self.read_up_to(path, MAX_BYTES)
    }

    /// The same for at most `most` bytes.
    pub(crate) fn read_up_to(&self, path: &Path, most: u64) -> Result<String, InputError> {
        let Some(kept) = &self.kept else { return read_up_to(path, most) };
        let held = lock(kept).get(path).cloned();
        match held {
            Some(text) if text.len() as u64 > most => Err(too_long(path, text.len() as u64, most)),
            Some(text) => checked(path, text.into_bytes()),
            None => {
                let text = read_up_to(path, most)?;
                lock(kept).insert(path.to_path_buf(), text.clone());
                Ok(text)
            }
        }
    }
}

/// What a thread that panicked has left is whole: every change is one insertion.
fn lock(kept: &Mutex<BTreeMap<PathBuf, String>>) -> MutexGuard<'_, BTreeMap<PathBuf, String>> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

fn too_long(path: &Path, found: u64, most: u64) -> InputError {
    let most = most >> 20;
    InputError::new(format!("has {found} bytes; a file of at most {most} MiB is read"))
        .in_file(path)
}

/// The text of a regular file on disk.
pub(crate) fn read_up_to(path: &Path, most: u64) -> Result<String, InputError> {
    let fail = |message: String| InputError::new(message).in_file(path);
    let metadata =
        std::fs::metadata(path).map_err(|error| fail(format!("cannot be read: {error}")))?;
    if !metadata.is_file() {
        return Err(fail("is not a regular file; name a text file".into()));
    }
    if metadata.len() > most {
        return Err(too_long(path, metadata.len(), most));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| fail(format!("cannot be read: {error}")))?;
    // The file may grow while it is read.
    file.take(most)
        .read_to_end(&mut bytes)
        .map_err(|error| fail(format!("cannot be read: {error}")))?;
    checked(path, bytes)
}

/// Bytes as text: UTF-8, without NUL, and without the mark that some programs put first.
fn checked(path: &Path, bytes: Vec<u8>) -> Result<String, InputError> {
    let fail = |message: &str| InputError::new(message).in_file(path);
    if let Some(at) = bytes.iter().position(|&b| b == 0) {
        let line = line_at(&bytes, at);
        return Err(fail("found a NUL byte; this is no text file").at_line(line));
    }
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = line_at(error.as_bytes(), at);
        fail("found bytes that are not UTF-8; save the file as UTF-8 text").at_line(line)
    })?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}

/// The line, from 1, that a byte stands in.
pub(crate) fn line_at(bytes: &[u8], at: usize) -> u64 {
    1 + bytes[..at.min(bytes.len())].iter().filter(|&&b| b == b'\n').count() as u64
}

/// A CSV file with a header.
pub(crate) struct Table {
    header: Vec<String>,
    records: Vec<csv::StringRecord>,
}

/// One record and where it came from.
#[derive(Clone, Copy)]
pub(crate) struct Record<'a> {
    table: &'a Table,
    cells: &'a csv::StringRecord,
    file: &'a Path,
}

impl Table {
    pub(crate) fn read(path: &Path, texts: &Texts) -> Result<Self, InputError> {
        Self::parse(path, &texts.read(path)?)
    }

    /// Header names are matched without regard to case or white space around them.
    pub(crate) fn parse(path: &Path, text: &str) -> Result<Self, InputError> {
        let refuse = |error: csv::Error| {
            let line = error.position().map(csv::Position::line);
            let message = match error.kind() {
                csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                    format!("found {len} cells; the header has {expected_len}")
                }
                _ => format!("is not CSV: {error}"),
            };
            let refused = InputError::new(message).in_file(path);
            line.map_or(refused.clone(), |line| refused.at_line(line))
        };
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let header: Vec<String> =
            reader.headers().map_err(refuse)?.iter().map(|h| h.trim().to_lowercase()).collect();
        if header.len() > MAX_COLUMNS {
            let message =
                format!("found {} columns; a table of at most {MAX_COLUMNS} is read", header.len());
            return Err(InputError::new(message).in_file(path).at_line(1));
        }
        if header.iter().all(String::is_empty) {
            return Err(
                InputError::new("is empty; the first line must name the columns").in_file(path)
            );
        }
        if let Some((i, twice)) =
            header.iter().enumerate().find(|(i, h)| !h.is_empty() && header[..*i].contains(h))
        {
            let message = format!("column {} has the name of an earlier one", i + 1);
            return Err(InputError::new(message).in_file(path).at_line(1).in_field(twice.clone()));
        }
        let records = reader.records().collect::<Result<_, _>>().map_err(refuse)?;
        Ok(Self { header, records })
    }

    pub(crate) fn header(&self) -> &[String] {
        &self.header
    }

    /// The header as a message quotes it.
    pub(crate) fn header_text(&self) -> String {
        let text = self.header.join(", ");
        let short: String = text.chars().take(300).collect();
        if short.len() < text.len() { short + " …" } else { short }
    }

    pub(crate) fn has(&self, column: &str) -> bool {
        self.header.iter().any(|h| h == column)
    }

    /// Checks that columns are there.
    pub(crate) fn require(&self, file: &Path, columns: &[&str]) -> Result<(), InputError> {
        match columns.iter().find(|column| !self.has(column)) {
            Some(missing) => {
                Err(InputError::new(format!("the column is missing; found {}", self.header_text()))
                    .in_file(file)
                    .at_line(1)
                    .in_field(*missing))
            }
            None => Ok(()),
        }
    }

    pub(crate) fn records<'a>(&'a self, file: &'a Path) -> impl Iterator<Item = Record<'a>> {
        self.records.iter().map(move |cells| Record { table: self, cells, file })
    }
}

impl<'a> Record<'a> {
    /// The cell of a column as it stands; empty when there is no such column.
    pub(crate) fn raw(&self, column: &str) -> &'a str {
        let at = self.table.header.iter().position(|h| h == column);
        at.and_then(|i| self.cells.get(i)).unwrap_or("")
    }

    /// The cell of a column without the white space around it.
    pub(crate) fn cell(&self, column: &str) -> &'a str {
        self.raw(column).trim()
    }

    pub(crate) fn line(&self) -> u64 {
        self.cells.position().map_or(0, csv::Position::line)
    }

    /// A complaint about a cell.
    pub(crate) fn refuse(&self, column: &str, message: impl std::fmt::Display) -> InputError {
        InputError::new(message).in_file(self.file).at_line(self.line()).in_field(column)
    }

    /// A cell that must be a whole number of the given kind.
    pub(crate) fn number<T: std::str::FromStr>(
        &self,
        column: &str,
        expected: &str,
    ) -> Result<T, InputError> {
        let cell = self.cell(column);
        cell.parse()
            .map_err(|_| self.refuse(column, format!("found {cell:?}; expected {expected}")))
    }
}
