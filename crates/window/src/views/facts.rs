//! What the design amounts to: facts about its fabric, and how its inventory was read.

use egui::{CollapsingHeader, Grid, Ui};
use lightloom::plan::{FabricFacts, InfoReport, LoadReport};

use crate::state::State;

/// The line above the settings.
pub fn line(ui: &mut Ui, state: &State) {
    let Some(info) = state.answers.info.last() else { return };
    let fabric = &info.fabric;
    ui.horizontal_wrapped(|ui| {
        ui.strong(format!("{} ToRs", fabric.tors));
        ui.label(format!(
            "{}, p = {}, {} cassettes, at most {} hops ({:.2} on average), {} fibres",
            fabric.family.name(),
            fabric.p,
            fabric.cassettes,
            fabric.max_hops,
            fabric.mean_hops,
            fabric.fibres,
        ));
    });
    if let Some(line) = info.failures_line() {
        ui.label(line);
    }
}

/// All facts, and how the inventory was read.
pub fn all(ui: &mut Ui, state: &State) {
    let Some(info) = state.answers.info.last() else { return };
    if let Some(inventory) = &info.inventory {
        let lines: Vec<_> = inventory.lines().collect();
        if !lines.is_empty() {
            let title = format!("How the inventory was read ({} notes)", lines.len());
            CollapsingHeader::new(title).id_salt("inventory").default_open(true).show(ui, |ui| {
                for line in lines {
                    ui.label(line);
                }
            });
        }
    }
    ui.collapsing("All facts, and the other family", |ui| {
        table(ui, info);
        if let Some(sources) = info.fabric.sampled_sources {
            ui.label(format!("Hops are measured from a seeded sample of {sources} sources."));
        }
        ui.label(format!("{}.", info.parallel_line()));
        if let Some(more) = &info.one_more_hop {
            let (load, hops) = (load(Some(&more.relay_load)), hops(more.max_hops, more.mean_hops));
            ui.label(format!("One more hop would buy: relay load {load}, hops {hops}."));
        }
        if let Some(doubled) = &info.doubled {
            ui.label(doubled.line());
        }
    });
}

/// The facts of the fabric, and of the other family for the same ToRs and splitter.
fn table(ui: &mut Ui, info: &InfoReport) {
    type Row = (&'static str, fn(&FabricFacts) -> String);
    const ROWS: &[Row] = &[
        ("family", |it| match it.k {
            Some(k) => format!("{}, p = {}, k = {k}", it.family.name(), it.p),
            None => format!("{}, p = {}", it.family.name(), it.p),
        }),
        ("ToRs", |it| it.tors.to_string()),
        ("cassettes", |it| it.cassettes.to_string()),
        ("router", |it| it.router.to_string()),
        ("relays a source", |it| it.relays_per_source.to_string()),
        ("rules a relay, at most", |it| known(it.rules_per_relay)),
        ("relay load, min / mean / max", |it| load(it.relay_load.as_ref())),
        ("hops, most / mean", |it| hops(it.max_hops, it.mean_hops)),
        ("hops, Moore bound", |it| it.moore_bound.to_string()),
        ("parallel sources, trees planned", |it| known(it.parallel_sources)),
        ("splitters", |it| it.splitters.to_string()),
        ("transceivers (ports)", |it| it.transceivers.to_string()),
        ("branch fibres", |it| it.fibres.to_string()),
    ];
    let fabrics: Vec<_> = std::iter::once(&info.fabric)
        .chain(&info.without_failures)
        .chain(&info.other_family)
        .collect();
    Grid::new("facts").striped(true).num_columns(fabrics.len() + 1).show(ui, |ui| {
        if info.without_failures.is_some() {
            ui.label("failures");
            ui.label("gone around");
            ui.label("none");
            ui.label(if info.other_family.is_some() { "none" } else { "" });
            ui.end_row();
        }
        for (title, value) in ROWS {
            ui.label(*title);
            for fabric in &fabrics {
                ui.label(value(fabric));
            }
            ui.end_row();
        }
    });
}

fn load(load: Option<&LoadReport>) -> String {
    known(load.map(|load| format!("{} / {:.0} / {}", load.min, load.mean, load.max)))
}

fn hops(most: u32, mean: f64) -> String {
    format!("{most} / {mean:.2}")
}

fn known(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "not computed at this size".to_owned(), |value| value.to_string())
}
