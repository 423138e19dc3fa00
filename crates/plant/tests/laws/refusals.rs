//! What does not fit is refused with figures.

use lightloom_plant::{Plant, PlantError, Scheme, Stock};
use lightloom_topology::hall::{Cabling, Housing};

use crate::given::{given, hardware, stock};

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
