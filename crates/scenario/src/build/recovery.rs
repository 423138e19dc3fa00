//! `[recovery]`: what the planner does about failures during the run.

use lightloom_request::InputError;
use lightloom_routing::recovery::{Method, Objective, StepKind};
use lightloom_twin::Flow;
use lightloom_units::Instant;

use crate::build::failures::Troubles;
use crate::build::groups::Groups;
use crate::build::nodes::Nodes;
use crate::build::planned::Planned;
use crate::glass::drain::{Bound, Drain};
use crate::glass::rollout::{Practice, RecoveryTimes, Returns, Rollout};
use crate::glass::{Beside, Incident, happenings, roll_out, updates};
use crate::reroutes;
use crate::said::{Place, RecoveryRow, Row as _};
use crate::scenario::Parameters;

/// What the planner does about failures. The changes of tables are entered in the groups.
pub(super) fn rollout(
    row: &RecoveryRow,
    (nodes, parameters): (&Nodes, &Parameters),
    (flows, groups): (&[Flow], &mut Groups),
    troubles: &mut Troubles,
    until: Instant,
) -> Result<Rollout, InputError> {
    let place = RecoveryRow::place();
    let of_plan = ["objective", "returns", "drain"].into_iter().find(|field| row.has(field));
    if let Some(field) = of_plan.filter(|_| nodes.planned.is_none()) {
        let message = "is for failures of a planned fabric; the network must be kind = \"design\", and the \
                       scenario must have a [[group]]";
        return Err(place.refuse(field, message));
    }
    row.check(place)?;
    if row.recover == Some(false) {
        let fabric = nodes.planned.as_ref().map(|planned| planned.project.fabric());
        let happened = |fabric| happenings(fabric, &troubles.incidents, until);
        let events = fabric.map(happened).unwrap_or_default();
        let mut rollout = Rollout { events, ..Rollout::default() };
        rollout.tell(reroutes::happenings(&troubles.outages, until));
        return Ok(rollout);
    }
    let said = [row.detection, row.computation, row.installation];
    let [Some(detection), Some(computation), Some(installation)] = said else {
        let fields = ["detection", "computation", "installation"];
        let missing = fields.into_iter().find(|field| !row.has(field)).unwrap_or(fields[0]);
        return Err(place.missing(missing, "\"10 us\""));
    };
    let times = RecoveryTimes { detection, computation, installation };
    let mut rollout = match &nodes.planned {
        Some(planned) => {
            let drain = row
                .drain
                .map_or_else(|| bound((nodes, planned), groups, parameters, flows), Drain::Said);
            let returns = row.returns.unwrap_or(Returns::AfterRules);
            let objective = row.objective.unwrap_or(Objective::FewestChanges);
            let practice = Practice { times, drain, returns };
            let asked = Asked { objective, practice, until };
            let rollout = roll_out_light((nodes, planned), groups, &troubles.incidents, asked)?;
            let shut = planned.shut(&nodes.network, &rollout.latches);
            troubles.failures.splitters.extend(shut);
            groups.warnings.extend(unbounded(drain, &rollout));
            rollout
        }
        None => Rollout::default(),
    };
    let (network, all) = (&nodes.network, &groups.multicast.groups);
    let rerouting = reroutes::reroutes(network, all, &troubles.outages, times, until);
    rollout.tell(rerouting.events);
    rollout.is_cut |= rerouting.is_cut;
    troubles.failures.reroutes = rerouting.reroutes;
    Ok(rollout)
}

/// What is asked of a recovery.
#[derive(Clone, Copy)]
struct Asked {
    objective: Objective,
    practice: Practice,
    until: Instant,
}

/// The longest that packets of a run may be under way over light.
fn bound(
    (nodes, planned): (&Nodes, &Planned),
    groups: &Groups,
    parameters: &Parameters,
    flows: &[Flow],
) -> Drain {
    let lit = groups.lit.iter().map(|sender| sender.group).collect();
    let (beside, sent) = ((&nodes.network, &*planned.glass.tors), (&groups.multicast, &lit));
    Drain::Bound(Bound::new(beside, sent, &parameters.params, !flows.is_empty()))
}

/// Why packets under the old rules may be under way for longer than the drain, if they may.
fn unbounded(drain: Drain, rollout: &Rollout) -> Option<String> {
    let Drain::Bound(bound) = drain else { return None };
    let drains = rollout.stages.iter().any(|stage| stage.kind == Some(StepKind::Delete));
    let way = bound.way_unbounded.filter(|_| rollout.drains_stand_ins);
    let why = bound.hop_unbounded.filter(|_| drains).or(way)?;
    Some(format!(
        "no drain is long enough for certain: {why}; recovery.drain sets the time that additions wait"
    ))
}

/// The rollouts of the planner; the changes of tables are entered in the groups.
fn roll_out_light(
    (nodes, planned): (&Nodes, &Planned),
    groups: &mut Groups,
    incidents: &[Incident],
    Asked { objective, practice, until }: Asked,
) -> Result<Rollout, InputError> {
    let base = planned.project.recovery_base();
    let base = base.map_err(|error| Place::ROOT.refuse("recovery", &error.message))?;
    let begin = planned.begin(base.base());
    let method = Method::Replan(objective);
    let rollout = roll_out(base.base(), method, begin, incidents, practice, until);
    let mut rollout = rollout.map_err(|error| {
        let message = format!("cannot be carried out: {error}; give recover = false");
        Place::ROOT.refuse("recovery", message)
    })?;
    let beside = Beside {
        network: &nodes.network,
        fabric: planned.project.fabric(),
        tors: &planned.glass.tors,
    };
    let changes = updates(beside, &mut rollout, &groups.lit)
        .map_err(|error| Place::ROOT.refuse("recovery", error.to_string()))?;
    groups.multicast.updates = changes;
    groups.multicast.time_to_live = Some(rollout.hops.saturating_add(1));
    groups.warnings.extend(rollout.unproved.iter().cloned());
    Ok(rollout)
}
