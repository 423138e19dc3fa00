//! What the twin refuses of a scenario, at the row that says it. The builder refuses what it can; this is for what only
//! the whole shows.

use lightloom_request::InputError;
use lightloom_twin::{Cast, Service, SetupError};

use crate::said::{
    ChangeRow, CollectiveRow, FailureRow, FlowRow, GroupRow, LossRow, MulticastRow, Place,
    Row as _, SECTIONS, TraceRow,
};
use crate::scenario::{Collective, Rows, Scenario};

/// The refusal of a scenario by the twin, with the field of its row.
pub fn refusal(scenario: &Scenario, error: &SetupError) -> InputError {
    let message = error.to_string();
    let (place, field) = place(scenario, error);
    place.refuse(field, message)
}

fn place(scenario: &Scenario, error: &SetupError) -> (Place, &'static str) {
    let rows = &scenario.rows;
    match *error {
        SetupError::Parameter { name, .. } => of_parameter(name),
        SetupError::Elsewhere { flow, .. } | SetupError::Ring(flow) => {
            let casts = scenario.multicast.casts.len();
            match flow.checked_sub(scenario.flows.len()) {
                None => (rows.of_flow(flow), "after"),
                Some(cast) if cast < casts => (rows.of_cast(cast), "after"),
                Some(other) => (of_computation(scenario, other - casts), "compute"),
            }
        }
        SetupError::Connection { flow, .. } => (rows.of_flow(flow), "connection"),
        SetupError::LateChange { group, .. } => rows.of_change(group, "at"),
        SetupError::Value { what: "group", number, field: "changes", .. } => {
            rows.of_change(number, "group")
        }
        // A message from a host that has left, or has not joined yet.
        SetupError::Value { what: "group", number, field: "casts", .. } => {
            (rows.of_cast(foreign_cast(scenario, number)), "from")
        }
        SetupError::Value { what: "group", number, field, .. } => (rows.of_group(number), field),
        SetupError::Value { what: "cast", number, field, .. } => (rows.of_cast(number), field),
        SetupError::Value { what: "flow", number, field, .. } => (rows.of_flow(number), field),
        SetupError::Value { what: "storm", number, field, .. } => {
            let is_row = number < rows.failures;
            (if is_row { FailureRow::place_of(number) } else { Place::ROOT }, field)
        }
        SetupError::Value { number, field, .. } => {
            let is_row = number < rows.losses;
            (if is_row { LossRow::place_of(number) } else { Place::ROOT }, field)
        }
        SetupError::NoHost { what: "cast", number, .. }
        | SetupError::NoSuch { what: "cast", number, .. } => (rows.of_cast(number), "group"),
        SetupError::NoHost { number, .. } | SetupError::NoSuch { number, .. } => {
            (rows.of_flow(number), "from")
        }
        SetupError::Buffer(_) | SetupError::Reserved(_) => (Place::ROOT, "parameters"),
        SetupError::TooMany { what, .. }
        | SetupError::Twice { what, .. }
        | SetupError::NoSwitch { what, .. }
        | SetupError::NoPort { what, .. } => (Place::ROOT, what),
    }
}

/// The field of a parameter, by its name in the twin such as `wire.mtu`.
fn of_parameter(name: &'static str) -> (Place, &'static str) {
    let (section, field) = name.split_once('.').unwrap_or(("", name));
    let is_it = |known: &str| known.strip_prefix("parameters.") == Some(section);
    match SECTIONS.iter().find(|known| is_it(known.name)) {
        Some(known) => (Place { section: known.name, number: None }, field),
        None => (Place::ROOT, name),
    }
}

/// The row of a computation.
fn of_computation(scenario: &Scenario, number: usize) -> Place {
    let computes =
        |one: &Collective| one.iterations.iter().any(|time| time.computations.contains(&number));
    if let Some(row) = scenario.collectives.iter().position(computes) {
        return CollectiveRow::place_of(row);
    }
    let row = scenario.traces.iter().position(|trace| trace.computations.contains(&number));
    row.map_or(Place::ROOT, TraceRow::place_of)
}

/// The first message to a group whose sender is no member when it sends; else the first message to it.
fn foreign_cast(scenario: &Scenario, group: usize) -> usize {
    let casts = &scenario.multicast.casts;
    let is_of_group = |cast: &Cast| cast.to.0 as usize == group;
    let is_foreign = |cast: &Cast| is_of_group(cast) && !is_member(scenario, cast);
    casts.iter().position(is_foreign).or(casts.iter().position(is_of_group)).unwrap_or(0)
}

/// Whether the sender of a message is a member when it sends.
fn is_member(scenario: &Scenario, cast: &Cast) -> bool {
    let group = &scenario.multicast.groups[cast.to.0 as usize];
    let Service::Reliable(service) = &group.service else { return true };
    let before = service.changes.iter().filter(|change| change.at <= cast.start);
    let last = before.filter(|change| change.host == cast.from).max_by_key(|change| change.at);
    last.map_or_else(|| group.members.contains(&cast.from), |change| change.joins)
}

impl Rows {
    /// The row of a flow; the scenario where a pattern made it.
    fn of_flow(&self, number: usize) -> Place {
        if number < self.flows {
            return FlowRow::place_of(number);
        }
        let of_collective = || self.collectives.of_flow(number).map(CollectiveRow::place_of);
        let of_trace = || {
            let row = self.traces.iter().position(|(flows, _)| flows.contains(&number));
            row.map(TraceRow::place_of)
        };
        of_trace().or_else(of_collective).unwrap_or(Place::ROOT)
    }

    /// The row of a message to a group.
    fn of_cast(&self, number: usize) -> Place {
        let row = self.casts.partition_point(|end| *end <= number);
        if row < self.casts.len() {
            return MulticastRow::place_of(row);
        }
        let of_trace = || {
            let row = self.traces.iter().position(|(_, casts)| casts.contains(&number));
            row.map(TraceRow::place_of)
        };
        let of_collective = || self.collectives.of_cast(number).map(CollectiveRow::place_of);
        of_trace().or_else(of_collective).unwrap_or(Place::ROOT)
    }

    /// The number of the `[[group]]` of a group.
    fn group(&self, number: usize) -> usize {
        self.groups.partition_point(|end| *end <= number)
    }

    fn of_group(&self, number: usize) -> Place {
        let row = self.group(number);
        if row < self.groups.len() { GroupRow::place_of(row) } else { Place::ROOT }
    }

    /// The last row that changes the members of a group; else the row of the group, at its members.
    fn of_change(&self, number: usize, field: &'static str) -> (Place, &'static str) {
        let row = self.group(number);
        match self.changes.iter().rposition(|of| *of == row) {
            Some(change) => (ChangeRow::place_of(change), field),
            None => (self.of_group(number), "members"),
        }
    }
}
