//! Failures and their repairs, beside packets that are followed here.

use std::collections::BTreeMap;

use lightloom_plan::failure_set::FailureSet;
use lightloom_plan::project::Project;
use lightloom_plan::prove::prove;
use lightloom_routing::failure::Failure;
use lightloom_routing::recovery::{Method, Objective};
use lightloom_topology::TorId;
use lightloom_watch::Watch;
use proptest::prelude::*;

use crate::given::{kautz, shufflecast, small, spread};

/// A failed branch of a project.
fn branch(project: &Project, which: usize) -> (FailureSet, TorId, TorId) {
    let fabric = project.fabric();
    let from = TorId(u32::try_from(which % fabric.tors()).unwrap());
    let receivers = fabric.receivers(fabric.transmits_into(from));
    let to = receivers[which % receivers.len()];
    (FailureSet::new(fabric, vec![Failure::Branch { from, to }]).unwrap(), from, to)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn the_impact_of_a_branch_is_that_of_its_packets((p, tors, housing) in small(), which in 0..1_000_usize) {
        let laid = kautz(p, tors, housing);
        let project = laid.project();
        let rules = project.listed_rules().unwrap();
        let (failed, from, to) = branch(project, which);
        let impact = project.impact(&failed).unwrap();
        let mut lost: BTreeMap<usize, usize> = BTreeMap::new();
        for source in project.fabric().tor_ids() {
            let hops = spread(project, &rules, source, |a, b| (a, b) != (from, to));
            let others = project.fabric().tor_ids().filter(|&tor| tor != source);
            let missed: Vec<TorId> = others.filter(|tor| !hops.contains_key(tor)).collect();
            prop_assert_eq!(&project.lost(&failed, source).unwrap(), &missed, "source {}", source);
            *lost.entry(missed.len()).or_default() += 1;
        }
        let unaffected = lost.get(&0).copied().unwrap_or(0) as f64 / f64::from(tors);
        prop_assert!((impact.unaffected_fraction - unaffected).abs() < 1e-12);
        prop_assert_eq!(impact.distribution, lost);
        prop_assert_eq!(impact.failed, [format!("branch:{from}->{to}")]);
    }

    #[test]
    fn a_repaired_plan_reaches_all_that_light_reaches((p, tors, housing) in small(), which in 0..1_000_usize) {
        let laid = kautz(p, tors, housing);
        let (failed, from, to) = branch(laid.project(), which);
        let method = Method::Replan(Objective::FewestChanges);
        let repaired = laid.project().clone().recovered_by(failed.clone(), method);
        let report = laid.project().recover(&failed, method).unwrap();
        let reach = repaired.reach(Watch::quiet()).unwrap();
        let proved = prove(&repaired.laid().unwrap(), Watch::quiet()).unwrap();
        let verification = &proved.report.verification;
        // Light that reaches a ToR by no other branch is cut off, and the report says from whom.
        let cut_off: usize = report.unreachable.values().map(Vec::len).sum();
        prop_assert_eq!(reach.pairs_cut_off, cut_off);
        prop_assert_eq!((verification.pairs_cut_off, &verification.cut_off), (cut_off, &report.unreachable));
        prop_assert_eq!(report.restored, cut_off == 0);
        prop_assert_eq!(reach.cut_off_text().is_none(), cut_off == 0);
        let feeds = laid.project().fabric().transceivers(to);
        prop_assert!(cut_off == 0 || feeds > 0, "{} {}", from, to);
        let info = repaired.info(Watch::quiet()).unwrap();
        prop_assert_eq!(&info.failed, &report.failed);
        prop_assert_eq!(info.pairs_cut_off, Some(cut_off));
        prop_assert_eq!(info.fabric.max_hops, report.max_hops);
        prop_assert_eq!(info.fabric.parallel_sources, Some(report.parallel_sources));
        let sound = laid.project().info(Watch::quiet()).unwrap().fabric;
        prop_assert_eq!(info.without_failures, Some(sound));
        prop_assert!(repaired.refuse_repaired().is_err() && laid.project().refuse_repaired().is_ok());
    }
}

#[test]
fn a_dead_transmitter_sends_by_another_tor() {
    let project = shufflecast(2, 2);
    let failed = FailureSet::new(project.fabric(), vec![Failure::Relay(TorId(3))]).unwrap();
    let method = Method::Replan(Objective::FewestHops);
    let report = project.recover(&failed, method).unwrap();
    assert!(report.restored && report.unreachable.is_empty());
    assert_eq!(report.failed_sources, [TorId(3)]);
    let via = report.via[&TorId(3)];
    assert!(via != TorId(3));
    let repaired = project.clone().recovered_by(failed, method);
    let tree = repaired.tree(TorId(3)).unwrap();
    assert_eq!((tree.via, tree.cut_off.len(), tree.paths.len()), (Some(via), 0, 7));
    assert!(tree.relays.iter().all(|&relay| relay != TorId(3)), "{:?}", tree.relays);
    let refused = repaired.refuse_repaired().unwrap_err().to_string();
    assert!(refused.contains("is a plan around failures (relay:3)"), "{refused}");
}

#[test]
fn algorithm_2_is_for_a_shufflecast_alone() {
    let laid = kautz(2, 12, lightloom_topology::hall::Housing::Sender);
    let failed = FailureSet::new(laid.project().fabric(), vec![Failure::Relay(TorId(1))]).unwrap();
    let refused = laid.project().recover(&failed, Method::Algorithm2).unwrap_err().to_string();
    assert_eq!(refused, "--method: algorithm2 recovers only a shufflecast; take replan");
    let twice = FailureSet::new(
        laid.project().fabric(),
        vec![Failure::Relay(TorId(1)), Failure::Relay(TorId(1))],
    );
    assert_eq!(twice.unwrap_err().to_string(), "--failed: relay:1 is there twice");
}
