//! What an interrupted run leaves is put in order by the next one.

use std::fs;

use crate::bench::{Bench, SMALL};
use crate::reader::FILES;

const OTHER: [&str; 6] = ["--family", "kautz", "--p", "2", "--tors", "5"];

#[test]
fn a_new_folder_half_written_is_cleared() {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    fs::create_dir(bench.path(".plan.lightloom-new")).expect("a folder");
    bench.write(".plan.lightloom-new/cables.csv", "label,ki");
    bench.plan("plan", &OTHER);
    assert_eq!(bench.names("."), ["plan"]);
    assert_eq!(bench.ask(&["verify", "plan"])["verification"]["sources"], 5);
}

#[test]
fn an_old_plan_that_was_moved_away_is_put_back_before_anything_else() {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    fs::rename(bench.path("plan"), bench.path(".plan.lightloom-old")).expect("moved");
    fs::create_dir(bench.path(".plan.lightloom-new")).expect("a folder");
    bench.write(".plan.lightloom-new/plan.json", "{");
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
    bench.plan(".plan.lightloom-old", &OTHER);
    bench.plan("plan", &SMALL);
    assert_eq!(bench.names("."), ["plan"]);
    assert_eq!(bench.ask(&["verify", "plan"])["verification"]["sources"], 8);
}

#[test]
fn the_lock_of_a_run_that_was_killed_locks_nobody_out() {
    let bench = Bench::new();
    bench.write(".plan.lightloom-lock", "");
    bench.plan("plan", &SMALL);
    assert_eq!(bench.names("plan"), FILES);
    assert_eq!(bench.names("."), ["plan"]);
}

#[test]
fn a_foreign_file_in_a_leftover_is_never_removed() {
    for leftover in [".plan.lightloom-new", ".plan.lightloom-old"] {
        let bench = Bench::new();
        bench.plan("plan", &SMALL);
        fs::create_dir(bench.path(leftover)).expect("a folder");
        bench.write(&format!("{leftover}/notes.txt"), "mine");
        bench.refuses(&[&["plan", "--out", "plan"], &SMALL[..]].concat(), &[leftover]);
    }
}
