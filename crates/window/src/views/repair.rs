//! A repair: what it restores, what it does not, and its rollout, phase by phase.

use std::collections::BTreeMap;

use egui::Ui;
use lightloom::TorId;
use lightloom::failures::{CascadeReport, Phase, RecoverReport};
use lightloom::shown::failures::fault_signalling;

use super::emit::Emit;
use super::shown::table;
use crate::command::{Command, Selection};

/// The most lines of a list. The exported answer has all.
const MOST: usize = 12;

/// The repair and its phases.
pub fn show(ui: &mut Ui, repair: &RecoverReport, phases: usize, emit: &mut Emit<'_>) {
    outcome(ui, repair, emit);
    let figures = repair.figures();
    ui.label(format!(
        "{} rules to add, {} to delete, on {} ToRs; at most {} hops; {} parallel sources left",
        figures.rules_to_add,
        figures.rules_to_delete,
        repair.changes.len(),
        figures.max_hops,
        figures.parallel_sources,
    ));
    rollout(ui, repair, phases, emit);
    if let Some(warning) = repair.way_back() {
        ui.label(format!("⚠ {warning}"));
    }
    ui.collapsing("Changed rules", |ui| {
        for (tor, change) in &repair.changes {
            let add = format!("+ {}", listed(&change.add));
            let delete = format!("- {}", listed(&change.delete));
            ui.label(format!("ToR {tor}: {add} {delete}"));
        }
    });
}

/// What is restored, who is not, and who sends through whom.
fn outcome(ui: &mut Ui, repair: &RecoverReport, emit: &mut Emit<'_>) {
    let text = sentence(&repair.outcome());
    if repair.restored {
        ui.strong(text);
    } else {
        ui.colored_label(emit.colours.broken_text, text);
    }
    if let Some(fault) = &repair.fault {
        ui.colored_label(emit.colours.broken_text, format!("✖ The result is not safe: {fault}."));
    }
    if !repair.not_counted.is_empty() {
        let text = format!("Given up as sources: {}.", listed(&repair.not_counted));
        ui.colored_label(emit.colours.broken_text, text);
    }
    if !repair.unreachable.is_empty() {
        let text = format!("{} sources do not reach all ToRs:", repair.unreachable.len());
        ui.colored_label(emit.colours.broken_text, text);
    }
    list(ui, repair.unreachable.len(), repair.unreachable.iter(), |ui, (&source, tors)| {
        let text = format!("Source {source} cannot reach {}.", listed(tors));
        if ui.link(text).clicked() {
            emit.emit(Command::Select(Selection::Tor(source)));
        }
    });
    list(ui, repair.via.len(), repair.via.iter(), |ui, (&source, via)| {
        let text = format!("Source {source} unicasts to ToR {via}, which transmits first.");
        if ui.link(text).clicked() {
            emit.emit(Command::Select(Selection::Tor(source)));
        }
    });
    list(ui, repair.accept.len(), repair.accept.iter(), |ui, (tor, only)| {
        ui.label(format!("ToR {tor} filters {}", filters(only)));
    });
    if !repair.restricted.is_empty() {
        ui.label(format!(
            "{} moved sources had no free choice of relay: {}.",
            repair.restricted.len(),
            listed(&repair.restricted)
        ));
    }
    if let Some((cascade, compared)) =
        repair.fault_signalling.as_ref().zip(fault_signalling(repair))
    {
        silenced(ui, cascade);
        table(ui, "fault signalling", &compared);
    }
}

/// The ToRs that link fault signalling silences, by cause.
pub fn silenced<T>(ui: &mut Ui, cascade: &CascadeReport<T>) {
    if cascade.silenced.is_empty() {
        ui.label("Link fault signalling is on. It silences no ToR.");
        return;
    }
    ui.label("Link fault signalling is on. It silences further ToRs:");
    for (why, tors) in cascade.by_cause() {
        ui.label(format!("{why}: {}", listed(&tors)));
    }
}

/// The phases, and how many of them are done.
fn rollout(ui: &mut Ui, repair: &RecoverReport, phases: usize, emit: &mut Emit<'_>) {
    let done = phases.min(repair.phases.len());
    ui.horizontal_wrapped(|ui| {
        ui.add_enabled_ui(done > 0, |ui| {
            emit.button(ui, "◀ Phase back", Command::Phases(done.saturating_sub(1)));
        });
        ui.add_enabled_ui(done < repair.phases.len(), |ui| {
            emit.button(ui, "Next phase ▶", Command::Phases(done + 1));
        });
        emit.button(ui, "Give up the repair", Command::Unrecover);
    });
    for (number, phase) in repair.phases.iter().enumerate() {
        let sign = if number < done { "✔" } else { "…" };
        let text = format!("{sign} {}", phase_text(phase));
        let phase = egui::Button::selectable(number + 1 == done, text).wrap();
        if ui.add(phase).clicked() {
            emit.emit(Command::Phases(number + 1));
        }
    }
}

/// The first rows of a list, and how many more there are.
fn list<T>(
    ui: &mut Ui,
    rows: usize,
    all: impl Iterator<Item = T>,
    mut show: impl FnMut(&mut Ui, T),
) {
    for row in all.take(MOST) {
        show(ui, row);
    }
    if rows > MOST {
        ui.weak(format!("{} more are in the exported answer.", rows - MOST));
    }
}

/// A clause as a sentence.
fn sentence(clause: &str) -> String {
    let mut letters = clause.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", letters.as_str())
}

/// What a phase does.
fn phase_text(phase: &Phase) -> String {
    let rules =
        |rules: &BTreeMap<TorId, Vec<TorId>>| -> usize { rules.values().map(Vec::len).sum() };
    match phase {
        Phase::Delete { rules: of } => format!("delete {} rules on {} ToRs", rules(of), of.len()),
        Phase::Barrier => "wait until every switch has confirmed".to_owned(),
        Phase::Drain { time } => format!("wait {time} until the last packet has arrived"),
        Phase::Accept { only } => format!("set filters on {} ToRs", only.len()),
        Phase::Add { rules: of } => format!("add {} rules on {} ToRs", rules(of), of.len()),
    }
}

fn filters(only: &BTreeMap<TorId, TorId>) -> String {
    let each = only.iter().map(|(source, from)| format!("source {source} from {from} only"));
    each.collect::<Vec<_>>().join(", ")
}

/// ToRs as text, the first of many.
pub fn listed(tors: &[TorId]) -> String {
    let mut text = tors.iter().take(MOST).map(ToString::to_string).collect::<Vec<_>>().join(", ");
    if tors.len() > MOST {
        text += &format!(" and {} more", tors.len() - MOST);
    }
    text
}
