//! Lays a plant by its scheme.

use lightloom_topology::hall::{Cabling, Housing};

use crate::error::PlantError;
use crate::hardware::Hardware;
use crate::plant::{Plant, Stock};
use crate::scheme::Scheme;
use crate::site::Site;
use crate::{point_to_point, zone};

impl Plant {
    /// Places all things and routes all cables.
    ///
    /// # Errors
    /// [`PlantError`] if things do not fit their racks, or if the hall has no frames for a zone.
    pub fn new(
        site: Site,
        scheme: Scheme,
        hardware: &Hardware,
        stock: Stock<'_>,
    ) -> Result<Self, PlantError> {
        match (scheme.housing, scheme.cabling) {
            (Housing::Zone, _) => zone::lay(site, scheme, hardware, stock),
            (_, Cabling::Trunked) => Err(PlantError::TrunksWithoutFrames),
            (_, Cabling::PointToPoint) => point_to_point::lay(site, scheme, hardware, stock.cords),
        }
    }
}
