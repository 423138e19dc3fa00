//! More or fewer ToRs: what is new, what moves, what stays, in which stages, and what it costs.

use std::sync::Arc;

use egui::{Grid, ScrollArea, TextEdit, Ui};
use lightloom::growth::{CordAction, CordReport, GrowReport, GrowthCost};
use lightloom::plan::TotalReport;
use lightloom::shown::Face;
use lightloom::shown::growth::{CORDS, STAGES, Stage};
use lightloom::{Error, to_json};

use crate::command::{Command, GrowthField};
use crate::export::Export;
use crate::panel::Panel;
use crate::place::Place;
use crate::state::State;
use crate::state::asked::needs;
use crate::state::asks::{AnswerOf, Asks};
use crate::views::draws::Draws;
use crate::views::emit::{Emit, lacking, refusal};
use crate::views::shown;
use crate::views::table::table;
use crate::views::tables::{To, taken, titles};
use crate::words;

/// The most stages of a list. The plan folder has all.
const MOST_STAGES: usize = 200;

/// The panel.
pub struct Pane;

impl Asks for Pane {
    fn answer(&self, of: &AnswerOf<'_>) -> Result<String, Error> {
        match &of.asked.grown {
            Some(grown) => to_json(&grown.report),
            None => Err(needs("compute a growth of this design first")),
        }
    }
}

impl Draws for Pane {
    fn show(&self, ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
        fields(ui, state, emit);
        if let Some(error) = &state.growth.refused {
            ui.colored_label(
                emit.colours.broken_text,
                format!("✖ {}", words::text_of_input(error)),
            );
        }
        if let Some(error) = state.growth.grown.refused() {
            refusal(ui, emit, error);
        }
        working(ui, state, emit);
        let Some(grown) = state.growth.grown.last() else {
            crate::views::emit::empty(
                ui,
                "Type a number of ToRs and press Grow or Shrink, to see which cords move and what it costs.",
            );
            return;
        };
        if !state.growth.grown.last_key().is_some_and(|(of, ..)| state.is_current(of)) {
            ui.weak("This is about an earlier state of the design.");
        }
        egui::Panel::top("growth figures").resizable(true).default_size(190.0).show(ui, |ui| {
            ScrollArea::both().auto_shrink(false).show(ui, |ui| figures(ui, &grown.report, emit));
        });
        let rows = (grown.cords.as_slice(), state.growth.grown.number());
        if let Some(row) = table(ui, Panel::Growth, &CORDS, rows, state, emit) {
            emit.emit(Command::GoTo(place(&grown.cords[row])));
        }
    }

    fn is_at_work(&self, state: &State) -> bool {
        state.growth.grown.how_far().is_some()
    }

    fn refusals<'a>(&self, state: &'a State) -> Vec<Option<&'a Arc<Error>>> {
        vec![state.growth.grown.refused_of(|(of, ..)| state.is_shown(of))]
    }

    fn filter(&self) -> Option<&'static str> {
        Some("filter growth")
    }

    fn columns(&self, _state: &State) -> Vec<&'static str> {
        titles(&CORDS)
    }

    fn rows(&self, state: &State, to: To) -> Option<Command> {
        let grown = state.growth.grown.last();
        let rows = grown.map_or(&[][..], |grown| &grown.cords[..]);
        Some(taken(Panel::Growth, &CORDS, rows, (state, to)))
    }
}

/// What is asked.
fn fields(ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    const FIELDS: [(GrowthField, &str, f32); 6] = [
        (GrowthField::Tors, "72", 60.0),
        (GrowthField::Phases, "72, 96, 128", 90.0),
        (GrowthField::Pin, "R7, R8:tx", 90.0),
        (GrowthField::MostMoves, "half", 60.0),
        (GrowthField::Inventory, "racks.csv", 110.0),
        (GrowthField::Racks, "R7, R8", 90.0),
    ];
    ui.horizontal_wrapped(|ui| {
        for (field, hint, width) in FIELDS {
            let label = ui.label(field.name()).id;
            let mut typed = state.growth.fields.get(field).to_owned();
            let edit = TextEdit::singleline(&mut typed).hint_text(hint).desired_width(width);
            if ui.add(edit).labelled_by(label).changed() {
                emit.emit(Command::GrowthField(field, typed));
            }
        }
        emit.button(ui, "Grow", Command::Grow);
        emit.button(ui, "Shrink", Command::Shrink);
        if state.growth.grown.last().is_some() {
            emit.button(ui, "Export the plan that grew", Command::Export(Export::Grown));
        }
    });
}

/// How far the work is.
fn working(ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    let Some(far) = state.growth.grown.how_far() else { return };
    ui.request_repaint_after(std::time::Duration::from_millis(100));
    match far.share {
        Some(share) => drop(ui.add(egui::ProgressBar::new(share))),
        None => drop(ui.add(egui::Spinner::new())),
    }
    emit.button(ui, "Stop", Command::Stop(Panel::Growth));
}

/// Cords, stages, costs and later phases.
fn figures(ui: &mut Ui, report: &GrowReport, emit: &Emit<'_>) {
    let change = &report.change;
    ui.horizontal_wrapped(|ui| {
        ui.strong(format!("{} to {} ToRs", change.tors_before, change.tors));
        ui.label(format!("{} to {} cassettes", change.cassettes_before, change.cassettes));
        ui.label(format!(
            "at most {} hops ({:.2} on average); a fresh kautz fabric has {} ({:.2})",
            report.hops.max, report.hops.mean, report.fresh_kautz.max, report.fresh_kautz.mean
        ));
    });
    ui.label(format!(
        "{} new cords, {} transmit and {} receive cords move, {} are taken out, {} stay",
        change.new_cords,
        change.moved_transmit_cords,
        change.moved_receive_cords,
        change.removed_cords,
        report.kept_cords,
    ));
    if change.new_trunks > 0 {
        ui.label(format!("{} new trunks beside the old ones", change.new_trunks));
    }
    if !change.too_short.is_empty() {
        ui.label(format!(
            "Too short for their new way, and replaced: {}",
            change.too_short.join(", ")
        ));
    }
    if !change.moved.is_empty() {
        ui.label(format!("ToRs whose cords move: {}", change.moved.join(", ")));
    }
    match &report.cost {
        Some(cost) => costs(ui, cost),
        None => drop(ui.weak("The design names no optics, so the costs are unknown.")),
    }
    if report.assumed_racks + report.assumed_frames > 0 {
        let (racks, frames) = (report.assumed_racks, report.assumed_frames);
        ui.weak(format!("assumed: {racks} more racks and {frames} more frames in the hall"));
    }
    let colour = if report.lit { emit.colours.text } else { emit.colours.broken_text };
    ui.colored_label(colour, format!("light afterwards: {}", report.optical.name()));
    stages(ui, report);
    for phase in &report.later {
        ui.label(format!(
            "Later, {} to {} ToRs: {} transmit cords move, {} hops ({:.2} on average), {} parallel sources",
            phase.tors_before,
            phase.tors,
            phase.moved_transmit_cords,
            phase.hops.max,
            phase.hops.mean,
            phase.parallel_sources
        ));
    }
    if let Some(paper) = &report.paper {
        ui.label(format!(
            "Re-wiring into the {},{}-Shufflecast of {} ToRs would move {} of {} branch fibres.",
            paper.p, paper.k, paper.tors, paper.moved_branch_fibres, paper.branch_fibres
        ));
    }
}

fn costs(ui: &mut Ui, cost: &GrowthCost) {
    let sum = |total: &TotalReport| format!("{}, {}", total.power_text(), total.cost_text());
    ui.horizontal_wrapped(|ui| {
        ui.label(format!("before: {}", sum(&cost.before)));
        ui.label(format!("afterwards: {}", sum(&cost.after)));
        let (percent, to_order) = (cost.spares_percent, cost.to_order.cost_text());
        ui.strong(format!("to order, with {percent} % spares: {to_order}"));
    });
    ui.collapsing(format!("{} kinds of parts to order", cost.orders.len()), |ui| {
        Grid::new("growth orders").striped(true).num_columns(5).show(ui, |ui| {
            for title in ["item", "variant", "length, m", "order", "cost"] {
                ui.strong(title);
            }
            ui.end_row();
            for line in &cost.orders {
                ui.label(line.item.name());
                ui.label(&line.variant);
                ui.label(metres(line.stock_m));
                ui.label(line.order.to_string());
                ui.label(line.line_total.map_or("unknown".to_owned(), |total| total.to_string()));
                ui.end_row();
            }
        });
    });
    for (of, total) in
        [("before", &cost.before), ("afterwards", &cost.after), ("to order", &cost.to_order)]
    {
        if !total.missing.is_empty() {
            ui.weak(format!("Unknown values, {of}:"));
            lacking(ui, &total.missing);
        }
    }
}

fn stages(ui: &mut Ui, report: &GrowReport) {
    let stages = &report.change.stages;
    if stages.is_empty() {
        return;
    }
    ui.collapsing(format!("{} stages", stages.len()), |ui| {
        let stages: Vec<Stage> = (1..).zip(stages.iter().cloned()).collect();
        shown::table(ui, "growth stages", &STAGES.shown(Face::Window, &stages, MOST_STAGES));
    });
}

/// Where a cord is in the plan as it is now. A new one is at its ToR.
fn place(cord: &CordReport) -> Place {
    match (cord.action, cord.tor) {
        (CordAction::Build | CordAction::Plug, Some(tor)) => Place::Tor(tor),
        _ => Place::Label(cord.label.clone()),
    }
}

fn metres(value: Option<f64>) -> String {
    value.map_or(String::new(), |metres| format!("{metres:.2}"))
}
