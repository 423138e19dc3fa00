//! Pages of HTML: reports and drawings.

use maud::{DOCTYPE, Markup, PreEscaped, html};

#[cfg(feature = "folders")]
use lightloom_request::InputError;

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

/// Checks that a page may be written: there is no file, or it is a page of lightloom.
///
/// # Errors
/// [`InputError`] at the file.
#[cfg(feature = "folders")]
pub fn check(out: &std::path::Path) -> Result<(), InputError> {
    use std::io::Read as _;

    let refuse = |message: String| InputError::new(message).in_file(out);
    if out.symlink_metadata().is_err() {
        return Ok(());
    }
    let file =
        std::fs::File::open(out).map_err(|error| refuse(format!("cannot be read: {error}")))?;
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
pub fn write(out: &std::path::Path, text: &str) -> Result<(), InputError> {
    use std::io::Write as _;

    let refuse =
        |error: std::io::Error| InputError::new(format!("cannot be written: {error}")).in_file(out);
    let name = out.file_name().ok_or_else(|| InputError::new("names no file").in_file(out))?;
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(".lightloom-new");
    let new = out.with_file_name(hidden);
    let written = std::fs::File::create(&new)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| std::fs::rename(&new, out));
    written.map_err(|error| {
        let _ = std::fs::remove_file(&new);
        refuse(error)
    })
}
