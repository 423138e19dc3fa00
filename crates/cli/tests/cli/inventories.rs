//! Inventories that are no inventories, or do not fit the hall.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::process::Command;

use crate::bench::{Bench, SMALL, inventory};

const PLAN: [&str; 10] = [
    "plan",
    "--out",
    "plan",
    "--inventory",
    "racks.csv",
    "--family",
    "shufflecast",
    "--p",
    "2",
    "--k=2",
];

fn refused(bytes: impl AsRef<[u8]>, parts: &[&str]) {
    let bench = Bench::new();
    bench.write("racks.csv", bytes);
    bench.refuses(&PLAN, parts);
}

/// An inventory with coordinates whose fourth rack (line 5) has these cells.
fn coordinates(cells: &str) -> String {
    let rows: String = (0..8)
        .map(|i| if i == 3 { format!("{cells}\n") } else { format!("R{i},{i}.5,1,42\n") })
        .collect();
    format!("name,x_m,y_m,unit\n{rows}")
}

#[test]
fn two_gigabytes_of_nothing_are_refused_unread() {
    let bench = Bench::new();
    let file = File::create(bench.path("racks.csv")).expect("a file");
    file.set_len(2 << 30).expect("a sparse file");
    bench.refuses(&PLAN, &["racks.csv", "2147483648", "32 MiB"]);
}

#[test]
fn binary_and_other_encodings_are_refused_at_their_line() {
    refused(b"name,row,position\nA,1,1\n\x00\x01\x02\n", &["racks.csv:3: ", "NUL"]);
    refused(b"\x7fELF\x02\x01\x01\x00\x00", &["racks.csv:1: "]);
    refused(b"name,row,position\nZ\xfcrich,1,1\n", &["racks.csv:2: ", "UTF-8"]);
    let utf_16: Vec<u8> = "\u{feff}name,row\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    refused(utf_16, &["racks.csv:1: "]);
}

#[test]
fn what_is_no_file_is_refused_without_waiting_for_it() {
    let bench = Bench::new();
    bench.refuses(&PLAN, &["racks.csv", "cannot be read"]);
    symlink("/dev/zero", bench.path("racks.csv")).expect("a link");
    bench.refuses(&PLAN, &["racks.csv", "regular file"]);
    fs::remove_file(bench.path("racks.csv")).expect("removed");
    fs::create_dir(bench.path("racks.csv")).expect("a folder");
    bench.refuses(&PLAN, &["racks.csv", "regular file"]);
    fs::remove_dir(bench.path("racks.csv")).expect("removed");
    let made = Command::new("mkfifo").arg(bench.path("racks.csv")).status().expect("mkfifo runs");
    assert!(made.success());
    bench.refuses(&PLAN, &["racks.csv", "regular file"]);
}

#[test]
fn an_empty_inventory_is_refused() {
    refused("", &["racks.csv", "empty"]);
    refused("\n\n", &["racks.csv", "empty"]);
    refused("name,row,position\n", &["racks.csv", "lists no rack"]);
}

#[test]
fn columns_that_are_missing_or_double_are_named() {
    refused("label,row,position\nA,1,1\n", &["racks.csv:1: name: ", "label"]);
    refused("name,row\nA,1\n", &["racks.csv:1: ", "position"]);
    refused("name,row,position,row\nA,1,1,2\n", &["racks.csv:1: row: "]);
    refused("name,row,position,Row\nA,1,1,2\n", &["racks.csv:1: row: "]);
}

#[test]
fn uneven_rows_are_refused_at_their_line() {
    refused("name,row,position\nA,1,1\nB,1\n", &["racks.csv:3: ", "2 cells", "3"]);
    refused("name,row,position\nA,1,1,1\n", &["racks.csv:2: ", "4 cells"]);
    refused("name,row,position\nA,1,1\n\"B,1,2\nC,1,3\n", &["racks.csv:3: "]);
}

#[test]
fn positions_are_whole_numbers_from_1() {
    for position in ["0", "-1", "1.5", "x", "", "1e3", "4294967296", "1000001"] {
        refused(
            format!("name,row,position\nA,1,1\nB,1,{position}\n"),
            &["racks.csv:3: position: "],
        );
    }
}

#[test]
fn coordinates_are_plain_metres() {
    for x in [
        "NaN",
        "inf",
        "-inf",
        "-1",
        "1 m",
        "",
        "1e400",
        "0x1",
        "1.0000001",
        "100000.1",
        "18446744073709",
        "99999999999999999999",
    ] {
        refused(coordinates(&format!("R3,{x},1,42")), &["racks.csv:5: x_m: "]);
        refused(coordinates(&format!("R3,3.5,{x},42")), &["racks.csv:5: y_m: "]);
    }
}

#[test]
fn a_rack_unit_is_in_its_rack() {
    for unit in ["0", "43", "-1", "x", "65536"] {
        refused(coordinates(&format!("R3,3.5,1,{unit}")), &["racks.csv:5: unit: "]);
    }
    refused("name,row,position,u_height\nA,1,1,101\n", &["racks.csv:2: "]);
    refused("name,row,position,u_height\nA,1,1,tall\n", &["racks.csv:2: u_height: "]);
}

#[test]
fn two_racks_in_one_place_are_refused_at_the_second() {
    refused(coordinates("R3,2.5,1,42"), &["racks.csv:5: ", "R2", "R3", "same place"]);
    refused("name,row,position\nA,1,1\nB,1,1\n", &["racks.csv:3: position: ", "A", "B"]);
}

#[test]
fn a_rack_outside_the_hall_is_refused_at_its_line() {
    let bench = Bench::new();
    bench.write("racks.csv", inventory(1));
    bench.write(
        "design.toml",
        "version = 1\n[fabric]\nfamily = \"shufflecast\"\np = 2\nk = 2\n\
         [hall]\ninventory = \"racks.csv\"\nwidth = \"4 m\"\n",
    );
    let args = ["plan", "design.toml", "--out", "plan"];
    bench.refuses(&args, &["racks.csv:9: position: ", "R7", "outside", "4 m"]);
}

#[test]
fn a_hall_larger_than_any_is_refused() {
    refused(coordinates("R3,200000,1,42"), &["hall"]);
}

#[test]
fn fewer_racks_than_tors_are_refused_and_more_are_left_over() {
    let bench = Bench::new();
    bench.write("racks.csv", "name,row,position\nA,1,1\nB,1,2\nC,1,3\n");
    bench.refuses(&PLAN, &["racks.csv", "3 racks", "8 ToRs"]);
    bench.write("racks.csv", inventory(2));
    let planned = bench.run(&[&PLAN[..], &["--json"]].concat()).json();
    assert_eq!((&planned["tors"], &planned["spare_racks"]), (&8.into(), &8.into()));
    assert_eq!(bench.verify("plan").code, 0);
}

#[test]
fn filters_need_their_columns_a_glob_and_an_inventory() {
    let bench = Bench::new();
    bench.write("racks.csv", inventory(1));
    let with = |more: &[&'static str]| [&PLAN[..], more].concat();
    bench.refuses(&with(&["--site", "A"]), &["racks.csv:1: site: "]);
    bench.refuses(&with(&["--status", "active"]), &["racks.csv:1: status: "]);
    bench.write("racks.csv", "site,location,name\nA,Row 1,x\n");
    bench.refuses(&with(&["--location", "Row ["]), &["location", "glob"]);
    bench.refuses(&[&["fabric"], &SMALL[..], &["--site", "A"]].concat(), &["--site", "inventory"]);
}

#[test]
fn a_bad_glob_in_a_design_is_refused_at_its_line() {
    let bench = Bench::new();
    bench.write("racks.csv", "site,location,name\nA,Row 1,x\n");
    bench.write(
        "d.toml",
        "version = 1\n[hall]\ninventory = \"racks.csv\"\nlocation = [\"Row [\"]\n",
    );
    bench.refuses(&["fabric", "d.toml"], &["d.toml:4: hall.location: "]);
}
