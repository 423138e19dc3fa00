//! Checked building files, and the building that they make.

use std::path::PathBuf;

use lightloom_request::InputError;
use lightloom_topology::RoomId;
use lightloom_topology::hall::{
    Address, Building, BuildingPart, Entrance, Existing, HallError, Name, Room, TrayLevel, Way,
};

use crate::geometry::{Extents, Geometry};

/// A part of a building file, with its line.
#[derive(Debug, Clone)]
pub struct Listed<T> {
    /// Line in the file, counted from 1.
    pub line: u64,
    /// The part.
    pub item: T,
}

/// The rooms and ways of a building file.
#[derive(Debug, Clone)]
pub struct ListedBuilding {
    /// Path of the file.
    pub file: PathBuf,
    /// The rooms, in file order.
    pub rooms: Vec<Listed<ListedRoom>>,
    /// The entrances of all rooms.
    pub entrances: Vec<Listed<Entrance>>,
    /// The junctions.
    pub junctions: Vec<Listed<Name>>,
    /// The ways.
    pub ways: Vec<Listed<Way>>,
}

/// A room of a building file.
#[derive(Debug, Clone)]
pub struct ListedRoom {
    /// Name, unique in the file.
    pub name: Name,
    /// The location of its racks in the inventory.
    pub location: Name,
    /// The site, the building and the floor.
    pub address: Address,
    /// Extents and trays, as far as the file gives them.
    pub geometry: Geometry,
    /// Where its trays are.
    pub trays: TrayLevel,
    /// What already lies in each of its trays.
    pub existing: Existing,
}

impl ListedBuilding {
    /// The building. `extents` has the places of the racks of each room. Values that a room does not give are
    /// those of the design.
    pub fn build(&self, design: &Geometry, mut extents: Vec<Extents>) -> Building {
        for Listed { item: entrance, .. } in &self.entrances {
            let extents = &mut extents[entrance.room.index()];
            extents.entrances_x = extents.entrances_x.max(entrance.x);
            extents.entrances_y = extents.entrances_y.max(entrance.y);
        }
        let room = |(listed, extents): (&Listed<ListedRoom>, Extents)| {
            let room = &listed.item;
            Room {
                name: Some(room.name.clone()),
                address: room.address.clone(),
                rules: room.geometry.over(design).rules(extents),
                trays: room.trays,
                existing: room.existing,
            }
        };
        Building {
            rooms: self.rooms.iter().zip(extents).map(room).collect(),
            entrances: items(&self.entrances),
            junctions: items(&self.junctions),
            ways: items(&self.ways),
        }
    }

    /// The error at the line of the part that it is about. `None`: it is about no part of a building.
    pub fn blame(&self, error: &HallError) -> Option<InputError> {
        let refuse = |line: Option<u64>, field: &str, message: &HallError| {
            let refused = InputError::new(message).in_file(&self.file);
            let refused = line.map_or(refused.clone(), |line| refused.at_line(line));
            if field.is_empty() { refused } else { refused.in_field(field) }
        };
        match error {
            HallError::InRoom { room, error: inner, .. } => {
                let field = match **inner {
                    HallError::NoCrossAisle { .. } | HallError::CrossAisleOutside { .. } => {
                        "cross_aisles"
                    }
                    _ => "",
                };
                Some(refuse(Some(self.room(*room).line), field, error))
            }
            HallError::Building { part, field, .. } => {
                let line = part.map(|part| match part {
                    BuildingPart::Room(id) => self.room(id).line,
                    BuildingPart::Entrance(id) => self.entrances[id.index()].line,
                    BuildingPart::Junction(id) => self.junctions[id.index()].line,
                    BuildingPart::Way(id) => self.ways[id.index()].line,
                });
                Some(refuse(line, field, error))
            }
            _ => None,
        }
    }

    /// A room with its line.
    pub fn room(&self, id: RoomId) -> &Listed<ListedRoom> {
        &self.rooms[id.index()]
    }
}

fn items<T: Clone>(listed: &[Listed<T>]) -> Vec<T> {
    listed.iter().map(|listed| listed.item.clone()).collect()
}
