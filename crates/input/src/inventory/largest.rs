//! Reads files of an inventory up to the size that the settings allow. Each row becomes many objects, so a file takes up
//! to fifty times its size in memory.

use std::path::Path;

use lightloom_request::setting::hall::LARGEST_FILE;
use lightloom_request::{InputError, Settings};

use crate::text;

/// The text of a file of racks, devices or interfaces.
///
/// # Errors
/// [`InputError`] if the file is larger than `hall.largest_file`, which is checked before it is read, or as
/// [`text::read`].
pub(crate) fn text_of(path: &Path, settings: &Settings) -> Result<String, InputError> {
    let most = settings.value(&LARGEST_FILE)?;
    text::read_up_to_setting(settings.texts(), path, most.as_bytes(), &LARGEST_FILE)
}
