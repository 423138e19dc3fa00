//! `cables.csv`: every fibre with both ends, lengths, labels and trays.

use std::collections::BTreeMap;

use lightloom_plan::bill::{OnFibres, PadEnd, PassedPad};
use lightloom_plan::end_labels::{end_labels, fibre_label};
use lightloom_plant::{Far, Plant};
use lightloom_tables::sheet::Sheet;
use lightloom_topology::hall::{TrayId, TrayRun};

/// The file's name in a plan folder.
pub const FILE: &str = "cables.csv";

/// The content of the file. `from_port` of a branch is the port whose light it carries. The fill of a tray is
/// the fill at its fullest point.
pub fn csv(plan: &Plant, on: &OnFibres) -> Vec<u8> {
    let mut sheet = Sheet::new([
        "label",
        "kind",
        "from_tor",
        "from_port",
        "splitter",
        "branch",
        "to_tor",
        "to_port",
        "length_m",
        "stock_m",
        "near_label",
        "far_label",
        "trays",
        "tray_fill_percent",
        "splices",
        "panels",
        "inline",
        "pad",
        "pad_label",
    ]);
    let fills = fill_by_tray(plan);
    for (id, cable) in plan.numbered() {
        let (kind, branch, to_tor, to_port) = match cable.far {
            Far::SplitterInput => ("feed", String::new(), String::new(), String::new()),
            Far::Receiver { branch, tor, port } => {
                ("branch", branch.to_string(), tor.to_string(), port.to_string())
            }
        };
        let passed = match cable.far {
            Far::SplitterInput => &on.feed,
            Far::Receiver { .. } => &on.branch,
        };
        let (near, far) = end_labels(plan, id);
        let runs = plan.runs(id);
        let fill = runs.iter().filter_map(|run| fills.get(&run.tray).copied());
        let from = cable.from.to_string();
        sheet.row([
            fibre_label(&plan.site().fabric, cable).into(),
            kind.into(),
            from.as_str().into(),
            plan.site().fabric.transmit_port(cable.from).to_string().into(),
            plan.site().fabric.splitter_number(cable.from).to_string().into(),
            branch.into(),
            to_tor.into(),
            to_port.into(),
            cable.length.to_metres_string().into(),
            cable.stock.to_metres_string().into(),
            format!("{near} / {far}").into(),
            format!("{far} / {near}").into(),
            tray_names(plan, &runs).into(),
            format!("{:.1}", fill.fold(0.0, f64::max)).into(),
            passed.splices.to_string().into(),
            passed.panels.to_string().into(),
            passed.inline.join("; ").into(),
            passed.pad.as_ref().map_or("", |pad| &pad.text).into(),
            passed.pad.as_ref().map_or_else(String::new, |pad| pad_label(pad, &near, &far)).into(),
        ]);
    }
    sheet.into_bytes()
}

/// Label of the pad at an end of a fibre: the label of that end with `PAD`, as in `R101-42:0 PAD`.
fn pad_label(pad: &PassedPad, near: &str, far: &str) -> String {
    match pad.end {
        PadEnd::Near => format!("{near} PAD"),
        PadEnd::Far => format!("{far} PAD"),
    }
}

/// Names of the trays and ways of these stretches, in order, with `; ` between them. `%` and `;` within a name are
/// percent-escaped (RFC 3986, 2.1).
pub(crate) fn tray_names(plan: &Plant, runs: &[TrayRun]) -> String {
    let names =
        runs.iter().map(|run| plan.tray_name(run.tray).replace('%', "%25").replace(';', "%3B"));
    names.collect::<Vec<_>>().join("; ")
}

/// The fill of each used tray and way at its fullest point, in percent.
fn fill_by_tray(plan: &Plant) -> BTreeMap<TrayId, f64> {
    let hall = &plan.site().hall;
    let fullest = plan.tray_fill().fullest().into_iter();
    fullest.map(|(tray, peak)| (tray, 100.0 * hall.fill(tray, peak.squares))).collect()
}
