//! Source of the texts of users' files: disk or memory. In memory there can also be values in place of a text.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::given::Contents;

/// Source of the texts of users' files: the disk, or memory for callers without files.
///
/// [`Texts::keeping`] also keeps every text that is read, so that a request can be repeated elsewhere.
#[derive(Debug, Clone, Default)]
pub struct Texts {
    kept: Option<Arc<Mutex<BTreeMap<PathBuf, String>>>>,
    /// Values that a program gives in place of files.
    given: Arc<BTreeMap<PathBuf, Contents>>,
    /// Files that were read from disk.
    read: Arc<Mutex<BTreeSet<PathBuf>>>,
}

impl Texts {
    /// Texts in memory, by path. Other files are read from disk, and their texts are kept.
    pub fn keeping(texts: BTreeMap<PathBuf, String>) -> Self {
        Self { kept: Some(Arc::new(Mutex::new(texts))), ..Self::default() }
    }

    /// The same source with values in place of some files.
    #[must_use]
    pub fn giving(self, given: BTreeMap<PathBuf, Contents>) -> Self {
        Self { given: Arc::new(given), ..self }
    }

    /// The same source with one more text in memory. It keeps the texts that are read from disk.
    #[must_use]
    pub fn with(&self, path: &Path, text: String) -> Self {
        let mut kept = self.kept();
        kept.insert(path.to_path_buf(), text);
        Self { kept: Some(Arc::new(Mutex::new(kept))), ..self.clone() }
    }

    /// The values in place of a file. `None`: the file is a text.
    pub fn given(&self, path: &Path) -> Option<&Contents> {
        self.given.get(path)
    }

    /// All texts that were given or read. Empty if texts are not kept.
    pub fn kept(&self) -> BTreeMap<PathBuf, String> {
        self.kept.as_ref().map_or_else(BTreeMap::new, |kept| lock(kept).clone())
    }

    /// The text in memory for a path. `None`: read the file from disk.
    pub fn get(&self, path: &Path) -> Option<String> {
        lock(self.kept.as_ref()?).get(path).cloned()
    }

    /// The files that were read from disk, in order. What is written must be none of them.
    pub fn files(&self) -> Vec<PathBuf> {
        lock(&self.read).iter().cloned().collect()
    }

    /// Notes a file that was read from disk.
    pub fn note(&self, path: &Path) {
        lock(&self.read).insert(path.to_path_buf());
    }

    /// Notes a file that was read from disk, and keeps its text, if this source keeps texts.
    pub fn keep(&self, path: &Path, text: &str) {
        self.note(path);
        if let Some(kept) = &self.kept {
            lock(kept).insert(path.to_path_buf(), text.to_owned());
        }
    }
}

/// Locks a map or a set. A panic of another thread cannot leave it half changed: every change is one insertion.
fn lock<T>(kept: &Mutex<T>) -> MutexGuard<'_, T> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}
