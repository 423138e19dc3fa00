//! Pages of HTML on a disk: reports and drawings. Only a page of lightloom is replaced by one.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use lightloom_request::InputError;

use super::file::{self, There, unwritten};
use super::inputs::Inputs;
use crate::page::MARK;

/// Checks that a page may be written: there is no file, or it is a page of lightloom, or a device or a pipe.
///
/// # Errors
/// [`InputError`] at the file.
pub fn check(out: &Path, inputs: &Inputs) -> Result<(), InputError> {
    let refuse = |message: String| InputError::new(message).in_file(out);
    let place =
        file::check(out, There::Replaced, inputs).map_err(|error| unwritten(out, &error))?;
    let Some(place) = place.filter(|place| place.exists()) else { return Ok(()) };
    let file = File::open(place).map_err(|error| refuse(format!("cannot be read: {error}")))?;
    let mut start = Vec::new();
    let read = file.take(MARK.len() as u64).read_to_end(&mut start);
    read.map_err(|error| refuse(format!("cannot be read: {error}")))?;
    if start == MARK.as_bytes() {
        Ok(())
    } else {
        Err(refuse(
            "is there already and is no page of lightloom; name another file, or remove it".into(),
        ))
    }
}

/// Writes a page in one step: readers see the old page or the new one.
///
/// # Errors
/// [`InputError`] at the file, which is then unchanged.
pub fn write(out: &Path, text: &str, inputs: &Inputs) -> Result<(), InputError> {
    file::write(out, text.as_bytes(), There::Replaced, inputs)
        .map_err(|error| unwritten(out, &error))
}
