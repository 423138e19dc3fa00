//! Files of the window that cannot be read are put aside, and never overwritten.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Gives a file another name, which no file has.
pub(super) fn put_aside(place: &Path) -> io::Result<PathBuf> {
    let name = |number: u32| place.with_extension(format!("{number}.unreadable"));
    let aside = (1..=u32::MAX).map(name).find(|aside| !aside.exists());
    let aside = aside.ok_or_else(|| io::Error::from(ErrorKind::AlreadyExists))?;
    fs::rename(place, &aside)?;
    Ok(aside)
}
