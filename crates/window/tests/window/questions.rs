//! Questions: what their fields hold, and what waits for their answers.

use std::fs;
use std::path::{Path, PathBuf};

use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lightloom_window::command::{Command, Export};
use lightloom_window::twin::{Build, Twin};

use crate::drive::{Driven, example};
use crate::shell::SMALL;

/// The text of a field.
fn text_of(window: &Driven, field: &str) -> String {
    window.harness.get_by_label(field).accesskit_node().value().unwrap_or_default()
}

fn escape(window: &mut Driven) {
    window.harness.key_press(egui::Key::Escape);
    window.settle();
}

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).expect("it can be written");
    path
}

#[test]
fn a_field_for_a_path_forgets_what_was_typed_for_an_earlier_question() {
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder can be made"));
    let mut window = Driven::new();
    for folder in &folders {
        window.open(&write(folder.path(), "d.toml", SMALL));
        for closes in ["Cancel", "Escape"] {
            window.apply(Command::Export(Export::Plan));
            let proposed = folder.path().join("plan").display().to_string();
            assert_eq!(text_of(&window, "Path"), proposed);
            window.harness.get_by_label("Path").type_text("elsewhere");
            window.settle();
            assert_eq!(text_of(&window, "Path"), "elsewhere", "it is kept while it is typed");
            if closes == "Escape" { escape(&mut window) } else { window.click(closes) }
        }
    }
}

#[test]
fn a_name_of_a_view_is_not_that_of_an_earlier_question() {
    let mut window = Driven::new();
    window.apply(Command::SaveView("night".into()));
    window.apply(Command::AskViewName(Some("night".into())));
    assert_eq!(text_of(&window, "Name of the view"), "night");
    escape(&mut window);
    window.apply(Command::AskViewName(None));
    assert_eq!(text_of(&window, "Name of the view"), "");
    // The question says what is replaced.
    window.harness.get_by_label("Name of the view").type_text("nigh");
    window.settle();
    assert!(!window.has("It is replaced."));
    window.harness.get_by_label("Name of the view").type_text("t");
    window.settle();
    assert!(window.has("There is a view night already. It is replaced."));
    window.click("Cancel");
    window.apply(Command::Palette(true));
    window.harness.get_by_label("Command").type_text("keep view night");
    window.settle();
    assert!(window.has("Keep this view as night, which is replaced"));
}

#[test]
fn changes_of_a_scenario_are_asked_about_before_another_one_is_opened() {
    let place = tempfile::tempdir().expect("a folder can be made");
    let text = fs::read_to_string(example("incast.toml")).expect("it is shipped");
    let [one, other] = ["a.toml", "b.toml"].map(|name| write(place.path(), name, &text));
    let mut window = Driven::new();
    window.open(&write(place.path(), "d.toml", SMALL));
    window.apply(Command::ScenarioFile(one.clone()));
    window.apply(Command::ScenarioFile(other.clone()));
    assert!(window.window().state.question.is_none(), "nothing was changed");
    window.apply(Command::ScenarioFile(one.clone()));
    let changed = format!("{text}# mine\n");
    window.apply(Command::Twin(Twin::Build(Build::Write(changed.clone()))));
    for command in [
        Command::OpenScenario,
        Command::ScenarioFile(other.clone()),
        Command::OpenFile(other.clone()),
        Command::Twin(Twin::Build(Build::OfDesign)),
        Command::Twin(Twin::Build(Build::Electrical)),
    ] {
        window.apply(command.clone());
        assert!(window.has("The scenario was changed and is not saved."), "{command:?}");
        window.click("Cancel");
        let draft = window.window().state.work.now().scenario.clone().expect("it is open");
        assert_eq!(&*draft.text, changed, "{command:?}");
    }
    window.apply(Command::ScenarioFile(other));
    window.click("Save first");
    assert_eq!(fs::read_to_string(&one).expect("it is saved"), changed);
    let draft = window.window().state.work.now().scenario.clone().expect("it is open");
    assert_eq!(&*draft.text, text);
    window.apply(Command::Twin(Twin::Build(Build::Write(changed))));
    window.apply(Command::Twin(Twin::Build(Build::Electrical)));
    window.click("Discard the changes");
    let draft = window.window().state.work.now().scenario.clone().expect("it is open");
    assert!(draft.text.contains("leaf-spine"));
}

#[test]
fn what_waited_for_a_save_is_forgotten_when_another_question_takes_its_place() {
    let place = tempfile::tempdir().expect("a folder can be made");
    let file = write(place.path(), "d.toml", SMALL);
    let mut window = Driven::new();
    window.apply(Command::Change { setting: "fabric.tors", value: Some("60".into()) });
    window.apply(Command::Quit);
    window.click("Save first");
    assert!(window.has("Save the design as"));
    window.apply(Command::Open);
    window.click("Discard the changes");
    window.apply(Command::OpenFile(file));
    window.apply(Command::Change { setting: "fabric.tors", value: Some("14".into()) });
    window.apply(Command::Save);
    assert!(!window.window().state.is_changed() && !window.window().state.quits);
}
