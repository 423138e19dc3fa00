//! `[recovery]`: what the planner does about failures during the run.

use lightloom_request::InputError;
use lightloom_request::scenario::section;
use lightloom_routing::recovery::{Method, Objective};
use lightloom_sim::glass::rollout::{Incident, RecoveryTimes, Rollout, happenings, roll_out};
use lightloom_sim::glass::{Beside, updates};
use lightloom_sim::reroutes;
use lightloom_units::{Instant, Span};

use crate::rows::Row;
use crate::scenario::glass::Planned;
use crate::scenario::groups::Groups;
use crate::scenario::limits::{LONGEST_SPAN, within};
use crate::scenario::network::Nodes;
use crate::scenario::trouble::Troubles;

const OBJECTIVES: [(&str, Objective); 2] = [
    (Objective::FewestChanges.name(), Objective::FewestChanges),
    (Objective::FewestHops.name(), Objective::FewestHops),
];

/// Reads the section, and enters the changes of tables in the groups. `None`: there is no such section.
pub(super) fn read(
    root: &Row<'_>,
    nodes: &Nodes,
    groups: &mut Groups,
    troubles: &mut Troubles,
    until: Instant,
) -> Result<Option<Rollout>, InputError> {
    let Some(row) = root.table("recovery", "recovery")? else { return Ok(None) };
    row.only_these(&section("recovery").names())?;
    if nodes.planned.is_none() && row.has("objective") {
        let message = "is for failures of a planned fabric; the network must be kind = \"design\", and the \
                       scenario must have a [[group]]";
        return Err(row.refuse("objective", message));
    }
    let objective = row.choice("objective", &OBJECTIVES)?.unwrap_or(Objective::FewestChanges);
    let span = |field: &str| {
        let said: Option<Span> = row.quantity(field)?;
        said.map(|said| within(&row, field, said, (Span::ZERO, LONGEST_SPAN))).transpose()
    };
    let said = [span("detection")?, span("computation")?, span("installation")?];
    if !row.flag("recover")?.unwrap_or(true) {
        let events = happenings(&troubles.incidents, until);
        let mut rollout = Rollout { events, ..Rollout::default() };
        rollout.tell(reroutes::happenings(&troubles.outages, until));
        return Ok(Some(rollout));
    }
    let [Some(detection), Some(computation), Some(installation)] = said else {
        let fields = ["detection", "computation", "installation"];
        let missing = fields.into_iter().find(|field| !row.has(field)).unwrap_or(fields[0]);
        return Err(row.missing(missing, "\"10 us\""));
    };
    let times = RecoveryTimes { detection, computation, installation };
    let mut rollout = match &nodes.planned {
        Some(planned) => {
            let incidents = &troubles.incidents;
            roll_out_light(root, (nodes, planned), groups, (objective, incidents), (times, until))?
        }
        None => Rollout::default(),
    };
    let (network, all) = (&nodes.network, &groups.multicast.groups);
    let rerouting = reroutes::reroutes(network, all, &troubles.outages, times, until);
    rollout.tell(rerouting.events);
    troubles.failures.reroutes = rerouting.reroutes;
    Ok(Some(rollout))
}

/// The rollouts of the planner; the changes of tables are entered in the groups.
fn roll_out_light(
    root: &Row<'_>,
    (nodes, planned): (&Nodes, &Planned),
    groups: &mut Groups,
    (objective, incidents): (Objective, &[Incident]),
    (times, until): (RecoveryTimes, Instant),
) -> Result<Rollout, InputError> {
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
    Ok(rollout)
}
