//! `ports.csv`: the use of each port of each ToR.

use lightloom_plan::end_labels::{branch_label, feed_label};
use lightloom_plant::Plant;
use lightloom_topology::TRANSMIT_PORT;

use crate::sheet::Sheet;

/// The file's name in a plan folder.
pub const FILE: &str = "ports.csv";

/// The content of the file: one row per port. Port 0 also transmits. Port j receives from the splitter in
/// slot j of the ToR's cassette.
pub fn csv(plan: &Plant<'_>) -> Vec<u8> {
    let mut sheet = Sheet::new([
        "tor",
        "port",
        "name",
        "row",
        "unit",
        "transceiver",
        "tx_label",
        "rx_label",
        "rx_from_tor",
    ]);
    let site = plan.site();
    for tor in site.fabric.tor_ids() {
        let rack = site.hall.rack(site.placement.rack(tor));
        let branch = u32::try_from(site.fabric.splitter_branch(tor)).unwrap_or(u32::MAX);
        for (port, sender) in (0..).zip(site.fabric.heard_by(tor)) {
            let tx =
                if port == TRANSMIT_PORT { feed_label(site.fabric, tor) } else { String::new() };
            sheet.row([
                tor.to_string().into(),
                port.to_string().into(),
                rack.name.as_str().into(),
                site.hall.row(rack.row).name.as_str().into(),
                rack.tor_unit.map(|u| u.to_string()).unwrap_or_default().into(),
                port.to_string().into(),
                tx.into(),
                branch_label(site.fabric, *sender, branch).into(),
                sender.to_string().into(),
            ]);
        }
    }
    sheet.into_bytes()
}
