//! A file of a run that is not in the folder of results.

use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use lightloom_request::{InputError, Message};
use lightloom_sim::scenario::Scenario;

/// A file that is written next to its final path, and moved there when it is complete. Until then what was at the
/// path stays.
pub struct SingleFile {
    file: Option<File>,
    part: PathBuf,
    path: PathBuf,
    /// The path with its folder resolved.
    found: PathBuf,
    /// The option that names it.
    option: &'static str,
}

impl SingleFile {
    /// Creates the file before the run starts. It must not be a file of the scenario, in the folder of results, nor one
    /// of `others`.
    pub fn create<'a>(
        path: &Path,
        option: &'static str,
        scenario: &Scenario,
        out: Option<&Path>,
        others: impl IntoIterator<Item = &'a Self>,
    ) -> Result<Self, InputError> {
        let refuse = |message: &str| InputError::new(message).in_file(path).in_option(option);
        not_of_scenario(path, option, scenario)?;
        let parent = path.parent().map(|parent| parent.join(".")).and_then(|parent| found(&parent));
        if parent.is_some() && parent == out.and_then(found) {
            let message = "is in the folder of results, which is replaced; name a file elsewhere";
            return Err(refuse(message));
        }
        if path.is_dir() {
            return Err(refuse("is a folder; name a file"));
        }
        let name = path.file_name().unwrap_or_default();
        let resolved = parent.map_or_else(|| path.to_path_buf(), |parent| parent.join(name));
        if let Some(other) = others.into_iter().find(|other| other.found == resolved) {
            let message = Message::new("is the file of another ").option(other.option, None);
            let message = message.text("; name one file for each");
            return Err(InputError::mentioning(message).in_file(path).in_option(option));
        }
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let part = PathBuf::from(part);
        let file = File::create(&part).map_err(|error| cannot(path, option, &error))?;
        Ok(Self { file: Some(file), part, path: path.to_path_buf(), found: resolved, option })
    }

    /// Writes the content and moves the file to its final path.
    pub fn write(
        mut self,
        content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<(), InputError> {
        let Some(file) = self.file.take() else { return Ok(()) };
        let mut out = BufWriter::new(file);
        let written = content(&mut out).and_then(|()| out.flush());
        let moved = written.and_then(|()| std::fs::rename(&self.part, &self.path));
        moved.map_err(|error| {
            let _ = std::fs::remove_file(&self.part);
            cannot(&self.path, self.option, &error)
        })
    }
}

impl Drop for SingleFile {
    /// Removes what was never written.
    fn drop(&mut self) {
        if self.file.take().is_some() {
            let _ = std::fs::remove_file(&self.part);
        }
    }
}

/// The path as the system resolves it. `None`: nothing is there.
fn found(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}

/// Refuses a path to a file that the scenario is read from.
///
/// # Errors
/// [`InputError`] about `option` if it is one.
pub fn not_of_scenario(
    path: &Path,
    option: &'static str,
    scenario: &Scenario,
) -> Result<(), InputError> {
    let Some(own) = found(path) else { return Ok(()) };
    if scenario.files.iter().all(|(file, _)| found(file).as_ref() != Some(&own)) {
        return Ok(());
    }
    let message = "is a file that the scenario is read from; name another";
    Err(InputError::new(message).in_file(path).in_option(option))
}

fn cannot(path: &Path, option: &'static str, error: &io::Error) -> InputError {
    InputError::new(format!("cannot be written: {error}")).in_file(path).in_option(option)
}
