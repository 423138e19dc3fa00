//! What is shown and written is of the present design, its files and the present scenario, or says that it is not.

use std::fs;
use std::path::{Path, PathBuf};

use lightloom::{Method, Project, Request, TorId};
use lightloom_window::command::{Command, Export, Selection};
use lightloom_window::panel::Panel;
use lightloom_window::twin::{Build, Twin};

use crate::drive::{Driven, shown};

const RING: &str = "version = 1\n[fabric]\nfamily = \"shufflecast\"\np = 4\nk = 2\n";

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).expect("it can be written");
    path
}

fn kautz(p: u32, tors: u32, more: &str) -> String {
    format!("version = 1\n[fabric]\nfamily = \"kautz\"\np = {p}\ntors = {tors}\n{more}")
}

fn last_line(window: &mut Driven) -> String {
    window.window().state.log.last().map_or_else(String::new, |line| line.text.clone())
}

fn tors(window: &mut Driven) -> usize {
    window.window().state.current().expect("it is opened").fabric().tors()
}

#[test]
fn a_design_that_cannot_be_opened_is_not_taken_for_the_one_before() {
    let place = tempfile::tempdir().expect("a folder");
    let good = write(place.path(), "good.toml", &kautz(4, 64, ""));
    let bad = kautz(2, 10, "[hall]\ninventory = \"missing.csv\"\n");
    let bad = write(place.path(), "bad.toml", &bad);
    let mut window = Driven::new();
    window.apply(Command::OpenFile(good));
    window.apply(Command::OpenFile(bad));
    let told = "The present design cannot be opened. This is about the last one that could.";
    for panel in [Panel::Fabric, Panel::Hall, Panel::Light, Panel::Money, Panel::Rules] {
        window.apply(Command::Only(Some(panel)));
        assert!(shown(&window).contains(told), "{}", panel.title());
    }
    let plan = place.path().join("plan");
    window.apply(Command::ExportTo(Export::Plan, plan.clone()));
    assert!(
        !plan.exists() && last_line(&mut window).contains("missing.csv"),
        "{}",
        last_line(&mut window)
    );
}

#[test]
fn files_that_a_design_names_are_read_again() {
    let place = tempfile::tempdir().expect("a folder");
    let racks = |count: usize| {
        let rows: String = (1..=count).map(|n| format!("N{n},A,{n}\n")).collect();
        format!("name,row,position\n{rows}")
    };
    let inventory = write(place.path(), "racks.csv", &racks(12));
    let text =
        "version = 1\n[fabric]\nfamily = \"kautz\"\np = 2\n[hall]\ninventory = \"racks.csv\"\n";
    let design = write(place.path(), "a.toml", text);
    let mut window = Driven::new();
    window.apply(Command::OpenFile(design.clone()));
    assert_eq!(tors(&mut window), 12);
    fs::write(&inventory, racks(16)).expect("it can be written");
    window.apply(Command::OpenFile(design));
    assert_eq!(tors(&mut window), 16);
    // Another program changes it while the window is open.
    fs::write(&inventory, racks(18)).expect("it can be written");
    window.apply(Command::LookAgain);
    window.settle();
    assert_eq!(tors(&mut window), 18);
    assert!(last_line(&mut window).contains("racks.csv was changed and is read again"));
    // Nothing changed: nothing is opened again.
    let before = window.window().state.answers.opened.number();
    window.apply(Command::LookAgain);
    window.settle();
    assert_eq!(window.window().state.answers.opened.number(), before);
}

#[test]
fn a_recovered_plan_is_shown_with_its_failures() {
    let place = tempfile::tempdir().expect("a folder");
    let design = write(place.path(), "a.toml", RING);
    let mut window = Driven::new();
    window.apply(Command::OpenFile(design));
    window.apply(Command::Break("relay:8".into()));
    window.apply(Command::Recover);
    let plan = place.path().join("plan");
    window.apply(Command::ExportTo(Export::Recovered, plan.clone()));
    window.apply(Command::OpenFile(plan));
    let work = window.window().state.work.now();
    assert_eq!(work.broken, ["relay:8"]);
    assert!(work.repair.is_some() && matches!(work.method, Method::Replan(_)));
    window.apply(Command::Only(Some(Panel::Failures)));
    assert!(!shown(&window).contains("Nothing is broken"));
}

#[test]
fn a_plan_whose_files_were_edited_is_refused_and_no_plan_is_saved_as_a_design() {
    let place = tempfile::tempdir().expect("a folder");
    let design = write(place.path(), "a.toml", RING);
    let plan = place.path().join("plan");
    let mut window = Driven::new();
    window.apply(Command::OpenFile(design));
    window.apply(Command::ExportTo(Export::Plan, plan.clone()));
    window.apply(Command::OpenFile(plan.clone()));
    let saved = place.path().join("saved.toml");
    window.apply(Command::SaveTo(saved.clone()));
    assert!(!saved.exists() && last_line(&mut window).contains("only looked at"));
    let cables = plan.join("cables.csv");
    let text = fs::read_to_string(&cables).expect("it is there");
    fs::write(&cables, text.replace("F1,", "X1,")).expect("it can be written");
    window.apply(Command::OpenFile(plan));
    assert!(last_line(&mut window).contains("cables.csv"), "{}", last_line(&mut window));
}

#[test]
fn a_run_is_of_the_texts_on_the_screen_or_says_that_it_is_not() {
    let place = tempfile::tempdir().expect("a folder");
    let design = write(place.path(), "d.toml", &kautz(2, 8, ""));
    let mut window = Driven::new();
    window.apply(Command::OpenFile(design));
    // The change is not saved.
    window.apply(Command::Change { setting: "fabric.tors", value: Some("16".into()) });
    window.apply(Command::Twin(Twin::Build(Build::OfDesign)));
    window.apply(Command::Only(Some(Panel::Twin)));
    let hosts = window.window().state.answers.checked.last().expect("it is read").network.hosts;
    let design: Project = {
        let text = window.text();
        let file = write(place.path(), "e.toml", &text);
        lightloom::open(&Request { design: Some(file), ..Request::default() }).expect("it opens")
    };
    assert_eq!(design.fabric().tors(), 16);
    assert_eq!(hosts % 16, 0, "{hosts} hosts");
    window.apply(Command::Run);
    window.settle();
    assert!(window.window().state.current_run().is_some());
    window.apply(Command::Change { setting: "fabric.tors", value: Some("12".into()) });
    assert!(window.window().state.current_run().is_none());
    assert!(shown(&window).contains("This run is of an earlier text."));
    let results = place.path().join("results");
    window.apply(Command::ExportTo(Export::Results, results.clone()));
    assert!(!results.exists(), "{}", last_line(&mut window));
}

#[test]
fn the_hall_marks_who_is_cut_off_now() {
    let place = tempfile::tempdir().expect("a folder");
    let design = write(place.path(), "a.toml", RING);
    let mut window = Driven::new();
    window.apply(Command::OpenFile(design));
    window.apply(Command::Only(Some(Panel::Fabric)));
    window.apply(Command::Select(Selection::Tor(TorId(5))));
    window.apply(Command::Break("tor:9".into()));
    window.apply(Command::Only(Some(Panel::Hall)));
    let cut = |window: &mut Driven| {
        let answers = &window.window().state.answers;
        answers.tree(TorId(5)).expect("it is asked").missed.len()
    };
    assert!(cut(&mut window) > 0);
    window.apply(Command::MendAll);
    assert_eq!(cut(&mut window), 0);
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_are_refused() {
    let mut window = Driven::new();
    for path in ["/dev/zero", "/dev/null"] {
        window.apply(Command::OpenFile(path.into()));
        assert!(
            last_line(&mut window).contains("not a regular file"),
            "{}",
            last_line(&mut window)
        );
        window.apply(Command::Dismiss);
    }
}
