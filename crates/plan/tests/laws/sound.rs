//! Plans without failures: what is proved and told of them, beside packets that are followed here.

use std::collections::BTreeMap;

use lightloom_plan::facts::LoadReport;
use lightloom_plan::prove::prove;
use lightloom_topology::TorId;
use lightloom_watch::Watch;
use proptest::prelude::*;

use crate::given::{kautz, shufflecast, small, spread};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn the_figures_of_a_plan_are_those_of_its_packets((p, tors, housing) in small()) {
        let laid = kautz(p, tors, housing);
        let project = laid.project();
        let rules = project.listed_rules().unwrap();
        let proved = prove(&laid, Watch::quiet()).unwrap();
        let report = &proved.report;
        let info = project.info(Watch::quiet()).unwrap();
        let (mut most, mut sum, mut relays) = (0, 0_u64, 0);
        for source in project.fabric().tor_ids() {
            let hops = spread(project, &rules, source, |_, _| true);
            prop_assert_eq!(hops.len(), tors as usize - 1, "source {}", source);
            most = most.max(*hops.values().max().unwrap());
            sum += hops.values().map(|&hops| u64::from(hops)).sum::<u64>();
            let own = rules.iter().filter(|sources| sources.contains(&source)).count();
            relays = relays.max(own);
            let tree = project.tree(source).unwrap();
            prop_assert_eq!(tree.relays.len(), own);
            let told: BTreeMap<TorId, u32> = tree
                .paths
                .iter()
                .map(|(tor, path)| (*tor, u32::try_from(tree.hops(path)).unwrap()))
                .collect();
            prop_assert_eq!(told, hops);
        }
        let pairs = u64::from(tors) * u64::from(tors - 1);
        let mean = sum as f64 / pairs as f64;
        prop_assert_eq!((report.max_hops, info.fabric.max_hops), (most, most));
        prop_assert!((report.mean_hops - mean).abs() < 1e-9, "{} {}", report.mean_hops, mean);
        prop_assert!((info.fabric.mean_hops - mean).abs() < 1e-9);
        prop_assert_eq!(info.fabric.relays_per_source, relays);
        prop_assert_eq!(report.verification.copies, rules_copies(project, &rules));
        prop_assert_eq!(report.verification.sources_checked, tors as usize);
        prop_assert!(report.restored() && report.given_up().is_empty());
        prop_assert!(report.lit() && report.light.is_none(), "a design without optics is not judged");
        let load = LoadReport::of_lists(&rules);
        let lengths: Vec<usize> = rules.iter().map(Vec::len).collect();
        prop_assert_eq!(load.min as usize, *lengths.iter().min().unwrap());
        prop_assert_eq!(load.max as usize, *lengths.iter().max().unwrap());
        let mean = lengths.iter().sum::<usize>() as f64 / f64::from(tors);
        prop_assert!((load.mean - mean).abs() < 1e-9);
        prop_assert_eq!(Some(load), info.fabric.relay_load);
    }
}

/// Copies of the packets of all sources: each transmission makes one for each receiver.
fn rules_copies(project: &lightloom_plan::project::Project, rules: &[Vec<TorId>]) -> u64 {
    let fabric = project.fabric();
    let receivers = |tor: TorId| fabric.receivers(fabric.transmits_into(tor)).len() as u64;
    let relays = fabric.tor_ids().map(|tor| rules[tor.index()].len() as u64 * receivers(tor));
    relays.sum()
}

#[test]
fn the_other_family_has_the_same_tors() {
    use lightloom_plan::facts::other_family;
    use lightloom_request::choices::Family;
    let paper = shufflecast(2, 3);
    let other = other_family(&paper, Watch::quiet()).unwrap().unwrap();
    assert_eq!((other.family, other.tors, other.p), (Family::Kautz, 24, 2));
    let fits = kautz(2, 24, lightloom_topology::hall::Housing::Sender);
    let other = other_family(fits.project(), Watch::quiet()).unwrap().unwrap();
    assert_eq!((other.family, other.k, other.tors), (Family::Shufflecast, Some(3), 24));
    let fits_none = kautz(2, 23, lightloom_topology::hall::Housing::Sender);
    assert_eq!(other_family(fits_none.project(), Watch::quiet()).unwrap(), None);
}
