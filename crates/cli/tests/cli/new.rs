//! `lightloom new`: a design file to start from.

use std::fs;

use crate::bench::{Bench, inventory};

#[test]
fn a_new_design_plans_as_it_stands() {
    for tors in ["2", "24", "30", "64", "1000"] {
        let bench = Bench::new();
        let written = bench.ask(&["new", "--tors", tors, "-o", "design.toml"]);
        assert_eq!(written["tors"].to_string(), tors);
        bench.plan("plan", &["design.toml"]);
        assert_eq!(bench.verify("plan").code, 0);
        let text = fs::read_to_string(bench.path("design.toml")).expect("a design");
        assert!(text.lines().filter(|line| line.starts_with('#')).count() > 5, "commented: {text}");
        assert_eq!(bench.names("."), ["design.toml", "plan"]);
    }
}

#[test]
fn the_family_follows_the_number_and_the_other_is_beside_it() {
    let bench = Bench::new();
    let fits = bench.ask(&["new", "--tors", "1024", "-o", "a.toml"]);
    assert_eq!((&fits["family"], &fits["p"]), (&"shufflecast".into(), &4.into()));
    assert_eq!(fits["other_family"]["family"], "kautz");
    let odd = bench.ask(&["new", "--tors", "1000", "--splitter", "4", "-o", "b.toml"]);
    assert_eq!((&odd["family"], &odd["p"]), (&"kautz".into(), &4.into()));
    assert!(odd["doubled"]["extra_roles"].is_u64(), "the paper's own answer is compared: {odd}");
    let summary = bench.run(&["new", "--tors", "64", "-o", "c.toml"]).stdout;
    assert!(summary.contains("kautz") && summary.contains("Shufflecast"), "{summary}");
}

#[test]
fn an_inventory_and_its_filters_are_written_into_the_design() {
    let bench = Bench::new();
    let export = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/netbox-racks.csv");
    fs::copy(export, bench.path("racks.csv")).expect("a copy");
    let flags = ["--inventory", "racks.csv", "--site", "Harbor Hall", "--location", "Row *"];
    bench.ask(&[&["new", "-o", "design.toml"], &flags[..]].concat());
    bench.plan("a", &["design.toml"]);
    bench.plan("b", &flags);
    for file in crate::reader::FILES {
        let read = |plan: &str| fs::read(bench.path(plan).join(file)).expect("a file");
        assert!(read("a") == read("b"), "{file}");
    }
}

#[test]
fn a_design_in_another_folder_still_finds_its_inventory() {
    let bench = Bench::new();
    fs::create_dir(bench.path("designs")).expect("a folder");
    bench.write("racks.csv", inventory(3));
    for out in ["designs/a.toml", "./b.toml"] {
        bench.ask(&["new", "--inventory", "racks.csv", "-o", out]);
        assert_eq!(bench.ask(&["info", out])["tors"], 24);
    }
}

#[test]
fn texts_that_look_like_toml_stay_texts() {
    let bench = Bench::new();
    let site = "A\"]\n[fabric]\np = 7 # \\ '''";
    bench.write(
        "racks.csv",
        format!("site,location,name\n\"{}\",Row,x\n\"{0}\",Row,y\n", site.replace('"', "\"\"")),
    );
    bench.ask(&["new", "--inventory", "racks.csv", "--site", site, "-o", "d.toml"]);
    assert_eq!(bench.ask(&["info", "d.toml"])["tors"], 2);
}

/// Whoever changes a number in the file keeps its comments.
#[test]
fn comments_state_no_number_that_a_setting_changes() {
    let bench = Bench::new();
    for flags in [
        &["--tors", "192"][..],
        &["--tors", "64"],
        &["--family", "kautz", "--tors", "190", "--p", "4"],
    ] {
        let _ = fs::remove_file(bench.path("design.toml"));
        bench.ask(&[&["new", "-o", "design.toml"], flags].concat());
        let text = fs::read_to_string(bench.path("design.toml")).expect("a design");
        let fabric = &text[text.find("[fabric]").expect("a section")..];
        let comment: String =
            fabric.lines().skip(1).take_while(|line| !line.contains("family =")).collect();
        assert!(!comment.contains(|c: char| c.is_ascii_digit()), "{comment}");
    }
}

/// A rate that several transceivers have: the one that `explore` lists first for that fabric.
#[test]
fn a_rate_is_enough_for_a_new_design() {
    let bench = Bench::new();
    for (rate, flags) in [
        ("25 Gb/s", &["--family", "kautz", "--tors", "24", "--p", "4"][..]),
        ("10 Gb/s", &["--family", "kautz", "--tors", "24", "--p", "4"]),
        ("10 Gb/s", &["--tors", "64"]),
        ("25 Gb/s", &["--tors", "50", "--p", "2", "--housing", "receiver"]),
    ] {
        let _ = fs::remove_file(bench.path("design.toml"));
        let said = [flags, &["--rate", rate]].concat();
        let made = bench.ask(&[&["new", "-o", "design.toml"], &said[..]].concat());
        let text = fs::read_to_string(bench.path("design.toml")).expect("a design");
        let chosen = text.lines().find_map(|line| line.strip_prefix("transceiver = "));
        let chosen = chosen.expect("a transceiver").trim_matches('"').to_owned();
        let light = bench.ask(&["budget", "design.toml"]);
        assert_eq!(light["transceiver"], chosen.as_str());
        assert!(
            ["pass", "warn", "marginal"].contains(&light["verdict"].as_str().expect("a verdict"))
        );
        let found = bench.ask(&["explore", "--tors", &made["tors"].to_string(), "--rate", rate]);
        let designs = found["designs"].as_array().expect("designs").iter();
        let housing = if flags.contains(&"receiver") { "receiver" } else { "sender" };
        let mut alike = designs.filter(|row| {
            row["family"] == made["family"] && row["p"] == made["p"] && row["housing"] == housing
        });
        let first = alike.next().expect("a design of this fabric");
        assert_eq!(first["transceiver"], chosen.as_str(), "{rate} {flags:?}");
    }
}

/// Where none closes, all are listed with what is wrong, and nothing is written.
#[test]
fn a_rate_at_which_nothing_closes_lists_what_there_is() {
    let bench = Bench::new();
    let said = ["new", "--tors", "64", "--p", "4", "--family", "kautz", "--rate", "100 Gb/s"];
    let parts = [
        "--transceiver: is missing",
        "100 Gbps",
        "explore",
        "100gbase-lr4: the light is",
        "too weak",
        "4wdm-40: ",
        "extinction ratio",
    ];
    bench.refuses(&[&said[..], &["-o", "design.toml"]].concat(), &parts);
    assert!(!bench.path("design.toml").exists());
}

#[test]
fn an_existing_file_is_never_overwritten() {
    let bench = Bench::new();
    bench.write("design.toml", "mine");
    bench.refuses(&["new", "--tors", "24", "-o", "design.toml"], &["design.toml"]);
    bench.refuses(&["new", "--tors", "24", "-o", "."], &["."]);
    bench.refuses(&["new", "--tors", "24", "-o", "absent/design.toml"], &["absent/design.toml"]);
}

#[test]
fn a_design_that_cannot_be_made_is_not_written() {
    let bench = Bench::new();
    bench.refuses(&["new", "-o", "design.toml"], &["--tors"]);
    bench.refuses(&["new", "--tors", "24", "--splitter", "1", "-o", "design.toml"], &["--p"]);
    bench.refuses(&["new", "--inventory", "absent.csv", "-o", "design.toml"], &["absent.csv"]);
}
