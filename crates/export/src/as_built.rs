//! `as-built.csv`: what was built otherwise than planned; and the form that crews fill in and return.

use std::collections::BTreeMap;

use lightloom_design::optics::DesignOptics;
use lightloom_plan::acceptance::branches;
use lightloom_plan::as_built::index::plug_label;
use lightloom_plan::as_built::report::{BuiltRecord, MarkRow};
use lightloom_plant::end_labels::{cable_label, fibre_label, port_label};
use lightloom_plant::{CableEnd, CableId, CableKind, Plant, Plug};
use lightloom_power_cost::spec::Limits;
use lightloom_tables::table::Kind::{Real, Text};
use lightloom_tables::table::{Cell, Column, Rows, Table};
use lightloom_units::{Db, Length};

/// The file's name in a plan folder.
pub const FILE: &str = TABLE.file;

/// The rows of the file.
pub struct Marks;

impl Rows for Marks {
    type Row<'a> = &'a MarkRow;
    type Given<'a> = ();
}

type Col = Column<Marks>;

/// Adds a loss of limits, where there are limits.
fn limit(limits: Option<Limits>, of: fn(Limits) -> Db, cell: &mut Cell) {
    cell.show_some(limits.map(|limits| format!("{:.2}", of(limits).get())));
}

/// The columns.
pub const TABLE: Table<Marks> = Table {
    file: "as-built.csv",
    about: "each mark of the crews, by the planned label",
    columns: &[
        Col::new("label", Text, "the planned label", |(), row, cell| cell.text(&row.mark.label)),
        Col::new(
            "label_now",
            Text,
            "the label to print, if the cord carries another fibre than planned",
            |(), row, cell| cell.text(&row.now),
        ),
        Col::new(
            "near_at",
            Text,
            "the cable in whose planned socket the near end is",
            |(), row, cell| {
                cell.show_some(row.mark.near_at.as_ref());
            },
        ),
        Col::new(
            "far_at",
            Text,
            "the cable in whose planned socket the far end is",
            |(), row, cell| {
                cell.show_some(row.mark.far_at.as_ref());
            },
        ),
        Col::new("planned_stock_m", Real, "length that was ordered, in metres", |(), row, cell| {
            cell.show_some(row.planned.map(Length::to_metres_string));
        }),
        Col::new("length_m", Real, "real length, if another cable was taken", |(), row, cell| {
            cell.show_some(row.mark.length.map(Length::to_metres_string));
        }),
        Col::new("measured_db", Text, "measured loss, in dB, or `no light`", |(), row, cell| {
            cell.show_some(row.mark.measured);
        }),
        Col::new("least_db", Real, "least loss that is accepted", |(), row, cell| {
            limit(row.limits, |limits| limits.loss.least, cell);
        }),
        Col::new("most_db", Real, "most loss that is accepted", |(), row, cell| {
            limit(row.limits, |limits| limits.loss.most, cell);
        }),
        Col::new(
            "verdict",
            Text,
            "`pass`, `too much loss`, `too little loss`, `no light`, or `no limits` without optics",
            |(), row, cell| cell.text(row.verdict.map_or("", |verdict| verdict.name())),
        ),
        Col::new("note", Text, "a remark", |(), row, cell| cell.show_some(row.mark.note.as_ref())),
    ],
};

/// The content of the file.
pub fn csv(built: &BuiltRecord) -> Vec<u8> {
    TABLE.csv((), &built.rows)
}

/// The rows of the form.
struct Forms;

impl Rows for Forms {
    type Row<'a> = Form;
    type Given<'a> = ();
}

/// A row of the form.
#[derive(Default)]
struct Form {
    label: String,
    /// Labels of both ends; empty for a trunk, whose connectors have rows of their own.
    ends: [String; 2],
    stock: Option<Length>,
    limits: Option<Limits>,
}

type Field = Column<Forms>;

/// The columns of the form. Crews fill in those without an answer.
const FORM: Table<Forms> = Table {
    file: "form.csv",
    about: "each cord, each trunk and each connector of a trunk",
    columns: &[
        Field::new("label", Text, "its label", |(), row, cell| cell.text(&row.label)),
        Field::new("near_label", Text, "port at the near end", |(), row, cell| {
            cell.text(&row.ends[0])
        }),
        Field::new("far_label", Text, "port at the far end", |(), row, cell| {
            cell.text(&row.ends[1])
        }),
        Field::new(
            "near_at",
            Text,
            "the cable in whose planned socket the near end is",
            |(), _, _| {},
        ),
        Field::new(
            "far_at",
            Text,
            "the cable in whose planned socket the far end is",
            |(), _, _| {},
        ),
        Field::new("stock_m", Real, "length that was ordered, in metres", |(), row, cell| {
            cell.show_some(row.stock.map(Length::to_metres_string));
        }),
        Field::new("length_m", Real, "real length, if another cable was taken", |(), _, _| {}),
        Field::new("least_db", Real, "least loss that is accepted", |(), row, cell| {
            limit(row.limits, |limits| limits.loss.least, cell);
        }),
        Field::new("most_db", Real, "most loss that is accepted", |(), row, cell| {
            limit(row.limits, |limits| limits.loss.most, cell);
        }),
        Field::new("measured_db", Text, "measured loss, in dB, or `no light`", |(), _, _| {}),
        Field::new("note", Text, "a remark", |(), _, _| {}),
    ],
};

/// The form: one row a cord, a trunk and a connector of a trunk, with empty cells for what crews find. Limits stand
/// with the branches, which are measured.
pub fn form(plant: &Plant, optics: Option<&DesignOptics>) -> Vec<u8> {
    let limits: BTreeMap<String, _> = branches(plant, optics)
        .map(|found| (fibre_label(&plant.site().fabric, found.branch.1), found.limits))
        .collect();
    let mut rows = Vec::new();
    for (id, cable) in (0..).map(CableId).zip(plant.cables()) {
        let label = cable_label(plant, cable);
        let limits = limits.get(&label).copied().flatten();
        let stock = Some(cable.stock);
        if matches!(cable.kind, CableKind::Cord(..)) {
            let ends = cable.ends.map(|end| port_label(plant, end));
            rows.push(Form { label, ends, stock, limits });
            continue;
        }
        rows.push(Form { label, stock, limits, ..Form::default() });
        for plug in plant.plugs(id, CableEnd::Near) {
            let ends = [CableEnd::Near, CableEnd::Far];
            let ends = ends.map(|end| port_label(plant, plant.socket(Plug { end, ..plug })));
            rows.push(Form { label: plug_label(plant, plug), ends, ..Form::default() });
        }
    }
    FORM.csv((), rows)
}
