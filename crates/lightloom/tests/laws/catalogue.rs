//! The catalogue that is shipped: every row with source and date, every value sane, and the plan
//! made with exactly these.

use std::fs;

use lightloom::Watch;
use lightloom::plan::plan;
use lightloom_units::{Length, Money};

use crate::place::{Place, flags};

fn shipped() -> toml::Table {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../catalogue/fibre.toml");
    fs::read_to_string(path).expect("the catalogue").parse().expect("TOML")
}

fn length(value: &toml::Value) -> Length {
    value.as_str().expect("a text").parse().expect("a length")
}

#[test]
fn every_section_names_its_source_and_date() {
    for (name, section) in shipped() {
        let section = section.as_table().expect("a table");
        // A section is one row, or has named rows.
        let is_row = section.contains_key("source");
        let rows = if is_row {
            vec![section]
        } else {
            section.values().filter_map(|row| row.as_table()).collect()
        };
        assert!(!rows.is_empty(), "{name}");
        for (row, key) in rows.into_iter().flat_map(|row| ["source", "date"].map(|key| (row, key)))
        {
            let said = row.get(key).and_then(|said| said.as_str()).unwrap_or_default();
            assert!(
                said.len() >= 7 || said == "assumed" && key == "source",
                "{name}.{key}: {said:?}"
            );
        }
    }
}

#[test]
fn stock_lengths_ascend_and_the_step_goes_on_from_them() {
    let stock = &shipped()["stock"];
    let lengths: Vec<Length> =
        stock["lengths"].as_array().expect("a list").iter().map(length).collect();
    assert!(lengths.is_sorted_by(|a, b| a < b), "{lengths:?}");
    let step = length(&stock["step"]);
    let longest = lengths.last().expect("a length");
    assert!(lengths[0] > Length::ZERO && *longest <= Length::from_m(1_000));
    assert_eq!(longest.as_um() % step.as_um(), 0, "no gap and no piece shorter than the longest");
}

#[test]
fn fibre_costs_something_per_some_length() {
    let fibre = &shipped()["fibre_price"];
    let amount = |end: &str| -> Money {
        fibre["price"][end].as_str().expect("a text").parse().expect("an amount")
    };
    let [low, typical, high] = ["low", "typical", "high"].map(amount);
    assert!(low.as_micros() > 0 && low <= typical && typical <= high);
    assert!(length(&fibre["per"]) > Length::ZERO);
}

#[test]
fn a_plan_records_the_catalogue_that_it_was_made_with() {
    let place = Place::new();
    let request = flags(&[("fabric.family", "kautz")], &[("fabric.p", 2), ("fabric.tors", 4)]);
    let project = lightloom::open(&request).expect("a good request");
    plan(&project, &place.path("plan"), Watch::quiet()).expect("a plan");
    let text = fs::read_to_string(place.path("plan/plan.json")).expect("a plan");
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let (recorded, shipped) = (&document["catalogue"], shipped());
    let lengths = recorded["stock_lengths"].as_array().expect("a list");
    let listed = shipped["stock"]["lengths"].as_array().expect("a list");
    let same = |(a, b): (&serde_json::Value, &toml::Value)| a.as_str() == b.as_str();
    assert_eq!(lengths.len(), listed.len());
    assert!(lengths.iter().zip(listed).all(same));
    assert_eq!(
        recorded["fibre_accounting"].as_str(),
        shipped["fibre_price"]["accounting"].as_str()
    );
}
