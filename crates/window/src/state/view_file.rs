//! The file of named views. Windows that are open at once share it.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use serde_json::Value;

use super::aside::put_aside;

/// Views as they are stored, by name. Those that this version cannot read stay as they are.
pub type Stored = BTreeMap<String, Value>;

/// What came of a look at the file.
#[derive(Debug, Default)]
pub struct Shared {
    /// What the file has now.
    pub stored: Stored,
    /// What there is to tell.
    pub told: Option<String>,
}

/// What is done with views that were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    /// They are written again.
    Write,
    /// The file stays as it is.
    Leave,
}

/// Reads the file, changes what it has, and replaces it in one step. Other windows wait meanwhile, so that no view of
/// theirs is lost. A file that is not one of views is put aside, and `change` starts from nothing.
///
/// # Errors
/// Those of the file system. The file is then as it was.
pub fn change(place: &Path, change: impl FnOnce(&mut Stored) -> Then) -> io::Result<Shared> {
    // The lock ends when its file is closed.
    let lock = lightloom::edit::open_lock(&place.with_extension("lock"))?;
    lock.lock()?;
    let mut shared = read(place)?;
    if change(&mut shared.stored) == Then::Write {
        let text = serde_json::to_vec(&shared.stored).map_err(io::Error::other)?;
        lightloom::edit::replace_file(place, &text)?;
    }
    Ok(shared)
}

fn read(place: &Path) -> io::Result<Shared> {
    let bytes = match fs::read(place) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Shared::default()),
        Err(error) => return Err(error),
    };
    match serde_json::from_slice(&bytes) {
        Ok(stored) => Ok(Shared { stored, told: None }),
        Err(error) => {
            let aside = put_aside(place)?;
            let told = format!(
                "the named views in {} cannot be read ({error}); the file is kept as {}",
                place.display(),
                aside.display()
            );
            Ok(Shared { stored: Stored::new(), told: Some(told) })
        }
    }
}
