//! `acceptance.csv`: how to measure each branch, and the limits of its loss.

use lightloom_plan::acceptance::branches;
use lightloom_plan::end_labels::{end_labels, fibre_label};
use lightloom_plan::optics::DesignOptics;
use lightloom_plant::{Far, Plant};
use lightloom_units::Db;

use crate::sheet::Sheet;

/// The file's name in a plan folder.
pub const FILE: &str = "acceptance.csv";

/// The content of the file, one line per branch. The loss is measured with a source at the sender and a meter
/// at the receiver, after a reference with one cord; a reflectometer looks from the receiver's end toward the
/// splitter. Limits are empty without optics.
pub fn csv(plan: &Plant<'_>, optics: Option<&DesignOptics>) -> Vec<u8> {
    let mut sheet = Sheet::new([
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
    ]);
    let wavelength = optics.and_then(|chosen| chosen.optics.transceiver.wavelength);
    let wavelength = wavelength.map_or_else(String::new, |found| found.to_string());
    let decibels = |of: Option<Db>| of.map_or_else(String::new, |db| format!("{:.2}", db.get()));
    for found in branches(plan, optics) {
        let ((feed_id, feed), (branch_id, branch)) = (found.feed, found.branch);
        let Far::Receiver { tor, port, .. } = branch.far else { continue };
        let (source, _) = end_labels(plan, feed_id);
        let (_, meter) = end_labels(plan, branch_id);
        sheet.row([
            fibre_label(plan.site().fabric, branch).into(),
            fibre_label(plan.site().fabric, feed).into(),
            branch.from.to_string().into(),
            tor.to_string().into(),
            port.to_string().into(),
            source.into(),
            meter.as_str().into(),
            meter.as_str().into(),
            wavelength.as_str().into(),
            decibels(found.limits.map(|limits| limits.least)).into(),
            decibels(found.limits.map(|limits| limits.most)).into(),
            decibels(found.limits.map(|limits| limits.typical)).into(),
            (feed.length + branch.length).to_metres_string().into(),
            "from sender to receiver".into(),
        ]);
    }
    sheet.into_bytes()
}
