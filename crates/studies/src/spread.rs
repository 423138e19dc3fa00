//! The way of one source's packets over the fabric as it is: with failures, and with a repair that is done or half
//! done.

use std::collections::BTreeMap;

use lightloom_plan::failure_set::FailureSet;
use lightloom_plan::impact::rejected;
use lightloom_plan::project::Project;
use lightloom_plan::recover::{Phase, RecoverReport};
use lightloom_request::Error;
use lightloom_routing::impact::light_map;
use lightloom_routing::verify::{InstalledRules, Replay, RulesOverDamage, Violation};
use lightloom_topology::TorId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The copies of one packet of a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SpreadReport {
    /// The source.
    pub source: TorId,
    /// The ToR that transmits first: the source, or its stand-in.
    pub root: TorId,
    /// For each other ToR with a copy, the number of splitters on the way, and the ToR that sent the copy.
    pub copies: BTreeMap<TorId, (u32, TorId)>,
    /// The other ToRs without a copy, ascending.
    pub missed: Vec<TorId>,
}

/// How much of a repair is installed.
#[derive(Debug, Clone, Copy)]
pub struct Installed<'a> {
    /// The repair.
    pub repair: &'a RecoverReport,
    /// Number of its phases that all switches have made.
    pub phases: usize,
}

/// Follows one packet of a source over the failed fabric.
///
/// Where nothing has failed, this also answers for fabrics whose tables are too large to list.
///
/// # Errors
/// [`lightloom_request::InputError`] if there is no such ToR, or if the tables are too large to list.
/// [`Error::PlanRejected`] if a ToR gets a second copy.
pub fn spread(
    project: &Project,
    source: TorId,
    failed: &FailureSet,
    installed: Option<Installed<'_>>,
) -> Result<SpreadReport, Error> {
    project.check_is_there(source)?;
    let is_sound = failed.failures.is_empty() && installed.is_none();
    if is_sound && project.relay_rows()?.tables().is_none() {
        return spread_of_tree(project, source);
    }
    let rules = rules_after(project.listed_rules()?, installed);
    let damage = project.damage(failed)?;
    let root = rules.root(source);
    let light = light_map(project.fabric());
    let mut replay = Replay::new(&light);
    match replay.follow(source, root, &RulesOverDamage { damage: &damage, rules: &rules, source }) {
        // A source that cannot transmit sends no copies.
        Ok(()) | Err(Violation::NotAdmitted(_)) => {}
        Err(violation) => return Err(rejected(violation)),
    }
    // A source hands its packets to its stand-in by unicast, if both have power.
    let stands_in = root != source && damage.has_power(source) && damage.has_power(root);
    let copy = |tor: TorId| {
        if stands_in && tor == root {
            return Some((0, source));
        }
        Some((replay.hops(tor)?, replay.sent_by(tor)?))
    };
    let others = project.fabric().tor_ids().filter(|&tor| tor != source);
    let copies: BTreeMap<_, _> = others.clone().filter_map(|tor| Some((tor, copy(tor)?))).collect();
    let missed = others.filter(|tor| !copies.contains_key(tor)).collect();
    Ok(SpreadReport { source, root, copies, missed })
}

/// The copies of a packet along the tree of its source, in a fabric without failures.
fn spread_of_tree(project: &Project, source: TorId) -> Result<SpreadReport, Error> {
    let copy = |(to, path): (TorId, Vec<TorId>)| {
        let [.., from, _] = path.as_slice() else { return None };
        Some((to, (u32::try_from(path.len() - 1).ok()?, *from)))
    };
    let copies = project.tree(source)?.paths.into_iter().filter_map(copy).collect();
    Ok(SpreadReport { source, root: source, copies, missed: Vec::new() })
}

/// The rules when these phases of a repair are done.
fn rules_after(mut lists: Vec<Vec<TorId>>, installed: Option<Installed<'_>>) -> InstalledRules {
    let Some(Installed { repair, phases }) = installed else {
        return InstalledRules::of_lists(&lists);
    };
    let mut accept = BTreeMap::new();
    let mut via = BTreeMap::new();
    for phase in repair.phases.iter().take(phases) {
        match phase {
            Phase::Delete { rules } => {
                for (tor, sources) in rules {
                    lists[tor.index()].retain(|source| sources.binary_search(source).is_err());
                }
            }
            Phase::Accept { only } => accept.clone_from(only),
            Phase::Add { rules } => {
                for (tor, sources) in rules {
                    lists[tor.index()].extend(sources);
                    lists[tor.index()].sort_unstable();
                }
                // Stand-ins are among those that get rules in this phase.
                via.clone_from(&repair.via);
            }
            Phase::Barrier | Phase::Drain { .. } => {}
        }
    }
    if phases >= repair.phases.len() {
        via.clone_from(&repair.via);
    }
    InstalledRules::of_lists(&lists).with(accept, via)
}
