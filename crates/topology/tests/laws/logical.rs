//! Switches that are several logical ToRs (shufflecast:V.logical): how many there are, and where mirrors go.

use std::collections::BTreeMap;

use lightloom_topology::hall::{Placement, PlacementError};
use lightloom_topology::{Fabric, RackId, TorId};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::any_edges;

fn racks(count: usize) -> Vec<RackId> {
    // Gaps: a hall has other racks between.
    (0..count).map(|number| RackId::at(3 * number + 1)).collect()
}

fn held(fabric: &Fabric, placement: &Placement) -> BTreeMap<RackId, Vec<TorId>> {
    let mut held: BTreeMap<RackId, Vec<TorId>> = BTreeMap::new();
    for tor in fabric.tor_ids() {
        held.entry(placement.rack(tor)).or_default().push(tor);
    }
    held
}

/// The largest number of ToRs of a switch that transmit into one cassette.
fn most_mirrors(fabric: &Fabric, held: &BTreeMap<RackId, Vec<TorId>>) -> usize {
    let of = |tors: &Vec<TorId>| {
        let mut into: Vec<_> = tors.iter().map(|&tor| fabric.transmits_into(tor)).collect();
        into.sort_unstable();
        into.chunk_by(|a, b| a == b).map(<[_]>::len).max().unwrap_or(0)
    };
    held.values().map(of).max().unwrap_or(0)
}

proptest! {
    /// As few switches as hold all ToRs, each with at most so many, and mirrors on different ones where there are as
    /// many switches as mirrors.
    #[test]
    fn switches_are_few_and_keep_mirrors_apart(edges in any_edges(5, 2..=5), most in 2..=9_u32, spare in 0..3_usize) {
        let fabric = edges.fabric();
        let count = fabric.tors().div_ceil(most as usize);
        let racks = racks(count + spare);
        let placement = Placement::shared(&fabric, most, &racks, &[]).unwrap();
        let held = held(&fabric, &placement);
        prop_assert_eq!(held.len(), count);
        prop_assert_eq!(placement.switches().into_iter().collect::<Vec<_>>(), &racks[..count]);
        for (&rack, tors) in &held {
            prop_assert!(tors.len() <= most as usize);
            prop_assert_eq!(&placement.tors_in(rack).collect::<Vec<_>>(), tors);
            for (slot, &tor) in (0..).zip(tors) {
                prop_assert_eq!(placement.slot(tor), slot);
                prop_assert_eq!(&placement.beside(tor).collect::<Vec<_>>(), tors);
            }
        }
        let mirrors = fabric.cassette_ids().map(|of| fabric.transmitters(of).len()).max().unwrap();
        let expected = mirrors.div_ceil(count);
        prop_assert!(most_mirrors(&fabric, &held) <= expected.max(1), "{held:?}");
        // All ports of a switch have numbers of their own.
        let mut ports: Vec<(RackId, u32)> = Vec::new();
        for tor in fabric.tor_ids() {
            let of = |port: u32| (placement.rack(tor), placement.switch_port(&fabric, tor, port));
            ports.extend(fabric.ports(tor).map(|port| of(port.number)));
        }
        let all = ports.len();
        ports.sort_unstable();
        ports.dedup();
        prop_assert_eq!(ports.len(), all);
    }

    /// Given racks stay, and the rest goes beside them before another rack is taken.
    #[test]
    fn given_racks_stay(
        edges in any_edges(5, 2..=4), most in 2..=6_u32, given in vec(any::<Option<u8>>(), 0..40),
    ) {
        let fabric = edges.fabric();
        let racks = racks(fabric.tors());
        let mut room: BTreeMap<RackId, u32> = racks.iter().map(|&rack| (rack, most)).collect();
        let fixed: Vec<Option<RackId>> = fabric.tor_ids().map(|tor| {
            let number = given.get(tor.index()).copied().flatten()?;
            let rack = racks[usize::from(number) % racks.len()];
            let room = room.get_mut(&rack)?;
            *room = room.checked_sub(1)?;
            Some(rack)
        }).collect();
        let placement = Placement::shared(&fabric, most, &racks, &fixed).unwrap();
        for tor in fabric.tor_ids() {
            prop_assert!(fixed[tor.index()].is_none_or(|rack| placement.rack(tor) == rack));
        }
        let held = held(&fabric, &placement);
        prop_assert!(held.values().all(|tors| tors.len() <= most as usize));
        let begun = held.keys().filter(|rack| fixed.contains(&Some(**rack))).count();
        let open = fixed.iter().filter(|rack| rack.is_none()).count();
        let room: u32 = room.values().filter(|&&left| left < most).sum();
        let new = open.saturating_sub(room as usize).div_ceil(most as usize);
        prop_assert_eq!(held.len(), begun + new);
    }

    /// One ToR a switch is the placement of one ToR a rack.
    #[test]
    fn one_of_each_is_the_usual_placement(edges in any_edges(5, 2..=4)) {
        let fabric = edges.fabric();
        let racks = racks(fabric.tors());
        let one = Placement::shared(&fabric, 1, &racks, &[]).unwrap();
        prop_assert_eq!(&one, &Placement::new(fabric.tors(), &racks, &[]).unwrap());
        prop_assert!(fabric.tor_ids().all(|tor| one.slot(tor) == 0 && one.beside(tor).eq([tor])));
    }
}

#[test]
fn too_many_tors_for_a_switch_are_refused() {
    let fabric = lightloom_topology::family::Shufflecast::new(2, 2).unwrap().fabric().unwrap();
    let racks = racks(3);
    let fixed = vec![Some(racks[1]); 8];
    let refused = PlacementError::RackFull { rack: racks[1], tor: TorId(4), most: 4 };
    assert_eq!(Placement::shared(&fabric, 4, &racks, &fixed), Err(refused));
    let refused = PlacementError::TooFewRacks { racks: 3, tors: 8 };
    assert_eq!(Placement::shared(&fabric, 2, &racks, &[]), Err(refused));
    let refused = PlacementError::NoTorRack { rack: RackId(9), tor: TorId(0) };
    assert_eq!(Placement::shared(&fabric, 4, &racks, &[Some(RackId(9))]), Err(refused));
}
