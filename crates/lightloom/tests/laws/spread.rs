//! The way of a source's packets, against what other answers say about the same failures.

use lightloom::failures::{self, FailureSet, Installed, Method, Objective, Phase, RecoverReport};
use lightloom::plan;
use lightloom::{Project, Request, TorId, setting};

fn fabrics() -> Vec<Project> {
    let open = |family: &str, p: u32, size: u32| {
        let request =
            Request::default().say(&setting::fabric::FAMILY, family).say(&setting::fabric::P, p);
        let request = match family {
            "kautz" => request.say(&setting::fabric::TORS, size),
            _ => request.say(&setting::fabric::K, size),
        };
        lightloom::open(&request).expect("it is a fabric")
    };
    vec![open("shufflecast", 2, 3), open("kautz", 3, 12), open("shufflecast", 4, 2)]
}

/// A failure of each kind.
fn failures(project: &Project) -> Vec<FailureSet> {
    let to = project.fabric().receivers(project.fabric().transmits_into(TorId(3)))[1];
    let lists = ["relay:5", "tor:2", "splitter:1", "cassette:1"].map(str::to_owned);
    let lists = lists.into_iter().chain([format!("branch:3->{to}"), "rx:4/1, relay:7".into()]);
    lists.map(|list| FailureSet::parse(project, &list).expect("it is there")).collect()
}

#[test]
fn without_failures_it_is_the_tree() {
    for project in fabrics() {
        for source in project.fabric().tor_ids() {
            let none = FailureSet { failures: Vec::new() };
            let spread = failures::spread(&project, source, &none, None).expect("it is small");
            let tree = project.tree(source).expect("it is small");
            assert!(spread.missed.is_empty());
            for (tor, path) in &tree.paths {
                let (hops, from) = spread.copies[tor];
                assert_eq!(
                    (hops as usize, Some(&from)),
                    (
                        path.len() - usize::from(path.last() == Some(tor)),
                        path.iter().rev().find(|on| *on != tor)
                    )
                );
            }
        }
    }
}

#[test]
fn before_a_repair_it_misses_whom_the_source_loses() {
    for project in fabrics() {
        for failed in failures(&project) {
            for source in project.fabric().tor_ids() {
                let spread =
                    failures::spread(&project, source, &failed, None).expect("it is small");
                assert_eq!(spread.missed, project.lost(&failed, source).expect("it is small"));
            }
        }
    }
}

#[test]
fn a_rollout_loses_what_its_report_says_and_ends_where_it_promises() {
    for project in fabrics() {
        for failed in failures(&project) {
            let method = Method::Replan(Objective::FewestChanges);
            let repair = project.recover(&failed, method).expect("it can be tried");
            let at = |source, phases| {
                let installed = Some(Installed { repair: &repair, phases });
                failures::spread(&project, source, &failed, installed)
                    .expect("no state has a second copy")
                    .missed
            };
            let deleted = phases_until_deleted(&repair);
            for source in project.fabric().tor_ids() {
                let before = project.lost(&failed, source).expect("it is small");
                assert_eq!(at(source, 0), before, "{:?}", repair.failed);
                if let Some(&outage) = repair.outage.get(&source) {
                    assert_eq!(at(source, deleted).len(), outage, "{:?} {source}", repair.failed);
                }
                let after = at(source, repair.phases.len());
                let promised = repair.unreachable.get(&source).cloned().unwrap_or_default();
                if !repair.not_counted.contains(&source) {
                    assert_eq!(after, promised, "{:?} {source}", repair.failed);
                }
                for phases in 0..=repair.phases.len() {
                    at(source, phases);
                }
            }
        }
    }
}

/// Number of phases until all deletions are made and no addition is.
fn phases_until_deleted(repair: &RecoverReport) -> usize {
    let add = repair.phases.iter().position(|phase| matches!(phase, Phase::Add { .. }));
    add.unwrap_or(repair.phases.len())
}

#[test]
fn a_tor_that_is_not_there_is_refused() {
    for project in fabrics() {
        let gone = TorId(u32::try_from(project.fabric().tors()).expect("it is small"));
        let none = FailureSet { failures: Vec::new() };
        let refusals = [
            project.tree(gone).map(drop).map_err(|error| error.to_string()),
            project.rules(gone).map(drop).map_err(|error| error.to_string()),
            plan::tree_arrays(&project, gone).map(drop).map_err(|error| error.to_string()),
            failures::spread(&project, gone, &none, None)
                .map(drop)
                .map_err(|error| error.to_string()),
        ];
        for refusal in refusals {
            let told = refusal.expect_err("there is no such ToR");
            assert!(told.contains(&format!("there is no ToR {gone}")), "{told}");
        }
    }
}
