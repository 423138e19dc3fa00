//! Gathers what answers of reliable groups claimed, and what receivers had.

use std::collections::BTreeMap;

use lightloom_setup::params::Recovery;
use lightloom_topology::electrical::NodeId;

use crate::build::AnyNode;
use crate::claims::{Audience, CheckedAnswers, Judge, SwitchNotes};
use crate::engine::Part;
use crate::packet::GroupId;
use crate::schedule::Run;
use crate::simulation::Simulation;

/// Holds all answers against the receivers that they speak for; none where that was not asked for.
pub(super) fn check(
    simulation: &Simulation<'_>,
    ids: &[Vec<NodeId>],
    parts: &[Part<AnyNode<'_>>],
) -> Option<CheckedAnswers> {
    if !simulation.checks_answers() {
        return None;
    }
    let transport = &simulation.params.transport;
    let mut judges: BTreeMap<GroupId, Judge<'_>> = BTreeMap::new();
    let mut switches: Vec<(NodeId, &SwitchNotes)> = Vec::new();
    let nodes = parts.iter().zip(ids).flat_map(|(part, ids)| part.nodes.iter().zip(ids));
    for (node, &id) in nodes {
        let host = match node {
            AnyNode::Host(host) => host,
            AnyNode::Switch(switch) => {
                switches.extend(switch.bridges.notes.as_deref().map(|notes| (id, notes)));
                continue;
            }
        };
        for slot in &host.slots {
            let Some(checked) = slot.endpoint.transport().checked() else { continue };
            let group = checked.group;
            let judge = judges.entry(group).or_insert_with(|| Judge {
                group,
                first: transport.psn(0),
                is_selective: transport.recovery != Recovery::GoBackN,
                audiences: checked.runs.iter().map(audience).collect(),
                members: BTreeMap::new(),
                switches: Vec::new(),
            });
            judge.members.insert(id, checked.notes);
        }
    }
    switches.sort_unstable_by_key(|&(id, _)| id);
    let mut answers = CheckedAnswers::default();
    for mut judge in judges.into_values() {
        judge.switches.clone_from(&switches);
        judge.judge(&mut answers);
    }
    answers.wrong.sort_unstable();
    Some(answers)
}

/// Who is to have the messages of a run.
fn audience(run: &Run) -> Audience {
    let receivers = run.members.iter().copied().filter(|&host| host != run.source);
    Audience { end: run.end, receivers: receivers.collect() }
}
