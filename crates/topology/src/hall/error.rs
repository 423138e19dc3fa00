//! Reasons why racks, rooms and ways do not form a hall.

use lightloom_units::Length;

use crate::hall::name::Name;
use crate::id::{EntranceId, JunctionId, RoomId, WayId};

/// The largest accepted height of a rack, in rack units.
pub(super) const MAX_UNITS: u16 = 100;

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
        "rack \"{name}\" has {units} units and its ToR in unit {tor_unit}; racks have 1 to {MAX_UNITS} units, and the \
            ToR is in one of them"
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
    /// A room of several has rules that cannot be.
    #[error("room \"{name}\": {error}")]
    InRoom {
        /// The room.
        room: RoomId,
        /// Its name.
        name: Name,
        /// What is wrong.
        error: Box<HallError>,
    },
    /// A building is wrong.
    #[error("{fault}")]
    Building {
        /// The part with the error. `None`: the whole building.
        part: Option<BuildingPart>,
        /// The field of the part; empty if it is the whole part.
        field: &'static str,
        /// What is wrong.
        fault: BuildingFault,
    },
}

/// A part of a building.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuildingPart {
    /// A room.
    Room(RoomId),
    /// An entrance.
    Entrance(EntranceId),
    /// A junction.
    Junction(JunctionId),
    /// A way.
    Way(WayId),
}

impl BuildingPart {
    /// The error about a field of this part.
    pub(super) fn refuse(self, field: &'static str, fault: BuildingFault) -> HallError {
        HallError::Building { part: Some(self), field, fault }
    }
}

/// The reason why rooms and ways do not form a building.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BuildingFault {
    /// There is no room.
    #[error("the building has no room; give at least one")]
    NoRoom,
    /// Too many parts of one kind.
    #[error("found {found} {what}; a building has at most {most}")]
    TooMany {
        /// The parts.
        what: &'static str,
        /// Their number.
        found: usize,
        /// The largest number.
        most: usize,
    },
    /// A part names one that does not exist.
    #[error("{name} names a part that is not there")]
    NoSuchPart {
        /// The part that names it.
        name: String,
    },
    /// Two parts have one name.
    #[error("{name} is named twice; give each its own name")]
    NameTwice {
        /// The part with its name.
        name: String,
    },
    /// A length, diameter or share cannot be.
    #[error("found {found} for {name}; expected {expected}")]
    Unbelievable {
        /// The part with its name.
        name: String,
        /// The value.
        found: String,
        /// The accepted values.
        expected: &'static str,
    },
    /// Both ends of a way are one place, or in one room.
    #[error(
        "way \"{way}\" leads from {room} to itself; a way joins two rooms, and within a room fibres lie in its trays"
    )]
    ToItself {
        /// The way.
        way: Name,
        /// The room or the junction.
        room: String,
    },
    /// An entrance is outside of its room.
    #[error(
        "entrance \"{entrance}\" is at x = {x}, y = {y}, outside the room of {width} by {depth}"
    )]
    EntranceOutside {
        /// The entrance.
        entrance: Name,
        /// Its x.
        x: Length,
        /// Its y.
        y: Length,
        /// The room's extent in x.
        width: Length,
        /// The room's extent in y.
        depth: Length,
    },
    /// A room without trays has an entrance.
    #[error("entrance \"{entrance}\" is in a room without trays; give the room cross_aisles")]
    NoTrays {
        /// The entrance.
        entrance: Name,
    },
    /// An entrance is beside the trays.
    #[error(
        "entrance \"{entrance}\" is on no tray; the nearest is {tray}, {distance} away: move the entrance there, or \
            say how long its lead to the tray is (lead = \"{distance}\")"
    )]
    OffTray {
        /// The entrance.
        entrance: Name,
        /// The nearest tray.
        tray: String,
        /// Its distance.
        distance: Length,
    },
    /// The lead of an entrance does not reach the nearest tray.
    #[error("entrance \"{entrance}\" has a lead of {lead}, but {tray} is {distance} away")]
    ShortLead {
        /// The entrance.
        entrance: Name,
        /// Its lead.
        lead: Length,
        /// The nearest tray.
        tray: String,
        /// Its distance.
        distance: Length,
    },
    /// A room of several has no entrance.
    #[error(
        "room {room} has no entrance, so no fibre reaches it; give it entrances, or leave the room out"
    )]
    NoEntrance {
        /// The room.
        room: String,
    },
    /// Rooms with racks that no ways join.
    #[error("no ways join these rooms: {}; add a way between them, or plan them apart", groups.join(" | "))]
    Apart {
        /// Groups of rooms; those of a group are joined.
        groups: Vec<String>,
    },
    /// Rooms with racks that only full ways join.
    #[error(
        "fibres between {from} and {to} need {}, which {} full of existing cables; give another way, or a larger one",
        ways.join(" and "), if ways.len() == 1 { "is" } else { "are" }
    )]
    Full {
        /// One room.
        from: String,
        /// The other room.
        to: String,
        /// The full ways on the shortest route, with their fill.
        ways: Vec<String>,
    },
}
