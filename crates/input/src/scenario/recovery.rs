//! `[recovery]`: what the planner does about failures during the run.

use lightloom_request::InputError;
use lightloom_request::scenario::section;
use lightloom_routing::recovery::{Method, Objective};
use lightloom_sim::glass::rollout::{Incident, RecoveryTimes, Rollout, happenings, roll_out};
use lightloom_sim::glass::{Beside, updates};
use lightloom_units::{Instant, Span};

use crate::rows::Row;
use crate::scenario::groups::Groups;
use crate::scenario::limits::{LONGEST_SPAN, within};
use crate::scenario::network::Nodes;

const OBJECTIVES: [(&str, Objective); 2] = [
    (Objective::FewestChanges.name(), Objective::FewestChanges),
    (Objective::FewestHops.name(), Objective::FewestHops),
];

/// Reads the section, and enters the changes of tables in the groups. `None`: there is no such section.
pub(super) fn read(
    root: &Row<'_>,
    nodes: &Nodes,
    groups: &mut Groups,
    incidents: &[Incident],
    until: Instant,
) -> Result<Option<Rollout>, InputError> {
    let Some(row) = root.table("recovery", "recovery")? else { return Ok(None) };
    row.only_these(&section("recovery").names())?;
    let Some(planned) = &nodes.planned else {
        let message = "is for failures of a planned fabric; the network must be kind = \"design\", and the \
                       scenario must have a [[group]]";
        return Err(root.refuse("recovery", message));
    };
    let objective = row.choice("objective", &OBJECTIVES)?.unwrap_or(Objective::FewestChanges);
    let span = |field: &str| {
        let said: Option<Span> = row.quantity(field)?;
        said.map(|said| within(&row, field, said, (Span::ZERO, LONGEST_SPAN))).transpose()
    };
    let said = [span("detection")?, span("computation")?, span("installation")?];
    if !row.flag("recover")?.unwrap_or(true) {
        let events = happenings(incidents, until);
        return Ok(Some(Rollout { events, ..Rollout::default() }));
    }
    let [Some(detection), Some(computation), Some(installation)] = said else {
        let fields = ["detection", "computation", "installation"];
        let missing = fields.into_iter().find(|field| !row.has(field)).unwrap_or(fields[0]);
        return Err(row.missing(missing, "\"10 us\""));
    };
    let times = RecoveryTimes { detection, computation, installation };
    let base = planned.project.recovery_base();
    let base = base.map_err(|error| root.refuse("recovery", &error.message))?;
    let begin = planned.begin(&base);
    let method = Method::Replan(objective);
    let rollout = roll_out(&base, method, begin, incidents, times, until);
    let mut rollout = rollout.map_err(|error| {
        let message = format!("cannot be carried out: {error}; give recover = false");
        root.refuse("recovery", message)
    })?;
    let beside = Beside {
        network: &nodes.network,
        fabric: &planned.project.fabric,
        tors: &planned.glass.tors,
    };
    let changes = updates(beside, &mut rollout, &groups.lit)
        .map_err(|error| root.refuse("recovery", error.to_string()))?;
    groups.multicast.updates = changes;
    groups.warnings.extend(rollout.unproved.iter().cloned());
    Ok(Some(rollout))
}
