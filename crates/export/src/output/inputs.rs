//! The files that a run reads.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// The files that a run reads. None of them is written by it.
#[derive(Debug, Clone, Default)]
pub struct Inputs(Vec<(PathBuf, Identity)>);

/// A file of the system, whatever its names: its device and its number there.
type Identity = (u64, u64);

fn identity(metadata: &Metadata) -> Identity {
    (metadata.dev(), metadata.ino())
}

impl Inputs {
    /// The inputs with these paths. Those that are not there are left out: nothing of them can be lost.
    pub fn of<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Self {
        let known = |path: P| {
            let metadata = fs::metadata(&path).ok()?;
            Some((path.as_ref().to_path_buf(), identity(&metadata)))
        };
        Self(paths.into_iter().filter_map(known).collect())
    }

    /// These inputs and others.
    #[must_use]
    pub fn and(mut self, others: Self) -> Self {
        self.0.extend(others.0);
        self
    }

    /// The input that is this file under another or the same name.
    pub(super) fn named(&self, metadata: &Metadata) -> Option<&Path> {
        let own = identity(metadata);
        self.0.iter().find(|(_, input)| *input == own).map(|(path, _)| path.as_path())
    }

    /// An input in this folder.
    pub(super) fn in_folder(&self, folder: &Path) -> Option<&Path> {
        let is_in =
            |path: &&Path| fs::canonicalize(path).is_ok_and(|found| found.parent() == Some(folder));
        self.0.iter().map(|(path, _)| path.as_path()).find(is_in)
    }
}
