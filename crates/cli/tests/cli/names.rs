//! Rack names: what is taken, what is refused, and how they come out again.

use crate::bench::{Bench, SMALL};
use crate::reader::{Plan, sheet};

const SHEETS: [&str; 8] = [
    "cables.csv",
    "ports.csv",
    "bom.csv",
    "pull-sheet.csv",
    "cords.csv",
    "modules.csv",
    "labels.csv",
    "work-packages.csv",
];

fn design(inventory: &str) -> Vec<&str> {
    [&SMALL[..], &["--inventory", inventory]].concat()
}

/// Eight racks of one row, the third with this name as it stands in the CSV.
fn with_name(cell: &str) -> String {
    let name = |i: usize| if i == 2 { cell.to_owned() } else { format!("R{i}") };
    let rows: String = (0..8).map(|i| format!("{},Row,{}\n", name(i), i + 1)).collect();
    format!("name,row,position\n{rows}")
}

fn refused(cell: &str, parts: &[&str]) {
    let bench = Bench::new();
    bench.write("racks.csv", with_name(cell));
    let args = [&["plan", "--out", "plan"], &design("racks.csv")[..]].concat();
    bench.refuses(&args, parts);
}

#[test]
fn cells_that_a_spreadsheet_would_run_are_neutralised_everywhere() {
    for start in ["=", "+", "-", "@", "\u{ff1d}", "\u{ff0b}", "\u{ff0d}", "\u{ff20}"] {
        let bench = Bench::new();
        let name = |i: usize| format!("{start}HYPERLINK({i})");
        let rows: String = (0..8).map(|i| format!("{},{start}A,{}\n", name(i), i + 1)).collect();
        bench.write("racks.csv", format!("name,row,position\n{rows}"));
        for housing in ["sender", "receiver"] {
            bench.plan(housing, &[&design("racks.csv")[..], &["--housing", housing]].concat());
            for file in SHEETS {
                for row in sheet(&bench.path(housing).join(file)) {
                    let runs = |cell: &&String| {
                        cell.starts_with(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'])
                    };
                    assert_eq!(row.values().find(runs), None, "{file}");
                }
            }
            let ports = sheet(&bench.path(housing).join("ports.csv"));
            assert_eq!(ports[0]["name"], format!("'{}", name(0)), "still readable");
            assert_eq!(bench.verify(housing).code, 0);
        }
        let tree = [&["tree"], &design("racks.csv")[..], &["--source"]].concat();
        let asked = format!("--source={}", name(3));
        let args = [&tree[..tree.len() - 1], &[asked.as_str()]].concat();
        assert_eq!(bench.ask(&args)["source"], 3, "asked for by its true name");
    }
}

#[test]
fn names_that_break_lines_or_direction_are_refused_at_their_line() {
    let place = "racks.csv:4: name: ";
    refused("\"R\nX\"", &[place]);
    refused("\"R\rX\"", &[place]);
    refused("R\tX", &[place]);
    refused("R\u{1b}[31mX", &[place]);
    refused("R\u{7f}X", &[place]);
    refused("R\u{85}X", &[place]);
    refused("R\u{202e}X", &[place]);
    refused("R\u{2066}X", &[place]);
    refused("R\u{2028}X", &[place]);
    // XML has no such characters.
    refused("R\u{fffe}X", &[place]);
    refused("R\u{ffff}X", &[place]);
    refused("R\u{fdd0}X", &[place]);
}

#[test]
fn names_that_are_empty_or_endless_are_refused_at_their_line() {
    refused("", &["racks.csv:4: name: "]);
    refused("\"   \"", &["racks.csv:4: name: "]);
    refused(&"x".repeat(129), &["racks.csv:4: name: ", "128"]);
}

#[test]
fn two_racks_with_one_name_are_refused_at_the_second() {
    refused("R1", &["racks.csv:4: name: ", "R1", "line 3"]);
    refused(" R1 ", &["racks.csv:4: name: ", "line 3"]);
}

#[test]
fn commas_quotes_and_other_scripts_survive() {
    let names = ["a,b", "say \"hi\"", "Zürich", "東京-1", "🦀", "a;b|c", "'quoted'", "x y"];
    let bench = Bench::new();
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    let rows: String =
        names.iter().enumerate().map(|(i, n)| format!("{},Row,{}\n", quoted(n), i + 1)).collect();
    bench.write("racks.csv", format!("name,row,position\n{rows}"));
    bench.plan("plan", &design("racks.csv"));
    assert_eq!(bench.verify("plan").code, 0);
    let found: Vec<String> = Plan::read(&bench, "plan").names().into_values().collect();
    assert_eq!(found, names);
    for (tor, name) in names.iter().enumerate() {
        let args = [&["tree"], &design("racks.csv")[..], &["--source", name]].concat();
        assert_eq!(bench.ask(&args)["source"], tor);
    }
}

#[test]
fn names_of_digits_that_are_no_tor_number_are_names() {
    let bench = Bench::new();
    bench.write("racks.csv", with_name("101"));
    let args = [&["tree"], &design("racks.csv")[..], &["--source", "101"]].concat();
    assert_eq!(bench.ask(&args)["source"], 2);
}

#[test]
fn a_byte_order_mark_and_crlf_change_nothing() {
    let bench = Bench::new();
    let text = with_name("Zürich");
    bench.write("plain.csv", &text);
    bench.write("windows.csv", format!("\u{feff}{}", text.replace('\n', "\r\n")));
    bench.write("spaced.csv", text.replace("name,row,position", " Name , ROW,Position "));
    bench.plan("plain", &design("plain.csv"));
    for other in ["windows", "spaced"] {
        bench.plan(other, &design(&format!("{other}.csv")));
        for file in crate::reader::FILES {
            let read = |plan: &str| std::fs::read(bench.path(plan).join(file)).expect("a file");
            assert!(read("plain") == read(other), "{other}: {file}");
        }
    }
}

#[test]
fn positions_and_not_the_order_of_lines_place_the_racks() {
    let bench = Bench::new();
    let mut rows: Vec<String> =
        (0..12).map(|i| format!("R{i},Row {},{}\n", i / 2 + 1, i % 2 + 1)).collect();
    // Rows 1 … 10 and more in natural order, whatever the order of the lines.
    rows.extend((0..8).map(|i| format!("S{i},Row {},{}\n", i / 2 + 10, i % 2 + 1)));
    rows.reverse();
    bench.write("racks.csv", format!("name,row,position\n{}", rows.concat()));
    bench.plan("plan", &["--family", "kautz", "--p", "2", "--inventory", "racks.csv"]);
    let names: Vec<String> = Plan::read(&bench, "plan").names().into_values().collect();
    let expected = (0..12).map(|i| format!("R{i}")).chain((0..8).map(|i| format!("S{i}")));
    assert_eq!(names, expected.collect::<Vec<_>>());
}

/// Two racks that nobody can tell apart are refused with both names, spelled out where they look the same.
#[test]
fn racks_that_differ_in_blanks_or_unicode_form_only_are_refused() {
    for (two, three, spelled) in [
        ("\u{e9}", "e\u{301}", ["\\u{e9}", "e\\u{301}"]),
        ("A 1", "A\u{a0}1", ["A 1", "A\\u{a0}1"]),
        ("A 1", "A  1", ["A 1", "A  1"]),
        ("7", "\u{ff17}", ["7", "\\u{ff17}"]),
    ] {
        let bench = Bench::new();
        let racks = with_name(three).replace("R1,", &format!("{two},"));
        bench.write("racks.csv", racks);
        let args = [&["plan", "--out", "plan"], &design("racks.csv")[..]].concat();
        let message = format!(
            "racks.csv:4: name: found \"{}\", which differs from \"{}\" of line 3 only in blanks or Unicode form",
            spelled[1], spelled[0]
        );
        bench.refuses(&args, &[&message]);
    }
    // Names that differ in a letter, in case or in the place of a blank stay apart.
    for (two, three) in [("\u{e9}", "e"), ("A1", "a1"), ("1 11", "11 1")] {
        let bench = Bench::new();
        bench.write("racks.csv", with_name(three).replace("R1,", &format!("{two},")));
        bench.plan("plan", &design("racks.csv"));
    }
}
