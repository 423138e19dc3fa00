//! The list of commands: everything that can be done, found by typing.

use egui::{Context, Modal, ScrollArea, TextEdit};

use super::emit::Emit;
use crate::command::{CablingTable, Command, FabricLayout, HallColour, Selection, Way};
use crate::export::Export;
use crate::layers::{Layer, Shown};
use crate::panel::Panel;
use crate::state::State;

/// Most entries that are shown.
const MOST: usize = 14;

/// Draws the list of commands, if it is open.
pub fn palette(ctx: &Context, state: &State, emit: &mut Emit<'_>) {
    if !state.looks.palette {
        return;
    }
    let modal = Modal::new(egui::Id::unique("palette")).show(ctx, |ui| {
        ui.set_width(460.0);
        let id = egui::Id::unique("palette text");
        let (mut typed, mut chosen): (String, usize) =
            ui.data(|data| data.get_temp(id)).unwrap_or_default();
        let field = TextEdit::singleline(&mut typed)
            .hint_text(
                "A command, a ToR, a rack, a cable, port 7/0, 3->7, cassette:3, or break relay:8",
            )
            .desired_width(f32::INFINITY);
        let field = ui.add(field).accessible_name("Command");
        field.request_focus();
        if field.changed() {
            chosen = 0;
        }
        let found = found(state, typed.trim());
        let (up, down, enter) = ui.input(|input| {
            use egui::Key;
            (
                input.key_pressed(Key::ArrowUp),
                input.key_pressed(Key::ArrowDown),
                input.key_pressed(Key::Enter),
            )
        });
        chosen = (chosen + usize::from(down)).min(found.len().saturating_sub(1));
        chosen = chosen.saturating_sub(usize::from(up));
        let mut done = None;
        ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
            for (number, (name, command)) in found.iter().enumerate() {
                let clicked = ui.selectable_label(number == chosen, name).clicked();
                if clicked || (enter && number == chosen) {
                    done = Some(command.clone());
                }
            }
        });
        ui.data_mut(|data| data.insert_temp(id, (typed, chosen)));
        done
    });
    let close = modal.should_close() || modal.inner.is_some();
    if close {
        ctx.data_mut(|data| data.remove::<(String, usize)>(egui::Id::unique("palette text")));
        emit.emit(Command::Palette(false));
    }
    if let Some(command) = modal.inner {
        emit.emit(command);
    }
}

/// The commands whose names have all typed words, then what the typed text names.
fn found(state: &State, typed: &str) -> Vec<(String, Command)> {
    let words: Vec<String> = typed.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let has = |name: &str| {
        let name = name.to_lowercase();
        words.iter().all(|word| name.contains(word))
    };
    let mut found: Vec<_> = entries(state).into_iter().filter(|(name, _)| has(name)).collect();
    if let Some(part) = typed.strip_prefix("break ") {
        found.insert(0, (format!("Break {part}"), Command::Break(part.to_owned())));
    } else if let Some(name) = typed.strip_prefix("keep view ") {
        found.insert(0, (format!("Keep this view as {name}"), Command::SaveView(name.to_owned())));
    } else if let Some(entry) = super::twin_commands::typed(state, typed) {
        found.insert(0, entry);
    } else if !typed.is_empty() {
        let place = if is_name(typed) { 0 } else { found.len().min(MOST - 1) };
        found.insert(place, (format!("Find {typed}"), Command::Find(typed.to_owned())));
    }
    found.truncate(MOST);
    found
}

/// Whether a text looks like the name of a thing (`7`, `R1.05`, `3->7`, `port 7/0`) and not like words of commands.
fn is_name(typed: &str) -> bool {
    let name = typed.trim().strip_prefix("port ").unwrap_or(typed).trim();
    !name.contains(char::is_whitespace) && name.contains(|c: char| c.is_ascii_digit())
}

/// All commands that need nothing else to be said.
fn entries(state: &State) -> Vec<(String, Command)> {
    let mut entries: Vec<(String, Command)> = Vec::new();
    let mut add = |name: &str, command: Command| entries.push((name.to_owned(), command));
    add("New design", Command::New);
    add("Open…", Command::Open);
    add("Save", Command::Save);
    add("Save as…", Command::SaveAs);
    add("Read the files again", Command::ReadAgain);
    add("Undo", Command::Undo);
    add("Redo", Command::Redo);
    add("Recover from the failures", Command::Recover);
    add("Give up the repair", Command::Unrecover);
    add("Mend all", Command::MendAll);
    if let Some(phases) = state.work.now().repair {
        let last = state.answers.recover.last().map_or(0, |repair| repair.phases.len());
        add("Next phase of the rollout", Command::Phases(phases.min(last) + 1));
        add("Previous phase of the rollout", Command::Phases(phases.min(last).saturating_sub(1)));
    }
    if let Selection::Tor(tor) = state.selection {
        add(&format!("Break the transmitter of ToR {tor}"), Command::Break(format!("relay:{tor}")));
        add(&format!("Break ToR {tor}"), Command::Break(format!("tor:{tor}")));
    }
    add("Centre on the selection", Command::Centre);
    add("Select nothing", Command::Select(Selection::Nothing));
    add("Fabric: fit", Command::Fit(Panel::Fabric));
    add("Fabric: columns", Command::LayOut(FabricLayout::Columns));
    add("Fabric: cassettes", Command::LayOut(FabricLayout::Cassettes));
    add("Fabric: all fibres", Command::AllFibres(true));
    add("Fabric: only the tree", Command::AllFibres(false));
    add("Fabric: play the tree", Command::Animate(true));
    add("Fabric: stop the animation", Command::Animate(false));
    add("Hall: fit", Command::Fit(Panel::Hall));
    for (colour, name) in HallColour::ALL {
        let name = name.to_lowercase();
        add(&format!("Hall: colour by {name}"), Command::ColourBy(colour));
    }
    for (method, name) in super::failures::all_methods() {
        add(&format!("Recover by {name}"), Command::RecoverBy(method));
    }
    for layer in Layer::ALL {
        for (shown, verb) in Shown::ALL {
            add(&format!("{verb} {}", layer.name()), Command::SetLayer(layer, shown));
        }
        add(&format!("Only {}", layer.name()), Command::Isolate(Some(layer)));
    }
    add("All layers", Command::Isolate(None));
    for panel in [Panel::Fabric, Panel::Hall] {
        for (group, name) in super::layers::all_groups(panel, state) {
            add(&format!("Collapse {name}"), Command::Collapse(group));
            add(&format!("Expand {name}"), Command::Expand(group));
        }
    }
    add("Expand all", Command::ExpandAll);
    add("Search all designs", Command::Explore);
    add("Open a scenario…", Command::OpenScenario);
    add("Run the scenario", Command::Run);
    add("Stop the run", Command::Stop(Panel::Twin));
    add("Keep this run to compare", Command::KeepRun);
    add("Forget the kept run", Command::ForgetRun);
    for (name, command) in super::twin_commands::entries(state) {
        add(&name, command);
    }
    for export in Export::all() {
        add(&format!("Export {}…", export.name()), Command::Export(export));
    }
    add("Grow", Command::Grow);
    add("Shrink", Command::Shrink);
    add("Open a returned sheet…", Command::OpenReturned);
    add("Cabling: trunks", Command::CablingTable(CablingTable::Trunks));
    add("Cabling: cables to pull", Command::CablingTable(CablingTable::Pulls));
    add("Cabling: trays", Command::CablingTable(CablingTable::Trays));
    add("Cabling: to order", Command::CablingTable(CablingTable::Orders));
    add("Keep this view as…", Command::AskViewName(None));
    for name in state.named.names() {
        add(&format!("Go to the view {name}"), Command::GoToView(name.clone()));
        add(&format!("Rename the view {name}…"), Command::AskViewName(Some(name.clone())));
        add(&format!("Forget the view {name}"), Command::DeleteView(name.clone()));
    }
    add("Next panel", Command::NextPanel(Way::Forward));
    add("Previous panel", Command::NextPanel(Way::Back));
    add("Next tab", Command::NextTab(Way::Forward));
    add("Previous tab", Command::NextTab(Way::Back));
    add("Light theme", Command::Theme(egui::ThemePreference::Light));
    add("Dark theme", Command::Theme(egui::ThemePreference::Dark));
    add("Theme of the system", Command::Theme(egui::ThemePreference::System));
    add("Larger text", Command::Scale(state.looks.scale + 10));
    add("Smaller text", Command::Scale(state.looks.scale.saturating_sub(10)));
    add("Put the panels back", Command::ResetLayout);
    add("All panels", Command::Only(None));
    add("Quit", Command::Quit);
    for panel in Panel::ALL {
        add(&format!("Show {}", panel.title()), Command::Show(panel));
        add(&format!("Alone: {}", panel.title()), Command::Only(Some(panel)));
        add(&format!("Picture of {}…", panel.title()), Command::Export(Export::Picture(panel)));
        add(&format!("Picture of {} as SVG…", panel.title()), Command::Export(Export::Svg(panel)));
    }
    for part in &state.work.now().broken {
        add(&format!("Mend {part}"), Command::Mend(part.clone()));
    }
    entries
}
