//! The form of the scenario: each field with its help and its error, made from the declaration of scenarios.

use std::sync::Arc;

use egui::{CollapsingHeader, ComboBox, RichText, ScrollArea, TextEdit, Ui};
use lightloom::edit::ScenarioRow;
use lightloom::scenario::{Field, Kind, ONE_OF, SECTIONS};
use lightloom::{Error, InputError};

use super::emit::Emit;
use super::field::typed;
use crate::command::Command;
use crate::state::State;
use crate::state::draft::{Drafts, ON_PAGE};
use crate::twin::{Build, Twin};
use crate::words::Fields;

/// The sections that can be added to these rows.
pub fn added(rows: &[ScenarioRow]) -> impl Iterator<Item = &'static str> {
    let is_there = |name: &str| rows.iter().any(|row| row.section.name == name);
    let sections = SECTIONS.iter().filter(|section| !section.name.is_empty());
    sections
        .filter(move |section| section.is_list || !is_there(section.name))
        .map(|found| found.name)
}

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
    let Some(draft) = &state.work.now().scenario else {
        let sentence = "Make a scenario for the design that is open, or for an electrical network. \
                        Or open a file.";
        super::emit::empty(ui, sentence);
        return;
    };
    let error = wrong(ui, state, emit);
    pages(ui, &state.drafts, error.as_ref(), emit);
    ui.separator();
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let rows = &state.drafts.rows;
        let (page, _) = state.drafts.pages();
        for (number, row) in rows.iter().enumerate().skip(page * ON_PAGE).take(ON_PAGE) {
            section(ui, (number, row), error.as_ref(), emit);
        }
        ui.horizontal_wrapped(|ui| {
            ui.label("Add");
            for name in added(rows) {
                build(ui, emit, name, Build::Add(name));
            }
        });
        CollapsingHeader::new("Text of the file").show(ui, |ui| text(ui, &draft.text, emit));
    });
}

/// Turns the pages of a long scenario.
fn pages(ui: &mut Ui, drafts: &Drafts, wrong: Option<&Wrong>, emit: &mut Emit<'_>) {
    let (page, last) = drafts.pages();
    if last == 0 {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        let rows = drafts.rows.len();
        let (first, end) = (page * ON_PAGE + 1, rows.min((page + 1) * ON_PAGE));
        ui.label(format!("Parts {first} to {end} of {rows}"));
        ui.add_enabled_ui(page > 0, |ui| {
            build(ui, emit, "Earlier parts", Build::Page(page.saturating_sub(1)));
        });
        ui.add_enabled_ui(page < last, |ui| build(ui, emit, "Later parts", Build::Page(page + 1)));
        if let Some(there) = wrong.map(|wrong| wrong.row / ON_PAGE).filter(|there| *there != page) {
            build(ui, emit, "Go to the error", Build::Page(there));
        }
    });
}

/// The text of the file. It can be changed.
fn text(ui: &mut Ui, shown: &Arc<str>, emit: &mut Emit<'_>) {
    let elsewhere = "Change it with the form, or with an editor.";
    if super::long_text::show(ui, ("text of the scenario", elsewhere), shown, 400.0) {
        return;
    }
    let mut typed = shown.to_string();
    let field = TextEdit::multiline(&mut typed).code_editor().desired_width(f32::INFINITY);
    if ui.add(field).accessible_name("Text of the scenario").changed() {
        emit.emit(Command::Twin(Twin::Build(Build::Write(typed))));
    }
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
fn wrong(ui: &mut Ui, state: &State, emit: &mut Emit<'_>) -> Option<Wrong> {
    let checked = &state.answers.checked;
    let mut found = None;
    ui.horizontal_wrapped(|ui| {
        build(ui, emit, "Save the scenario", Build::Save);
        match (checked.refused(), checked.last()) {
            (Some(error), _) => {
                super::emit::refusal(ui, emit, error);
                if let Error::Input(error) = &**error {
                    found = place(error, &state.drafts);
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
fn place(error: &InputError, drafts: &Drafts) -> Option<Wrong> {
    let (row, on_line) = drafts.place(error.line?)?;
    let field = match &error.field {
        // It is named with its section, as in `network.rate`.
        Some(lightloom::Field::Named(name)) => name.rsplit('.').next().unwrap_or_default(),
        _ => on_line,
    };
    Some(Wrong { row, field: field.to_owned(), message: error.message.in_words(&Fields) })
}

/// A row with its fields.
fn section(
    ui: &mut Ui,
    (number, row): (usize, &ScenarioRow),
    wrong: Option<&Wrong>,
    emit: &mut Emit<'_>,
) {
    let wrong = wrong.filter(|wrong| wrong.row == number);
    let title = titled(row);
    ui.horizontal(|ui| {
        ui.strong(title).on_hover_text(row.section.about);
        if row.can_go() {
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
        ui.colored_label(emit.colours.broken_text, format!("✖ {}", wrong.message));
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
    let shown = row.values.get(field.name).map(|value| value.typed.clone()).unwrap_or_default();
    let name = format!("{} {number} {}", titled(row), field.name);
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
        } else if let Some(typed) = typed(ui, &name, &shown, &hint(field), 140.0) {
            change(number, field, typed, emit);
        }
        ui.add(egui::Label::new(RichText::new(field.help).small().weak()).wrap());
    });
    if let Some(wrong) = wrong {
        ui.colored_label(emit.colours.broken_text, format!("✖ {}", wrong.message));
    }
}

/// What an empty field shows: its default, or an example.
fn hint(field: &Field) -> String {
    match (field.default, field.kind) {
        ("" | ONE_OF, Kind::Quantity(_, unit)) => format!("1 {unit}"),
        ("" | ONE_OF, _) => String::new(),
        (default, _) => default.to_owned(),
    }
}

/// The name of a row.
fn titled(row: &ScenarioRow) -> &'static str {
    if row.section.name.is_empty() { "scenario" } else { row.section.name }
}

fn change(row: usize, field: &'static Field, value: String, emit: &mut Emit<'_>) {
    emit.emit(Command::Twin(Twin::Build(Build::Change { row, field: field.name, value })));
}
