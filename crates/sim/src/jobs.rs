//! Jobs in the report of a run: collective operations that go one after the other, and round again.

use lightloom_scenario::scenario::{Job, Scenario};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::collectives::{CollectiveReport, IterationReport};
use crate::summary::TimesReport;

/// A job of several collective operations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JobReport {
    /// Its name.
    pub name: String,
    /// Number of its operations.
    pub operations: usize,
    /// Number of times that it runs.
    pub rounds: usize,
    /// Number of times that all members of all operations had all.
    pub completed: usize,
    /// From the first request or computation of a time until the last member of all operations had all, over these
    /// times.
    pub completion: Option<TimesReport>,
    /// From the first request of all times until the last member had all, in picoseconds. `None`: it did not complete
    /// each time.
    pub total_ps: Option<u64>,
    /// The same times without all other messages of the scenario. `None`: that was not asked for, or a stop came
    /// before.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub alone: Option<AloneReport>,
}

/// A job without all other messages of its scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AloneReport {
    /// Number of times that all members of all operations had all.
    pub completed: usize,
    /// As in the report of the job.
    pub completion: Option<TimesReport>,
    /// As in the report of the job.
    pub total_ps: Option<u64>,
}

/// Begin and end of an operation, in picoseconds.
fn span(time: &IterationReport) -> Option<(u64, u64)> {
    let start = time.start_ps?;
    Some((start, start.saturating_add(time.last_ps?)))
}

/// From the first begin to the last end. `None`: one of them is not over.
fn over(spans: impl Iterator<Item = Option<(u64, u64)>>) -> Option<u64> {
    let spans: Vec<(u64, u64)> = spans.collect::<Option<_>>()?;
    let begin = spans.iter().map(|(begin, _)| *begin).min()?;
    Some(spans.iter().map(|(_, end)| *end).max()? - begin)
}

impl JobReport {
    /// The jobs that ran alone too.
    pub fn both(jobs: &[Self]) -> Vec<Self> {
        jobs.iter().filter(|job| job.alone.is_some()).cloned().collect()
    }

    /// Enters what the job took alone.
    pub fn enter_alone(&mut self, alone: &Self) {
        let Self { completed, completion, total_ps, .. } = *alone;
        self.alone = Some(AloneReport { completed, completion, total_ps });
    }

    /// How many times as long its mean time is beside others. `None`: it did not complete each time, in one of the two.
    pub fn times_as_long(&self) -> Option<f64> {
        let alone = self.alone.as_ref().filter(|alone| alone.completed == self.rounds)?;
        let beside = self.completion.filter(|_| self.completed == self.rounds)?;
        let alone = alone.completion.filter(|times| times.mean_ps > 0)?;
        Some(beside.mean_ps as f64 / alone.mean_ps as f64)
    }

    /// The jobs of a run, in order. `operations` are the reports of all operations.
    pub fn all(scenario: &Scenario, operations: &[CollectiveReport]) -> Vec<Self> {
        scenario
            .jobs
            .iter()
            .map(|job| Self::new(job, &operations[job.operations.clone()]))
            .collect()
    }

    fn new(job: &Job, operations: &[CollectiveReport]) -> Self {
        let rounds = operations.first().map_or(0, |one| one.times.len());
        let of_round = |round: usize| over(operations.iter().map(|one| span(&one.times[round])));
        let taken: Vec<Option<u64>> = (0..rounds).map(of_round).collect();
        let completion = TimesReport::of(taken.iter().copied().flatten().collect());
        Self {
            name: job.name.clone(),
            operations: operations.len(),
            rounds,
            completed: completion.map_or(0, |times| times.count),
            completion,
            total_ps: over(operations.iter().flat_map(|one| one.times.iter().map(span))),
            alone: None,
        }
    }
}
