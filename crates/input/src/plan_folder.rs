//! Reads plan folders.

use std::path::Path;

use lightloom_plan::document::{FORMAT, PlanDocument, VERSION};
use lightloom_plan::open::from_document;
use lightloom_plan::project::Project;
use lightloom_request::{InputError, Texts};

use crate::{machine, text};

/// Reads `plan.json` of a plan folder.
pub fn read(folder: &Path, texts: &Texts) -> Result<PlanDocument, InputError> {
    parse(&folder.join(PlanDocument::FILE), &read_text(folder, texts)?)
}

/// The text of `plan.json` of a plan folder.
pub fn read_text(folder: &Path, texts: &Texts) -> Result<String, InputError> {
    let file = folder.join(PlanDocument::FILE);
    if texts.get(&file).is_none() {
        let refuse = |message: &str| Err(InputError::new(message).in_file(folder));
        if folder.is_file() {
            return refuse(
                "is a file; give the folder of a plan, which `lightloom plan` writes from a design",
            );
        }
        if folder.is_dir() && !file.exists() {
            return refuse("has no plan.json, so it is not the folder of a plan");
        }
    }
    text::read_up_to(texts, &file, 4 << 30)
}

/// Parses the text of `plan.json`. `path` is for error messages.
pub fn parse(path: &Path, text: &str) -> Result<PlanDocument, InputError> {
    let refuse = |message: String| InputError::new(message).in_file(path);
    let document: PlanDocument = serde_json::from_str(text).map_err(|error| {
        refuse(format!("is no plan of lightloom: {error}")).at_line(error.line() as u64)
    })?;
    if document.format != FORMAT || document.version != VERSION {
        let (format, version) = (&document.format, document.version);
        let message =
            format!("found {format:?} version {version}; expected {FORMAT:?} version {VERSION}");
        return Err(refuse(message).in_field("format"));
    }
    Ok(document)
}

/// The project of a plan, which may take what memory the machine has left. `file` is for error messages.
///
/// # Errors
/// [`InputError`] if its content is wrong.
pub fn opened(document: &PlanDocument, file: &Path) -> Result<Project, InputError> {
    let mut project = from_document(document, file)?;
    project.design.memory = machine::memory();
    Ok(project)
}

/// Opens the project of a plan folder. Also returns the text of its `plan.json`.
///
/// # Errors
/// [`InputError`] if the folder has no `plan.json`, or if its content is wrong.
pub fn open(folder: &Path) -> Result<(Project, String), InputError> {
    let file = folder.join(PlanDocument::FILE);
    let text = read_text(folder, &Texts::default())?;
    let project = opened(&parse(&file, &text)?, &file)?;
    project.design.settings.texts().note(&file);
    Ok((project, text))
}
