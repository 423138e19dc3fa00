//! Racks, rows and the rules of a hall.

use std::collections::BTreeMap;

use lightloom_units::{Length, named_enum};

use crate::hall::fill::THICKEST;
use crate::hall::name::Name;
use crate::id::{RackId, RowId};

/// One rack unit (EIA-310): 44.45 mm.
const RACK_UNIT: Length = Length::from_um(44_450);
/// Floor to the bottom of unit 1.
const PLINTH: Length = Length::from_mm(100);
/// The largest accepted height of a rack.
const MAX_UNITS: u16 = 100;
/// The farthest accepted corner of a hall.
const MAX_EXTENT: Length = Length::from_m(100_000);

/// Properties of the whole hall.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HallRules {
    /// Extent along the rows. Racks beyond it are refused.
    pub width: Length,
    /// Extent across the rows.
    pub depth: Length,
    /// The x of each cross-aisle tray, ascending.
    pub cross_aisles: Vec<Length>,
    /// Floor to tray.
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

/// A row of racks under one tray.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The name of the row.
    pub name: Name,
    /// The y of its tray.
    pub y: Length,
}

/// A rack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rack {
    /// The name of the rack; unique in the hall. It also names its ToR.
    pub name: Name,
    /// Its row.
    pub row: RowId,
    /// Its place along the row.
    pub x: Length,
    /// Height in rack units.
    pub units: u16,
    /// The unit of its ToR, if the inventory gives it (default: the top).
    pub tor_unit: Option<u16>,
    /// What the rack is for.
    pub role: RackRole,
}

named_enum! {
    /// What a rack is for.
    pub enum RackRole {
        /// It can hold a ToR.
        Tor = "tor",
        /// It is a frame for splitters and panels, and holds no ToR.
        Frame = "frame",
    }
}

impl Default for RackRole {
    fn default() -> Self {
        Self::Tor
    }
}

impl RackRole {
    /// Whether the rack can hold a ToR.
    pub fn is_tor(&self) -> bool {
        *self == Self::Tor
    }
}

/// The reason why racks and rules do not form a hall; `rack` is the position in the list of racks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HallError {
    /// Two racks have one name.
    #[error("rack \"{name}\" is listed twice")]
    NameTwice {
        /// The first of the two.
        first: usize,
        /// The second one.
        rack: usize,
        /// Their name.
        name: Name,
    },
    /// Two racks are in one place.
    #[error("racks \"{other}\" and \"{name}\" are in the same place")]
    SamePlace {
        /// The later rack.
        rack: usize,
        /// Its name.
        name: Name,
        /// The name of the earlier one.
        other: Name,
    },
    /// A rack is outside the hall.
    #[error("rack \"{name}\" is at x = {x}, y = {y}, outside the hall of {width} by {depth}")]
    Outside {
        /// The rack.
        rack: usize,
        /// Its name.
        name: Name,
        /// Its x.
        x: Length,
        /// Its y.
        y: Length,
        /// Hall extent in x.
        width: Length,
        /// Hall extent in y.
        depth: Length,
    },
    /// A height or ToR position that no rack can have.
    #[error(
        "rack \"{name}\" has {units} units and its ToR in unit {tor_unit}; racks have 1 to {MAX_UNITS} units, and the ToR is in one of them"
    )]
    Units {
        /// The rack.
        rack: usize,
        /// Its name.
        name: Name,
        /// Its height.
        units: u16,
        /// Its ToR's unit.
        tor_unit: u16,
    },
    /// Several rows without a tray that joins them.
    #[error("the hall has {rows} rows but no cross-aisle tray; give at least one")]
    NoCrossAisle {
        /// Rows.
        rows: usize,
    },
    /// A cross-aisle tray is outside the hall.
    #[error("the cross-aisle tray at x = {x} is outside the hall, which is {width} wide")]
    CrossAisleOutside {
        /// Its x.
        x: Length,
        /// Hall extent in x.
        width: Length,
    },
    /// An extent, height or allowance is too large to be plausible, or a cross-section is zero.
    #[error("found {found} for the {what}; expected {expected}")]
    Unbelievable {
        /// The name of the rule.
        what: &'static str,
        /// Its value.
        found: Length,
        /// The accepted values.
        expected: &'static str,
    },
}

/// The racks of a hall: distinct, inside the hall, and joined by trays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hall {
    rules: HallRules,
    rows: Vec<Row>,
    racks: Vec<Rack>,
}

impl Hall {
    /// Makes a hall and checks the racks.
    ///
    /// # Errors
    /// [`HallError`] with the first wrong rack.
    ///
    /// # Panics
    /// If the row of a rack does not exist.
    pub fn new(rules: HallRules, rows: Vec<Row>, racks: Vec<Rack>) -> Result<Self, HallError> {
        check_rules(&rules, rows.len())?;
        let mut names = BTreeMap::new();
        let mut places = BTreeMap::new();
        for (i, rack) in racks.iter().enumerate() {
            let (y, name) = (rows[rack.row.index()].y, rack.name.clone());
            if let Some(first) = names.insert(&rack.name, i) {
                return Err(HallError::NameTwice { first, rack: i, name });
            }
            if rack.x > rules.width || y > rules.depth {
                let (width, depth) = (rules.width, rules.depth);
                return Err(HallError::Outside { rack: i, name, x: rack.x, y, width, depth });
            }
            if let Some(first) = places.insert((y, rack.x), i) {
                let other = racks[first].name.clone();
                return Err(HallError::SamePlace { rack: i, name, other });
            }
            let tor_unit = rack.tor_unit.unwrap_or(rack.units);
            if !(1..=MAX_UNITS).contains(&rack.units) || !(1..=rack.units).contains(&tor_unit) {
                return Err(HallError::Units { rack: i, name, units: rack.units, tor_unit });
            }
        }
        Ok(Self { rules, rows, racks })
    }

    /// The same hall with a row of frames, which come after all other rows and racks.
    ///
    /// # Errors
    /// [`HallError`] if a frame is outside the hall, or has the name or place of another rack.
    pub fn with_frames(
        mut self,
        depth: Length,
        row: Row,
        frames: Vec<Rack>,
    ) -> Result<Self, HallError> {
        self.rules.depth = self.rules.depth.max(depth);
        self.rows.push(row);
        self.racks.extend(frames);
        Self::new(self.rules, self.rows, self.racks)
    }

    /// Properties of the whole hall.
    pub fn rules(&self) -> &HallRules {
        &self.rules
    }

    /// The rows; a [`RowId`] is a position here.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The racks; a [`RackId`] is a position here.
    pub fn racks(&self) -> &[Rack] {
        &self.racks
    }

    /// A rack.
    pub fn rack(&self, id: RackId) -> &Rack {
        &self.racks[id.index()]
    }

    /// The racks that can hold a ToR, ascending.
    pub fn racks_for_tors(&self) -> Vec<RackId> {
        self.racks_of(RackRole::Tor)
    }

    /// The frames, ascending.
    pub fn frames(&self) -> Vec<RackId> {
        self.racks_of(RackRole::Frame)
    }

    /// The racks of a row that can hold a ToR, ascending.
    pub fn racks_of_row(&self, row: RowId) -> Vec<RackId> {
        let mut racks = self.racks_for_tors();
        racks.retain(|&rack| self.rack(rack).row == row);
        racks
    }

    fn racks_of(&self, role: RackRole) -> Vec<RackId> {
        let racks = (0..).zip(&self.racks).filter(|(_, rack)| rack.role == role);
        racks.map(|(id, _)| RackId(id)).collect()
    }

    /// A row.
    pub fn row(&self, id: RowId) -> &Row {
        &self.rows[id.index()]
    }

    /// The unit of the ToR in a rack: the top one if the inventory does not give it.
    pub fn tor_unit(&self, id: RackId) -> u16 {
        let rack = self.rack(id);
        rack.tor_unit.unwrap_or(rack.units)
    }

    /// Floor to the middle of the ToR in a rack.
    pub fn tor_height(&self, id: RackId) -> Length {
        unit_height(self.tor_unit(id))
    }

    /// The unit of the splitter shelf in a rack: the one below its ToR, or the one above if the ToR is in
    /// unit 1.
    pub fn shelf_unit(&self, id: RackId) -> u16 {
        match self.tor_unit(id) {
            1 => 2,
            unit => unit - 1,
        }
    }

    /// Floor to the middle of the splitter shelf in a rack.
    pub fn shelf_height(&self, id: RackId) -> Length {
        unit_height(self.shelf_unit(id))
    }
}

/// Floor to the middle of a rack unit, counted from 1.
pub fn unit_height(unit: u16) -> Length {
    Length::from_um(PLINTH.as_um() + RACK_UNIT.as_um() * u64::from(unit) - RACK_UNIT.as_um() / 2)
}

fn check_rules(rules: &HallRules, rows: usize) -> Result<(), HallError> {
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
