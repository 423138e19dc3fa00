//! Reads scenario files: turns their text into calls of the builder, and puts the line on its errors.
//!
//! What a scenario may say is declared in `sim::said`; the rules are in `sim::build`.

mod design;
mod files;
mod flow_list;
mod layers;
mod links;
mod matrix;
mod network;
mod parameters;
mod placed;
mod rank_files;
mod routes;
mod sections;
mod sheet;
mod sizes;
mod traces;

use std::path::{Path, PathBuf};

use lightloom_plan::project::Project;
use lightloom_request::given::{Contents, record};
use lightloom_request::{InputError, Texts};
use lightloom_routing::recovery::Installed;
use lightloom_scenario::build::{Overrides, PlanInUse, Run, ScenarioBuilder, refusal as refused};
use lightloom_scenario::said::{
    AcceleratorRow, AdmissionRow, ChangeRow, CircuitRow, CircuitsRow, CollectiveRow, FailureRow,
    FlowRow, GroupRow, LossRow, MulticastRow, Pattern, ProbesRow, RecoveryRow, Row as _, RunRow,
    SECTIONS, SetupRow, TraceRow, TrafficRow, written,
};
use lightloom_scenario::scenario::Scenario;
use lightloom_twin::SetupError;

use crate::rows::{Document, Row};
use crate::scenario::files::Files;
use crate::scenario::placed::placed;
use crate::scenario::sections::{each, only};
use crate::scenario::traces::TraceFiles;
use crate::text;

pub use parameters::shipped_parameters;
pub use traces::{checked as read_trace, runnable};

/// A plan folder whose splitters and rules a scenario uses.
#[derive(Debug, Clone)]
pub struct PlanUsed {
    /// The folder.
    pub folder: PathBuf,
    /// What its `plan.json` says.
    pub project: Project,
    /// The rules of a recovered plan. `None`: the rules are the router's.
    pub recovered: Option<Installed>,
}

/// Reads a scenario. Also returns the plan folder whose splitters it uses: everything comes from its `plan.json`, and
/// nothing here says that its other files agree.
///
/// # Errors
/// [`InputError`] at the line and field if the scenario or a file that it names is wrong.
pub fn read(
    path: &Path,
    texts: &Texts,
    overrides: Overrides,
) -> Result<(Scenario, Option<PlanUsed>), InputError> {
    if let Some(Contents::Fields(fields)) = texts.given(path) {
        let document = Document::given(path, fields).beside(texts);
        return built(&document.root(), (path, record(fields)), overrides);
    }
    let text = text::read_up_to(texts, path, 64 << 20)?;
    let document = Document::parse(path, &text)?.beside(texts);
    built(&document.root(), (path, text.clone()), overrides)
}

/// The refusal of a scenario by the twin, with file, line and field. `texts` is what the scenario was read from.
pub fn refusal(scenario: &Scenario, texts: &Texts, error: &SetupError) -> InputError {
    let refused = refused(scenario, error);
    let Some((path, text)) = scenario.files.first() else { return refused };
    let text = String::from_utf8_lossy(text);
    if let Some(Contents::Fields(fields)) = texts.given(path) {
        return placed(&Document::given(path, fields).root(), refused);
    }
    match Document::parse(path, &text) {
        Ok(document) => placed(&document.root(), refused),
        // It was read before.
        Err(_) => refused.in_file(path),
    }
}

/// A scenario in the making, with all that its file says.
#[derive(Debug)]
pub struct Started {
    /// It takes further messages.
    pub builder: ScenarioBuilder,
    /// The same without any message of the file.
    pub silent: ScenarioBuilder,
    /// The plan folder whose splitters it uses.
    pub plan: Option<PlanUsed>,
}

/// Reads a scenario that further messages are added to, so that its file may have none. The splitters of its design are
/// laid, whether or not it has groups.
///
/// # Errors
/// As [`read`].
pub fn start(path: &Path, texts: &Texts, overrides: Overrides) -> Result<Started, InputError> {
    let text;
    let document;
    let record = match texts.given(path) {
        Some(Contents::Fields(fields)) => {
            document = Document::given(path, fields).beside(texts);
            record(fields)
        }
        _ => {
            text = text::read_up_to(texts, path, 64 << 20)?;
            document = Document::parse(path, &text)?.beside(texts);
            text.clone()
        }
    };
    let root = document.root();
    let read = Read { others: true, splitters: true };
    let (builder, folder) = started(&root, (path, record.clone()), overrides, read)?;
    let silent = Read { others: false, ..read };
    let (silent, _) = started(&root, (path, record), overrides, silent)?;
    let plan = builder.nodes().plan().zip(folder).map(used);
    Ok(Started { builder, silent, plan })
}

/// What is read of a scenario.
#[derive(Debug, Clone, Copy)]
struct Read {
    /// Whether its messages are.
    others: bool,
    /// Whether splitters are laid even if it has no group.
    splitters: bool,
}

fn used((PlanInUse { project, recovered }, folder): (PlanInUse, PathBuf)) -> PlanUsed {
    PlanUsed { folder, project, recovered }
}

fn built(
    root: &Row<'_>,
    file: (&Path, String),
    overrides: Overrides,
) -> Result<(Scenario, Option<PlanUsed>), InputError> {
    let (builder, folder) =
        started(root, file, overrides, Read { others: true, splitters: false })?;
    let (scenario, plan) = builder.build().map_err(|error| placed(root, error))?;
    Ok((scenario, plan.zip(folder).map(used)))
}

fn started(
    root: &Row<'_>,
    (path, text): (&Path, String),
    overrides: Overrides,
    read: Read,
) -> Result<(ScenarioBuilder, Option<PathBuf>), InputError> {
    check_version(root)?;
    check_sections(root)?;
    let at_line = |error| placed(root, error);
    let base = path.parent().unwrap_or(Path::new(""));
    let run = Run::new(&RunRow::read(root)?, overrides.seed).map_err(at_line)?;
    let parameters = parameters::read(base, root)?;
    let mut files = vec![(path.to_path_buf(), text)];
    files.extend(parameters.files.iter().cloned());
    let mut trace_files = TraceFiles::new();
    let splitters = read.splitters || root.has(GroupRow::SECTION.name);
    let network = network::read((root, base), &parameters, overrides, splitters)?;
    files.extend(network.files);
    let mut builder = ScenarioBuilder::new(run, parameters, network.nodes, overrides.memory);
    if let Some(row) = only::<CircuitsRow>(root)? {
        builder.circuits(row);
    }
    each(root, |row: &CircuitRow| {
        builder.circuit(row.clone());
        Ok(())
    })?;
    each(root, |row: &AcceleratorRow| {
        builder.accelerator(row.clone());
        Ok(())
    })?;
    if read.others {
        traffic(root, base, &mut builder, &mut files)?;
    }
    if let Some(row) = only::<AdmissionRow>(root)? {
        builder.admission(&row).map_err(at_line)?;
    }
    if read.others {
        if let Some(row) = only::<SetupRow>(root)? {
            builder.setup(&row).map_err(at_line)?;
        }
        each(root, |row: &GroupRow| builder.group(row))?;
        each(root, |row: &ChangeRow| builder.change(row))?;
        each(root, |row: &MulticastRow| builder.multicast(row))?;
        collectives(root, base, &mut builder, &mut files)?;
        all_traces(root, base, &mut builder, &mut trace_files)?;
    }
    if let Some(row) = only::<ProbesRow>(root)? {
        builder.probes(row);
    }
    each(root, |row: &LossRow| builder.loss(row))?;
    each(root, |row: &FailureRow| builder.failure(row))?;
    if let Some(row) = only::<RecoveryRow>(root)? {
        builder.recovery(row);
    }
    files.into_iter().for_each(|(path, text)| builder.file(path, text.into_bytes()));
    trace_files.into_iter().for_each(|(path, bytes)| builder.file(path, bytes));
    Ok((builder, network.folder))
}

fn check_version(root: &Row<'_>) -> Result<(), InputError> {
    match root.said("version").map(|said| said.count()).transpose() {
        Ok(Some(1)) => Ok(()),
        Ok(Some(found)) => {
            Err(root.refuse("version", format!("found {found}; this lightloom reads version 1")))
        }
        Ok(None) => Err(root.refuse("version", "is missing; start the file with: version = 1")),
        Err(message) => Err(root.refuse("version", message)),
    }
}

/// Refuses fields before all sections, and sections, that no scenario has.
fn check_sections(root: &Row<'_>) -> Result<(), InputError> {
    let sections = SECTIONS.iter().filter(|section| !section.name.contains('.'));
    let tables: Vec<String> =
        sections.filter(|section| !section.name.is_empty()).map(written).collect();
    let own = RunRow::SECTION.names().into_iter();
    root.only_these(&own.chain(tables.iter().map(String::as_str)).collect::<Vec<_>>())
}

/// Reads traces, with their files.
fn all_traces(
    root: &Row<'_>,
    base: &Path,
    builder: &mut ScenarioBuilder,
    files: &mut TraceFiles,
) -> Result<(), InputError> {
    for row in root.tables(TraceRow::SECTION.name)? {
        let said: TraceRow = sections::read(&row)?;
        let Some(file) = &said.file else {
            return Err(
                row.refuse("file", "is missing; name the file of the trace, such as \"app.goal\"")
            );
        };
        let path = base.join(&file.0);
        let groups = said.process_groups.as_ref().map(|file| base.join(&file.0));
        let read = traces::read(&row, (&path, groups.as_deref()), said.speed, files)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let added = builder.trace(&said, &name, &read);
        added.map_err(|error| at_file_or_row(error, &path, root))?;
    }
    Ok(())
}

/// A refusal of a row that names a file: at the line of the file if it has one, else at the row.
fn at_file_or_row(error: InputError, path: &Path, root: &Row<'_>) -> InputError {
    match error.line {
        Some(_) => error.in_file(path),
        None => placed(root, error),
    }
}

/// Adds collective operations, with the files that they name.
fn collectives(
    root: &Row<'_>,
    base: &Path,
    builder: &mut ScenarioBuilder,
    files: &mut Files,
) -> Result<(), InputError> {
    for row in root.tables(CollectiveRow::SECTION.name)? {
        let said: CollectiveRow = sections::read(&row)?;
        let path = said.routes.as_ref().map(|file| base.join(&file.0));
        let routing = path.as_ref().map(|path| routes::read(&row, path, files)).transpose()?;
        builder.collective(&said, routing.as_ref()).map_err(|error| match &path {
            Some(path) => at_file_or_row(error, path, root),
            None => placed(root, error),
        })?;
    }
    Ok(())
}

/// Reads flows and patterns, with the files of distributions and of flows.
fn traffic(
    root: &Row<'_>,
    base: &Path,
    builder: &mut ScenarioBuilder,
    files: &mut Files,
) -> Result<(), InputError> {
    let listed = root.tables(FlowRow::SECTION.name)?.len();
    builder.expect_flows(listed).map_err(|error| placed(root, error))?;
    each(root, |row: &FlowRow| builder.flow(row))?;
    for row in root.tables(TrafficRow::SECTION.name)? {
        let said: TrafficRow = sections::read(&row)?;
        if let (Some(pattern @ (Pattern::Listed | Pattern::Matrix)), Some(file)) =
            (said.pattern, &said.file)
        {
            let path = base.join(&file.0);
            let added = if pattern == Pattern::Matrix {
                builder.matrix(&said, &matrix::read(&row, &path, files)?)
            } else {
                let (flows, warning) = flow_list::read(&row, &path, files)?;
                warning.into_iter().for_each(|warning| builder.warn(warning));
                builder.listed(&said, &flows)
            };
            added.map_err(|error| at_file_or_row(error, &path, root))?;
            continue;
        }
        let sizes = match (&said.sizes, said.distribution) {
            (Some(file), None) if said.size.is_none() => {
                let (sizes, warning) = sizes::read(&row, &base.join(&file.0), files)?;
                warning.into_iter().for_each(|warning| builder.warn(warning));
                Some(sizes)
            }
            (None, Some(distribution)) if said.size.is_none() => {
                Some(sizes::shipped(distribution, files)?)
            }
            _ => None,
        };
        builder.traffic(&said, sizes).map_err(|error| placed(root, error))?;
    }
    Ok(())
}
