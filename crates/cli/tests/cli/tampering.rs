//! A plan with one thing changed is no longer a plan, and `verify` says where.

use std::fs;

use serde_json::{Value, json};

use crate::bench::{Bench, SMALL};

/// Plans, changes one file, and expects `verify` to say `place` and end with 1.
fn detected(file: &str, change: impl FnOnce(String) -> String, place: &[&str]) {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    let path = bench.path("plan").join(file);
    let before = fs::read_to_string(&path).expect("a plan file");
    let after = change(before.clone());
    assert_ne!(before, after, "the test changes nothing");
    fs::write(&path, after).expect("a changed file");
    let ran = bench.verify("plan");
    assert_eq!(ran.code, 1, "{ran:?}");
    for part in place {
        assert!(ran.stdout.contains(part), "no {part:?} in {ran:?}");
    }
    let report = bench.run(&["verify", "plan", "--json"]);
    assert_eq!((report.code, report.stderr.as_str()), (1, ""));
    assert_eq!(report.document()["good"], false);
}

#[test]
fn a_file_that_is_no_plan_file() {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    fs::write(bench.path("plan").join("notes.txt"), "mine").expect("a file beside the plan's");
    let ran = bench.verify("plan");
    assert!(ran.code == 1 && ran.stdout.contains("notes.txt"), "{ran:?}");
}

fn rules(change: impl FnOnce(&mut serde_json::Map<String, Value>), place: &[&str]) {
    let change = |text: String| {
        let mut document: Value = serde_json::from_str(&text).expect("rules");
        change(document["relays"].as_object_mut().expect("lists"));
        document.to_string()
    };
    detected("rules.json", change, place);
}

fn list<'a>(lists: &'a mut serde_json::Map<String, Value>, tor: &str) -> &'a mut Vec<Value> {
    lists[tor].as_array_mut().expect("a list")
}

/// Changes the cell of a column in the row whose first cell is `key`.
fn cell(text: &str, key: &str, column: &str, change: impl Fn(&str) -> String) -> String {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let at = header.iter().position(|name| name == column).expect("the column");
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&header).expect("memory");
    for record in reader.records() {
        let record = record.expect("a row");
        let changed = |(i, cell): (usize, &str)| {
            if record[0] == *key && i == at { change(cell) } else { cell.to_owned() }
        };
        writer.write_record(record.iter().enumerate().map(changed)).expect("memory");
    }
    String::from_utf8(writer.into_inner().expect("memory")).expect("UTF-8")
}

fn without_row(text: &str, start: &str) -> String {
    text.lines().filter(|line| !line.starts_with(start)).map(|line| format!("{line}\n")).collect()
}

fn row_twice(text: &str, start: &str) -> String {
    let row = text.lines().find(|line| line.starts_with(start)).expect("the row");
    format!("{text}{row}\n")
}

#[test]
fn a_rule_that_is_missing() {
    rules(
        |lists| list(lists, "4").retain(|s| s != 0),
        &["rules.json", "ToR 4", "source 0", "replay"],
    );
}

#[test]
fn a_rule_too_many() {
    rules(|lists| list(lists, "6").insert(0, json!(0)), &["rules.json", "ToR 6", "source 0"]);
    rules(|lists| list(lists, "6").push(json!(99)), &["rules.json", "ToR 6", "source 99"]);
}

#[test]
fn an_own_entry_that_is_missing() {
    rules(|lists| list(lists, "2").retain(|s| s != 2), &["rules.json", "ToR 2", "own entry"]);
}

#[test]
fn a_tor_without_a_list_and_one_that_the_plan_does_not_have() {
    rules(|lists| drop(lists.remove("7")), &["rules.json", "ToR 7"]);
    rules(|lists| drop(lists.insert("8".into(), json!([]))), &["rules.json", "ToR 8"]);
}

#[test]
fn sources_out_of_order_or_twice() {
    rules(|lists| list(lists, "0").reverse(), &["rules.json", "ToR 0"]);
    rules(|lists| list(lists, "0").insert(1, json!(0)), &["rules.json", "ToR 0"]);
}

#[test]
fn a_tor_that_is_listed_twice() {
    detected("rules.json", |text| text.replace("\"0\":", "\"0\":[],\n\"0\":"), &["rules.json"]);
}

#[test]
fn rules_that_name_a_router_where_they_should_be_listed() {
    let named = "{\"router\":\"algorithm1\",\"accept\":{},\"via\":{}}\n".to_owned();
    detected("rules.json", |_| named, &["rules.json"]);
}

#[test]
fn a_fibre_that_is_missing() {
    detected("cables.csv", |text| without_row(&text, "B3.1,"), &["cables.csv", "B3.1", "replay"]);
    detected("cables.csv", |text| without_row(&text, "F3,"), &["cables.csv", "F3"]);
}

#[test]
fn a_fibre_that_is_there_twice() {
    detected("cables.csv", |text| row_twice(&text, "B3.1,"), &["cables.csv:26", "B3.1", "replay"]);
    detected("cables.csv", |text| row_twice(&text, "F3,"), &["cables.csv:26", "F3"]);
}

#[test]
fn a_fibre_of_nobody() {
    let extra = |text: String| row_twice(&text, "B3.1,").trim_end().to_owned();
    detected(
        "cables.csv",
        |text| extra(text).replacen("B3.1,", "B3.2,", 1),
        &["cables.csv", "B3.2"],
    );
}

#[test]
fn a_fibre_that_leads_elsewhere() {
    for column in ["from_tor", "splitter", "branch", "to_tor", "to_port"] {
        let other = |cell: &str| if cell == "0" { "1".to_owned() } else { "0".to_owned() };
        let place = ["cables.csv", "B5.1", column];
        detected("cables.csv", |text| cell(&text, "B5.1", column, other), &place);
    }
    let far_away = |text: String| cell(&text, "B5.1", "to_tor", |_| "4294967296".into());
    detected("cables.csv", far_away, &["cables.csv:19", "to_tor"]);
}

#[test]
fn a_feed_that_became_a_branch() {
    detected("cables.csv", |text| cell(&text, "F5", "kind", |_| "branch".into()), &["F5", "kind"]);
}

#[test]
fn any_other_cell_of_a_cable() {
    for column in [
        "length_m",
        "stock_m",
        "near_label",
        "far_label",
        "trays",
        "tray_fill_percent",
        "from_port",
    ] {
        let place = ["cables.csv", "B5.1", column];
        detected("cables.csv", |text| cell(&text, "B5.1", column, |c| format!("{c}1")), &place);
    }
}

#[test]
fn any_cell_of_a_port() {
    for column in
        ["port", "name", "row", "unit", "transceiver", "tx_label", "rx_label", "rx_from_tor"]
    {
        let place = ["ports.csv", if column == "port" { "missing" } else { column }];
        detected("ports.csv", |text| cell(&text, "5", column, |c| format!("{c}1")), &place);
    }
}

#[test]
fn any_quantity_of_the_bill_of_materials() {
    for column in ["quantity", "spares", "order"] {
        let place = ["bom.csv", "splitter", column];
        detected("bom.csv", |text| cell(&text, "splitter", column, |c| format!("1{c}")), &place);
    }
    detected("bom.csv", |text| without_row(&text, "housing,"), &["bom.csv", "housing"]);
}

#[test]
fn any_row_of_the_pull_sheet() {
    let renamed = |text: String| text.replacen("B5.1", "B5.9", 1);
    detected("pull-sheet.csv", renamed, &["pull-sheet.csv", "B5.1", "B5.9"]);
    let last = |text: String| text.lines().last().expect("a row").to_owned();
    detected("pull-sheet.csv", |text| without_row(&text, &last(text.clone())), &["pull-sheet.csv"]);
    detected(
        "pull-sheet.csv",
        |text| row_twice(&text, &last(text.clone())),
        &["pull-sheet.csv:26"],
    );
}

#[test]
fn a_column_too_many() {
    for file in ["cables.csv", "ports.csv", "bom.csv", "pull-sheet.csv"] {
        let widen = |text: String| text.lines().map(|line| format!("{line},x\n")).collect();
        detected(file, widen, &[file]);
    }
}

#[test]
fn white_space_between_rules_is_no_fault() {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    let path = bench.path("plan/rules.json");
    let document: Value = serde_json::from_slice(&fs::read(&path).expect("rules")).expect("JSON");
    fs::write(&path, serde_json::to_vec_pretty(&document).expect("JSON")).expect("written");
    assert_eq!(bench.verify("plan").code, 0);
}
