//! The list of commands: how it is shown, what is typed there, and in which order it answers.

use egui::accesskit::Toggled;
use egui::{Key, Modifiers, Rect, Theme};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lightloom::TorId;
use lightloom::configs::{Dialect, Encoding};
use lightloom::light::Case;
use lightloom_window::command::{Command, Selection};
use lightloom_window::panel::Panel;
use lightloom_window::state::unsaved::Unsaved;
use lightloom_window::views::{Does, found};

use crate::drive::{Driven, example};

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
    // A list that is opened again starts at its begin.
    press(&mut window, Key::ArrowDown, 60);
    press(&mut window, Key::Escape, 1);
    window.apply(Command::Palette(true));
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

/// Opens the list of commands, types, and enters the first row.
fn enter(window: &mut Driven, text: &str) {
    window.harness.key_press_modifiers(Modifiers::COMMAND, Key::P);
    window.settle();
    window.type_into("Command", text);
}

#[test]
fn commands_with_something_typed_do_what_panels_do() {
    let mut window = Driven::new();
    enter(&mut window, "set fabric.tors 60");
    assert!(window.text().contains("tors = 60"));
    enter(&mut window, "take the default of fabric.tors");
    assert!(!window.text().contains("tors"));
    enter(&mut window, "set fabric.family kautz");
    assert!(window.text().contains("family = \"kautz\""));
    window.apply(Command::Select(Selection::Tor(TorId(3))));
    enter(&mut window, "hop 1");
    assert_eq!(window.window().state.looks.fabric.hop, Some(1));
    enter(&mut window, "next hop");
    assert_eq!(window.window().state.looks.fabric.hop, Some(2));
    enter(&mut window, "all hops");
    assert_eq!(window.window().state.looks.fabric.hop, None);
    enter(&mut window, "light: typical");
    assert_eq!(window.window().state.looks.case, Some(Case::Typical));
    enter(&mut window, "rules dialect p4runtime");
    assert_eq!(window.window().state.looks.dialect.0, Dialect::named("p4runtime"));
    enter(&mut window, "rules encoding exact");
    assert_eq!(window.window().state.looks.dialect.1, Encoding::named("exact"));
    enter(&mut window, "site Berlin");
    enter(&mut window, "growth tors 72");
    let state = &window.window().state;
    assert_eq!((&*state.looks.exports.site, &*state.growth.fields.tors), ("Berlin", "72"));
    enter(&mut window, "size 120");
    assert_eq!(window.window().state.looks.scale, 120);
}

#[test]
fn tables_are_filtered_sorted_copied_and_written() {
    let mut window = Driven::new();
    enter(&mut window, "show light");
    enter(&mut window, "filter light pass");
    enter(&mut window, "light sort by margin descending");
    let looks = &window.window().state.looks;
    assert_eq!(looks.filter(Panel::Light), "pass");
    assert!(looks.sorted[&Panel::Light].descending);
    let of_button = |window: &mut Driven, name: &str| {
        window.harness.get_by_label(name).click();
        window.harness.step();
        window.window().state.exporting.rows().map(|(_, text)| text.to_owned())
    };
    let wanted = of_button(&mut window, "Export the rows");
    window.apply(Command::Dismiss);
    enter(&mut window, "light: export the rows");
    let state = &window.window().state;
    assert!(wanted.is_some());
    assert_eq!(state.exporting.rows().map(|(_, text)| text.to_owned()), wanted);
    assert!(window.has("Export the rows of Light as CSV"));
    window.apply(Command::Dismiss);
    window.harness.key_press_modifiers(Modifiers::COMMAND, Key::P);
    window.settle();
    typed(&mut window, "light: copy the rows");
    window.harness.key_down(Key::Enter);
    window.harness.step();
    let copied = window.harness.output().platform_output.commands.iter().any(|command| {
        matches!(command, egui::OutputCommand::CopyText(text) if text.starts_with("from\tto\t"))
    });
    assert!(copied);
}

#[test]
fn a_begin_is_put_into_the_field() {
    let mut window = Driven::new();
    enter(&mut window, "set fabric.tors");
    assert!(window.window().state.looks.palette, "the rest is still to be typed");
    window.harness.get_by_label("Command").type_text("60");
    window.settle();
    press(&mut window, Key::Enter, 1);
    assert!(window.text().contains("tors = 60"));
}

#[test]
fn designs_of_the_search_and_recent_files_are_taken() {
    let mut window = Driven::new();
    window.open(&example("glass-64.toml"));
    window.apply(Command::New);
    enter(&mut window, "glass-64.toml");
    assert_eq!(window.window().state.file.path(), Some(example("glass-64.toml").as_path()));
    enter(&mut window, "show explore");
    enter(&mut window, "search all designs");
    let before = window.text();
    enter(&mut window, "design 2");
    assert_ne!(window.text(), before);
}

#[test]
fn commands_come_before_finds_unless_a_thing_has_the_name() {
    let mut window = Driven::new();
    window.settle();
    let state = &window.window().state;
    let first = |typed: &str| found(state, typed).into_iter().next().map(|(_, does)| does);
    let find = |name: &str| Some(Does::Command(Command::Find(name.to_owned())));
    assert!(first("p4runtime").is_some() && first("p4runtime") != find("p4runtime"));
    for name in ["7", "3->7", "port 7/0", "cassette:3", "B12.3"] {
        assert_eq!(first(name), find(name), "{name}");
    }
    for name in ["p4runtime", "save", "nothing at all"] {
        let offered = found(state, name);
        assert!(offered.iter().any(|(_, does)| Some(does) == find(name).as_ref()), "{name}");
    }
}

#[test]
fn questions_are_no_wider_than_the_window() {
    let place = tempfile::tempdir().expect("a folder can be made");
    let file = place.path().join("a-design-with-a-name-that-is-longer-than-a-line-of-text.toml");
    std::fs::write(&file, "version = 1\n").expect("it can be written");
    let mut window = Driven::sized(Unsaved::default(), Theme::Light, [900.0, 700.0]);
    window.open(&file);
    window.apply(Command::Only(Some(Panel::Log)));
    window.apply(Command::Scale(300));
    let unsaved = Command::Change { setting: "fabric.p", value: Some("3".into()) };
    let broken = Command::Break("relay:8000".into());
    let view = Command::AskViewName(None);
    let cases = [
        (vec![Command::Palette(true)], vec!["Command"]),
        (vec![Command::Open], vec!["Path", "OK", "Cancel"]),
        (vec![view], vec!["Name of the view", "OK", "Cancel"]),
        (vec![broken], vec!["Understood"]),
        (vec![unsaved, Command::New], vec!["Save first", "Discard the changes", "Cancel"]),
    ];
    for (commands, names) in cases {
        for command in commands {
            window.apply(command);
        }
        for name in names {
            let place = window.harness.get_by_label(name).rect();
            assert!(place.left() >= 0.0 && place.right() <= 300.0, "{name}: {place}");
            assert!(place.top() >= 0.0 && place.bottom() <= 700.0 / 3.0, "{name}: {place}");
        }
        window.apply(Command::Palette(false));
        window.apply(Command::Dismiss);
    }
}

#[test]
fn a_path_that_is_proposed_is_replaced_by_what_is_typed() {
    let mut window = Driven::new();
    window.open(&example("glass-64.toml"));
    window.harness.key_press_modifiers(Modifiers::COMMAND, Key::O);
    window.settle();
    let text = |window: &Driven| {
        let field = window.harness.get_by_label("Path");
        field.accesskit_node().value().unwrap_or_default()
    };
    assert!(text(&window).ends_with("glass-64.toml"));
    window.harness.event(egui::Event::Text("a.toml".into()));
    window.settle();
    assert_eq!(text(&window), "a.toml");
    window.harness.key_press(Key::Escape);
    window.settle();
    assert!(!window.has("Open a design"));
}

#[test]
fn the_command_of_the_typed_name_is_the_first_one() {
    let mut window = Driven::new();
    let state = &window.window().state;
    for name in ["Grow", "Undo", "Run the scenario", "Fabric: fit"] {
        let first = found(state, &name.to_lowercase()).into_iter().next();
        assert_eq!(first.map(|(found, _)| found).as_deref(), Some(name));
    }
}
