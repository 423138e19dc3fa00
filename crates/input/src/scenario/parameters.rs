//! Reads the parameters in force. A named set overrides the built-in file, the user's file overrides both, and values
//! in the scenario override all.

use std::path::{Path, PathBuf};

use lightloom_catalogue::Shipped;
use lightloom_request::given::Fields;
use lightloom_request::{Field, InputError};
use lightloom_scenario::build::ParameterRows;
use lightloom_scenario::said::{ParameterSet, ParametersRow, Row as _, Source as _};
use lightloom_scenario::scenario::Parameters;

use crate::rows::{Document, Row};
use crate::scenario::files::Files;
use crate::scenario::layers::{Layered, Layers, SHIPPED, sections};
use crate::text;

/// The file of a named set. `None`: the values of the shipped file.
const fn file_of(set: ParameterSet) -> Option<Shipped> {
    match set {
        ParameterSet::Lightloom => None,
        ParameterSet::Paper => Some(lightloom_catalogue::TWIN_PAPER),
        ParameterSet::RdmaNs3 => Some(lightloom_catalogue::TWIN_RDMA_NS3),
    }
}

/// The parameters of the shipped catalogue.
///
/// # Errors
/// [`InputError`] at the line if the catalogue is wrong. A test reads it.
pub fn shipped_parameters() -> Result<Parameters, InputError> {
    let none = Fields::new();
    read(Path::new(""), &Document::given(Path::new(""), &none).root())
}

/// Reads the parameters in force: those of the files, and of `[parameters]`.
pub(super) fn read(base: &Path, root: &Row<'_>) -> Result<Parameters, InputError> {
    let said = root.table("parameters", "parameters")?;
    let files = files(base, said)?;
    let documents = files.iter().map(|(path, text)| Document::parse(path, text));
    let documents = documents.collect::<Result<Vec<Document>, InputError>>()?;
    let mut layers = Layers { files: Vec::new(), said: Vec::new() };
    for document in &documents {
        layers.files.push(document.rows(|_| true)?);
    }
    if let Some(said) = said {
        for (name, section) in sections() {
            layers.said.extend(said.table(name, section.name)?);
        }
    }
    layers.check()?;
    let rows = ParameterRows::read(|section| Layered { layers: &layers, section })?;
    let parameters = rows.parameters(|at| layers.source(at.section, at.field));
    let parameters = parameters.map_err(|error| match error.field {
        Some(Field::At(at)) => {
            let section = Layered { layers: &layers, section: at.section };
            InputError { message: error.message, ..section.refuse(at.field, String::new()) }
        }
        _ => error,
    })?;
    Ok(Parameters { files, ..parameters })
}

/// The shipped file, the named set and the user's file, where `[parameters]` names such.
fn files(base: &Path, said: Option<Row<'_>>) -> Result<Files, InputError> {
    let shipped = |file: Shipped| (PathBuf::from(file.path), file.text.to_owned());
    let mut files = vec![shipped(SHIPPED)];
    let Some(said) = said else { return Ok(files) };
    let own = ParametersRow::SECTION.names().into_iter();
    said.only_these(&own.chain(sections().map(|(name, _)| name)).collect::<Vec<_>>())?;
    let row = ParametersRow::read(&said)?;
    files.extend(row.set.and_then(file_of).map(shipped));
    if let Some(file) = row.file {
        let path = base.join(file.0);
        let text = text::read_up_to(said.texts(), &path, 16 << 20);
        let text = text.map_err(|error| said.of_file("file", &path, error))?;
        files.push((path, text));
    }
    Ok(files)
}
