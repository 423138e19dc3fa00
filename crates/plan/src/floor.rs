//! The hall from above: where racks stand, and where fibres lie in the trays.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_request::InputError;
use lightloom_topology::TorId;
use lightloom_topology::hall::{TrayFill, TrayId, TrayRun};
use serde::Serialize;

use crate::laid::check_size;
use crate::project::Project;
use crate::wiring::{Far, WiringPlan};

/// The hall from above, in metres from one corner: x along the rows, y across them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FloorReport {
    /// Extent along the rows.
    pub width_m: f64,
    /// Extent across the rows.
    pub depth_m: f64,
    /// Where trays run across the rows: x of each.
    pub cross_aisles_m: Vec<f64>,
    /// The rows; a tray runs above each.
    pub rows: Vec<FloorRow>,
    /// All racks, those without a ToR of the fabric too.
    pub racks: Vec<FloorRack>,
}

/// A row of racks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FloorRow {
    /// What people call it.
    pub name: String,
    /// Where it stands, and its tray runs.
    pub y_m: f64,
}

/// A rack.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FloorRack {
    /// What people call it.
    pub name: String,
    /// Which of the rows.
    pub row: u32,
    /// Where it stands in its row.
    pub x_m: f64,
    /// The ToR in it, where the fabric has one there.
    pub tor: Option<u32>,
}

/// A fibre by its ends: the ToR whose light it carries, and who receives it; no receiver means the
/// feed, from the transmitter to its splitter.
pub type Fibre = (TorId, Option<TorId>);

/// Stretches of trays along which the same number of fibres lies, as columns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StretchArrays {
    /// Where each starts, in metres along the rows.
    pub from_x_m: Vec<f64>,
    /// Where each starts, in metres across the rows.
    pub from_y_m: Vec<f64>,
    /// Where each ends, along the rows.
    pub to_x_m: Vec<f64>,
    /// Where each ends, across the rows.
    pub to_y_m: Vec<f64>,
    /// Fibres side by side.
    pub fibres: Vec<u32>,
}

impl Project {
    /// The hall from above.
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

    /// Where fibres lie in the trays: all of the design, or those that are wanted.
    ///
    /// # Errors
    /// [`InputError`] when the fibres are too many to be listed, or one that is wanted is not there.
    pub fn tray_stretches(&self, wanted: Option<&[Fibre]>) -> Result<StretchArrays, InputError> {
        check_size(self)?;
        let wires = WiringPlan::new(self.site(), self.design.housing, self.catalogue.stock());
        let Some(wanted) = wanted else {
            return Ok(self.stretches(wires.tray_fill()));
        };
        let mut wanted: BTreeSet<Fibre> = wanted.iter().copied().collect();
        let mut fill = TrayFill::default();
        for cable in wires.cables() {
            let to = match cable.far {
                Far::SplitterInput => None,
                Far::Receiver { tor, .. } => Some(tor),
            };
            if wanted.remove(&(cable.from, to)) {
                fill.lay(&wires.runs(cable));
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

    fn stretches(&self, fill: &TrayFill) -> StretchArrays {
        let mut arrays = StretchArrays::default();
        for (TrayRun { tray, from, to }, fibres) in fill.stretches() {
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
            arrays.fibres.push(fibres);
        }
        arrays
    }
}
