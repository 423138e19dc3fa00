//! The delays in the code equal those of the catalogue.

use std::fmt::Debug;
use std::str::FromStr;

use lightloom_catalogue::{RECOVERY, Shipped, TWIN};
use lightloom_power_cost::delays;

/// A value from a catalogue file. Its row must have a source and a date.
fn shipped<T: FromStr<Err: Debug>>(file: Shipped, section: &str, key: &str) -> T {
    let document: toml::Table = file.text.parse().unwrap();
    let row = document[section].as_table().unwrap();
    for said in ["source", "date"] {
        assert!(!row[said].as_str().unwrap().is_empty(), "{}: {section}.{said}", file.path);
    }
    row[key].as_str().unwrap().parse().unwrap()
}

#[test]
fn delays_are_those_of_the_catalogue() {
    assert_eq!(delays::FIBRE_PER_METRE, shipped(TWIN, "fibre", "delay_per_m"));
    assert_eq!(delays::RELAY, shipped(RECOVERY, "relay", "delay"));
    assert_eq!(delays::BUFFER, shipped(RECOVERY, "relay", "buffer"));
    assert_eq!(delays::FRAME, shipped(RECOVERY, "relay", "frame"));
    assert_eq!(delays::LIGHT_RATE, shipped(RECOVERY, "relay", "light_rate"));
}
