//! Files of the window that cannot be read are put aside, and never overwritten.

use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

/// Gives a file another name, which no file has.
pub(super) fn put_aside(place: &Path) -> io::Result<PathBuf> {
    let name = |number: u32| place.with_extension(format!("{number}.unreadable"));
    let aside = (1..=u32::MAX).map(name).find(|aside| !aside.exists());
    let aside = aside.ok_or_else(|| io::Error::from(ErrorKind::AlreadyExists))?;
    fs::rename(place, &aside)?;
    Ok(aside)
}

/// Keeps a text that cannot be read in a file beside a place. A file that has the same text is enough.
pub(crate) fn keep_aside(place: &Path, text: &str) -> io::Result<PathBuf> {
    for number in 1..=u32::MAX {
        let aside = place.with_extension(format!("{number}.unreadable"));
        match fs::File::create_new(&aside) {
            Ok(mut file) => {
                return file
                    .write_all(text.as_bytes())
                    .and_then(|()| file.sync_all())
                    .map(|()| aside);
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                let is_file = fs::symlink_metadata(&aside)
                    .is_ok_and(|there| there.is_file() && there.len() == text.len() as u64);
                if is_file && fs::read(&aside).is_ok_and(|there| there == text.as_bytes()) {
                    return Ok(aside);
                }
            }
            Err(error) => return Err(error),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}
