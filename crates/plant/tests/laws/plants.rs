//! Laws of chains, ports and places.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_plant::{
    CableKind, End, FibreId, Hardware, Plant, Port, Stock, ThingKind, frames_needed,
};
use lightloom_topology::TorId;
use lightloom_units::Length;
use proptest::prelude::*;

use crate::given::{any_given, any_scheme, given, hardware, stock};

/// All ports of all cables, each connector of a trunk by itself.
fn plugs(plant: &Plant) -> Vec<End> {
    let mut plugs = Vec::new();
    for cable in plant.cables() {
        match cable.kind {
            CableKind::Cord(..) => plugs.extend(cable.ends),
            CableKind::Trunk(number) => {
                let trunk = &plant.trunks()[number as usize];
                plugs.extend(trunk.legs.iter().flat_map(|leg| leg.ends));
            }
        }
    }
    plugs
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn every_fibre_is_one_chain_from_its_switch_to_its_splitter(given in any_given(), scheme in any_scheme()) {
        let stock = stock();
        let stock = Stock { cords: &stock, trunks: &stock };
        let plant = Plant::new(given.site(), scheme, &hardware(), stock).unwrap();
        for (id, fibre) in plant.numbered() {
            prop_assert!(plant.is_joined(id));
            let [near, far] = plant.chain_ends(id);
            let (switch, splitter) = if fibre.is_feed() { (near, far) } else { (far, near) };
            prop_assert_eq!(plant.thing(switch.thing).kind, ThingKind::Switch(fibre.tor()));
            prop_assert_eq!(splitter.thing, plant.module_of(fibre.from).0);
            prop_assert_eq!(matches!(switch.port, Port::Tx(_)), fibre.is_feed());
            let expected =
                if fibre.is_feed() { scheme.mated_on_feeds() } else { scheme.mated_on_branches() };
            prop_assert_eq!(plant.mated(id), expected);
            let lengths = plant.chain(id).into_iter().map(|link| plant.cable(link.cable).length);
            prop_assert_eq!(fibre.length, lengths.sum::<Length>());
        }
    }

    #[test]
    fn no_port_has_two_plugs_and_no_slot_two_modules(given in any_given(), scheme in any_scheme()) {
        let stock = stock();
        let stock = Stock { cords: &stock, trunks: &stock };
        let plant = Plant::new(given.site(), scheme, &hardware(), stock).unwrap();
        let all = plugs(&plant);
        prop_assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
        for end in &all {
            let (front, rear) = plant.ports(end.thing);
            let known = match end.port {
                Port::Tx(port) => port == 0,
                Port::Rx(port) => port < front,
                Port::Front(port) => (1..=front).contains(&port),
                Port::Rear(port) => (1..=rear).contains(&port),
            };
            prop_assert!(known, "{:?}", end);
        }
        let mut places = BTreeSet::new();
        for thing in plant.things() {
            prop_assert!(places.insert((thing.rack, thing.unit, thing.slot)), "{:?}", thing);
            prop_assert!((1..=42).contains(&thing.unit));
            prop_assert!(thing.slot.is_none_or(|slot| (1..=4).contains(&slot)));
        }
    }

    #[test]
    fn every_splitter_has_one_module_and_one_place_in_it(given in any_given(), scheme in any_scheme()) {
        let stock = stock();
        let stock = Stock { cords: &stock, trunks: &stock };
        let plant = Plant::new(given.site(), scheme, &hardware(), stock).unwrap();
        let mut listed: BTreeMap<TorId, usize> = BTreeMap::new();
        for thing in plant.thing_ids() {
            for tor in plant.splitters_of(thing) {
                *listed.entry(tor.unwrap()).or_default() += 1;
            }
        }
        prop_assert_eq!(listed.len(), given.fabric.tors());
        prop_assert!(listed.values().all(|&times| times == 1));
    }

    #[test]
    fn a_trunk_carries_each_fibre_in_one_position_and_keeps_spares(given in any_given(), scheme in any_scheme()) {
        let stock = stock();
        let stock = Stock { cords: &stock, trunks: &stock };
        let plant = Plant::new(given.site(), scheme, &hardware(), stock).unwrap();
        let mut carried: BTreeMap<FibreId, usize> = BTreeMap::new();
        for trunk in plant.trunks() {
            prop_assert_eq!(trunk.strands.len(), trunk.legs.len() * 12);
            prop_assert!(trunk.legs.len() * 12 <= usize::from(trunk.fibres));
            for fibre in trunk.strands.iter().flatten() {
                *carried.entry(*fibre).or_default() += 1;
            }
        }
        let expected = if scheme.is_trunked() { plant.fibres().len() } else { 0 };
        prop_assert_eq!(carried.len(), expected);
        prop_assert!(carried.values().all(|&times| times == 1));
    }

    #[test]
    fn as_many_frames_as_needed_are_enough_and_one_less_is_not(
        p in prop::sample::select(vec![2, 4, 32, 48, 64]),
        tors in 80..400_u32, scheme in any_scheme(), racks in 4..20_u32,
    ) {
        let bare = given(p, tors, racks, 0);
        let needed = frames_needed(&bare.site(), scheme, &hardware(), 42);
        let stock = stock();
        let stock = Stock { cords: &stock, trunks: &stock };
        prop_assume!(scheme.housing == lightloom_topology::hall::Housing::Zone);
        let enough = given(p, tors, racks, needed);
        prop_assert!(Plant::new(enough.site(), scheme, &hardware(), stock).is_ok());
        let fewer = given(p, tors, racks, needed - 1);
        prop_assert!(Plant::new(fewer.site(), scheme, &hardware(), stock).is_err());
    }
}

/// Sizes of modules by hand: four splitters 1:4 take 20 of 24 ports, one 1:32 takes 33 ports in two slots.
#[test]
fn modules_hold_as_many_splitters_as_fit() {
    let size = |fan_out| {
        let size = Hardware::default().module(fan_out);
        (size.splitters, size.slots)
    };
    assert_eq!([2, 3, 4, 8, 16, 32].map(size), [(8, 1), (6, 1), (4, 1), (2, 1), (1, 1), (1, 2)]);
}
