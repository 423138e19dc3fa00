//! `as-built.csv`: what was built otherwise than planned; and the form that crews fill in and return.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lightloom_design::optics::DesignOptics;
use lightloom_plan::acceptance::branches;
use lightloom_plan::as_built::index::plug_label;
use lightloom_plan::as_built::report::{BuiltRecord, MarkRow};
use lightloom_plan::end_labels::{cable_label, fibre_label, port_label};
use lightloom_plant::{CableEnd, CableId, CableKind, Plant};
use lightloom_tables::sheet::Sheet;
use lightloom_units::{Db, Length};

/// The file's name in a plan folder.
pub const FILE: &str = "as-built.csv";

/// The content of the file: one row a mark, by the planned label.
pub fn csv(built: &BuiltRecord) -> Vec<u8> {
    let mut sheet = Sheet::new([
        "label",
        "label_now",
        "near_at",
        "far_at",
        "planned_stock_m",
        "length_m",
        "measured_db",
        "least_db",
        "most_db",
        "verdict",
        "note",
    ]);
    for MarkRow { mark, now, planned, limits, verdict } in &built.rows {
        let text = |of: &Option<String>| Cow::from(of.clone().unwrap_or_default());
        let metres = |of: Option<Length>| of.map(Length::to_metres_string).unwrap_or_default();
        sheet.row([
            mark.label.as_str().into(),
            now.as_str().into(),
            text(&mark.near_at),
            text(&mark.far_at),
            metres(*planned).into(),
            metres(mark.length).into(),
            mark.measured.map(|measured| measured.to_string()).unwrap_or_default().into(),
            decibels(limits.map(|limits| limits.loss.least)).into(),
            decibels(limits.map(|limits| limits.loss.most)).into(),
            verdict.map_or("", |verdict| verdict.name()).into(),
            text(&mark.note),
        ]);
    }
    sheet.into_bytes()
}

/// The form: one row a cord, a trunk and a connector of a trunk, with empty cells for what crews find. Limits stand
/// with the branches, which are measured.
pub fn form(plant: &Plant, optics: Option<&DesignOptics>) -> Vec<u8> {
    let mut sheet = Sheet::new([
        "label",
        "near_label",
        "far_label",
        "near_at",
        "far_at",
        "stock_m",
        "length_m",
        "least_db",
        "most_db",
        "measured_db",
        "note",
    ]);
    let limits: BTreeMap<String, _> = branches(plant, optics)
        .map(|found| (fibre_label(&plant.site().fabric, found.branch.1), found.limits))
        .collect();
    for (id, cable) in (0..).map(CableId).zip(plant.cables()) {
        let label = cable_label(plant, cable);
        let stock = cable.stock.to_metres_string();
        let limit = limits.get(&label).copied().flatten();
        let limits =
            [limit.map(|limit| limit.loss.least), limit.map(|limit| limit.loss.most)].map(decibels);
        let is_cord = matches!(cable.kind, CableKind::Cord(..));
        let ends = match is_cord {
            true => cable.ends.map(|end| port_label(plant, end)),
            false => [String::new(), String::new()],
        };
        form_row(&mut sheet, label, ends, stock, limits);
        if !is_cord {
            for plug in plant.plugs(id, CableEnd::Near) {
                let ends = [CableEnd::Near, CableEnd::Far];
                let ends = ends.map(|end| {
                    let plug = lightloom_plant::Plug { end, ..plug };
                    port_label(plant, plant.socket(plug))
                });
                let none = [String::new(), String::new()];
                form_row(&mut sheet, plug_label(plant, plug), ends, String::new(), none);
            }
        }
    }
    sheet.into_bytes()
}

fn form_row(
    sheet: &mut Sheet,
    label: String,
    [near, far]: [String; 2],
    stock: String,
    [least, most]: [String; 2],
) {
    sheet.row([
        label.into(),
        near.into(),
        far.into(),
        "".into(),
        "".into(),
        stock.into(),
        "".into(),
        least.into(),
        most.into(),
        "".into(),
        "".into(),
    ]);
}

fn decibels(of: Option<Db>) -> String {
    of.map_or_else(String::new, |db| format!("{:.2}", db.get()))
}
