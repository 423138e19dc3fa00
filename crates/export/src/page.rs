//! Pages of HTML: reports and drawings.

use maud::{DOCTYPE, Markup, PreEscaped, html};

#[cfg(feature = "folders")]
use lightloom_request::InputError;

#[cfg(feature = "folders")]
use crate::output::Inputs;
#[cfg(feature = "folders")]
use crate::output::file::{self, There, unwritten};

/// A page begins with these bytes. A file that begins otherwise is not replaced.
#[cfg(feature = "folders")]
const MARK: &str = "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"generator\" content=\"lightloom\">";

/// A page.
pub(crate) fn page(title: &str, style: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="generator" content="lightloom";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(style)) }
            }
            body { (body) }
        }
    };
    page.into_string()
}

/// Checks that a page may be written: there is no file, or it is a page of lightloom, or a device or a pipe.
///
/// # Errors
/// [`InputError`] at the file.
#[cfg(feature = "folders")]
pub fn check(out: &std::path::Path, inputs: &Inputs) -> Result<(), InputError> {
    use std::io::Read as _;

    let refuse = |message: String| InputError::new(message).in_file(out);
    let place =
        file::check(out, There::Replaced, inputs).map_err(|error| unwritten(out, &error))?;
    let Some(place) = place.filter(|place| place.exists()) else { return Ok(()) };
    let file =
        std::fs::File::open(place).map_err(|error| refuse(format!("cannot be read: {error}")))?;
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
#[cfg(feature = "folders")]
pub fn write(out: &std::path::Path, text: &str, inputs: &Inputs) -> Result<(), InputError> {
    file::write(out, text.as_bytes(), There::Replaced, inputs)
        .map_err(|error| unwritten(out, &error))
}
