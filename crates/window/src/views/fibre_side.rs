//! The route and the light of the selected fibre, beside the hall.

use egui::{Panel as Side, ScrollArea, Ui};
use lightloom::light::{CableHop, Hop, HopReport, ThingHop, TracedBranch};

use super::emit::Emit;
use super::panes::trace;
use super::waterfall;
use crate::command::Command;
use crate::panel::Panel;
use crate::state::State;

/// Draws the selected fibre at the right, if there is one.
pub fn show(ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    let Some(traced) = state.answers.traced_fibre(state.selection, state.looks.case) else {
        return;
    };
    let case = state.answers.trace.last().map_or(lightloom::light::Case::Worst, |trace| trace.case);
    Side::right("fibre").default_size(280.0).show(ui, |ui| {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.strong(waterfall::title(traced));
            route(ui, traced);
            emit.button(ui, "Trace as a table", Command::Show(Panel::Trace));
            ui.separator();
            waterfall::show(ui, case, &traced.elements, emit);
        });
    });
}

/// Labels, things, cables and trays, from the transmitter to the receiver.
fn route(ui: &mut Ui, traced: &TracedBranch) {
    for fibre in [&traced.feed, &traced.branch] {
        trace::labels(ui, fibre);
    }
    ui.separator();
    for hop in &traced.hops {
        ui.label(hop_text(hop));
    }
}

/// A hop in words.
fn hop_text(hop: &HopReport) -> String {
    let loss = hop.loss_db;
    match &hop.what {
        Hop::Thing(thing) => format!("{}, {loss:.2} dB", thing_text(thing)),
        Hop::Cable(cable) => format!("   {}, {loss:.2} dB", cable_text(cable)),
        Hop::Unplaced { label, parts } => {
            let parts: Vec<_> = parts.iter().map(|part| part.name()).collect();
            format!("   on {label}, without a place: {}, {loss:.2} dB", parts.join(", "))
        }
    }
}

fn thing_text(thing: &ThingHop) -> String {
    let ThingHop { kind, rack, unit, enters, leaves, .. } = thing;
    let tor = thing.tor.map_or_else(String::new, |tor| format!(" of ToR {tor}"));
    let slot = thing.slot.map_or_else(String::new, |slot| format!(", slot {slot}"));
    let ports: Vec<&str> = enters.iter().chain(leaves).map(String::as_str).collect();
    format!("{}{tor} in {rack}, unit {unit}{slot}: {}", kind.name(), ports.join(" to "))
}

fn cable_text(cable: &CableHop) -> String {
    let CableHop { kind, label, length_m, bends, trays, .. } = cable;
    let strand = cable.strand.map_or_else(String::new, |strand| format!(", fibre {strand}"));
    let trays: Vec<String> =
        trays.iter().map(|part| format!("{} {:.2} m", part.tray, part.length_m)).collect();
    let route = match &trays[..] {
        [] => "within the rack".to_owned(),
        _ => format!("{} ({bends} bends)", trays.join(", ")),
    };
    format!("{} {label}{strand}: {length_m:.2} m, {route}", kind.name())
}
