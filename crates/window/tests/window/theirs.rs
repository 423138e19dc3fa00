//! Files that somebody else changes while they are edited here.

use std::fs;
use std::path::PathBuf;

use lightloom_window::command::Command;
use lightloom_window::twin::{Build, Twin};

use crate::drive::{Driven, shown, written};

const SMALL: &str = "version = 1\n[fabric]\np = 2 # of the first hall\nk = 2\n";

/// A window with a small design in a folder of its own.
fn opened() -> (tempfile::TempDir, PathBuf, Driven) {
    let place = tempfile::tempdir().expect("a folder can be made");
    let file = place.path().join("design.toml");
    fs::write(&file, SMALL).expect("it can be written");
    let mut window = Driven::new();
    window.open(&file);
    (place, file, window)
}

#[test]
fn a_file_that_somebody_else_changed_is_not_overwritten_without_asking() {
    let (_place, file, mut window) = opened();
    window.apply(Command::Change { setting: "fabric.k", value: Some("3".into()) });
    let theirs = SMALL.replace("p = 2", "p = 3");
    fs::write(&file, &theirs).expect("it can be written");
    window.apply(Command::Save);
    assert!(window.has("The file is there with another text"));
    assert_eq!(fs::read_to_string(&file).expect("it is there"), theirs);
    window.click("Overwrite it");
    assert_eq!(fs::read_to_string(&file).expect("it is there"), SMALL.replace("k = 2", "k = 3"));
    // The other answer takes their text.
    fs::write(&file, &theirs).expect("it can be written");
    window.apply(Command::Change { setting: "fabric.k", value: Some("4".into()) });
    let ours = window.text();
    window.apply(Command::Break("relay:1".into()));
    window.apply(Command::Save);
    assert!(window.has("the file: 2 lines go, 2 lines come"), "{}", shown(&window));
    assert!(window.has("- p = 3 # of the first hall") && window.has("+ k = 4"));
    window.click("Take its text");
    assert_eq!(window.text(), theirs);
    assert!(!window.window().state.is_changed());
    // The text before is one undo away, and what was done before that is, too.
    window.apply(Command::Undo);
    assert_eq!(window.text(), ours);
    assert_eq!(window.window().state.work.now().broken, ["relay:1"]);
    assert!(window.window().state.is_changed());
    window.apply(Command::Redo);
    assert_eq!(window.text(), theirs);
    window.apply(Command::Undo);
    // What was taken is what the file has, so a save asks nothing.
    window.apply(Command::Save);
    assert_eq!(fs::read_to_string(&file).expect("it is there"), ours);
}

#[test]
fn a_key_overwrites_nothing_that_somebody_else_changed() {
    let (_place, file, mut window) = opened();
    let theirs = SMALL.replace("p = 2", "p = 3");
    for key in [egui::Key::Enter, egui::Key::Space] {
        window.apply(Command::Change { setting: "fabric.k", value: Some("3".into()) });
        fs::write(&file, &theirs).expect("it can be written");
        window.apply(Command::Save);
        assert!(window.has("The file is there with another text"));
        window.harness.key_press(key);
        window.settle();
        assert!(!window.has("The file is there with another text"));
        assert_eq!(fs::read_to_string(&file).expect("it is there"), theirs);
        assert!(window.text().contains("k = 3"));
    }
    // They change it again while the question is open: another question has the new difference.
    window.apply(Command::Save);
    fs::write(&file, "").expect("it can be written");
    window.click("Overwrite it");
    assert!(window.has("the file: 0 lines go, 4 lines come"));
    assert_eq!(fs::read_to_string(&file).expect("it is there"), "");
    window.click("Overwrite it");
    assert_eq!(fs::read_to_string(&file).expect("it is there"), window.text());
}

#[test]
fn a_text_that_is_taken_ends_what_waited_for_the_save() {
    let (_place, file, mut window) = opened();
    window.apply(Command::Change { setting: "fabric.k", value: Some("3".into()) });
    fs::write(&file, SMALL.replace("p = 2", "p = 3")).expect("it can be written");
    window.apply(Command::Quit);
    window.click("Save first");
    window.click("Take its text");
    window.apply(Command::Undo);
    window.apply(Command::Save);
    assert!(!window.window().state.quits);
}

#[test]
fn the_text_of_a_scenario_file_is_taken_in_one_step_too() {
    let (_folder, path) = written("version = 1\nuntil = \"1 ms\"\n");
    let mut window = Driven::new();
    window.apply(Command::ScenarioFile(path.clone()));
    let draft = |window: &mut Driven| {
        window.window().state.work.now().scenario.as_ref().map(|draft| draft.text.to_string())
    };
    let ours = "version = 1\nuntil = \"2 ms\"\n".to_owned();
    window.apply(Command::Twin(Twin::Build(Build::Write(ours.clone()))));
    fs::write(&path, "version = 1\nuntil = \"3 ms\"\n").expect("it can be written");
    window.apply(Command::Twin(Twin::Build(Build::Save)));
    assert!(window.has("- until = \"3 ms\"") && window.has("+ until = \"2 ms\""));
    window.click("Take its text");
    assert!(draft(&mut window).expect("it is open").contains("3 ms"));
    assert!(!window.window().state.is_scenario_changed());
    window.apply(Command::Undo);
    assert_eq!(draft(&mut window), Some(ours));
    window.apply(Command::Twin(Twin::Build(Build::Save)));
    assert!(fs::read_to_string(&path).expect("it is there").contains("2 ms"));
}

#[test]
fn a_new_file_does_not_replace_one_that_is_there() {
    let place = tempfile::tempdir().expect("a folder can be made");
    let file = place.path().join("design.toml");
    fs::write(&file, SMALL).expect("it can be written");
    let mut window = Driven::new();
    window.apply(Command::SaveTo(file.clone()));
    assert!(window.has("The file is there with another text"));
    assert_eq!(fs::read_to_string(&file).expect("it is there"), SMALL);
}
