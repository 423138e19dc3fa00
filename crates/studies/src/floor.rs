//! Plan view of the hall: places of racks, and fibres in trays. Rooms are one behind the other, across the
//! rows, with a gap between them.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_plan::laid::check_size;
use lightloom_plan::project::Project;
use lightloom_plant::Far;
use lightloom_request::InputError;
use lightloom_topology::hall::{PathwayKind, RackRole, Stretch, TrayFill, TrayId, TrayRun, WayEnd};
use lightloom_topology::{RoomId, RowId, TorId};
use lightloom_units::Length;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Gap between rooms in the plan view.
const GAP: Length = Length::from_m(2);

/// Plan view of the hall, in metres from one corner: x along the rows, y across them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FloorReport {
    /// Extent of the hall along the rows, in metres.
    pub width_m: f64,
    /// Extent of the hall across the rows, in metres.
    pub depth_m: f64,
    /// The x of each cross-aisle tray, in metres, room by room.
    pub cross_aisles_m: Vec<f64>,
    /// The rows. A tray runs along each row.
    pub rows: Vec<FloorRow>,
    /// All racks, including those without a ToR of the fabric.
    pub racks: Vec<FloorRack>,
    /// The rooms. Empty: the hall is one room.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub rooms: Vec<FloorRoom>,
    /// The ways between rooms.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub ways: Vec<FloorWay>,
}

/// A room of several.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FloorRoom {
    /// Name of the room.
    pub name: String,
    /// The y of its corner in this view, in metres. Its x is 0.
    pub y_m: f64,
    /// Extent along the rows, in metres.
    pub width_m: f64,
    /// Extent across the rows, in metres.
    pub depth_m: f64,
    /// The x of each of its cross-aisle trays, in metres.
    pub cross_aisles_m: Vec<f64>,
}

/// A way between rooms, drawn as a straight line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FloorWay {
    /// Name of the way.
    pub name: String,
    /// Kind of the way.
    pub kind: PathwayKind,
    /// Length, in metres.
    pub length_m: f64,
    /// The x and y of both ends in this view, in metres. Junctions are beside the rooms.
    pub ends_m: [(f64, f64); 2],
}

/// A row of racks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FloorRow {
    /// Name of the row.
    pub name: String,
    /// The y of the row and its tray, in metres.
    pub y_m: f64,
}

/// A rack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FloorRack {
    /// Name of the rack.
    pub name: String,
    /// Index of its row.
    pub row: u32,
    /// The x of the rack, in metres.
    pub x_m: f64,
    /// The ToR in the rack. `None`: no ToR of the fabric.
    pub tor: Option<u32>,
    /// What the rack is for: to hold a ToR, unless it says otherwise.
    #[serde(skip_serializing_if = "RackRole::is_tor", default)]
    pub role: RackRole,
}

/// A fibre by its ends: the ToR whose light it carries, and the receiving ToR. Without a receiver it is the
/// feed, from the transmitter to its splitter.
pub type Fibre = (TorId, Option<TorId>);

/// Stretches of trays with a constant number of fibres, as columns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StretchArrays {
    /// Start of each stretch along the rows, in metres.
    pub from_x_m: Vec<f64>,
    /// Start of each stretch across the rows, in metres.
    pub from_y_m: Vec<f64>,
    /// End of each stretch along the rows, in metres.
    pub to_x_m: Vec<f64>,
    /// End of each stretch across the rows, in metres.
    pub to_y_m: Vec<f64>,
    /// Number of fibres side by side.
    pub fibres: Vec<u32>,
    /// Fill of the cross-section, existing cables included, in percent.
    pub fill_percent: Vec<f64>,
}

/// The y of each room's corner in the plan view.
pub(crate) fn room_offsets(project: &Project) -> Vec<Length> {
    let mut next = Length::ZERO;
    let mut offset = |depth: Length| {
        let here = next;
        next = next + depth + GAP;
        here
    };
    project.hall().building().rooms.iter().map(|room| offset(room.rules.depth)).collect()
}

/// The plan view of the hall.
pub fn floor(project: &Project) -> FloorReport {
    let (building, offsets) = (project.hall().building(), room_offsets(project));
    let tors: BTreeMap<_, _> =
        project.fabric().tor_ids().map(|tor| (project.placement().rack(tor), tor.0)).collect();
    let rows = project.hall().rows().iter();
    let racks = (0_u32..).zip(project.hall().racks());
    let rooms = building.rooms.iter().zip(&offsets);
    let width = building.rooms.iter().map(|room| room.rules.width).max().unwrap_or_default();
    let depth = rooms.clone().map(|(room, &offset)| offset + room.rules.depth).max();
    let room_reports = rooms.filter_map(|(room, offset)| {
        Some(FloorRoom {
            name: room.name.as_ref()?.to_string(),
            y_m: offset.as_m(),
            width_m: room.rules.width.as_m(),
            depth_m: room.rules.depth.as_m(),
            cross_aisles_m: room.rules.cross_aisles.iter().map(|x| x.as_m()).collect(),
        })
    });
    let ways = building.ways.iter().map(|way| FloorWay {
        name: way.name.to_string(),
        kind: way.kind,
        length_m: way.length.as_m(),
        ends_m: way.ends.map(|end| {
            let (x, y) = place_of(project, end, &offsets);
            (x.as_m(), y.as_m())
        }),
    });
    // Junctions are drawn beside the widest room.
    let beside = if building.junctions.is_empty() { Length::ZERO } else { GAP * 2 };
    FloorReport {
        width_m: (width + beside).as_m(),
        depth_m: depth.unwrap_or_default().as_m(),
        cross_aisles_m: project.hall().cross_aisles().iter().map(|aisle| aisle.x.as_m()).collect(),
        rows: (0..)
            .map(RowId)
            .zip(rows)
            .map(|(id, row)| FloorRow {
                name: project.hall().row_name(id),
                y_m: (offsets[row.room.index()] + row.y).as_m(),
            })
            .collect(),
        racks: racks
            .map(|(id, rack)| FloorRack {
                name: rack.name.to_string(),
                row: rack.row.0,
                x_m: rack.x.as_m(),
                tor: tors.get(&lightloom_topology::RackId(id)).copied(),
                role: rack.role,
            })
            .collect(),
        rooms: room_reports.collect(),
        ways: ways.collect(),
    }
}

/// The place of an end of a way in the plan view. Junctions are beside the widest room, one above the
/// other.
fn place_of(project: &Project, end: WayEnd, offsets: &[Length]) -> (Length, Length) {
    let building = project.hall().building();
    match end {
        WayEnd::Entrance(id) => {
            let entrance = building.entrance(id);
            (entrance.x, offsets[entrance.room.index()] + entrance.y)
        }
        WayEnd::Junction(id) => {
            let widths = building.rooms.iter().map(|room| room.rules.width);
            (widths.max().unwrap_or_default() + GAP, GAP * u64::from(id.0))
        }
    }
}

/// The stretches of trays with fibres: of the whole design, or of the `wanted` fibres.
///
/// # Errors
/// [`InputError`] if there are too many fibres to list, or if a wanted fibre does not exist.
pub fn tray_stretches(
    project: &Project,
    wanted: Option<&[Fibre]>,
) -> Result<StretchArrays, InputError> {
    check_size(project)?;
    let laid = project.laid()?;
    let wires = laid.plant();
    let Some(wanted) = wanted else {
        return Ok(stretches(project, wires.tray_fill()));
    };
    let mut wanted: BTreeSet<Fibre> = wanted.iter().copied().collect();
    let mut fill = TrayFill::default();
    for (id, fibre) in wires.numbered() {
        let to = match fibre.far {
            Far::SplitterInput => None,
            Far::Receiver { tor, .. } => Some(tor),
        };
        if wanted.remove(&(fibre.from, to)) {
            fill.lay(&wires.runs(id), project.hall().rules().space.fibre_diameter);
        }
    }
    match wanted.first() {
        None => Ok(stretches(project, &fill)),
        Some((from, None)) => Err(InputError::new(format!("there is no ToR {from}"))),
        Some((from, Some(to))) => {
            let message = format!("the splitter of ToR {from} has no branch to ToR {to}");
            Err(InputError::new(message))
        }
    }
}

/// The stretches of trays and ways with cables.
pub fn stretches(project: &Project, fill: &TrayFill) -> StretchArrays {
    let offsets = room_offsets(project);
    let mut arrays = StretchArrays::default();
    for Stretch { run: TrayRun { tray, from, to }, cables, squares } in fill.stretches() {
        let shift = |room: RoomId, y: Length| (offsets[room.index()] + y).as_m();
        let (start, end) = match tray {
            TrayId::Row(row) => {
                let row = project.hall().row(row);
                let y = shift(row.room, row.y);
                ((from.as_m(), y), (to.as_m(), y))
            }
            TrayId::Cross(aisle) => {
                let aisle = project.hall().cross_aisles()[aisle as usize];
                let x = aisle.x.as_m();
                ((x, shift(aisle.room, from)), (x, shift(aisle.room, to)))
            }
            TrayId::Way(way) => {
                let ends = project.hall().building().way(way).ends;
                let [start, end] = ends.map(|end| place_of(project, end, &offsets));
                ((start.0.as_m(), start.1.as_m()), (end.0.as_m(), end.1.as_m()))
            }
        };
        arrays.from_x_m.push(start.0);
        arrays.from_y_m.push(start.1);
        arrays.to_x_m.push(end.0);
        arrays.to_y_m.push(end.1);
        arrays.fibres.push(cables);
        arrays.fill_percent.push(100.0 * project.hall().pathway(tray).fill(squares));
    }
    arrays
}
