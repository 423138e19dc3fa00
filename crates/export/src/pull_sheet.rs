//! `pull-sheet.csv`: the cables to pull, row by row.

use lightloom_plan::end_labels::{cable_label, port_label};
use lightloom_plant::{Cable, Plant};
use lightloom_tables::sheet::Sheet;

use crate::cables::tray_names;

/// The file's name in a plan folder.
pub const FILE: &str = "pull-sheet.csv";

/// The content of the file: every cord and trunk once. They are sorted by the row of the near end, then by the row
/// of the far end, then by the racks at both ends: cables of one run come one after the other.
/// Where there are several rooms, the last columns are the rooms of both ends.
pub fn csv(plan: &Plant) -> Vec<u8> {
    let columns = [
        "row", "rack", "label", "near", "far", "to_row", "to_rack", "length_m", "stock_m", "trays",
    ];
    let hall = &plan.site().hall;
    let rooms = (hall.building().rooms.len() > 1).then_some(["room", "to_room"]);
    let mut sheet = Sheet::new(columns.into_iter().chain(rooms.into_iter().flatten()));
    let racks = |cable: &Cable| cable.ends.map(|end| plan.thing(end.thing).rack);
    let mut by_run: Vec<&Cable> = plan.cables().iter().collect();
    by_run.sort_by_key(|cable| {
        let racks = racks(cable);
        (racks.map(|rack| hall.rack(rack).row), racks)
    });
    for cable in by_run {
        let [near, far] = racks(cable).map(|rack| hall.rack(rack));
        let [near_port, far_port] = cable.ends.map(|end| port_label(plan, end));
        let rooms = racks(cable).map(|rack| hall.room_name(rack));
        let cells = [
            hall.row(near.row).name.as_str().into(),
            near.name.as_str().into(),
            cable_label(plan, cable).into(),
            near_port.into(),
            far_port.into(),
            hall.row(far.row).name.as_str().into(),
            far.name.as_str().into(),
            cable.length.to_metres_string().into(),
            cable.stock.to_metres_string().into(),
            tray_names(plan, &plan.cable_runs(cable)).into(),
        ];
        let rooms = rooms.into_iter().flatten().map(|name| name.as_str().into());
        sheet.row(cells.into_iter().chain(rooms));
    }
    sheet.into_bytes()
}
