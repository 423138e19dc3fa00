//! Checks the parts of a building, before its trays are known.

use std::collections::BTreeSet;
use std::fmt::Display;

use lightloom_units::{Length, Percent};

use crate::hall::building::{Building, Way, WayEnd};
use crate::hall::error::{BuildingFault, BuildingPart, HallError};
use crate::hall::pathway::{CrossSection, Existing};
use crate::hall::rules::MAX_EXTENT;
use crate::id::{EntranceId, JunctionId, RoomId, WayId};

/// The largest numbers of parts. Routes between all pairs of entrances are kept.
const MOST: [(&str, usize); 4] =
    [("rooms", 512), ("entrances", 512), ("junctions", 1_024), ("ways", 4_096)];

/// Checks names, numbers, lengths and ends.
pub(super) fn parts(building: &Building) -> Result<(), HallError> {
    let whole = |fault| HallError::Building { part: None, field: "", fault };
    if building.rooms.is_empty() {
        return Err(whole(BuildingFault::NoRoom));
    }
    let Building { rooms, entrances, junctions, ways } = building;
    let counts = [rooms.len(), entrances.len(), junctions.len(), ways.len()];
    for ((what, most), found) in MOST.into_iter().zip(counts) {
        if found > most {
            return Err(whole(BuildingFault::TooMany { what, found, most }));
        }
    }
    names(building)?;
    for (id, room) in (0..).map(RoomId).zip(rooms) {
        let part = BuildingPart::Room(id);
        let name = || format!("room {}", building.room_text(id));
        existing(part, &name, room.existing)?;
    }
    for (id, entrance) in (0..).map(EntranceId).zip(entrances) {
        if entrance.lead.is_some_and(|lead| lead > MAX_EXTENT) {
            let name = format!("the lead of entrance \"{}\"", entrance.name);
            let found = entrance.lead.unwrap_or_default();
            return Err(BuildingPart::Entrance(id).refuse("lead", unlikely(name, found, FAR)));
        }
    }
    for (id, one) in (0..).map(WayId).zip(ways) {
        way(building, id, one)?;
    }
    Ok(())
}

const FAR: &str = "at most 100 km";
const SOME: &str = "more than 0 m, and at most 100 km";

fn unlikely(name: String, found: impl Display, expected: &'static str) -> BuildingFault {
    BuildingFault::Unbelievable { name, found: found.to_string(), expected }
}

fn names(building: &Building) -> Result<(), HallError> {
    let mut seen = BTreeSet::new();
    let mut check =
        |part: BuildingPart, scope: Option<RoomId>, kind: &'static str, name: String| {
            if seen.insert((kind, scope, name.to_lowercase())) {
                return Ok(());
            }
            Err(part
                .refuse("name", BuildingFault::NameTwice { name: format!("{kind} \"{name}\"") }))
        };
    for (id, room) in (0..).map(RoomId).zip(&building.rooms) {
        if let Some(name) = &room.name {
            check(BuildingPart::Room(id), None, "room", name.to_string())?;
        }
    }
    for (id, entrance) in (0..).map(EntranceId).zip(&building.entrances) {
        let part = BuildingPart::Entrance(id);
        if entrance.room.index() >= building.rooms.len() {
            let name = format!("entrance \"{}\"", entrance.name);
            return Err(part.refuse("", BuildingFault::NoSuchPart { name }));
        }
        check(part, Some(entrance.room), "entrance", entrance.name.to_string())?;
    }
    for (id, name) in (0..).map(JunctionId).zip(&building.junctions) {
        check(BuildingPart::Junction(id), None, "junction", name.to_string())?;
    }
    for (id, way) in (0..).map(WayId).zip(&building.ways) {
        check(BuildingPart::Way(id), None, "way", way.name.to_string())?;
    }
    Ok(())
}

fn way(building: &Building, id: WayId, way: &Way) -> Result<(), HallError> {
    let part = BuildingPart::Way(id);
    let name = || format!("way \"{}\"", way.name);
    let is_there = |end: &WayEnd| match end {
        WayEnd::Entrance(id) => id.index() < building.entrances.len(),
        WayEnd::Junction(id) => id.index() < building.junctions.len(),
    };
    if !way.ends.iter().all(is_there) {
        return Err(part.refuse("from", BuildingFault::NoSuchPart { name: name() }));
    }
    let to_itself = match way.ends {
        [WayEnd::Entrance(a), WayEnd::Entrance(b)] => {
            let rooms = [a, b].map(|id| building.entrance(id).room);
            (rooms[0] == rooms[1]).then(|| format!("room {}", building.room_text(rooms[0])))
        }
        [WayEnd::Junction(a), WayEnd::Junction(b)] => {
            (a == b).then(|| format!("junction \"{}\"", building.junctions[a.index()]))
        }
        _ => None,
    };
    if let Some(room) = to_itself {
        return Err(part.refuse("to", BuildingFault::ToItself { way: way.name.clone(), room }));
    }
    let length = |field: &'static str, what: &str, found: Length| {
        if found > Length::ZERO && found <= MAX_EXTENT {
            return Ok(());
        }
        let fault = unlikely(format!("the {what} of {}", name()), found, SOME);
        Err(part.refuse(field, fault))
    };
    length("length", "length", way.length)?;
    match way.pathway.section {
        CrossSection::Rectangle { width, depth } => {
            length("width", "width", width)?;
            length("depth", "depth", depth)?;
        }
        CrossSection::Round { diameter } => length("diameter", "diameter", diameter)?,
    }
    existing(part, &name, way.pathway.existing)?;
    let planned = way.pathway.planned;
    if planned == Percent::ZERO || planned > Percent::ALL {
        let name = format!("the planned fill of {}", name());
        let expected = "more than 0 %, and at most 100 %";
        return Err(part.refuse("most_fill", unlikely(name, planned, expected)));
    }
    Ok(())
}

fn existing(
    part: BuildingPart,
    name: &dyn Fn() -> String,
    existing: Existing,
) -> Result<(), HallError> {
    match existing {
        Existing::Cables { diameter, .. } if diameter == Length::ZERO || diameter > MAX_EXTENT => {
            let name = format!("the diameter of existing cables of {}", name());
            Err(part.refuse("existing", unlikely(name, diameter, SOME)))
        }
        Existing::Share { fill } if fill > Percent::ALL => {
            let name = format!("the existing fill of {}", name());
            Err(part.refuse("existing_fill", unlikely(name, fill, "at most 100 %")))
        }
        _ => Ok(()),
    }
}
