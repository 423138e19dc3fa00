//! Exports at once, and their questions.

use std::fs;
use std::path::Path;

use lightloom::TorId;
use lightloom_window::command::{Command, Export, Selection};
use lightloom_window::panel::Panel;
use lightloom_window::state::questions::{PathFor, Question};

use crate::drive::Driven;
use crate::shell::{SMALL, opened};
use crate::xml::read;

/// The lines of the log.
fn log(window: &mut Driven) -> String {
    let lines = window.window().state.log.iter().map(|line| format!("{}\n", line.text));
    lines.collect()
}

#[test]
fn exports_at_once_are_written_one_after_the_other() {
    let (mut window, place, _) = opened(SMALL, "design.toml");
    let at = |name: &str| place.path().join(name);
    fs::write(at("second.json"), "mine\n").expect("it can be written");
    let exports = [
        (Export::Plan, "first"),
        (Export::Answer(Panel::Light), "second.json"),
        (Export::Answer(Panel::Money), "third.json"),
    ];
    for (export, name) in exports {
        window.window().state.apply(Command::ExportTo(export, at(name)));
    }
    let told = log(&mut window);
    assert!(told.contains("the answer of Light as JSON: written after the plan"), "{told}");
    window.settle();
    assert!(at("first").join("plan.json").is_file());
    // The second one asks. The third one waits for the answer.
    assert!(window.has("Something is there already") && !at("third.json").exists());
    // What is asked for while the question is open waits as well.
    window.apply(Command::ExportTo(Export::Report, at("fourth.html")));
    assert!(window.has("Something is there already"), "the question comes back");
    window.click("Replace it");
    for name in ["second.json", "third.json", "fourth.html"] {
        let text = fs::read_to_string(at(name)).expect("it is there");
        assert!(text.len() > 5, "{name}: {text}");
    }
    // A question that is cancelled gives up its export alone.
    window.apply(Command::Break("relay:8".into()));
    window.window().state.apply(Command::ExportTo(Export::Plan, at("first")));
    fs::write(at("second.json"), "mine\n").expect("it can be written");
    window.window().state.apply(Command::ExportTo(Export::Answer(Panel::Light), at("second.json")));
    window.window().state.apply(Command::ExportTo(Export::AsBuiltForm, at("fifth.csv")));
    window.settle();
    window.click("Cancel");
    assert_eq!(fs::read_to_string(at("second.json")).expect("it is there"), "mine\n");
    assert!(at("fifth.csv").exists());
    // A stop tells what is not written.
    window.window().state.apply(Command::ExportTo(Export::Report, at("sixth.html")));
    window.window().state.apply(Command::ExportTo(Export::Drawings, at("seventh.html")));
    window.apply(Command::Stop(Panel::Exports));
    let told = log(&mut window);
    assert!(told.contains("stopped, and not written: the report"), "{told}");
    assert!(told.contains("stopped, and not written: the drawings"), "{told}");
    assert!(!at("sixth.html").exists() && !at("seventh.html").exists());
}

#[test]
fn the_question_of_an_export_waits_for_the_one_that_is_open() {
    let (mut window, place, _) = opened(SMALL, "design.toml");
    let file = place.path().join("light.json");
    fs::write(&file, "mine\n").expect("it can be written");
    window.window().state.apply(Command::ExportTo(Export::Answer(Panel::Light), file.clone()));
    window.apply(Command::SaveAs);
    let question = &window.window().state.question;
    assert!(matches!(question, Some(Question::Path(PathFor::SaveAs))), "{question:?}");
    window.apply(Command::Dismiss);
    window.click("Replace it");
    assert_ne!(fs::read_to_string(&file).expect("it is there"), "mine\n");
    // So does the message of one that is refused.
    window.window().state.apply(Command::ExportTo(Export::Plan, place.path().to_path_buf()));
    window.window().state.apply(Command::SaveAs);
    window.settle();
    assert!(window.has("Save the design as"));
    window.apply(Command::Dismiss);
    assert!(window.has("Export: this was not done"));
}

/// All texts of a picture of a panel that is not in front.
fn picture(window: &mut Driven, place: &Path, panel: Panel) -> String {
    let path = place.join(format!("{}.svg", panel.title()));
    let _ = fs::remove_file(&path);
    window.apply(Command::ExportTo(Export::Svg(panel), path.clone()));
    fs::read_to_string(path).map_or_else(|_| String::new(), |svg| read(&svg).0)
}

#[test]
fn a_picture_of_a_hidden_panel_is_of_the_present_design() {
    let (mut window, place, _) = opened(SMALL, "design.toml");
    window.apply(Command::Show(Panel::Exports));
    let first = picture(&mut window, place.path(), Panel::Money);
    assert!(first.contains("One multicast to all"), "{first}");
    // A change, and a picture before its answers are there.
    let change = Command::Change { setting: "fabric.tors", value: Some("24".into()) };
    window.window().state.apply(change);
    let second = picture(&mut window, place.path(), Panel::Money);
    assert!(second.contains("One multicast to all") && second != first, "{second}");
    assert!(!second.contains("earlier design"), "{second}");
    // It is the picture of the panel in front.
    for panel in Panel::ALL {
        let hidden = picture(&mut window, place.path(), panel);
        window.apply(Command::Only(Some(panel)));
        let in_front = picture(&mut window, place.path(), panel);
        window.apply(Command::Only(None));
        window.apply(Command::Show(Panel::Exports));
        assert!(hidden == in_front || panel == Panel::Log, "{}", panel.title());
    }
}

#[test]
fn no_picture_is_made_of_a_design_that_cannot_be_opened() {
    let (mut window, place, _) = opened(SMALL, "design.toml");
    window.apply(Command::Change { setting: "hall.inventory", value: Some("gone.csv".into()) });
    for panel in [Panel::Money, Panel::Fabric, Panel::Design] {
        assert_eq!(picture(&mut window, place.path(), panel), "", "{}", panel.title());
        assert!(window.has("the design cannot be opened"), "{}", panel.title());
        window.click("Understood");
    }
    for panel in [Panel::Text, Panel::Problems, Panel::Log] {
        let texts = picture(&mut window, place.path(), panel);
        assert!(texts.contains("gone.csv"), "{}: {texts}", panel.title());
    }
}

#[test]
fn a_picture_of_a_tree_that_plays_has_the_whole_tree() {
    let (mut window, place, _) = opened(SMALL, "design.toml");
    let still = place.path().join("still.svg");
    window.apply(Command::ExportTo(Export::Svg(Panel::Fabric), still.clone()));
    let plays = place.path().join("plays.svg");
    window.apply_without_waiting(Command::Animate(true));
    window.apply_without_waiting(Command::ExportTo(Export::Svg(Panel::Fabric), plays.clone()));
    while window.window().is_busy() {
        window.harness.step();
    }
    let lines = |path| {
        let svg = fs::read_to_string(path).expect("it is there");
        let (_, mut elements) = read(&svg);
        // Buttons and sliders may have other texts.
        elements.retain(|name, _| name != "text" && name != "tspan");
        elements
    };
    assert_eq!(lines(still), lines(plays));
}

#[test]
fn the_answer_about_a_tor_that_is_gone_is_refused() {
    let (mut window, place, _) = opened(SMALL, "design.toml");
    let trace = Selection::Fibre(TorId(11), TorId(10));
    for selection in [Selection::Tor(TorId(11)), trace, Selection::Port(TorId(11), 0)] {
        window.apply(Command::Select(selection));
        window.apply(Command::Change { setting: "fabric.tors", value: Some("8".into()) });
        let trace = [Export::Answer(Panel::Trace), Export::Trace];
        let trace = trace.into_iter().filter(|_| !matches!(selection, Selection::Tor(_)));
        for export in [Panel::Fabric, Panel::Rules].map(Export::Answer).into_iter().chain(trace) {
            let path = place.path().join("answer");
            window.apply(Command::ExportTo(export, path.clone()));
            let told = log(&mut window);
            let last = told.lines().last().unwrap_or_default();
            // Nothing that is not in the design stays selected.
            assert!(last.contains("select a"), "{}: {last}", export.name());
            assert!(!path.exists(), "{}", export.name());
            window.click("Understood");
        }
        window.apply(Command::Change { setting: "fabric.tors", value: Some("12".into()) });
    }
}

#[test]
fn a_close_before_all_exports_are_written_is_asked_about() {
    let (mut window, place, _) = opened(SMALL, "design.toml");
    let first = place.path().join("first");
    window.window().state.apply(Command::ExportTo(Export::Plan, first.clone()));
    window.window().state.apply(Command::Quit);
    assert!(!window.window().state.quits);
    assert_eq!(window.window().state.question, Some(Question::Writing));
    window.settle();
    assert!(first.join("plan.json").is_file());
    assert!(window.has("All exports are written now."));
    window.click("Stay");
    assert!(!window.window().state.quits);
    window.apply(Command::Quit);
    assert!(window.window().state.quits, "nothing is at work");
}
