//! Many questions to a project at once.

use std::sync::Arc;

use arrow_array::{BooleanArray, Float64Array, StringArray, UInt32Array, UInt64Array};
use lightloom::failures::{
    FailureSet, Losses, RecoverFigures, RecoverReport, SetFigures, States, impacts, lost_pairs,
    recoveries, recovery_method, single_failures,
};
use lightloom::plan::trees;
use lightloom::{Error, InputError, Project, TorId, Watch};
use numpy::{IntoPyArray as _, PyArray2, PyArrayMethods as _};
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;

use crate::asking::json;
use crate::errors;
use crate::keywords::Keywords;
use crate::long::{Answer, Progress, long, planning};
use crate::table::{Batch, Columns, column};

/// Texts of failure sets.
fn sets(project: &Project, texts: &[String]) -> Result<Vec<FailureSet>, InputError> {
    let set = |(at, text): (usize, &String)| {
        FailureSet::parse(project, text).map_err(|error| {
            let message = format!("set {at}: {}", error.in_words(&Keywords));
            InputError::new(message).in_option("failed")
        })
    };
    texts.iter().enumerate().map(set).collect()
}

fn table<'py, T: numpy::Element>(
    py: Python<'py>,
    values: Vec<T>,
    shape: [usize; 2],
) -> PyResult<Bound<'py, PyArray2<T>>> {
    values.into_pyarray(py).reshape(shape)
}

/// For each source, its relay row and the hops to each ToR. There are fewer rows if the work was stopped.
pub(crate) fn many_trees(
    project: &Arc<Project>,
    sources: Option<Vec<u32>>,
    progress: &Progress<'_>,
) -> Answer {
    let project = Arc::clone(project);
    let (tors, cassettes) = (project.fabric().tors(), project.fabric().cassettes());
    let work = move |watch: Watch<'_>| {
        let sources: Vec<TorId> = match sources {
            Some(sources) => sources.into_iter().map(TorId).collect(),
            None => project.fabric().tor_ids().collect(),
        };
        trees(&project, &sources, watch)
    };
    long(progress, work, move |py, made| {
        let made = made.map_err(|error| errors::planning(py, &error))?;
        let done = made.hops.len() / tors;
        let rows = table(py, made.relay_rows, [done, cassettes])?;
        (rows, table(py, made.hops, [done, tors])?).into_py_any(py)
    })
}

/// The standard texts of the failure sets, the losses by set and source, and the sources that cannot transmit by set.
/// There are fewer rows of losses than texts if the work was stopped.
pub(crate) fn many_impacts(
    project: &Arc<Project>,
    failed: Vec<String>,
    progress: &Progress<'_>,
) -> Answer {
    let project = Arc::clone(project);
    let work = move |watch: Watch<'_>| -> Result<_, Error> {
        let failed = sets(&project, &failed)?;
        let losses = impacts(&project, &failed, watch)?;
        let names: Vec<Vec<String>> = failed.iter().map(FailureSet::names).collect();
        Ok((names, losses))
    };
    long(progress, work, |py, made| {
        let (names, losses) = made.map_err(|error| errors::planning(py, &error))?;
        let batch = Batch::of(py, losses_by_set(&names, &losses))?;
        let Losses { tors, lost, failed_sources } = losses;
        let silent = failed_sources.into_iter();
        let silent: Vec<Vec<u32>> =
            silent.map(|set| set.into_iter().map(|tor| tor.0).collect()).collect();
        (names, table(py, lost, [silent.len(), tors])?, silent, batch).into_py_any(py)
    })
}

/// A row for each set that is done.
fn losses_by_set(names: &[Vec<String>], losses: &Losses) -> Columns {
    let figures = losses.figures();
    let count =
        |of: fn(&SetFigures) -> u64| column(UInt64Array::from_iter_values(figures.iter().map(of)));
    let failed = names.iter().take(figures.len()).map(|names| names.join(","));
    let unaffected = figures.iter().map(|set| set.unaffected_fraction);
    vec![
        ("failed", column(StringArray::from_iter_values(failed))),
        ("failed_sources", count(|set| set.failed_sources)),
        ("sources_hit", count(|set| set.sources_hit)),
        ("lost_pairs", count(|set| set.lost_pairs)),
        ("most_lost", count(|set| set.most_lost)),
        ("unaffected_fraction", column(Float64Array::from_iter_values(unaffected))),
    ]
}

/// The pairs of source and ToR that failures separate.
pub(crate) fn pairs<'py>(
    py: Python<'py>,
    project: &Arc<Project>,
    failed: String,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let project = Arc::clone(project);
    let pairs = planning(py, move |watch| -> Result<_, Error> {
        lost_pairs(&project, &FailureSet::parse(&project, &failed)?, watch)
    })?;
    let numbers: Vec<u32> = pairs.iter().flat_map(|(source, tor)| [source.0, tor.0]).collect();
    table(py, numbers, [pairs.len(), 2])
}

/// The texts of all single failures, in the order of their repairs.
pub(crate) fn texts_of_singles(project: &Project) -> Vec<String> {
    single_failures(project).iter().flat_map(|set| set.names()).collect()
}

/// A table of the recoveries that are done, and for each its report as JSON, or the exception of its refusal.
pub(crate) fn many_recoveries(
    project: &Arc<Project>,
    failed: Vec<String>,
    (method, objective): (Option<String>, Option<String>),
    rollout: bool,
    progress: &Progress<'_>,
) -> Answer {
    let project = Arc::clone(project);
    let states = if rollout { States::All } else { States::Final };
    let work = move |watch: Watch<'_>| -> Result<_, Error> {
        let method = recovery_method(method.as_deref(), objective.as_deref())?;
        let failed = sets(&project, &failed)?;
        let done = recoveries(&project, &failed, method, states, watch)?;
        let names = failed.iter().map(|set| set.names().join(",")).collect::<Vec<_>>();
        let json = |answer: Result<RecoverReport, Error>| {
            answer.and_then(|report| Ok((report.figures(), json(&report)?)))
        };
        Ok((names, done.into_iter().map(json).collect::<Vec<_>>()))
    };
    long(progress, work, |py, made| {
        let (names, done) = made.map_err(|error| errors::planning(py, &error))?;
        let figures: Vec<_> =
            done.iter().map(|one| one.as_ref().ok().map(|(figures, _)| figures.clone())).collect();
        let refused = done.iter().map(|one| one.as_ref().err().map(in_words));
        let batch = Batch::of(py, columns(&names, &figures, refused.collect()))?;
        let each = done.into_iter().map(|one| match one {
            Ok((_, text)) => text.into_py_any(py),
            Err(error) => errors::planning(py, &error).into_value(py).into_py_any(py),
        });
        let each = each.collect::<PyResult<Vec<_>>>()?;
        (names, batch, each).into_py_any(py)
    })
}

/// A refusal, with keywords for flags.
fn in_words(error: &Error) -> String {
    match error {
        Error::Input(error) => error.in_words(&Keywords),
        error => error.to_string(),
    }
}

/// The figures of recoveries; null where one was refused.
fn columns(names: &[String], done: &[Option<RecoverFigures>], refused: StringArray) -> Columns {
    let count = |of: fn(&RecoverFigures) -> usize| {
        let count = |one: &Option<RecoverFigures>| one.as_ref().map(|one| of(one) as u64);
        column(done.iter().map(count).collect::<UInt64Array>())
    };
    let restored = done.iter().map(|one| one.as_ref().map(|one| one.restored));
    let hops = done.iter().map(|one| one.as_ref().map(|one| one.max_hops));
    vec![
        ("failed", column(StringArray::from_iter_values(&names[..done.len()]))),
        ("restored", column(restored.collect::<BooleanArray>())),
        ("failed_sources", count(|one| one.failed_sources)),
        ("stand_ins", count(|one| one.stand_ins)),
        ("incomplete_sources", count(|one| one.incomplete_sources)),
        ("rules_to_add", count(|one| one.rules_to_add)),
        ("rules_to_delete", count(|one| one.rules_to_delete)),
        ("max_hops", column(hops.collect::<UInt32Array>())),
        ("parallel_sources", count(|one| one.parallel_sources)),
        ("refused", column(refused)),
    ]
}
