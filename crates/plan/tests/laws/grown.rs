//! Plans that grow and shrink, beside the pairs of ToRs that light joins before and afterwards.

use std::collections::BTreeSet;

use lightloom_plan::growth::{GrowOptions, ShrinkOptions};
use lightloom_plan::project::Project;
use lightloom_plan::prove::prove;
use lightloom_topology::TorId;
use lightloom_watch::Watch;
use proptest::prelude::*;

use crate::given::{kautz, small};

/// The pairs of ToRs that a branch joins.
fn joined(project: &Project) -> BTreeSet<(TorId, TorId)> {
    let fabric = project.fabric();
    let of = |from: TorId| {
        fabric.receivers(fabric.transmits_into(from)).iter().map(move |&to| (from, to))
    };
    fabric.tor_ids().flat_map(of).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10))]

    #[test]
    fn a_plan_that_grows_is_proved_and_shrinks_back(
        (p, tors, housing) in small(),
        added in 1..6_u32,
    ) {
        let laid = kautz(p, tors, housing);
        let project = laid.project();
        let larger = (tors + added) as usize;
        let options = GrowOptions { tors: Some(larger), ..GrowOptions::default() };
        let Ok(grown) = project.grown(larger, &options, None) else {
            // Fewer ToRs than half would have to keep their cords.
            return Ok(());
        };
        let proved = prove(&grown.project.laid().unwrap(), Watch::quiet()).unwrap();
        let growth = proved.report.growth.as_ref().unwrap();
        prop_assert_eq!(&growth.kind, "grow");
        prop_assert_eq!((growth.tors_before, growth.tors), (tors as usize, larger));
        for tor in project.fabric().tor_ids() {
            prop_assert_eq!(grown.project.tor_name(tor), project.tor_name(tor));
        }
        // Pairs that go are those of ToRs whose cords move.
        let moved: BTreeSet<TorId> =
            growth.moved.iter().map(|name| project.tor(&format!("rack:{name}")).unwrap()).collect();
        for (from, to) in joined(project).difference(&joined(&grown.project)) {
            prop_assert!(moved.contains(from), "{} to {}", from, to);
        }
        let shrink = ShrinkOptions { tors: Some(tors as usize), ..ShrinkOptions::default() };
        let own = grown.project.clone().of_its_own();
        match own.shrunk(&shrink) {
            Ok(back) => {
                prop_assert_eq!(back.fabric().tors(), tors as usize);
                // Small fabrics have too few other ways for some stages, which are refused and not proved.
                if let Err(refused) = prove(&back.laid().unwrap(), Watch::quiet()) {
                    let said = refused.to_string();
                    prop_assert!(said.starts_with("while the cords move, some sources"), "{}", said);
                }
            }
            // A fabric that shrinks keeps more cassettes than a splitter has outputs.
            Err(refused) => prop_assert!(growth.cassettes_before <= p as usize, "{}", refused),
        }
    }
}

#[test]
fn phases_ascend() {
    let phases = |tors, phases: &[usize]| {
        GrowOptions { tors, phases: phases.to_vec(), ..GrowOptions::default() }.sequence()
    };
    assert_eq!(phases(Some(20), &[]).unwrap(), [20]);
    assert_eq!(phases(None, &[20, 30]).unwrap(), [20, 30]);
    assert_eq!(phases(Some(10), &[20, 30]).unwrap(), [10, 20, 30]);
    assert_eq!(phases(Some(20), &[20, 30]).unwrap(), [20, 30]);
    let refused = |tors, of: &[usize]| phases(tors, of).unwrap_err().to_string();
    assert_eq!(refused(None, &[30, 20]), "--phases: found 30 before 20; phases ascend");
    assert_eq!(
        refused(None, &[]),
        "--tors: is missing; name the number of ToRs afterwards, or phases"
    );
    assert!(
        refused(Some(40), &[20]).contains("the first phase has 20; grow by one phase at a time")
    );
}
