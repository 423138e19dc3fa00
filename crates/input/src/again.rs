//! A project as one text, and made again from it: what a script pickles, sends to another machine, and
//! gets the same answers from.
//!
//! A project that was opened from a request is that request, with the texts of all files that it read; one
//! that was read from a plan's folder is its `plan.json`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::document::PlanDocument;
use crate::settings::{KEYS, Request, Value};
use crate::{InputError, Project, Texts};

const FORMAT: &str = "lightloom-design";
const VERSION: u32 = 1;

/// A request with all that it reads.
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

/// What every document begins with.
#[derive(Deserialize)]
struct Head {
    format: String,
}

impl Project {
    /// This project as one text (JSON). Where its request keeps no texts ([`Texts::keeping`]), the files
    /// that it names are read again when it is restored.
    ///
    /// # Errors
    /// [`InputError`] when a file's name is not UTF-8.
    pub fn document(&self) -> Result<String, InputError> {
        let Some(request) = &self.request else {
            return Ok(PlanDocument::unproved(self).to_text());
        };
        let document = DesignDocument {
            format: FORMAT.into(),
            version: VERSION,
            design: request.design.clone(),
            flags: request
                .flags
                .iter()
                .map(|(key, value)| ((*key).into(), value.clone()))
                .collect(),
            files: request.texts.kept(),
        };
        serde_json::to_string(&document)
            .map_err(|error| InputError::new(format!("cannot be written as JSON: {error}")))
    }

    /// The project that [`Self::document`] has written, or that a `plan.json` describes.
    ///
    /// # Errors
    /// [`InputError`] when the text is neither, or what it describes is wrong.
    pub fn restore(text: &str) -> Result<Self, InputError> {
        let name = Path::new("<document>");
        let refuse = |message: String| InputError::new(message).in_file(name);
        let broken = |error: serde_json::Error| {
            refuse(format!("is no design of lightloom: {error}")).at_line(error.line() as u64)
        };
        let head: Head = serde_json::from_str(text).map_err(broken)?;
        if head.format != FORMAT {
            return Self::from_document(&PlanDocument::parse(name, text)?, name);
        }
        let DesignDocument { version, design, flags, files, .. } =
            serde_json::from_str(text).map_err(broken)?;
        if version != VERSION {
            return Err(refuse(format!("found version {version}; expected version {VERSION}")));
        }
        let known = |(name, value): (String, Value)| {
            let key = KEYS.iter().find(|key| key.name == name);
            key.map(|key| (key.name, value))
                .ok_or_else(|| refuse(format!("found {name:?}, which is no key")))
        };
        let flags = flags.into_iter().map(known).collect::<Result<_, _>>()?;
        Self::open(&Request { design, flags, texts: Texts::keeping(files) })
    }

    /// The project that a plan's folder describes, and the text of its `plan.json`.
    ///
    /// # Errors
    /// [`InputError`] when the folder has no `plan.json`, or what it describes is wrong.
    pub fn open_plan(folder: &Path) -> Result<(Self, String), InputError> {
        let file = folder.join(PlanDocument::FILE);
        let text = PlanDocument::read_text(folder, &Texts::default())?;
        let project = Self::from_document(&PlanDocument::parse(&file, &text)?, &file)?;
        Ok((project, text))
    }

    /// Whether two projects are the same in all that is built and asked: fabric, router, hall, placement,
    /// failures that rules go around, optics, prices and the way costs are counted.
    pub fn same_as(&self, other: &Self) -> bool {
        let said = |project: &Self| -> Vec<(&str, Value)> {
            let settings = &project.design.settings;
            let optics = settings.said_in("optics").chain(settings.said_in("cost"));
            optics.map(|(key, value)| (key, value.clone())).collect()
        };
        self.fabric.tors() == other.fabric.tors()
            && self.costing == other.costing
            && said(self) == said(other)
            && PlanDocument::unproved(self) == PlanDocument::unproved(other)
    }
}
