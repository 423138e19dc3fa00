//! Keeps the unsaved text of the design in a file, so that it is offered again after a crash.

use std::fs;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::state::file::DesignFile;

/// The place of unsaved text.
#[derive(Debug, Clone, Default)]
pub struct Unsaved {
    /// The file. `None`: unsaved text is not kept.
    place: Option<PathBuf>,
    /// What an earlier session left.
    found: Option<Kept>,
    /// What was written last.
    written: Option<Kept>,
}

/// Text that was not saved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// The file of the design. `None`: it was never saved.
    pub file: Option<PathBuf>,
    /// The text of that file when it was read or written last.
    pub on_disk: Option<String>,
    /// The text.
    pub text: String,
}

impl Unsaved {
    /// Reads what an earlier session left in this file.
    pub fn at(place: PathBuf) -> Self {
        let text = fs::read_to_string(&place).ok();
        // A file that is not ours is overwritten by the first change: it holds nothing that can be read.
        let found: Option<Kept> = text.and_then(|text| serde_json::from_str(&text).ok());
        Self { place: Some(place), written: found.clone(), found }
    }

    /// What an earlier session left.
    pub fn found(&self) -> Option<&Kept> {
        self.found.as_ref()
    }

    /// Takes what an earlier session left.
    pub fn take(&mut self) -> Option<Kept> {
        self.found.take()
    }

    /// Keeps the text if it is not saved, and else removes what is kept. Text that an earlier session left stays until
    /// it is taken or given up.
    pub fn keep(&mut self, file: &DesignFile, text: &str) {
        let Some(place) = &self.place else { return };
        if self.found.is_some() {
            return;
        }
        let kept = file.differs(text).then(|| Kept {
            file: file.path.clone(),
            on_disk: file.on_disk.as_deref().map(str::to_owned),
            text: text.to_owned(),
        });
        if kept == self.written {
            return;
        }
        // A text that cannot be kept is still in the window, and can be saved.
        let _ = match &kept {
            Some(kept) => serde_json::to_string(kept)
                .map_err(std::io::Error::other)
                .and_then(|text| lightloom::replace_file(place, text.as_bytes())),
            None => fs::remove_file(place),
        };
        self.written = kept;
    }
}
