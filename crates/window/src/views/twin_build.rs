//! The form that makes a scenario: each field with its help and its error, made from the declaration of scenarios.

use egui::{CollapsingHeader, ComboBox, RichText, ScrollArea, TextEdit, Ui};
use lightloom::scenario::{Field, Kind, ONE_OF};
use lightloom::{Error, InputError, ScenarioRow};

use super::emit::Emit;
use crate::command::Command;
use crate::state::State;
use crate::state::draft::{Draft, OfSection as _};
use crate::twin::{Build, Twin};

/// The sections that can be added.
pub const ADDED: [&str; 9] =
    ["flow", "traffic", "group", "multicast", "loss", "failure", "recovery", "admission", "probes"];

pub fn show(ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    ui.horizontal_wrapped(|ui| {
        let has_design = state.file.path().is_some();
        ui.add_enabled_ui(has_design, |ui| {
            build(ui, emit, "New for this design", Build::OfDesign);
        })
        .response
        .on_disabled_hover_text("Save the design first. A scenario names its file.");
        build(ui, emit, "New electrical network", Build::Electrical);
        for recent in &state.looks.recent_scenarios {
            let name = recent.file_name().unwrap_or_default().to_string_lossy();
            let link = ui.link(name).on_hover_text(recent.display().to_string());
            if link.clicked() {
                emit.emit(Command::ScenarioFile(recent.clone()));
            }
        }
    });
    let Some(draft) = &state.draft else {
        let sentence = "Make a scenario for the design that is open, or for an electrical network. \
                        Or open a file.";
        super::emit::empty(ui, sentence);
        return;
    };
    let error = wrong(ui, state, draft, emit);
    ui.separator();
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        for (number, row) in draft.rows.iter().enumerate() {
            section(ui, (number, row), error.as_ref(), emit);
        }
        ui.horizontal_wrapped(|ui| {
            ui.label("Add");
            for name in ADDED {
                build(ui, emit, name, Build::Add(name));
            }
        });
        CollapsingHeader::new("Text of the file").show(ui, |ui| {
            ui.monospace(draft.text().text);
        });
    });
}

fn build(ui: &mut Ui, emit: &mut Emit<'_>, text: &str, command: Build) {
    emit.button(ui, text, Command::Twin(Twin::Build(command)));
}

/// An error with the row and the field that it is about.
struct Wrong {
    row: usize,
    field: String,
    message: String,
}

/// Says whether the scenario can be run, and saves it.
fn wrong(ui: &mut Ui, state: &State, draft: &Draft, emit: &mut Emit<'_>) -> Option<Wrong> {
    let checked = &state.answers.checked;
    let mut found = None;
    ui.horizontal_wrapped(|ui| {
        build(ui, emit, "Save the scenario", Build::Save);
        let file = draft.file.as_ref().and_then(|file| file.file_name());
        let name = file.map_or("not saved yet".into(), |name| name.to_string_lossy());
        let changed = if draft.is_changed() { " (changed)" } else { "" };
        ui.weak(format!("{name}{changed}"));
        match (checked.refused(), checked.last()) {
            (Some(error), _) => {
                super::emit::refusal(ui, emit, error);
                if let Error::Input(error) = &**error {
                    found = place(error, draft);
                }
            }
            (None, Some(report)) if !checked.is_stale() => {
                let network = &report.network;
                ui.label(format!(
                    "{} hosts, {} switches, {} links, {} flows",
                    network.hosts, network.switches, network.links, report.flows
                ));
                for warning in &report.warnings {
                    ui.weak(warning);
                }
            }
            _ => {}
        }
    });
    found
}

/// The row and the field of an error, by its line.
fn place(error: &InputError, draft: &Draft) -> Option<Wrong> {
    let places = draft.text().places;
    let (row, on_line) = places.get(&error.line?)?.clone();
    let field = match &error.field {
        // It is named with its section, as in `network.rate`.
        Some(lightloom::Field::Named(name)) => {
            name.rsplit('.').next().unwrap_or_default().to_owned()
        }
        _ => on_line,
    };
    Some(Wrong { row, field, message: error.message.to_string() })
}

/// A row with its fields.
fn section(
    ui: &mut Ui,
    (number, row): (usize, &ScenarioRow),
    wrong: Option<&Wrong>,
    emit: &mut Emit<'_>,
) {
    let Some(declared) = row.declared() else { return };
    let wrong = wrong.filter(|wrong| wrong.row == number);
    let title = if declared.name.is_empty() { "scenario" } else { declared.name };
    ui.horizontal(|ui| {
        ui.strong(title).on_hover_text(declared.about);
        if !matches!(declared.name, "" | "network") {
            let button =
                ui.small_button("Remove").accessible_name(format!("Remove {title} {number}"));
            if button.clicked() {
                emit.emit(Command::Twin(Twin::Build(Build::Remove(number))));
            }
        }
    });
    let fields = row.fields();
    let is_known = |wrong: &Wrong| fields.iter().any(|field| field.name == wrong.field);
    if let Some(wrong) = wrong.filter(|wrong| !is_known(wrong)) {
        ui.colored_label(emit.colours.broken, format!("✖ {}", wrong.message));
    }
    ui.indent(("row", number), |ui| {
        let (given, rare): (Vec<&Field>, Vec<&Field>) = fields.iter().copied().partition(|field| {
            row.values.contains_key(field.name)
                || field.default.is_empty()
                || wrong.is_some_and(|wrong| wrong.field == field.name)
        });
        let of = |field: &Field| wrong.filter(|wrong| wrong.field == field.name);
        for field in given.into_iter().filter(|field| field.name != "version") {
            one(ui, (number, row), field, of(field), emit);
        }
        if !rare.is_empty() {
            CollapsingHeader::new(RichText::new("More").weak())
                .id_salt(("more", number))
                .show(ui, |ui| {
                    rare.into_iter().for_each(|field| one(ui, (number, row), field, None, emit))
                });
        }
    });
    ui.add_space(4.0);
}

/// A field: its name, its value, its help and its error.
fn one(
    ui: &mut Ui,
    (number, row): (usize, &ScenarioRow),
    field: &'static Field,
    wrong: Option<&Wrong>,
    emit: &mut Emit<'_>,
) {
    let shown = row.values.get(field.name).cloned().unwrap_or_default();
    let section = if row.section.is_empty() { "scenario" } else { &row.section };
    let name = format!("{section} {number} {}", field.name);
    ui.horizontal(|ui| {
        ui.add_sized([110.0, 18.0], egui::Label::new(RichText::new(field.name).monospace()));
        if let Kind::Word(words) = field.kind {
            let combo = ComboBox::from_id_salt(&name).selected_text(shown.as_str()).width(140.0);
            let combo = combo.show_ui(ui, |ui| {
                for word in words {
                    if ui.selectable_label(shown == **word, *word).clicked() {
                        change(number, field, (*word).to_owned(), emit);
                    }
                }
            });
            let _ = combo.response.accessible_name(name);
        } else if let Some(typed) = typed(ui, &name, &shown, field) {
            change(number, field, typed, emit);
        }
        ui.add(egui::Label::new(RichText::new(field.help).small().weak()).wrap());
    });
    if let Some(wrong) = wrong {
        ui.colored_label(emit.colours.broken, format!("✖ {}", wrong.message));
    }
}

fn change(row: usize, field: &'static Field, value: String, emit: &mut Emit<'_>) {
    emit.emit(Command::Twin(Twin::Build(Build::Change { row, field: field.name, value })));
}

/// What was typed into a field that was left.
fn typed(ui: &mut Ui, name: &str, shown: &str, field: &Field) -> Option<String> {
    let id = ui.scope_id().with(name);
    let mut text: String = ui.data(|data| data.get_temp(id)).unwrap_or_else(|| shown.to_owned());
    let hint = match field.default {
        "" | ONE_OF => match field.kind {
            Kind::Quantity(_, unit) => format!("1 {unit}"),
            _ => String::new(),
        },
        default => default.to_owned(),
    };
    let edit = TextEdit::singleline(&mut text).desired_width(140.0).hint_text(hint);
    let edit = ui.add(edit).accessible_name(name);
    if edit.has_focus() {
        ui.data_mut(|data| data.insert_temp(id, text));
        return None;
    }
    ui.data_mut(|data| data.remove::<String>(id));
    (edit.lost_focus() && text != shown).then_some(text)
}
