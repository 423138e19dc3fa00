//! `ports.csv`: the use of each port of each ToR.

use std::borrow::Cow;

use lightloom_plan::end_labels::{branch_label, feed_label};
use lightloom_plant::Plant;
use lightloom_tables::sheet::Sheet;
use lightloom_topology::FabricPort;
use lightloom_topology::hall::Name;

/// The file's name in a plan folder.
pub const FILE: &str = "ports.csv";

/// Columns of every plan.
const COLUMNS: [&str; 9] =
    ["tor", "port", "name", "row", "unit", "transceiver", "tx_label", "rx_label", "rx_from_tor"];
/// Further columns of a plan that names interfaces. `tx`: `lit` for the port that transmits, and `off` for the others,
/// whose transmitters are switched off or capped.
const OF_INTERFACES: [&str; 3] = ["device", "interface", "tx"];

/// The content of the file: one row per port. Port 0 also transmits, or the last port only transmits. Port j receives
/// from the splitter in slot j of the ToR's cassette. Where there are several rooms, the last column is the room.
pub fn csv(plan: &Plant) -> Vec<u8> {
    let site = plan.site();
    let has_rooms = site.hall.building().rooms.len() > 1;
    let titles = COLUMNS.iter().chain(site.ports.iter().flat_map(|_| &OF_INTERFACES)).copied();
    let mut sheet = Sheet::new(titles.chain(has_rooms.then_some("room")));
    for tor in site.fabric.tor_ids() {
        let rack = site.hall.rack(site.placement.rack(tor));
        let branch = u32::try_from(site.fabric.splitter_branch(tor)).unwrap_or(u32::MAX);
        for FabricPort { number: port, hears, transmits } in site.fabric.ports(tor) {
            let tx = if transmits { feed_label(&site.fabric, tor) } else { String::new() };
            let room = site.hall.room_name(site.placement.rack(tor)).map(Name::as_str);
            let mut cells: Vec<Cow<'_, str>> = vec![
                tor.to_string().into(),
                port.to_string().into(),
                rack.name.as_str().into(),
                site.hall.row(rack.row).name.as_str().into(),
                rack.tor_unit.map(|u| u.to_string()).unwrap_or_default().into(),
                port.to_string().into(),
                tx.into(),
                hears
                    .map(|sender| branch_label(&site.fabric, sender, branch))
                    .unwrap_or_default()
                    .into(),
                hears.map(|sender| sender.to_string()).unwrap_or_default().into(),
            ];
            if let Some(ports) = &site.ports {
                cells.push(ports.device(tor).unwrap_or_default().into());
                cells.push(ports.interface(tor, port).unwrap_or_default().into());
                cells.push(if transmits { "lit" } else { "off" }.into());
            }
            sheet.row(cells.into_iter().chain(room.map(Into::into)));
        }
    }
    sheet.into_bytes()
}
