//! Unsaved texts are kept for the next start.

use std::fs;

use egui::Theme;
use lightloom_window::command::Command;
use lightloom_window::state::unsaved::Unsaved;

use crate::drive::Driven;

#[test]
fn unsaved_text_is_offered_again_after_a_crash() {
    let place = tempfile::tempdir().expect("a folder can be made");
    let kept = place.path().join("unsaved.json");
    let mut window = Driven::of(Unsaved::at(kept.clone()), Theme::Light);
    window.apply(Command::Change { setting: "fabric.tors", value: Some("60".into()) });
    let text = window.text();
    // The window is gone without a word.
    drop(window);
    let mut window = Driven::of(Unsaved::at(kept.clone()), Theme::Light);
    assert!(window.has("Unsaved text of an earlier session"));
    window.click("Take it");
    assert_eq!(window.text(), text);
    // What is undone needs no keeping.
    window.apply(Command::Change { setting: "fabric.tors", value: Some("64".into()) });
    drop(window);
    let mut window = Driven::of(Unsaved::at(kept), Theme::Light);
    window.settle();
    assert!(!window.has("Unsaved text"));
}

#[test]
fn each_window_keeps_its_own_unsaved_text() {
    let place = tempfile::tempdir().expect("a folder can be made");
    let change = |window: &mut Driven, tors: &str| {
        window.apply(Command::Change { setting: "fabric.tors", value: Some(tors.into()) });
        window.text()
    };
    let open = || Driven::of(Unsaved::in_folder(place.path()), Theme::Light);
    let (mut one, mut two) = (open(), open());
    let texts = [change(&mut one, "60"), change(&mut two, "56")];
    assert_ne!(texts[0], texts[1]);
    // Both are gone without a word. Both texts are offered, one after the other, and by windows that are open at once.
    drop((one, two));
    let mut found = Vec::new();
    let mut windows = [open(), open()];
    for window in &mut windows {
        window.click("Take it");
        found.push(window.text());
    }
    assert_eq!(found, texts);
    assert!(!open().has("Unsaved text"), "a third window has nothing to take");
}

#[test]
fn unsaved_text_that_is_neither_taken_nor_given_up_is_offered_by_the_next_start() {
    let place = tempfile::tempdir().expect("a folder can be made");
    let open = || Driven::of(Unsaved::in_folder(place.path()), Theme::Light);
    let change = |window: &mut Driven, tors: &str| {
        window.apply(Command::Change { setting: "fabric.tors", value: Some(tors.into()) });
        window.text()
    };
    let mut window = open();
    let first = change(&mut window, "60");
    drop(window);
    let mut window = open();
    assert!(window.has("Unsaved text of an earlier session"));
    window.harness.key_press(egui::Key::Escape);
    window.settle();
    assert!(!window.has("Unsaved text"), "Escape closes each question");
    // What is not saved in this session is kept beside it.
    let second = change(&mut window, "56");
    drop(window);
    let mut windows = [open(), open()];
    let found = windows.each_mut().map(|window| {
        window.click("Take it");
        window.text()
    });
    assert_eq!(found, [first, second]);
}

#[test]
fn a_damaged_file_of_unsaved_text_is_put_aside() {
    let place = tempfile::tempdir().expect("a folder can be made");
    let kept = place.path().join("unsaved.json");
    fs::write(&kept, "{\"design\": {\"text\": \"half").expect("it can be written");
    let mut window = Driven::of(Unsaved::at(kept.clone()), Theme::Light);
    window.apply(Command::Change { setting: "fabric.tors", value: Some("60".into()) });
    let told = window.window().state.log.iter().any(|line| line.text.contains("1.unreadable"));
    assert!(told, "the window says where the file is now");
    let aside = kept.with_extension("1.unreadable");
    assert!(fs::read_to_string(aside).expect("it is kept").ends_with("half"));
    assert!(fs::read_to_string(kept).expect("the new text is kept").contains("tors = 60"));
}

#[test]
fn text_that_cannot_be_kept_is_said_to_be_lost_if_the_window_ends() {
    let place = tempfile::tempdir().expect("a folder can be made");
    // A folder that is a file takes no other file.
    let no_folder = place.path().join("file");
    fs::write(&no_folder, "").expect("it can be written");
    let mut window = Driven::of(Unsaved::at(no_folder.join("unsaved.json")), Theme::Light);
    for tors in ["60", "56"] {
        window.apply(Command::Change { setting: "fabric.tors", value: Some(tors.into()) });
    }
    let log = &window.window().state.log;
    let told = log.iter().filter(|line| line.text.contains("is lost if the window ends"));
    assert_eq!(told.count(), 1, "it is said once");
}
