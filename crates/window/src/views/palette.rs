//! The list of commands: everything that can be done, found by typing.

use egui::{Align2, Button, Context, Key, Modal, ScrollArea, TextEdit, Ui, vec2};

use super::emit::Emit;
use crate::command::{CablingTable, Command, FabricLayout, HallColour, Selection, Way};
use crate::export::Export;
use crate::layers::{Layer, Shown};
use crate::panel::Panel;
use crate::state::State;

/// Most entries that are drawn. Whoever looks for another one types more of its name.
const MOST: usize = 200;
/// Rows that `PageUp` and `PageDown` go by.
const PAGE: usize = 10;
/// Height of all but the rows, in points: margins, the field, and the line below the rows.
const AROUND: f32 = 90.0;

/// What was typed, and the chosen row.
type Typed = (String, usize);

/// Draws the list of commands, if it is open.
pub fn palette(ctx: &Context, state: &State, emit: &mut Emit<'_>) {
    if !state.looks.palette {
        return;
    }
    let whole = ctx.content_rect().height();
    // Its upper edge stays where it is while lists of other lengths are typed.
    let above = 0.06 * whole;
    let id = egui::Id::unique("palette");
    let area = Modal::default_area(id).anchor(Align2::CENTER_TOP, vec2(0.0, above));
    let modal = Modal::new(id).area(area).show(ctx, |ui| {
        ui.set_width(460.0);
        let id = egui::Id::unique("palette text");
        let (mut typed, mut chosen): Typed = ui.data(|data| data.get_temp(id)).unwrap_or_default();
        let field = TextEdit::singleline(&mut typed)
            .hint_text(
                "A command, a ToR, a rack, a cable, port 7/0, 3->7, cassette:3, or break relay:8",
            )
            .desired_width(f32::INFINITY);
        let field = ui.add(field).accessible_name("Command");
        field.request_focus();
        let found = found(state, typed.trim());
        let before = chosen;
        chosen = if field.changed() { 0 } else { moved(ui, before, found.len().min(MOST)) };
        let is_moved = field.changed() || chosen != before;
        let height = (whole - 2.0 * above - AROUND).max(64.0);
        let done = rows(ui, &found, (chosen, is_moved), height);
        ui.data_mut(|data| data.insert_temp(id, (typed, chosen)));
        done
    });
    let close = modal.should_close() || modal.inner.is_some();
    if close {
        ctx.data_mut(|data| data.remove::<Typed>(egui::Id::unique("palette text")));
        emit.emit(Command::Palette(false));
    }
    if let Some(command) = modal.inner {
        emit.emit(command);
    }
}

/// The chosen row after the keys of this frame.
fn moved(ui: &Ui, before: usize, rows: usize) -> usize {
    ui.input(|input| {
        let times = |key| input.num_presses(key);
        let onward = times(Key::ArrowDown) + PAGE * times(Key::PageDown);
        let back = times(Key::ArrowUp) + PAGE * times(Key::PageUp);
        (before + onward).min(rows.saturating_sub(1)).saturating_sub(back)
    })
}

/// Draws the rows, and how many more there are below. Returns the command of the row that was clicked or entered.
fn rows(
    ui: &mut Ui,
    found: &[(String, Command)],
    (chosen, is_moved): (usize, bool),
    height: f32,
) -> Option<Command> {
    let enter = ui.input(|input| input.key_pressed(Key::Enter));
    // Without a least height, a list that follows a short one would be as short.
    let area = ScrollArea::vertical().max_height(height).min_scrolled_height(height);
    let area = area.auto_shrink([false, true]).show(ui, |ui| {
        let (mut done, mut below) = (None, found.len().saturating_sub(MOST));
        for (number, (name, command)) in found.iter().take(MOST).enumerate() {
            let row = ui.add(Button::selectable(number == chosen, name).truncate());
            if number == chosen && is_moved {
                row.scroll_to_me(None);
            }
            if row.clicked() || (enter && number == chosen) {
                done = Some(command.clone());
            }
            below += usize::from(row.rect.center().y > ui.clip_rect().bottom());
        }
        (done, below)
    });
    let (done, below) = area.inner;
    if below > 0 {
        ui.weak(format!("… and {below} more"));
    }
    done
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
