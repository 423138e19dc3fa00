//! Editing of design files: single settings change, comments stay, and files are replaced in one step.

#[cfg(feature = "folders")]
use std::fs;
use std::path::{Path, PathBuf};

use lightloom_export::design_edit::with_setting;
#[cfg(feature = "folders")]
use lightloom_export::output::Inputs;
#[cfg(feature = "folders")]
use lightloom_export::output::file::{self, NewFile, There};
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
    let inputs = Inputs::default();
    let mut new = NewFile::create(path, There::Replaced, &inputs).map_err(at)?;
    let there = match fs::read(path) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(at(error)),
    };
    if there.as_deref() != expected.map(str::as_bytes) {
        return Ok(false);
    }
    new.fill(|out| out.write_all(text.as_bytes())).and_then(|()| new.commit()).map_err(at)?;
    Ok(true)
}

/// Replaces a file of a front end in one step, such as one with its state.
///
/// # Errors
/// Those of the file system. The old file is then unchanged.
#[cfg(feature = "folders")]
pub fn replace_file(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    file::write(path, bytes, There::Replaced, &Inputs::default())
}

/// Opens a file of a front end that only serves as a lock. It is made if it is not there; a link is refused.
///
/// # Errors
/// Those of the file system.
#[cfg(feature = "folders")]
pub fn open_lock(path: &Path) -> std::io::Result<fs::File> {
    file::open_lock(path)
}

/// Writes files into a folder, which is made if it is not there. Each is complete beside its place before the first
/// takes its place. Other files of the folder stay.
///
/// # Examples
/// ```
/// # use lightloom::write_files;
/// # let place = tempfile::tempdir().expect("a folder can be made");
/// let folder = place.path().join("man1");
/// write_files(&folder, &[("lightloom.1".to_owned(), b".TH lightloom 1\n".to_vec())])?;
/// assert!(folder.join("lightloom.1").exists());
/// # Ok::<(), lightloom::InputError>(())
/// ```
///
/// # Errors
/// [`InputError`] at the file or folder that cannot be written. Then no file has changed, but for a failure in the middle
/// of the renames.
#[cfg(feature = "folders")]
pub fn write_files(folder: &Path, files: &[(String, Vec<u8>)]) -> Result<(), InputError> {
    fs::create_dir_all(folder).map_err(|error| file::unwritten(folder, &error))?;
    let mut made = Vec::new();
    for (name, bytes) in files {
        let place = folder.join(name);
        let new = NewFile::create(&place, There::Replaced, &Inputs::default());
        let filled = new.and_then(|mut new| new.fill(|out| out.write_all(bytes)).map(|()| new));
        made.push((filled.map_err(|error| file::unwritten(&place, &error))?, place));
    }
    for (new, place) in made {
        new.commit().map_err(|error| file::unwritten(&place, &error))?;
    }
    Ok(())
}

/// Checks that a file may be made: there is none, and its place is not one where nothing may be written.
#[cfg(feature = "folders")]
pub(crate) fn check_new(out: &Path, inputs: &Inputs) -> Result<(), InputError> {
    file::check(out, There::Stays, inputs).map(drop).map_err(|error| file::unwritten(out, &error))
}

/// Writes a file that is not there yet.
///
/// # Errors
/// [`InputError`] at the file.
#[cfg(feature = "folders")]
pub(crate) fn write_new(out: &Path, bytes: &[u8], inputs: &Inputs) -> Result<(), InputError> {
    let written = file::write(out, bytes, There::Stays, inputs);
    written.map_err(|error| file::unwritten(out, &error))
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
