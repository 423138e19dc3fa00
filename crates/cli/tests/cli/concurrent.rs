//! Two runs into one folder: the plan of one or the other, whole.

use std::process::{Command, Stdio};

use crate::bench::Bench;
use crate::reader::{FILES, Plan};

#[test]
fn two_runs_at_once_never_leave_a_mixed_folder() {
    let bench = Bench::new();
    for round in 0..6 {
        let start = |tors: &str| {
            Command::new(env!("CARGO_BIN_EXE_lightloom"))
                .args(["plan", "--family", "kautz", "--p", "4", "--tors", tors, "--out", "plan"])
                .current_dir(bench.path("."))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("the command starts")
        };
        let runs = [start("100"), start("101")];
        let codes = runs.map(|mut run| run.wait().expect("an end").code().expect("no signal"));
        assert!(codes.iter().all(|code| [0, 2].contains(code)), "{round}: {codes:?}");
        assert!(bench.names(".").iter().all(|name| name == "plan"), "{round}: stray files");
        if bench.path("plan").exists() {
            assert_eq!(bench.names("plan"), FILES);
            assert_eq!(bench.verify("plan").code, 0, "{round}");
            let tors = Plan::read(&bench, "plan").rules.len();
            assert!(tors == 100 || tors == 101);
        } else {
            assert_eq!(codes, [2, 2]);
        }
    }
}

#[test]
fn a_reader_during_a_run_sees_one_plan_or_the_other() {
    let bench = Bench::new();
    let args = |tors: &'static str| ["--family", "kautz", "--p", "4", "--tors", tors];
    bench.plan("plan", &args("100"));
    let mut run = Command::new(env!("CARGO_BIN_EXE_lightloom"))
        .args(["plan", "--out", "plan"])
        .args(args("300"))
        .current_dir(bench.path("."))
        .stdout(Stdio::null())
        .spawn()
        .expect("the command starts");
    while run.try_wait().expect("a child").is_none() {
        let there = || bench.path("plan/plan.json").exists();
        // The exchange may fall between the two steps of one look, but not of two.
        assert!(there() || there(), "a moment without a plan");
    }
    assert_eq!(run.wait().expect("an end").code(), Some(0));
    assert_eq!(Plan::read(&bench, "plan").rules.len(), 300);
}
