//! Verdicts of `budget`: usual parts, best cases, unknown values, policies, and choices that are refused.

use serde_json::json;

use crate::bench::{Bench, SMALL};
use crate::light_budget::{L40, PAPER, close};

#[test]
fn a_design_without_optics_takes_the_usual_ones_and_says_so() {
    let bench = Bench::new();
    let budget = bench.ask(&[&["budget"], &SMALL[..]].concat());
    // Three parts at 10 Gb/s draw 1 W; this is the first by name.
    assert_eq!(budget["transceiver"], "10g-l40");
    let assumed = budget["assumed"].to_string();
    assert!(assumed.contains("10g-l40") && assumed.contains("datasheets-2026"), "{assumed}");
    // 4 dBm over 2.51 dB is 0.99 dB above the overload of 0.5 dBm, so 2 dB ± 0.5 leave 0.51 dB and 3 dB
    // ± 0.5 the decibel that is wanted.
    assert_eq!(budget["pad"], "lc-3db at the transmitter");
    let headroom = 0.5 - 4.0 + (10.0 * 2.0_f64.log10() - 0.5) + 2.5;
    close(&budget["worst_headroom_db"], headroom, "headroom");
    // 18 dB less the penalty, 1:2 with its polarisation, two LC pairs, the pad, and some metres of fibre.
    let margin = budget["worst_margin_db"].as_f64().expect("a margin");
    let most = 1.0 + 17.0 - 3.2 - 4.5 - 1.5 - 3.5;
    assert!(margin < most && margin > most - 0.02, "{margin}");
    assert_eq!(budget["verdict"], "pass");
    let table = bench.run(&[&["budget"], &SMALL[..]].concat());
    assert!(table.stdout.contains("assumed") && table.stdout.contains("datasheets-2026"));
    let named = ["budget", "--transceiver", "10g-l40"];
    assert_eq!(bench.ask(&[&named[..], &SMALL[..]].concat())["assumed"], json!([]));
}

/// The paper's budgets start from the greatest launch power. They prove no case but their own.
#[test]
fn the_papers_parts_are_judged_by_the_best_case_only() {
    let bench = Bench::new();
    let paper = [&["budget"], &SMALL[..], &PAPER].concat();
    let budget = bench.ask(&paper);
    assert_eq!(budget["transceiver"], "10g-10km");
    let assumed = budget["assumed"].to_string();
    assert!(assumed.contains("10g-10km") && assumed.contains("shufflecast-2022"), "{assumed}");
    // shufflecast:table1: 14.9 dB less 4 dB (shufflecast:IV-C.budget) and some metres at 0.36 dB/km
    // (shufflecast:IV-B.attenuation).
    let margin = budget["worst_margin_db"].as_f64().expect("a margin");
    assert!(margin < 10.9 && margin > 10.88, "{margin}");
    assert_eq!(budget["margin_from"], "best-case budget");
    for (case, verdict) in [
        ("worst", "unknown"),
        ("typical", "unknown"),
        ("monte-carlo", "unknown"),
        // Never a pass: values are missing.
        ("best", "warn"),
    ] {
        let judged = bench.ask(&[&paper[..], &["--case", case]].concat());
        assert_eq!(judged["verdict"], verdict, "{case}");
        let gaps = judged["gaps"].to_string();
        assert!(gaps.contains("10g-10km") && gaps.contains("best-case"), "{case}: {gaps}");
    }
    let table = bench.run(&paper);
    assert!(table.stdout.contains("assumed") && table.stdout.contains("shufflecast-2022"));
    let named = [&paper[..], &["--transceiver", "10g-10km"]].concat();
    assert_eq!(bench.ask(&named)["assumed"], json!([]));
    // A best case that does not close refutes all others: 14.9 dB, and 21.2 dB of 1:64.
    let wide = [&["budget", "--family", "kautz", "--p", "64", "--tors", "70"], &PAPER[..]].concat();
    for case in ["worst", "typical", "monte-carlo", "best"] {
        let judged = bench.ask(&[&wide[..], &["--case", case]].concat());
        assert_eq!(judged["verdict"], "fail", "{case}");
    }
}

#[test]
fn every_null_of_a_branch_has_a_reason() {
    let bench = Bench::new();
    // One whose sensitivity is unknown, and one whose powers are of different kinds.
    let row = |name: &str, lines: &str| {
        format!(
            "[transceiver.{name}]\nrate = \"10 Gb/s\"\nmodulation = \"nrz\"\nlaunch_min = \"-6 dBm\"\n\
             launch_max = \"0 dBm\"\nber = 1e-12\n{lines}source = \"mine\"\ndate = \"2026-11\"\n"
        )
    };
    let stressed = "overload = \"0.5 dBm\"\nstressed_sensitivity_oma = \"-11 dBm\"\n";
    bench.write("parts.toml", row("deaf", "") + &row("kinds", stressed));
    for optic in [
        "10gbase-lr",
        "10gbase-lr-802-3",
        "10gbase-er",
        "25gbase-er",
        "4wdm-40",
        "100gbase-dr",
        "400gbase-fr4",
        "400zr",
        "deaf",
        "kinds",
    ] {
        for (case, pad) in
            [("worst", "auto"), ("worst", "none"), ("typical", "auto"), ("monte-carlo", "none")]
        {
            let flags = ["--parts", "parts.toml", "--transceiver", optic, "--case", case];
            let flags = [&flags[..], &["--catalogue", "datasheets-2026", "--pad", pad]].concat();
            let budget = bench.ask(&[&["budget"], &SMALL[..], &flags[..]].concat());
            let branch = budget["branches"][0].as_object().expect("a branch");
            for (field, value) in branch {
                let reason = budget["unknown"][field].as_str();
                assert_eq!(value.is_null(), reason.is_some(), "{optic} {case} {pad} {field}");
                assert!(reason.is_none_or(|reason| reason.contains(optic)), "{field}: {reason:?}");
            }
            let unknown = budget["verdict"] == "unknown";
            let expected = ["deaf", "kinds", "4wdm-40"].contains(&optic);
            assert_eq!(unknown, expected, "{optic}: {}", budget["verdict"]);
            assert_eq!(budget["worst_margin_db"].is_null(), unknown);
            let of_class = ["10gbase-lr-802-3", "100gbase-dr"].contains(&optic);
            let from = if of_class { "channel loss of the class" } else { "launch power" };
            assert_eq!(budget["margin_from"], from, "{optic}");
        }
    }
}

#[test]
fn a_receiver_that_is_blinded_fails_and_wants_a_pad() {
    let bench = Bench::new();
    let er = ["--catalogue", "datasheets-2026", "--transceiver", "10gbase-er"];
    let er = [&["budget"], &SMALL[..], &er[..]].concat();
    let budget = bench.ask(&[&er[..], &["--pad", "none"]].concat());
    assert_eq!((&budget["verdict"], &budget["pad"]), (&json!("fail"), &json!(null)));
    for branch in budget["branches"].as_array().expect("branches") {
        // 4 dBm over 2.51 dB is 1.49 dBm, 2.49 dB above the overload of -1 dBm.
        let over = 4.0 - (10.0 * 2.0_f64.log10() - 0.5) + 1.0;
        close(&branch["headroom_db"], -over, "headroom");
        // The least of three pairs: average -4.7 and -15.8 dBm, OMA -1.7 and -14.1 dBm, OMA less its
        // penalty -2.1 and -14.1 dBm.
        let loss = branch["loss_db"].as_f64().expect("a loss");
        let margin = f64::min(-4.7 + 15.8, f64::min(-1.7 + 14.1, -2.1 + 14.1)) - loss;
        close(&branch["margin_db"], margin, "margin");
        assert!(margin > over, "room for the pad: {branch}");
        // Pads are ± 0.5 dB. Both 3 and 4 dB close it: the first has 0.01 dB of headroom, the second more of
        // the smaller side. 2 dB is too little, and 5 dB too much.
        assert!(2.0 - 0.5 < over && margin - 5.5 < 0.0);
        assert!(2.5 - over < 0.05 && margin - 4.5 > 0.5 && 3.5 - over > 0.5);
        let ways = branch["mend"].as_array().expect("ways");
        let pad = ways.iter().find(|way| way["change"] == "pad").expect("a pad");
        assert_eq!((&pad["name"], &pad["at"]), (&json!("lc-4db"), &json!("transmitter")));
        close(&pad["margin_db"], margin - 4.5, "margin with the pad");
        close(&pad["headroom_db"], 3.5 - over, "headroom with the pad");
        let l40 = ways.iter().find(|way| way["name"] == "10g-l40").expect("another transceiver");
        assert_eq!(l40["pad"], "lc-3db", "{branch}");
        close(&l40["margin_db"], 1.0 - loss - 3.5 + 17.0 - 3.2, "10g-l40");
        for way in ways {
            for ratio in ["margin_db", "headroom_db"] {
                assert!(way[ratio].as_f64().is_none_or(|ratio| ratio > 0.0), "{branch}");
            }
        }
    }
    // By itself the design takes that pad. Its margin is 0.6 dB, so its light is marginal.
    let padded = bench.ask(&er);
    assert_eq!(padded["pad"], "lc-4db at the transmitter");
    assert_eq!(padded["verdict"], "marginal");
    assert_eq!(padded["count"]["marginal"], padded["branches"].as_array().expect("branches").len());
    // A policy that asks for no more than a pad leaves is kept, with the weakest such pad.
    for (flag, least, pad) in [
        ("--headroom", "0.01 dB", "lc-3db at the transmitter"),
        ("--margin", "0.5 dB", "lc-4db at the transmitter"),
    ] {
        let kept = bench.ask(&[&er[..], &[flag, least]].concat());
        assert_eq!((&kept["verdict"], &kept["pad"]), (&json!("pass"), &json!(pad)), "{flag}");
    }
}

/// The policies say what is marginal, and nothing else.
#[test]
fn margin_and_headroom_of_the_policy_divide_marginal_from_pass() {
    let bench = Bench::new();
    let eight = ["--family", "kautz", "--p", "8", "--tors", "50", "--pad", "none"];
    let eight = [&["budget"], &eight[..], &L40[..]].concat();
    let budget = bench.ask(&eight);
    let of = |field: &str| budget[field].as_f64().expect("a number");
    let (margin, headroom) = (of("worst_margin_db"), of("worst_headroom_db"));
    // 18 dB less 3.2, 10.7, 0.3 and 1.5 dB, and 4 dBm over 8.03 dB under 0.5 dBm.
    assert!(margin < 2.3 && margin > 2.25, "{margin}");
    close(&budget["worst_headroom_db"], 0.5 - 4.0 + (10.0 * 8.0_f64.log10() - 1.0), "headroom");
    for (flag, found) in [("--margin", margin), ("--headroom", headroom)] {
        for (least, verdict) in [(found - 0.001, "pass"), (found + 0.001, "marginal")] {
            let least = format!("{least:.6} dB");
            let judged = bench.ask(&[&eight[..], &[flag, &least]].concat());
            assert_eq!(judged["verdict"], verdict, "{flag} {least}");
            assert_eq!(judged["worst_margin_db"], margin, "{flag} {least}");
        }
    }
    for flag in ["--margin", "--headroom"] {
        for wrong in ["-0.1 dB", "30.1 dB", "1", "1 dBm", "nan dB"] {
            let said = format!("{flag}={wrong}");
            bench.refuses(&[&eight[..], &[&said]].concat(), &[flag, wrong]);
        }
    }
}

#[test]
fn cases_and_draws_that_make_no_sense() {
    let bench = Bench::new();
    for (flag, values) in [
        ("--percentile", &["0", "50.1", "100", "abc", "-1", "nan", "inf", "101", "", "1e-999"][..]),
        ("--samples", &["0", "-1", "10000001", "1000000000000000000", "99999999999999999999", "x"]),
        ("--seed", &["-1", "x", "99999999999999999999"]),
        ("--case", &["nonsense", "Worst", ""]),
        ("--accept", &["nonsense", ""]),
        ("--rate", &["40 Gb/s", "fast", "10", "-10 Gb/s", "0 Gb/s"]),
        ("--transceiver", &["nonesuch", "", "10G-10km"]),
        ("--catalogue", &["mine", "", "../catalogue/fibre.toml"]),
    ] {
        for value in values {
            let said = format!("{flag}={value}");
            bench.refuses(&[&["budget"], &SMALL[..], &[&said]].concat(), &[flag]);
        }
    }
    for (both, name) in [(&L40[..], "10g-l40"), (&["--transceiver", "10g-10km"][..], "10g-10km")] {
        let paper = if name == "10g-10km" { &PAPER[..] } else { &[] };
        let said = [&["budget", "--rate", "25 Gb/s"], both, paper, &SMALL[..]].concat();
        bench.refuses(&said, &["--rate", "25 Gbps", name]);
    }
}

#[test]
fn transceivers_that_cannot_be_chosen() {
    let bench = Bench::new();
    let refuses = |flags: &[&str], parts: &[&str]| {
        let args = [&["budget", "--catalogue", "datasheets-2026"], &SMALL[..], flags].concat();
        bench.refuses(&args, parts);
    };
    refuses(&["--rate", "10 Gb/s"], &["--transceiver", "10gbase-er", "10gbase-lr"]);
    refuses(&["--rate", "100 Gb/s"], &["--transceiver", "4wdm-40", "100gbase-lr1"]);
    refuses(&["--transceiver", "400gbase-dr4"], &["--transceiver", "4 fibres"]);
    refuses(&["--transceiver", "nonesuch"], &["--transceiver", "nonesuch", "10gbase-lr"]);
}

/// Draws are no worse than the worst case, so they prove no failure that it does not prove. What nothing is known of
/// has no share of draws that close.
#[test]
fn draws_prove_no_more_than_the_worst_case() {
    let bench = Bench::new();
    let small = ["budget", "--family", "kautz", "--p", "2", "--tors", "8"];
    let ask = |more: &[&str]| {
        let ran = bench.run(&[&small[..], &["--json"], more].concat());
        (ran.code < 2).then(|| ran.document())
    };
    let listed = bench.run(&[&small[..], &["--transceiver", "none-such"]].concat()).stderr;
    let names = listed.split("no such transceiver: ").nth(1).expect("the names of all").trim();
    let mut seen = std::collections::BTreeSet::new();
    for name in names.split(", ") {
        let of = |case: &str| ask(&["--transceiver", name, "--case", case]);
        let (Some(drawn), Some(worst)) = (of("monte-carlo"), of("worst")) else { continue };
        let is_unknown = drawn["worst_margin_db"].is_null();
        let draws = &drawn["monte_carlo"];
        assert_eq!(draws["all_close_share"].is_null(), is_unknown, "{name}: {draws}");
        assert_eq!(drawn["branches"][0]["failing_share"].is_null(), is_unknown, "{name}");
        if drawn["verdict"] == "fail" {
            assert_eq!(worst["verdict"], "fail", "{name}");
        }
        seen.insert(draws["all_close_share_is"].as_str().unwrap_or("unknown").to_owned());
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), ["at-least", "exact", "unknown"]);
    // Only the greatest launch power is known.
    let best =
        ["--catalogue", "shufflecast-2022", "--transceiver", "10g-10km", "--case", "monte-carlo"];
    let best = ask(&best).expect("a budget");
    assert_eq!(best["monte_carlo"]["all_close_share_is"], "at-most");
    assert_eq!(best["verdict"], "unknown");
    let bound = ["--transceiver", "25gbase-lr-whandar", "--case", "monte-carlo"];
    let told = bench.run(&[&small[..], &bound].concat()).stdout;
    // Lines are broken at the width of a terminal.
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        told.contains("Verdict: unknown.")
            && told.contains("closes in at least 0.00 %; at most 8.00"),
        "{told}"
    );
}

#[test]
fn a_verdict_that_is_unknown_stands_in_the_table() {
    let design = ["--p", "4", "--k", "2", "--catalogue", "shufflecast-2022"];
    let ran =
        Bench::new().run(&[&["budget"], &design[..], &["--transceiver", "10g-10km"]].concat());
    let header = ran.stdout.lines().find(|line| line.starts_with("│ from")).expect("a table");
    let columns =
        |line: &str| line.split(['│', '┆']).map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let verdict = columns(header).iter().position(|title| title == "verdict").expect("a column");
    let row = ran.stdout.lines().find(|line| line.starts_with("│ 3 ")).expect("the worst branch");
    assert_eq!(columns(row)[verdict], "unknown", "{}", ran.stdout);
}
