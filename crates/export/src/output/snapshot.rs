//! What is at a place at some time, to find out whether somebody has changed it since.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// A file at some time. Another content gives another stamp: the time of the last change cannot be set back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    device: u64,
    number: u64,
    mode: u32,
    bytes: u64,
    changed: (i64, i64),
}

impl Stamp {
    pub(super) fn of(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            number: metadata.ino(),
            mode: metadata.mode(),
            bytes: metadata.len(),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }

    /// The file at a path, itself and not what a link names. `None`: nothing is there.
    pub(super) fn at(path: &Path) -> io::Result<Option<Self>> {
        match fs::symlink_metadata(path) {
            Ok(metadata) => Ok(Some(Self::of(&metadata))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// A folder at some time: which one it is, its rights, and all that is in it. Moving it changes nothing.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Snapshot {
    folder: (u64, u64, u32),
    entries: BTreeMap<OsString, Stamp>,
}

impl Snapshot {
    /// The folder at a path. `None`: nothing is there.
    pub(super) fn at(path: &Path) -> io::Result<Option<Self>> {
        let metadata = match fs::symlink_metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut entries = BTreeMap::new();
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            entries.insert(entry.file_name(), Stamp::of(&fs::symlink_metadata(entry.path())?));
        }
        Ok(Some(Self { folder: (metadata.dev(), metadata.ino(), metadata.mode()), entries }))
    }

    /// Whether its rights forbid every user to write into it. The system does not enforce that for the administrator.
    pub(super) fn is_read_only(&self) -> bool {
        self.folder.2 & 0o222 == 0
    }

    /// The names in it.
    pub(super) fn names(&self) -> impl Iterator<Item = &OsString> {
        self.entries.keys()
    }
}
