//! What the switch of the selected ToR is told, and the files that are exported.

use egui::{CollapsingHeader, Label, RichText, ScrollArea, Ui};
use lightloom::{Dialect, Encoding};

use super::emit::{Emit, answered};
use crate::command::Command;
use crate::export::Export;
use crate::state::State;

/// Longest text that is shown, in bytes. A longer one is exported and read elsewhere.
const LONGEST: usize = 200_000;

pub fn show(ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    let (dialect, encoding) = state.looks.dialect;
    ui.horizontal_wrapped(|ui| {
        for &word in &Dialect::names() {
            let Some(found) = Dialect::named(word) else { continue };
            let chosen = dialect.unwrap_or(Dialect::Openflow) == found;
            if ui.selectable_label(chosen, word).clicked() {
                emit.emit(Command::ShowDialect(found));
            }
        }
        ui.separator();
        for &word in &Encoding::names() {
            let Some(found) = Encoding::named(word) else { continue };
            let chosen = encoding.unwrap_or(Encoding::Masked) == found;
            if ui.selectable_label(chosen, word).clicked() {
                emit.emit(Command::ShowEncoding(found));
            }
        }
        ui.separator();
        emit.button(ui, "Export all", Command::Export(Export::Configs));
        emit.button(ui, "Export the plan", Command::Export(Export::Plan));
    });
    let sentence = "The rules of the switches appear here when the design can be opened.";
    let Some(files) = answered(ui, emit, &state.answers.configs, sentence) else { return };
    let Some(tor) = state.selection.source() else {
        super::emit::empty(ui, "Select a ToR to see what its switch is told.");
        return;
    };
    ScrollArea::both().auto_shrink(false).show(ui, |ui| {
        let mut found = 0;
        for (name, bytes) in files.iter().filter(|(name, _)| is_of(name, tor.0)) {
            CollapsingHeader::new(name).default_open(found == 0).show(ui, |ui| text(ui, bytes));
            found += 1;
        }
        if found == 0 {
            ui.label(format!("There are no files for ToR {tor}."));
        }
    });
}

/// The begin of a file, and how much is left out.
fn text(ui: &mut Ui, bytes: &[u8]) {
    let shown = &bytes[..bytes.len().min(LONGEST)];
    let lines = RichText::new(String::from_utf8_lossy(shown)).monospace();
    // A rule is a line.
    ui.add(Label::new(lines).extend());
    if shown.len() < bytes.len() {
        ui.weak(format!("{} more bytes are in the exported file.", bytes.len() - shown.len()));
    }
}

/// Whether a file is that of a ToR: its name starts with `tor-` and the number, with zeros before it.
fn is_of(name: &str, tor: u32) -> bool {
    let digits = name
        .strip_prefix("tor-")
        .map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default());
    digits.and_then(|digits| digits.parse().ok()) == Some(tor)
}
