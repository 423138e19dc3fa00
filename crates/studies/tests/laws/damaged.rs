//! Studies of failures.

use std::collections::BTreeSet;

use lightloom_plan::failure_set::FailureSet;
use lightloom_plan::project::Project;
use lightloom_routing::failure::Failure;
use lightloom_routing::recovery::{Method, Objective};
use lightloom_studies::dark::dark;
use lightloom_studies::repairs::repairs;
use lightloom_studies::risk::risk;
use lightloom_studies::spread::{Installed, spread};
use lightloom_topology::TorId;
use lightloom_topology::hall::Housing;
use lightloom_watch::Watch;
use proptest::prelude::*;

use crate::given::{kautz, shufflecast, small};

/// The ToRs that light reaches from a source over any relays, without those that cannot transmit.
fn lit_from(project: &Project, source: TorId, dead: &[TorId]) -> BTreeSet<TorId> {
    let fabric = project.fabric();
    let (mut lit, mut open) = (BTreeSet::from([source]), vec![source]);
    while let Some(tor) = open.pop() {
        if dead.contains(&tor) {
            continue;
        }
        for &to in fabric.receivers(fabric.transmits_into(tor)) {
            if lit.insert(to) {
                open.push(to);
            }
        }
    }
    lit
}

/// Whether two dead transmitters leave a ToR without light from one that can transmit.
fn cuts(project: &Project, pair: [TorId; 2]) -> bool {
    let fabric = project.fabric();
    let live = || fabric.tor_ids().filter(|tor| !pair.contains(tor));
    live().any(|source| lit_from(project, source, &pair).len() < fabric.tors())
}

#[test]
fn pairs_that_cut_tors_off_are_those_of_a_search() {
    let projects = [
        shufflecast(2, 2),
        shufflecast(2, 3),
        shufflecast(3, 2),
        kautz(2, 13, Housing::Sender).project().clone(),
    ];
    for project in projects {
        let tors: Vec<TorId> = project.fabric().tor_ids().collect();
        let mut cutting = Vec::new();
        for (at, &first) in tors.iter().enumerate() {
            for &second in &tors[at + 1..] {
                if cuts(&project, [first, second]) {
                    cutting.push((first, second));
                }
            }
        }
        let pairs = risk(&project, &Default::default(), Watch::quiet()).unwrap().pairs;
        assert!(pairs.exhaustive);
        assert_eq!(pairs.tried, tors.len() * (tors.len() - 1) / 2);
        assert_eq!((pairs.cutting, &pairs.listed), (cutting.len(), &cutting));
    }
}

#[test]
fn repairs_made_in_advance_are_those_that_are_made_later() {
    let project = shufflecast(2, 2);
    let method = Method::Replan(Objective::FewestChanges);
    let lines = repairs(&project, method, Watch::quiet()).unwrap();
    let (tors, cassettes) = (project.fabric().tors(), project.fabric().cassettes());
    assert_eq!(lines.len(), tors + 2 * tors + tors + cassettes);
    for line in &lines {
        let failed = FailureSet::restore(&project, std::slice::from_ref(&line.failed)).unwrap();
        let later = project.recover(&failed, method).unwrap();
        let told: serde_json::Value = serde_json::from_str(&line.text).unwrap();
        assert_eq!(line.restored, later.restored, "{}", line.failed);
        let changes = serde_json::to_value(&later.changes).unwrap();
        assert_eq!(told["changes"], changes, "{}", line.failed);
        assert_eq!(told["via"], serde_json::to_value(&later.via).unwrap(), "{}", line.failed);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn a_rollout_ends_where_its_recovery_says((p, tors, housing) in small(), which in 0..1_000_usize) {
        let laid = kautz(p, tors, housing);
        let project = laid.project();
        let tor = TorId(u32::try_from(which % tors as usize).unwrap());
        let failed = FailureSet::new(project.fabric(), vec![Failure::Relay(tor)]).unwrap();
        let dark = dark(project, &failed).unwrap();
        prop_assert_eq!(&dark.feeds, &[tor]);
        let receivers = project.fabric().receivers(project.fabric().transmits_into(tor));
        let branches: BTreeSet<_> = receivers.iter().map(|&to| (tor, to)).collect();
        prop_assert_eq!(dark.branches.iter().copied().collect::<BTreeSet<_>>(), branches);
        let repair = project.recover(&failed, Method::Replan(Objective::FewestHops)).unwrap();
        for source in project.fabric().tor_ids() {
            let before = spread(project, source, &failed, None).unwrap();
            prop_assert_eq!(&before.missed, &project.lost(&failed, source).unwrap());
            let phases = repair.phases.len();
            let after =
                spread(project, source, &failed, Some(Installed { repair: &repair, phases })).unwrap();
            let cut_off = repair.unreachable.get(&source).cloned().unwrap_or_default();
            prop_assert_eq!(&after.missed, &cut_off, "source {}", source);
        }
    }
}
