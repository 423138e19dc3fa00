//! Plan view of the hall: places of racks, and fibres in trays.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_request::InputError;
use lightloom_topology::TorId;
use lightloom_topology::hall::{Stretch, TrayFill, TrayId, TrayRun};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::laid::{check_size, lay};
use crate::project::Project;
use lightloom_plant::Far;

/// Plan view of the hall, in metres from one corner: x along the rows, y across them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FloorReport {
    /// Extent of the hall along the rows, in metres.
    pub width_m: f64,
    /// Extent of the hall across the rows, in metres.
    pub depth_m: f64,
    /// The x of each cross-aisle tray, in metres.
    pub cross_aisles_m: Vec<f64>,
    /// The rows. A tray runs above each row.
    pub rows: Vec<FloorRow>,
    /// All racks, including those without a ToR of the fabric.
    pub racks: Vec<FloorRack>,
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
    /// Fill of the cross-section, in percent.
    pub fill_percent: Vec<f64>,
}

impl Project {
    /// The plan view of the hall.
    pub fn floor(&self) -> FloorReport {
        let rules = self.hall.rules();
        let tors: BTreeMap<_, _> =
            self.fabric.tor_ids().map(|tor| (self.placement.rack(tor), tor.0)).collect();
        let rows = self.hall.rows().iter();
        let racks = (0_u32..).zip(self.hall.racks());
        FloorReport {
            width_m: rules.width.as_m(),
            depth_m: rules.depth.as_m(),
            cross_aisles_m: rules.cross_aisles.iter().map(|x| x.as_m()).collect(),
            rows: rows
                .map(|row| FloorRow { name: row.name.to_string(), y_m: row.y.as_m() })
                .collect(),
            racks: racks
                .map(|(id, rack)| FloorRack {
                    name: rack.name.to_string(),
                    row: rack.row.0,
                    x_m: rack.x.as_m(),
                    tor: tors.get(&lightloom_topology::RackId(id)).copied(),
                })
                .collect(),
        }
    }

    /// The stretches of trays with fibres: of the whole design, or of the `wanted` fibres.
    ///
    /// # Errors
    /// [`InputError`] if there are too many fibres to list, or if a wanted fibre does not exist.
    pub fn tray_stretches(&self, wanted: Option<&[Fibre]>) -> Result<StretchArrays, InputError> {
        check_size(self)?;
        let wires = lay(self)?;
        let Some(wanted) = wanted else {
            return Ok(self.stretches(wires.tray_fill()));
        };
        let mut wanted: BTreeSet<Fibre> = wanted.iter().copied().collect();
        let mut fill = TrayFill::default();
        for (id, fibre) in wires.numbered() {
            let to = match fibre.far {
                Far::SplitterInput => None,
                Far::Receiver { tor, .. } => Some(tor),
            };
            if wanted.remove(&(fibre.from, to)) {
                fill.lay(&wires.runs(id), self.hall.rules().space.fibre_diameter);
            }
        }
        match wanted.first() {
            None => Ok(self.stretches(&fill)),
            Some((from, None)) => Err(InputError::new(format!("there is no ToR {from}"))),
            Some((from, Some(to))) => {
                let message = format!("the splitter of ToR {from} has no branch to ToR {to}");
                Err(InputError::new(message))
            }
        }
    }

    /// The stretches of trays with cables.
    pub fn stretches(&self, fill: &TrayFill) -> StretchArrays {
        let mut arrays = StretchArrays::default();
        for Stretch { run: TrayRun { tray, from, to }, cables, squares } in fill.stretches() {
            let (from, to) = (from.as_m(), to.as_m());
            let (start, end) = match tray {
                TrayId::Row(row) => {
                    let y = self.hall.row(row).y.as_m();
                    ((from, y), (to, y))
                }
                TrayId::Cross(aisle) => {
                    let x = self.hall.rules().cross_aisles[aisle as usize].as_m();
                    ((x, from), (x, to))
                }
            };
            arrays.from_x_m.push(start.0);
            arrays.from_y_m.push(start.1);
            arrays.to_x_m.push(end.0);
            arrays.to_y_m.push(end.1);
            arrays.fibres.push(cables);
            arrays.fill_percent.push(100.0 * self.hall.rules().space.fill(squares));
        }
        arrays
    }
}
