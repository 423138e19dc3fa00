//! One run of the twin: an operation of one or several groups, by one schedule.

use lightloom_request::{Error, Field, InputError};
use lightloom_scenario::build::{ScenarioBuilder, refusal};
use lightloom_scenario::memory::{Counts, Kept};
use lightloom_scenario::said::{CollectiveRow, GroupRow, Members, Node};
use lightloom_scenario::scenario::{Collective, Scenario};
use lightloom_schedules::Operation;
use lightloom_sim::bounds;
use lightloom_sim::collectives::{WireReport, members};
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
    /// The times beside the messages of others, or why not all receivers had all. `None`: there are none.
    pub(crate) beside: Option<Result<Times, String>>,
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
    /// Runs it, alone and beside others. `None`: the watch stopped it. `at_once` runs share the memory.
    pub(crate) fn run(
        self,
        asked: (&Question, &Ground),
        at_once: usize,
        watch: Watch<'_>,
    ) -> Result<Option<Came>, Error> {
        let (_, ground) = asked;
        let Some(alone) = self.one(asked, &ground.alone, at_once, watch)? else { return Ok(None) };
        let Some(others) = &ground.beside else { return Ok(Some(alone)) };
        let beside = self.one(asked, others, at_once, watch)?;
        Ok(beside.map(|beside| Came { beside: Some(beside.times), ..alone }))
    }

    fn one(
        self,
        (question, ground): (&Question, &Ground),
        base: &ScenarioBuilder,
        at_once: usize,
        watch: Watch<'_>,
    ) -> Result<Option<Came>, Error> {
        let (others, before) = base.messages();
        let scenario = self.scenario(question, ground.begin, base.clone()).map_err(in_option)?;
        // At most one case a thread is held at a time.
        let runs = u32::try_from(at_once).unwrap_or(u32::MAX);
        let kept = Kept { runs, at_once, ..Kept::ONE_RUN };
        let needed = Counts::of(&scenario, false).memory(kept);
        ground.memory.check_option("the run", needed)?;
        let setup = setup(&scenario, scenario.seed, 1, false);
        let simulation =
            simulation(setup).map_err(|error| in_option(refusal(&scenario, &error)))?;
        let outcome = run(&simulation, watch, &|_| {});
        check(&scenario, &outcome)?;
        let report = SimulateReport::new(&scenario, &outcome, &ideals(&scenario));
        bounds::check(&scenario, &outcome, &report)?;
        if report.end.how == Ending::Stopped {
            return Ok(None);
        }
        let registration = self.registration(&report);
        let setup = ground.begin.checked_since(Instant::ZERO).unwrap_or(Span::ZERO);
        let one = report.collectives.get(before);
        let after = Instant::from_ps(report.end.reached_ps).checked_since(ground.begin);
        let wire = one.and_then(|one| {
            let WireReport { link_bytes, host_bytes, .. } = *one.wire.as_ref()?;
            // Nothing happens between the registration and the beginning.
            let time = after?.checked_add(registration.unwrap_or(Span::ZERO))?;
            Some(Wire { link_bytes, host_bytes, time })
        });
        let times = times(&scenario.collectives[before..], &scenario, &outcome);
        // Whether messages of others fail is not asked.
        let times = match times.filter(|_| others > 0 || report.end.good()) {
            Some(_) if registration > Some(setup) => {
                Err(format!("its group registers for longer than {setup}"))
            }
            Some(times) => Ok(times),
            None => Err(report.end.why.unwrap_or_else(|| "a member lacks a part".to_owned())),
        };
        let messages = one.map_or(0, |one| one.messages);
        Ok(Some(Came { times, messages, wire, registration, beside: None }))
    }

    /// Time to register the slowest of its groups, which are the last of the scenario. `None`: it has none.
    fn registration(self, report: &SimulateReport) -> Option<Span> {
        self.contender.over.of_group()?;
        let own = report.groups.iter().rev().take(self.crowd.groups as usize);
        own.map(|group| group.registration_ps).max().map(Span::from_ps)
    }

    /// The scenario of the run.
    fn scenario(
        self,
        question: &Question,
        begin: Instant,
        mut builder: ScenarioBuilder,
    ) -> Result<Scenario, InputError> {
        let Self { contender, crowd, size } = self;
        let name = |group: u32| format!("{GROUP} {group}");
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
            builder.collective(
                &CollectiveRow {
                    operation: Some(question.operation),
                    schedule: Some(contender.schedule),
                    name: Some(name(group)),
                    members: if of_group.is_some() { None } else { hosts(group) },
                    group: of_group.map(|_| name(group)),
                    order: Some(question.order),
                    size: Some(size),
                    slice: question.slice.filter(|_| contender.schedule.has_slices()),
                    start: Some(begin),
                    shards: (question.operation == Operation::Refresh).then_some(question.shards),
                    ..CollectiveRow::default()
                },
                None,
            )?;
        }
        Ok(builder.build()?.0)
    }
}

/// What the groups and operations of a question are called, so that none is called as one of a scenario.
const GROUP: &str = "members of the question";

/// The refusal of a scenario's field, at the option that the field comes from.
fn in_option(error: InputError) -> InputError {
    let Some(Field::At(at)) = &error.field else { return error };
    let option = match at.field {
        "schedule" | "group" | "data" | "dialect" => "schedules",
        field => field,
    };
    error.in_option(option)
}

/// When all receivers of these operations had all. `None`: one lacks a part.
fn times(own: &[Collective], scenario: &Scenario, outcome: &Outcome) -> Option<Times> {
    let mut had = Vec::new();
    for one in own {
        let members = members(scenario, outcome, (one, one.iterations.first()?));
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
