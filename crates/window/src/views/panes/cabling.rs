//! The cables of the plan: trunks with their fibres and spares, the cables to pull, the trays, and what is ordered.

use std::sync::Arc;

use egui::Ui;
use lightloom::plan::CablingReport;
use lightloom::shown::cabling::{ORDERS, PULLS, TRAYS, TRUNKS};
use lightloom::{Error, to_json};

use crate::command::{CablingTable, Command};
use crate::panel::Panel;
use crate::place::Place;
use crate::state::State;
use crate::state::asks::{AnswerOf, Asks};
use crate::views::draws::Draws;
use crate::views::emit::{Emit, answered, lacking};
use crate::views::table::table;
use crate::views::tables::{To, taken, titles};

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
                let row = table(ui, Panel::Cabling, &TRUNKS, rows, state, emit);
                row.map(|row| report.trunks[row].label.clone())
            }
            CablingTable::Pulls => {
                let rows = (report.pulls.as_slice(), number(1));
                let row = table(ui, Panel::Cabling, &PULLS, rows, state, emit);
                row.map(|row| report.pulls[row].label.clone())
            }
            CablingTable::Trays => {
                table(ui, Panel::Cabling, &TRAYS, (report.trays.as_slice(), number(2)), state, emit);
                None
            }
            CablingTable::Orders => {
                table(ui, Panel::Cabling, &ORDERS, (report.orders.as_slice(), number(3)), state, emit);
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
            CablingTable::Trunks => titles(&TRUNKS),
            CablingTable::Pulls => titles(&PULLS),
            CablingTable::Trays => titles(&TRAYS),
            CablingTable::Orders => titles(&ORDERS),
        }
    }

    fn rows(&self, state: &State, to: To) -> Option<Command> {
        let (panel, to) = (Panel::Cabling, (state, to));
        let Some(report) = state.cables.cabling.last() else {
            return Some(taken(panel, &TRUNKS, &[], to));
        };
        Some(match state.looks.cabling {
            CablingTable::Trunks => taken(panel, &TRUNKS, &report.trunks, to),
            CablingTable::Pulls => taken(panel, &PULLS, &report.pulls, to),
            CablingTable::Trays => taken(panel, &TRAYS, &report.trays, to),
            CablingTable::Orders => taken(panel, &ORDERS, &report.orders, to),
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
