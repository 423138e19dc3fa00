//! Editing of design files: single settings change, comments stay, and files are replaced in one step.

#[cfg(feature = "folders")]
use std::fs;
use std::path::{Path, PathBuf};

use lightloom_export::design_edit::with_setting;
use lightloom_input::settings;
use lightloom_input::text::read;
use lightloom_request::key::Key;
use lightloom_request::{InputError, Request, Settings, Texts, Value};

/// The settings of a request as they were given, before any check.
///
/// # Errors
/// [`InputError`] if the design file cannot be read, is not TOML, or has an unknown key.
pub fn read_settings(request: &Request) -> Result<Settings, InputError> {
    settings::read(request)
}

/// The text of a design file with another value of one setting. `None` removes the setting. Everything else stays,
/// comments included. `file` is for messages.
///
/// # Examples
/// ```
/// # use std::path::Path;
/// # use lightloom::{Value, change_setting, setting};
/// let text = "version = 1\n[fabric]\n# Branches of a splitter.\np = 2 # of the first hall\n";
/// let file = Path::new("design.toml");
/// let changed = change_setting(text, file, &setting::fabric::P, Some(&Value::Integer(4)))?;
/// assert_eq!(changed, text.replace("p = 2", "p = 4"));
/// # Ok::<(), lightloom::InputError>(())
/// ```
///
/// # Errors
/// [`InputError`] if the text is not TOML.
pub fn change_setting(
    text: &str,
    file: &Path,
    key: &Key,
    value: Option<&Value>,
) -> Result<String, InputError> {
    with_setting(text, file, key, value)
}

/// Replaces a design file in one step. `expected` is the text that the file had when it was read; `None` for a file
/// that must not be there yet.
///
/// # Examples
/// ```
/// # use lightloom::save_design;
/// # let place = tempfile::tempdir().expect("a folder can be made");
/// let file = place.path().join("design.toml");
/// assert!(save_design(&file, "version = 1\n", None)?);
/// // Somebody else changes the file. It is not overwritten.
/// std::fs::write(&file, "version = 1\n[fabric]\np = 3\n").expect("it can be written");
/// assert!(!save_design(&file, "version = 1\n[fabric]\np = 2\n", Some("version = 1\n"))?);
/// # Ok::<(), lightloom::InputError>(())
/// ```
///
/// # Errors
/// [`InputError`] at the file if it cannot be written. `Ok(false)`: the file has another text than expected, and was
/// not written.
#[cfg(feature = "folders")]
pub fn save_design(path: &Path, text: &str, expected: Option<&str>) -> Result<bool, InputError> {
    let at = |error: std::io::Error| {
        InputError::new(format!("cannot be written: {error}")).in_file(path)
    };
    let there = match fs::read(path) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(at(error)),
    };
    if there.as_deref() != expected.map(str::as_bytes) {
        return Ok(false);
    }
    lightloom_export::file::replace(path, text.as_bytes()).map_err(at)?;
    Ok(true)
}

/// Replaces a file of a front end in one step, such as one with its state.
///
/// # Errors
/// Those of the file system. The old file is then unchanged.
#[cfg(feature = "folders")]
pub fn replace_file(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    lightloom_export::file::replace(path, bytes)
}

/// The files that a request was read from and that have another text now, or cannot be read any more.
///
/// # Examples
/// ```
/// # use lightloom::{Request, changed_files};
/// // No file was read.
/// assert!(changed_files(&Request::default()).is_empty());
/// ```
pub fn changed_files(request: &Request) -> Vec<PathBuf> {
    let kept = request.texts.kept().into_iter();
    let changed =
        kept.filter(|(path, text)| read(&Texts::default(), path).ok().as_ref() != Some(text));
    changed.map(|(path, _)| path).collect()
}
