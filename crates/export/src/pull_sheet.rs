//! `pull-sheet.csv`: the fibres to pull, rack by rack.

use lightloom_plan::end_labels::{cable_label, end_labels};
use lightloom_plan::wiring::{Cable, Far, WiringPlan};
use lightloom_topology::RackId;

use crate::cables::tray_names;
use crate::sheet::Sheet;

/// The file's name in a plan folder.
pub const FILE: &str = "pull-sheet.csv";

/// The content of the file: every fibre once, under the rack where its light starts. Racks are in hall order.
pub fn csv(plan: &WiringPlan<'_>) -> Vec<u8> {
    let mut sheet =
        Sheet::new(["rack", "row", "label", "near", "far", "to_rack", "stock_m", "trays"]);
    let hall = plan.site().hall;
    let mut by_rack: Vec<(RackId, RackId, &Cable)> = plan
        .cables()
        .iter()
        .map(|cable| {
            let (near, far) = racks(plan, cable);
            (near, far, cable)
        })
        .collect();
    by_rack.sort_by_key(|&(near, ..)| near);
    for (near_rack, far_rack, cable) in by_rack {
        let (near, far) = end_labels(plan, cable);
        sheet.row([
            hall.rack(near_rack).name.as_str().into(),
            hall.row(hall.rack(near_rack).row).name.as_str().into(),
            cable_label(plan.site().fabric, cable).into(),
            near.into(),
            far.into(),
            hall.rack(far_rack).name.as_str().into(),
            cable.stock.to_metres_string().into(),
            tray_names(plan, &plan.runs(cable)).into(),
        ]);
    }
    sheet.into_bytes()
}

/// The racks of both ends, in the direction of the light.
fn racks(plan: &WiringPlan<'_>, cable: &Cable) -> (RackId, RackId) {
    let (splitter, placement) = (plan.splitter_rack(cable.from), plan.site().placement);
    match cable.far {
        Far::SplitterInput => (placement.rack(cable.from), splitter),
        Far::Receiver { tor, .. } => (splitter, placement.rack(tor)),
    }
}
