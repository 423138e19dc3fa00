//! A file of a run that is not in the folder of results.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use lightloom_request::{InputError, Message};

use crate::output::Inputs;
use crate::output::file::{self, NewFile, There};

/// A file that is made beside its path before a run, and moved there when it is complete. A device, a pipe or a
/// descriptor is opened before the run, and written after it.
pub struct SingleFile {
    new: NewFile,
    path: PathBuf,
    /// Where the path leads. `None`: to a device, a pipe or a descriptor.
    place: Option<PathBuf>,
    /// The option that names it.
    option: &'static str,
}

impl SingleFile {
    /// Creates the file before the run starts. It must not be one of `inputs`, in the folder of results, nor one of
    /// `others`.
    pub fn create<'a>(
        path: &Path,
        option: &'static str,
        (inputs, out): (&Inputs, Option<&Path>),
        others: impl IntoIterator<Item = &'a Self>,
    ) -> Result<Self, InputError> {
        let place = checked(path, option, inputs)?;
        let refuse = |message: &str| InputError::new(message).in_file(path).in_option(option);
        let parent = place.as_deref().and_then(Path::parent);
        let results = out.and_then(|out| out.canonicalize().ok());
        if parent.is_some() && parent == results.as_deref() {
            let message = "is in the folder of results, which is replaced; name a file elsewhere";
            return Err(refuse(message));
        }
        if let Some(other) =
            others.into_iter().find(|one| one.place.is_some() && one.place == place)
        {
            let message = Message::new("is the file of another ").option(other.option, None);
            let message = message.text("; name one file for each");
            return Err(InputError::mentioning(message).in_file(path).in_option(option));
        }
        let new = NewFile::create(path, There::Replaced, inputs);
        let new = new.map_err(|error| cannot(path, option, &error))?;
        Ok(Self { new, path: path.to_path_buf(), place, option })
    }

    /// Writes the content and moves the file to its final path.
    pub fn write(
        mut self,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), InputError> {
        let written = self.new.fill(content).and_then(|()| self.new.commit());
        written.map_err(|error| cannot(&self.path, self.option, &error))
    }
}

/// Refuses a path where a run must not write, such as one to a file that it reads. Returns where it leads.
///
/// # Errors
/// [`InputError`] about `option`.
pub fn checked(
    path: &Path,
    option: &'static str,
    inputs: &Inputs,
) -> Result<Option<PathBuf>, InputError> {
    let place = file::check(path, There::Replaced, inputs);
    place.map_err(|error| cannot(path, option, &error))
}

fn cannot(path: &Path, option: &'static str, error: &io::Error) -> InputError {
    file::unwritten(path, error).in_option(option)
}
