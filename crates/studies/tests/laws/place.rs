//! Placements: what the search counts is what the planner lays.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;

use lightloom_plan::laid::Laid;
use lightloom_plan::project::Project;
use lightloom_qap::Effort;
use lightloom_studies::place::{Placing, Problem};
use lightloom_topology::TorId;
use lightloom_topology::hall::Housing;
use lightloom_watch::Watch;
use proptest::prelude::*;

use crate::given::kautz;

fn effort(rounds: u32) -> Effort {
    Effort { chains: NonZeroU32::MIN, rounds: NonZeroU32::new(rounds).unwrap() }
}

/// The stock lengths of all cords of a laid project, in micrometres.
fn stock(laid: &Laid) -> i64 {
    let fibres = laid.plant().fibres().iter();
    fibres.map(|fibre| i64::try_from(fibre.stock.as_um()).unwrap()).sum()
}

fn searched(project: &Project, placing: &Placing) -> (i64, Vec<String>) {
    let problem = Problem::new(project, placing).unwrap();
    let racks = problem.search(effort(1), 5, Watch::quiet()).racks;
    let again = problem.search(effort(1), 5, Watch::quiet()).racks;
    assert_eq!(racks, again, "the same effort and seed");
    let name = |&rack| project.hall().rack(rack).name.to_string();
    (problem.cost(), racks.iter().map(name).collect())
}

fn small(housings: &[Housing]) -> impl Strategy<Value = (u32, u32, Housing)> + use<> {
    let housing = prop::sample::select(housings.to_vec());
    (2..=4_u32, 6..=40_u32, housing)
        .prop_filter("a splitter has receivers", |(p, tors, _)| p < tors)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn the_search_counts_what_the_planner_lays(
        (p, tors, housing) in small(&[Housing::Sender, Housing::Receiver])
    ) {
        let laid = kautz(p, tors, housing);
        let (cost, racks) = searched(laid.project(), &Placing::default());
        prop_assert_eq!(cost, stock(&laid));
        prop_assert_eq!(racks.iter().collect::<BTreeSet<_>>().len(), tors as usize);
    }

    #[test]
    fn what_is_fixed_stays_and_groups_are_kept(
        (p, tors, housing) in small(&[Housing::Sender, Housing::Receiver, Housing::Zone]),
        cut in 1..39_u32,
    ) {
        let laid = kautz(p, tors, housing);
        let project = laid.project();
        let (hall, fabric) = (project.hall(), project.fabric());
        let fixed: BTreeSet<TorId> = fabric.tor_ids().filter(|tor| tor.0 % 3 == 1).collect();
        let all = hall.racks_for_tors();
        let group = |at: usize| if at < cut as usize { "near" } else { "far" };
        let groups: BTreeMap<_, String> =
            all.iter().enumerate().map(|(at, &rack)| (rack, group(at).to_owned())).collect();
        let placing = Placing { fixed: fixed.clone(), groups: groups.clone(), ..Placing::default() };
        let problem = Problem::new(project, &placing).unwrap();
        let racks = problem.search(effort(1), 1, Watch::quiet()).racks;
        for (tor, &rack) in fabric.tor_ids().zip(&racks) {
            let before = project.placement().rack(tor);
            prop_assert!(!fixed.contains(&tor) || rack == before);
            prop_assert_eq!(&groups[&rack], &groups[&before]);
        }
    }
}

#[test]
fn a_search_finds_shorter_cords() {
    for housing in [Housing::Sender, Housing::Receiver] {
        let laid = kautz(2, 40, housing);
        let problem = Problem::new(laid.project(), &Placing::default()).unwrap();
        let found = problem.search(effort(2), 0, Watch::quiet());
        let placed = lightloom_topology::hall::Placement::new(
            40,
            &laid.project().hall().racks_for_tors(),
            &found.racks.iter().copied().map(Some).collect::<Vec<_>>(),
        );
        assert!(placed.is_ok());
        assert!(found.least().unwrap() < stock(&laid), "{housing:?}");
    }
}
