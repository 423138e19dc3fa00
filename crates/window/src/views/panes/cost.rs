//! Power and cost of the plan, beside a packet core and a chain of ToRs.

use std::sync::Arc;

use egui::{ScrollArea, Ui};
use lightloom::designs::{CompareOptions, CompareReport, SideReport};
use lightloom::plan::{OneTotal, TotalReport};
use lightloom::shown::design::{ratios, ways};
use lightloom::{Error, Watch, designs, shown, to_json};

use crate::slot::HowFar;
use crate::state::State;
use crate::state::answers::Answers;
use crate::state::asks::{AnswerOf, Asks, Sight};
use crate::views::draws::Draws;
use crate::views::emit::{Emit, answered, lacking};
use crate::views::shown::table;

/// The three ways, in the order of the columns.
const WAYS: [&str; 3] = ["splitter fabric", "IP multicast", "peer to peer"];

/// The panel.
pub struct Pane;

impl Asks for Pane {
    fn ask(&self, answers: &mut Answers, sight: &Sight<'_>) {
        let project = sight.of.0.clone();
        let compare = move |_: Watch<'_>| designs::compare(&project, &CompareOptions::default());
        answers.compare.ask(sight.of.clone(), &answers.wake, compare);
    }

    fn answer(&self, of: &AnswerOf<'_>) -> Result<String, Error> {
        to_json(&designs::compare(of.project, &CompareOptions::default())?)
    }
}

impl Draws for Pane {
    fn show(&self, ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
        let sentence = "Power and cost appear here when the design can be opened.";
        let Some(report) = answered(ui, emit, &state.answers.compare, sentence) else { return };
        ScrollArea::both().auto_shrink(false).show(ui, |ui| {
            bill(ui, &report.bill);
            totals(ui, &report.totals);
            ui.separator();
            for sentence in &report.summary {
                ui.label(sentence);
            }
            ui.separator();
            one_multicast(ui, report);
            ui.separator();
            all_built(ui, report);
            accelerated(ui, report);
            for assumption in &report.assumed {
                ui.weak(format!("assumed: {assumption}"));
            }
            ui.weak(format!(
                "Catalogue: {}; a strand is charged {} of a pair.",
                report.catalogue.line(),
                report.catalogue.fibre_accounting
            ));
        });
    }

    fn how_far(&self, state: &State) -> Option<HowFar> {
        state.answers.compare.how_far()
    }

    fn is_stale(&self, state: &State) -> bool {
        state.answers.compare.is_stale()
    }

    fn refusals<'a>(&self, state: &'a State) -> Vec<Option<&'a Arc<Error>>> {
        vec![state.answers.compare.refused_of(|of| state.is_shown(of))]
    }
}

/// Sums of the plan.
fn bill(ui: &mut Ui, total: &TotalReport) {
    ui.horizontal_wrapped(|ui| {
        ui.strong("The plan, with routed lengths:");
        ui.label(format!("power {}", total.power_text()));
        ui.label(format!("cost {}", total.cost_text()));
    });
    lacking(ui, &total.missing);
}

/// All totals beside each other: what is in each, and what it comes to.
fn totals(ui: &mut Ui, totals: &[OneTotal]) {
    ui.strong("All totals of the plan beside each other");
    table(ui, "totals", &shown::design::totals(totals));
    for total in totals {
        ui.weak(format!("{}: {}", total.name, total.says));
    }
}

/// The parts that one multicast to all takes.
fn one_multicast(ui: &mut Ui, report: &CompareReport) {
    ui.strong("One multicast to all, in three ways");
    ui.label(format!(
        "The switches of the packet core have {} ports. It adds {:.0} % to the ToRs' uplinks.",
        report.core_ports, report.excess_resource_percent
    ));
    let sides = [&report.splitter_fabric, &report.ip_multicast, &report.peer_to_peer];
    table(ui, "one multicast", &ways(sides, None));
    table(ui, "ratios of one multicast", &ratios(&report.ratios));
    missing(ui, sides);
}

/// All that is built, and what that is for each source at line rate.
fn all_built(ui: &mut Ui, report: &CompareReport) {
    ui.strong("All that is built");
    let whole = &report.whole_fabric;
    let sides = [&whole.splitter_fabric, &whole.ip_multicast, &whole.peer_to_peer];
    let at = &report.at_line_rate;
    let each = [&at.splitter_fabric, &at.ip_multicast, &at.peer_to_peer];
    table(ui, "all that is built", &ways(sides, Some(each)));
    table(ui, "ratios of all that is built", &ratios(&whole.ratios));
    missing(ui, sides);
}

/// Accelerators, where the design has them.
fn accelerated(ui: &mut Ui, report: &CompareReport) {
    if let Some(accelerators) = &report.accelerators {
        ui.label(accelerators.line());
        lacking(ui, &accelerators.total.missing);
    }
}

/// What the sums of the three ways lack.
fn missing(ui: &mut Ui, sides: [&SideReport; 3]) {
    for (way, side) in WAYS.into_iter().zip(sides) {
        if !side.total.missing.is_empty() {
            ui.weak(format!("Unknown values, {way}:"));
            lacking(ui, &side.total.missing);
        }
    }
}
