//! Builds the hall from an inventory, or generates one.
//!
//! Without an inventory the hall has racks in rows and is roughly square. Lengths that are not given are the
//! defaults of their settings: racks of 600 mm (EIA-310 cabinets are commonly 600 or 800 mm wide), a rack
//! depth of 1.2 m and an aisle of 1.2 m, and a slack of 2 m per run (2 to 3 m: TIA-942-B planning practice).
//! All other defaults are assumed.

use lightloom_request::setting::{hall as setting, splitters};
use lightloom_request::{InputError, Key};
use lightloom_topology::RowId;
use lightloom_topology::hall::{CableSpace, Hall, HallError, HallRules, Name, Rack, RackRole, Row};
use lightloom_units::Length;

use crate::design::{Design, Geometry};
use crate::inventory::{Inventory, ListedRack, Spot, natural_key};

/// Largest distance between cross-aisle trays. Assumed.
const CROSS_AISLE_SPACING: Length = Length::from_m(12);
/// Height of a rack if the inventory does not give it, in rack units. Assumed.
pub(crate) const UNITS: u16 = 42;

/// The hall of a design. `tors` is the number of generated racks if there is no inventory.
pub fn build(design: &Design, tors: usize) -> Result<Hall, InputError> {
    let geometry = &design.geometry;
    match &design.inventory {
        None => {
            let (rows, racks) = generated(geometry, tors);
            let rules = rules(geometry, &rows, &racks);
            Hall::new(rules, rows, racks).map_err(|error| blame_rules(design, &error))
        }
        Some(inventory) => {
            let (rows, listed) = arrange(inventory, geometry)?;
            let (rows, listed) = (rows, with_roles(design, listed)?);
            let racks: Vec<Rack> = listed.iter().map(|(rack, _)| rack.clone()).collect();
            let rules = rules(geometry, &rows, &racks);
            Hall::new(rules, rows, racks).map_err(|error| match blamed_rack(&error) {
                Some((rack, field)) => InputError::new(&error)
                    .in_file(&inventory.file)
                    .at_line(listed[rack].1)
                    .in_field(field),
                None => blame_rules(design, &error),
            })
        }
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

/// The hall with a row of this many frames behind the last row, around the middle of its width.
pub fn with_frames(design: &Design, hall: Hall, frames: u32) -> Result<Hall, InputError> {
    let geometry = &design.geometry;
    let pitch = geometry.rack_pitch.unwrap_or_else(|| setting::RACK_PITCH.default_value());
    let row_pitch = geometry.row_pitch.unwrap_or_else(|| setting::ROW_PITCH.default_value());
    let last = hall.rows().iter().map(|row| row.y).max().unwrap_or_default();
    let (y, width) = (last + row_pitch, hall.rules().width);
    let depth = match geometry.depth {
        Some(depth) => depth,
        None => y + Length::from_um(row_pitch.as_um() / 2),
    };
    let start = width.as_um().saturating_sub(pitch.as_um().saturating_mul(frames.into())) / 2;
    let name = free_name(&hall);
    let row = RowId::at(hall.rows().len());
    let frame = |i: u32| Rack {
        name: known_name(format!("{name}.{:02}", i + 1)),
        row,
        x: Length::from_um(start) + middle(i.into(), pitch),
        units: design.frame_units,
        tor_unit: None,
        role: RackRole::Frame,
    };
    let frames = (0..frames).map(frame).collect();
    hall.with_frames(depth, Row { name: known_name(name), y }, frames)
        .map_err(|error| blame_rules(design, &error))
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
        _ => &setting::WIDTH,
    };
    design.settings.refuse(key, error)
}

/// Racks of a generated hall: "R3.07" is the seventh rack of row 3.
fn generated(geometry: &Geometry, tors: usize) -> (Vec<Row>, Vec<Rack>) {
    let pitch = geometry.rack_pitch.unwrap_or_else(|| setting::RACK_PITCH.default_value());
    let row_pitch = geometry.row_pitch.unwrap_or_else(|| setting::ROW_PITCH.default_value());
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
        .map(|row| Row { name: known_name(format!("R{}", row + 1)), y: middle(row, row_pitch) })
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
type Arranged = (Vec<Row>, Vec<(Rack, u64)>);

/// Puts rows in natural order of their names, and racks in order along them.
fn arrange(inventory: &Inventory, geometry: &Geometry) -> Result<Arranged, InputError> {
    let pitch = geometry.rack_pitch.unwrap_or_else(|| setting::RACK_PITCH.default_value());
    let row_pitch = geometry.row_pitch.unwrap_or_else(|| setting::ROW_PITCH.default_value());
    let mut listed: Vec<(Name, &ListedRack)> =
        inventory.racks.iter().map(|rack| (row_name(rack), rack)).collect();
    listed.sort_by_cached_key(|(row, rack)| match rack.spot {
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
    });
    let mut rows: Vec<Row> = Vec::new();
    let mut racks = Vec::with_capacity(listed.len());
    let mut place = 0;
    for (name, rack) in listed {
        if rows.last().is_none_or(|row| row.name != name) {
            let y = match rack.spot {
                Spot::At { y, .. } => y,
                _ => middle(rows.len() as u64, row_pitch),
            };
            rows.push(Row { name: name.clone(), y });
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

/// The rules of the hall: values of the design, and otherwise what the racks need.
fn rules(geometry: &Geometry, rows: &[Row], racks: &[Rack]) -> HallRules {
    let half = |pitch: Length| Length::from_um(pitch.as_um() / 2);
    let far = |at: Option<Length>, pitch: Length| {
        Length::from_um(at.unwrap_or_default().as_um().saturating_add(half(pitch).as_um()))
    };
    let width = geometry.width.unwrap_or_else(|| {
        far(
            racks.iter().map(|rack| rack.x).max(),
            geometry.rack_pitch.unwrap_or_else(|| setting::RACK_PITCH.default_value()),
        )
    });
    let depth = geometry.depth.unwrap_or_else(|| {
        far(
            rows.iter().map(|row| row.y).max(),
            geometry.row_pitch.unwrap_or_else(|| setting::ROW_PITCH.default_value()),
        )
    });
    let mut cross_aisles = geometry.cross_aisles.clone().unwrap_or_else(|| {
        // One at each end, and others evenly between them. Too wide a hall is refused later.
        let spans = width.as_um().div_ceil(CROSS_AISLE_SPACING.as_um()).clamp(1, 10_000);
        (0..=spans).map(|i| Length::from_um(width.as_um() / spans * i)).collect()
    });
    cross_aisles.sort_unstable();
    cross_aisles.dedup();
    HallRules {
        width,
        depth,
        cross_aisles,
        tray_height: geometry.tray_height.unwrap_or_else(|| setting::TRAY_HEIGHT.default_value()),
        rack_entry: geometry.rack_entry.unwrap_or_else(|| setting::RACK_ENTRY.default_value()),
        slack: geometry.slack.unwrap_or_else(|| setting::SLACK.default_value()),
        space: CableSpace {
            fibre_diameter: geometry
                .fibre_diameter
                .unwrap_or_else(|| setting::FIBRE_DIAMETER.default_value()),
            tray_width: geometry.tray_width.unwrap_or_else(|| setting::TRAY_WIDTH.default_value()),
            tray_depth: geometry.tray_depth.unwrap_or_else(|| setting::TRAY_DEPTH.default_value()),
        },
    }
}
