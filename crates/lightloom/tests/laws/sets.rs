//! The shipped sets of parameters differ in what docs/model.md lists, and in nothing else.

use std::collections::BTreeMap;

use lightloom::Watch;
use lightloom::twin::{SimulateOptions, simulate};

/// By parameter: the value in the set `lightloom` and in the set `paper`, as docs/model.md lists them.
fn listed() -> BTreeMap<String, (String, String)> {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/model.md");
    let text = std::fs::read_to_string(page).expect("the page is there");
    let table = text.split("<!-- sets -->").nth(1).expect("the list stands between two marks");
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        let name = cells.first()?.strip_prefix('`')?.strip_suffix('`')?;
        (name != "lightloom").then(|| (name.into(), (cells[1].into(), cells[2].into())))
    };
    table.lines().filter_map(row).collect()
}

/// The values in force of a set, as a run tells them.
fn values(set: &str) -> BTreeMap<String, String> {
    let text = format!(
        "version = 1\nuntil = \"1 ms\"\n[network]\nkind = \"fat-tree\"\nports = 4\nrate = \"100 \
         Gb/s\"\ndelay = \"1 us\"\n[[flow]]\nfrom = 0\nto = 1\nsize = \"1 kB\"\n[parameters]\nset = \
         \"{set}\"\n"
    );
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, out) = (folder.path().join("scenario.toml"), folder.path().join("out"));
    std::fs::write(&file, text).expect("the test writes its input");
    let options = SimulateOptions { out: Some(out.clone()), ..SimulateOptions::default() };
    simulate(&file, &options, Watch::quiet()).expect("it runs");
    let run = std::fs::read_to_string(out.join("report.json")).expect("a report");
    let run: serde_json::Value = serde_json::from_str(&run).expect("JSON");
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let in_force = run["manifest"]["parameters"].as_array().into_iter().flatten();
    in_force.map(|each| (text(&each["name"]), text(&each["value"]))).collect()
}

#[test]
fn the_sets_differ_in_what_is_listed() {
    let (ours, papers) = (values("lightloom"), values("paper"));
    assert_eq!(ours.keys().collect::<Vec<_>>(), papers.keys().collect::<Vec<_>>());
    let pairs = ours.into_iter().map(|(name, ours)| {
        let papers = papers[&name].clone();
        (name, (ours, papers))
    });
    let differ: BTreeMap<_, _> = pairs.filter(|(_, (ours, papers))| ours != papers).collect();
    assert_eq!(differ, listed());
}
