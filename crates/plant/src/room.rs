//! Free units of racks.

use lightloom_topology::RackId;

use crate::site::Site;

/// The top unit of `units` free rack units in one piece: directly below the ToR or as near below it as possible, and
/// else as near above it as possible. `None`: there are none.
pub(crate) fn free_units(site: Site<'_>, rack: RackId, units: u16) -> Option<u16> {
    let (tor, height) = (site.hall.tor_unit(rack), site.hall.rack(rack).units);
    let is_free = |top: &u16| (0..units).all(|down| is_free(site, rack, top - down));
    let mut below = (units..tor).rev();
    let mut above = tor.saturating_add(units)..=height;
    below.find(is_free).or_else(|| above.find(is_free))
}

/// Rack units of the largest free piece of a rack, for a message about what does not fit.
pub(crate) fn largest_piece(site: Site<'_>, rack: RackId) -> u16 {
    let mut pieces = (1..=site.hall.rack(rack).units).rev();
    pieces.find(|&units| free_units(site, rack, units).is_some()).unwrap_or(0)
}

/// Whether no other device takes a unit.
pub(crate) fn is_free(site: Site<'_>, rack: RackId, unit: u16) -> bool {
    site.taken.is_none_or(|taken| !taken.is_taken(rack, unit))
}
