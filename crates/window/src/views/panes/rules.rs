//! What the switch of the selected ToR is told, and the files that are exported.

use std::sync::Arc;

use egui::{CollapsingHeader, Label, RichText, ScrollArea, Ui};
use lightloom::TorId;
use lightloom::configs::ConfigsOptions;
use lightloom::configs::{ConfigFiles, Dialect, Encoding};
use lightloom::{Error, configs, to_json};

use crate::command::Command;
use crate::export::Export;
use crate::slot::HowFar;
use crate::state::State;
use crate::state::answers::Answers;
use crate::state::answers::Of;
use crate::state::asking::standing;
use crate::state::asks::{AnswerOf, Asks, Sight};
use crate::views::draws::Draws;
use crate::views::emit::{Emit, answered};

/// Longest text that is shown, in bytes. A longer one is exported and read elsewhere.
const LONGEST: usize = 200_000;

/// The panel.
pub struct Pane;

impl Asks for Pane {
    fn ask(&self, answers: &mut Answers, sight: &Sight<'_>) {
        let (dialect, encoding) = sight.looks.dialect;
        let project = sight.of.0.clone();
        answers.configs.ask((sight.of.clone(), dialect, encoding), &answers.wake, move |_| {
            let options = ConfigsOptions { dialect, encoding, ..Default::default() };
            configs::config_files(&project, &options).map(|(_, files)| files)
        });
    }

    fn answer(&self, of: &AnswerOf<'_>) -> Result<String, Error> {
        to_json(&standing(of.project, of.asked.around.as_ref())?.rules(of.asked.source()?)?)
    }
}

impl Draws for Pane {
    fn show(&self, ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
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
        let Some(files) = files(ui, state, emit) else { return };
        let Some(tor) = state.selection.source() else {
            crate::views::emit::empty(ui, "Select a ToR to see what its switch is told.");
            return;
        };
        ScrollArea::both().auto_shrink(false).show(ui, |ui| {
            changed(ui, state, tor);
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

    fn how_far(&self, state: &State) -> Option<HowFar> {
        state.answers.configs.how_far()
    }

    fn is_stale(&self, state: &State) -> bool {
        state.answers.configs.is_stale()
    }

    fn is_at_work(&self, state: &State) -> bool {
        self.how_far(state).is_some()
            || state.answers.recover.how_far().is_some()
            || state.cables.checks.repaired.how_far().is_some()
    }

    fn refusals<'a>(&self, state: &'a State) -> Vec<Option<&'a Arc<Error>>> {
        let looks = &state.looks;
        let is_now = |key: &(Of, _, _)| state.is_shown(&key.0) && (key.1, key.2) == looks.dialect;
        let repaired = state.repaired();
        vec![
            state.answers.lint.refused_of(|of| state.is_shown(of)),
            state.answers.configs.refused_of(is_now),
            state.cables.checks.repaired.refused_of(|key| Some(key) == repaired.as_ref()),
        ]
    }
}

/// The files that are shown, and whether they are those before or after the repair.
fn files<'a>(ui: &mut Ui, state: &'a State, emit: &mut Emit<'_>) -> Option<&'a Arc<ConfigFiles>> {
    let work = state.work.now();
    let repaired = &state.cables.checks.repaired;
    if let Some(key) = state.repaired() {
        if let Some(files) = repaired.answer(&key) {
            ui.strong(format!(
                "These are the rules after the repair of {} by {}.",
                work.broken.join(", "),
                work.method.name()
            ));
            ui.horizontal_wrapped(|ui| {
                ui.label("“Export all” writes the rules before the repair.");
                emit.button(
                    ui,
                    "Export the plan with the repair",
                    Command::Export(Export::Recovered),
                );
            });
            return Some(files);
        }
        if let Some(error) = repaired.refused() {
            crate::views::emit::refusal(ui, emit, error);
        }
    }
    if !work.broken.is_empty() && work.repair.is_some() {
        let text = "These are the rules before the repair. Those after it are shown here when the repair is rolled out \
                    to its last phase (panel Failures).";
        ui.colored_label(emit.colours.broken_text, text);
    }
    let sentence = "The rules of the switches appear here when the design can be opened.";
    answered(ui, emit, &state.answers.configs, sentence)
}

/// What the repair changes at this ToR.
fn changed(ui: &mut Ui, state: &State, tor: TorId) {
    let work = state.work.now();
    if work.repair.is_none() || work.broken.is_empty() {
        return;
    }
    let Some(repair) = state.answers.repair(&work.broken, work.method) else { return };
    match repair.changes.get(&tor) {
        None => ui.label(format!("The repair changes no rules of ToR {tor}.")),
        Some(change) => ui.label(format!(
            "The repair adds {} rules of ToR {tor} and deletes {}.",
            change.add.len(),
            change.delete.len()
        )),
    };
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
