//! Reads files of an inventory up to the size that the settings allow. Each row becomes many objects, so a file takes
//! up to fifty times its size in memory.

use std::path::Path;

use lightloom_plan::memory::of_table;
use lightloom_request::setting::hall::LARGEST_FILE;
use lightloom_request::{InputError, Memory, Settings};
use lightloom_units::text::shown_path;

use crate::{machine, text};

/// The text of a file of racks, devices or interfaces.
///
/// # Errors
/// [`InputError`] if the file is larger than `hall.largest_file`, or if its rows need more memory than they may take.
/// Both are checked before it is read. Otherwise as [`text::read`].
pub(crate) fn text_of(path: &Path, settings: &Settings) -> Result<String, InputError> {
    let most = settings.value(&LARGEST_FILE)?;
    let bytes = text::size_on_disk(path);
    if bytes <= most.as_bytes() {
        let memory = Memory::read(settings)?.or(machine::memory);
        memory.check(settings, &shown_path(path).to_string(), of_table(bytes))?;
    }
    text::read_up_to_setting(settings.texts(), path, most.as_bytes(), &LARGEST_FILE)
}
