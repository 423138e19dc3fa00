//! Extents, trays and allowances of a room.

use lightloom_units::Length;

use crate::hall::error::HallError;

/// The farthest accepted corner of a room, and the longest accepted way.
pub const MAX_EXTENT: Length = Length::from_m(100_000);

/// The greatest diameter of a cable. Sums over all cables of a plan then stay far below the range.
pub const THICKEST: Length = Length::from_mm(500);

/// Properties of a room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HallRules {
    /// Extent along the rows. Racks beyond it are refused.
    pub width: Length,
    /// Extent across the rows.
    pub depth: Length,
    /// The x of each cross-aisle tray, ascending.
    pub cross_aisles: Vec<Length>,
    /// Floor to tray, up or down.
    pub tray_height: Length,
    /// From the port to the riser, at each end.
    pub rack_entry: Length,
    /// Service loop of a fibre that leaves its rack.
    pub slack: Length,
    /// Cross-sections for the tray fill.
    pub space: CableSpace,
}

/// Cross-sections of fibre and tray.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CableSpace {
    /// Outer diameter of one fibre's jacket.
    pub fibre_diameter: Length,
    /// Inner width of a tray.
    pub tray_width: Length,
    /// Usable height of a tray.
    pub tray_depth: Length,
}

impl HallRules {
    /// Checks the rules of a room with this number of rows.
    ///
    /// # Errors
    /// [`HallError`] at the first value that cannot be.
    pub(super) fn check(&self, rows: usize) -> Result<(), HallError> {
        let rules = self;
        for (what, found) in [
            ("hall width", rules.width),
            ("hall depth", rules.depth),
            ("tray height", rules.tray_height),
            ("rack entry", rules.rack_entry),
            ("slack", rules.slack),
            ("fibre diameter", rules.space.fibre_diameter),
            ("tray width", rules.space.tray_width),
            ("tray depth", rules.space.tray_depth),
        ] {
            if found > MAX_EXTENT {
                return Err(HallError::Unbelievable { what, found, expected: "at most 100 km" });
            }
        }
        for (what, found) in [
            ("fibre diameter", rules.space.fibre_diameter),
            ("tray width", rules.space.tray_width),
            ("tray depth", rules.space.tray_depth),
        ] {
            if found == Length::ZERO {
                return Err(HallError::Unbelievable { what, found, expected: "more than 0 m" });
            }
        }
        if rules.space.fibre_diameter > THICKEST {
            let (what, found) = ("fibre diameter", rules.space.fibre_diameter);
            return Err(HallError::Unbelievable { what, found, expected: "at most 0.5 m" });
        }
        if rows > 1 && rules.cross_aisles.is_empty() {
            return Err(HallError::NoCrossAisle { rows });
        }
        match rules.cross_aisles.iter().find(|&&x| x > rules.width) {
            Some(&x) => Err(HallError::CrossAisleOutside { x, width: rules.width }),
            None => Ok(()),
        }
    }
}
