//! The list of commands: everything that can be done, found by typing.

use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{Align2, Button, Context, Key, Modal, ScrollArea, TextEdit, Ui, vec2};

use super::emit::{Emit, width_in_front};
use super::palette_entries::{Does, Entry, entries};
use super::{palette_typed, panes};
use crate::command::Command;
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
    let typed_id = egui::Id::unique("palette text");
    if !state.looks.palette {
        // It may have been closed by the keys that opened it.
        ctx.data_mut(|data| data.remove::<Typed>(typed_id));
        return;
    }
    let whole = ctx.content_rect().height();
    // Its upper edge stays where it is while lists of other lengths are typed.
    let above = 0.06 * whole;
    let id = egui::Id::unique("palette");
    let area = Modal::default_area(id).anchor(Align2::CENTER_TOP, vec2(0.0, above));
    let modal = Modal::new(id).area(area).show(ctx, |ui| {
        ui.set_width(width_in_front(ctx));
        let kept: Option<Typed> = ui.data(|data| data.get_temp(typed_id));
        let is_new = kept.is_none();
        let (mut typed, mut chosen) = kept.unwrap_or_default();
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
        // A list that was left further down starts again at its first row.
        let is_moved = is_new || field.changed() || chosen != before;
        let height = (whole - 2.0 * above - AROUND).max(64.0);
        let command = match rows(ui, &found, (chosen, is_moved), height) {
            Some(Does::Command(command)) => Some(command),
            Some(Does::Rows(panel, to)) => panes::of(panel).rows(state, to),
            Some(Does::Continue(begin)) => {
                (typed, chosen) = (begin, 0);
                end(ui, field.id, &typed);
                None
            }
            None => None,
        };
        ui.data_mut(|data| data.insert_temp(typed_id, (typed, chosen)));
        command
    });
    let close = modal.should_close() || modal.inner.is_some();
    if close {
        emit.emit(Command::Palette(false));
    }
    if let Some(command) = modal.inner {
        emit.emit(command);
    }
}

/// Puts the cursor behind what is typed.
fn end(ui: &Ui, field: egui::Id, typed: &str) {
    let mut state = TextEditState::load(ui, field).unwrap_or_default();
    let end = CCursor::new(typed.chars().count());
    state.cursor.set_char_range(Some(CCursorRange::one(end)));
    state.store(ui, field);
    // The field shows it in the next frame.
    ui.request_repaint();
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

/// Draws the rows, and how many more there are below. Returns what the row does that was clicked or entered.
fn rows(
    ui: &mut Ui,
    found: &[Entry],
    (chosen, is_moved): (usize, bool),
    height: f32,
) -> Option<Does> {
    let enter = ui.input(|input| input.key_pressed(Key::Enter));
    // Without a least height, a list that follows a short one would be as short.
    let area = ScrollArea::vertical().max_height(height).min_scrolled_height(height);
    let area = area.auto_shrink([false, true]).show(ui, |ui| {
        let (mut done, mut below) = (None, found.len().saturating_sub(MOST));
        for (number, (name, does)) in found.iter().take(MOST).enumerate() {
            let row = ui.add(Button::selectable(number == chosen, name).truncate());
            if number == chosen && is_moved {
                // The rows at the edges fade, so the next one is shown too.
                let beside = vec2(0.0, row.rect.height());
                ui.scroll_to_rect(row.rect.expand2(beside), None);
            }
            if row.clicked() || (enter && number == chosen) {
                done = Some(does.clone());
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

/// The commands that the list offers for a typed text: those whose names have all its words, those that it spells out,
/// and the search for a thing of this name.
pub fn found(state: &State, typed: &str) -> Vec<Entry> {
    let words: Vec<String> = typed.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let has = |name: &str| {
        let name = name.to_lowercase();
        words.iter().all(|word| name.contains(word))
    };
    let mut found: Vec<_> = entries(state).into_iter().filter(|(name, _)| has(name)).collect();
    // "grow" is the command of that name, and not the first one about growth.
    found.sort_by_key(|(name, _)| !name.eq_ignore_ascii_case(typed.trim()));
    if let Some((name, command)) = palette_typed::typed(state, typed) {
        let does = Does::Command(command);
        // A value of a setting has a row of its own.
        found.retain(|(_, other)| *other != does);
        found.insert(0, (name, does));
    } else if !typed.is_empty() {
        // A text that is surely a thing is that thing. Any other one comes after the commands that have it in their
        // names.
        let place = if is_thing(state, typed) { 0 } else { found.len().min(MOST - 1) };
        let find = Does::Command(Command::Find(typed.to_owned()));
        found.insert(place, (format!("Find {typed}"), find));
    }
    found
}

/// Whether a text names a ToR or a rack of the design, or is written as a port, a fibre, a cable or a cassette.
fn is_thing(state: &State, typed: &str) -> bool {
    let starts = ["port ", "port:", "cable:", "cassette:"];
    let is_written = typed.contains("->") || starts.iter().any(|start| typed.starts_with(start));
    is_written || state.project().is_some_and(|project| project.tor(typed).is_ok())
}
