//! Questions that are asked of no opened design.

use std::collections::BTreeMap;
use std::path::PathBuf;

use lightloom::designs::{
    ExploreOptions, ExploreReport, UnusedOptions, explore, new_design, unused_ports,
};
use lightloom::growth::{GrowOptions, ShrinkOptions};
use lightloom::plan::{declared_sheets, verify_folder};
use lightloom::report::ReportOptions;
use lightloom::{InputError, Texts, Watch, read_option};
use pyo3::prelude::*;

use crate::asking::{ask, json, planned};
use crate::errors;
use crate::kept::Kept;
use crate::long::{Answer, Progress, long, quiet};
use crate::project::Project;
use crate::requests::{InFolder, Said, request};

/// The columns of the sheets of a plan folder whose columns are declared: for each file, each column and what its cells
/// are (text, whole, real or decimal).
#[pyfunction]
pub(crate) fn sheet_columns() -> BTreeMap<&'static str, BTreeMap<&'static str, &'static str>> {
    let sheets = declared_sheets().into_iter();
    let columns = sheets.map(|sheet| {
        let kinds = sheet.columns.iter().map(|column| (column.key, column.kind.name()));
        (sheet.file, kinds.collect())
    });
    columns.collect()
}

/// Checks the plan in a folder.
#[pyfunction]
pub(crate) fn verify(folder: InFolder, progress: Progress<'_>) -> Answer {
    ask(&progress, move |watch| verify_folder(folder.plan()?, watch))
}

/// The report of the plan in a folder, as a text of HTML, and whether the plan is good. `design` is the project that it
/// was made from.
#[pyfunction]
pub(crate) fn report(
    folder: InFolder,
    design: Option<PyRef<'_, Project>>,
    date: Option<String>,
    progress: Progress<'_>,
) -> Answer {
    let options = ReportOptions { date, design: design.map(|design| design.cloned()) };
    let question =
        move |watch: Watch<'_>| lightloom::report::report(folder.plan()?, &options, watch);
    long(&progress, question, planned)
}

/// The drawings of the plan in a folder, as a text of HTML.
#[pyfunction]
pub(crate) fn draw(py: Python<'_>, folder: InFolder) -> Answer {
    let question = move |watch: Watch<'_>| lightloom::report::draw(folder.plan()?, watch);
    long(&quiet(py), question, planned)
}

/// Grows the plan in a folder.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "the package hands on each keyword")]
pub(crate) fn grow(
    folder: InFolder,
    tors: Option<usize>,
    phases: Vec<usize>,
    pin: String,
    most_moves: Option<usize>,
    inventory: Option<PathBuf>,
    out: Option<PathBuf>,
    progress: Progress<'_>,
) -> Answer {
    let options = GrowOptions { tors, phases, pin, most_moves };
    ask(&progress, move |watch| {
        lightloom::growth::grow(
            folder.plan()?,
            &options,
            inventory.as_deref(),
            out.as_deref(),
            watch,
        )
    })
}

/// Takes ToRs out of the plan in a folder.
#[pyfunction]
pub(crate) fn shrink(
    folder: InFolder,
    tors: Option<usize>,
    racks: Option<String>,
    out: Option<PathBuf>,
    progress: Progress<'_>,
) -> Answer {
    let options = ShrinkOptions { tors, racks };
    ask(&progress, move |watch| {
        lightloom::growth::shrink(folder.plan()?, &options, out.as_deref(), watch)
    })
}

/// Takes a returned sheet into the plan in a folder.
#[pyfunction]
pub(crate) fn take_as_built(
    folder: InFolder,
    returned: PathBuf,
    out: Option<PathBuf>,
    progress: Progress<'_>,
) -> Answer {
    ask(&progress, move |watch| {
        lightloom::as_built::take_as_built(folder.plan()?, &returned, out.as_deref(), watch)
    })
}

/// The form that crews fill in and return, as the bytes of a CSV file.
#[pyfunction]
pub(crate) fn as_built_form(py: Python<'_>, folder: InFolder) -> Answer {
    let question =
        move |watch: Watch<'_>| lightloom::as_built::as_built_form(folder.plan()?, watch);
    long(&quiet(py), question, planned)
}

/// Writes a commented design file.
#[pyfunction]
pub(crate) fn write_design(
    said: Vec<(String, Said)>,
    out: PathBuf,
    progress: Progress<'_>,
) -> Answer {
    let request = request(progress.py(), said, None, Texts::default())?;
    ask(&progress, move |watch| new_design(&request, &out, watch))
}

/// The limits and the order of `explore_designs`, as a dict.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Limits {
    max_hops: Option<u32>,
    parallel_sources: Option<usize>,
    ports_per_tor: Option<usize>,
    max_cables: Option<u64>,
    max_tray_percent: Option<u32>,
    max_cost: Option<String>,
    case: Option<String>,
    rank_by: Option<String>,
}

impl Limits {
    fn options(self) -> Result<ExploreOptions, InputError> {
        Ok(ExploreOptions {
            max_hops: self.max_hops,
            parallel_sources: self.parallel_sources,
            ports_per_tor: self.ports_per_tor,
            max_cables: self.max_cables,
            max_tray_percent: self.max_tray_percent,
            max_cost: read_option("max_cost", self.max_cost.as_deref())?,
            case: read_option("case", self.case.as_deref())?,
            rank_by: read_option("rank_by", self.rank_by.as_deref())?,
        })
    }
}

/// Every design for a number of ToRs.
#[pyfunction]
pub(crate) fn explore_designs(
    said: Vec<(String, Said)>,
    design: Option<PathBuf>,
    files: BTreeMap<PathBuf, String>,
    limits: Limits,
    progress: Progress<'_>,
) -> Answer {
    let request = request(progress.py(), said, design, Texts::keeping(files))?;
    let options = limits.options().map_err(|error| errors::input(progress.py(), &error))?;
    let kept = Kept::new();
    let keep = kept.clone();
    let work = move |watch: Watch<'_>| {
        let so_far = |report: ExploreReport| {
            if !report.designs.is_empty() {
                keep.keep(report);
            }
        };
        json(&explore(&request, &options, watch.step().on_part(&so_far))?)
    };
    long(&progress, work, move |py, answer| planned(py, kept.or(answer)))
}

/// The options of `study_unused_ports`, as a dict.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Racks {
    models: Vec<String>,
    rack_units: Vec<u32>,
    oversubscription: Vec<String>,
    server_ports: Vec<String>,
}

/// Ports that racks leave unused.
#[pyfunction]
pub(crate) fn study_unused_ports(
    py: Python<'_>,
    said: Vec<(String, Said)>,
    design: Option<PathBuf>,
    files: BTreeMap<PathBuf, String>,
    racks: Racks,
) -> Answer {
    let request = request(py, said, design, Texts::keeping(files))?;
    let Racks { models, rack_units, oversubscription, server_ports } = racks;
    let options = UnusedOptions { models, rack_units, oversubscription, server_ports };
    ask(&quiet(py), move |_| unused_ports(&request, &options))
}
