//! What does not fit is refused with figures.

use std::sync::Arc;

use std::collections::BTreeSet;

use lightloom_plant::{Plant, PlantError, Scheme, Site, Stock, TakenUnits};
use lightloom_topology::RackId;
use lightloom_topology::hall::{Cabling, Housing};

use crate::given::{Given, given, hardware, stock};

fn refused(housing: Housing, cabling: Cabling, frames: u32, tors: u32) -> PlantError {
    let (given, stock) = (given(4, tors, 16, frames), stock());
    let stock = Stock { cords: &stock, trunks: &stock };
    let scheme = Scheme { cabling, ..Scheme::point_to_point(housing) };
    Plant::new(given.site(), scheme, &hardware(), stock).unwrap_err()
}

#[test]
fn trunks_run_to_frames_only() {
    for housing in [Housing::Sender, Housing::Receiver] {
        let error = refused(housing, Cabling::Trunked, 1, 64);
        assert_eq!(error, PlantError::TrunksWithoutFrames);
    }
}

#[test]
fn a_zone_needs_frames_that_are_large_enough() {
    assert_eq!(refused(Housing::Zone, Cabling::PointToPoint, 0, 64), PlantError::NoFrame);
    // 1,024 splitters 1:4 in modules of four: 256 slots, 64 units.
    let error = refused(Housing::Zone, Cabling::PointToPoint, 1, 1024);
    assert_eq!(error, PlantError::FramesTooSmall { needed: 64, frames: 1, units: 42 });
}

/// Racks in which other devices leave only some units free.
#[derive(Debug)]
struct Crowded {
    racks: BTreeSet<RackId>,
    free: BTreeSet<(RackId, u16)>,
}

impl TakenUnits for Crowded {
    fn is_taken(&self, rack: RackId, unit: u16) -> bool {
        self.racks.contains(&rack) && !self.free.contains(&(rack, unit))
    }
}

/// The error where the racks whose names start so have no free unit but these.
fn refused_beside(
    given: &Given,
    (housing, cabling): (Housing, Cabling),
    prefix: &str,
    free: &[(&str, u16)],
) -> Option<PlantError> {
    let hall = &given.hall;
    let racks = || (0..).map(RackId).zip(hall.racks());
    let named = |name: &str| racks().find(|(_, rack)| rack.name.as_str() == name).unwrap().0;
    let of_prefix = racks().filter(|(_, rack)| rack.name.as_str().starts_with(prefix));
    let crowded = Crowded {
        racks: of_prefix.map(|(id, _)| id).collect(),
        free: free.iter().map(|&(rack, unit)| (named(rack), unit)).collect(),
    };
    let (stock, scheme) = (stock(), Scheme { cabling, ..Scheme::point_to_point(housing) });
    let site = Site { taken: Some(Arc::new(crowded)), ..given.site() };
    Plant::new(site, scheme, &hardware(), Stock { cords: &stock, trunks: &stock }).err()
}

#[test]
fn a_full_row_names_its_roomiest_rack() {
    let given = given(4, 64, 32, 4);
    let trunked = (Housing::Zone, Cabling::Trunked);
    let refused = |free: &[(&str, u16)]| refused_beside(&given, trunked, "R0.", free);
    let Some(PlantError::NoRoomInRow { row, units, roomiest: None }) = refused(&[]) else {
        panic!("no unit is free")
    };
    assert!(row == "R0" && units > 1, "{row}, {units}");
    // Two units of one rack, and two of another one that do not touch.
    let free = [("R0.3", 10), ("R0.9", 20), ("R0.9", 22)];
    let error = refused(&free).expect("one unit is too little");
    let PlantError::NoRoomInRow { roomiest: Some((rack, most)), .. } = &error else {
        panic!("{error}")
    };
    assert_eq!((rack.as_str(), *most), ("R0.9", 1), "of equal racks, the one nearer to the middle");
    assert!(error.to_string().contains("rack \"R0.9\" has the largest free piece, 1"), "{error}");
    // What the message asks for is enough.
    let enough: Vec<(&str, u16)> = (10..10 + units).map(|unit| ("R0.3", unit)).collect();
    assert_eq!(refused(&enough), None);
    assert!(refused(&enough[1..]).is_some());
}

#[test]
fn a_full_rack_tells_its_largest_piece() {
    let given = given(32, 64, 16, 0);
    let receiver = (Housing::Receiver, Cabling::PointToPoint);
    let error = refused_beside(&given, receiver, "R", &[]).expect("no unit is free");
    let PlantError::NoRoomInRack { rack, units, most: 0, others: 31 } = &error else {
        panic!("{error}")
    };
    let told = "it has none, and the racks of its 31 other receiver(s) have no larger one";
    assert!(error.to_string().contains(told), "{error}");
    let (rack, units) = (rack.clone(), *units);
    assert!(units > 1, "32 splitters");
    let free: Vec<(&str, u16)> = (5..4 + units).map(|unit| (rack.as_str(), unit)).collect();
    let error = refused_beside(&given, receiver, "R", &free).expect("a unit is missing");
    let most = units - 1;
    assert_eq!(error, PlantError::NoRoomInRack { rack: rack.clone(), units, most, others: 31 });
}

/// A full rack is no reason to refuse while another receiver of the cassette has room in its rack.
#[test]
fn a_shelf_stands_with_another_receiver_if_the_nearest_rack_is_full() {
    let given = given(4, 64, 16, 0);
    let (stock, hardware) = (stock(), hardware());
    let shelves = |taken: Option<Arc<dyn TakenUnits>>| {
        let site = Site { taken, ..given.site() };
        let stock = Stock { cords: &stock, trunks: &stock };
        let plant = Plant::new(site, Scheme::point_to_point(Housing::Receiver), &hardware, stock)?;
        let rack = |cassette| plant.splitter_rack(given.fabric.transmitters(cassette)[0]);
        Ok::<Vec<RackId>, PlantError>(given.fabric.cassette_ids().map(rack).collect())
    };
    let receivers = |cassette| -> Vec<RackId> {
        given.fabric.receivers(cassette).iter().map(|&tor| given.placement.rack(tor)).collect()
    };
    let free = shelves(None).expect("all racks are free");
    // Rack by rack, the nearest ones get full. A shelf goes to the next one, until none is left.
    let mut full = BTreeSet::new();
    let mut stands = free.clone();
    for round in 1..=4 {
        full.extend(stands.iter().copied());
        let crowded = Crowded { racks: full.clone(), free: BTreeSet::new() };
        match shelves(Some(Arc::new(crowded))) {
            Ok(now) => {
                assert!(round < 4);
                for (cassette, rack) in given.fabric.cassette_ids().zip(&now) {
                    assert!(!full.contains(rack) && receivers(cassette).contains(rack));
                }
                stands = now;
            }
            Err(error) => {
                assert_eq!(round, 4, "{error}: every cassette has four receivers");
                assert!(
                    given
                        .fabric
                        .cassette_ids()
                        .all(|c| receivers(c).iter().all(|r| full.contains(r)))
                );
            }
        }
    }
    // One full rack moves one shelf, and no other.
    let crowded = Crowded { racks: BTreeSet::from([free[3]]), free: BTreeSet::new() };
    let now = shelves(Some(Arc::new(crowded))).expect("three racks have room");
    let moved: Vec<usize> = (0..free.len()).filter(|&at| now[at] != free[at]).collect();
    assert_eq!(moved, [3]);
}

/// All frames together have room, but what belongs together does not fit into one.
#[test]
fn frames_with_room_in_pieces_name_the_roomiest_one() {
    let given = given(4, 64, 32, 80);
    let names: Vec<String> = (0..80).map(|frame| format!("Z.{frame}")).collect();
    let one_each: Vec<(&str, u16)> = names.iter().map(|name| (&**name, 42)).collect();
    let trunked = (Housing::Zone, Cabling::Trunked);
    let error = refused_beside(&given, trunked, "Z.", &one_each).expect("panels are larger");
    let PlantError::NoRoomInFrame { needed, frame, most: 1 } = &error else { panic!("{error}") };
    assert!(*needed > 1 && frame.as_str() == "Z.0", "{error}");
    let mut more = one_each.clone();
    more.extend((1..=41).flat_map(|unit| [("Z.0", unit), ("Z.5", unit)]));
    assert_eq!(refused_beside(&given, trunked, "Z.", &more), None);
}
