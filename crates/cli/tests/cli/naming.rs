//! A rack whose name is also a number: never taken for another ToR.

use serde_json::Value;

use crate::bench::{Bench, SMALL};

/// Eight racks of these names, and the flags of a design over them.
fn racks(names: &[&str]) -> (Bench, Vec<&'static str>) {
    let bench = Bench::new();
    let rows = names.iter().zip(1..).map(|(name, i)| format!("\"{name}\",Row,{i}\n"));
    bench.write("racks.csv", format!("name,row,position\n{}", rows.collect::<String>()));
    (bench, [&SMALL[..], &["--inventory", "racks.csv"]].concat())
}

/// Rack 7 - i holds ToR i.
const REVERSED: [&str; 8] = ["7", "6", "5", "4", "3", "2", "1", "0"];

fn args<'a>(before: &[&'a str], design: &[&'a str], after: &[&'a str]) -> Vec<&'a str> {
    [before, design, after].concat()
}

#[test]
fn a_number_that_is_also_a_rack_is_refused_with_both_readings() {
    let (bench, design) = racks(&REVERSED);
    let both = "2 is ToR 2, in rack 5, and rack 2, which holds ToR 5; write tor:2 or rack:2";
    bench.refuses(&args(&["tree"], &design, &["--source", "2"]), &["--source: ", both]);
    bench.refuses(&args(&["rules"], &design, &["--tor", "2"]), &["--tor: ", both]);
    bench.refuses(&args(&["parallel"], &design, &["--sources", "tor:0,2"]), &["--sources: ", both]);
    for command in ["impact", "recover"] {
        for (failed, cures) in [
            ("relay:2", ["relay:tor:2", "relay:rack:2"]),
            ("tx:2", ["tx:tor:2", "tx:rack:2"]),
            ("splitter:2", ["splitter:tor:2", "splitter:rack:2"]),
            ("tor:2", ["tor:tor:2", "tor:rack:2"]),
            ("rx:2/1", ["rx:tor:2/1", "rx:rack:2/1"]),
            ("branch:2->tor:7", ["branch:tor:2->tor:7", "branch:rack:2->tor:7"]),
            ("branch:tor:1->2", ["branch:tor:1->tor:2", "branch:tor:1->rack:2"]),
        ] {
            let [number, rack] = cures;
            let cure = format!("write {number} or {rack}");
            let refused = args(&[command], &design, &["--failed", failed]);
            bench.refuses(&refused, &[&format!("--failed {failed}: "), &both[..59], &cure]);
        }
    }
}

#[test]
fn prefixes_say_which() {
    let (bench, design) = racks(&REVERSED);
    let source =
        |text: &str| bench.ask(&args(&["tree"], &design, &["--source", text]))["source"].as_u64();
    let failed =
        |text: &str| bench.ask(&args(&["impact"], &design, &["--failed", text]))["failed"].clone();
    for tor in 0..8 {
        assert_eq!(source(&format!("tor:{tor}")), Some(tor));
        assert_eq!(source(&format!("rack:{tor}")), Some(7 - tor));
        assert_eq!(
            failed(&format!("relay:rack:{tor}")),
            serde_json::json!([format!("relay:{}", 7 - tor)])
        );
        assert_eq!(failed(&format!("tor:tor:{tor}")), serde_json::json!([format!("tor:{tor}")]));
    }
    // ToR 0 feeds ToRs 4 and 5.
    assert_eq!(failed("branch:rack:7->tor:5"), serde_json::json!(["branch:0->5"]));
    assert_eq!(failed("rx:rack:3/1,tx:tor:3"), serde_json::json!(["rx:4/1", "tx:3"]));
    let parallel = bench.ask(&args(&["parallel"], &design, &["--sources", "rack:7,tor:3"]));
    let sources: Vec<&String> = parallel["trees"].as_object().expect("trees").keys().collect();
    assert_eq!(sources, ["0", "3"]);
}

#[test]
fn a_number_that_is_its_own_rack_is_no_question() {
    let (bench, design) = racks(&["0", "1", "2", "3", "4", "5", "6", "7"]);
    for tor in ["0", "5", "7"] {
        let answer = bench.ask(&args(&["tree"], &design, &["--source", tor]));
        assert_eq!(answer["source"].to_string(), tor);
    }
}

#[test]
fn a_rack_without_a_tor_is_not_silently_another_one() {
    let (bench, design) = racks(&["a", "b", "c", "d", "e", "f", "g", "h", "3", "99"]);
    let source = |text| args(&["tree"], &design, &["--source", text]);
    let both = "3 is ToR 3, in rack d, and rack 3, which holds no ToR; write tor:3 or rack:3";
    bench.refuses(&source("3"), &["--source: ", both]);
    for text in ["rack:3", "99", "rack:99"] {
        bench.refuses(&source(text), &["--source: ", "which holds no ToR", "0 to 7", "\"a\""]);
    }
    assert_eq!(bench.ask(&source("tor:3"))["source"], 3);
}

#[test]
fn names_that_look_like_prefixes_arrows_ports_and_lists() {
    let (bench, design) = racks(&["tor:3", "rack:7", "A->B", "A", "B", "B->C", "1/2", "x,tor:0"]);
    let source = |text| args(&["tree"], &design, &["--source", text]);
    let named = |text| bench.ask(&source(text))["source"].clone();
    // A prefix is always a prefix.
    assert_eq!(named("tor:3"), 3);
    assert_eq!(named("rack:tor:3"), 0);
    assert_eq!(named("rack:rack:7"), 1);
    bench.refuses(&source("rack:7"), &["--source: ", "written rack:rack:7"]);
    bench.refuses(&source("tor:30"), &["--source: ", "30", "0 to 7"]);
    assert_eq!(named("1/2"), 6);
    assert_eq!(named("x,tor:0"), 7);
    let failed = |text| args(&["impact"], &design, &["--failed", text]);
    let impact = |text| bench.ask(&failed(text))["failed"].clone();
    // Two readings: rack A to rack B->C, and rack A->B to a rack C that is not there.
    let refused = bench.refuses(&failed("branch:A->B->C"), &["--failed"]);
    assert!(refused.stderr.contains("ToR 3") && refused.stderr.contains("ToR 5"), "{refused:?}");
    assert_eq!(impact("rx:1/2/0"), serde_json::json!(["rx:6/0"]));
    assert_eq!(impact("relay:x,tor:0"), serde_json::json!(["relay:7"]));
    let sources = ["--sources", "x,tor:0,tor:1"];
    let parallel = bench.ask(&args(&["parallel"], &design, &sources));
    assert!(parallel["installed_share"]["7"].is_number(), "{parallel}");
    assert!(parallel["installed_share"]["0"].is_null(), "{parallel}");
}

#[test]
fn lists_that_can_be_read_in_two_ways_are_refused() {
    let (bench, design) = racks(&["a", "b", "a,b", "a,tor:5", "c->d", "c", "d->e", "e"]);
    let refuses = |after: &[&str], command: &str| {
        bench.refuses(
            &args(&[command], &design, after),
            &[after[0], "more than one way", "by its number"],
        );
    };
    refuses(&["--sources", "a,b"], "parallel");
    refuses(&["--failed", "relay:a,tor:5"], "impact");
    let two = args(&["impact"], &design, &["--failed", "branch:c->d->e"]);
    bench.refuses(&two, &["--failed", "branch:5->6", "branch:4->7", "by number"]);
}

#[test]
fn a_plan_around_failures_is_read_again_where_racks_are_numbers() {
    let (bench, design) = racks(&REVERSED);
    let recover = args(&["recover"], &design, &["--failed", "relay:rack:6", "--apply", "plan"]);
    assert_eq!(bench.run(&recover).code, 0);
    let ran = bench.verify("plan");
    assert_eq!(ran.code, 0, "{ran:?}");
    let text = std::fs::read_to_string(bench.path("plan/plan.json")).expect("a plan");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    assert!(document.to_string().contains("\"relay:1\""), "{document}");
}

#[test]
fn racks_of_a_scenario_take_the_same_prefixes() {
    let scenario = |spines: &str| {
        format!(
            "version = 1\nuntil = \"1 ms\"\n[network]\nkind = \"design\"\nfile = \"hall.toml\"\n\
             hosts_per_tor = 2\nspines = 2\nrate = \"100 Gb/s\"\nlength = \"3 m\"\n\
             spine_rack = \"{spines}\"\n[[flow]]\nfrom = 0\nto = 9\nsize = \"10 kB\"\n"
        )
    };
    let (bench, _) = racks(&REVERSED);
    bench.write(
        "hall.toml",
        "version = 1\n[fabric]\nfamily = \"shufflecast\"\np = 2\nk = 2\n[hall]\ninventory = \"racks.csv\"\n",
    );
    let links = |spines: &str| {
        bench.write("s.toml", scenario(spines));
        let ran = bench.run(&["simulate", "s.toml", "--out", "out"]);
        assert_eq!(ran.code, 0, "{ran:?}");
        std::fs::read_to_string(bench.path("out/links.csv")).expect("links")
    };
    // The key asks for a rack: a number alone is its name.
    assert_eq!(links("1"), links("rack:1"));
    assert_eq!(links("1"), links("tor:6"));
    assert_ne!(links("1"), links("tor:1"));
    bench.write("s.toml", scenario("tor:8"));
    bench.refuses(&["simulate", "s.toml"], &["spine_rack", "tor:8"]);
}
