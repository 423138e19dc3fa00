//! Scenarios and what comes of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lightloom::edit::write_files;
use lightloom::twin::{
    Capture, Column, IntervalReport, Light, RESULT_FILES, SimulateOptions, check_results,
    read_columns, read_results, read_scenario, simulate, write_results,
};
use lightloom::{Error, Files, Texts, Watch, read_option};
use numpy::IntoPyArray as _;
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

use crate::asking::json;
use crate::errors;
use crate::given::given;
use crate::long::{Answer, Progress, long, plain};

/// A report as JSON, and the files of a results' folder.
type Results = (String, Files);

/// The files of a results' folder as Python holds them.
fn to_python<'py>(
    py: Python<'py>,
    (report, files): Results,
) -> PyResult<(String, Bound<'py, PyDict>)> {
    let held = PyDict::new(py);
    for (name, bytes) in files {
        held.set_item(name, PyBytes::new(py, &bytes))?;
    }
    Ok((report, held))
}

/// Reads and checks a scenario; answers what it asks for, and the texts of all files that it names. `said` has values
/// in place of some files.
#[pyfunction]
#[pyo3(signature = (path, files, said=None))]
pub(crate) fn look_at_scenario(
    py: Python<'_>,
    path: PathBuf,
    files: BTreeMap<PathBuf, String>,
    said: Option<&Bound<'_, PyDict>>,
) -> PyResult<(String, BTreeMap<PathBuf, String>)> {
    let given = given(said)?;
    let looked = plain(py, move |_| -> Result<_, Error> {
        let texts = Texts::keeping(files).giving(given);
        Ok((json(&read_scenario(&path, &texts)?)?, texts.kept()))
    })?;
    looked.map_err(|error| errors::simulating(py, &error))
}

/// The options of `run_scenario`, as a dict.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct RunOptions {
    threads: Option<usize>,
    seed: Option<u64>,
    light: Option<String>,
    seeds: Option<u32>,
    replica: Option<u32>,
    out: Option<PathBuf>,
    trace: Option<PathBuf>,
    timeline: Option<PathBuf>,
    /// Files and links.
    pcap: Vec<(PathBuf, String)>,
    check: bool,
    alone: bool,
    memory: Option<String>,
}

/// Runs a scenario; answers its report and the files of a results' folder. `said` has values in place of some files.
#[pyfunction]
pub(crate) fn run_scenario(
    path: PathBuf,
    files: BTreeMap<PathBuf, String>,
    options: RunOptions,
    progress: Progress<'_>,
    said: Option<&Bound<'_, PyDict>>,
) -> Answer {
    let texts = Texts::keeping(files).giving(given(said)?);
    let RunOptions {
        threads,
        seed,
        light,
        seeds,
        replica,
        out,
        trace,
        timeline,
        pcap,
        check,
        alone,
        memory,
    } = options;
    let memory = read_option("memory", memory.as_deref());
    let memory = memory.map_err(|error| errors::simulating(progress.py(), &error.into()))?;
    // The package has checked the word.
    let light = light.as_deref().and_then(Light::named);
    let pcap = pcap.into_iter().map(|(file, link)| Capture { file, link }).collect();
    let options = SimulateOptions {
        threads,
        seed,
        light,
        seeds,
        replica,
        trace,
        timeline,
        pcap,
        check,
        alone,
        out: None,
        record: None,
        texts,
        memory,
        keep_files: true,
    };
    let work = move |watch: Watch<'_>| run(&path, &options, out.as_deref(), watch);
    long(&progress, work, |py, answer| {
        to_python(py, answer.map_err(|error| errors::simulating(py, &error))?)?.into_py_any(py)
    })
}

fn run(
    path: &Path,
    options: &SimulateOptions,
    out: Option<&Path>,
    watch: Watch<'_>,
) -> Result<Results, Error> {
    if let Some(out) = out {
        check_results(out)?;
    }
    let simulated = simulate(path, options, watch.step())?;
    let files = simulated.files();
    match out {
        // A stopped run is not written: the caller gets it and decides.
        Some(out) if !watch.is_stopped() => {
            write_results(out, &files, &mut || !watch.is_stopped())?
        }
        _ => {}
    }
    Ok((json(&simulated)?, files))
}

/// The report and the files of a results' folder.
#[pyfunction]
pub(crate) fn read_run<'py>(
    py: Python<'py>,
    folder: PathBuf,
) -> PyResult<(String, Bound<'py, PyDict>)> {
    let files = plain(py, move |_| read_results(&folder))?;
    let files = files.map_err(|error| errors::simulating(py, &error.into()))?;
    let report = files.iter().find(|(name, _)| *name == "report.json");
    let report = report.map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned());
    to_python(py, (report.unwrap_or_default(), files))
}

/// Writes results to a folder in one step.
#[pyfunction]
pub(crate) fn write_run(
    py: Python<'_>,
    folder: PathBuf,
    files: BTreeMap<String, Vec<u8>>,
) -> PyResult<()> {
    let held: Files =
        RESULT_FILES.iter().filter_map(|&name| Some((name, files.get(name)?.clone()))).collect();
    let written = plain(py, move |watch| {
        check_results(&folder)?;
        write_results(&folder, &held, &mut || !watch.is_stopped())
    })?;
    written.map_err(|error| errors::simulating(py, &error))
}

/// Writes files into a folder, which is made if it is not there. Other files of it stay.
#[pyfunction]
pub(crate) fn write_tables(
    py: Python<'_>,
    folder: PathBuf,
    files: BTreeMap<String, Vec<u8>>,
) -> PyResult<()> {
    let files: Vec<(String, Vec<u8>)> = files.into_iter().collect();
    let written = plain(py, move |_| write_files(&folder, &files))?;
    written.map_err(|error| errors::input(py, &error))
}

/// The number, mean and half-width of the 95 % interval of some values; none of no values, and no width of one.
#[pyfunction]
pub(crate) fn interval(values: Vec<f64>) -> Option<(usize, f64, Option<f64>)> {
    let IntervalReport { runs, mean, half_width_95 } = IntervalReport::of(&values)?;
    Some((runs, mean, half_width_95))
}

/// The columns of an Arrow file: NumPy arrays, lists of texts, and for numbers that may be missing
/// a pair of an array and a mask of those that are known.
#[pyfunction]
pub(crate) fn arrow_columns<'py>(
    py: Python<'py>,
    name: String,
    content: Vec<u8>,
) -> PyResult<Bound<'py, PyDict>> {
    let columns = plain(py, move |_| read_columns(&name, &content))?;
    let columns = columns.map_err(|error| errors::simulating(py, &error.into()))?;
    let dict = PyDict::new(py);
    for (name, column) in columns {
        let column = match column {
            Column::U32(values) => values.into_pyarray(py).into_any(),
            Column::U64(values) => values.into_pyarray(py).into_any(),
            Column::F64(values) => values.into_pyarray(py).into_any(),
            Column::KnownU64(values, known) => {
                (values.into_pyarray(py), known.into_pyarray(py)).into_bound_py_any(py)?
            }
            // The same few words many times over.
            Column::Text(texts) => {
                let texts = texts.iter().map(|text| PyString::intern(py, text));
                texts.collect::<Vec<_>>().into_bound_py_any(py)?
            }
        };
        dict.set_item(name, column)?;
    }
    Ok(dict)
}
