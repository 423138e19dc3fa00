//! Files: opened, saved, changed by others, broken, and what is left after a crash.

use std::fs;
use std::path::PathBuf;
use std::sync::{Condvar, Mutex};

use egui::Theme;
use egui_kittest::kittest::Queryable as _;
use lightloom_window::command::{Command, Export, Selection};
use lightloom_window::panel::Panel;
use lightloom_window::state::questions::PathFor;
use lightloom_window::state::unsaved::Unsaved;

use crate::drive::{Driven, example, last_line};

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
fn a_design_is_opened_changed_and_saved_with_its_comments() {
    let (place, file, mut window) = opened();
    assert!(window.has("8 ToRs"));
    window.apply(Command::Change { setting: "fabric.k", value: Some("3".into()) });
    assert!(window.has("24 ToRs"));
    window.apply(Command::Save);
    let saved = fs::read_to_string(&file).expect("it is there");
    assert_eq!(saved, SMALL.replace("k = 2", "k = 3"));
    assert!(!window.window().state.is_changed());
    let names = fs::read_dir(place.path()).expect("it is a folder").count();
    assert_eq!(names, 1, "nothing else is left");
}

#[test]
fn a_file_that_must_not_be_written_is_told_and_nothing_is_lost() {
    let (place, file, mut window) = opened();
    let mut permissions = fs::metadata(&file).expect("it is there").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&file, permissions).expect("it is ours");
    window.apply(Command::Change { setting: "fabric.k", value: Some("3".into()) });
    window.apply(Command::Save);
    assert!(window.has("Save: this was not done") && window.has("read-only"));
    window.click("Understood");
    assert!(window.has("24 ToRs") && window.window().state.is_changed());
    assert_eq!(fs::read_to_string(&file).expect("it is there"), SMALL);
    // A folder that is not there is told as well.
    window.apply(Command::SaveTo(place.path().join("missing").join("design.toml")));
    assert!(window.has("Save: this was not done"));
    window.click("Understood");
    // Another place takes it.
    window.apply(Command::SaveTo(place.path().join("other.toml")));
    assert!(!window.window().state.is_changed());
}

#[test]
fn unsaved_changes_are_asked_about() {
    let mut window = Driven::new();
    window.apply(Command::Change { setting: "fabric.tors", value: Some("60".into()) });
    window.apply(Command::OpenFile(example("hall-1024.toml")));
    assert!(window.has("Unsaved changes"));
    window.click("Cancel");
    assert!(window.has("60 ToRs"));
    window.apply(Command::Quit);
    assert!(window.has("Unsaved changes") && !window.window().state.quits);
    window.click("Discard the changes");
    assert!(window.window().state.quits);
}

#[test]
fn what_is_no_design_is_told_and_the_old_design_stays() {
    let place = tempfile::tempdir().expect("a folder can be made");
    let write = |name: &str, bytes: &[u8]| {
        let file = place.path().join(name);
        fs::write(&file, bytes).expect("it can be written");
        file
    };
    let huge = write("huge.toml", b"");
    let sparse = fs::File::options().write(true).open(&huge).expect("it is there");
    sparse.set_len(1 << 40).expect("it can be long");
    let mut window = Driven::new();
    for file in [
        huge,
        write("broken.toml", b"version = 1\n[fabric\n"),
        write("foreign.toml", b"[package]\nname = \"x\"\n"),
        write("picture.png", b"\x89PNG\r\n\x1a\n\x00\xff\xfe"),
        place.path().join("missing.toml"),
        place.path().to_path_buf(),
    ] {
        window.open(&file);
        assert!(window.has("Open: this was not done"), "{}", file.display());
        window.click("Understood");
        assert!(window.has("64 ToRs"), "{}", file.display());
    }
}

#[test]
fn a_scenario_and_a_plan_are_opened_as_what_they_are() {
    let place = tempfile::tempdir().expect("a folder can be made");
    let mut window = Driven::new();
    window.open(&example("incast.toml"));
    assert!(window.window().state.work.now().scenario.is_some());
    assert!(window.has("64 ToRs"), "the design stays");
    let folder = place.path().join("plan");
    window.apply(Command::ExportTo(Export::Plan, folder.clone()));
    assert!(folder.join("plan.json").is_file());
    assert!(
        lightloom::plan::verify_folder(&folder, lightloom::Watch::quiet())
            .expect("it is a plan")
            .good
    );
    window.open(&folder);
    assert!(window.window().state.file.is_plan());
    window.apply(Command::Save);
    assert!(window.has("a plan's folder is only looked at"));
}

#[test]
fn configurations_and_pictures_are_exported() {
    let place = tempfile::tempdir().expect("a folder can be made");
    let mut window = Driven::new();
    let folder = place.path().join("configs");
    window.apply(Command::ExportTo(Export::Configs, folder.clone()));
    assert!(folder.join("tor-63.flows").is_file());
    let picture = place.path().join("fabric.png");
    window.apply(Command::ExportTo(Export::Picture(Panel::Fabric), picture.clone()));
    let found = image::open(&picture).expect("it is a picture").to_rgba8();
    assert_eq!(found.dimensions(), (1600, 1000));
    let colours: std::collections::BTreeSet<_> = found.pixels().map(|pixel| pixel.0).collect();
    assert!(colours.len() > 20, "something is drawn");
}

#[test]
fn an_exported_picture_waits_for_its_fibres() {
    let place = tempfile::tempdir().expect("a folder can be made");
    let file = place.path().join("design.toml");
    let large = "version = 1\n[fabric]\nfamily = \"kautz\"\np = 8\ntors = 4096\n";
    fs::write(&file, large).expect("it can be written");
    let mut window = Driven::new();
    window.open(&file);
    window.apply(Command::AllFibres(true));
    let picture = place.path().join("fabric.svg");
    window.apply(Command::ExportTo(Export::Svg(Panel::Fabric), picture.clone()));
    let svg = fs::read_to_string(&picture).expect("it was written");
    assert!(svg.contains("<image "), "the picture of all fibres is in it");
}

#[test]
fn saving_first_does_what_waited_for_it() {
    let (place, file, mut window) = opened();
    window.apply(Command::Change { setting: "fabric.k", value: Some("3".into()) });
    window.apply(Command::Quit);
    window.click("Save first");
    assert!(window.window().state.quits);
    assert!(fs::read_to_string(&file).expect("it is there").contains("k = 3"));

    // A design without a file asks for one. The answer is saved, and then the other file is opened.
    let mut window = Driven::new();
    window.apply(Command::Change { setting: "fabric.tors", value: Some("60".into()) });
    window.open(&file);
    window.click("Save first");
    assert!(window.has("Save the design as"));
    let new = place.path().join("new.toml");
    window.apply(Command::SaveTo(new.clone()));
    assert!(fs::read_to_string(&new).expect("it is there").contains("tors = 60"));
    assert!(window.has("24 ToRs") && !window.window().state.quits);

    // Without an answer nothing waits any more.
    let mut window = Driven::new();
    window.apply(Command::Change { setting: "fabric.tors", value: Some("60".into()) });
    window.apply(Command::Quit);
    window.click("Save first");
    window.click("Cancel");
    window.apply(Command::SaveTo(place.path().join("third.toml")));
    assert!(!window.window().state.quits);
}

#[test]
fn unsaved_text_is_offered_until_it_is_answered_and_does_not_hide_changes_of_others() {
    let place = tempfile::tempdir().expect("a folder can be made");
    let (kept, file) = (place.path().join("unsaved.json"), place.path().join("design.toml"));
    fs::write(&file, SMALL).expect("it can be written");
    let mut window = Driven::of(Unsaved::at(kept.clone()), Theme::Light);
    window.open(&file);
    window.apply(Command::Change { setting: "fabric.k", value: Some("3".into()) });
    drop(window);
    // Meanwhile somebody else changes the file.
    let theirs = SMALL.replace("p = 2", "p = 3");
    fs::write(&file, &theirs).expect("it can be written");
    let mut window = Driven::of(Unsaved::at(kept), Theme::Light);
    window.open(&file);
    window.apply(Command::Open);
    window.apply(Command::Dismiss);
    assert!(window.has("Unsaved text of an earlier session"), "another question was closed");
    window.click("Take it");
    assert_eq!(window.text(), SMALL.replace("k = 2", "k = 3"));
    window.apply(Command::Save);
    assert!(window.has("The file is there with another text"));
    assert_eq!(fs::read_to_string(&file).expect("it is there"), theirs);
}

#[test]
fn the_own_file_is_known_by_a_relative_path_too() {
    let place = tempfile::tempdir_in(".").expect("a folder can be made");
    let name = place.path().file_name().expect("it has a name");
    let file = std::path::Path::new(name).join("design.toml");
    fs::write(&file, SMALL).expect("it can be written");
    let mut window = Driven::new();
    window.open(&file);
    window.apply(Command::Change { setting: "fabric.k", value: Some("3".into()) });
    window.apply(Command::SaveTo(file.clone()));
    assert!(!window.has("The file is there with another text"));
    assert!(fs::read_to_string(&file).expect("it is there").contains("k = 3"));
}

#[test]
fn layout_and_looks_are_kept_for_the_next_session() {
    let mut window = Driven::new();
    window.apply(Command::Show(Panel::Money));
    window.apply(Command::Scale(120));
    let kept = window.window().kept();
    let mut next = Driven::new();
    assert!(!next.has("One multicast to all"));
    next.window().restore("{}", None);
    assert!(next.window().state.log.iter().any(|line| line.contains("it is dropped")));
    next.window().restore(&kept, None);
    next.settle();
    assert!(next.has("One multicast to all") && next.window().state.looks.scale == 120);
}

/// The dialog of the desktop works on a thread of its own, and answers the question that waits.
#[test]
fn the_dialog_of_the_desktop_answers_the_question_that_waits() {
    let mut window = Driven::new();
    window.window().state.browse = Some(|purpose| {
        assert_eq!(purpose, PathFor::Open);
        Ok(Some(example("hall-1024.toml")))
    });
    window.apply(Command::Open);
    window.click("Browse…");
    assert!(window.has("1024 ToRs") && window.window().state.question.is_none());
    // A dialog that is closed answers nothing, and one whose question is gone is not heard.
    window.window().state.browse = Some(|_| Ok(None));
    window.apply(Command::Open);
    window.click("Browse…");
    assert!(window.has("Open a design") && window.has("1024 ToRs"));
    // The dialog answers when its question is gone, and no sooner.
    static IS_GONE: Mutex<bool> = Mutex::new(false);
    static GONE: Condvar = Condvar::new();
    window.window().state.browse = Some(|_| {
        let is_gone = IS_GONE.lock().expect("nobody panics");
        drop(GONE.wait_while(is_gone, |is_gone| !*is_gone).expect("nobody panics"));
        Ok(Some(example("glass-64.toml")))
    });
    window.apply_without_waiting(Command::Browse);
    window.apply_without_waiting(Command::Dismiss);
    assert!(window.window().state.browsed.how_far().is_some());
    *IS_GONE.lock().expect("nobody panics") = true;
    GONE.notify_all();
    while window.window().state.browsed.how_far().is_some() {
        window.harness.step();
        std::thread::yield_now();
    }
    window.settle();
    assert!(window.has("1024 ToRs"));
}

/// A desktop without a portal for files has no dialog. That is said where a path can be typed.
#[test]
fn a_desktop_without_a_dialog_says_so_and_the_path_is_typed() {
    let mut window = Driven::new();
    window.window().state.browse = Some(|_| {
        Err(lightloom::InputError::new("the desktop has no dialog for files; type the path"))
    });
    window.apply(Command::Open);
    window.click("Browse…");
    assert!(window.has("Open a design") && window.has("✖ the desktop has no dialog for files"));
    assert!(last_line(&mut window).contains("no dialog for files"));
    window.type_into("Path", example("hall-1024.toml").to_str().expect("it is a text"));
    assert!(window.has("1024 ToRs"));
    // The next question begins without the message.
    window.apply(Command::OpenScenario);
    assert!(!window.has("no dialog for files"));
}

#[test]
fn a_name_goes_before_commands_that_have_the_same_digit() {
    let (_place, _, mut window) = opened();
    window.apply(Command::Palette(true));
    window.type_into("Command", "0");
    assert_eq!(window.window().state.selection, Selection::Tor(lightloom::TorId(0)));
}

#[test]
fn a_long_design_is_shown_line_by_line_and_changed_elsewhere() {
    let place = tempfile::tempdir().expect("a folder can be made");
    let file = place.path().join("long.toml");
    let comment: String = (0..40_000).map(|line| format!("# remark {line}\n")).collect();
    fs::write(&file, format!("{SMALL}{comment}")).expect("it can be written");
    let mut window = Driven::new();
    window.open(&file);
    window.apply(Command::Only(Some(Panel::Text)));
    assert!(window.has("Change it in the panel Design, or with an editor."));
    assert!(window.has("p = 2 # of the first hall") && window.has("# remark 3"));
    assert!(!window.has("# remark 20000"), "it is out of sight");
    assert!(window.harness.query_by_label("Text of the design").is_none());
    window.apply(Command::Change { setting: "fabric.k", value: Some("3".into()) });
    assert!(window.has("a save adds 1 and removes 1 lines"));
    window.click("2 changed lines are not saved");
    assert!(window.has("- k = 2") && window.has("+ k = 3"));
    // All lines change: few are listed.
    let text = window.text().replace('#', "##");
    window.apply(Command::Write(text));
    assert!(window.has("a save adds 40002 and removes 40002 lines"));
    assert!(window.has("… and 79980 more"), "{}", crate::drive::shown(&window));
    // A short text is edited again.
    window.apply(Command::Write(SMALL.to_owned()));
    assert!(window.has("Text of the design"));
}
