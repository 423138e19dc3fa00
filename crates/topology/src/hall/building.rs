//! Buildings: rooms with entrances, and the ways that join them.

use lightloom_units::{Length, Percent, named_enum};

use crate::hall::name::Name;
use crate::hall::pathway::{CrossSection, Existing, Pathway};
use crate::hall::rules::HallRules;
use crate::id::{EntranceId, JunctionId, RoomId, WayId};

/// The rooms of a hall and what joins them. A hall without a building is one room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Building {
    /// The rooms; a [`RoomId`] is a position here. All have the rack entry, slack and fibre diameter of the
    /// first.
    pub rooms: Vec<Room>,
    /// The entrances of all rooms; an [`EntranceId`] is a position here.
    pub entrances: Vec<Entrance>,
    /// Places where ways meet outside of rooms; a [`JunctionId`] is a position here.
    pub junctions: Vec<Name>,
    /// The ways; a [`WayId`] is a position here.
    pub ways: Vec<Way>,
}

/// A room: its own coordinates, rows and trays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Room {
    /// Name, unique in the building. `None`: the room of a hall that is as without a building file.
    pub name: Option<Name>,
    /// The site, the building and the floor that the room is in.
    pub address: Address,
    /// Extents and trays.
    pub rules: HallRules,
    /// Where the trays are.
    pub trays: TrayLevel,
    /// What already lies in each of its trays.
    pub existing: Existing,
}

/// Where a room is. `None`: not given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Address {
    /// The site.
    pub site: Option<Name>,
    /// The building of the site.
    pub building: Option<Name>,
    /// The floor of the building.
    pub floor: Option<Name>,
}

named_enum! {
    /// Where the trays of a room are.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum TrayLevel {
        /// Above the racks.
        Overhead = "overhead",
        /// Below the raised floor.
        Floor = "floor",
    }
}

/// A point of a room where ways begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entrance {
    /// The room.
    pub room: RoomId,
    /// Name, unique in its room.
    pub name: Name,
    /// Distance along the rows.
    pub x: Length,
    /// Distance across the rows.
    pub y: Length,
    /// Length from the nearest tray. `None`: the entrance is on a tray.
    pub lead: Option<Length>,
}

named_enum! {
    /// Kinds of pathways.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum PathwayKind {
        /// A cable tray.
        Tray = "tray",
        /// A duct or conduit.
        Duct = "duct",
        /// A vertical pathway between floors.
        Riser = "riser",
        /// A run below a raised floor.
        UnderFloor = "under-floor",
    }
}

impl PathwayKind {
    /// The fill to plan for, where nothing else is given.
    pub fn planned(self) -> Percent {
        match self {
            Self::Duct => Pathway::PLANNED_IN_DUCTS,
            Self::Tray | Self::Riser | Self::UnderFloor => Pathway::PLANNED_IN_TRAYS,
        }
    }
}

/// A way: a pathway between two entrances or junctions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// Name, unique in the building.
    pub name: Name,
    /// Kind.
    pub kind: PathwayKind,
    /// Both ends.
    pub ends: [WayEnd; 2],
    /// Length, rises and falls included.
    pub length: Length,
    /// Cross-section, existing cables and planned fill.
    pub pathway: Pathway,
}

/// An end of a way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum WayEnd {
    /// An entrance of a room.
    Entrance(EntranceId),
    /// A junction.
    Junction(JunctionId),
}

impl Building {
    /// The building of a hall that is one room.
    pub fn one_room(rules: HallRules) -> Self {
        let room = Room {
            name: None,
            address: Address::default(),
            rules,
            trays: TrayLevel::Overhead,
            existing: Existing::default(),
        };
        let (entrances, junctions, ways) = (Vec::new(), Vec::new(), Vec::new());
        Self { rooms: vec![room], entrances, junctions, ways }
    }

    /// Whether it is one room with empty trays above its racks and nothing else, as a hall without a building
    /// file.
    pub fn is_plain(&self) -> bool {
        let Self { rooms, entrances, junctions, ways } = self;
        let is_plain = |room: &Room| {
            room.address == Address::default()
                && room.trays == TrayLevel::Overhead
                && room.existing == Existing::Nothing
        };
        matches!(rooms.as_slice(), [room] if is_plain(room))
            && entrances.is_empty()
            && junctions.is_empty()
            && ways.is_empty()
    }

    /// The entrances of a room.
    pub fn entrances_of(&self, room: RoomId) -> impl Iterator<Item = EntranceId> {
        let ids = (0..self.entrances.len()).map(EntranceId::at);
        ids.filter(move |id| self.entrances[id.index()].room == room)
    }

    /// A room.
    pub fn room(&self, id: RoomId) -> &Room {
        &self.rooms[id.index()]
    }

    /// An entrance.
    pub fn entrance(&self, id: EntranceId) -> &Entrance {
        &self.entrances[id.index()]
    }

    /// A way.
    pub fn way(&self, id: WayId) -> &Way {
        &self.ways[id.index()]
    }

    /// A room's name with its site, building and floor: `"Room A" (site West, floor 1)`.
    pub fn room_text(&self, id: RoomId) -> String {
        let Room { name, address, .. } = self.room(id);
        let name = name.as_ref().map_or_else(|| "the hall".into(), |name| format!("\"{name}\""));
        let parts =
            [("site", &address.site), ("building", &address.building), ("floor", &address.floor)];
        let parts =
            parts.into_iter().filter_map(|(what, name)| Some(format!("{what} {}", name.as_ref()?)));
        match parts.collect::<Vec<_>>().join(", ") {
            parts if parts.is_empty() => name,
            parts => format!("{name} ({parts})"),
        }
    }
}

impl Room {
    /// Length of the drop between a tray and a height above the floor.
    pub fn drop(&self, height: Length) -> Length {
        match self.trays {
            TrayLevel::Overhead => height.abs_diff(self.rules.tray_height),
            TrayLevel::Floor => height + self.rules.tray_height,
        }
    }

    /// Each of its trays as a pathway.
    pub fn pathway(&self) -> Pathway {
        let space = self.rules.space;
        Pathway {
            section: CrossSection::Rectangle { width: space.tray_width, depth: space.tray_depth },
            existing: self.existing,
            planned: Pathway::PLANNED_IN_TRAYS,
        }
    }
}
