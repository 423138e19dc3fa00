//! The hall in `plan.json`.

use std::path::Path;

use lightloom_request::InputError;
use lightloom_topology::hall::{
    Address, Building, CableSpace, CrossSection, Entrance, Existing, Hall, HallRules, Name,
    Pathway, PathwayKind, Rack, RackRole, Room, Row, TrayLevel, Way, WayEnd,
};
use lightloom_topology::{EntranceId, JunctionId, RoomId, RowId};
use lightloom_units::{Length, Percent};
use serde::{Deserialize, Serialize};

/// The hall. With a building, extents and trays are those of the first room.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HallPart {
    width: Length,
    depth: Length,
    cross_aisles: Vec<Length>,
    tray_height: Length,
    tray_width: Length,
    tray_depth: Length,
    fibre_diameter: Length,
    rack_entry: Length,
    slack: Length,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    building: Option<BuildingPart>,
    rows: Vec<RowPart>,
    racks: Vec<RackPart>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RowPart {
    name: String,
    y: Length,
    /// The room. `None`: the only one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    room: Option<RoomId>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RackPart {
    name: String,
    row: RowId,
    x: Length,
    units: u16,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    tor_unit: Option<u16>,
    #[serde(skip_serializing_if = "RackRole::is_tor", default)]
    role: RackRole,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BuildingPart {
    rooms: Vec<RoomPart>,
    entrances: Vec<EntrancePart>,
    junctions: Vec<String>,
    ways: Vec<WayPart>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RoomPart {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    site: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    building: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    floor: Option<String>,
    width: Length,
    depth: Length,
    cross_aisles: Vec<Length>,
    trays: TrayLevel,
    tray_height: Length,
    tray_width: Length,
    tray_depth: Length,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    existing: Option<Existing>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntrancePart {
    room: RoomId,
    name: String,
    x: Length,
    y: Length,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    lead: Option<Length>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WayPart {
    name: String,
    kind: PathwayKind,
    ends: [EndPart; 2],
    length: Length,
    section: CrossSection,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    existing: Option<Existing>,
    most_fill: Percent,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum EndPart {
    Entrance(EntranceId),
    Junction(JunctionId),
}

impl From<&Hall> for HallPart {
    fn from(hall: &Hall) -> Self {
        let rules = hall.rules();
        let building = (!hall.building().is_plain()).then(|| BuildingPart::from(hall.building()));
        let row = |row: &Row| RowPart {
            name: row.name.to_string(),
            y: row.y,
            room: building.is_some().then_some(row.room),
        };
        let rack = |rack: &Rack| RackPart {
            name: rack.name.to_string(),
            row: rack.row,
            x: rack.x,
            units: rack.units,
            tor_unit: rack.tor_unit,
            role: rack.role,
        };
        Self {
            width: rules.width,
            depth: rules.depth,
            cross_aisles: rules.cross_aisles.clone(),
            tray_height: rules.tray_height,
            tray_width: rules.space.tray_width,
            tray_depth: rules.space.tray_depth,
            fibre_diameter: rules.space.fibre_diameter,
            rack_entry: rules.rack_entry,
            slack: rules.slack,
            rows: hall.rows().iter().map(row).collect(),
            racks: hall.racks().iter().map(rack).collect(),
            building,
        }
    }
}

fn some(existing: Existing) -> Option<Existing> {
    Some(existing).filter(|existing| *existing != Existing::Nothing)
}

impl From<&Building> for BuildingPart {
    fn from(building: &Building) -> Self {
        let text = |name: &Option<Name>| name.as_ref().map(Name::to_string);
        let room = |room: &Room| RoomPart {
            name: text(&room.name).unwrap_or_default(),
            site: text(&room.address.site),
            building: text(&room.address.building),
            floor: text(&room.address.floor),
            width: room.rules.width,
            depth: room.rules.depth,
            cross_aisles: room.rules.cross_aisles.clone(),
            trays: room.trays,
            tray_height: room.rules.tray_height,
            tray_width: room.rules.space.tray_width,
            tray_depth: room.rules.space.tray_depth,
            existing: some(room.existing),
        };
        let entrance = |entrance: &Entrance| EntrancePart {
            room: entrance.room,
            name: entrance.name.to_string(),
            x: entrance.x,
            y: entrance.y,
            lead: entrance.lead,
        };
        let way = |way: &Way| WayPart {
            name: way.name.to_string(),
            kind: way.kind,
            ends: way.ends.map(|end| match end {
                WayEnd::Entrance(id) => EndPart::Entrance(id),
                WayEnd::Junction(id) => EndPart::Junction(id),
            }),
            length: way.length,
            section: way.pathway.section,
            existing: some(way.pathway.existing),
            most_fill: way.pathway.planned,
        };
        Self {
            rooms: building.rooms.iter().map(room).collect(),
            entrances: building.entrances.iter().map(entrance).collect(),
            junctions: building.junctions.iter().map(Name::to_string).collect(),
            ways: building.ways.iter().map(way).collect(),
        }
    }
}

impl HallPart {
    /// Restores and checks the hall. `file` is for error messages.
    pub fn restore(&self, file: &Path) -> Result<Hall, InputError> {
        let refuse = |message: &dyn std::fmt::Display| {
            InputError::new(message).in_file(file).in_field("hall")
        };
        let name = |text: &str| Name::new(text).map_err(|error| refuse(&error));
        let building = self.building(&name)?;
        let rows = self
            .rows
            .iter()
            .map(|row| {
                let room = row.room.unwrap_or(RoomId(0));
                if room.index() >= building.rooms.len() {
                    let message =
                        format!("row {:?} is in room {room}, which is not there", row.name);
                    return Err(refuse(&message));
                }
                Ok(Row { name: name(&row.name)?, y: row.y, room })
            })
            .collect::<Result<Vec<_>, InputError>>()?;
        if let Some(rack) = self.racks.iter().find(|rack| rack.row.index() >= rows.len()) {
            return Err(refuse(&format!(
                "rack {:?} is in row {}, which is not there",
                rack.name, rack.row
            )));
        }
        let racks = self
            .racks
            .iter()
            .map(|rack| {
                let RackPart { row, x, units, tor_unit, role, .. } = *rack;
                Ok(Rack { name: name(&rack.name)?, row, x, units, tor_unit, role })
            })
            .collect::<Result<Vec<_>, InputError>>()?;
        Hall::of_building(building, rows, racks).map_err(|error| refuse(&error))
    }

    fn building(
        &self,
        name: &impl Fn(&str) -> Result<Name, InputError>,
    ) -> Result<Building, InputError> {
        let rules = HallRules {
            width: self.width,
            depth: self.depth,
            cross_aisles: self.cross_aisles.clone(),
            tray_height: self.tray_height,
            rack_entry: self.rack_entry,
            slack: self.slack,
            space: CableSpace {
                fibre_diameter: self.fibre_diameter,
                tray_width: self.tray_width,
                tray_depth: self.tray_depth,
            },
        };
        let Some(building) = &self.building else { return Ok(Building::one_room(rules)) };
        let optional = |text: &Option<String>| text.as_deref().map(name).transpose();
        let room = |part: &RoomPart| {
            let address = Address {
                site: optional(&part.site)?,
                building: optional(&part.building)?,
                floor: optional(&part.floor)?,
            };
            let space = CableSpace {
                tray_width: part.tray_width,
                tray_depth: part.tray_depth,
                ..rules.space
            };
            let rules = HallRules {
                width: part.width,
                depth: part.depth,
                cross_aisles: part.cross_aisles.clone(),
                tray_height: part.tray_height,
                space,
                ..rules
            };
            let existing = part.existing.unwrap_or_default();
            Ok(Room { name: Some(name(&part.name)?), address, rules, trays: part.trays, existing })
        };
        let entrance = |part: &EntrancePart| {
            let EntrancePart { room, x, y, lead, .. } = *part;
            Ok(Entrance { room, name: name(&part.name)?, x, y, lead })
        };
        let way = |part: &WayPart| {
            let ends = part.ends.map(|end| match end {
                EndPart::Entrance(id) => WayEnd::Entrance(id),
                EndPart::Junction(id) => WayEnd::Junction(id),
            });
            let (section, existing) = (part.section, part.existing.unwrap_or_default());
            let pathway = Pathway { section, existing, planned: part.most_fill };
            let WayPart { kind, length, .. } = *part;
            Ok(Way { name: name(&part.name)?, kind, ends, length, pathway })
        };
        Ok(Building {
            rooms: building.rooms.iter().map(room).collect::<Result<_, InputError>>()?,
            entrances: building
                .entrances
                .iter()
                .map(entrance)
                .collect::<Result<_, InputError>>()?,
            junctions: building
                .junctions
                .iter()
                .map(|text| name(text))
                .collect::<Result<_, _>>()?,
            ways: building.ways.iter().map(way).collect::<Result<_, InputError>>()?,
        })
    }
}
