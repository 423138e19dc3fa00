//! Writes files that a user edits, each in one step.

use std::fs;
use std::path::Path;

use lightloom_export::output::Inputs;
use lightloom_export::output::file::{self, NewFile, There};
use lightloom_request::InputError;

/// Replaces a design file in one step. `expected` is the text that the file had when it was read; `None` for a file
/// that must not be there yet.
///
/// # Examples
/// ```
/// # use lightloom::edit::save_design;
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
pub fn replace_file(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    file::write(path, bytes, There::Replaced, &Inputs::default())
}

/// Opens a file of a front end that only serves as a lock. It is made if it is not there; a link is refused.
///
/// # Errors
/// Those of the file system.
pub fn open_lock(path: &Path) -> std::io::Result<fs::File> {
    file::open_lock(path)
}

/// Writes files into a folder, which is made if it is not there. Each is complete beside its place before the first
/// takes its place. Other files of the folder stay.
///
/// # Examples
/// ```
/// # use lightloom::edit::write_files;
/// # let place = tempfile::tempdir().expect("a folder can be made");
/// let folder = place.path().join("man1");
/// write_files(&folder, &[("lightloom.1".to_owned(), b".TH lightloom 1\n".to_vec())])?;
/// assert!(folder.join("lightloom.1").exists());
/// # Ok::<(), lightloom::InputError>(())
/// ```
///
/// # Errors
/// [`InputError`] at the file or folder that cannot be written. Then no file has changed, but for a failure in the
/// middle of the renames.
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
pub(crate) fn check_new(out: &Path, inputs: &Inputs) -> Result<(), InputError> {
    file::check(out, There::Stays, inputs).map(drop).map_err(|error| file::unwritten(out, &error))
}

/// Writes a file that is not there yet.
///
/// # Errors
/// [`InputError`] at the file.
pub(crate) fn write_new(out: &Path, bytes: &[u8], inputs: &Inputs) -> Result<(), InputError> {
    let written = file::write(out, bytes, There::Stays, inputs);
    written.map_err(|error| file::unwritten(out, &error))
}
