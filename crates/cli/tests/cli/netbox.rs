//! A NetBox rack export, as it is, to a verified plan.

use std::collections::BTreeSet;

use crate::bench::Bench;
use crate::reader::Plan;

const EXPORT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/netbox-racks.csv");
const ROWS: [&str; 6] = ["--inventory", EXPORT, "--site", "Harbor Hall", "--location", "Row *"];

#[test]
fn three_rows_of_a_site_become_a_verified_shufflecast_in_one_command() {
    let bench = Bench::new();
    bench.plan("plan", &[&ROWS[..], &["--family", "shufflecast", "--p", "2"]].concat());
    assert_eq!(bench.verify("plan").code, 0);
    let plan = Plan::read(&bench, "plan");
    assert_eq!(plan.document["fabric"]["k"], 3);
    let names: Vec<String> = plan.names().into_values().collect();
    let natural: Vec<String> = (1..=24).map(|i| format!("N-{i}")).collect();
    assert_eq!(names, natural, "column by column along the rows, N-9 before N-10");
    let proved = &plan.document["report"]["verification"];
    assert_eq!((&proved["sources_checked"], &proved["copies"]), (&24.into(), &(24 * 24).into()));
}

#[test]
fn the_number_of_racks_chooses_the_shape_when_it_is_left_open() {
    let bench = Bench::new();
    let info = bench.ask(&[&["info"], &ROWS[..]].concat());
    assert_eq!(
        (&info["family"], &info["p"], &info["k"]),
        (&"shufflecast".into(), &2.into(), &3.into())
    );
}

#[test]
fn without_filters_the_sites_are_listed_with_the_flag_that_chooses_one() {
    let bench = Bench::new();
    let args = ["plan", "--inventory", EXPORT, "--family", "kautz", "--p", "2", "--out", "plan"];
    let sites =
        ["6 sites", "\"Harbor Hall\" (26 racks)", "\"Pier 3\" (2 racks)", "\"Old Mill\" (1 rack)"];
    bench.refuses(
        &args,
        &[&["netbox-racks.csv: site: ", "--site \"Harbor Hall\""], &sites[..]].concat(),
    );
    assert!(bench.names(".").is_empty());
}

#[test]
fn with_the_site_alone_its_plant_racks_are_named() {
    let bench = Bench::new();
    let args = ["fabric", "--inventory", EXPORT, "--site", "Harbor Hall"];
    bench.refuses(&args, &["netbox-racks.csv:31: location: ", "Chiller bay"]);
}

#[test]
fn with_the_location_alone_rows_of_two_sites_are_not_merged() {
    let bench = Bench::new();
    let args = ["fabric", "--inventory", EXPORT, "--location", "Row *"];
    bench.refuses(
        &args,
        &["netbox-racks.csv: site: ", "\"Harbor Hall\" (24 racks)", "\"Pier 3\" (1 rack)"],
    );
}

#[test]
fn a_status_filter_leaves_out_racks_that_are_only_planned() {
    let bench = Bench::new();
    let tors = |status: &[&str]| {
        let info = bench.ask(&[&["info"], &ROWS[..], status].concat());
        info["tors"].as_u64().expect("a number")
    };
    assert_eq!(tors(&["--status", "active"]), 18);
    assert_eq!(tors(&["--status", "ACTIVE,reserved"]), 20);
    assert_eq!(tors(&["--status", "active", "--status", "planned"]), 21);
    assert_eq!(tors(&["--status", "reserved"]), 2);
    bench.plan(
        "plan",
        &[&ROWS[..], &["--status", "active", "--family", "kautz", "--p", "2"]].concat(),
    );
    let names: BTreeSet<String> = Plan::read(&bench, "plan").names().into_values().collect();
    assert!(!names.contains("N-19") && names.contains("N-18"));
}

#[test]
fn a_glob_chooses_rows() {
    let bench = Bench::new();
    let tors = |globs: &[&str]| {
        let args = [&["info", "--inventory", EXPORT, "--site", "Harbor Hall"], globs].concat();
        bench.ask(&args)["tors"].as_u64().expect("a number")
    };
    assert_eq!(tors(&["--location", "Row 2"]), 8);
    assert_eq!(tors(&["--location", "Row [13]"]), 16);
    assert_eq!(tors(&["--location", "Row ?"]), 24);
    assert_eq!(tors(&["--location", "Row 1", "--location", "*3"]), 16);
}

#[test]
fn filters_that_match_nothing_say_what_there_is() {
    let bench = Bench::new();
    let with = |more: &[&'static str]| [&["fabric", "--inventory", EXPORT], more].concat();
    let site = with(&["--site", "Harbour"]);
    bench.refuses(&site, &["netbox-racks.csv", "no rack passes", "site", "Harbor Hall"]);
    bench.refuses(&with(&["--location", "Aisle *"]), &["netbox-racks.csv", "location", "Row 1"]);
    bench.refuses(&with(&["--status", "on fire"]), &["netbox-racks.csv", "status", "planned"]);
}

#[test]
fn a_design_file_filters_as_the_flags_do() {
    let bench = Bench::new();
    bench.write(
        "design.toml",
        format!(
            "version = 1\n[fabric]\nfamily = \"shufflecast\"\np = 2\nk = 3\n[hall]\n\
             inventory = {EXPORT:?}\nsite = [\"Harbor Hall\"]\nlocation = [\"Row *\"]\n"
        ),
    );
    bench.plan("file", &["design.toml"]);
    bench
        .plan("flags", &[&ROWS[..], &["--family", "shufflecast", "--p", "2", "--k", "3"]].concat());
    for file in crate::reader::FILES {
        let read = |plan: &str| std::fs::read(bench.path(plan).join(file)).expect("a file");
        assert!(read("file") == read("flags"), "{file}");
    }
}
