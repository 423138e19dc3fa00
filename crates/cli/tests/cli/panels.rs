//! Panels, splices and inline parts: the cable list, the light and the bill count the same ones.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::bench::{Bench, SMALL};
use crate::reader::{Plan, Row, number};

const PARTS: &str = "[inline.pad]\nloss_min = \"1 dB\"\nloss_typ = \"1 dB\"\nloss_max = \"1 dB\"\nsource = \
    \"test\"\ndate = \"2026-11\"\n\
                     [inline.filter]\nloss_min = \"2 dB\"\nloss_typ = \"2 dB\"\nloss_max = \"2 dB\"\nsource = \
                     \"test\"\ndate = \"2026-11\"\n";

/// A 2,2-Shufflecast: 8 feeds and 16 branches.
fn design(fittings: &str) -> String {
    format!(
        "version = 1\n[fabric]\nfamily = \"shufflecast\"\np = 2\nk = 2\n[optics]\n\
         catalogue = \"datasheets-2026\"\nparts = \"parts.toml\"\ntransceiver = \"10gbase-er\"\n{fittings}"
    )
}

const FITTED: &str = "feed_splices = 1\nfeed_panels = 2\nfeed_inline = [\"pad\", \"filter\"]\nbranch_panels = 1\n\
                      branch_splices = 3\nbranch_inline = [\"pad\", \"pad\"]\npanel = \"mpo\"\n";

fn planned(fittings: &str) -> (Bench, Value, Plan) {
    let bench = Bench::new();
    bench.write("parts.toml", PARTS);
    bench.write("design.toml", design(fittings));
    let ran = bench.run(&["plan", "--out", "plan", "design.toml", "--json"]);
    let plan = Plan::read(&bench, "plan");
    (bench, ran.document(), plan)
}

fn sum(rows: &[Row], of: impl Fn(&Row) -> usize) -> usize {
    rows.iter().map(of).sum()
}

#[test]
fn the_cable_list_says_what_each_fibre_passes_and_sums_to_the_bill() {
    let (bench, answer, plan) = planned(FITTED);
    for row in &plan.cables {
        let expected =
            if row["kind"] == "feed" { ["1", "2", "pad; filter"] } else { ["3", "1", "pad; pad"] };
        assert_eq!([&row["splices"], &row["panels"], &row["inline"]], expected, "{row:?}");
    }
    let ordered = |item: &str, part: &str| {
        sum(&plan.bom, |row| {
            if row["item"] == item && row["part"] == part { number(row, "quantity") } else { 0 }
        })
    };
    let passed = |column: &'static str| sum(&plan.cables, |row| number(row, column));
    assert_eq!(passed("panels"), 8 * 2 + 16);
    assert_eq!(ordered("coupler", "mpo"), passed("panels"), "a coupler for each fibre and panel");
    assert_eq!(ordered("splice", "fusion"), passed("splices"));
    let mut inline: BTreeMap<&str, usize> = BTreeMap::new();
    for name in plan.cables.iter().flat_map(|row| row["inline"].split("; ")) {
        *inline.entry(name).or_default() += 1;
    }
    for (name, count) in inline {
        assert_eq!(ordered("inline part", name), count, "{name}");
    }
    let coupler = plan.bom.iter().find(|row| row["item"] == "coupler").expect("a line");
    assert_eq!(coupler["variant"], "patch panel, one a fibre");
    // A row of the bill is found by what it is, its part included.
    assert_eq!(bench.verify("plan").code, i32::from(answer["optical"] == "fail"));
    let found = answer["unplaced"].as_array().expect("a list");
    let panels =
        json!({"item": "coupler", "part": "mpo", "per_feed": 2, "per_branch": 1, "quantity": 32});
    assert!(found.contains(&panels), "{found:?}");
    let listed: usize = found.iter().map(|part| whole(&part["quantity"])).sum();
    assert_eq!(listed, passed("splices") + passed("panels") + 8 * 2 + 16 * 2);
    assert_eq!(plan.document["report"]["unplaced"], answer["unplaced"]);
}

fn whole(value: &Value) -> usize {
    usize::try_from(value.as_u64().expect("a whole number")).expect("one that fits")
}

#[test]
fn the_loss_of_a_branch_is_that_of_the_couplers_that_the_cable_list_counts() {
    let losses = |fittings: &str| {
        let (bench, _, plan) = planned(fittings);
        let budget = bench.run(&["budget", "design.toml", "--pad", "none", "--json"]).document();
        let loss = |branch: &Value| {
            let end = |key: &str| whole(&branch[key]);
            ((end("from_tor"), end("to_tor")), branch["loss_db"].as_f64().expect("decibels"))
        };
        let losses: BTreeMap<(usize, usize), f64> =
            budget["branches"].as_array().expect("branches").iter().map(loss).collect();
        (losses, plan)
    };
    let (bare, _) = losses("pad = \"none\"\n");
    let (fitted, plan) = losses("pad = \"none\"\nfeed_panels = 2\nbranch_panels = 1\n");
    let feeds: BTreeMap<usize, usize> =
        plan.of_kind("feed").map(|row| (number(row, "from_tor"), number(row, "panels"))).collect();
    for row in plan.of_kind("branch") {
        let ends = (number(row, "from_tor"), number(row, "to_tor"));
        // panel.lc of datasheets-2026: at most 0.75 dB.
        let expected = 0.75 * (feeds[&ends.0] + number(row, "panels")) as f64;
        assert!((fitted[&ends] - bare[&ends] - expected).abs() < 1e-9, "{row:?}");
    }
}

#[test]
fn a_plan_says_that_couplers_have_no_place() {
    let bench = Bench::new();
    bench.write("parts.toml", PARTS);
    bench.write("design.toml", design("branch_panels = 1\n"));
    let said = bench.run(&["plan", "--out", "plan", "design.toml"]).said();
    assert!(said.contains("Not placed: 16 × coupler lc (0 a feed, 1 a branch)."), "{said}");
    assert!(said.contains("where they sit is not planned"), "{said}");
}

#[test]
fn a_plan_without_panels_says_nothing_of_them() {
    let bench = Bench::new();
    let said = bench.run(&[&["plan", "--out", "plan"], &SMALL[..]].concat()).stdout;
    assert!(!said.contains("Not placed"), "{said}");
    let plan = Plan::read(&bench, "plan");
    assert_eq!(plan.document["report"]["unplaced"], json!([]));
    let none = |row: &Row| [&row["splices"], &row["panels"], &row["inline"]] == ["0", "0", ""];
    assert!(plan.cables.iter().all(none));
}
