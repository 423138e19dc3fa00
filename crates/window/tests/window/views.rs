//! Named views: their file, which windows share, and what a view leaves as it is.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use lightloom_window::command::Command;
use lightloom_window::panel::Panel;

use crate::drive::{Driven, example, shown};

/// A window that keeps its views in this file.
fn sharing(place: &Path) -> Driven {
    let mut window = Driven::new();
    window.window().state.share_views(place.to_path_buf(), "");
    window
}

fn names(window: &mut Driven) -> Vec<String> {
    window.window().state.named.names().cloned().collect()
}

fn told(window: &mut Driven) -> String {
    window.window().state.log.iter().map(|line| line.text.clone() + "\n").collect()
}

fn place() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("views.json");
    (folder, place)
}

#[test]
fn windows_that_are_open_at_once_lose_no_view() {
    let (_folder, place) = place();
    let (mut first, mut second) = (sharing(&place), sharing(&place));
    first.apply(Command::Show(Panel::Money));
    first.apply(Command::SaveView("money".into()));
    first.apply(Command::SaveView("other".into()));
    second.apply(Command::SaveView("mine".into()));
    assert_eq!(names(&mut second), ["mine", "money", "other"]);
    // A name that another window has taken meanwhile is not replaced without a word.
    first.apply(Command::SaveView("mine".into()));
    assert!(shown(&first).contains("another window or another version has kept a view mine"));
    first.apply(Command::Dismiss);
    assert_eq!(names(&mut first), ["mine", "money", "other"]);
    first.apply(Command::RenameView { from: "other".into(), to: "mine".into() });
    assert!(shown(&first).contains("there is a view mine already"));
    first.apply(Command::Dismiss);
    first.apply(Command::RenameView { from: "other".into(), to: "renamed".into() });
    first.apply(Command::DeleteView("mine".into()));
    drop((first, second));
    let mut next = sharing(&place);
    assert_eq!(names(&mut next), ["money", "renamed"]);
    next.apply(Command::GoToView("money".into()));
    assert!(next.has("One multicast to all"));
}

#[test]
fn views_that_cannot_be_read_are_told_and_kept() {
    let (folder, place) = place();
    let mut window = sharing(&place);
    window.apply(Command::SaveView("one".into()));
    window.apply(Command::SaveView("two".into()));
    let mut stored: BTreeMap<String, serde_json::Value> =
        serde_json::from_slice(&fs::read(&place).expect("it is there")).expect("it is JSON");
    // One of them is of another version.
    let other = serde_json::json!({ "panels": 3 });
    stored.insert("one".into(), other.clone());
    fs::write(&place, serde_json::to_vec(&stored).expect("it is JSON")).expect("it is written");
    let mut window = sharing(&place);
    assert_eq!(names(&mut window), ["two"]);
    assert!(told(&mut window).contains("the stored view one is left out"));
    window.apply(Command::SaveView("three".into()));
    let stored: BTreeMap<String, serde_json::Value> =
        serde_json::from_slice(&fs::read(&place).expect("it is there")).expect("it is JSON");
    assert_eq!(stored.len(), 3);
    assert_eq!(stored["one"], other);

    // The file is not one of views: it is kept under another name.
    for text in ["[]", "{\"one\":", "\u{fffd}"] {
        fs::write(&place, text).expect("it is written");
        let mut window = sharing(&place);
        assert_eq!(names(&mut window), Vec::<String>::new());
        assert!(told(&mut window).contains("cannot be read"), "{}", told(&mut window));
        window.apply(Command::SaveView("new".into()));
        assert_eq!(names(&mut sharing(&place)), ["new"]);
    }
    let aside = fs::read_dir(folder.path()).expect("it is there").flatten();
    let aside = aside.filter(|file| file.file_name().to_string_lossy().ends_with("unreadable"));
    assert_eq!(aside.count(), 3);
}

#[test]
fn a_place_where_nothing_can_be_written_is_told_and_the_view_stays_in_the_window() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = sharing(&folder.path().join("missing/views.json"));
    window.apply(Command::SaveView("one".into()));
    assert_eq!(names(&mut window), ["one"]);
    assert!(told(&mut window).contains("named views are not kept there"));
}

#[test]
fn views_of_an_earlier_version_are_taken_once() {
    let (_folder, place) = place();
    let mut window = sharing(&place);
    window.apply(Command::SaveView("one".into()));
    let before = fs::read_to_string(&place).expect("it is there");
    fs::remove_file(&place).expect("it is there");
    for left in [["one"].as_slice(), &[]] {
        let mut window = Driven::new();
        window.window().state.share_views(place.clone(), &before);
        assert_eq!(names(&mut window), left);
        window.apply(Command::DeleteView("one".into()));
    }
    fs::remove_file(&place).expect("it is there");
    for is_told in [true, false] {
        let mut window = Driven::new();
        window.window().state.share_views(place.clone(), "[]");
        assert_eq!(told(&mut window).contains("left out"), is_told);
    }
}

#[test]
fn a_view_leaves_the_recent_files_as_they_are() {
    let mut window = Driven::new();
    window.apply(Command::SaveView("early".into()));
    window.apply(Command::OpenFile(example("glass-64.toml")));
    window.apply(Command::ScenarioFile(example("incast.toml")));
    let looks = |window: &mut Driven| window.window().state.looks.clone();
    let before = looks(&mut window);
    assert_eq!((before.recent.len(), before.recent_scenarios.len()), (1, 1));
    window.apply(Command::GoToView("early".into()));
    let after = looks(&mut window);
    assert_eq!((before.recent, before.recent_scenarios), (after.recent, after.recent_scenarios));
}
