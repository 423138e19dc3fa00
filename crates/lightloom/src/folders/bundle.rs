//! Files that are ready to be written: what they would change where they go, and the writing itself.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;
use std::{fs, io};

use lightloom_dialects::folder::ConfigFiles;
use lightloom_export::output::file::{self, There, unwritten};
use lightloom_export::output::kind::{Edited, Kind, Terms};
use lightloom_export::output::{Inputs, MARK, folder, kinds, page};
use lightloom_export::report::FileHash;
use lightloom_request::{Error, Files, InputError};
use lightloom_watch::{Stopped, Watch};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::edit::write_new;

/// Number of changed lines that are listed for each file.
const LISTED: usize = 12;
/// Files above this size are compared as a whole, in bytes.
const LARGEST: usize = 4 << 20;

/// Files in memory, and the rules of the place that they go to.
#[derive(Debug, Clone)]
pub struct Bundle {
    goes: Goes,
    /// Names and contents. A single file has no name of its own.
    files: Vec<(String, Vec<u8>)>,
}

/// Where files go.
#[derive(Debug, Clone, Copy)]
enum Goes {
    /// Into a folder of their own.
    Folder(&'static Kind),
    /// A page of HTML. Only another page of lightloom is replaced.
    Page,
    /// A form for people. It may be filled in, so it is never replaced.
    Form,
    /// Any other file.
    File,
}

/// What a bundle changes where it goes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReplacedReport {
    /// Files that are not there yet.
    pub added: Vec<String>,
    /// Files that are there with another content.
    pub changed: Vec<ChangedFile>,
    /// Files that are there, and would be removed.
    pub removed: Vec<String>,
    /// Number of files that are there with the same content.
    pub same: usize,
}

impl ReplacedReport {
    /// Whether something that is there would be lost.
    pub fn loses(&self) -> bool {
        !self.changed.is_empty() || !self.removed.is_empty()
    }

    /// Whether all files are there already.
    pub fn is_nothing(&self) -> bool {
        self.added.is_empty() && !self.loses()
    }
}

/// A file that is there with another content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChangedFile {
    /// Its name. Empty: the bundle is a single file.
    pub name: String,
    /// SHA-256 of what is there, in hexadecimal digits.
    pub sha256_before: String,
    /// Its size, in bytes.
    pub bytes_before: usize,
    /// Its size afterwards, in bytes.
    pub bytes: usize,
    /// Its lines. `None`: it is no text, or a very long one.
    pub lines: Option<ChangedLines>,
}

/// Lines that come and go, without regard to their order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChangedLines {
    /// Number of lines that go.
    pub removed: usize,
    /// Number of lines that come.
    pub added: usize,
    /// The first lines that go.
    pub first_removed: Vec<String>,
    /// The first lines that come.
    pub first_added: Vec<String>,
}

impl Bundle {
    /// The files of a plan's folder.
    pub fn plan(files: Files) -> Self {
        Self::folder(&kinds::PLAN, files)
    }

    /// The repairs of single failures.
    pub fn repairs(files: Files) -> Self {
        Self::folder(&kinds::OF_REPAIRS, files)
    }

    /// Import files for NetBox.
    pub fn netbox(files: Files) -> Self {
        Self::folder(&kinds::NETBOX, files)
    }

    /// Configurations of switches.
    pub fn configs(files: ConfigFiles) -> Self {
        Self { goes: Goes::Folder(&kinds::CONFIGS), files }
    }

    /// A rollout from one plan to another.
    pub fn rollout(files: ConfigFiles) -> Self {
        Self { goes: Goes::Folder(&kinds::OF_ROLLOUT), files }
    }

    /// The results of a simulation.
    pub fn results(files: Files) -> Self {
        Self::folder(&kinds::RESULTS, files)
    }

    /// A page of HTML. It replaces no other file than such a page.
    pub fn page(text: String) -> Self {
        Self::one(Goes::Page, text.into_bytes())
    }

    /// A form that people fill in. It replaces nothing.
    pub fn form(bytes: Vec<u8>) -> Self {
        Self::one(Goes::Form, bytes)
    }

    /// A single file.
    pub fn file(bytes: Vec<u8>) -> Self {
        Self::one(Goes::File, bytes)
    }

    fn one(goes: Goes, bytes: Vec<u8>) -> Self {
        Self { goes, files: vec![(String::new(), bytes)] }
    }

    fn folder(kind: &'static Kind, files: Files) -> Self {
        Self {
            goes: Goes::Folder(kind),
            files: files.into_iter().map(|(name, bytes)| (name.to_owned(), bytes)).collect(),
        }
    }

    /// Number of files.
    pub fn count(&self) -> usize {
        self.files.len()
    }

    /// What the bundle would change at `out`, a folder or a file. Nothing is written.
    ///
    /// # Examples
    /// ```
    /// # use lightloom::Watch;
    /// # use lightloom::edit::Bundle;
    /// # let place = tempfile::tempdir().expect("a folder can be made");
    /// let out = place.path().join("budget.json");
    /// let first = Bundle::file(b"{}\n".to_vec());
    /// let change = first.compare(&out)?;
    /// assert!(!change.loses());
    /// assert!(first.write(&out, &change, Watch::quiet())?);
    ///
    /// let second = Bundle::file(b"{\"format\":1}\n".to_vec());
    /// let change = second.compare(&out)?;
    /// assert_eq!(change.changed[0].lines.as_ref().expect("it is a text").removed, 1);
    /// // Somebody else changes the file after that. It is not overwritten.
    /// std::fs::write(&out, "mine").expect("it can be written");
    /// assert!(!second.write(&out, &change, Watch::quiet())?);
    /// # Ok::<(), lightloom::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error`] if this bundle must not be written there, or if what is there cannot be read.
    pub fn compare(&self, out: &Path) -> Result<ReplacedReport, Error> {
        let mut there = match self.kind() {
            Some(kind) => {
                folder::check(out, shown(kind))?;
                read_folder(out)?
            }
            None => {
                self.check_file(out)?;
                read_one(out)?.map(|bytes| (String::new(), bytes)).into_iter().collect()
            }
        };
        let mut report = ReplacedReport::default();
        for (name, bytes) in &self.files {
            match there.remove(name) {
                None => report.added.push(name.clone()),
                Some(before) if before == *bytes => report.same += 1,
                Some(before) => report.changed.push(changed(name, &before, bytes)),
            }
        }
        report.removed = there.into_keys().collect();
        Ok(report)
    }

    /// Writes the bundle, if it still changes what was agreed on. `Ok(false)`: what is there has changed since it was
    /// compared, and nothing was written.
    ///
    /// # Errors
    /// [`Error`] if it cannot be written. What is there is then unchanged.
    pub fn write(
        &self,
        out: &Path,
        agreed: &ReplacedReport,
        watch: Watch<'_>,
    ) -> Result<bool, Error> {
        if self.compare(out)? != *agreed {
            return Ok(false);
        }
        let inputs = Inputs::default();
        if let Some(kind) = self.kind() {
            let mut go = || watch.progress(1, 1).is_ok();
            let written = folder::write_if(out, &self.files, shown(kind), &mut go)?;
            return if written { Ok(true) } else { Err(Stopped.into()) };
        }
        watch.progress(1, 1)?;
        for (_, bytes) in &self.files {
            match self.goes {
                Goes::Form => write_new(out, bytes, &inputs)?,
                _ => file::write(out, bytes, There::Replaced, &inputs)
                    .map_err(|error| unwritten(out, &error))?,
            }
        }
        Ok(true)
    }

    /// What kind of folder it is. `None`: it is a single file.
    fn kind(&self) -> Option<&'static Kind> {
        Some(match self.goes {
            Goes::Folder(kind) => kind,
            Goes::Page | Goes::Form | Goes::File => return None,
        })
    }

    fn check_file(&self, out: &Path) -> Result<(), InputError> {
        let refuse = |message: &str| Err(InputError::new(message).in_file(out));
        if out.is_dir() {
            return refuse("is a folder; name a file");
        }
        match self.goes {
            Goes::Page => page::check(out, &Inputs::default()),
            Goes::Form if out.exists() => {
                refuse("is there already, and may be filled in; name another file, or remove it")
            }
            _ => Ok(()),
        }
    }
}

/// What a user sees before agreeing to it may be replaced.
fn shown(kind: &'static Kind) -> Terms<'static> {
    static NONE: LazyLock<Inputs> = LazyLock::new(Inputs::default);
    Terms { edited: Edited::Replaced, ..Terms::of(kind, &NONE) }
}

/// The file that is there. `None`: there is none.
fn read_one(path: &Path) -> Result<Option<Vec<u8>>, InputError> {
    // A device or a pipe keeps nothing that could be lost, and reading it might not end.
    if fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir()) {
        return Ok(None);
    }
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(InputError::new(format!("cannot be read: {error}")).in_file(path)),
    }
}

/// The files of a folder by name. Without a folder there are none.
fn read_folder(out: &Path) -> Result<BTreeMap<String, Vec<u8>>, InputError> {
    let at = |error: io::Error| InputError::new(format!("cannot be read: {error}")).in_file(out);
    let entries = match fs::read_dir(out) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(error) => return Err(at(error)),
    };
    let mut files = BTreeMap::new();
    for entry in entries {
        let entry = entry.map_err(at)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name == MARK {
            continue;
        }
        if let Some(bytes) = read_one(&entry.path())? {
            files.insert(name, bytes);
        }
    }
    Ok(files)
}

fn changed(name: &str, before: &[u8], after: &[u8]) -> ChangedFile {
    let text = |bytes| std::str::from_utf8(bytes).ok().filter(|text: &&str| text.len() <= LARGEST);
    let lines = text(before).zip(text(after)).map(|(before, after)| changed_lines(before, after));
    ChangedFile {
        name: name.to_owned(),
        sha256_before: FileHash::of(name, before).sha256,
        bytes_before: before.len(),
        bytes: after.len(),
        lines,
    }
}

/// The lines that a text has and another one has not, and the other way round. It takes time with the length of the
/// texts, and lines that only move are not among them.
///
/// # Examples
/// ```
/// let lines = lightloom::edit::changed_lines("p = 2\nk = 2\n", "p = 2\nk = 3\n");
/// assert_eq!((lines.removed, lines.added), (1, 1));
/// assert_eq!(lines.first_added, ["k = 3"]);
/// ```
pub fn changed_lines(before: &str, after: &str) -> ChangedLines {
    let (removed, first_removed) = only_in(before, after);
    let (added, first_added) = only_in(after, before);
    ChangedLines { removed, added, first_removed, first_added }
}

/// The lines of a text that another one has not, or has less often: their number, and the first ones.
fn only_in(text: &str, other: &str) -> (usize, Vec<String>) {
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    for line in other.lines() {
        *left.entry(line).or_default() += 1;
    }
    let (mut count, mut first) = (0, Vec::new());
    for line in text.lines() {
        match left.get_mut(line).filter(|left| **left > 0) {
            Some(left) => *left -= 1,
            None => {
                count += 1;
                if first.len() < LISTED {
                    first.push(line.chars().take(200).collect());
                }
            }
        }
    }
    (count, first)
}
