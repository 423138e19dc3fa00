//! What an interrupted run leaves is put in order by the next one.

use std::fs;

use crate::bench::{Bench, SMALL};

/// What a run that is killed leaves beside `plan`.
const LEFT: &str = ".plan.lightloom-0123456789abcdef";
const OTHER: [&str; 6] = ["--family", "kautz", "--p", "2", "--tors", "5"];

#[test]
fn a_new_folder_half_written_is_cleared() {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    fs::create_dir(bench.path(LEFT)).expect("a folder");
    bench.write(&format!("{LEFT}/cables.csv"), "label,ki");
    bench.plan("plan", &OTHER);
    assert_eq!(bench.names("."), ["plan"]);
    assert_eq!(bench.ask(&["verify", "plan"])["verification"]["sources"], 5);
}

#[test]
fn an_old_plan_that_was_moved_away_is_put_back_before_anything_else() {
    // So it is on a file system that cannot exchange two folders.
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    bench.write("plan/.lightloom-moved", "");
    fs::rename(bench.path("plan"), bench.path(LEFT)).expect("moved");
    // This run is refused for its design, and yet mends.
    let ran = bench.run(&["plan", "--out", "plan", "--family", "kautz", "--p", "1", "--tors", "9"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert_eq!(bench.names("."), ["plan"]);
    assert_eq!(bench.ask(&["verify", "plan"])["verification"]["sources"], 8);
}

#[test]
fn an_old_plan_that_was_not_yet_removed_goes() {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    bench.plan(LEFT, &OTHER);
    bench.plan("plan", &SMALL);
    assert_eq!(bench.names("."), ["plan"]);
    assert_eq!(bench.ask(&["verify", "plan"])["verification"]["sources"], 8);
}

#[test]
fn a_foreign_file_in_a_leftover_is_never_removed() {
    let bench = Bench::new();
    fs::create_dir(bench.path(LEFT)).expect("a folder");
    bench.write(&format!("{LEFT}/notes.txt"), "mine");
    bench.plan("plan", &SMALL);
    assert_eq!(bench.names("."), [LEFT, "plan"]);
    assert_eq!(bench.names(LEFT), ["notes.txt"]);
}
