//! Reports and drawings of plans.

use std::fs;

use crate::bench::{Bench, SMALL};

fn planned(args: &[&str]) -> Bench {
    let bench = Bench::new();
    bench.plan("plan", args);
    bench
}

#[test]
fn a_report_is_the_same_every_time() {
    let bench = planned(&SMALL);
    let text = |out: &str, args: &[&str]| {
        let ran = bench.run(&[&["report", "plan", "--out", out], args].concat());
        assert_eq!(ran.code, 0, "{ran:?}");
        fs::read_to_string(bench.path(out)).expect("it was written")
    };
    let (one, other) = (text("one.html", &[]), text("other.html", &[]));
    assert!(one == other && one.starts_with("<!DOCTYPE html>") && one.ends_with("</html>"));
    // A page of lightloom is replaced.
    let dated = text("one.html", &["--date", "2026-03-31"]);
    assert!(dated != one && dated.contains("2026-03-31"));
}

#[test]
fn json_has_the_hash_of_what_was_written() {
    let bench = planned(&SMALL);
    let answer = bench.ask(&["report", "plan"]);
    assert_eq!((&answer["out"], &answer["good"]), (&"report.html".into(), &true.into()));
    let bytes = fs::read(bench.path("report.html")).expect("it was written");
    assert_eq!(answer["bytes"], bytes.len());
    assert_eq!(answer["sha256"].as_str().map(str::len), Some(64));
}

#[test]
fn a_file_that_is_no_page_of_lightloom_stays() {
    let bench = planned(&SMALL);
    bench.write("thesis.html", "<!DOCTYPE html><title>Thesis</title>");
    for command in ["report", "draw"] {
        bench.refuses(
            &[command, "plan", "--out", "thesis.html"],
            &["thesis.html", "no page of lightloom"],
        );
        bench.refuses(&[command, "plan", "--out", "plan/page.html"], &["would lie in the folder"]);
        bench.refuses(&[command, "plan", "--out", "nowhere/page.html"], &["cannot be written"]);
    }
}

#[test]
fn dates_and_designs_are_checked() {
    let bench = planned(&SMALL);
    for date in ["31.3.2026", "2026-13-01", "2026-3-1", "+026-01-01", "today", ""] {
        bench.refuses(&["report", "plan", "--date", date], &["--date", "2026-03-31"]);
    }
    bench.write("other.toml", "version = 1\n[fabric]\nfamily = \"kautz\"\np = 2\ntors = 12\n");
    bench.refuses(
        &["report", "plan", "--design", "other.toml"],
        &["--design", "not the design of this plan"],
    );
    bench.write("same.toml", "version = 1\n[fabric]\nfamily = \"shufflecast\"\np = 2\nk = 2\n");
    let ran = bench.run(&["report", "plan", "--design", "same.toml"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let text = fs::read_to_string(bench.path("report.html")).expect("it was written");
    assert!(
        text.contains("Nothing gave these values") && text.contains("data-assumed=\"rack pitch\"")
    );
}

#[test]
fn a_recovered_plan_says_what_it_goes_around() {
    let bench = planned(&SMALL);
    let recover = ["recover", "--failed", "tx:3", "--apply", "mended"];
    assert_eq!(bench.run(&[&recover[..], &SMALL].concat()).code, 0);
    assert_eq!(bench.run(&["report", "mended"]).code, 0);
    let text = fs::read_to_string(bench.path("report.html")).expect("it was written");
    assert!(text.contains("The plan goes around failures: tx:3."));
}

#[test]
fn pictures_are_audited() {
    let bench = planned(&SMALL);
    for picture in ["floor-plan.svg", "elevations.svg"] {
        let path = bench.path(&format!("plan/{picture}"));
        let text = fs::read_to_string(&path).expect("a picture");
        fs::write(&path, text.replacen("fill=\"#000000\"", "fill=\"#000001\"", 1))
            .expect("it can be written");
        let ran = bench.verify("plan");
        assert!(ran.code == 1 && ran.stdout.contains(&format!("{picture}:")), "{ran:?}");
        fs::write(&path, text).expect("it can be written");
    }
    assert_eq!(bench.verify("plan").code, 0);
}

#[test]
fn drawings_have_a_page_for_every_sixteen_racks() {
    let bench = Bench::new();
    let racks: String = (1..=40).map(|at| format!("R{at},A,{at}\n")).collect();
    bench.write("racks.csv", format!("name,row,position\n{racks}"));
    let kautz = ["--family", "kautz", "--p", "2", "--tors", "40", "--inventory", "racks.csv"];
    bench.plan("plan", &kautz);
    assert_eq!(bench.run(&["draw", "plan"]).code, 0);
    let text = fs::read_to_string(bench.path("drawings.html")).expect("it was written");
    assert_eq!(text.matches("<section").count(), 1 + 3);
}

/// The risk is ranked wherever tables of all sources are listed.
#[test]
fn the_risk_is_left_out_of_the_largest_plans_alone() {
    for (tors, is_ranked) in [("300", true), ("4100", false)] {
        let bench = planned(&["--family", "kautz", "--p", "4", "--tors", tors]);
        let ran = bench.run(&["report", "plan"]);
        assert_eq!(ran.code, 0, "{ran:?}");
        let page = fs::read_to_string(bench.path("report.html")).expect("it was written");
        assert_eq!(page.contains("Groups of parts that share"), is_ranked, "{tors}");
        assert_eq!(page.contains("Not ranked: failures are computed up to 4096 ToRs"), !is_ranked);
    }
}
