//! Questions that are asked of no opened design.

use std::collections::BTreeMap;
use std::path::PathBuf;

use lightloom::designs::{
    ExploreOptions, ExploreReport, UnusedOptions, explore, new_design, unused_ports,
};
use lightloom::growth::{GrowOptions, ShrinkOptions};
use lightloom::plan::verify_folder;
use lightloom::report::ReportOptions;
use lightloom::{InputError, Texts, Watch, read_option};
use pyo3::prelude::*;

use crate::asking::{ask, json, planned};
use crate::errors;
use crate::kept::Kept;
use crate::long::long;
use crate::project::Project;
use crate::requests::{Said, request, within};

/// Checks the plan in a folder.
#[pyfunction]
#[pyo3(signature = (folder, memory, progress=None))]
pub(crate) fn verify(
    py: Python<'_>,
    folder: PathBuf,
    memory: Option<String>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<PyAny>> {
    ask(py, progress, move |watch| verify_folder(within(&folder, memory.as_deref())?, watch))
}

/// The report of the plan in a folder, as a text of HTML, and whether the plan is good. `design` is the project that it
/// was made from.
#[pyfunction]
#[pyo3(signature = (folder, design, date, memory, progress=None))]
pub(crate) fn report(
    py: Python<'_>,
    folder: PathBuf,
    design: Option<PyRef<'_, Project>>,
    date: Option<String>,
    memory: Option<String>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<PyAny>> {
    let options = ReportOptions { date, design: design.map(|design| design.cloned()) };
    let question = move |watch: Watch<'_>| {
        lightloom::report::report(within(&folder, memory.as_deref())?, &options, watch)
    };
    long(py, progress, question, planned)
}

/// The drawings of the plan in a folder, as a text of HTML.
#[pyfunction]
pub(crate) fn draw(py: Python<'_>, folder: PathBuf, memory: Option<String>) -> PyResult<Py<PyAny>> {
    let question =
        move |watch: Watch<'_>| lightloom::report::draw(within(&folder, memory.as_deref())?, watch);
    long(py, None, question, planned)
}

/// Grows the plan in a folder.
#[pyfunction]
#[pyo3(signature = (folder, tors, phases, pin, most_moves, inventory, out, memory, progress=None))]
#[allow(clippy::too_many_arguments, reason = "the package hands on each keyword")]
pub(crate) fn grow(
    py: Python<'_>,
    folder: PathBuf,
    tors: Option<usize>,
    phases: Vec<usize>,
    pin: String,
    most_moves: Option<usize>,
    inventory: Option<PathBuf>,
    out: Option<PathBuf>,
    memory: Option<String>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<PyAny>> {
    let options = GrowOptions { tors, phases, pin, most_moves };
    ask(py, progress, move |watch| {
        let plan = within(&folder, memory.as_deref())?;
        lightloom::growth::grow(plan, &options, inventory.as_deref(), out.as_deref(), watch)
    })
}

/// Takes ToRs out of the plan in a folder.
#[pyfunction]
#[pyo3(signature = (folder, tors, racks, out, memory, progress=None))]
pub(crate) fn shrink(
    py: Python<'_>,
    folder: PathBuf,
    tors: Option<usize>,
    racks: Option<String>,
    out: Option<PathBuf>,
    memory: Option<String>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<PyAny>> {
    let options = ShrinkOptions { tors, racks };
    ask(py, progress, move |watch| {
        let plan = within(&folder, memory.as_deref())?;
        lightloom::growth::shrink(plan, &options, out.as_deref(), watch)
    })
}

/// Takes a returned sheet into the plan in a folder.
#[pyfunction]
#[pyo3(signature = (folder, returned, out, memory, progress=None))]
pub(crate) fn take_as_built(
    py: Python<'_>,
    folder: PathBuf,
    returned: PathBuf,
    out: Option<PathBuf>,
    memory: Option<String>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<PyAny>> {
    ask(py, progress, move |watch| {
        let plan = within(&folder, memory.as_deref())?;
        lightloom::as_built::take_as_built(plan, &returned, out.as_deref(), watch)
    })
}

/// The form that crews fill in and return, as the bytes of a CSV file.
#[pyfunction]
pub(crate) fn as_built_form(
    py: Python<'_>,
    folder: PathBuf,
    memory: Option<String>,
) -> PyResult<Py<PyAny>> {
    let question = move |watch: Watch<'_>| {
        lightloom::as_built::as_built_form(within(&folder, memory.as_deref())?, watch)
    };
    long(py, None, question, planned)
}

/// Writes a commented design file.
#[pyfunction]
#[pyo3(signature = (said, out, progress=None))]
pub(crate) fn write_design(
    py: Python<'_>,
    said: Vec<(String, Said)>,
    out: PathBuf,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<PyAny>> {
    let request = request(py, said, None, Texts::default())?;
    ask(py, progress, move |watch| new_design(&request, &out, watch))
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
#[pyo3(signature = (said, design, files, limits, progress=None))]
pub(crate) fn explore_designs(
    py: Python<'_>,
    said: Vec<(String, Said)>,
    design: Option<PathBuf>,
    files: BTreeMap<PathBuf, String>,
    limits: Limits,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<PyAny>> {
    let request = request(py, said, design, Texts::keeping(files))?;
    let options = limits.options().map_err(|error| errors::input(py, &error))?;
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
    long(py, progress, work, move |py, answer| planned(py, kept.or(answer)))
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
) -> PyResult<Py<PyAny>> {
    let request = request(py, said, design, Texts::keeping(files))?;
    let Racks { models, rack_units, oversubscription, server_ports } = racks;
    let options = UnusedOptions { models, rack_units, oversubscription, server_ports };
    ask(py, None, move |_| unused_ports(&request, &options))
}
