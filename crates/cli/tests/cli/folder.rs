//! What `--out` may be, and what is on disk afterwards.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use crate::bench::{Bench, SMALL};
use crate::reader::FILES;

fn plan_to(out: &str) -> Vec<&str> {
    [&["plan", "--out", out], &SMALL[..]].concat()
}

#[test]
fn a_plan_leaves_its_folder_and_nothing_beside_it() {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    bench.plan("plan", &["--family", "kautz", "--p", "4", "--tors", "20"]);
    assert_eq!(bench.names("."), ["plan"]);
    assert_eq!(bench.names("plan"), FILES);
}

#[test]
fn missing_parents_are_made() {
    let bench = Bench::new();
    bench.plan("a/b/plan", &SMALL);
    assert_eq!(bench.names("a/b"), ["plan"]);
    assert_eq!(bench.verify("a/b/plan/").code, 0);
}

#[test]
fn an_empty_folder_is_filled_and_a_trailing_slash_means_nothing() {
    let bench = Bench::new();
    fs::create_dir(bench.path("plan")).expect("a folder");
    bench.plan("plan/", &SMALL);
    assert_eq!(bench.names("plan"), FILES);
    assert_eq!(bench.names("."), ["plan"]);
}

#[test]
fn a_folder_with_foreign_files_is_refused_and_left_alone() {
    for foreign in ["plan/notes.txt", "plan/.hidden", "plan/cables.csv.bak"] {
        let bench = Bench::new();
        bench.plan("plan", &SMALL);
        bench.write(foreign, "mine");
        let name = foreign.trim_start_matches("plan/");
        bench.refuses(&plan_to("plan"), &["plan: holds", name]);
    }
}

#[test]
fn a_folder_with_a_namesake_of_a_plan_file_but_no_plan_is_refused() {
    let bench = Bench::new();
    fs::create_dir(bench.path("data")).expect("a folder");
    bench.write("data/cables.csv", "my own list");
    bench.refuses(&plan_to("data"), &["data: holds", "cables.csv"]);
}

#[test]
fn a_folder_inside_the_plan_folder_is_foreign_too() {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    fs::create_dir(bench.path("plan/old")).expect("a folder");
    bench.refuses(&plan_to("plan"), &["plan: holds", "old"]);
}

#[test]
fn a_file_in_place_of_the_folder_is_refused() {
    let bench = Bench::new();
    bench.write("plan", "my notes");
    bench.refuses(&plan_to("plan"), &["plan: ", "file"]);
    bench.refuses(&plan_to("plan/below"), &["plan"]);
}

#[test]
fn a_path_without_a_name_is_refused() {
    let bench = Bench::new();
    bench.refuses(&plan_to("absent/.."), &["name a folder"]);
    bench.refuses(&plan_to("/"), &["name a folder"]);
    bench.refuses(&plan_to(""), &[]);
}

#[test]
fn the_folder_above_is_refused_for_what_it_holds() {
    let bench = Bench::new();
    fs::create_dir(bench.path("here")).expect("a folder");
    let before = bench.snapshot();
    let ran = bench.run_in("here", &plan_to(".."));
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.stderr.contains("here"), "{ran:?}");
    assert!(bench.snapshot() == before);
}

#[test]
fn the_working_folder_is_filled_or_refused_but_never_lost() {
    let bench = Bench::new();
    fs::create_dir(bench.path("here")).expect("a folder");
    let ran = bench.run_in("here", &plan_to("."));
    assert_eq!(bench.names("."), ["here"], "{ran:?}");
    match ran.code {
        0 => assert_eq!(bench.verify("here").code, 0),
        _ => assert!(bench.names("here").is_empty(), "{ran:?}"),
    }
}

#[test]
fn a_link_to_a_folder_stays_a_link() {
    let bench = Bench::new();
    bench.plan("real", &SMALL);
    symlink("real", bench.path("link")).expect("a link");
    bench.plan("link", &["--family", "kautz", "--p", "2", "--tors", "5"]);
    assert!(bench.path("link").is_symlink());
    assert_eq!(bench.names("."), ["link", "real"]);
    assert_eq!(bench.ask(&["verify", "real"])["verification"]["sources"], 5);
}

#[test]
fn a_link_to_nowhere_is_refused_and_leaves_nothing() {
    let bench = Bench::new();
    symlink("nowhere", bench.path("link")).expect("a link");
    bench.refuses(&plan_to("link"), &["link"]);
}

#[test]
fn a_parent_that_cannot_be_written_is_refused() {
    let bench = Bench::new();
    fs::create_dir(bench.path("locked")).expect("a folder");
    let permit = |mode| {
        let permissions = fs::Permissions::from_mode(mode);
        fs::set_permissions(bench.path("locked"), permissions).expect("permissions");
    };
    permit(0o555);
    let ran = bench.run(&plan_to("locked/plan"));
    let root = fs::write(bench.path("locked/probe"), "").is_ok();
    permit(0o755);
    if root {
        assert_eq!(ran.code, 0, "root may write anywhere: {ran:?}");
    } else {
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.stderr.contains("locked"), "{ran:?}");
        assert!(bench.names("locked").is_empty());
    }
}

#[test]
fn a_plan_that_fails_leaves_the_old_one_byte_for_byte() {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    bench.write("racks.csv", "name,row,position\nA,1,1\n");
    let failing: [&[&str]; 4] = [
        &["--family", "kautz", "--p", "2", "--tors", "9", "--inventory", "racks.csv"],
        &["--family", "kautz", "--p", "1", "--tors", "9"],
        &["--family", "shufflecast", "--p", "2", "--k", "2", "--placement", "absent.csv"],
        &["absent.toml"],
    ];
    for args in failing {
        bench.refuses(&[&["plan", "--out", "plan"], args].concat(), &[]);
    }
    assert_eq!(bench.verify("plan").code, 0);
}

#[test]
fn a_refused_plan_makes_no_folders() {
    let bench = Bench::new();
    bench.refuses(
        &["plan", "--out", "a/b/c", "--family", "kautz", "--p", "1", "--tors", "9"],
        &["--p"],
    );
    assert!(bench.names(".").is_empty());
}
