//! What the design amounts to: facts about its fabric, and how its inventory was read.

use egui::{CollapsingHeader, Ui};
use lightloom::shown::design::{facts, hops, load};

use super::shown::table;
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
        table(ui, "facts", &facts(info));
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
