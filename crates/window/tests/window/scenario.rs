//! The scenario of the twin: made, opened, changed with the form and as text, undone, saved, run and offered again.

use std::fs;

use egui::Theme;
use egui_kittest::SnapshotResults;
use lightloom::twin::Simulated;
use lightloom_window::command::Command;
use lightloom_window::panel::Panel;
use lightloom_window::state::unsaved::Unsaved;
use lightloom_window::twin::{Build, Twin};

use crate::drive::{Driven, example, written};

#[test]
fn a_scenario_is_made_checked_saved_and_run() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("made.toml");
    let mut pictures = SnapshotResults::new();
    for (theme, name) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
        let mut window = Driven::sized(Unsaved::default(), theme, [900.0, 700.0]);
        window.apply(Command::Only(Some(Panel::Twin)));
        window.click("Scenario");
        assert!(window.has("Make a scenario"));
        window.click("New electrical network");
        assert!(window.has("16 hosts, 6 switches"));
        window.type_into("network 1 rate", "100 bananas");
        assert!(window.has("✖"), "the field has its error beside it");
        pictures.add(window.compared(&format!("scenario_{name}")));
    }
    let mut window = Driven::sized(Unsaved::default(), Theme::Light, [900.0, 700.0]);
    window.apply(Command::Only(Some(Panel::Twin)));
    window.click("Scenario");
    window.click("New electrical network");
    window.type_into("network 1 rate", "10 Gb/s");
    assert!(!window.has("✖"));
    // What is typed never is TOML of its own.
    let evil = "1 kB\"\n[network]\nkind = \"fat-tree\"";
    let change = |value: &str| {
        let value = value.to_owned();
        Command::Twin(Twin::Build(Build::Change { row: 2, field: "size", value }))
    };
    window.apply(change(evil));
    assert!(window.has("✖"));
    window.apply(change("64 kB"));
    window.apply(Command::Twin(Twin::Build(Build::Add("failure"))));
    assert!(window.has("✖"), "a failure needs its part and its time");
    window.click("Remove failure 3");
    window.click("Save the scenario");
    window.type_into("Path", path.to_str().expect("it is a text"));
    let text = fs::read_to_string(&path).expect("it was saved");
    assert!(text.contains("rate = \"10 Gb/s\"\n") && !text.contains("fat-tree"), "{text}");
    window.click("Run");
    window.click("Figures");
    assert!(window.has("flows completed"));
    let recent = &window.window().state.looks.recent_scenarios;
    assert_eq!(recent.iter().map(|path| path.file_name()).collect::<Vec<_>>(), [path.file_name()]);
    // Somebody else's text is not overwritten.
    fs::write(&path, "version = 1\n").expect("the test writes its input");
    window.apply(change("32 kB"));
    window.apply(Command::Twin(Twin::Build(Build::Save)));
    assert!(window.has("The file is there with another text"));
    assert_eq!(fs::read_to_string(&path).expect("it is there"), "version = 1\n");
    window.click("Overwrite it");
    let text = fs::read_to_string(&path).expect("it was saved");
    assert!(text.contains("32 kB") && !window.has("(changed)"));
}

#[test]
fn a_long_scenario_has_pages() {
    let flow = "[[flow]]\nfrom = 0\nto = 3\nsize = \"1 kB\"\n";
    let (_folder, path) = written(
        &(OTHER.replacen("flow = [{from = 0, to = 3, size = \"64 kB\"}]\n", "", 1)
            + &flow.repeat(500)),
    );
    let mut window = Driven::sized(Unsaved::default(), Theme::Light, [900.0, 700.0]);
    window.apply(Command::Only(Some(Panel::Twin)));
    window.apply(Command::ScenarioFile(path));
    window.click("Scenario");
    assert!(window.has("Parts 1 to 200 of 502") && window.has("flow 199 size"));
    assert!(!window.has("flow 200 size"));
    window.click("Later parts");
    window.click("Later parts");
    assert!(window.has("Parts 401 to 502 of 502"));
    window.type_into("flow 501 size", "2 bananas");
    assert!(window.has("✖") && !window.has("Go to the error"));
    window.click("Earlier parts");
    window.click("Go to the error");
    assert!(window.has("flow 501 size"));
    // Another scenario begins with its first part.
    window.click("New electrical network");
    window.click("Discard the changes");
    assert!(window.has("network 1 rate"));
}

/// A scenario of somebody else, with a comment, lists and inline tables.
const OTHER: &str = "# Of the first hall.\nversion = 1\nuntil = \"1 ms\" # long enough\nflow = [{from = 0, to = 3, \
                     size = \"64 kB\"}]\n[network]\nkind = \"leaf-spine\"\nleaves = 2\nspines = 1\nhosts_per_leaf = 2\n\
                     rate = \"100 Gb/s\"\nlength = \"20 m\"\n";

#[test]
fn any_scenario_is_changed_with_the_form_undone_and_run_as_it_is_shown() {
    let (folder, path) = written(OTHER);
    let mut window = Driven::sized(Unsaved::default(), Theme::Light, [900.0, 700.0]);
    window.apply(Command::Only(Some(Panel::Twin)));
    window.apply(Command::ScenarioFile(path.clone()));
    window.click("Scenario");
    assert!(window.has("4 hosts, 3 switches"));
    window.type_into("flow 2 size", "128 kB");
    assert!(window.has("(changed)"));
    let text = |window: &mut Driven| {
        window.window().state.work.now().scenario.as_ref().map(|draft| draft.text.to_string())
    };
    let changed = OTHER.replace("64 kB", "128 kB");
    assert_eq!(text(&mut window).as_deref(), Some(changed.as_str()), "all else stays");
    // The run is of what is shown, and not of the file.
    let bytes = |window: &mut Driven| {
        window.click("Run");
        let run = window.window().state.answers.run.last().cloned().expect("it ran");
        let Simulated::One(run) = &*run else { panic!("one run") };
        run.report.flows.bytes
    };
    assert_eq!(bytes(&mut window), 128_000);
    window.apply(Command::Undo);
    assert_eq!(text(&mut window).as_deref(), Some(OTHER));
    assert!(!window.has("(changed)"));
    window.apply(Command::Redo);
    assert_eq!(text(&mut window).as_deref(), Some(changed.as_str()));
    window.click("Save the scenario");
    assert_eq!(fs::read_to_string(&path).expect("it was saved"), changed);
    // Undo goes back also behind the save, and the file stays the scenario's.
    window.apply(Command::Undo);
    assert!(window.has("scenario.toml (changed)"));
    window.apply(Command::Redo);
    // A file that an editor changes is read again by the next run.
    fs::write(&path, OTHER.replace("64 kB", "32 kB")).expect("the test writes its input");
    assert_eq!(bytes(&mut window), 32_000);
    // Another scenario, and back to this one with its file and its name.
    window.click("New electrical network");
    assert!(window.has("unsaved-scenario.toml (changed)"));
    window.apply(Command::Undo);
    assert!(window.has("scenario.toml") && !window.has("(changed)"));
    // The text itself can be changed; what is no TOML is told, and undone.
    window.apply(Command::Twin(Twin::Build(Build::Write("version = = 1".to_owned()))));
    assert!(window.has("✖"));
    window.apply(Command::Undo);
    assert!(!window.has("✖"));
    drop(folder);
    window.click("Run");
    assert!(window.has("this was not done"), "the file is gone");
}

#[test]
fn a_scenario_that_is_not_saved_is_asked_about_and_offered_again() {
    let (folder, path) = written(OTHER);
    let kept = folder.path().join("unsaved.json");
    let mut window = Driven::of(Unsaved::at(kept.clone()), Theme::Light);
    window.apply(Command::ScenarioFile(path.clone()));
    let value = "128 kB".to_owned();
    window.apply(Command::Twin(Twin::Build(Build::Change { row: 2, field: "size", value })));
    // The window is gone without a word.
    drop(window);
    let mut window = Driven::of(Unsaved::at(kept.clone()), Theme::Light);
    assert!(window.has("A scenario of"));
    window.click("Take it");
    assert!(window.window().state.is_scenario_changed());
    // Another design leaves it as it is.
    window.open(&example("glass-64.toml"));
    assert!(window.window().state.is_scenario_changed());
    window.apply(Command::Quit);
    assert!(window.has("The scenario was changed and is not saved."));
    window.click("Cancel");
    assert!(!window.window().state.quits);
    window.apply(Command::Quit);
    window.click("Save first");
    assert!(window.window().state.quits);
    assert_eq!(fs::read_to_string(&path).expect("it was saved"), OTHER.replace("64 kB", "128 kB"));
    assert!(!kept.exists(), "nothing is left to offer");
    let mut window = Driven::of(Unsaved::at(kept.clone()), Theme::Light);
    window.apply(Command::Twin(Twin::Build(Build::Electrical)));
    window.apply(Command::Quit);
    window.click("Discard the changes");
    assert!(window.window().state.quits && !kept.exists());
}

#[test]
fn a_scenario_is_made_for_the_open_design() {
    let mut window = Driven::new();
    window.open(&example("glass-64.toml"));
    window.apply(Command::Only(Some(Panel::Twin)));
    window.click("Scenario");
    window.click("New for this design");
    assert!(!window.has("✖") && window.has("128 hosts"));
}
