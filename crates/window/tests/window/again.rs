//! Files that are read again: those of a design and of a plan, and what is said of answers to the earlier ones.

use std::fs;
use std::path::{Path, PathBuf};

use lightloom_window::command::{Command, Export};

use crate::drive::{Driven, shown};

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).expect("it can be written");
    path
}

fn kautz(tors: u32, more: &str) -> String {
    format!("version = 1\n[fabric]\nfamily = \"kautz\"\np = 2\ntors = {tors}\n{more}")
}

fn last_line(window: &mut Driven) -> String {
    window.window().state.log.last().map_or_else(String::new, |line| line.text.clone())
}

/// Writes the plan of a design with so many ToRs.
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
