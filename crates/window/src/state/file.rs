//! The file of the design, and whether the text differs from it.

use std::fs;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::state::work::EXAMPLE;

/// The longest text that is edited as a whole, in bytes. Longer ones are shown line by line.
pub const LONGEST_EDITED: usize = 200_000;

/// The file of the design.
#[derive(Debug, Clone, Default)]
pub struct DesignFile {
    pub(super) path: Option<PathBuf>,
    /// The text of the file when it was read or written last. `None`: there is no file yet.
    pub(super) on_disk: Option<Arc<str>>,
    /// Whether it is the folder of a plan, which is only looked at.
    pub(super) is_plan: bool,
}

/// The text of a file, or why there is none. `most` is the longest `what` that is read, in bytes.
pub(super) fn read(path: &Path, what: &str, most: u64) -> Result<Arc<str>, String> {
    let there = fs::metadata(path).map_err(|error| error.to_string())?;
    // A pipe would let the window wait, and a device may never end.
    if !there.is_file() {
        return Err(format!("is not a regular file; name {what}"));
    }
    if there.len() > most {
        return Err(format!("has {} bytes; {what} has at most {most}", there.len()));
    }
    let mut text = String::new();
    let read = fs::File::open(path).and_then(|file| file.take(most).read_to_string(&mut text));
    match read {
        Ok(_) => Ok(text.into()),
        Err(error) if error.kind() == ErrorKind::InvalidData => {
            Err(format!("is no text in UTF-8; name {what}"))
        }
        Err(error) => Err(error.to_string()),
    }
}

impl DesignFile {
    /// The path of the file. `None`: the design was never saved.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The path for messages.
    pub fn shown(&self) -> PathBuf {
        self.path.clone().unwrap_or_else(|| PathBuf::from("unsaved.toml"))
    }

    /// Whether it is the folder of a plan, which is only looked at.
    pub fn is_plan(&self) -> bool {
        self.is_plan
    }

    /// Whether a text differs from the file's. The example is not worth saving before it is changed.
    pub fn differs(&self, text: &Arc<str>) -> bool {
        let is_same = match &self.on_disk {
            // A long text takes long to compare.
            Some(on_disk) => Arc::ptr_eq(on_disk, text) || on_disk == text,
            None => EXAMPLE == &**text,
        };
        !self.is_plan && !is_same
    }
}
