//! Power and cost of the plan, beside a packet core and a chain of ToRs.

use std::sync::Arc;

use egui::{Grid, ScrollArea, Ui};
use lightloom::designs::{
    CompareOptions, CompareReport, PerSourceReport, RatioBounds, RatioReport, SideReport,
};
use lightloom::plan::{OneTotal, PartGroup, TotalName, TotalReport};
use lightloom::{Error, Watch, designs, to_json};

use crate::slot::HowFar;
use crate::state::State;
use crate::state::answers::Answers;
use crate::state::asks::{AnswerOf, Asks, Sight};
use crate::views::draws::Draws;
use crate::views::emit::{Emit, answered, known, lacking};

/// The three ways, in the order of the columns.
const WAYS: [&str; 3] = ["splitter fabric", "packet core", "chain of ToRs"];

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
    Grid::new("totals").striped(true).num_columns(totals.len() + 1).show(ui, |ui| {
        let row = |ui: &mut Ui, name: &str, cells: &[Option<String>]| {
            if cells.iter().all(Option::is_none) {
                return;
            }
            ui.label(name);
            for cell in cells {
                ui.label(cell.as_deref().unwrap_or("–"));
            }
            ui.end_row();
        };
        let names: Vec<_> = totals.iter().map(|total| Some(total.name.to_string())).collect();
        row(ui, "", &names);
        for group in PartGroup::ALL {
            let cells: Vec<_> = totals.iter().map(|total| total.text(group)).collect();
            row(ui, group.name(), &cells);
        }
        let costs: Vec<_> = totals.iter().map(|total| Some(total.total.cost_text())).collect();
        row(ui, "sum", &costs);
        // Spares on a shelf draw nothing.
        let power =
            |total: &OneTotal| (total.name != TotalName::Order).then(|| total.total.power_text());
        let powers: Vec<_> = totals.iter().map(power).collect();
        row(ui, "power", &powers);
    });
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
    Grid::new("sides").striped(true).num_columns(4).show(ui, |ui| {
        heads(ui);
        parts(ui, sides);
        ratios(ui, &report.ratios);
    });
    missing(ui, sides);
}

/// All that is built, and what that is for each source at line rate.
fn all_built(ui: &mut Ui, report: &CompareReport) {
    ui.strong("All that is built");
    let whole = &report.whole_fabric;
    let sides = [&whole.splitter_fabric, &whole.ip_multicast, &whole.peer_to_peer];
    let at = &report.at_line_rate;
    let each = [&at.splitter_fabric, &at.ip_multicast, &at.peer_to_peer];
    Grid::new("all that is built").striped(true).num_columns(4).show(ui, |ui| {
        heads(ui);
        parts(ui, sides);
        ratios(ui, &whole.ratios);
        let unknown = || "unknown".to_owned();
        let mut row = |name: &str, value: fn(&PerSourceReport) -> Option<String>| {
            cells(ui, name, each.map(|each| value(each).unwrap_or_else(unknown)));
        };
        row("sources at line rate", |each| each.sources.map(|sources| sources.to_string()));
        row("power of each", |each| each.power_w.map(|watts| format!("{watts:.1} W")));
        row("cost of each", |each| each.cost.map(|_| each.cost_text()));
    });
    missing(ui, sides);
}

fn heads(ui: &mut Ui) {
    for title in [""].into_iter().chain(WAYS) {
        ui.strong(title);
    }
    ui.end_row();
}

/// A row of a table of the three ways.
fn cells(ui: &mut Ui, name: &str, values: [String; 3]) {
    ui.label(name);
    for value in values {
        ui.label(value);
    }
    ui.end_row();
}

/// Parts, power and cost of the three ways.
fn parts(ui: &mut Ui, sides: [&SideReport; 3]) {
    let mut row = |name: &str, value: fn(&SideReport) -> String| cells(ui, name, sides.map(value));
    row("ports", |side| side.ports.to_string());
    row("transceivers", |side| side.transceivers.to_string());
    row("splitters", |side| side.splitters.to_string());
    row("fibres", |side| format!("{} {}", side.fibres, side.fibre.name()));
    row("power", |side| side.total.power_text());
    if sides[0].joules_per_gigabyte.is_some() {
        row("energy of a gigabyte, J", |side| known(side.joules_per_gigabyte, 1));
    }
    row("cost", |side| side.total.cost_text());
    if let Some(over) = &sides[0].over_years {
        let energy_at = format!("energy of {} years at {} a kWh", over.years, over.energy_price);
        row(&energy_at, |side| {
            let cost = side.over_years.as_ref().and_then(|over| over.energy_cost);
            cost.map_or_else(|| "unknown".to_owned(), |cost| cost.to_hundredths().to_string())
        });
        row(&format!("cost over {} years", over.years), |side| {
            let over = side.over_years.as_ref();
            over.map_or_else(|| "unknown".to_owned(), |over| over.cost_text(&side.total))
        });
    }
}

/// How many times the other ways take what the splitter fabric takes.
fn ratios(ui: &mut Ui, of: &RatioReport) {
    let (ports_core, ports_chain) = (Some(of.ports_ip_multicast), Some(of.ports_peer_to_peer));
    for (name, core, chain) in [
        ("ports, times the splitter fabric", ports_core, ports_chain),
        ("power, times the splitter fabric", of.power_ip_multicast, of.power_peer_to_peer),
        ("cost, times the splitter fabric", of.cost_ip_multicast, of.cost_peer_to_peer),
    ] {
        cells(ui, name, ["1".to_owned(), known(core, 3), known(chain, 3)]);
    }
    let told =
        |bounds: Option<RatioBounds>| bounds.map_or_else(String::new, |bounds| bounds.text());
    let bounds = [of.cost_range_ip_multicast, of.cost_range_peer_to_peer].map(told);
    if bounds.iter().any(|bounds| !bounds.is_empty()) {
        let [core, chain] = bounds;
        cells(ui, "bounds, with one price for each part", [String::new(), core, chain]);
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
