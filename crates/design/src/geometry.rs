//! Geometry of a hall or a room as settings and building files give it.

use lightloom_request::setting::hall as h;
use lightloom_request::{InputError, Setting, Settings};
use lightloom_topology::hall::{CableSpace, HallRules};
use lightloom_units::Length;

/// Largest distance between cross-aisle trays. Assumed.
const CROSS_AISLE_SPACING: Length = Length::from_m(12);

/// Geometry of a hall or a room. `None`: the value follows from the racks.
#[derive(Debug, Clone, Default)]
pub struct Geometry {
    /// Number of racks per row of a generated hall.
    pub racks_per_row: Option<u32>,
    /// Distance between the middles of neighbouring racks in a row.
    pub rack_pitch: Option<Length>,
    /// Distance between rows.
    pub row_pitch: Option<Length>,
    /// Extent of the hall along the rows.
    pub width: Option<Length>,
    /// Extent of the hall across the rows.
    pub depth: Option<Length>,
    /// Distances along the rows of the cross-aisle trays.
    pub cross_aisles: Option<Vec<Length>>,
    /// Height of the trays above the floor.
    pub tray_height: Option<Length>,
    /// Inner width of a tray.
    pub tray_width: Option<Length>,
    /// Usable height of a tray.
    pub tray_depth: Option<Length>,
    /// Outer diameter of a fibre's jacket.
    pub fibre_diameter: Option<Length>,
    /// Distance from the port to the riser, at each end.
    pub rack_entry: Option<Length>,
    /// Length of the service loop of a fibre that leaves its rack.
    pub slack: Option<Length>,
}

/// The farthest places in a room that need a tray, and so its least extents.
#[derive(Debug, Clone, Copy, Default)]
pub struct Extents {
    /// The x of the last rack of a row. `None`: there is none.
    pub racks: Option<Length>,
    /// The y of the last row. `None`: there is none.
    pub rows: Option<Length>,
    /// The x of the last entrance.
    pub entrances_x: Length,
    /// The y of the last entrance.
    pub entrances_y: Length,
}

impl Geometry {
    /// Reads the geometry of the settings.
    pub fn read(settings: &Settings) -> Result<Self, InputError> {
        let positive = |setting: &Setting<Length>| match settings.get(setting)? {
            Some(Length::ZERO) => Err(settings.refuse(setting, "found 0 m; expected more")),
            length => Ok(length),
        };
        Ok(Self {
            racks_per_row: settings.get(&h::RACKS_PER_ROW)?,
            rack_pitch: positive(&h::RACK_PITCH)?,
            row_pitch: positive(&h::ROW_PITCH)?,
            width: positive(&h::WIDTH)?,
            depth: positive(&h::DEPTH)?,
            cross_aisles: settings.get(&h::CROSS_AISLES)?,
            tray_height: settings.get(&h::TRAY_HEIGHT)?,
            tray_width: positive(&h::TRAY_WIDTH)?,
            tray_depth: positive(&h::TRAY_DEPTH)?,
            fibre_diameter: positive(&h::FIBRE_DIAMETER)?,
            rack_entry: settings.get(&h::RACK_ENTRY)?,
            slack: settings.get(&h::SLACK)?,
        })
    }

    /// The values of a room, and those of the design that the room does not give.
    #[must_use]
    pub fn over(&self, design: &Self) -> Self {
        let Self { width, depth, cross_aisles, tray_height, tray_width, tray_depth, .. } =
            self.clone();
        let design = design.clone();
        Self {
            width: width.or(design.width),
            depth: depth.or(design.depth),
            cross_aisles: cross_aisles.or(design.cross_aisles),
            tray_height: tray_height.or(design.tray_height),
            tray_width: tray_width.or(design.tray_width),
            tray_depth: tray_depth.or(design.tray_depth),
            ..design
        }
    }

    /// Distance between the middles of neighbouring racks.
    pub fn rack_pitch(&self) -> Length {
        self.rack_pitch.unwrap_or_else(|| h::RACK_PITCH.default_value())
    }

    /// Distance between rows.
    pub fn row_pitch(&self) -> Length {
        self.row_pitch.unwrap_or_else(|| h::ROW_PITCH.default_value())
    }

    /// The rules of a room: the given values, and otherwise what its racks and entrances need.
    pub fn rules(&self, extents: Extents) -> HallRules {
        let half = |pitch: Length| Length::from_um(pitch.as_um() / 2);
        let far = |at: Option<Length>, pitch: Length| {
            Length::from_um(at.unwrap_or_default().as_um().saturating_add(half(pitch).as_um()))
        };
        let width = self
            .width
            .unwrap_or_else(|| far(extents.racks, self.rack_pitch()).max(extents.entrances_x));
        let depth = self
            .depth
            .unwrap_or_else(|| far(extents.rows, self.row_pitch()).max(extents.entrances_y));
        let mut cross_aisles = self.cross_aisles.clone().unwrap_or_else(|| {
            // One at each end, and others evenly between them. Too wide a hall is refused later.
            let spans = width.as_um().div_ceil(CROSS_AISLE_SPACING.as_um()).clamp(1, 10_000);
            (0..=spans).map(|i| Length::from_um(width.as_um() / spans * i)).collect()
        });
        cross_aisles.sort_unstable();
        cross_aisles.dedup();
        let given = |value: Option<Length>, setting: &Setting<Length>| {
            value.unwrap_or_else(|| setting.default_value())
        };
        HallRules {
            width,
            depth,
            cross_aisles,
            tray_height: given(self.tray_height, &h::TRAY_HEIGHT),
            rack_entry: given(self.rack_entry, &h::RACK_ENTRY),
            slack: given(self.slack, &h::SLACK),
            space: CableSpace {
                fibre_diameter: given(self.fibre_diameter, &h::FIBRE_DIAMETER),
                tray_width: given(self.tray_width, &h::TRAY_WIDTH),
                tray_depth: given(self.tray_depth, &h::TRAY_DEPTH),
            },
        }
    }
}
