//! Keeps unsaved texts in a file, so that they are offered again after a crash.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::aside::put_aside;

/// The most windows that keep unsaved texts at once.
const MOST: u32 = 16;

/// The place of unsaved texts.
#[derive(Debug, Clone, Default)]
pub struct Unsaved {
    /// The file. `None`: unsaved texts are not kept.
    place: Option<PathBuf>,
    /// What an earlier session left.
    found: Option<Kept>,
    /// What was not saved when it was kept last. `None`: nothing was kept.
    seen: Option<NotSaved>,
    /// What was written last.
    written: Option<Kept>,
    /// The folder that all windows share. `None`: this window has a file of its own.
    folder: Option<PathBuf>,
    /// What there is to tell, once.
    told: Vec<String>,
    /// Whether the user was told that texts are not kept.
    is_told: bool,
    /// Tells other windows that the place is taken, as long as this one is open.
    _lock: Option<Arc<File>>,
}

/// Texts that were not saved.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// The design. `None`: it was saved.
    pub design: Option<KeptText>,
    /// The scenario. `None`: it was saved, or there was none.
    pub scenario: Option<KeptText>,
}

/// A text that was not saved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptText {
    /// Its file. `None`: it was never saved.
    pub file: Option<PathBuf>,
    /// The text of that file when it was read or written last.
    pub on_disk: Option<String>,
    /// The text.
    pub text: String,
}

/// A text of the window that is not saved. It shares the text, and is equal to another one only if that shares it, too:
/// a long text takes long to copy and to compare.
#[derive(Debug, Clone)]
pub struct UnsavedText {
    /// Its file. `None`: it was never saved.
    pub file: Option<PathBuf>,
    /// The text of that file when it was read or written last.
    pub on_disk: Option<Arc<str>>,
    /// The text.
    pub text: Arc<str>,
}

impl PartialEq for UnsavedText {
    fn eq(&self, other: &Self) -> bool {
        let is_on_disk = match (&self.on_disk, &other.on_disk) {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            (own, other) => own.is_none() && other.is_none(),
        };
        is_on_disk && self.file == other.file && Arc::ptr_eq(&self.text, &other.text)
    }
}

/// What is not saved: the design and the scenario.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NotSaved {
    /// The design. `None`: it is saved.
    pub design: Option<UnsavedText>,
    /// The scenario. `None`: it is saved, or there is none.
    pub scenario: Option<UnsavedText>,
}

impl From<&UnsavedText> for KeptText {
    fn from(edited: &UnsavedText) -> Self {
        Self {
            file: edited.file.clone(),
            on_disk: edited.on_disk.as_deref().map(str::to_owned),
            text: edited.text.to_string(),
        }
    }
}

impl Unsaved {
    /// A place in a folder that all windows share: one that no open window has, and one with texts before an empty one.
    /// Where all are taken, nothing is kept.
    pub fn in_folder(folder: &Path) -> Self {
        let free = free(folder).min_by_key(|(place, _)| !place.exists());
        free.map_or_else(Self::default, |free| Self::locked(folder, free))
    }

    fn locked(folder: &Path, (place, lock): (PathBuf, File)) -> Self {
        let (folder, lock) = (Some(folder.to_path_buf()), Some(Arc::new(lock)));
        Self { folder, _lock: lock, ..Self::at(place) }
    }

    /// Reads what an earlier session left in this file.
    pub fn at(place: PathBuf) -> Self {
        let (found, told) = match read(&place) {
            Ok(found) => (found, None),
            Err(why) => (None, Some(why)),
        };
        let told = told.into_iter().collect();
        Self { place: Some(place), written: found.clone(), found, told, ..Self::default() }
    }

    /// What there is to tell since the last call.
    pub(super) fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.told)
    }

    /// What an earlier session left.
    pub fn found(&self) -> Option<&Kept> {
        self.found.as_ref()
    }

    /// Takes what an earlier session left.
    pub fn take(&mut self) -> Option<Kept> {
        self.found.take()
    }

    /// Leaves what an earlier session left to the next one. This session takes another place, which has no texts. Where
    /// there is none, nothing is kept.
    pub fn leave(&mut self) {
        let folder = self.folder.take();
        // The present place is not free until it is let go.
        let other = folder.and_then(|folder| {
            let free = free(&folder).find(|(place, _)| !place.exists())?;
            Some(Self::locked(&folder, free))
        });
        *self = other.unwrap_or_default();
    }

    /// Keeps what is not saved, or removes what is kept. Texts that an earlier session left stay until they are taken
    /// or given up.
    pub fn keep(&mut self, unsaved: NotSaved) {
        let Some(place) = &self.place else { return };
        if self.found.is_some() {
            return;
        }
        if self.seen.as_ref() == Some(&unsaved) {
            return;
        }
        let kept = Kept {
            design: unsaved.design.as_ref().map(KeptText::from),
            scenario: unsaved.scenario.as_ref().map(KeptText::from),
        };
        self.seen = Some(unsaved);
        let kept = Some(kept).filter(|kept| *kept != Kept::default());
        if kept == self.written {
            return;
        }
        let done = match &kept {
            Some(kept) => serde_json::to_string(kept)
                .map_err(std::io::Error::other)
                .and_then(|text| lightloom::edit::replace_file(place, text.as_bytes())),
            None => fs::remove_file(place),
        };
        match done {
            Ok(()) => {
                self.written = kept;
                self.is_told = false;
            }
            Err(_) if self.is_told => {}
            // The text is still in the window.
            Err(error) => {
                let place = place.display();
                self.told.push(format!(
                    "what is not saved cannot be kept in {place} ({error}); it is lost if the window ends before it is \
                        saved"
                ));
                self.is_told = true;
            }
        }
    }
}

/// What an earlier session left in a file. A file that holds something else is put aside, and is not overwritten.
///
/// # Errors
/// Where the file is now, and why it cannot be read.
fn read(place: &Path) -> Result<Option<Kept>, String> {
    let of = place.display();
    let text = match fs::read(place) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(format!("unsaved text in {of} cannot be read: {error}")),
    };
    serde_json::from_slice(&text).map(Some).map_err(|error| match put_aside(place) {
        Ok(aside) => format!(
            "unsaved text in {of} cannot be read ({error}); the file is kept as {}",
            aside.display()
        ),
        Err(stays) => {
            format!("unsaved text in {of} cannot be read ({error}) nor put aside ({stays})")
        }
    })
}

/// The places in a folder that no open window has.
fn free(folder: &Path) -> impl Iterator<Item = (PathBuf, File)> {
    (0..MOST).filter_map(move |number| {
        let lock =
            lightloom::edit::open_lock(&folder.join(format!("unsaved-{number}.lock"))).ok()?;
        lock.try_lock().ok()?;
        Some((folder.join(format!("unsaved-{number}.json")), lock))
    })
}
