//! The cables of the plan: trunks with their fibres and spares, the cables to pull, the trays, and what is ordered.

use std::sync::Arc;

use egui::Ui;
use lightloom::plan::{CablingReport, OrderReport, PullReport, TrayReport, TrunkReport};
use lightloom::{Error, to_json};

use crate::command::{CablingTable, Command};
use crate::panel::Panel;
use crate::place::Place;
use crate::state::State;
use crate::state::asks::{AnswerOf, Asks};
use crate::views::draws::Draws;
use crate::views::emit::{Emit, amount, answered, lacking};
use crate::views::table::{Head, table};
use crate::views::tables::{To, taken, titles};

/// The columns of trunks.
pub const TRUNKS: &[Head<TrunkReport>] = &[
    Head { title: "trunk", text: |row| row.label.clone(), value: Some(|row| ordinal(&row.label)) },
    Head {
        title: "fibres",
        text: |row| row.fibres.to_string(),
        value: Some(|row| row.fibres.into()),
    },
    Head { title: "lit", text: |row| row.lit.to_string(), value: Some(|row| row.lit.into()) },
    Head { title: "spare", text: |row| row.spare.to_string(), value: Some(|row| row.spare.into()) },
    Head { title: "from", text: |row| row.near.clone(), value: None },
    Head { title: "to", text: |row| row.far.clone(), value: None },
    Head { title: "length, m", text: |row| metres(row.length_m), value: Some(|row| row.length_m) },
    Head { title: "stock, m", text: |row| metres(row.stock_m), value: Some(|row| row.stock_m) },
    Head {
        title: "fill, %",
        text: |row| format!("{:.1}", row.tray_fill_percent),
        value: Some(|row| row.tray_fill_percent),
    },
    Head { title: "trays", text: |row| row.trays.join("; "), value: None },
];

/// The columns of cables to pull.
pub const PULLS: &[Head<PullReport>] = &[
    Head { title: "cable", text: |row| row.label.clone(), value: None },
    Head { title: "row", text: |row| row.row.clone(), value: None },
    Head { title: "rack", text: |row| row.rack.clone(), value: None },
    Head { title: "from", text: |row| row.near.clone(), value: None },
    Head { title: "to row", text: |row| row.to_row.clone(), value: None },
    Head { title: "to rack", text: |row| row.to_rack.clone(), value: None },
    Head { title: "to", text: |row| row.far.clone(), value: None },
    Head { title: "length, m", text: |row| metres(row.length_m), value: Some(|row| row.length_m) },
    Head { title: "stock, m", text: |row| metres(row.stock_m), value: Some(|row| row.stock_m) },
    Head {
        title: "fill, %",
        text: |row| format!("{:.1}", row.tray_fill_percent),
        value: Some(|row| row.tray_fill_percent),
    },
    Head { title: "trays", text: |row| row.trays.join("; "), value: None },
];

/// The columns of trays.
pub const TRAYS: &[Head<TrayReport>] = &[
    Head { title: "tray", text: |row| row.tray.clone(), value: None },
    Head { title: "room", text: |row| row.room.clone().unwrap_or_default(), value: None },
    Head {
        title: "cables side by side",
        text: |row| row.fibres.to_string(),
        value: Some(|row| row.fibres as f64),
    },
    Head {
        title: "fill, %",
        text: |row| format!("{:.1}", row.fill_percent),
        value: Some(|row| row.fill_percent),
    },
    Head {
        title: "planned, %",
        text: |row| format!("{:.1}", row.planned_percent()),
        value: Some(|row| row.planned_percent()),
    },
    Head { title: "from, m", text: |row| metres(row.from_m), value: Some(|row| row.from_m) },
    Head { title: "to, m", text: |row| metres(row.to_m), value: Some(|row| row.to_m) },
];

/// The columns of orders.
pub const ORDERS: &[Head<OrderReport>] = &[
    Head { title: "item", text: |row| row.item.name().to_owned(), value: None },
    Head { title: "variant", text: |row| row.variant.clone(), value: None },
    Head {
        title: "length, m",
        text: |row| row.stock_m.map_or(String::new(), metres),
        value: Some(|row| row.stock_m.unwrap_or(f64::NAN)),
    },
    Head {
        title: "built in",
        text: |row| row.quantity.to_string(),
        value: Some(|row| row.quantity as f64),
    },
    Head {
        title: "spares",
        text: |row| row.spares.to_string(),
        value: Some(|row| row.spares as f64),
    },
    Head { title: "order", text: |row| row.order.to_string(), value: Some(|row| row.order as f64) },
    Head { title: "part", text: |row| row.part.clone(), value: None },
    Head {
        title: "price of one",
        text: |row| row.unit_price.map_or("unknown".to_owned(), |price| price.to_string()),
        value: Some(|row| amount(row.unit_price)),
    },
    Head {
        title: "low to high",
        text: |row| {
            let bounds = row.unit_low.zip(row.unit_high);
            bounds.map_or("unknown".to_owned(), |(low, high)| {
                format!("{} to {high}", low.to_decimal())
            })
        },
        value: Some(|row| amount(row.unit_high)),
    },
    Head {
        title: "price is",
        text: |row| row.rank.map_or("unknown", |rank| rank.name()).to_owned(),
        value: None,
    },
    Head {
        title: "cost",
        text: |row| row.line_total.map_or("unknown".to_owned(), |total| total.to_string()),
        value: Some(|row| amount(row.line_total)),
    },
];

/// The panel.
pub struct Pane;

impl Asks for Pane {
    fn answer(&self, of: &AnswerOf<'_>) -> Result<String, Error> {
        to_json(&of.project.cabling()?)
    }
}

impl Draws for Pane {
    fn show(&self, ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
        let slot = &state.cables.cabling;
        let sentence = "The cables appear here when the design can be opened.";
        let Some(report) = answered(ui, emit, slot, sentence) else { return };
        if slot.is_stale() {
            ui.weak("This is about an earlier state of the design.");
        }
        let shown = state.looks.cabling;
        ui.horizontal_wrapped(|ui| {
            for (each, name, count) in [
                (CablingTable::Trunks, "Trunks", report.trunks.len()),
                (CablingTable::Pulls, "Cables to pull", report.pulls.len()),
                (CablingTable::Trays, "Trays", report.trays.len()),
                (CablingTable::Orders, "To order", report.orders.len()),
            ] {
                if ui.selectable_label(shown == each, format!("{name} ({count})")).clicked() {
                    emit.emit(Command::CablingTable(each));
                }
            }
        });
        summary(ui, report);
        // Tables with other columns are other tables, and their orders are kept apart by other numbers.
        let number = |which: u64| slot.number() * 4 + which;
        let clicked = ui.push_id(shown_name(shown), |ui| match shown {
            CablingTable::Trunks if report.trunks.is_empty() => {
                let sentence = "There are no trunks: each fibre is one cord. Trunks come with splitters.cabling = \
                    \"trunked\".";
                crate::views::emit::empty(ui, sentence);
                None
            }
            CablingTable::Trunks => {
                let rows = (report.trunks.as_slice(), number(0));
                let row = table(ui, Panel::Cabling, TRUNKS, rows, state, emit);
                row.map(|row| report.trunks[row].label.clone())
            }
            CablingTable::Pulls => {
                let rows = (report.pulls.as_slice(), number(1));
                let row = table(ui, Panel::Cabling, PULLS, rows, state, emit);
                row.map(|row| report.pulls[row].label.clone())
            }
            CablingTable::Trays => {
                table(ui, Panel::Cabling, TRAYS, (report.trays.as_slice(), number(2)), state, emit);
                None
            }
            CablingTable::Orders => {
                table(ui, Panel::Cabling, ORDERS, (report.orders.as_slice(), number(3)), state, emit);
                None
            }
        });
        if let Some(label) = clicked.inner {
            emit.emit(Command::GoTo(Place::Label(label)));
        }
    }

    fn is_at_work(&self, state: &State) -> bool {
        state.cables.cabling.how_far().is_some()
    }

    fn refusals<'a>(&self, state: &'a State) -> Vec<Option<&'a Arc<Error>>> {
        vec![state.cables.cabling.refused_of(|of| state.is_shown(of))]
    }

    fn filter(&self) -> Option<&'static str> {
        Some("filter cabling")
    }

    fn columns(&self, state: &State) -> Vec<&'static str> {
        match state.looks.cabling {
            CablingTable::Trunks => titles(TRUNKS),
            CablingTable::Pulls => titles(PULLS),
            CablingTable::Trays => titles(TRAYS),
            CablingTable::Orders => titles(ORDERS),
        }
    }

    fn rows(&self, state: &State, to: To) -> Option<Command> {
        let (panel, to) = (Panel::Cabling, (state, to));
        let Some(report) = state.cables.cabling.last() else {
            return Some(taken(panel, TRUNKS, &[], to));
        };
        Some(match state.looks.cabling {
            CablingTable::Trunks => taken(panel, TRUNKS, &report.trunks, to),
            CablingTable::Pulls => taken(panel, PULLS, &report.pulls, to),
            CablingTable::Trays => taken(panel, TRAYS, &report.trays, to),
            CablingTable::Orders => taken(panel, ORDERS, &report.orders, to),
        })
    }
}

fn summary(ui: &mut Ui, report: &CablingReport) {
    ui.horizontal_wrapped(|ui| {
        let fibres: u64 = report.trunks.iter().map(|trunk| u64::from(trunk.fibres)).sum();
        if fibres > 0 {
            ui.label(format!("{} of {fibres} fibres of the trunks are spare", report.spare_fibres));
        }
        if let Some(fullest) = report.trays.first() {
            ui.label(format!("fullest tray {}: {:.1} %", fullest.tray, fullest.fill_percent));
        }
        if let Some(total) = &report.to_order {
            let (percent, cost) = (report.spares_percent, total.cost_text());
            ui.label(format!("to order, with {percent} % spares: {cost}"));
        }
    });
    if let Some(total) = &report.to_order {
        lacking(ui, &total.missing);
    }
}

fn shown_name(table: CablingTable) -> &'static str {
    match table {
        CablingTable::Trunks => "trunks",
        CablingTable::Pulls => "pulls",
        CablingTable::Trays => "trays",
        CablingTable::Orders => "orders",
    }
}

/// The number in a label such as `T12`.
fn ordinal(label: &str) -> f64 {
    label.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(f64::NAN)
}

fn metres(value: f64) -> String {
    format!("{value:.2}")
}
