//! The menu above the panels, and the line of state below them.

use egui::Ui;

use super::emit::Emit;
use crate::command::{Command, Selection, Way};
use crate::export::Export;
use crate::panel::Panel;
use crate::place::Place;
use crate::state::State;

/// The menu.
pub fn menu(ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    egui::MenuBar::new().ui(ui, |ui| {
        ui.menu_button("File", |ui| {
            item(ui, emit, "New", Command::New);
            item(ui, emit, "Open…   Ctrl+O", Command::Open);
            ui.menu_button("Recent", |ui| {
                for recent in &state.looks.recent {
                    item(
                        ui,
                        emit,
                        &recent.display().to_string(),
                        Command::OpenFile(recent.clone()),
                    );
                }
            });
            ui.separator();
            item(ui, emit, "Read the files again   F5", Command::ReadAgain);
            item(ui, emit, "Save   Ctrl+S", Command::Save);
            item(ui, emit, "Save as…   Ctrl+Shift+S", Command::SaveAs);
            ui.menu_button("Export", |ui| {
                for export in Export::all() {
                    item(ui, emit, &format!("{}…", export.name()), Command::Export(export));
                }
            });
            ui.separator();
            item(ui, emit, "Quit   Ctrl+Q", Command::Quit);
        });
        ui.menu_button("Edit", |ui| {
            ui.add_enabled_ui(state.work.can_undo(), |ui| {
                item(ui, emit, "Undo   Ctrl+Z", Command::Undo);
            });
            ui.add_enabled_ui(state.work.can_redo(), |ui| {
                item(ui, emit, "Redo   Ctrl+Shift+Z", Command::Redo);
            });
            item(ui, emit, "Commands…   Ctrl+P", Command::Palette(true));
        });
        ui.menu_button("View", |ui| {
            for panel in Panel::ALL {
                item(ui, emit, panel.title(), Command::Show(panel));
            }
            ui.separator();
            item(ui, emit, "Light", Command::Theme(egui::ThemePreference::Light));
            item(ui, emit, "Dark", Command::Theme(egui::ThemePreference::Dark));
            item(ui, emit, "As the system", Command::Theme(egui::ThemePreference::System));
            ui.separator();
            item(ui, emit, "Larger   Ctrl++", Command::Scale(state.looks.scale + 10));
            let smaller = state.looks.scale.saturating_sub(10);
            item(ui, emit, "Smaller   Ctrl+-", Command::Scale(smaller));
            ui.separator();
            item(ui, emit, "Put the panels back", Command::ResetLayout);
            ui.separator();
            item(ui, emit, "Next panel   F6", Command::NextPanel(Way::Forward));
            item(ui, emit, "Next tab   Ctrl+Tab", Command::NextTab(Way::Forward));
        });
        ui.menu_button("Views", |ui| views(ui, state, emit));
        if state.difference.lines() > 0 {
            let (removed, added) = (state.difference.removed, state.difference.added);
            let text = format!("a save adds {added} and removes {removed} lines");
            emit.link(ui, &text, &Place::Panel(Panel::Text));
        }
        let changed = if state.is_changed() { " (changed)" } else { "" };
        let name = state.file.path().and_then(|path| path.file_name());
        let name = name.map_or("not saved yet".into(), |name| name.to_string_lossy());
        ui.weak(format!("{name}{changed}"));
    });
}

/// Named views: go to one, keep the present one, rename and forget.
fn views(ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    item(ui, emit, "Keep this view as…", Command::AskViewName(None));
    ui.separator();
    for name in state.named.names() {
        ui.menu_button(name, |ui| {
            item(ui, emit, "Go to it", Command::GoToView(name.clone()));
            item(ui, emit, "Replace it by this view", Command::SaveView(name.clone()));
            item(ui, emit, "Rename it…", Command::AskViewName(Some(name.clone())));
            item(ui, emit, "Forget it", Command::DeleteView(name.clone()));
        });
    }
}

fn item(ui: &mut Ui, emit: &mut Emit<'_>, text: &str, command: Command) {
    if ui.button(text).clicked() {
        emit.emit(command);
        ui.close();
    }
}

/// The line of state: the selection, and what happened last.
pub fn status(ui: &mut Ui, state: &State, emit: &mut Emit<'_>) {
    ui.horizontal(|ui| {
        let selected = match state.selection {
            Selection::Nothing => "nothing is selected".to_owned(),
            Selection::Tor(tor) => match state.project() {
                Some(project) if tor.index() < project.fabric().tors() => {
                    format!("ToR {tor} in {}", project.tor_name(tor))
                }
                _ => format!("ToR {tor}"),
            },
            Selection::Cassette(cassette) => format!("cassette {cassette}"),
            Selection::Port(tor, port) => format!("port {port} of ToR {tor}"),
            Selection::Fibre(from, to) => format!("fibre from ToR {from} to ToR {to}"),
        };
        ui.label(selected);
        if state.selection != Selection::Nothing {
            emit.button(ui, "Centre", Command::Centre);
        }
        ui.separator();
        let broken = state.work.now().broken.len();
        if broken > 0 {
            ui.colored_label(emit.colours.broken_text, format!("{broken} broken"));
        }
        // A run that waits moves nothing.
        if state.is_busy() && !state.answers.live.is_held() {
            ui.add(egui::Spinner::new().size(12.0));
        }
        if let Some(last) = state.log.last() {
            match &last.place {
                Some(place) => emit.link(ui, last, place),
                None => drop(ui.weak(&**last)),
            }
        }
    });
}
