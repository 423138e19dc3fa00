//! `acceptance.csv`: how to measure each branch, and the limits of its loss.

use lightloom_design::optics::DesignOptics;
use lightloom_plan::acceptance::{branches, pad_test};
use lightloom_plan::budget::pad_text;
use lightloom_plan::end_labels::{end_labels, fibre_label};
use lightloom_plant::{Far, Plant};
use lightloom_tables::sheet::Sheet;
use lightloom_units::Db;

/// The file's name in a plan folder.
pub const FILE: &str = "acceptance.csv";

/// The columns of every sheet.
const COLUMNS: [&str; 14] = [
    "label",
    "feed",
    "from_tor",
    "to_tor",
    "to_port",
    "source_at",
    "meter_at",
    "otdr_from",
    "wavelength",
    "least_db",
    "most_db",
    "expected_db",
    "length_m",
    "direction",
];
/// Further columns if the design has a pad.
const OF_PADS: [&str; 3] = ["pad", "limits_show_pad", "pad_test"];

/// The content of the file, one line per branch. The loss is measured with a source at the sender and a meter
/// at the receiver, after a reference with one cord; a reflectometer looks from the receiver's end toward the
/// splitter. Limits are empty without optics. If the design has a pad, the line says whether the limits show it, and
/// asks for a test that does if they do not.
pub fn csv(plan: &Plant, optics: Option<&DesignOptics>) -> Vec<u8> {
    let pad = optics.and_then(|chosen| pad_text(&chosen.optics));
    let of_pads: &[&str] = if pad.is_some() { &OF_PADS } else { &[] };
    let mut sheet = Sheet::new(COLUMNS.into_iter().chain(of_pads.iter().copied()));
    let wavelength = optics.and_then(|chosen| chosen.optics.transceiver.wavelength);
    let wavelength = wavelength.map_or_else(String::new, |found| found.to_string());
    let decibels = |of: Option<Db>| of.map_or_else(String::new, |db| format!("{:.2}", db.get()));
    for found in branches(plan, optics) {
        let ((feed_id, feed), (branch_id, branch)) = (found.feed, found.branch);
        let Far::Receiver { tor, port, .. } = branch.far else { continue };
        let (source, _) = end_labels(plan, feed_id);
        let (_, meter) = end_labels(plan, branch_id);
        let limits = found.limits.map(|limits| limits.loss);
        let row = [
            fibre_label(&plan.site().fabric, branch),
            fibre_label(&plan.site().fabric, feed),
            branch.from.to_string(),
            tor.to_string(),
            port.to_string(),
            source,
            meter.clone(),
            meter,
            wavelength.clone(),
            decibels(limits.map(|loss| loss.least)),
            decibels(limits.map(|loss| loss.most)),
            decibels(limits.map(|loss| loss.typical)),
            (feed.length + branch.length).to_metres_string(),
            "from sender to receiver".into(),
        ];
        let check = found.limits.and_then(|limits| limits.pad);
        let of_pad = pad.as_ref().zip(check).map(|(pad, check)| {
            let told = if check.is_told { "yes" } else { "no" };
            [pad.clone(), told.to_owned(), pad_test(check)]
        });
        sheet.row(row.into_iter().chain(of_pad.into_iter().flatten()).map(Into::into));
    }
    sheet.into_bytes()
}
