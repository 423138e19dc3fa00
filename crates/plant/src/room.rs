//! Free units of racks.

use lightloom_topology::RackId;
use lightloom_topology::hall::Hall;

/// The top unit of a shelf of `units` rack units, and its first slot. The shelf is directly below the ToR, or
/// above it where there is no room below.
pub(crate) fn shelf_top(hall: &Hall, rack: RackId, units: u16) -> (u16, u16) {
    let tor = hall.tor_unit(rack);
    if tor > units { (tor - 1, 1) } else { (tor.saturating_add(units), 1) }
}

/// The top unit of `units` free rack units in one piece: as high as possible, below the ToR first. `None`: there
/// are none.
pub(crate) fn free_units(hall: &Hall, rack: RackId, units: u16) -> Option<u16> {
    let (tor, height) = (hall.tor_unit(rack), hall.rack(rack).units);
    if tor > units {
        Some(tor - 1)
    } else {
        (tor.saturating_add(units) <= height).then(|| tor + units)
    }
}
