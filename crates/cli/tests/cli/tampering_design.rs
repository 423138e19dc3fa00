//! `plan.json` with another design in it does not describe the files beside it.

use std::fs;

use serde_json::{Value, json};

use crate::bench::Bench;

const DESIGN: [&str; 8] =
    ["--family", "shufflecast", "--p", "2", "--k", "2", "--inventory", "racks.csv"];

/// The code and the words of `verify` on a plan whose `plan.json` was changed.
fn verified(change: impl FnOnce(&mut Value)) -> (i32, String) {
    let bench = Bench::new();
    // Nine racks: one is left over.
    let mut racks = crate::bench::inventory(1);
    racks += "R8,Row 2,1\n";
    bench.write("racks.csv", racks);
    bench.plan("plan", &DESIGN);
    let path = bench.path("plan/plan.json");
    let mut document: Value =
        serde_json::from_slice(&fs::read(&path).expect("a plan")).expect("JSON");
    change(&mut document);
    fs::write(&path, serde_json::to_vec_pretty(&document).expect("JSON")).expect("written");
    let ran = bench.verify("plan");
    (ran.code, ran.stdout + &ran.stderr)
}

fn detected(pointer: &str, value: Value) {
    let (code, said) = verified(|document| {
        *document.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")) = value.clone();
    });
    assert!(code == 1 || code == 2, "{pointer} = {value}: {said}");
    assert!(said.contains("plan.json") || said.contains("csv"), "{pointer} = {value}: {said}");
}

#[test]
fn a_plan_that_is_only_formatted_anew_is_good() {
    assert_eq!(verified(|_| {}).0, 0);
}

#[test]
fn another_shape() {
    detected("/fabric/k", json!(1));
    detected("/fabric/k", json!(3));
    detected("/fabric/p", json!(3));
    detected("/fabric/p", json!(0));
    detected("/fabric/k", json!(4_294_967_295_u32));
    detected("/fabric/family", json!("kautz"));
    detected("/fabric", json!({"family": "kautz", "p": 2, "tors": 8}));
    detected("/fabric", json!({"family": "kautz", "p": 2, "tors": 4_294_967_295_u32}));
}

#[test]
fn another_router() {
    detected("/router/name", json!("arborescence"));
    detected("/router/name", json!("dijkstra"));
    detected("/router/extra_hops", json!(1));
}

#[test]
fn other_splitters_and_spares() {
    detected("/housing", json!("receiver"));
    detected("/housing", json!("cellar"));
    detected("/spares_percent", json!(50));
    detected("/spares_percent", json!(-1));
}

#[test]
fn another_place_height_or_name_of_a_rack_with_a_tor() {
    detected("/hall/racks/3/x", json!("2.2 m"));
    detected("/hall/racks/3/x", json!("1000 m"));
    detected("/hall/racks/3/x", json!("NaN m"));
    detected("/hall/racks/3/units", json!(20));
    detected("/hall/racks/3/units", json!(0));
    let (code, said) = verified(|document| document["hall"]["racks"][3]["tor_unit"] = json!(7));
    assert!(code == 1 && said.contains("R3-07"), "{said}");
    detected("/hall/racks/3/name", json!("Q"));
    detected("/hall/racks/3/row", json!(1));
    detected("/hall/racks/3/row", json!(77));
    detected("/hall/racks/3/name", json!("R4"));
    detected("/hall/racks", json!([]));
}

#[test]
fn other_rules_of_the_hall() {
    detected("/hall/tray_height", json!("3.3 m"));
    detected("/hall/slack", json!("0 m"));
    detected("/hall/rack_entry", json!("0 m"));
    detected("/hall/fibre_diameter", json!("3 mm"));
    detected("/hall/tray_width", json!("0 m"));
    detected("/hall/rows/0/name", json!("Row X"));
}

#[test]
fn tors_in_other_racks() {
    detected("/tors/0", json!("R1"));
    detected("/tors/0", json!("R8"));
    detected("/tors/0", json!("nowhere"));
    detected("/tors", json!(["R1", "R0", "R2", "R3", "R4", "R5", "R6", "R7"]));
    detected("/tors", json!([]));
}

#[test]
fn another_catalogue() {
    detected("/catalogue/stock_lengths", json!(["100 m"]));
    detected("/catalogue/stock_lengths", json!(["0 m"]));
    detected("/catalogue/stock_step", json!("0 m"));
    // The cord comes first. Its price covers its fibre.
    detected("/cabling/parts/0/price", json!("99 USD"));
    detected("/cabling/parts/0/price_per_m", json!("9 USD"));
    detected("/cabling/parts/0/length_included", json!("9 m"));
    detected("/catalogue/fibre_accounting", json!("third"));
}

#[test]
fn stock_lengths_whose_sum_overflows_are_refused() {
    detected("/catalogue/stock_lengths", json!(["10000000000000 m"]));
}

#[test]
fn every_number_of_the_report() {
    let numbers = [
        "/report/tors",
        "/report/cassettes",
        "/report/max_hops",
        "/report/mean_hops",
        "/report/spare_racks",
        "/report/relay_load/max",
        "/report/housings/0/length_m",
        "/report/housings/1/long_runs",
        "/report/verification/copies",
        "/report/verification/sources_checked",
        "/report/trays/0/fibres",
    ];
    for pointer in numbers {
        let (code, said) = verified(|document| {
            let number = document.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}"));
            let next = number.as_f64().expect("a number") + 1.0;
            *number = json!(next);
        });
        let name = pointer.rsplit('/').next().expect("a name");
        assert_eq!(code, 1, "{pointer}: {said}");
        assert!(said.contains("plan.json.report") && said.contains(name), "{pointer}: {said}");
    }
}

#[test]
fn another_format_or_version_and_unknown_keys() {
    detected("/format", json!("someone-elses-plan"));
    detected("/version", json!(2));
    let extra = verified(|document| document["note"] = json!("hello"));
    assert_eq!(extra.0, 2, "{extra:?}");
}
