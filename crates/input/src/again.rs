//! Saving a project as one text, and restoring it. Scripts use this to pickle a project or to send it to
//! another machine.
//!
//! A project that was opened from a request is saved as that request with the texts of all its files. A
//! project that was read from a plan folder is saved as its `plan.json`.
//! that was read from a plan's folder is its `plan.json`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lightloom_plan::document::PlanDocument;
use lightloom_plan::project::Project;
use lightloom_request::{InputError, Memory, Request, Texts, Value, setting};
use serde::{Deserialize, Serialize};

use crate::{open, plan_folder};

const FORMAT: &str = "lightloom-design";
const VERSION: u32 = 1;

/// A request with the texts of all its files.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DesignDocument {
    format: String,
    version: u32,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    design: Option<PathBuf>,
    flags: Vec<(String, Value)>,
    files: BTreeMap<PathBuf, String>,
}

/// The fields that every document begins with.
#[derive(Deserialize)]
struct Head {
    format: String,
}

/// This project as one JSON text. If its request keeps no texts ([`Texts::keeping`]), restoring reads the
/// named files again.
///
/// # Errors
/// [`InputError`] if a file's name is not UTF-8.
pub fn document(project: &Project) -> Result<String, InputError> {
    let Some(request) = project.request() else {
        return Ok(PlanDocument::unproved(project).to_text());
    };
    let document = DesignDocument {
        format: FORMAT.into(),
        version: VERSION,
        design: request.design.clone(),
        flags: request.flags.iter().map(|(key, value)| (key.name.into(), value.clone())).collect(),
        files: request.texts.kept(),
    };
    serde_json::to_string(&document)
        .map_err(|error| InputError::new(format!("cannot be written as JSON: {error}")))
}

/// Restores a project from a text of [`document`] or from a `plan.json`.
///
/// # Errors
/// [`InputError`] if the text is neither, or if the design in it is wrong.
pub fn restore(text: &str) -> Result<Project, InputError> {
    let name = Path::new("<document>");
    let refuse = |message: String| InputError::new(message).in_file(name);
    let broken = |error: serde_json::Error| {
        refuse(format!("is no design of lightloom: {error}")).at_line(error.line() as u64)
    };
    let head: Head = serde_json::from_str(text).map_err(broken)?;
    if head.format != FORMAT {
        return plan_folder::opened(&plan_folder::parse(name, text)?, name, Memory::Unknown);
    }
    let DesignDocument { version, design, flags, files, .. } =
        serde_json::from_str(text).map_err(broken)?;
    if version != VERSION {
        return Err(refuse(format!("found version {version}; expected version {VERSION}")));
    }
    let keys = setting::all();
    let known = |(name, value): (String, Value)| {
        let key = keys.iter().find(|key| key.name == name);
        key.map(|key| (*key, value))
            .ok_or_else(|| refuse(format!("found {name:?}, which is not a setting")))
    };
    let flags = flags.into_iter().map(known).collect::<Result<_, _>>()?;
    open::project(&Request { design, flags, texts: Texts::keeping(files) })
}
