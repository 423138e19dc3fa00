//! What the twin refuses of a scenario, at the row that says it. The readers refuse what they can; this is for what
//! only the whole shows.

use std::path::Path;

use lightloom_request::InputError;
use lightloom_sim::scenario::Scenario;
use lightloom_twin::{Cast, Service, SetupError};

use crate::rows::{Document, Row};

/// The refusal of a scenario by the twin, with file, line and field.
pub fn refusal(scenario: &Scenario, error: &SetupError) -> InputError {
    let plain = || InputError::new(error.to_string());
    let Some((path, text)) = scenario.files.first() else { return plain() };
    located(scenario, (path, text), error).unwrap_or_else(|_| plain().in_file(path))
}

fn located(
    scenario: &Scenario,
    (path, text): (&Path, &str),
    error: &SetupError,
) -> Result<InputError, InputError> {
    let document = Document::parse(path, text)?;
    let root = document.root();
    let message = error.to_string();
    let flows = scenario.flows.len();
    let of_message = |number: usize, field: &str| match number.checked_sub(flows) {
        None => of_flow(&root, number, field, &message),
        Some(cast) => of_cast(&root, cast, field, &message),
    };
    match *error {
        SetupError::Parameter { name, .. } => {
            let (section, field) = name.split_once('.').unwrap_or(("", name));
            let parameters = root.table("parameters", "parameters")?;
            let Some(parameters) = parameters else { return Ok(root.refuse(name, message)) };
            let row = parameters.table(section, section)?;
            Ok(row.map_or_else(
                || parameters.refuse(name, &message),
                |row| row.refuse(field, &message),
            ))
        }
        SetupError::Elsewhere { flow, .. } | SetupError::Ring(flow) => of_message(flow, "after"),
        SetupError::Connection { flow, .. } => of_flow(&root, flow, "connection", &message),
        SetupError::LateChange { group, .. } => of_change(scenario, &root, (group, "at"), &message),
        SetupError::Value { what: "group", number, field: "changes", .. } => {
            of_change(scenario, &root, (number, "group"), &message)
        }
        // A message from a host that has left, or has not joined yet.
        SetupError::Value { what: "group", number, field: "casts", .. } => {
            let is_of_group = |cast: &Cast| cast.to.0 as usize == number;
            let is_foreign = |cast: &Cast| is_of_group(cast) && !is_member(scenario, cast);
            let casts = &scenario.multicast.casts;
            let cast = casts.iter().position(is_foreign).or(casts.iter().position(is_of_group));
            of_cast(&root, cast.unwrap_or(0), "from", &message)
        }
        SetupError::Value { what: "group", number, field, .. } => {
            of_group(scenario, &root, (number, field), &message)
        }
        SetupError::Value { what: "cast", number, field, .. } => {
            of_cast(&root, number, field, &message)
        }
        SetupError::Value { what: "flow", number, field, .. } => {
            of_flow(&root, number, field, &message)
        }
        SetupError::Value { what, number, field, .. } => {
            let rows = root.tables(if what == "storm" { "failure" } else { "loss" })?;
            Ok(rows.get(number).unwrap_or(&root).refuse(field, message))
        }
        SetupError::NoHost { what: "cast", number, .. }
        | SetupError::NoSuch { what: "cast", number, .. } => {
            of_cast(&root, number, "group", &message)
        }
        SetupError::NoHost { number, .. } | SetupError::NoSuch { number, .. } => {
            of_flow(&root, number, "from", &message)
        }
        SetupError::Buffer(_) | SetupError::Reserved(_) => Ok(root.refuse("parameters", message)),
        SetupError::TooMany { what, .. } | SetupError::Twice { what, .. } => {
            Ok(root.refuse(what, message))
        }
        SetupError::NoSwitch { what, .. } | SetupError::NoPort { what, .. } => {
            Ok(root.refuse(what, message))
        }
    }
}

/// Whether the sender of a message is a member when it sends.
fn is_member(scenario: &Scenario, cast: &Cast) -> bool {
    let group = &scenario.multicast.groups[cast.to.0 as usize];
    let Service::Reliable(service) = &group.service else { return true };
    let before = service.changes.iter().filter(|change| change.at <= cast.start);
    let last = before.filter(|change| change.host == cast.from).max_by_key(|change| change.at);
    last.map_or_else(|| group.members.contains(&cast.from), |change| change.joins)
}

/// At the row of a flow; at the file where a pattern made it.
fn of_flow(
    root: &Row<'_>,
    number: usize,
    field: &str,
    message: &str,
) -> Result<InputError, InputError> {
    let rows = root.tables("flow")?;
    Ok(rows.get(number).unwrap_or(root).refuse(field, message))
}

/// At the row of a message to a group. A row sends to each group of its `[[group]]`.
fn of_cast(
    root: &Row<'_>,
    number: usize,
    field: &str,
    message: &str,
) -> Result<InputError, InputError> {
    let (rows, groups) = (root.tables("multicast")?, root.tables("group")?);
    let mut before = 0;
    for row in &rows {
        let name = row.text("group")?;
        let of = groups.iter().find(|group| group.text("name").ok().flatten() == name);
        let count = of.map_or(Ok(None), |group| group.count("count"))?.unwrap_or(1);
        before += usize::try_from(count).unwrap_or(usize::MAX);
        if number < before {
            return Ok(row.refuse(field, message));
        }
    }
    Ok(root.refuse(field, message))
}

/// The name of the `[[group]]` of a group: random groups of a row have its name and a number.
fn is_name_of(scenario: &Scenario, number: usize, name: Option<&str>) -> bool {
    let Some((full, name)) = scenario.groups.names.get(number).zip(name) else { return false };
    let rest = full.strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

fn of_group(
    scenario: &Scenario,
    root: &Row<'_>,
    (number, field): (usize, &str),
    message: &str,
) -> Result<InputError, InputError> {
    let rows = root.tables("group")?;
    let is_it = |row: &&Row<'_>| is_name_of(scenario, number, row.text("name").ok().flatten());
    Ok(rows.iter().find(is_it).unwrap_or(root).refuse(field, message))
}

/// At the last row that changes the members of a group.
fn of_change(
    scenario: &Scenario,
    root: &Row<'_>,
    (number, field): (usize, &str),
    message: &str,
) -> Result<InputError, InputError> {
    let rows = root.tables("change")?;
    let is_it = |row: &&Row<'_>| is_name_of(scenario, number, row.text("group").ok().flatten());
    match rows.iter().rev().find(is_it) {
        Some(row) => Ok(row.refuse(field, message)),
        None => of_group(scenario, root, (number, "members"), message),
    }
}
