//! The settings of the design, each with its unit, help and error, made from the declarations of all settings.

use std::sync::Arc;

use egui::{CollapsingHeader, ComboBox, RichText, ScrollArea, TextEdit, Ui};
use lightloom::{Error, Field, InputError, Key, Takes, Value, setting, to_json};

use crate::command::Command;
use crate::panel::Panel;
use crate::slot::HowFar;
use crate::state::State;
use crate::state::asking::standing;
use crate::state::asks::{AnswerOf, Asks};
use crate::views::draws::Draws;
use crate::views::emit::Emit;
use crate::views::facts;
use crate::words::{self, Fields};

/// The panel.
pub struct Pane;

impl Asks for Pane {
    fn answer(&self, of: &AnswerOf<'_>) -> Result<String, Error> {
        to_json(&standing(of.project, of.asked.around.as_ref())?.info(of.watch)?)
    }
}

impl Draws for Pane {
    fn show(&self, ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
        if state.file.is_plan() {
            ui.label("This is a plan that was read back. Open its design file to change it.");
            facts::line(ui, state);
            facts::all(ui, state);
            return;
        }
        let refused = state.answers.opened.refused().map(AsRef::as_ref);
        let input = match refused {
            Some(Error::Input(error)) => Some(error),
            _ => None,
        };
        facts::line(ui, state);
        if let Some(error) = refused {
            ui.colored_label(emit.colours.broken_text, format!("✖ {}", words::text_of(error)));
            ui.weak("The drawings show the last design that could be opened.");
        }
        let Some(given) = state.given.values() else {
            ui.label("The text is no design. Correct it in the panel Text.");
            return;
        };
        let filter = state.looks.filter(Panel::Design).to_lowercase();
        let mut typed = state.looks.filter(Panel::Design).to_owned();
        let search = TextEdit::singleline(&mut typed).hint_text("Find a setting");
        let search = ui.add(search.desired_width(f32::INFINITY));
        if search.accessible_name("Find a setting").changed() {
            emit.emit(Command::Filter(Panel::Design, typed));
        }
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            if filter.is_empty() {
                facts::all(ui, state);
            }
            for (section, about) in setting::sections() {
                let all = setting::all();
                let keys: Vec<&Key> = all
                    .iter()
                    .filter(|key| key.section() == section && matches(key, &filter))
                    .collect();
                if keys.is_empty() {
                    continue;
                }
                let wrong = keys.iter().any(|key| error_of(input, key).is_some());
                let is_open = section == "fabric" || wrong || !filter.is_empty();
                CollapsingHeader::new(RichText::new(section).strong())
                    .id_salt(section)
                    .default_open(is_open)
                    .open(if wrong || !filter.is_empty() { Some(true) } else { None })
                    .show(ui, |ui| {
                        ui.weak(about.trim());
                        for key in keys {
                            one(ui, key, given.get(key.name), error_of(input, key), emit);
                        }
                    });
            }
        });
    }

    fn how_far(&self, state: &State) -> Option<HowFar> {
        state.answers.opened.how_far().or(state.answers.info.how_far())
    }

    fn is_stale(&self, state: &State) -> bool {
        state.answers.info.is_stale()
    }

    fn refusals<'a>(&self, state: &'a State) -> Vec<Option<&'a Arc<Error>>> {
        let answers = &state.answers;
        vec![answers.opened.refused(), answers.info.refused_of(|(of, _)| state.is_shown(of))]
    }

    fn filter(&self) -> Option<&'static str> {
        Some("filter design")
    }
}

fn matches(key: &Key, filter: &str) -> bool {
    filter.is_empty() || key.name.contains(filter) || key.help.to_lowercase().contains(filter)
}

/// The message about a setting, if the design was refused for it.
fn error_of<'a>(error: Option<&'a InputError>, key: &Key) -> Option<&'a InputError> {
    let error = error?;
    std::iter::once(error).chain(&error.others).find(|error| match &error.field {
        Some(Field::Setting(found)) => **found == *key,
        _ => false,
    })
}

/// One setting: its name and unit, the value, help and error.
fn one(
    ui: &mut Ui,
    key: &Key,
    value: Option<&Value>,
    error: Option<&InputError>,
    emit: &mut Emit<'_>,
) {
    let name = RichText::new(key.field()).monospace();
    let name = if value.is_some() { name.strong() } else { name };
    ui.label(name);
    ui.horizontal(|ui| {
        edit(ui, key, value, emit);
        if value.is_some() {
            let back = ui.small_button("↺").on_hover_text("Take the default");
            if back.accessible_name(format!("Default of {}", key.name)).clicked() {
                emit.emit(Command::Change { setting: key.name, value: None });
            }
        }
    });
    ui.add(egui::Label::new(RichText::new(key.help).small().weak()).wrap());
    if let Some(error) = error {
        ui.colored_label(
            emit.colours.broken_text,
            format!("✖ {}", error.message.in_words(&Fields)),
        );
    }
    ui.add_space(4.0);
}

/// The field for a value.
fn edit(ui: &mut Ui, key: &Key, value: Option<&Value>, emit: &mut Emit<'_>) {
    let shown = value.map_or(String::new(), |value| plain(key, value));
    if let Takes::Choice(choices) = key.takes {
        let selected = if shown.is_empty() { default_of(key) } else { shown.clone() };
        let combo = ComboBox::from_id_salt(key.name)
            .selected_text(selected)
            .width(150.0_f32.min(ui.available_width() - 50.0));
        let combo = combo.show_ui(ui, |ui| {
            for (word, about) in choices() {
                if ui.selectable_label(shown == word, word).on_hover_text(about).clicked() {
                    let value = Some(word.to_owned());
                    emit.emit(Command::Change { setting: key.name, value });
                }
            }
        });
        combo.response.accessible_name(key.name);
        return;
    }
    // A draft is what is typed over a value. When the value changes otherwise, the draft is void.
    let id = ui.make_persistent_id(key.name);
    let draft: Option<(String, String)> = ui.data(|data| data.get_temp(id));
    let draft = draft.filter(|(over, _)| *over == shown).map(|(_, typed)| typed);
    let mut typed = draft.unwrap_or_else(|| shown.clone());
    let width = (ui.available_width() - 80.0).clamp(80.0, 220.0);
    let field = match key.takes {
        // These texts may have commas in them, so each has a line of its own.
        Takes::Texts { commas: false } => TextEdit::multiline(&mut typed).desired_rows(1),
        _ => TextEdit::singleline(&mut typed),
    };
    let field = field.id(id).hint_text(default_of(key));
    let response = ui.add(field.desired_width(width)).accessible_name(key.name);
    if let Some(unit) = key.takes.unit() {
        ui.weak(unit);
    }
    if response.changed() {
        ui.data_mut(|data| data.insert_temp(id, (shown.clone(), typed.clone())));
    }
    let is_complete = response.lost_focus() || (response.changed() && is_whole(key));
    if is_complete {
        ui.data_mut(|data| data.remove::<(String, String)>(id));
    }
    if is_complete && typed != shown {
        let value = Some(typed).filter(|typed| !typed.trim().is_empty());
        emit.emit(Command::Change { setting: key.name, value });
    }
}

/// Whether each keystroke is a value of its own. Texts are taken when they are complete.
fn is_whole(key: &Key) -> bool {
    matches!(key.takes, Takes::Whole { .. })
}

/// The default, for an empty field.
fn default_of(key: &Key) -> String {
    match key.default {
        lightloom::key::Default::Value(written) => plain(key, &written.into()),
        lightloom::key::Default::Depends(about, _) => about.to_owned(),
    }
}

/// A value as a user types it.
fn plain(key: &Key, value: &Value) -> String {
    match value {
        Value::Integer(number) => number.to_string(),
        Value::Text(text) => text.clone(),
        Value::List(list) => match key.takes {
            Takes::Texts { commas: false } => list.join("\n"),
            _ => list.join(", "),
        },
    }
}
