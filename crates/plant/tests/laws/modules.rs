//! Laws of modules whose places are given.

use std::sync::Arc;

use std::collections::BTreeSet;

use lightloom_plant::{Plant, PlantError, Scheme, Stock, ThingKind};
use lightloom_topology::hall::{GivenModule, Housing};
use proptest::prelude::*;

use crate::given::{Given, any_given, given, hardware, stock};

/// The splitter modules of a plant in their order.
fn modules(plant: &Plant) -> Vec<GivenModule> {
    let fabric = &plant.site().fabric;
    let of_splitters = |id: &_| matches!(plant.thing(*id).kind, ThingKind::Splitters { .. });
    let module = |id| GivenModule {
        rack: plant.thing(id).rack,
        unit: plant.thing(id).unit,
        slot: plant.thing(id).slot.unwrap(),
        splitters: plant
            .splitters_of(id)
            .iter()
            .map(|tor| tor.map(|tor| fabric.splitter_number(tor)))
            .collect(),
    };
    plant.thing_ids().filter(of_splitters).map(module).collect()
}

fn laid(given: &Given) -> Result<Vec<GivenModule>, PlantError> {
    let stock = stock();
    let stock = Stock { cords: &stock, trunks: &stock };
    let scheme = Scheme::point_to_point(Housing::Zone);
    Ok(modules(&Plant::new(given.site(), scheme, &hardware(), stock)?))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn given_modules_stay_and_others_come_after_them(
        mut given in any_given(),
        kept in proptest::collection::vec(any::<bool>(), 200),
        dark in 0..200_usize,
    ) {
        let mut there = laid(&given).unwrap();
        // A module whose splitters were all given again is where it was.
        given.placement = Arc::new((*given.placement).clone().with_modules(there.clone()));
        prop_assert_eq!(&laid(&given).unwrap(), &there);

        let mut keep = kept.iter().cycle();
        there.retain(|_| *keep.next().unwrap());
        // A splitter that another module has now, and one of a ToR that left.
        let at = dark % there.len().max(1);
        if let Some(module) = there.get_mut(at) {
            module.splitters[0] = [None, Some(u32::MAX)][dark % 2];
        }
        given.placement = Arc::new((*given.placement).clone().with_modules(there.clone()));
        let now = laid(&given).unwrap();
        let numbers: BTreeSet<u32> =
            now.iter().flat_map(|module| module.splitters.iter().flatten()).copied().collect();
        let listed = now.iter().flat_map(|module| module.splitters.iter().flatten()).count();
        prop_assert_eq!((numbers.len(), listed), (given.fabric.tors(), given.fabric.tors()));
        let places: BTreeSet<_> = now.iter().map(|m| (m.rack, m.unit, m.slot)).collect();
        prop_assert_eq!(places.len(), now.len());
        for module in &mut there {
            for splitter in &mut module.splitters {
                *splitter = splitter.filter(|number| *number != u32::MAX);
            }
        }
        there.retain(|module| module.splitters.iter().any(Option::is_some));
        prop_assert_eq!(&now[..there.len()], &there[..]);
    }
}

#[test]
fn full_frames_hold_what_they_hold() {
    // One frame of 42 units and four slots each: 168 modules of four splitters.
    let mut site = given(4, 672, 50, 1);
    let there = laid(&site).unwrap();
    assert_eq!(there.len(), 168);
    site.placement = Arc::new((*site.placement).clone().with_modules(there.clone()));
    assert_eq!(laid(&site).unwrap(), there);
}

#[test]
fn modules_that_do_not_fit_their_place_are_refused() {
    let there = laid(&given(4, 40, 10, 2)).unwrap();
    let refuses = |edit: &dyn Fn(&mut Vec<GivenModule>)| {
        let (mut site, mut modules) = (given(4, 40, 10, 2), there.clone());
        edit(&mut modules);
        site.placement = Arc::new((*site.placement).clone().with_modules(modules));
        matches!(laid(&site), Err(PlantError::GivenModule { .. }))
    };
    assert!(!refuses(&|_| {}));
    assert!(refuses(&|modules| modules[1].slot = modules[0].slot));
    assert!(refuses(&|modules| modules[0].slot = 5));
    assert!(refuses(&|modules| modules[0].slot = 0));
    assert!(refuses(&|modules| modules[0].unit = 43));
    // A rack of a ToR is no frame.
    assert!(refuses(&|modules| modules[0].rack = lightloom_topology::RackId(0)));
    assert!(refuses(&|modules| modules[0].splitters.push(None)));
    assert!(refuses(&|modules| modules[0].splitters.clear()));
    assert!(refuses(&|modules| modules[0].splitters[0] = modules[0].splitters[1]));
}
