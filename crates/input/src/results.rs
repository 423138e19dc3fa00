//! Reads results of runs from a folder or an Arrow file.

#[cfg(feature = "folders")]
use std::fs::File;
#[cfg(feature = "folders")]
use std::io::Read as _;
use std::path::Path;

#[cfg(feature = "folders")]
use lightloom_request::Files;
use lightloom_request::InputError;
#[cfg(feature = "folders")]
use lightloom_sim::files::{OF_ONE, REPLICAS, REPORT, RESULT_FILES};

use crate::arrow_file;

pub use crate::arrow_file::Column;

/// Largest file of a result, in bytes.
#[cfg(feature = "folders")]
const MOST_BYTES: u64 = 8 << 30;

/// Reads the folder of one run or of several.
///
/// # Errors
/// [`InputError`] if a file is missing or has the wrong format.
#[cfg(feature = "folders")]
pub fn read_results(folder: &Path) -> Result<Files, InputError> {
    let is_there = |name: &&str| folder.join(name).exists();
    let needed = if is_there(&REPLICAS) { &[REPLICAS, REPORT][..] } else { &OF_ONE };
    let mut files = Files::new();
    // What is needed and missing is refused where it is read.
    for name in RESULT_FILES.into_iter().filter(|name| needed.contains(name) || is_there(name)) {
        let path = folder.join(name);
        let bytes = read(&path).map_err(|error| error.in_file(&path))?;
        if name == REPORT {
            serde_json::from_slice::<serde_json::Value>(&bytes).map_err(|error| {
                InputError::new(format!("is not JSON: {error}"))
                    .in_file(&path)
                    .at_line(error.line() as u64)
            })?;
        }
        files.push((name, bytes));
    }
    Ok(files)
}

#[cfg(feature = "folders")]
fn read(path: &Path) -> Result<Vec<u8>, InputError> {
    let refuse = |error: std::io::Error| InputError::new(format!("cannot be read: {error}"));
    let metadata = std::fs::metadata(path).map_err(refuse)?;
    if !metadata.is_file() || metadata.len() > MOST_BYTES {
        return Err(InputError::new("is no file of a result"));
    }
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes))
        .map_err(refuse)?;
    Ok(bytes)
}

/// The columns of an Arrow file of a result, with their names. `name` is for error messages.
///
/// # Errors
/// [`InputError`] if the bytes are no Arrow file, are damaged, or have a column of a type that results do not use.
pub fn read_columns(name: &str, bytes: &[u8]) -> Result<Vec<(String, Column)>, InputError> {
    arrow_file::columns(bytes).map_err(|refused| {
        let error = InputError::new(refused.message).in_file(Path::new(name));
        match refused.column {
            Some(column) => error.in_field(column),
            None => error,
        }
    })
}
