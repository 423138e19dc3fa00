//! Studies of plans without failures.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_plan::failure_set::FailureSet;
use lightloom_plant::Far;
use lightloom_plant::end_labels::fibre_label;
use lightloom_studies::arrays;
use lightloom_studies::finding::{Found, find};
use lightloom_studies::floor::floor;
use lightloom_studies::parallel::{most_parallel, parallel};
use lightloom_studies::spread::spread;
use lightloom_topology::TorId;
use lightloom_watch::Watch;
use proptest::prelude::*;

use crate::given::{self, kautz, shufflecast, small};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10))]

    #[test]
    fn arrays_and_copies_are_those_of_packets((p, tors, housing) in small()) {
        let laid = kautz(p, tors, housing);
        let project = laid.project();
        let rules = project.listed_rules().unwrap();
        let sets = arrays::relay_sets(project, Watch::quiet()).unwrap();
        prop_assert_eq!(sets.offsets.len(), tors as usize + 1);
        let sound = FailureSet::new(project.fabric(), Vec::new()).unwrap();
        for source in project.fabric().tor_ids() {
            let hops = given::spread(project, &rules, source, |_, _| true);
            let own = arrays::tree_arrays(project, source).unwrap();
            let told: BTreeMap<TorId, u32> = project
                .fabric()
                .tor_ids()
                .zip(own.hops)
                .filter(|(tor, _)| *tor != source)
                .collect();
            prop_assert_eq!(&told, &hops);
            let copies = spread(project, source, &sound, None).unwrap();
            let told: BTreeMap<TorId, u32> =
                copies.copies.iter().map(|(tor, (hops, _))| (*tor, *hops)).collect();
            prop_assert_eq!(&told, &hops);
            for (tor, (_, sender)) in &copies.copies {
                let receivers = project.fabric().receivers(project.fabric().transmits_into(*sender));
                prop_assert!(receivers.contains(tor), "{} hears {}", tor, sender);
            }
            prop_assert!(copies.missed.is_empty() && copies.root == source);
            let [first, last] = [source.index(), source.index() + 1].map(|at| sets.offsets[at]);
            let set = &sets.relays[usize::try_from(first).unwrap()..usize::try_from(last).unwrap()];
            let listed = project.fabric().tor_ids();
            let listed = listed.filter(|tor| rules[tor.index()].contains(&source));
            prop_assert_eq!(set, listed.map(|tor| tor.0).collect::<Vec<_>>());
        }
    }

    #[test]
    fn what_has_a_name_is_found_by_it((p, tors, housing) in small()) {
        let laid = kautz(p, tors, housing);
        let project = laid.project();
        let branches = arrays::branch_arrays(project).unwrap();
        let mut of_arrays: BTreeSet<(u32, u32)> = BTreeSet::new();
        of_arrays.extend(branches.from.iter().copied().zip(branches.to.iter().copied()));
        let mut of_plant: BTreeSet<(u32, u32)> = BTreeSet::new();
        for fibre in laid.plant().fibres() {
            let to = match fibre.far {
                Far::SplitterInput => None,
                Far::Receiver { tor, .. } => Some(tor),
            };
            of_plant.extend(to.map(|to| (fibre.from.0, to.0)));
            let label = fibre_label(project.fabric(), fibre);
            let Found::Fibres { fibres, .. } = find(project, &label).unwrap() else {
                return Err(TestCaseError::fail(label));
            };
            prop_assert!(fibres.contains(&(fibre.from, to)), "{}: {:?}", label, fibres);
        }
        prop_assert_eq!(of_arrays, of_plant);
        for tor in project.fabric().tor_ids() {
            prop_assert_eq!(find(project, project.tor_name(tor)).unwrap(), Found::Tor { tor });
        }
        let places = arrays::place_arrays(project);
        let racks = floor(project).racks.len();
        prop_assert!(places.x_m.len() == tors as usize && racks >= tors as usize);
    }

    #[test]
    fn trees_of_parallel_sources_share_no_transmitter((p, tors, housing) in small()) {
        let laid = kautz(p, tors, housing);
        let project = laid.project();
        let most = most_parallel(project, Watch::quiet()).unwrap();
        prop_assert!(most.possible && !most.trees.is_empty());
        let sources: Vec<TorId> = most.trees.keys().copied().collect();
        let again = parallel(project, &sources, Watch::quiet()).unwrap();
        prop_assert!(again.possible);
        for trees in [&most.trees, &again.trees] {
            let mut busy = BTreeSet::new();
            for (source, tree) in trees {
                let reached = reached_by(project, *source, tree);
                prop_assert_eq!(reached, tors as usize, "source {}", source);
                for relay in tree {
                    prop_assert!(busy.insert(*relay), "{} relays two sources", relay);
                }
            }
        }
        let twice = parallel(project, &[sources[0], sources[0]], Watch::quiet()).unwrap_err();
        let said = format!("--sources: ToR {} is named twice; name each source once", sources[0]);
        prop_assert_eq!(twice.to_string(), said);
    }
}

/// Number of ToRs that have a packet of a source, with itself, if these relays send it on.
fn reached_by(
    project: &lightloom_plan::project::Project,
    source: TorId,
    relays: &[TorId],
) -> usize {
    let mut rules = vec![Vec::new(); project.fabric().tors()];
    relays.iter().for_each(|relay| rules[relay.index()].push(source));
    given::spread(project, &rules, source, |_, _| true).len() + 1
}

/// As many sources as a splitter has outputs send at line rate, and no more.
#[test]
fn a_shufflecast_has_p_parallel_sources() {
    for (p, k) in [(2, 2), (2, 3), (3, 2)] {
        let most = most_parallel(&shufflecast(p, k), Watch::quiet()).unwrap();
        assert_eq!(most.trees.len(), p as usize, "{p},{k}");
    }
}
