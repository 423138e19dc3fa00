//! Where the texts of users' files come from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Where the texts of users' files come from: the disk, or, for callers that have no files, memory.
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

    /// The text that stands in for a file, if there is one.
    pub fn get(&self, path: &Path) -> Option<String> {
        lock(self.kept.as_ref()?).get(path).cloned()
    }

    /// Remembers the text of a file that was read, if texts are kept.
    pub fn keep(&self, path: &Path, text: &str) {
        if let Some(kept) = &self.kept {
            lock(kept).insert(path.to_path_buf(), text.to_owned());
        }
    }
}

/// A thread that panicked leaves a whole map: every change is one insertion.
fn lock(kept: &Mutex<BTreeMap<PathBuf, String>>) -> MutexGuard<'_, BTreeMap<PathBuf, String>> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}
