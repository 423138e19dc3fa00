//! The list of files with their hashes by which a folder is known as one of lightloom.
//!
//! It is a list of `sha256sum` behind a line with the kind of the folder: `sha256sum --check lightloom.sha256` tells
//! whether all files are as they were written.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

use crate::hash::{sha256, sha256_of};

/// The name of the list in each folder.
pub const MARK: &str = "lightloom.sha256";

/// What the first line says before the kind of the folder.
const TITLE: &str = "# Files of lightloom: ";

/// The largest list that is read, in bytes: that of a folder of a million files.
const MOST: u64 = 128 << 20;

/// Files with their hashes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Listing {
    /// The word of its kind.
    pub(super) kind: String,
    /// SHA-256 in hexadecimal digits, by name.
    files: BTreeMap<String, String>,
}

/// How a file differs from its list.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Differs {
    /// It is not in the list.
    Unlisted,
    /// It is no regular file, or has another content.
    Edited,
}

impl Listing {
    /// The list of files that are to be written.
    pub(super) fn of<N: AsRef<str>>(kind: &str, files: &[(N, Vec<u8>)]) -> Self {
        let files = files.iter().map(|(name, bytes)| (name.as_ref().to_owned(), sha256(bytes)));
        Self { kind: kind.to_owned(), files: files.collect() }
    }

    /// The list as a file.
    pub(super) fn text(&self) -> String {
        let mut text = format!("{TITLE}{}\n", self.kind);
        for (name, hash) in &self.files {
            let _ = writeln!(text, "{hash}  {name}");
        }
        text
    }

    /// Whether a folder has such a list.
    pub(super) fn is_in(folder: &Path) -> bool {
        Self::read(folder).is_ok_and(|found| found.is_some())
    }

    /// The list of a folder. `None`: it has none, or a file of this name that is no such list.
    pub(super) fn read(folder: &Path) -> io::Result<Option<Self>> {
        let path = folder.join(MARK);
        match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_file() && metadata.len() <= MOST => {}
            Ok(_) => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        }
        let mut bytes = Vec::new();
        File::open(&path)?.take(MOST).read_to_end(&mut bytes)?;
        Ok(std::str::from_utf8(&bytes).ok().and_then(Self::parse))
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.strip_suffix('\n')?.split('\n');
        let kind = lines.next()?.strip_prefix(TITLE)?.to_owned();
        let of = |line: &str| {
            let (hash, name) = line.split_once("  ")?;
            Some((name.to_owned(), hash.to_owned()))
        };
        Some(Self { kind, files: lines.map(of).collect::<Option<_>>()? })
    }

    /// How a file of a folder differs from the list. `None`: it is as it was written.
    pub(super) fn differs(&self, folder: &Path, name: &str) -> io::Result<Option<Differs>> {
        let Some(listed) = self.files.get(name) else { return Ok(Some(Differs::Unlisted)) };
        let path = folder.join(name);
        if !fs::symlink_metadata(&path)?.is_file() {
            return Ok(Some(Differs::Edited));
        }
        Ok((sha256_of(File::open(&path)?)? != *listed).then_some(Differs::Edited))
    }
}
