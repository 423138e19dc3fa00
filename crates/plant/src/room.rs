//! Free units of racks, and the racks that have room for the shelves of cassettes.

use lightloom_topology::{CassetteId, RackId};

use crate::hardware::Hardware;
use crate::site::{Site, nearest_of};

impl Site {
    /// The top unit of `units` free rack units in one piece beside the ToR of a rack, where a shelf goes. `None`: there
    /// are none.
    pub fn free_units(&self, rack: RackId, units: u16) -> Option<u16> {
        free_units(self, rack, units)
    }

    /// The rack of a cassette with splitters at the receivers. A cassette of a fabric that grew stays where it is. Any
    /// other is, of the racks of its receivers that have room for its shelf, in the one with the shortest fibres to all
    /// receivers. If none has room, it is the one with the largest free piece.
    pub fn cassette_rack(&self, cassette: CassetteId, hardware: &Hardware) -> RackId {
        self.placement.shelf(cassette).unwrap_or_else(|| {
            let racks = self.receiver_racks(cassette);
            let splitters = self.fabric.splitters(cassette).len();
            let units = hardware.shelf_units(splitters, self.fabric.fan_out());
            let mut roomy = racks.clone();
            roomy.retain(|&rack| free_units(self, rack, units).is_some());
            if roomy.is_empty() {
                let pieces = racks.iter().map(|&rack| largest_piece(self, rack));
                let most = pieces.max().unwrap_or(0);
                roomy = racks.clone();
                roomy.retain(|&rack| largest_piece(self, rack) == most);
            }
            nearest_of(&self.hall, &roomy, &racks)
        })
    }
}

/// The top unit of `units` free rack units in one piece: directly below the ToR or as near below it as possible, and
/// else as near above it as possible. `None`: there are none.
pub(crate) fn free_units(site: &Site, rack: RackId, units: u16) -> Option<u16> {
    free_units_beside(site, rack, units, |_| false)
}

/// As [`free_units`], with more units that are taken.
pub(crate) fn free_units_beside(
    site: &Site,
    rack: RackId,
    units: u16,
    is_taken: impl Fn(u16) -> bool,
) -> Option<u16> {
    let (tor, height) = (site.hall.tor_unit(rack), site.hall.rack(rack).units);
    let may_take = |unit: u16| is_free(site, rack, unit) && !is_taken(unit);
    let is_free = |top: &u16| (0..units).all(|down| may_take(top - down));
    let mut below = (units..tor).rev();
    let mut above = tor.saturating_add(units)..=height;
    below.find(is_free).or_else(|| above.find(is_free))
}

/// Rack units of the largest free piece of a rack, for a message about what does not fit.
pub(crate) fn largest_piece(site: &Site, rack: RackId) -> u16 {
    let mut pieces = (1..=site.hall.rack(rack).units).rev();
    pieces.find(|&units| free_units(site, rack, units).is_some()).unwrap_or(0)
}

/// Whether no other device takes a unit.
pub(crate) fn is_free(site: &Site, rack: RackId, unit: u16) -> bool {
    site.taken.as_ref().is_none_or(|taken| !taken.is_taken(rack, unit))
}
