//! Builds the hall from an inventory, or generates one.
//!
//! Without an inventory the hall has racks in rows and is roughly square. Lengths that are not given are the
//! defaults of their settings: racks of 600 mm (EIA-310 cabinets are commonly 600 or 800 mm wide), a rack
//! depth of 1.2 m and an aisle of 1.2 m, and a slack of 2 m per run (2 to 3 m: TIA-942-B planning practice).
//! All other defaults are assumed.

use lightloom_request::setting::{hall as setting, splitters};
use lightloom_request::{InputError, Key};
use lightloom_topology::hall::{Building, Hall, HallError, Name, Rack, RackRole, Row};
use lightloom_topology::{RoomId, RowId};
use lightloom_units::Length;

use crate::design::Design;
use crate::geometry::{Extents, Geometry};
use crate::inventory::{Inventory, ListedRack, Spot, natural_key};

/// Height of a rack if the inventory does not give it, in rack units. Assumed.
pub const UNITS: u16 = 42;

/// The hall of a design. `tors` is the number of generated racks if there is no inventory.
pub fn build(design: &Design, tors: usize) -> Result<Hall, InputError> {
    let geometry = &design.geometry;
    let (rows, listed) = match &design.inventory {
        None => {
            let (rows, racks) = generated(geometry, tors);
            (rows, racks.into_iter().map(|rack| (rack, 0)).collect())
        }
        Some(inventory) => {
            let (rows, listed) = arrange(inventory, geometry)?;
            (rows, with_roles(design, listed)?)
        }
    };
    let (racks, lines): (Vec<Rack>, Vec<u64>) = listed.into_iter().unzip();
    let building = building(design, &rows, &racks);
    Hall::of_building(building, rows, racks).map_err(|error| {
        let blamed = design.building.as_ref().and_then(|building| building.blame(&error));
        match (&design.inventory, blamed_rack(&error), blamed) {
            (_, _, Some(blamed)) => blamed,
            (Some(inventory), Some((rack, field)), _) => InputError::new(&error)
                .in_file(&inventory.file)
                .at_line(lines[rack])
                .in_field(field),
            _ => blame_rules(design, &error),
        }
    })
}

/// The rooms and ways of a design, with extents that its racks fit into.
fn building(design: &Design, rows: &[Row], racks: &[Rack]) -> Building {
    let rooms = design.building.as_ref().map_or(1, |building| building.rooms.len());
    let mut extents = vec![Extents::default(); rooms];
    for row in rows {
        let far = &mut extents[row.room.index()].rows;
        *far = (*far).max(Some(row.y));
    }
    for rack in racks {
        let far = &mut extents[rows[rack.row.index()].room.index()].racks;
        *far = (*far).max(Some(rack.x));
    }
    match &design.building {
        Some(building) => building.build(&design.geometry, extents),
        None => Building::one_room(design.geometry.rules(extents[0])),
    }
}

/// The racks, of which those that the design names are frames.
fn with_roles(
    design: &Design,
    mut listed: Vec<(Rack, u64)>,
) -> Result<Vec<(Rack, u64)>, InputError> {
    for name in design.frames.iter().flatten() {
        let found = listed.iter_mut().find(|(rack, _)| rack.name.as_str() == name.trim());
        let (rack, _) = found.ok_or_else(|| {
            let message = format!("found {name:?}; no rack of the inventory has that name");
            design.settings.refuse(&splitters::FRAMES, message)
        })?;
        rack.role = RackRole::Frame;
    }
    Ok(listed)
}

/// The hall with this many frames behind the last row of a room, around the middle of its width, in as many rows as
/// its width asks for. With several rooms it is the room of the most racks.
pub fn with_frames(design: &Design, hall: Hall, frames: u32) -> Result<Hall, InputError> {
    let row_pitch = design.geometry.row_pitch();
    let room = fullest_room(&hall);
    let rows = hall.rows().iter().filter(|row| row.room == room);
    let last = rows.map(|row| row.y).max().unwrap_or_default();
    let (rows, frames) = rows_of_frames(design, &hall, (room, last), frames);
    let in_file =
        design.building.as_ref().and_then(|building| building.room(room).item.geometry.depth);
    let behind = rows.last().map_or(last, |row| row.y) + Length::from_um(row_pitch.as_um() / 2);
    let depth = in_file.or(design.geometry.depth).unwrap_or(behind);
    let named = hall.building().room_text(room);
    hall.with_frames(depth, rows, frames).map_err(|error| {
        if design.building.is_none() {
            return blame_rules(design, &error);
        }
        let message = format!(
            "{error}: frames are added behind the last row of {named}; make it deeper in the building file, \
             or name racks of the inventory that are frames"
        );
        design.settings.refuse(&splitters::FRAMES, message)
    })
}

/// Rows of frames behind the row at `last` of a room, and the frames. One row is named Z, several Z1, Z2 and so on.
fn rows_of_frames(
    design: &Design,
    hall: &Hall,
    (room, last): (RoomId, Length),
    frames: u32,
) -> (Vec<Row>, Vec<Rack>) {
    let (pitch, row_pitch) = (design.geometry.rack_pitch(), design.geometry.row_pitch());
    let width = hall.building().room(room).rules.width;
    let most = width.as_um().checked_div(pitch.as_um()).unwrap_or(u64::MAX);
    let per_row = u32::try_from(most).unwrap_or(u32::MAX).max(1);
    let count = frames.div_ceil(per_row);
    let name = free_name(hall);
    let (mut rows, mut racks) = (Vec::new(), Vec::new());
    let mut y = last;
    for number in 0..count {
        y = y + row_pitch;
        let name = if count == 1 { name.clone() } else { format!("{name}{}", number + 1) };
        // The rows are of equal length, but for the last ones, which have a frame less.
        let of_row = frames / count + u32::from(number < frames % count);
        let start = width.as_um().saturating_sub(pitch.as_um().saturating_mul(of_row.into())) / 2;
        let row = RowId::at(hall.rows().len() + rows.len());
        racks.extend((0..of_row).map(|place| Rack {
            name: known_name(format!("{name}.{:02}", place + 1)),
            row,
            x: Length::from_um(start) + middle(place.into(), pitch),
            units: design.frame_units,
            tor_unit: None,
            role: RackRole::NewFrame,
        }));
        rows.push(Row { name: known_name(name), y, room });
    }
    (rows, racks)
}

/// The room of the most racks; of several, the first.
fn fullest_room(hall: &Hall) -> RoomId {
    let mut racks = vec![0_usize; hall.building().rooms.len()];
    for rack in hall.racks() {
        racks[hall.row(rack.row).room.index()] += 1;
    }
    let rooms = (0..racks.len()).map(RoomId::at);
    rooms.max_by_key(|room| (racks[room.index()], std::cmp::Reverse(*room))).unwrap_or(RoomId(0))
}

/// A name for a row of frames: Z, or else Z2, Z3 and so on. No row and no rack starts with it.
fn free_name(hall: &Hall) -> String {
    let names = || {
        hall.rows().iter().map(|row| &row.name).chain(hall.racks().iter().map(|rack| &rack.name))
    };
    let is_free = |name: &String| !names().any(|taken| taken.as_str().starts_with(name.as_str()));
    let numbered = (2..).map(|n| format!("Z{n}"));
    std::iter::once("Z".to_owned()).chain(numbered).find(is_free).unwrap_or_default()
}

/// The rack and the column that an error is about.
fn blamed_rack(error: &HallError) -> Option<(usize, &'static str)> {
    match error {
        HallError::NameTwice { rack, .. } => Some((*rack, "name")),
        HallError::SamePlace { rack, .. } | HallError::Outside { rack, .. } => {
            Some((*rack, "position"))
        }
        HallError::Units { rack, .. } => Some((*rack, "unit")),
        _ => None,
    }
}

fn blame_rules(design: &Design, error: &HallError) -> InputError {
    let key: &Key = match error {
        HallError::NoCrossAisle { .. } | HallError::CrossAisleOutside { .. } => {
            &setting::CROSS_AISLES
        }
        HallError::Unbelievable { what, .. } => match *what {
            "hall depth" => &setting::DEPTH,
            "tray height" => &setting::TRAY_HEIGHT,
            "rack entry" => &setting::RACK_ENTRY,
            "slack" => &setting::SLACK,
            "fibre diameter" => &setting::FIBRE_DIAMETER,
            "tray width" => &setting::TRAY_WIDTH,
            "tray depth" => &setting::TRAY_DEPTH,
            _ => &setting::WIDTH,
        },
        HallError::Outside { x, width, .. } if x <= width => &setting::DEPTH,
        _ => &setting::WIDTH,
    };
    design.settings.refuse(key, error)
}

/// Racks of a generated hall: "R3.07" is the seventh rack of row 3.
fn generated(geometry: &Geometry, tors: usize) -> (Vec<Row>, Vec<Rack>) {
    let (pitch, row_pitch) = (geometry.rack_pitch(), geometry.row_pitch());
    let per_row = geometry.racks_per_row.map_or_else(
        || {
            // The number of racks per row that makes the hall square.
            let aspect = row_pitch.as_um().div_ceil(pitch.as_um().max(1)).max(1);
            ((tors as u64).saturating_mul(aspect)).isqrt().max(1)
        },
        u64::from,
    );
    let count = (tors as u64).div_ceil(per_row);
    let rows = (0..count)
        .map(|row| Row {
            name: known_name(format!("R{}", row + 1)),
            y: middle(row, row_pitch),
            room: RoomId(0),
        })
        .collect();
    let racks = (0..tors as u64)
        .map(|i| {
            let (row, place) = (i / per_row, i % per_row);
            Rack {
                name: known_name(format!("R{}.{:02}", row + 1, place + 1)),
                row: RowId(u32::try_from(row).unwrap_or(u32::MAX)),
                x: middle(place, pitch),
                units: UNITS,
                tor_unit: None,
                role: RackRole::Tor,
            }
        })
        .collect();
    (rows, racks)
}

fn known_name(name: String) -> Name {
    Name::new(&name).expect("a letter and digits are a name")
}

/// The middle of the n-th place, counted from 0.
fn middle(place: u64, pitch: Length) -> Length {
    Length::from_um(place.saturating_mul(pitch.as_um()).saturating_add(pitch.as_um() / 2))
}

/// Rows, and racks with their lines in the inventory.
pub type Arranged = (Vec<Row>, Vec<(Rack, u64)>);

/// Puts rooms in order, rows in natural order of their names, and racks in order along them.
pub fn arrange(inventory: &Inventory, geometry: &Geometry) -> Result<Arranged, InputError> {
    let (pitch, row_pitch) = (geometry.rack_pitch(), geometry.row_pitch());
    let mut listed: Vec<(Name, &ListedRack)> =
        inventory.racks.iter().map(|rack| (row_name(rack), rack)).collect();
    listed.sort_by_cached_key(|(row, rack)| {
        let place = match rack.spot {
            // Rows without a name are in the order of their places.
            Spot::At { x, y } if rack.row.is_none() => (None, y, x, None),
            Spot::At { x, .. } => (Some(natural_key(row.as_str())), Length::ZERO, x, None),
            Spot::Position(n) => {
                (Some(natural_key(row.as_str())), Length::ZERO, Length::from_um(n.into()), None)
            }
            Spot::Unknown => {
                let name = natural_key(rack.name.as_str());
                (Some(natural_key(row.as_str())), Length::ZERO, Length::ZERO, Some(name))
            }
        };
        (rack.room, place)
    });
    let mut rows: Vec<Row> = Vec::new();
    let mut racks = Vec::with_capacity(listed.len());
    // Numbers of the rack in its row, and of the row in its room.
    let (mut place, mut number) = (0, 0);
    for (name, rack) in listed {
        if rows.last().is_none_or(|row| row.name != name || row.room != rack.room) {
            number =
                if rows.last().is_some_and(|row| row.room == rack.room) { number + 1 } else { 0 };
            let y = match rack.spot {
                Spot::At { y, .. } => y,
                _ => middle(number, row_pitch),
            };
            rows.push(Row { name: name.clone(), y, room: rack.room });
            place = 0;
        }
        let row = RowId::at(rows.len() - 1);
        let x = match rack.spot {
            Spot::At { x, y } => {
                let row_y = rows[row.index()].y;
                if y != row_y {
                    let message = format!(
                        "found {y}, but row \"{name}\" has its tray at {row_y}; racks of a row \
                         have one y_m"
                    );
                    return Err(InputError::new(message)
                        .in_file(&inventory.file)
                        .at_line(rack.line)
                        .in_field("y_m"));
                }
                x
            }
            Spot::Position(n) => middle(u64::from(n) - 1, pitch),
            Spot::Unknown => middle(place, pitch),
        };
        place += 1;
        let (units, tor_unit) = (rack.units.unwrap_or(UNITS), rack.tor_unit);
        let (name, role) = (rack.name.clone(), RackRole::Tor);
        racks.push((Rack { name, row, x, units, tor_unit, role }, rack.line));
    }
    Ok((rows, racks))
}

/// Name of the rack's row. A rack with only coordinates gets a row named after its y.
fn row_name(rack: &ListedRack) -> Name {
    match (&rack.row, rack.spot) {
        (Some(name), _) => name.clone(),
        (None, Spot::At { y, .. }) => known_name(format!("y {y}")),
        (None, _) => known_name("row".into()),
    }
}
