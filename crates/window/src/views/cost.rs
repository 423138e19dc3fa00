//! Power and cost of the plan, beside a packet core and a chain of ToRs.

use egui::{Grid, ScrollArea, Ui};
use lightloom::{CompareReport, TotalReport};

use super::emit::{Emit, answered};
use crate::state::State;

pub fn show(ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    let sentence = "Power and cost appear here when the design can be opened.";
    let Some(report) = answered(ui, emit, &state.answers.compare, sentence) else { return };
    ScrollArea::both().auto_shrink(false).show(ui, |ui| {
        bill(ui, &report.bill);
        ui.separator();
        ui.strong("One multicast to all, in three ways");
        sides(ui, report);
        for sentence in &report.summary {
            ui.label(sentence);
        }
        for assumption in &report.assumed {
            ui.weak(format!("assumed: {assumption}"));
        }
    });
}

/// Sums of the plan.
fn bill(ui: &mut Ui, total: &TotalReport) {
    ui.horizontal_wrapped(|ui| {
        ui.strong("The plan:");
        ui.label(format!("power {}", watts(total)));
        ui.label(format!("cost {}", cost(total)));
    });
    for missing in &total.missing {
        let (value, quantity) = (missing.value.name(), missing.quantity);
        ui.weak(format!(
            "{value} of {quantity} × {} is not counted: {}",
            missing.part, missing.reason
        ));
    }
}

fn sides(ui: &mut Ui, report: &CompareReport) {
    let sides = [
        ("splitter fabric", &report.splitter_fabric),
        ("packet core", &report.ip_multicast),
        ("chain of ToRs", &report.peer_to_peer),
    ];
    Grid::new("sides").striped(true).num_columns(7).show(ui, |ui| {
        for title in ["", "ports", "transceivers", "splitters", "fibres", "power", "cost"] {
            ui.strong(title);
        }
        ui.end_row();
        for (name, side) in sides {
            ui.label(name);
            for number in [side.ports, side.transceivers, side.splitters] {
                ui.label(number.to_string());
            }
            ui.label(format!("{} {}", side.fibres, side.fibre.name()));
            ui.label(watts(&side.total));
            ui.label(cost(&side.total));
            ui.end_row();
        }
    });
}

fn watts(total: &TotalReport) -> String {
    total.power_w.map_or_else(|| "unknown".to_owned(), |watts| format!("{watts:.0} W"))
}

fn cost(total: &TotalReport) -> String {
    super::emit::money(total.cost_usd, total.cost.as_ref())
}
