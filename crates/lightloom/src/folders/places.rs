//! The folder that the results of a run are written to.

use std::path::Path;

use lightloom_export::output::kind::Terms;
use lightloom_export::output::{Inputs, folder, kinds};
use lightloom_request::{Error, Files};
use lightloom_scenario::scenario::Scenario;

/// The folder of the results of a run, if there is one, and the files that the run was read from.
pub(crate) struct Places<'o> {
    out: Option<&'o Path>,
    pub(crate) inputs: Inputs,
}

impl<'o> Places<'o> {
    /// Checks that the folder may be written, before long work.
    ///
    /// # Errors
    /// [`Error::Folder`] if it cannot be replaced.
    pub(crate) fn check(out: Option<&'o Path>, scenario: &Scenario) -> Result<Self, Error> {
        let places = Self { out, inputs: Inputs::of(scenario.files.iter().map(|(file, _)| file)) };
        if let Some(out) = out {
            folder::check(out, places.terms())?;
        }
        Ok(places)
    }

    /// Replaces the folder by one with these files.
    ///
    /// # Errors
    /// [`Error::Folder`]. The folder is then unchanged.
    pub(crate) fn write(&self, files: &Files) -> Result<(), Error> {
        let Some(out) = self.out else { return Ok(()) };
        Ok(folder::write(out, files, self.terms())?)
    }

    fn terms(&self) -> Terms<'_> {
        Terms::of(&kinds::RESULTS, &self.inputs)
    }
}
