//! One plan is of one room: sites and rooms are never merged, locations become rows only where they
//! say so, and positions hold.

use crate::bench::Bench;
use crate::reader::{Plan, micrometres};

const KAUTZ: [&str; 6] = ["--inventory", "racks.csv", "--family", "kautz", "--p", "2"];

fn bench(text: &str) -> Bench {
    let bench = Bench::new();
    bench.write("racks.csv", text);
    bench
}

fn refused(text: &str, parts: &[&str]) {
    refused_with(text, &[], parts);
}

fn refused_with(text: &str, more: &[&str], parts: &[&str]) {
    bench(text).refuses(&[&["plan", "--out", "plan"], &KAUTZ[..], more].concat(), parts);
}

/// (x, y) of a rack in micrometres, and the notes of the answer.
fn planned(text: &str, more: &[&str]) -> (impl Fn(&str) -> (u64, u64) + use<>, Vec<String>) {
    let bench = bench(text);
    let answer = bench.ask(&[&["plan", "--out", "plan"], &KAUTZ[..], more].concat());
    assert_eq!(bench.verify("plan").code, 0);
    let hall = Plan::read(&bench, "plan").document["hall"].clone();
    let um = |value: &serde_json::Value| {
        let cell = value.as_str().expect("a length").trim_end_matches(" m").to_owned();
        micrometres(&std::iter::once(("m".to_owned(), cell)).collect(), "m")
    };
    let rows: Vec<u64> =
        hall["rows"].as_array().expect("rows").iter().map(|row| um(&row["y"])).collect();
    let racks: std::collections::BTreeMap<String, (u64, u64)> = hall["racks"]
        .as_array()
        .expect("racks")
        .iter()
        .map(|rack| {
            let row = usize::try_from(rack["row"].as_u64().expect("a row")).expect("small");
            (rack["name"].as_str().expect("a name").to_owned(), (um(&rack["x"]), rows[row]))
        })
        .collect();
    let notes = answer["inventory"]["notes"].as_array().expect("notes").iter();
    let notes = notes.map(|note| note.as_str().expect("a text").to_owned()).collect();
    (move |name: &str| racks[name], notes)
}

/// Racks `N0`, `N1`, … of these (site, location) pairs.
fn export(places: &[(&str, &str)]) -> String {
    let rows = places.iter().enumerate();
    let rows: String = rows.map(|(i, (s, l))| format!("{s},{l},N{i}\n")).collect();
    format!("site,location,name\n{rows}")
}

#[test]
fn rows_of_two_sites_are_not_one_row() {
    let text =
        export(&[("A", "Row 1"), ("A", "Row 1"), ("B", "Row 1"), ("B", "Row 1"), ("B", "Row 2")]);
    refused(
        &text,
        &["racks.csv", "site: ", "2 sites", "\"A\" (2 racks)", "\"B\" (3 racks)", "--site \"B\""],
    );
    let (at, _) = planned(&text, &["--site", "b"]);
    assert_eq!(at("N3").0 - at("N2").0, 600_000);
}

#[test]
fn own_columns_and_coordinates_span_no_sites_either() {
    refused(
        "name,row,position,site\nA,1,1,x\nB,1,2,y\nC,1,3,x\n",
        &["site: ", "\"x\" (2 racks)", "\"y\" (1 rack)", "--site \"x\""],
    );
    refused("name,x_m,y_m,site\nA,1,1,x\nB,2,1,\nC,3,1,x\n", &["site: ", "none (1 rack)"]);
    let same = "name,row,position,site\nA,1,1,X\nB,1,2,x\nC,1,3,X\n";
    assert!(planned(same, &[]).1.is_empty());
}

#[test]
fn three_rooms_are_not_one_hall() {
    let text = export(&[("A", "Room 1"), ("A", "Room 2"), ("A", "Room 2"), ("A", "Room 3")]);
    refused(
        &text,
        &[
            "location: ",
            "\"Room 1\" (1 rack), \"Room 2\" (2 racks)",
            "--location",
            "--rows-from \"location\"",
        ],
    );
    refused(
        "name,row,position,location\nA,1,1,East\nB,1,2,West\nC,1,3,East\n",
        &["location: ", "2 locations", "\"East\" (2 racks)", "--location \"East\""],
    );
    refused(
        "name,row,position,Room\nA,1,1,East\nB,1,2,\nC,1,3,East\n",
        &["location: ", "none (1 rack)"],
    );
    refused(
        "name,x_m,y_m,building\nA,1,1,East\nB,2,1,West\nC,3,1,East\n",
        &["building: ", "\"East\" (2 racks)", "\"West\" (1 rack)"],
    );
    refused(
        &export(&[("A", "Room 1 / Row 1"), ("A", "Room 2 / Row 1"), ("A", "Room 2 / Row 2")]),
        &["location: ", "2 rooms", "\"Room 2\" (2 racks)", "--location \"Room 2*\""],
    );
}

#[test]
fn locations_that_are_rows_of_one_room_stay_rows_and_it_is_said() {
    for (one, two) in
        [("Row 2", "Row 10"), ("row-A", "row-B"), ("Hall 1 > Row 1", "hall 1 > Row 2")]
    {
        let text = export(&[("A", one), ("A", one), ("A", two), ("A", one)]);
        let (at, notes) = planned(&text, &[]);
        assert_eq!(at("N3"), (at("N0").0 + 2 * 600_000, at("N0").1), "{one}");
        assert_eq!(at("N2"), (at("N0").0, at("N0").1 + 2_400_000), "{two}");
        assert!(notes.iter().any(|note| note.contains("no positions")), "{notes:?}");
        assert!(notes.iter().any(|note| note.contains("2 location(s)")), "{notes:?}");
    }
}

#[test]
fn one_location_that_may_be_a_room_is_no_row_until_it_is_said() {
    let text = export(&[("A", "Pod"), ("A", "Pod"), ("A", "Pod")]);
    refused(
        &text,
        &["location: ", "\"Pod\" (3 racks)", "column \"row\"", "--rows-from \"location\""],
    );
    let (at, _) = planned(&text, &["--rows-from", "location"]);
    assert_eq!(at("N2").0 - at("N0").0, 2 * 600_000);
    refused_with(&text, &["--rows-from", "row"], &["racks.csv:1: row: ", "missing"]);
    refused_with(&text, &["--rows-from", "aisle"], &["--rows-from: ", "\"aisle\"", "location"]);
    Bench::new().refuses(
        &["fabric", "--family", "kautz", "--p", "2", "--tors", "8", "--rows-from", "location"],
        &["--rows-from", "inventory"],
    );
}

#[test]
fn a_new_design_keeps_where_rows_come_from() {
    let bench = bench(&export(&[("A", "Pod"), ("A", "Pod"), ("A", "Pod")]));
    bench.ask(&["new", "--inventory", "racks.csv", "--rows-from", "location", "-o", "d.toml"]);
    assert_eq!(bench.ask(&["info", "d.toml"])["tors"], 3);
}

#[test]
fn positions_hold_where_a_location_is_the_row() {
    let text = "site,location,name,position\nA,Row 1,x,40\nA,Row 1,y,1\nA,Row 2,z,7\n";
    let (at, notes) = planned(text, &[]);
    assert_eq!(at("x").0 - at("y").0, 39 * 600_000);
    assert_eq!(at("z").0 - at("y").0, 6 * 600_000);
    assert_eq!(at("z").1 - at("y").1, 2_400_000);
    assert!(!notes.iter().any(|note| note.contains("no positions")), "{notes:?}");
}

#[test]
fn positions_that_are_not_of_all_racks_or_no_places_are_refused_at_their_lines() {
    let with = |cells: [&str; 3]| {
        let rows: String = (0..3).map(|i| format!("A,Row 1,N{i},{}\n", cells[i])).collect();
        format!("site,location,name,position\n{rows}")
    };
    refused(&with(["1", "", "3"]), &["racks.csv:3: position: "]);
    refused(&with(["1", "2.5", "3"]), &["racks.csv:3: position: ", "2.5"]);
    refused(&with(["1", "3", "3"]), &["racks.csv:4: position: ", "same place"]);
    let (at, notes) = planned(&with(["", "", ""]), &[]);
    assert_eq!(at("N2").0 - at("N0").0, 2 * 600_000);
    assert!(notes.iter().any(|note| note.contains("no positions")), "{notes:?}");
}

#[test]
fn rows_that_differ_in_case_alone_are_refused() {
    refused(
        "name,row,position\nA,Row 1,1\nB,row 1,2\nC,Row 1,3\n",
        &["racks.csv:3: row: ", "\"Row 1\" of line 2", "case"],
    );
}

#[test]
fn sites_locations_and_statuses_are_chosen_without_regard_to_case() {
    let bench = bench(
        "site,location,name,status\nZÜRICH,Öst Row 1,a,Active\nzürich,Öst Row 1,b,active\n\
         Zürich,Öst Row 2,c,ACTIVE\nB,Öst Row 1,d,active\n",
    );
    for more in [
        &["--site", "Zürich"][..],
        &["--site", "zÜRICH", "--location", "öst row ?"],
        &["--site", "zürich", "--location", "ÖST ROW [1-2]"],
        &["--site", "Zürich", "--status", "aCTIVE"],
    ] {
        let info = bench.ask(&[&["info"], &KAUTZ[..], more].concat());
        assert_eq!(info["tors"], 3, "{more:?}");
    }
}
