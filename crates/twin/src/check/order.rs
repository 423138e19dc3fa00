//! Whether flows can start in some order: each after those that it waits for, and after the one before it on
//! its connection.

use std::collections::BTreeMap;

use lightloom_topology::electrical::NodeId;

use super::SetupError;
use crate::setup::Flow;

/// Refuses rings. Where every flow waits for earlier ones only there is none, and nothing is built.
pub(super) fn check(flows: &[Flow]) -> Result<(), SetupError> {
    let is_earlier =
        |(number, flow): (usize, &Flow)| flow.after.iter().all(|before| before.index() < number);
    if flows.iter().enumerate().all(is_earlier) {
        return Ok(());
    }
    // Flows that wait for each flow, and how many each waits for.
    let mut then: Vec<Vec<usize>> = vec![Vec::new(); flows.len()];
    let mut missing: Vec<usize> = vec![0; flows.len()];
    let mut last: BTreeMap<(u32, NodeId), usize> = BTreeMap::new();
    for (number, flow) in flows.iter().enumerate() {
        let on = flow.connection.and_then(|name| last.insert((name, flow.from), number));
        for before in flow.after.iter().map(|before| before.index()).chain(on) {
            then[before].push(number);
            missing[number] += 1;
        }
    }
    let mut ready: Vec<usize> = (0..flows.len()).filter(|&flow| missing[flow] == 0).collect();
    while let Some(flow) = ready.pop() {
        for &next in &then[flow] {
            missing[next] -= 1;
            if missing[next] == 0 {
                ready.push(next);
            }
        }
    }
    match missing.iter().position(|&missing| missing > 0) {
        None => Ok(()),
        Some(flow) => Err(SetupError::Ring(flow)),
    }
}
