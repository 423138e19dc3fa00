//! Many questions at once are answered as single ones are.

use std::sync::atomic::{AtomicBool, Ordering};

use lightloom_plan::failure_set::FailureSet;
use lightloom_plan::project::Project;
use lightloom_request::{InputError, Key, Value, setting};
use lightloom_routing::failure::Failure;
use lightloom_routing::recovery::{Method, Objective, States};
use lightloom_studies::arrays::tree_arrays;
use lightloom_studies::many::{impacts, lost_pairs, recoveries, trees};
use lightloom_topology::{CassetteId, TorId};
use lightloom_watch::Watch;
use proptest::prelude::*;

use crate::given::opened;

const FEWEST: Method = Method::Replan(Objective::FewestChanges);

/// A fabric of each family, with and without link fault signalling.
fn projects() -> impl Strategy<Value = Project> {
    let of = |said: &[(&Key, Value)], signalling: &str| -> Result<Project, InputError> {
        let mut said = said.to_vec();
        said.push((&setting::tor::FAULT_SIGNALLING, signalling.into()));
        opened(&said)
    };
    (2..=4_u32, 5..=30_u32, 2..=3_u32, any::<bool>(), any::<bool>()).prop_map(
        move |(p, tors, k, is_kautz, signals)| {
            let signalling = if signals { "on" } else { "off" };
            let p = (&setting::fabric::P, Value::from(p));
            let kautz = [
                (&setting::fabric::FAMILY as &Key, "kautz".into()),
                (p.0 as &Key, p.1.clone()),
                (&setting::fabric::TORS, tors.into()),
            ];
            let shuffle = [(p.0 as &Key, p.1.clone()), (&setting::fabric::K, k.into())];
            of(if is_kautz { &kautz } else { &shuffle }, signalling).unwrap()
        },
    )
}

/// A failure of a part that the fabric has, from any numbers.
fn failure(project: &Project, (kind, one, other): (u8, usize, usize)) -> Failure {
    let fabric = project.fabric();
    let tor = TorId::at(one % fabric.tors());
    let receivers = fabric.receivers(fabric.transmits_into(tor));
    match kind {
        0 => Failure::Relay(tor),
        1 => Failure::Transmitter(tor),
        2 => Failure::Splitter(tor),
        3 => Failure::Branch { from: tor, to: receivers[other % receivers.len()] },
        4 => {
            let ports: Vec<u32> = fabric.heard(tor).map(|(port, _)| port).collect();
            Failure::Receiver { tor, port: ports[other % ports.len()] }
        }
        5 => Failure::Tor(tor),
        _ => Failure::Cassette(CassetteId::at(one % fabric.cassettes())),
    }
}

type Drawn = Vec<Vec<(u8, usize, usize)>>;

/// Sets of one to four failures.
fn sets() -> impl Strategy<Value = Drawn> {
    let one = (0..7_u8, 0..10_000_usize, 0..10_000_usize);
    prop::collection::vec(prop::collection::vec(one, 1..=4), 1..=12)
}

fn failure_sets(project: &Project, drawn: &Drawn) -> Vec<FailureSet> {
    let set = |drawn: &Vec<_>| {
        let mut failures: Vec<Failure> = Vec::new();
        for &each in drawn {
            let failure = failure(project, each);
            if !failures.contains(&failure) {
                failures.push(failure);
            }
        }
        FailureSet::new(project.fabric(), failures).unwrap()
    };
    drawn.iter().map(set).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn losses_are_those_of_single_impacts(project in projects(), drawn in sets()) {
        let sets = failure_sets(&project, &drawn);
        let losses = impacts(&project, &sets, Watch::quiet()).unwrap();
        let tors = project.fabric().tors();
        prop_assert_eq!((losses.tors, losses.lost.len()), (tors, sets.len() * tors));
        for (at, set) in sets.iter().enumerate() {
            let alone = project.impact(set).unwrap();
            prop_assert_eq!(&losses.failed_sources[at], &alone.failed_sources);
            let pairs = lost_pairs(&project, set, Watch::quiet()).unwrap();
            for source in project.fabric().tor_ids() {
                let all = tors - 1;
                let lost = alone.sources.get(&source).copied().unwrap_or(all);
                prop_assert_eq!(losses.lost[at * tors + source.index()] as usize, lost);
                let of: Vec<TorId> =
                    pairs.iter().filter(|(from, _)| *from == source).map(|&(_, to)| to).collect();
                prop_assert_eq!(of, project.lost(set, source).unwrap());
            }
        }
    }

    #[test]
    fn recoveries_are_those_of_single_ones(project in projects(), drawn in sets()) {
        let sets = failure_sets(&project, &drawn);
        let all = recoveries(&project, &sets, FEWEST, States::All, Watch::quiet()).unwrap();
        let ends = recoveries(&project, &sets, FEWEST, States::Final, Watch::quiet()).unwrap();
        prop_assert_eq!((all.len(), ends.len()), (sets.len(), sets.len()));
        for ((set, whole), end) in sets.iter().zip(all).zip(ends) {
            let (alone, end) = (project.recover(set, FEWEST).unwrap(), end.unwrap());
            prop_assert_eq!(&whole.unwrap(), &alone);
            prop_assert!(end.without_rollout && end.phases.is_empty() && end.drain.is_none());
            let (without_rollout, phases) = (false, alone.phases.clone());
            let (outage, drain) = (alone.outage.clone(), alone.drain.clone());
            let filled = lightloom_plan::recover::RecoverReport {
                without_rollout, phases, outage, drain, ..end
            };
            prop_assert_eq!(filled, alone);
        }
    }

    #[test]
    fn trees_are_those_of_single_sources(project in projects(), drawn in prop::collection::vec(0..10_000_usize, 0..9)) {
        let (tors, cassettes) = (project.fabric().tors(), project.fabric().cassettes());
        let sources: Vec<TorId> = drawn.into_iter().map(|one| TorId::at(one % tors)).collect();
        let many = trees(&project, &sources, Watch::quiet()).unwrap();
        for (at, &source) in sources.iter().enumerate() {
            let alone = tree_arrays(&project, source).unwrap();
            prop_assert_eq!(&many.hops[at * tors..][..tors], alone.hops);
            prop_assert_eq!(&many.relay_rows[at * cassettes..][..cassettes], alone.relay_row);
        }
        prop_assert_eq!(many.hops.len(), sources.len() * tors);
    }
}

#[test]
fn stopped_work_keeps_what_is_done() {
    let project =
        opened(&[(&setting::fabric::P, 2_u32.into()), (&setting::fabric::K, 2_u32.into())]);
    let project = project.unwrap();
    let set = |tor| FailureSet::new(project.fabric(), vec![Failure::Relay(TorId(tor))]).unwrap();
    let sets: Vec<FailureSet> = (0..8).cycle().take(100).map(set).collect();
    let stop = AtomicBool::new(false);
    let hear = |done, _| stop.store(done > 0, Ordering::Relaxed);
    let watch = Watch::quiet().stopped_by(&stop).on_progress(&hear);
    let some = recoveries(&project, &sets, FEWEST, States::Final, watch).unwrap();
    assert!((1..sets.len()).contains(&some.len()), "{}", some.len());
    let (first, last) = (some.first().unwrap(), some.last().unwrap());
    assert_eq!(first.as_ref().unwrap().failed, ["relay:0"]);
    assert_eq!(last.as_ref().unwrap().failed, sets[some.len() - 1].names());
}
