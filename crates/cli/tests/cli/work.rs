//! Crews and what they do in a shift: settings of the design, kept in the plan, told where they are assumed.

use std::fs;

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::reader::{Row, sheet};

const FABRIC: &str = "version = 1\n[fabric]\nfamily = \"shufflecast\"\np = 4\nk = 3\n[splitters]\n\
                      housing = \"zone\"\ncabling = \"trunked\"\n";
const DEFAULTS: &str = "[work]\ncrews = 2\nmodules_per_shift = 80\ntrunks_per_shift = 12\n\
                        cords_between_rows_per_shift = 60\ncords_within_row_per_shift = 150\n\
                        measurements_per_shift = 200\n";
const OWN: [(&str, u64); 5] = [
    ("mount shelves and modules", 7),
    ("pull trunks", 2),
    ("pull cords to other rows", 11),
    ("lay cords within the row", 37),
    ("measure branches", 41),
];

fn with(work: &str) -> Bench {
    let bench = Bench::new();
    bench.write("design.toml", format!("{FABRIC}{work}"));
    bench
}

fn own(crews: u32) -> String {
    let [(_, modules), (_, trunks), (_, beyond), (_, within), (_, measured)] = OWN;
    format!(
        "[work]\ncrews = {crews}\nmodules_per_shift = {modules}\ntrunks_per_shift = {trunks}\n\
         cords_between_rows_per_shift = {beyond}\ncords_within_row_per_shift = {within}\n\
         measurements_per_shift = {measured}\n"
    )
}

fn document(bench: &Bench) -> Value {
    let bytes = fs::read(bench.path("plan/plan.json")).expect("a plan");
    serde_json::from_slice(&bytes).expect("JSON")
}

fn number(row: &Row, column: &str) -> u64 {
    row[column].parse().expect("a number")
}

/// The files of a plan, by name, and its assumption about work.
fn planned(bench: &Bench) -> (Vec<(String, Vec<u8>)>, Value) {
    let answer = bench.ask(&["plan", "design.toml", "--out", "plan"]);
    assert_eq!(bench.verify("plan").code, 0);
    let assumed = answer["assumed"].as_array().expect("a list").iter();
    let work = assumed.clone().find(|one| one["what"] == "work").cloned().unwrap_or_default();
    let files = fs::read_dir(bench.path("plan")).expect("a folder").map(|file| {
        let file = file.expect("a file");
        (file.file_name().to_string_lossy().into_owned(), fs::read(file.path()).expect("bytes"))
    });
    let mut files: Vec<_> = files.collect();
    files.sort();
    (files, work)
}

#[test]
fn only_values_that_are_not_given_are_assumptions() {
    let (files, assumed) = planned(&with(""));
    let all = "2 crews, 80 shelves and modules, 12 trunks, 60 cords between rows, 150 cords within a row, \
               200 measurements";
    assert_eq!(assumed["value"], all);
    assert_eq!(assumed["said_by"].as_array().map(Vec::len), Some(6));
    let bench = with(DEFAULTS);
    let (same, none) = planned(&bench);
    assert!(files == same && none.is_null(), "said, they are the same plan: {none}");
    assert!(document(&bench).get("work").is_none());
    let bench = with("[work]\ncrews = 3\n");
    let (_, some) = planned(&bench);
    assert_eq!(some["value"], all.split_once(", ").expect("two parts").1);
    assert_eq!(some["said_by"].as_array().map(Vec::len), Some(5));
    assert_eq!(document(&bench)["work"]["crews"], 3);
    let table = bench.run(&["plan", "design.toml", "--out", "plan"]);
    assert!(table.stdout.contains("12 trunks"), "{table:?}");
}

/// One crew never waits, so its packages follow each other without a gap.
#[test]
fn one_crew_needs_the_sum_of_all_packages() {
    let bench = with(&own(1));
    planned(&bench);
    let mut done = 0;
    for row in sheet(&bench.path("plan/work-packages.csv")) {
        let rate = OWN.iter().find(|(task, _)| *task == row["task"]).expect("a task").1;
        assert_eq!(number(&row, "first_shift"), done / 1000 + 1, "{row:?}");
        done += (number(&row, "things") * 1000).div_ceil(rate);
        assert_eq!(number(&row, "last_shift"), done.div_ceil(1000), "{row:?}");
        assert_eq!(row["crew"], "1");
    }
    assert!(done > 50_000, "{done} thousandths of a shift");
}

#[test]
fn as_many_crews_work_as_are_said() {
    let bench = with(&own(5));
    planned(&bench);
    let rows = sheet(&bench.path("plan/work-packages.csv"));
    let crews: std::collections::BTreeSet<u64> =
        rows.iter().map(|row| number(row, "crew")).collect();
    assert_eq!(crews, (1..=5).collect());
}

#[test]
fn zero_is_refused_at_its_line() {
    for line in DEFAULTS.lines().skip(1) {
        let key = line.split_once(" = ").expect("a key").0;
        let bench = with(&format!("[work]\n{key} = 0\n"));
        let place = format!("design.toml:10: work.{key}: found 0; expected");
        bench.refuses(&["plan", "design.toml", "--out", "plan"], &[&place]);
    }
}

#[test]
fn a_plan_whose_work_was_edited_is_found() {
    let bench = with("[work]\ncrews = 3\n");
    planned(&bench);
    let whole = document(&bench);
    let verified = |work: Value| {
        let mut changed = whole.clone();
        changed["work"] = work;
        bench.write("plan/plan.json", serde_json::to_string_pretty(&changed).expect("JSON"));
        let ran = bench.verify("plan");
        (ran.code, ran.stdout + &ran.stderr)
    };
    let mut fewer = whole["work"].clone();
    fewer["crews"] = json!(2);
    let (code, said) = verified(fewer.clone());
    assert!(code == 1 && said.contains("work-packages.csv"), "{said}");
    for (crews, part) in [(json!(0), "has crews = 0; expected 1 to 1000"), (json!(-1), "plan.json")]
    {
        fewer["crews"] = crews;
        let (code, said) = verified(fewer.clone());
        assert!(code == 2 && said.contains(part), "{said}");
    }
}

/// A plan that grew is worked on by the same crews.
#[test]
fn crews_stay_when_a_plan_grows() {
    let bench = Bench::new();
    let fabric = "version = 1\n[fabric]\nfamily = \"kautz\"\np = 2\ntors = 8\n[splitters]\nhousing = \"receiver\"\n";
    bench.write("design.toml", format!("{fabric}[work]\ncrews = 4\n"));
    planned(&bench);
    bench.ask(&["grow", "plan", "--tors", "10", "--out", "grown"]);
    let bytes = fs::read(bench.path("grown/plan.json")).expect("a plan");
    let grown: Value = serde_json::from_slice(&bytes).expect("JSON");
    assert_eq!(grown["work"]["crews"], 4);
    assert_eq!(bench.verify("grown").code, 0);
}

/// A design file that `new` writes has every setting that a flag gives.
#[test]
fn a_new_design_keeps_how_fibres_run() {
    let bench = Bench::new();
    let flags =
        ["--tors", "64", "--housing", "zone", "--cabling", "trunked", "--shuffle", "modules"];
    bench.ask(&[&["new", "--out", "new.toml"], &flags[..]].concat());
    let text = fs::read_to_string(bench.path("new.toml")).expect("it was written");
    for line in ["housing = \"zone\"", "cabling = \"trunked\"", "shuffle = \"modules\""] {
        assert!(text.lines().any(|found| found == line), "{line} in {text}");
    }
    assert!(text.contains("\n[work]\n") && text.contains("\n# crews = 2\n"), "{text}");
    let plan = bench.ask(&["plan", "new.toml", "--out", "plan"]);
    assert_eq!(plan["housings"][0]["cabling"], "trunked");
}
