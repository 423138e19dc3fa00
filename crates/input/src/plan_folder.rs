//! Reads plan folders.

use std::path::Path;

use lightloom_design::design::Design;
use lightloom_plan::document::{FORMAT, PlanDocument, VERSION};
use lightloom_plan::memory::of_files;
use lightloom_plan::open::kept::Kept;
use lightloom_plan::open::written::from_document;
use lightloom_plan::project::Project;
use lightloom_request::{InputError, Memory, Texts};
use lightloom_units::DataSize;

use crate::{machine, text};

/// The folder of a written plan, and the memory that work on it may take.
#[derive(Debug, Clone, Copy)]
pub struct WrittenPlan<'a> {
    /// The folder.
    pub folder: &'a Path,
    /// The memory. [`Memory::Unknown`]: what the machine has left.
    pub memory: Memory,
}

impl<'a> WrittenPlan<'a> {
    /// A folder, and the memory that work on its plan may take. `None`: what the machine has left.
    pub fn within(folder: &'a Path, memory: Option<DataSize>) -> Self {
        Self { folder, memory: memory.map_or(Memory::Unknown, Memory::Allowed) }
    }
}

impl<'a, P: AsRef<Path> + ?Sized> From<&'a P> for WrittenPlan<'a> {
    fn from(folder: &'a P) -> Self {
        Self { folder: folder.as_ref(), memory: Memory::Unknown }
    }
}

/// Refuses files of a folder that need more memory than they may take, by their sizes, before they are read.
///
/// # Errors
/// [`InputError`] with the estimate and the option to change.
pub fn check_sizes(plan: WrittenPlan<'_>, names: &[&str]) -> Result<(), InputError> {
    let bytes = names.iter().map(|name| text::size_on_disk(&plan.folder.join(name)));
    let needed = of_files(bytes.fold(0, u64::saturating_add));
    let memory = plan.memory.or(machine::memory);
    memory.check_option("the written plan", needed).map_err(|error| error.in_file(plan.folder))
}

/// Reads `plan.json` of a plan folder.
pub fn read(plan: WrittenPlan<'_>, texts: &Texts) -> Result<PlanDocument, InputError> {
    check_sizes(plan, &[PlanDocument::FILE])?;
    parse(&plan.folder.join(PlanDocument::FILE), &read_text(plan.folder, texts)?)
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

/// The project of a plan, and the memory that work on it may take. [`Memory::Unknown`]: what the machine has left.
/// `file` is for error messages.
///
/// # Errors
/// [`InputError`] if its content is wrong.
pub fn opened(document: &PlanDocument, file: &Path, memory: Memory) -> Result<Project, InputError> {
    Ok(from_document(document, file)?.within(memory.or(machine::memory)))
}

/// The plan that a design keeps. `None`: it keeps none.
///
/// # Errors
/// [`InputError`] if its folder has no plan.
pub fn kept(design: &Design) -> Result<Option<Kept>, InputError> {
    let Some(folder) = &design.keep else { return Ok(None) };
    let plan = WrittenPlan { folder, memory: design.memory };
    let document = read(plan, design.settings.texts())?;
    Ok(Some(Kept::new(document, folder.join(PlanDocument::FILE))))
}

/// Opens the project of a plan folder. Also returns the text of its `plan.json`.
///
/// # Errors
/// [`InputError`] if the folder has no `plan.json`, or if its content is wrong.
pub fn open<'a>(plan: impl Into<WrittenPlan<'a>>) -> Result<(Project, String), InputError> {
    let plan = plan.into();
    check_sizes(plan, &[PlanDocument::FILE])?;
    let file = plan.folder.join(PlanDocument::FILE);
    let text = read_text(plan.folder, &Texts::default())?;
    let project = opened(&parse(&file, &text)?, &file, plan.memory)?;
    project.design().settings.texts().note(&file);
    Ok((project, text))
}
