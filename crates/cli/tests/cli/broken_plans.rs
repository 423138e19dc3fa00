//! A plan folder whose files cannot be read at all.

use std::fs;

use crate::bench::{Bench, SMALL};
use crate::reader::FILES;

fn planned() -> Bench {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    bench
}

/// Spoils each file in turn and expects a refusal that names it.
fn each_file(spoil: impl Fn(&std::path::Path)) {
    for file in FILES {
        let bench = planned();
        spoil(&bench.path("plan").join(file));
        bench.refuses(&["verify", "plan"], &[file]);
    }
}

#[test]
fn a_missing_file_is_named() {
    each_file(|path| fs::remove_file(path).expect("removed"));
}

#[test]
fn a_file_of_zeros_is_named() {
    each_file(|path| fs::write(path, [0; 100]).expect("written"));
}

#[test]
fn a_file_that_is_not_utf_8_is_named() {
    each_file(|path| fs::write(path, [0xff, 0xfe, b'{', 0xc3]).expect("written"));
}

#[test]
fn an_empty_file_is_named() {
    each_file(|path| fs::write(path, "").expect("written"));
}

#[test]
fn a_file_of_other_words_is_named() {
    each_file(|path| fs::write(path, "all is well\n").expect("written"));
}

#[test]
fn a_folder_in_place_of_a_file_is_named() {
    each_file(|path| {
        fs::remove_file(path).expect("removed");
        fs::create_dir(path).expect("a folder");
    });
}

#[test]
fn a_file_that_ends_in_the_middle_is_wrong_or_unreadable() {
    for file in FILES {
        let bench = planned();
        let path = bench.path("plan").join(file);
        let bytes = fs::read(&path).expect("a file");
        fs::write(&path, &bytes[..bytes.len() / 2]).expect("written");
        let ran = bench.verify("plan");
        assert!(ran.code == 1 || ran.code == 2, "{file}: {ran:?}");
        assert!((ran.stdout + &ran.stderr).contains(file));
    }
}

#[test]
fn rules_of_another_kind_are_named() {
    for rules in [
        "[]",
        "{\"relays\":[]}",
        "{\"relays\":{\"a\":[1]}}",
        "{\"relays\":{\"0\":[-1]}}",
        "{\"relays\":{},\"more\":1}",
        "{\"relays\":{}} {}",
        "null",
    ] {
        let bench = planned();
        bench.write("plan/rules.json", rules);
        bench.refuses(&["verify", "plan"], &["rules.json:1"]);
    }
}

#[test]
fn a_plan_nested_without_end_is_refused() {
    let bench = planned();
    bench.write("plan/plan.json", "[".repeat(1 << 20));
    bench.refuses(&["verify", "plan"], &["plan.json"]);
    bench.write("plan/plan.json", "{\"report\":".repeat(1 << 18));
    bench.refuses(&["verify", "plan"], &["plan.json"]);
}

#[test]
fn what_is_no_plan_folder_is_refused() {
    let bench = planned();
    fs::create_dir(bench.path("empty")).expect("a folder");
    bench.refuses(&["verify", "empty"], &["empty: ", "no plan.json"]);
    bench.refuses(&["verify", "absent"], &["absent"]);
    bench.refuses(&["verify", "plan/plan.json"], &["plan.json"]);
    bench.refuses(&["verify", ""], &[]);
    bench.refuses(&["verify", "--json", "empty"], &["empty: ", "no plan.json"]);
}
