//! Opens the design or the plan whose racks a network joins.

use std::path::{Path, PathBuf};

use lightloom_plan::document::PlanDocument;
use lightloom_plan::project::Project;
use lightloom_request::setting;
use lightloom_request::{InputError, Memory, Request, Texts};

use crate::plan_folder::{self, WrittenPlan};
use crate::rows::Row;
use crate::scenario::files::Files;
use crate::{again, machine, open, text};

/// A design or a plan.
pub(super) struct Opened {
    pub(super) project: Project,
    /// Every file that it is read from.
    pub(super) files: Files,
    /// The plan folder. `None`: the path names a design, or a `plan.json` alone.
    pub(super) folder: Option<PathBuf>,
}

/// Opens a design file, a plan folder or its `plan.json`.
pub(super) fn open(row: &Row<'_>, path: PathBuf, memory: Memory) -> Result<Opened, InputError> {
    match plan_of(&path, row.texts()) {
        Some(plan) => {
            let (project, files) = planned(row, &plan, memory)?;
            Ok(Opened { project, files, folder: (plan != path).then_some(path) })
        }
        None => {
            let (project, files) = match saved(&path, row.texts()) {
                Some(text) => restored(row, path, text, memory)?,
                None => designed(row, path, memory)?,
            };
            Ok(Opened { project, files, folder: None })
        }
    }
}

/// The `plan.json` of a plan folder, if a path names one or the other.
fn plan_of(path: &Path, texts: &Texts) -> Option<PathBuf> {
    if path.file_name().is_some_and(|name| name == PlanDocument::FILE) {
        return Some(path.to_path_buf());
    }
    let inside = path.join(PlanDocument::FILE);
    (texts.get(&inside).is_some() || path.is_dir()).then_some(inside)
}

/// Opens a plan. `plan.json` has all of it.
fn planned(row: &Row<'_>, file: &Path, memory: Memory) -> Result<(Project, Files), InputError> {
    let folder = WrittenPlan { folder: file.parent().unwrap_or(Path::new("")), memory };
    plan_folder::check_sizes(folder, &[PlanDocument::FILE])?;
    let text = text::read_up_to(row.texts(), file, 4 << 30);
    let text = text.map_err(|error| row.of_file("file", file, error))?;
    let project = plan_folder::opened(&plan_folder::parse(file, &text)?, file, memory)?;
    Ok((project, vec![(file.to_path_buf(), text)]))
}

/// The text of a design that a program has saved in memory ([`again::document`]). `None`: the path names a design file.
fn saved(path: &Path, texts: &Texts) -> Option<String> {
    texts.get(path).filter(|text| text.starts_with('{'))
}

/// Opens a design that a program has saved. Its text has all files that it reads.
fn restored(
    row: &Row<'_>,
    path: PathBuf,
    text: String,
    memory: Memory,
) -> Result<(Project, Files), InputError> {
    let project = again::restore(&text).map_err(|error| row.of_file("file", &path, error))?;
    Ok((project.within(memory.or(machine::memory)), vec![(path, text)]))
}

fn designed(row: &Row<'_>, path: PathBuf, memory: Memory) -> Result<(Project, Files), InputError> {
    let texts = row.texts().clone();
    let request = Request { design: Some(path.clone()), flags: Vec::new(), texts };
    // What the run may take goes before what the design file says.
    let request = match memory {
        Memory::Allowed(most) => {
            request.say(&setting::machine::MEMORY, format!("{} B", most.as_bytes()).as_str())
        }
        Memory::Left(_) | Memory::Unknown => request,
    };
    let project = open::project(&request).map_err(|error| row.of_file("file", &path, error))?;
    let files = files(&project, path, row.texts())?;
    Ok((project, files))
}

/// The files that the design reads.
fn files(project: &Project, design: PathBuf, texts: &Texts) -> Result<Files, InputError> {
    let settings = &project.design().settings;
    let mut paths = vec![design];
    for setting in [&setting::hall::INVENTORY, &setting::fabric::EDGES] {
        paths.extend(settings.path(setting)?);
    }
    paths.extend(settings.path(&setting::hall::KEEP)?.map(|plan| plan.join(PlanDocument::FILE)));
    paths.into_iter().map(|path| text::read(texts, &path).map(|text| (path, text))).collect()
}
