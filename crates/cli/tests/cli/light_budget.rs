//! `budget`: every branch, recomputed by hand from the lengths that the plan's files state.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::bench::{Bench, SMALL};
use crate::reader::{Plan, Row, micrometres};

/// A 10 Gb/s optic with every level known: 1 to 4 dBm out, -17 to 0.5 dBm in, a penalty of 3.2 dB. It
/// closes at 1:8; at 1:16 with typical values only; at 1:32 not at all. At 1:2 it needs a pad.
pub(crate) const L40: [&str; 4] = ["--catalogue", "datasheets-2026", "--transceiver", "10g-l40"];
/// Fifty ToRs under 1:4 splitters: two seats stay empty.
pub(crate) const FIFTY: [&str; 6] = ["--family", "kautz", "--p", "4", "--tors", "50"];
/// Fifty ToRs under 1:16 splitters: fourteen seats stay empty.
pub(crate) const SIXTEEN: [&str; 6] = ["--family", "kautz", "--p", "16", "--tors", "50"];
/// shufflecast:table1
pub(crate) const PAPER: [&str; 2] = ["--catalogue", "shufflecast-2022"];

pub(crate) fn close(found: &Value, expected: f64, what: &str) {
    let number = found.as_f64().unwrap_or_else(|| panic!("{what}: {found} is no number"));
    assert!((number - expected).abs() < 1e-6, "{what}: found {number}, by hand {expected}");
}

/// Branch fibres of a design, from its graph: every ToR sends to all that its cassette feeds.
pub(crate) fn branches_of(design: &[&str]) -> usize {
    let fabric = Bench::new().ask(&[&["fabric"], design].concat());
    let edges: Vec<(u64, u64, u64)> =
        serde_json::from_value(fabric["edges"].clone()).expect("edges");
    let fed = |cassette: u64| edges.iter().filter(|edge| edge.1 == cassette).count();
    edges.iter().map(|edge| fed(edge.2)).sum()
}

/// Kilometres of fibre of every branch, feed included, by its ends; ends with two branches left out.
fn kilometres(plan: &Plan) -> BTreeMap<(u64, u64), f64> {
    let feeds: BTreeMap<&str, u64> = plan
        .of_kind("feed")
        .map(|row| (row["splitter"].as_str(), micrometres(row, "length_m")))
        .collect();
    let ends = |row: &Row| {
        let end = |column: &str| row[column].parse::<u64>().expect("a ToR");
        (end("from_tor"), end("to_tor"))
    };
    let mut found = BTreeMap::new();
    let mut twice = BTreeSet::new();
    for row in plan.of_kind("branch") {
        let um = feeds[row["splitter"].as_str()] + micrometres(row, "length_m");
        if found.insert(ends(row), um as f64 / 1e9).is_some() {
            twice.insert(ends(row));
        }
    }
    found.retain(|ends, _| !twice.contains(ends));
    found
}

/// Five branches of a plan, far apart in its files.
fn five(plan: &Plan) -> Vec<((u64, u64), f64)> {
    let all: Vec<_> = kilometres(plan).into_iter().collect();
    (0..5).map(|i| all[i * (all.len() - 1) / 4]).collect()
}

fn branch(budget: &Value, (from, to): (u64, u64)) -> &Value {
    let branches = budget["branches"].as_array().expect("branches");
    let found = branches.iter().find(|b| b["from_tor"] == from && b["to_tor"] == to);
    found.unwrap_or_else(|| panic!("no branch {from} -> {to}"))
}

#[test]
fn five_branches_of_both_housings_by_hand() {
    for housing in ["sender", "receiver"] {
        let bench = Bench::new();
        let design = [&SIXTEEN[..], &["--housing", housing], &L40[..]].concat();
        bench.plan("plan", &[&design[..], &["--accept", "typical"]].concat());
        let plan = Plan::read(&bench, "plan");
        let worst = bench.ask(&[&["budget"], &design[..]].concat());
        let typical = bench.ask(&[&["budget", "--case", "typical"], &design[..]].concat());
        for (ends, km) in five(&plan) {
            let what = format!("{housing} {ends:?}");
            // Worst: cabled OS2, an LC pair at either side of the splitter, 1:16, its polarisation.
            let loss = 0.4 * km + 0.75 + 0.75 + 13.9 + 0.3;
            let found = branch(&worst, ends);
            close(&found["loss_db"], loss, &what);
            close(&found["rx_dbm"], 1.0 - loss, &what);
            close(&found["margin_db"], 1.0 - loss + 17.0 - 3.2, &what);
            // Strongest: 4 dBm over an output that gets all that uniformity allows, nothing else lost.
            let strongest = 4.0 - (10.0 * 16.0_f64.log10() - 1.4);
            close(&found["rx_max_dbm"], strongest, &what);
            close(&found["headroom_db"], 0.5 - strongest, &what);
            assert_eq!(found["verdict"], "fail", "{what}");
            // Typical: the middle of the launch powers, typical fibre and connectors.
            let loss = 0.34 * km + 0.25 + 0.25 + 13.9;
            let found = branch(&typical, ends);
            close(&found["loss_db"], loss, &what);
            close(&found["rx_dbm"], 2.5 - loss, &what);
            close(&found["margin_db"], 2.5 - loss + 17.0 - 3.2, &what);
            close(&found["headroom_db"], 0.5 - (2.5 - loss), &what);
            assert_eq!(found["verdict"], "pass", "{what}");
        }
        let document = &plan.document["report"]["light"];
        assert_eq!(document["worst"]["worst_margin_db"], worst["worst_margin_db"]);
        assert_eq!(document["accepted"]["worst_margin_db"], typical["worst_margin_db"]);
    }
}

#[test]
fn fittings_and_reserves_by_hand() {
    let bench = Bench::new();
    bench.write(
        "parts.toml",
        "[inline.att]\nloss_min = \"0.9 dB\"\nloss_typ = \"1 dB\"\nloss_max = \"1.3 dB\"\n\
         source = \"mine\"\ndate = \"2026-11\"\n",
    );
    bench.write(
        "design.toml",
        "version = 1\n[fabric]\nfamily = \"kautz\"\np = 2\ntors = 30\n[optics]\n\
         catalogue = \"datasheets-2026\"\nparts = \"parts.toml\"\ntransceiver = \"10g-l40\"\n\
         feed_splices = 3\nbranch_panels = 2\nbranch_inline = [\"att\", \"att\"]\n\
         penalty = \"0.5 dB\"\nageing = \"0.25 dB\"\npad = \"lc-2db\"\npad_at = \"receiver\"\n",
    );
    bench.run(&["plan", "--out", "plan", "design.toml"]);
    let budget = bench.ask(&["budget", "design.toml"]);
    for (ends, km) in five(&Plan::read(&bench, "plan")) {
        let found = branch(&budget, ends);
        // 1:2 with its polarisation, two LC pairs, splices, panels, attenuators, a pad of 2 dB ± 0.5.
        let loss = 0.4 * km + 4.3 + 0.2 + 2.0 * 0.75 + 3.0 * 0.15 + 2.0 * 0.75 + 2.0 * 1.3 + 2.5;
        close(&found["loss_db"], loss, "loss");
        // The penalty of the part and those of the design.
        close(&found["margin_db"], 1.0 - loss + 17.0 - 3.2 - 0.5 - 0.25, "margin");
        let strongest = 4.0 - (10.0 * 2.0_f64.log10() - 0.5) - 2.0 * 0.9 - 1.5;
        close(&found["headroom_db"], 0.5 - strongest, "headroom");
    }
    let way = budget["worst"]["elements"].as_array().expect("elements");
    let most: f64 = way.iter().map(|element| element["most_db"].as_f64().expect("a loss")).sum();
    assert!((most - budget["branches"][0]["loss_db"].as_f64().expect("a loss")).abs() < 1e-5);
}

#[test]
fn the_splitter_of_the_papers_formula() {
    let design = ["--family", "kautz", "--p", "1024", "--tors", "20"];
    let budget = Bench::new().ask(&[&["budget"], &design[..]].concat());
    let way = budget["worst"]["elements"].as_array().expect("elements");
    let splitter = way.iter().find(|element| element["element"] == "splitter").expect("a splitter");
    close(&splitter["most_db"], 34.8, "1:1024");
    assert_eq!(budget["verdict"], "fail");
}

#[test]
fn margin_gives_errors_and_lost_frames() {
    let bench = Bench::new();
    // At 1:8 the margin is above 0, at 1:16 below.
    let eight = ["--family", "kautz", "--p", "8", "--tors", "50"];
    let asked = [eight, SIXTEEN].map(|design| [&["budget"], &design[..], &L40[..]].concat());
    let budgets = asked.map(|asked| bench.ask(&asked));
    assert!(budgets[0]["worst_margin_db"].as_f64() > Some(1.0), "{}", budgets[0]["worst"]);
    assert!(budgets[1]["worst_margin_db"].as_f64() < Some(0.0), "{}", budgets[1]["worst"]);
    let branches = budgets.iter().flat_map(|budget| budget["branches"].as_array());
    let mut computed = 0;
    for branch in branches.flatten().step_by(17) {
        let of = |field: &str| branch[field].as_f64().expect("a number");
        // Where the law gives less than the least ratio that is told, it is a bound.
        if branch["pre_fec_ber_is_bound"] == true {
            assert_eq!(of("pre_fec_ber"), 1e-15, "{branch}");
            assert!(7.0345 * 10_f64.powf(of("margin_db") / 10.0) > 7.94, "{branch}");
            assert!((of("frame_loss") / 1.2144e-11 - 1.0).abs() < 0.01, "{branch}");
            continue;
        }
        computed += 1;
        // Two levels: Q is 7.0345 at a bit error ratio of 1e-12, and follows the power.
        let q = 7.0345 * 10_f64.powf(of("margin_db") / 10.0);
        assert!((of("q") / q - 1.0).abs() < 1e-3, "Q {} for {q}", of("q"));
        // erfc(x)/2 by its asymptotic series.
        let y = q * q / 2.0;
        let series = 1.0 - 1.0 / (2.0 * y) + 3.0 / (4.0 * y * y) - 15.0 / (8.0 * y * y * y);
        let ber = (-y).exp() / (2.0 * (std::f64::consts::PI * y).sqrt()) * series;
        assert!((of("pre_fec_ber") / ber - 1.0).abs() < 0.02, "{} for {ber}", of("pre_fec_ber"));
        // No correction: a frame of 1,518 bytes is lost with any of its bits.
        let lost = of("pre_fec_ber") * 1518.0 * 8.0;
        assert!((of("frame_loss") / lost - 1.0).abs() < 0.01, "{branch}");
    }
    assert!(computed > 10, "{computed}");
}

#[test]
fn the_promised_shape_with_the_worst_first() {
    let budget = Bench::new().ask(&[&["budget"], &SIXTEEN[..], &L40[..]].concat());
    let branches = budget["branches"].as_array().expect("branches");
    assert_eq!(branches.len(), branches_of(&SIXTEEN), "with fourteen seats empty");
    let mut least = f64::INFINITY;
    let mut before = f64::NEG_INFINITY;
    for branch in branches {
        for key in ["from_tor", "to_tor"] {
            assert!(branch[key].as_u64().is_some_and(|tor| tor < 50), "{key} in {branch}");
        }
        for key in ["loss_db", "rx_dbm", "margin_db"] {
            assert!(branch[key].is_f64(), "{key} in {branch}");
        }
        assert_eq!(branch["verdict"], "fail");
        let margin = branch["margin_db"].as_f64().expect("a margin");
        assert!(margin >= before, "the worst come first");
        (least, before) = (least.min(margin), margin);
        let ways = branch["mend"].as_array().expect("ways to mend it");
        let way = |change: &str| {
            let found: Vec<_> = ways.iter().filter(|way| way["change"] == change).collect();
            assert_eq!(found.len(), 1, "{change}: {branch}");
            found[0]
        };
        // Between 1:16 and 1:8 are formulas only, which prove no worst case. At 1:8 the splitter takes 10.7 dB
        // and its polarisation 0.3 dB.
        let loss = branch["loss_db"].as_f64().expect("a loss");
        let splitter = way("splitter");
        assert_eq!((&splitter["fan_out"], &splitter["pad"]), (&json!(8), &json!(null)), "{branch}");
        let eight = loss - (13.9 + 0.3) + (10.7 + 0.3);
        close(&splitter["margin_db"], 1.0 - eight + 17.0 - 3.2, "1:8");
        // 10g-zr, 0 to 4 dBm out and -24 to -7 dBm in, is 0.36 dB too strong; a pad of 2 dB leaves 1 dB.
        let zr = way("transceiver");
        assert_eq!((&zr["name"], &zr["pad"]), (&json!("10g-zr"), &json!("lc-2db")), "{branch}");
        close(&zr["margin_db"], 0.0 - loss + 24.0 - 2.5, "10g-zr");
        let strongest = 4.0 - (10.0 * 16.0_f64.log10() - 1.4) - 1.5;
        close(&zr["headroom_db"], -7.0 - strongest, "10g-zr");
    }
    close(&budget["worst_margin_db"], least, "the least margin");
    assert_eq!((&budget["verdict"], &budget["case"]), (&json!("fail"), &json!("worst")));
    assert_eq!(
        budget["count"],
        json!({"pass": 0, "warn": 0, "marginal": 0, "unknown": 0, "fail": branches.len()})
    );
    assert_eq!(budget["catalogue"]["name"], "datasheets-2026");
    for row in budget["catalogue"]["rows"].as_array().expect("rows") {
        assert!(row["source"].as_str().is_some_and(|s| !s.is_empty()), "{row}");
        assert!(row["date"].as_str().is_some_and(|s| s.starts_with("20")), "{row}");
    }
}

#[test]
fn monte_carlo_does_not_depend_on_threads_but_on_the_seed() {
    let bench = Bench::new();
    let ask = |more: &[&str]| {
        let flags = ["budget", "--case", "monte-carlo", "--samples", "2000", "--json"];
        let ran = bench.run(&[&flags[..], &FIFTY[..], &L40[..], more].concat());
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{more:?}");
        ran.stdout
    };
    let one = ask(&["--threads", "1"]);
    for more in
        [&["--threads", "2"][..], &["--threads", "7"], &[], &["--threads", "64", "--seed", "1"]]
    {
        assert!(ask(more) == one, "{more:?}");
    }
    assert!(ask(&["--seed", "2"]) != one);
    assert!(ask(&["--percentile", "2"]) != one);
}

#[test]
fn monte_carlo_lies_within_its_bounds_and_counts_its_draws() {
    let bench = Bench::new();
    let design = [&["budget"], &SIXTEEN[..], &L40[..]].concat();
    let worst = bench.ask(&design);
    // Comfortable enough, and so that about a third of the draws fail.
    for (reserve, percentile) in [("0 dB", 5), ("2.5 dB", 20), ("2.5 dB", 50)] {
        bench.write(
            "design.toml",
            format!(
                "version = 1\n[fabric]\nfamily = \"kautz\"\np = 16\ntors = 50\n[optics]\n\
                 catalogue = \"datasheets-2026\"\ntransceiver = \"10g-l40\"\n\
                 penalty = \"{reserve}\"\nsamples = 1000\nseed = 18\npercentile = \"{percentile}\"\n"
            ),
        );
        let drawn = bench.ask(&["budget", "design.toml", "--case", "monte-carlo"]);
        let said = &drawn["monte_carlo"];
        assert_eq!((&said["samples"], &said["seed"]), (&json!(1000), &json!(18)));
        assert_eq!(said["percentile"], f64::from(percentile));
        let reserve: f64 = reserve.trim_end_matches(" dB").parse().expect("a number");
        let mut most_failing = 0.0_f64;
        for found in drawn["branches"].as_array().expect("branches") {
            let of = |field: &str| found[field].as_f64().expect("a number");
            let ends = (found["from_tor"].as_u64(), found["to_tor"].as_u64());
            let bound = branch(&worst, (ends.0.expect("a ToR"), ends.1.expect("a ToR")));
            let least = bound["margin_db"].as_f64().expect("a margin") - reserve;
            // 4 dBm over an output of 10.64 dB and nothing else, -17 dBm with a penalty of 3.2 dB.
            let most = 4.0 - 10.64 + 17.0 - 3.2 - reserve;
            assert!(of("margin_db") > least && of("margin_db") < most, "{found}");
            // Below 0 at the percentile exactly when as many draws fail.
            let failing = of("failing_share");
            assert_eq!(of("margin_db") < 0.0, failing * 100.0 >= f64::from(percentile), "{found}");
            assert_eq!(found["verdict"] == "fail", of("margin_db") < 0.0, "{found}");
            most_failing = most_failing.max(failing);
        }
        let all = said["all_close_share"].as_f64().expect("a share");
        assert!((0.0..=1.0 - most_failing).contains(&all), "{all} with {most_failing} failing");
        // Of the whole fabric: as many draws as the percentile allows may leave a branch open.
        let too_many = (1.0 - all) * 100.0 >= f64::from(percentile);
        assert_eq!(drawn["verdict"] == "fail", too_many, "{all} at {percentile} %");
        // A draw with an open branch has a module to swap, and no more than there are.
        let swaps = said["expected_swaps"].as_f64().expect("a number");
        let open = 1.0 - all;
        assert!(swaps > open - 1e-9 && swaps < 50.0 * open + 1e-9, "{swaps} swaps, {all} close");
        assert_eq!(most_failing > 0.1, reserve > 0.0, "{most_failing} at {reserve}");
    }
}

#[test]
fn threads_without_end() {
    let bench = Bench::new();
    let drawn = ["budget", "--case", "monte-carlo", "--samples", "10"];
    let ask = |threads: &str| {
        bench.run(&[&drawn[..], &SMALL[..], &L40[..], &["--threads", threads, "--json"]].concat())
    };
    let one = ask("1").stdout;
    for threads in ["100000", "18446744073709551615"] {
        let ran = ask(threads);
        assert!(ran.code == 2 || ran.stdout == one, "{threads}: {ran:?}");
    }
    bench.refuses(&[&drawn[..], &SMALL[..], &["--threads", "0"]].concat(), &["--threads"]);
}

#[test]
fn the_strongest_light_is_never_weaker_than_the_weakest() {
    for percentile in ["0.01", "1", "20", "49.9", "50"] {
        let drawn = ["budget", "--case", "monte-carlo", "--percentile", percentile];
        let budget = Bench::new().ask(&[&drawn[..], &SMALL[..], &L40[..]].concat());
        for branch in budget["branches"].as_array().expect("branches") {
            let of = |field: &str| branch[field].as_f64().expect("a level");
            assert!(of("rx_max_dbm") >= of("rx_dbm"), "{percentile} %: {branch}");
        }
    }
}
