//! Files that are read again: those of a design and of a plan, and what is said of answers to the earlier ones.

use std::fs;
use std::path::{Path, PathBuf};

use egui_kittest::kittest::Queryable as _;
use lightloom::failures::Method;
use lightloom::light::{Case, ElementReport};
use lightloom_window::command::{Command, Export, Selection};
use lightloom_window::panel::Panel;
use lightloom_window::state::questions::{PathFor, Question};
use lightloom_window::words;

use crate::drive::{Driven, last_line, shown, write};

fn kautz(tors: u32, more: &str) -> String {
    format!("version = 1\n[fabric]\nfamily = \"kautz\"\np = 2\ntors = {tors}\n{more}")
}

/// Writes the plan of a design with this number of ToRs.
fn plan_of(window: &mut Driven, place: &Path, tors: u32, name: &str) -> PathBuf {
    let design = write(place, &format!("{name}.toml"), &kautz(tors, ""));
    window.apply(Command::OpenFile(design));
    let plan = place.join(name);
    window.apply(Command::ExportTo(Export::Plan, plan.clone()));
    assert!(plan.join("plan.json").exists(), "{}", last_line(window));
    plan
}

#[test]
fn a_plan_that_is_read_again_keeps_the_work() {
    let place = tempfile::tempdir().expect("a folder");
    let mut window = Driven::new();
    let other = plan_of(&mut window, place.path(), 12, "other");
    let plan = plan_of(&mut window, place.path(), 16, "plan");
    window.apply(Command::OpenFile(plan.clone()));
    window.apply(Command::Break("relay:3".into()));
    window.apply(Command::Break("relay:15".into()));
    window.apply(Command::Recover);
    let broken = |window: &mut Driven| window.window().state.work.now().broken.clone();
    window.apply(Command::ReadAgain);
    assert_eq!(broken(&mut window), ["relay:3", "relay:15"]);
    assert!(window.window().state.work.now().repair.is_some());
    assert!(window.window().state.work.can_undo());
    assert!(last_line(&mut window).contains("again"), "{}", last_line(&mut window));

    // A folder that cannot be read for a moment takes nothing away.
    let aside = place.path().join("aside");
    fs::rename(&plan, &aside).expect("it can be moved");
    window.apply(Command::ReadAgain);
    assert!(last_line(&mut window).starts_with("Read again: "), "{}", last_line(&mut window));
    window.apply(Command::Dismiss);
    window.apply(Command::Break("relay:5".into()));
    assert_eq!(broken(&mut window), ["relay:3", "relay:15", "relay:5"]);

    // The plan has become smaller: it has no ToR 15.
    fs::rename(&other, &plan).expect("it can be moved");
    window.apply(Command::ReadAgain);
    assert_eq!(broken(&mut window), ["relay:3", "relay:5"]);
    let told = window.window().state.log.iter().any(|line| line.text.contains("no relay:15"));
    assert!(told, "{}", shown(&window));
    assert_eq!(window.window().state.current().expect("it is read").fabric().tors(), 12);
    window.apply(Command::Undo);
    assert_eq!(broken(&mut window), ["relay:3", "relay:15", "relay:5"]);
}

/// A scenario with a flow over a design.
fn scenario(place: &Path, design: &str) -> PathBuf {
    let text = format!(
        "version = 1\nuntil = \"1 ms\"\n[network]\nkind = \"design\"\nfile = \"{design}\"\n\
         hosts_per_tor = 1\nspines = 1\nrate = \"100 Gb/s\"\nlength = \"3 m\"\n\
         [[flow]]\nfrom = 0\nto = 3\nsize = \"20 kB\"\n"
    );
    write(place, "scenario.toml", &text)
}

fn racks(count: usize) -> String {
    let rows: String = (1..=count).map(|n| format!("N{n},A,{n}\n")).collect();
    format!("name,row,position\n{rows}")
}

/// A design whose racks are in a file.
const WITH_RACKS: &str =
    "version = 1\n[fabric]\nfamily = \"kautz\"\np = 2\n[hall]\ninventory = \"racks.csv\"\n";

#[test]
fn a_run_of_earlier_files_is_not_the_present_one() {
    let place = tempfile::tempdir().expect("a folder");
    let inventory = write(place.path(), "racks.csv", &racks(12));
    let mut window = Driven::new();
    window.apply(Command::OpenFile(write(place.path(), "a.toml", WITH_RACKS)));
    window.apply(Command::ScenarioFile(scenario(place.path(), "a.toml")));
    window.apply(Command::Only(Some(Panel::Twin)));
    window.apply(Command::Run);
    assert!(window.window().state.current_run().is_some());
    // The same racks are further apart.
    fs::write(&inventory, racks(12).replace("N12,A,12", "N12,A,40")).expect("it can be written");
    window.apply(Command::LookAgain);
    assert!(window.window().state.current_run().is_none());
    assert!(!window.window().state.run_is_of_design());
    assert!(shown(&window).contains("of earlier files. Run the scenario again."));
    for export in [Export::Results, Export::Answer(Panel::Twin)] {
        let results = place.path().join("results");
        window.apply(Command::ExportTo(export, results.clone()));
        assert!(!results.exists(), "{}", last_line(&mut window));
        window.apply(Command::Dismiss);
    }
    // A run reads the files as they are then, also those that were not read again before.
    fs::write(&inventory, racks(12)).expect("it can be written");
    window.apply(Command::Run);
    window.apply(Command::LookAgain);
    assert!(window.window().state.current_run().is_some());
}

#[test]
fn a_run_of_an_earlier_plan_is_not_the_present_one() {
    let place = tempfile::tempdir().expect("a folder");
    let mut window = Driven::new();
    let plan = plan_of(&mut window, place.path(), 12, "plan");
    window.apply(Command::OpenFile(plan));
    window.apply(Command::ScenarioFile(scenario(place.path(), "plan")));
    window.apply(Command::Run);
    assert!(window.window().state.run_is_of_design());
    window.apply(Command::ReadAgain);
    assert!(window.window().state.current_run().is_none());
    assert!(!window.window().state.run_is_of_design());
    window.apply(Command::Run);
    assert!(window.window().state.run_is_of_design());
}

#[test]
fn a_design_that_was_refused_for_a_file_is_opened_when_that_file_is_mended() {
    let place = tempfile::tempdir().expect("a folder");
    let mut window = Driven::new();
    window.apply(Command::OpenFile(write(place.path(), "good.toml", &kautz(16, ""))));
    window.apply(Command::OpenFile(write(place.path(), "a.toml", WITH_RACKS)));
    let opened = |window: &mut Driven| {
        window.window().state.current().map(|project| project.fabric().tors()).ok()
    };
    assert_eq!(opened(&mut window), None);
    let lines = window.window().state.log.len();
    window.apply(Command::LookAgain);
    assert_eq!(opened(&mut window), None);
    // It is there, but it is wrong.
    let inventory = write(place.path(), "racks.csv", "name,row\nN1,A\n");
    window.apply(Command::LookAgain);
    assert_eq!(opened(&mut window), None);
    fs::write(&inventory, racks(12)).expect("it can be written");
    window.apply(Command::LookAgain);
    assert_eq!(opened(&mut window), Some(12));
    assert_eq!(window.window().state.log.len(), lines, "the log has no new line");
    // It is spoilt, and mended again.
    fs::write(&inventory, "name,row\nN1,A\n").expect("it can be written");
    window.apply(Command::LookAgain);
    assert_eq!(opened(&mut window), None);
    fs::write(&inventory, racks(14)).expect("it can be written");
    window.apply(Command::LookAgain);
    assert_eq!(opened(&mut window), Some(14));
}

#[test]
fn rows_of_another_design_are_neither_copied_nor_exported() {
    let place = tempfile::tempdir().expect("a folder");
    let mut window = Driven::new();
    window.apply(Command::OpenFile(write(place.path(), "a.toml", &kautz(12, ""))));
    window.apply(Command::Only(Some(Panel::Light)));
    let waiting = |window: &mut Driven| {
        let state = &window.window().state;
        matches!(state.question, Some(Question::Path(PathFor::Export(Export::Rows(_)))))
    };
    window.click("Export the rows");
    assert!(waiting(&mut window));
    // The design is changed while the question is open.
    window.apply(Command::Change { setting: "fabric.tors", value: Some("14".into()) });
    let file = place.path().join("rows.csv");
    window.apply(Command::ExportTo(Export::Rows(Panel::Light), file.clone()));
    assert!(!file.exists(), "{}", last_line(&mut window));
    assert!(last_line(&mut window).contains("export the rows again"));
    window.apply(Command::Dismiss);

    // The design cannot be opened: the rows are those of the last one that could.
    window.apply(Command::Change { setting: "fabric.tors", value: Some("1".into()) });
    assert!(window.window().state.current().is_err());
    for button in ["Export the rows", "Copy the rows"] {
        window.click(button);
        assert!(!waiting(&mut window), "{button}");
        let last = last_line(&mut window);
        assert!(last.starts_with("Rows: the design cannot be opened"), "{last}");
        window.apply(Command::Dismiss);
    }

    // The design is changed while the panel is hidden.
    window.apply(Command::Only(Some(Panel::Cabling)));
    window.apply(Command::Change { setting: "fabric.tors", value: Some("16".into()) });
    for row in ["light: export the rows", "light: copy the rows", "explore: export the rows"] {
        window.harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::P);
        window.settle();
        window.harness.get_by_label("Command").type_text(row);
        window.settle();
        window.harness.key_press(egui::Key::Enter);
        window.settle();
        assert!(!waiting(&mut window), "{row}");
        let last = last_line(&mut window);
        assert!(last.starts_with("Rows: there are no rows of the present design"), "{last}");
        window.apply(Command::Dismiss);
    }
    window.apply(Command::Only(Some(Panel::Light)));
    window.click("Export the rows");
    assert!(waiting(&mut window));
    window.apply(Command::ExportTo(Export::Rows(Panel::Light), file.clone()));
    assert!(file.exists(), "{}", last_line(&mut window));
}

#[test]
fn errors_that_no_longer_hold_are_not_told() {
    let place = tempfile::tempdir().expect("a folder");
    let mut window = Driven::new();
    window.apply(Command::OpenFile(write(place.path(), "a.toml", &kautz(12, ""))));
    window.apply(Command::Only(Some(Panel::Light)));
    window.apply_without_waiting(Command::LightCase(Case::Typical));
    window.window().state.apply(Command::Stop(Panel::Light));
    let why = window.window().state.answers.light.refused().cloned().expect("it was stopped");
    let why = words::text_of(&why);
    window.apply(Command::Only(Some(Panel::Problems)));
    let told = |window: &Driven| {
        let shown = shown(window);
        let mut lines: Vec<&str> = shown.lines().filter(|line| line.contains('✖')).collect();
        // A link is there twice: as a link, and as its text.
        lines.dedup();
        lines.join("\n")
    };
    let before = told(&window);
    assert_eq!(before.matches(&why).count(), 1, "{before}");
    // The design is changed while that panel is hidden.
    window.apply(Command::Change { setting: "fabric.tors", value: Some("14".into()) });
    assert_eq!(told(&window), "");

    // A method that does not apply is told as long as it is asked for.
    window.apply(Command::Break("relay:8".into()));
    window.apply(Command::RecoverBy(Method::Algorithm2));
    for panel in [Panel::Failures, Panel::Problems] {
        window.apply(Command::Recover);
        window.apply(Command::Only(Some(Panel::Failures)));
        window.apply(Command::Only(Some(panel)));
        assert!(told(&window).contains("algorithm2"), "{}: {}", panel.title(), told(&window));
        window.apply(Command::Unrecover);
        assert_eq!(told(&window), "", "{}", panel.title());
    }
}

#[test]
fn a_case_whose_work_was_stopped_is_asked_again_by_choosing_it() {
    let place = tempfile::tempdir().expect("a folder");
    let mut window = Driven::new();
    window.apply(Command::OpenFile(write(place.path(), "a.toml", &kautz(12, ""))));
    window.apply(Command::Only(Some(Panel::Light)));
    let fibre = {
        let branch = &window.window().state.answers.light.last().expect("it is there").branches[0];
        Selection::Fibre(branch.from_tor, branch.to_tor)
    };
    window.apply(Command::Select(fibre));
    let case_of_bars =
        |window: &Driven, case| shown(window).contains(ElementReport::counted_text(case));
    assert!(case_of_bars(&window, Case::Worst));
    window.apply_without_waiting(Command::LightCase(Case::Typical));
    window.window().state.apply(Command::Stop(Panel::Light));
    window.settle();
    let case_of_rows =
        |window: &mut Driven| window.window().state.answers.light.last().expect("it is there").case;
    assert_eq!(case_of_rows(&mut window), Case::Worst);
    assert!(case_of_bars(&window, Case::Typical) && !case_of_bars(&window, Case::Worst));
    window.apply(Command::LightCase(Case::Typical));
    assert_eq!(case_of_rows(&mut window), Case::Typical);
}
