//! Racks, rows and the rules of a hall.

use std::collections::BTreeMap;

use lightloom_units::{Length, named_enum};

use crate::hall::building::Building;
use crate::hall::check;
use crate::hall::error::{HallError, MAX_UNITS};
use crate::hall::joints::Joints;
use crate::hall::name::Name;
use crate::hall::pathway::Pathway;
use crate::hall::row::Row;
use crate::hall::rules::HallRules;
use crate::hall::trays::{CrossAisle, Grid, TrayId};
use crate::id::{RackId, RoomId, RowId};

/// One rack unit (EIA-310): 44.45 mm.
const RACK_UNIT: Length = Length::from_um(44_450);
/// Floor to the bottom of unit 1.
const PLINTH: Length = Length::from_mm(100);

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
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum RackRole {
        /// It can hold a ToR.
        Tor = "tor",
        /// It is a frame for splitters and panels, and holds no ToR.
        Frame = "frame",
        /// It is a frame that no inventory lists: it has to be bought.
        NewFrame = "new frame",
    }
}

impl Default for RackRole {
    /// The first role: a rack can hold a ToR unless it is said to be a frame.
    fn default() -> Self {
        Self::ALL[0]
    }
}

impl RackRole {
    /// Whether the rack can hold a ToR.
    pub fn is_tor(&self) -> bool {
        *self == Self::Tor
    }

    /// Whether the rack is a frame, listed or to be bought.
    pub fn is_frame(&self) -> bool {
        !self.is_tor()
    }
}

/// The racks of a hall: distinct, inside their rooms, and joined by trays and ways.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hall {
    pub(super) building: Building,
    pub(super) grid: Grid,
    pub(super) joints: Joints,
    racks: Vec<Rack>,
}

impl Hall {
    /// Makes a hall of one room and checks the racks.
    ///
    /// # Errors
    /// [`HallError`] with the first wrong rack.
    ///
    /// # Panics
    /// If the row of a rack does not exist.
    pub fn new(rules: HallRules, rows: Vec<Row>, racks: Vec<Rack>) -> Result<Self, HallError> {
        Self::of_building(Building::one_room(rules), rows, racks)
    }

    /// Makes a hall of the rooms of a building and checks the racks.
    ///
    /// # Errors
    /// [`HallError`] with the first wrong rack or part of the building.
    ///
    /// # Panics
    /// If the row of a rack or the room of a row does not exist.
    pub fn of_building(
        mut building: Building,
        rows: Vec<Row>,
        racks: Vec<Rack>,
    ) -> Result<Self, HallError> {
        check::parts(&building)?;
        let grid = Grid::new(&building, rows);
        for (number, room) in building.rooms.iter().enumerate() {
            let id = RoomId::at(number);
            let refuse = |error: HallError| match &room.name {
                Some(name) => {
                    HallError::InRoom { room: id, name: name.clone(), error: Box::new(error) }
                }
                None => error,
            };
            room.rules.check(grid.rows_of(id)).map_err(refuse)?;
        }
        check_racks(&building, &grid, &racks)?;
        let mut with_racks = vec![false; building.rooms.len()];
        for rack in &racks {
            with_racks[grid.rows[rack.row.index()].room.index()] = true;
        }
        let joints = Joints::new(&building, &grid, &with_racks)?;
        if building.is_plain() {
            building.rooms[0].name = None;
        }
        Ok(Self { building, grid, joints, racks })
    }

    /// The same hall with a row of frames, which come after all other rows and racks. The room of the row is at
    /// least this deep.
    ///
    /// # Errors
    /// [`HallError`] if a frame is outside its room, or has the name or place of another rack.
    pub fn with_frames(
        mut self,
        depth: Length,
        rows: Vec<Row>,
        frames: Vec<Rack>,
    ) -> Result<Self, HallError> {
        for row in &rows {
            let room = &mut self.building.rooms[row.room.index()].rules;
            room.depth = room.depth.max(depth);
        }
        self.grid.rows.extend(rows);
        self.racks.extend(frames);
        Self::of_building(self.building, self.grid.rows, self.racks)
    }

    /// Properties of the first room. Rack entry, slack and fibre diameter are those of all rooms.
    pub fn rules(&self) -> &HallRules {
        &self.building.rooms[0].rules
    }

    /// The rooms and ways.
    pub fn building(&self) -> &Building {
        &self.building
    }

    /// The room of a rack.
    pub fn room_of(&self, rack: RackId) -> RoomId {
        self.row(self.rack(rack).row).room
    }

    /// The name of the room of a rack. `None`: the hall has one room.
    pub fn room_name(&self, rack: RackId) -> Option<&Name> {
        let room = self.building.room(self.room_of(rack));
        room.name.as_ref().filter(|_| self.building.rooms.len() > 1)
    }

    /// The rows; a [`RowId`] is a position here.
    pub fn rows(&self) -> &[Row] {
        &self.grid.rows
    }

    /// The cross-aisle trays of all rooms; the number of a [`TrayId::Cross`] is a position here.
    pub fn cross_aisles(&self) -> &[CrossAisle] {
        &self.grid.crosses
    }

    /// The name of a tray or way. Where there are several rooms, a tray's name starts with its room's.
    pub fn tray_name(&self, tray: TrayId) -> String {
        self.grid.name(&self.building, tray)
    }

    /// The name of a row. Where there are several rooms it starts with the room's.
    pub fn row_name(&self, row: RowId) -> String {
        self.grid.row_name(&self.building, row)
    }

    /// The room of a tray. `None`: it is a way.
    pub fn room_of_tray(&self, tray: TrayId) -> Option<RoomId> {
        self.grid.room_of(tray)
    }

    /// A tray or way as a pathway.
    pub fn pathway(&self, tray: TrayId) -> Pathway {
        match (tray, self.room_of_tray(tray)) {
            (TrayId::Way(way), _) => self.building.way(way).pathway,
            (_, room) => self.building.room(room.unwrap_or(RoomId(0))).pathway(),
        }
    }

    /// The share of the cross-section of a tray or way that existing and new cables fill; 1 is the whole.
    /// `squares` is the sum of the squares of the new cables' diameters, in µm².
    pub fn fill(&self, tray: TrayId, squares: u64) -> f64 {
        self.pathway(tray).fill(squares)
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
        self.racks_where(|role| role.is_tor())
    }

    /// The frames, ascending.
    pub fn frames(&self) -> Vec<RackId> {
        self.racks_where(|role| role.is_frame())
    }

    /// The racks of a row that can hold a ToR, ascending.
    pub fn racks_of_row(&self, row: RowId) -> Vec<RackId> {
        let mut racks = self.racks_for_tors();
        racks.retain(|&rack| self.rack(rack).row == row);
        racks
    }

    fn racks_where(&self, has: impl Fn(RackRole) -> bool) -> Vec<RackId> {
        let racks = (0..).zip(&self.racks).filter(|(_, rack)| has(rack.role));
        racks.map(|(id, _)| RackId(id)).collect()
    }

    /// A row.
    pub fn row(&self, id: RowId) -> &Row {
        &self.grid.rows[id.index()]
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

fn check_racks(building: &Building, grid: &Grid, racks: &[Rack]) -> Result<(), HallError> {
    let mut names = BTreeMap::new();
    let mut places = BTreeMap::new();
    for (i, rack) in racks.iter().enumerate() {
        let Row { y, room, .. } = grid.rows[rack.row.index()];
        let (rules, name) = (&building.room(room).rules, rack.name.clone());
        if let Some(first) = names.insert(&rack.name, i) {
            return Err(HallError::NameTwice { first, rack: i, name });
        }
        if rack.x > rules.width || y > rules.depth {
            let (width, depth) = (rules.width, rules.depth);
            return Err(HallError::Outside { rack: i, name, x: rack.x, y, width, depth });
        }
        if let Some(first) = places.insert((room, y, rack.x), i) {
            let other = racks[first].name.clone();
            return Err(HallError::SamePlace { rack: i, name, other });
        }
        let tor_unit = rack.tor_unit.unwrap_or(rack.units);
        if !(1..=MAX_UNITS).contains(&rack.units) || !(1..=rack.units).contains(&tor_unit) {
            return Err(HallError::Units { rack: i, name, units: rack.units, tor_unit });
        }
    }
    Ok(())
}
