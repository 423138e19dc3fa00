//! Nothing is written over what is not lightloom's, and nothing is written in halves.

use std::fs::{self, File};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, symlink};
use std::process::{Command, Stdio};

use crate::bench::{Bench, SMALL};
use crate::simulate::bench_with;

const SCENARIO: &str = "version = 1\nuntil = \"1 ms\"\n[network]\nkind = \"leaf-spine\"\nleaves = 1\nspines = 0\n\
                        hosts_per_leaf = 2\nrate = \"100 Gb/s\"\nlength = \"10 m\"\n[[flow]]\nfrom = 0\nto = 1\n\
                        size = \"64 kB\"\n";

fn plan_to<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["plan", "--out", out], &SMALL[..], more].concat()
}

/// A lightloom whose standard output is a device that is full.
pub(crate) fn full(bench: &Bench, args: &[&str]) -> (i32, String) {
    let out = File::options().write(true).open("/dev/full").expect("it is there");
    let ran = Command::new(env!("CARGO_BIN_EXE_lightloom"))
        .args(args)
        .current_dir(bench.path("."))
        .stdout(Stdio::from(out))
        .output()
        .expect("it runs");
    (ran.status.code().unwrap_or(-1), String::from_utf8_lossy(&ran.stderr).into_owned())
}

#[test]
fn devices_are_written_and_stay_devices() {
    let bench = bench_with(SCENARIO);
    bench.ask(&["simulate", "s.toml", "--trace", "/dev/null"]);
    bench.ask(&["simulate", "s.toml", "--pcap", "/dev/null:host 0>leaf 0"]);
    bench.refuses(&["simulate", "s.toml", "--trace", "/dev/full"], &["--trace", "No space left"]);
    for device in ["/dev/null", "/dev/full"] {
        let found = fs::symlink_metadata(device).expect("it is there");
        assert!(found.file_type().is_char_device(), "{device}");
    }
    assert_eq!(bench.names("."), ["s.toml"]);
}

#[test]
fn a_trace_goes_to_standard_output_before_the_answer() {
    let bench = bench_with(SCENARIO);
    for out in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        let ran = bench.run(&["simulate", "s.toml", "--trace", out]);
        assert_eq!(ran.code, 0, "{ran:?}");
        assert!(ran.stdout.starts_with("time_ps,node,port"), "{out}");
        assert!(ran.said().contains("flows completed"), "{out}");
    }
}

#[test]
fn what_somebody_has_beside_an_output_stays() {
    let bench = bench_with(SCENARIO);
    bench.write("x.csv.part", "mine");
    bench.ask(&["simulate", "s.toml", "--trace", "x.csv"]);
    assert_eq!(fs::read_to_string(bench.path("x.csv.part")).expect("it stays"), "mine");
    // The scenario has the name that a part of its trace once had.
    bench.write("run.toml.part", SCENARIO);
    bench.ask(&["simulate", "run.toml.part", "--trace", "run.toml"]);
    assert_eq!(fs::read_to_string(bench.path("run.toml.part")).expect("it stays"), SCENARIO);
    assert_eq!(bench.names("."), ["run.toml", "run.toml.part", "s.toml", "x.csv", "x.csv.part"]);
}

#[test]
fn a_folder_with_one_file_of_ones_own_is_not_replaced() {
    let bench = bench_with(SCENARIO);
    bench.plan("plan", &SMALL);
    let configs = ["configs", "plan", "--dialect", "openflow", "--out"];
    let cases: [(&str, Vec<&str>); 3] = [
        ("plan.json", plan_to("own", &[])),
        ("report.json", vec!["simulate", "s.toml", "--out", "own"]),
        ("configs.json", [&configs[..], &["own"]].concat()),
    ];
    for (name, args) in cases {
        fs::create_dir_all(bench.path("own")).expect("a folder");
        bench.write(&format!("own/{name}"), "{\"mine\": true}");
        bench.refuses(&args, &["own: holds", name]);
        fs::remove_file(bench.path("own").join(name)).expect("it stays");
    }
}

#[test]
fn nothing_is_written_into_a_plan() {
    let bench = bench_with(SCENARIO);
    bench.plan("g", &SMALL);
    for args in [
        &["as-built", "g", "--form", "g/form.csv"][..],
        &["netbox", "g", "--site", "S", "--out", "g/nb"],
        &["configs", "g", "--dialect", "openflow", "--out", "g/deep/configs"],
        &["report", "g", "--out", "g/report.html"],
        &["draw", "g", "--out", "g/drawings.html"],
        &["new", "--tors", "8", "--out", "g/design.toml"],
        &["simulate", "s.toml", "--trace", "g/trace.csv"],
        &["simulate", "s.toml", "--out", "g/out"],
        &["recover", "g", "--failed", "relay:1", "--apply", "g/repaired"],
    ] {
        bench.refuses(args, &["g"]);
    }
    assert_eq!(bench.verify("g").code, 0);
}

#[test]
fn nothing_is_written_into_a_folder_from_before_there_were_lists() {
    let bench = bench_with(SCENARIO);
    bench.plan("g", &SMALL);
    bench.ask(&["simulate", "s.toml", "--out", "runs"]);
    for folder in ["g", "runs"] {
        fs::remove_file(bench.path(folder).join("lightloom.sha256")).expect("it has one");
    }
    bench.refuses(&["as-built", "g", "--form", "g/form.csv"], &["g/form.csv", "would lie in"]);
    bench.refuses(&["report", "g", "--out", "g/report.html"], &["g/report.html", "would lie in"]);
    bench
        .refuses(&["simulate", "s.toml", "--trace", "runs/t.csv"], &["runs/t.csv", "would lie in"]);
    assert_eq!(bench.verify("g").code, 0);
    // Such folders are replaced all the same.
    bench.plan("g", &["--family", "kautz", "--p", "2", "--tors", "6"]);
    bench.ask(&["simulate", "s.toml", "--out", "runs"]);
}

#[test]
fn links_with_the_names_of_locks_are_not_followed() {
    let bench = Bench::new();
    bench.write("mine", "mine");
    for planted in [".plan.lightloom-lock", ".plan.lightloom-new", ".plan.lightloom-old"] {
        symlink("mine", bench.path(planted)).expect("a link");
    }
    bench.plan("plan", &SMALL);
    assert_eq!(fs::read_to_string(bench.path("mine")).expect("it stays"), "mine");
    assert_eq!(bench.verify("plan").code, 0);
}

#[test]
fn new_files_have_the_rights_of_other_new_files_and_replace_nothing() {
    let bench = Bench::new();
    bench.write("other", "by the system");
    bench.plan("plan", &SMALL);
    bench.ask(&["new", "--tors", "8", "--out", "design.toml"]);
    bench.ask(&["as-built", "plan", "--form", "form.csv"]);
    let mode = |name: &str| fs::metadata(bench.path(name)).expect("it is there").mode();
    for name in ["design.toml", "form.csv", "plan/plan.json"] {
        assert_eq!(mode(name), mode("other"), "{name}");
    }
    bench.refuses(
        &["new", "--tors", "8", "--out", "design.toml"],
        &["design.toml", "there already"],
    );
    bench.refuses(&["as-built", "plan", "--form", "form.csv"], &["form.csv", "there already"]);
}

#[test]
fn the_list_of_a_folder_is_one_that_other_programs_check() {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    let check = || {
        let mut check = Command::new("sha256sum");
        check.args(["--check", "--quiet", "lightloom.sha256"]).current_dir(bench.path("plan"));
        check.stdout(Stdio::null()).stderr(Stdio::null()).status().expect("it runs").success()
    };
    assert!(check());
    bench.write("plan/rules.json", "{}");
    assert!(!check());
    bench.refuses(&plan_to("plan", &[]), &["plan: \"rules.json\" was changed after"]);
}

#[test]
fn what_was_written_is_said_where_the_answer_cannot_be_printed() {
    let bench = bench_with(SCENARIO);
    let cases: [(Vec<&str>, &str); 4] = [
        (plan_to("plan", &["--json"]), "plan"),
        (vec!["simulate", "s.toml", "--out", "out", "--trace", "t.csv"], "out, t.csv"),
        (vec!["new", "--tors", "8", "--out", "design.toml"], "design.toml"),
        (vec!["man", "pages"], "pages"),
    ];
    for (args, written) in cases {
        let (code, told) = full(&bench, &args);
        assert_eq!(code, 2, "{told}");
        let wanted = format!("this was written, and stays: {written}\n");
        assert!(told.contains("No space left") && told.ends_with(&wanted), "{told}");
    }
    assert_eq!(bench.verify("plan").code, 0);
    let (code, told) = full(&bench, &["info", "--tors", "8", "--family", "kautz", "--p", "2"]);
    assert!(code == 2 && !told.contains("was written"), "{told}");
}
