//! Port labels: distinct for distinct ports, and read back to one rack, place and port.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use lightloom::Value;
use lightloom::plan::plan;
use lightloom::{Request, Watch};
use proptest::prelude::*;
use proptest::sample::select;

use crate::place::{Place, flags, key, verified};

/// What labels are made of, and what spreadsheets run.
const PIECES: [&str; 20] = [
    "R", "0", "1", "42", "-", ":", "/", " / ", " ", "%", "%2F", "%3A", "S", "T", "IN", "'", "=",
    "+", "@", "\u{e9}",
];

/// What a label is of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Port { tor: usize, port: usize },
    Input { splitter: usize },
    Output { splitter: usize, output: usize },
}

/// A label read as the README says: rack, place, port.
fn read(label: &str) -> (String, String, String) {
    let (place, port) = label.split_once(':').expect("a port");
    let (rack, place) = place.rsplit_once('-').expect("a place");
    let mut name = Vec::new();
    let mut bytes = rack.bytes();
    while let Some(byte) = bytes.next() {
        name.push(if byte == b'%' {
            let digits = [bytes.next().expect("a digit"), bytes.next().expect("a digit")];
            let digits = std::str::from_utf8(&digits).expect("ASCII");
            u8::from_str_radix(digits, 16).expect("two hexadecimal digits")
        } else {
            byte
        });
    }
    (String::from_utf8(name).expect("UTF-8"), place.into(), port.into())
}

/// Both ends of every row of `cables.csv`, with the labels that `near_label` gives them.
fn ends(cables: &Path) -> Vec<(End, String)> {
    let mut reader = csv::Reader::from_path(cables).expect("a sheet");
    let mut found = Vec::new();
    for row in reader.deserialize() {
        let row: BTreeMap<String, String> = row.expect("a row");
        let number = |column: &str| row[column].parse::<usize>().expect("a number");
        let (splitter, feed) = (number("splitter"), row["kind"] == "feed");
        let (near, far) = if feed {
            let port = End::Port { tor: number("from_tor"), port: number("from_port") };
            (port, End::Input { splitter })
        } else {
            let port = End::Port { tor: number("to_tor"), port: number("to_port") };
            (End::Output { splitter, output: number("branch") }, port)
        };
        let halves: Vec<&str> = row["near_label"].split(" / ").collect();
        let [here, there] = halves[..] else { panic!("two ends in {row:?}") };
        assert_eq!(row["far_label"], format!("{there} / {here}"));
        found.extend([(near, here.to_owned()), (far, there.to_owned())]);
    }
    found
}

/// Racks of one row: names, and a unit for some.
fn racks() -> impl Strategy<Value = Vec<(String, Option<u16>)>> {
    let name = prop::collection::vec(select(&PIECES[..]), 1..5).prop_map(|parts| parts.concat());
    let rack = (name, prop::option::of(prop_oneof![Just(42_u16), 1..=100_u16]));
    prop::collection::vec(rack, 2..9).prop_filter_map("distinct names", |racks| {
        // Names that differ only in blanks are refused.
        let blanks = |name: &String| name.split_whitespace().collect::<Vec<_>>().join(" ");
        let names: BTreeSet<String> = racks.iter().map(|(name, _)| blanks(name)).collect();
        (names.len() == racks.len() && !names.contains("")).then_some(racks)
    })
}

fn inventory(racks: &[(String, Option<u16>)]) -> String {
    let mut text = String::from("name,row,position,unit,u_height\n");
    for (i, (name, unit)) in racks.iter().enumerate() {
        let unit = unit.map(|unit| unit.to_string()).unwrap_or_default();
        text += &format!("\"{name}\",A,{},{unit},100\n", i + 1);
    }
    text
}

fn check(racks: &[(String, Option<u16>)], housing: &str) -> Result<(), TestCaseError> {
    let place = Place::new();
    let file = place.write("racks.csv", inventory(racks));
    let file = file.to_str().expect("a UTF-8 path");
    let fabric = [("fabric.family", "kautz"), ("splitters.housing", housing)];
    let mut request: Request = flags(&fabric, &[("fabric.p", 2)]);
    request.flags.push((key("hall.inventory"), Value::Text(file.into())));
    request.flags.push((key("fabric.tors"), Value::Integer(racks.len() as i64)));
    let project = lightloom::open(&request).expect("a good request");
    plan(&project, &place.path("plan"), Watch::quiet()).expect("a plan");
    let report = verified(&place.path("plan")).expect("a plan");
    prop_assert!(report.good, "{:?}", report.first_faults);

    let ends = ends(&place.path("plan/cables.csv"));
    let by_label: BTreeSet<(&String, &End)> =
        ends.iter().map(|(end, label)| (label, end)).collect();
    let labels: BTreeSet<&String> = ends.iter().map(|(_, label)| label).collect();
    let distinct: BTreeSet<&End> = ends.iter().map(|(end, _)| end).collect();
    prop_assert_eq!(labels.len(), by_label.len(), "a label is of one end only");
    prop_assert_eq!(distinct.len(), by_label.len(), "an end has one label only");

    // Racks of one row are placed in order: ToR i is in rack i.
    let names: Vec<&str> = racks.iter().map(|(name, _)| name.trim()).collect();
    let mut shelves = BTreeMap::new();
    for (end, label) in &ends {
        let (rack, at, port) = read(label);
        match end {
            End::Port { tor, port: number } => {
                let expected = racks[*tor].1.map_or(format!("T{tor}"), |unit| format!("{unit:02}"));
                prop_assert_eq!(
                    (rack.as_str(), at, port),
                    (names[*tor], expected, number.to_string())
                );
            }
            End::Input { splitter } | End::Output { splitter, .. } => {
                prop_assert_eq!(at, format!("S{splitter}"));
                let expected = match end {
                    End::Output { output, .. } => output.to_string(),
                    _ => "IN".to_owned(),
                };
                prop_assert_eq!(port, expected);
                prop_assert!(names.contains(&rack.as_str()), "{}", rack);
                let first = shelves.entry(*splitter).or_insert_with(|| rack.clone());
                prop_assert_eq!(&*first, &rack, "a splitter is in one rack");
            }
        }
    }
    // The pull sheet says the same of the same fibres.
    let of = |file: &str, name: fn(&BTreeMap<String, String>) -> String| {
        let mut reader = csv::Reader::from_path(place.path(file)).expect("a sheet");
        let rows = reader.deserialize().map(|row| row.expect("a row"));
        rows.map(|row: BTreeMap<String, String>| (row["label"].clone(), name(&row)))
            .collect::<BTreeMap<_, _>>()
    };
    prop_assert_eq!(
        of("plan/pull-sheet.csv", |row| format!("{} / {}", row["near"], row["far"])),
        of("plan/cables.csv", |row| row["near_label"].clone())
    );
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(150) })]

    #[test]
    fn every_port_has_a_label_of_its_own_that_reads_one_way(
        racks in racks(),
        housing in select(&["sender", "receiver"][..]),
    ) {
        check(&racks, housing)?;
    }
}

#[test]
fn racks_that_spell_the_labels_of_others() {
    let racks: Vec<(String, Option<u16>)> = [
        ("R0", Some(42)),
        ("R0-42", None),
        ("R0-S0", None),
        ("R0-S0:IN", Some(7)),
        ("R0-42:0 / R0", Some(100)),
        ("R0%2D42", None),
        ("=R0", Some(1)),
        ("'=R0", Some(1)),
    ]
    .map(|(name, unit)| (name.to_owned(), unit))
    .into();
    for housing in ["sender", "receiver"] {
        check(&racks, housing).expect("distinct labels");
    }
}
