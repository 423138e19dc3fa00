//! One run of the twin: an operation of one or several groups, by one schedule.

use lightloom_request::{Error, Field, InputError};
use lightloom_scenario::build::{Run, ScenarioBuilder};
use lightloom_scenario::memory::{Counts, Kept};
use lightloom_scenario::said::{CollectiveRow, GroupRow, Members, Node};
use lightloom_scenario::scenario::Scenario;
use lightloom_sim::bounds;
use lightloom_sim::collectives::members;
use lightloom_sim::ending::Ending;
use lightloom_sim::report::SimulateReport;
use lightloom_sim::run::{check, ideals, run, setup, simulation};
use lightloom_sim::summary::TimesReport;
use lightloom_twin::Outcome;
use lightloom_units::{DataSize, Instant, Span};
use lightloom_watch::Watch;

use crate::contender::Contender;
use crate::ground::Ground;
use crate::question::{Crowd, Question};

/// Time for groups to register, before operations begin.
const SETUP: Span = Span::from_ms(10);
const BEGIN: Instant = Instant::from_ps(SETUP.as_ps());
/// End of a run. One that makes no progress ends long before.
const UNTIL: Instant = Instant::from_s(86_400);
/// Time without progress after which a run is stalled.
const PATIENCE: Span = Span::from_ms(100);

/// What is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Case {
    pub(crate) contender: Contender,
    pub(crate) crowd: Crowd,
    pub(crate) size: DataSize,
}

/// When receivers had all, from the request on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Times {
    pub(crate) first: Span,
    pub(crate) median: Span,
    pub(crate) last: Span,
}

/// What came of a run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Came {
    /// Or why not all receivers had all.
    pub(crate) times: Result<Times, String>,
    /// Messages of one group.
    pub(crate) messages: usize,
    /// What links carried. `None`: several groups ran, or some member lacks a part.
    pub(crate) wire: Option<Wire>,
    /// Time to register the slowest group. `None`: there is none.
    pub(crate) registration: Option<Span>,
}

/// A case that ran.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) case: Case,
    pub(crate) came: Came,
}

/// Bytes over the busiest ports in the whole run, and the time in which anything happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wire {
    pub(crate) link_bytes: u64,
    pub(crate) host_bytes: u64,
    pub(crate) time: Span,
}

impl Case {
    /// Runs it. `None`: the watch stopped it. `at_once` runs share the memory.
    pub(crate) fn run(
        self,
        (question, ground): (&Question, &Ground),
        at_once: usize,
        watch: Watch<'_>,
    ) -> Result<Option<Came>, Error> {
        let scenario = self.scenario(question, ground).map_err(in_option)?;
        // At most one case a thread is held at a time.
        let runs = u32::try_from(at_once).unwrap_or(u32::MAX);
        let kept = Kept { runs, at_once, ..Kept::ONE_RUN };
        let needed = Counts::of(&scenario, false).memory(kept);
        ground.memory.check_option("the run", needed)?;
        let setup = setup(&scenario, scenario.seed, 1, false);
        let simulation = simulation(setup).map_err(|error| InputError::new(error.to_string()))?;
        let outcome = run(&simulation, watch, &|_| {});
        check(&scenario, &outcome)?;
        let report = SimulateReport::new(&scenario, &outcome, &ideals(&scenario));
        bounds::check(&scenario, &outcome, &report)?;
        if report.end.how == Ending::Stopped {
            return Ok(None);
        }
        let registration = report.groups.iter().map(|group| group.registration_ps).max();
        let registration = registration.map(Span::from_ps);
        let one = report.collectives.first();
        let wire = one.and_then(|one| one.wire.as_ref()).and_then(|wire| {
            let after = Instant::from_ps(report.end.reached_ps).checked_since(BEGIN)?;
            let time = after.checked_add(registration.unwrap_or(Span::ZERO))?;
            let (link_bytes, host_bytes) = (wire.link_bytes, wire.host_bytes);
            Some(Wire { link_bytes, host_bytes, time })
        });
        let times = match times(&scenario, &outcome).filter(|_| report.end.good()) {
            None => Err(report.end.why.unwrap_or_else(|| "a member lacks a part".to_owned())),
            Some(_) if registration > Some(SETUP) => {
                Err(format!("its group registers for longer than {}", SETUP))
            }
            Some(times) => Ok(times),
        };
        Ok(Some(Came { times, messages: one.map_or(0, |one| one.messages), wire, registration }))
    }

    /// The scenario of the run.
    fn scenario(self, question: &Question, ground: &Ground) -> Result<Scenario, InputError> {
        let Self { contender, crowd, size } = self;
        let run = Run { seed: ground.seed, until: UNTIL, patience: PATIENCE };
        let (nodes, parameters) = (ground.nodes.clone(), ground.parameters.clone());
        let mut builder = ScenarioBuilder::new(run, parameters, nodes, ground.memory);
        let name = |group: u32| format!("group {group}");
        let hosts = |group: u32| {
            let first = group as usize * crowd.members as usize;
            let hosts = first..first + crowd.members as usize;
            Some(Members::Listed(hosts.map(Node::Host).collect()))
        };
        let of_group = contender.over.of_group();
        if let Some((data, dialect)) = of_group {
            for group in 0..crowd.groups {
                builder.group(&GroupRow {
                    name: Some(name(group)),
                    members: hosts(group),
                    data: Some(data),
                    dialect: Some(dialect),
                    ..GroupRow::default()
                })?;
            }
        }
        for group in 0..crowd.groups {
            builder.collective(&CollectiveRow {
                operation: Some(question.operation),
                schedule: Some(contender.schedule),
                name: Some(name(group)),
                members: if of_group.is_some() { None } else { hosts(group) },
                group: of_group.map(|_| name(group)),
                order: Some(question.order),
                size: Some(size),
                slice: contender.schedule.has_slices().then_some(question.slice),
                start: Some(BEGIN),
                ..CollectiveRow::default()
            })?;
        }
        Ok(builder.build()?.0)
    }
}

/// The refusal of a scenario's field, at the option that the field comes from.
fn in_option(error: InputError) -> InputError {
    let Some(Field::At(at)) = &error.field else { return error };
    let option = match at.field {
        "schedule" | "group" | "data" | "dialect" => "schedules",
        field => field,
    };
    error.in_option(option)
}

/// When all receivers of all groups had all. `None`: one lacks a part.
fn times(scenario: &Scenario, outcome: &Outcome) -> Option<Times> {
    let mut had = Vec::new();
    for one in &scenario.collectives {
        let members = members(scenario, outcome, one.iterations.first()?);
        for member in members.values() {
            had.push(member.received?.checked_since(member.start?)?.as_ps());
        }
    }
    had.sort_unstable();
    let (first, last) = (*had.first()?, *had.last()?);
    let median = TimesReport::of(had)?.p50_ps;
    let [first, median, last] = [first, median, last].map(Span::from_ps);
    Some(Times { first, median, last })
}
