//! The list of commands: how it is shown, and that it reaches all that a user can do.

use egui::accesskit::Toggled;
use egui::{Key, Modifiers, Rect, Theme};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lightloom_window::command::Command;
use lightloom_window::panel::Panel;
use lightloom_window::state::unsaved::Unsaved;

use crate::drive::Driven;

/// A window of this size with the list of commands over an empty panel.
fn with_palette(size: [f32; 2]) -> Driven {
    let mut window = Driven::sized(Unsaved::default(), Theme::Light, size);
    window.apply(Command::Only(Some(Panel::Log)));
    window.apply(Command::Palette(true));
    window
}

/// Types into the list of commands in place of what was typed before.
fn typed(window: &mut Driven, text: &str) {
    window.harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.harness.key_press(Key::Delete);
    window.harness.step();
    window.harness.get_by_label("Command").type_text(text);
    window.settle();
}

fn press(window: &mut Driven, key: Key, times: usize) {
    for _ in 0..times {
        window.harness.key_press(key);
        window.harness.step();
    }
    window.settle();
}

/// The chosen row: its name and its place.
fn chosen(window: &Driven) -> (String, Rect) {
    let row = window.harness.get_by(|node| node.toggled() == Some(Toggled::True));
    (row.accesskit_node().label().unwrap_or_default(), row.rect())
}

/// The place between the field and the last line.
fn room(window: &Driven) -> (f32, f32) {
    let field = window.harness.get_by_label("Command").rect();
    let last = window.harness.get_by_label_contains("… and ").rect();
    (field.bottom(), last.top())
}

#[test]
fn the_list_uses_the_height_there_is_and_says_how_many_more_there_are() {
    let mut window = with_palette([1280.0, 860.0]);
    // A short list must not make the next one short.
    typed(&mut window, "show money");
    assert!(!window.has("… and "));
    typed(&mut window, "");
    let (top, bottom) = room(&window);
    let height = window.harness.get_by_label("Save").rect().height();
    assert!(bottom - top > 15.0 * height, "{top} to {bottom}, rows of {height}");
    assert!(bottom < 860.0);
    // Large text in the same window.
    window.apply(Command::Scale(300));
    let (top, bottom) = room(&window);
    assert!(bottom - top > 3.0 * height && bottom < 860.0 / 3.0, "{top} to {bottom}");
}

#[test]
fn the_chosen_row_is_in_sight() {
    let mut window = with_palette([1280.0, 860.0]);
    let in_sight = |window: &Driven| {
        let ((top, bottom), (name, row)) = (room(window), chosen(window));
        assert!(top <= row.top() && row.bottom() <= bottom, "{name}: {row}, {top} to {bottom}");
        name
    };
    let first = in_sight(&window);
    press(&mut window, Key::ArrowDown, 60);
    assert_ne!(in_sight(&window), first);
    press(&mut window, Key::ArrowUp, 45);
    in_sight(&window);
    press(&mut window, Key::PageDown, 3);
    in_sight(&window);
    press(&mut window, Key::PageUp, 9);
    assert_eq!(in_sight(&window), first);
    // What is typed starts a new list, at its begin.
    press(&mut window, Key::ArrowDown, 60);
    typed(&mut window, "e");
    in_sight(&window);
    // The rows at the end can be chosen too. The last one looks for a thing of this name.
    typed(&mut window, "alone");
    press(&mut window, Key::ArrowDown, 60);
    press(&mut window, Key::ArrowUp, 1);
    let (name, _) = chosen(&window);
    press(&mut window, Key::Enter, 1);
    let panel = window.window().state.looks.only.map(Panel::title);
    assert_eq!(name, format!("Alone: {}", panel.unwrap_or_default()));
}
