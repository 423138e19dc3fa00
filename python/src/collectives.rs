//! Questions about collective operations on a design.

use std::collections::BTreeMap;
use std::path::PathBuf;

use lightloom::twin::{CollectiveOn, CollectiveOptions, Operation, Order, collective};
use lightloom::units::{BitRate, DataSize, Length, Span};
use lightloom::{Error, InputError, Texts, Watch, read_option};
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::asking::json;
use crate::errors;
use crate::given::given;
use crate::long::{Answer, Progress, long};
use crate::project::Project;

/// What is asked, as a dict. What is `None` is not said.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Asked {
    operation: String,
    size: Option<String>,
    members: Vec<u32>,
    groups: Vec<u32>,
    schedules: Vec<String>,
    simulate_up_to: Option<String>,
    order: Option<String>,
    slice: Option<String>,
    shards: Option<u32>,
    start: Option<String>,
    hosts_per_tor: Option<u32>,
    spines: Option<u32>,
    link_rate: Option<String>,
    link_length: Option<String>,
    seed: Option<u64>,
    threads: Option<usize>,
}

/// The fastest schedule of a collective operation.
#[pyfunction]
pub(crate) fn fastest_schedules(
    project: PyRef<'_, Project>,
    asked: Asked,
    progress: Progress<'_>,
) -> Answer {
    let options = asked.options().map_err(|error| errors::input(progress.py(), &error))?;
    project.ask(&progress, move |project, watch| collective(project, &options, watch))
}

/// The fastest schedule of a collective operation on the network of a scenario, alone and beside its messages.
#[pyfunction]
pub(crate) fn fastest_beside(
    path: PathBuf,
    files: BTreeMap<PathBuf, String>,
    asked: Asked,
    progress: Progress<'_>,
    said: Option<&Bound<'_, PyDict>>,
) -> Answer {
    let texts = Texts::keeping(files).giving(given(said)?);
    let options = asked.options();
    let options = options.map_err(|error| errors::simulating(progress.py(), &error.into()))?;
    let question = move |watch: Watch<'_>| {
        json(&collective(CollectiveOn::Scenario(&path, &texts), &options, watch)?)
    };
    long(&progress, question, |py, answer: Result<String, Error>| {
        answer.map_err(|error| errors::simulating(py, &error))?.into_py_any(py)
    })
}

impl Asked {
    fn options(self) -> Result<CollectiveOptions, InputError> {
        let operation = word("operation", &self.operation, Operation::named, &Operation::names())?;
        let usual = CollectiveOptions::new(operation);
        let order = match &self.order {
            Some(order) => word("order", order, Order::named, &Order::names())?,
            None => usual.order,
        };
        let up_to: Option<DataSize> =
            read_option("simulate_up_to", self.simulate_up_to.as_deref())?;
        let slice: Option<DataSize> = read_option("slice", self.slice.as_deref())?;
        let link_rate: Option<BitRate> = read_option("link_rate", self.link_rate.as_deref())?;
        let link_length: Option<Length> = read_option("link_length", self.link_length.as_deref())?;
        let start: Option<Span> = read_option("start", self.start.as_deref())?;
        Ok(CollectiveOptions {
            operation,
            schedules: self.schedules,
            size: self.size.unwrap_or(usual.size),
            simulate_up_to: up_to.unwrap_or(usual.simulate_up_to),
            members: self.members,
            groups: if self.groups.is_empty() { usual.groups } else { self.groups },
            order,
            slice,
            shards: self.shards.unwrap_or(usual.shards),
            start: start.unwrap_or(usual.start),
            hosts_per_tor: self.hosts_per_tor,
            spines: self.spines,
            link_rate,
            link_length,
            seed: self.seed,
            memory: None,
            threads: self.threads,
        })
    }
}

/// What a word names.
fn word<T>(
    field: &'static str,
    said: &str,
    named: fn(&str) -> Option<T>,
    words: &[&str],
) -> Result<T, InputError> {
    named(said).ok_or_else(|| {
        let message = format!("found {said:?}; expected one of {}", words.join(", "));
        InputError::new(message).in_option(field)
    })
}
