//! Inventories as people export them: read where the meaning is certain, to the same plan as the
//! plain file, and otherwise refused with the cure.

use std::collections::BTreeMap;

use crate::bench::Bench;

const PLAN: [&str; 10] = [
    "plan",
    "--out",
    "plan",
    "--inventory",
    "racks.csv",
    "--family",
    "kautz",
    "--p",
    "2",
    "--json",
];

/// The racks of all files below, as plain as can be.
const PLAIN: &str = "name,row,position,unit,u_height\nA1,Row A,1,42,48\nA2,Row A,2,41,48\n\
                     Zürich,Row A,4,,\nB1,Row B,1,42,47\n";

/// The files of the plan of an inventory.
fn files(bytes: impl AsRef<[u8]>) -> BTreeMap<String, Vec<u8>> {
    let bench = Bench::new();
    bench.write("racks.csv", bytes);
    let ran = bench.run(&PLAN);
    assert_eq!(ran.code, 0, "{ran:?}");
    let read = |name: String| {
        let bytes = std::fs::read(bench.path("plan").join(&name)).expect("a file");
        (name, bytes)
    };
    bench.names("plan").into_iter().map(read).collect()
}

fn same_as(plain: &str, bytes: impl AsRef<[u8]>) {
    assert!(files(plain) == files(bytes));
}

fn refused(bytes: impl AsRef<[u8]>, parts: &[&str]) -> String {
    let bench = Bench::new();
    bench.write("racks.csv", bytes);
    bench.refuses(&PLAN, parts).stderr
}

/// An inventory in coordinates: `x` of the third of four racks, in a file with this separator.
fn with_x(separator: &str, others: [&str; 3], x: &str) -> String {
    let [a, b, d] = others;
    let rows = [["A", a, "1"], ["B", b, "1"], ["C", x, "1"], ["D", d, "1"]];
    let rows: String = rows.iter().map(|row| row.join(separator) + "\n").collect();
    format!("{}\n{rows}", ["name", "x_m", "y_m"].join(separator))
}

#[test]
fn semicolons_tabs_and_a_first_line_that_names_the_separator() {
    same_as(PLAIN, PLAIN.replace(',', ";"));
    same_as(PLAIN, PLAIN.replace(',', "\t"));
    same_as(PLAIN, format!("sep=;\n{}", PLAIN.replace(',', ";")).replace('\n', "\r\n"));
    // A title or a cell with the other separator decides nothing.
    let wide = |text: &str, title: &str, cell: &str, by: &str| -> String {
        let lines = text.lines().enumerate();
        lines
            .map(|(i, line)| format!("{line}{by}{}\n", if i == 0 { title } else { cell }))
            .collect()
    };
    same_as(PLAIN, wide(PLAIN, "notes; and more", "a;b;c", ","));
    same_as(PLAIN, wide(&PLAIN.replace(',', ";"), "\"notes, and more\"", "a,b,c", ";"));
    refused("name,row;position\nA,1;1\n", &["racks.csv:1: ", "commas, semicolons or tabs"]);
}

#[test]
fn utf_16_with_its_mark_and_utf_8_with_and_without() {
    let marked = format!("\u{feff}{PLAIN}");
    same_as(PLAIN, &marked);
    let units = || marked.replace('\n', "\r\n").encode_utf16().collect::<Vec<u16>>();
    same_as(PLAIN, units().into_iter().flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
    same_as(PLAIN, units().into_iter().flat_map(u16::to_be_bytes).collect::<Vec<u8>>());
}

#[test]
fn encodings_that_are_not_certain_are_refused_with_the_cure() {
    let latin: Vec<u8> =
        PLAIN.chars().map(|c| u8::try_from(u32::from(c)).expect("Latin-1")).collect();
    refused(latin, &["racks.csv:4: ", "UTF-8"]);
    let units = PLAIN.encode_utf16().collect::<Vec<u16>>();
    let bare: Vec<u8> = units.iter().copied().flat_map(u16::to_le_bytes).collect();
    refused(&bare, &["racks.csv:", "UTF-8"]);
    let cut = [&[0xff, 0xfe][..], &bare[..bare.len() - 1]].concat();
    refused(cut, &["racks.csv:5: ", "UTF-16"]);
    let half = [&[0xff, 0xfe][..], &bare[..40], &[0, 0xd8], &bare[40..]].concat();
    refused(half, &["racks.csv:", "UTF-16"]);
}

#[test]
fn titles_that_people_write() {
    for header in [
        "Rack Name,Row,Pos,ToR Unit,Height (U)",
        "rack,Rack Row,Pos.,unit,U-Height",
        "RACK_NAME,row name,Position in row,Unit (U),height [u]",
        "Cabinet: , ROW ,row-position,TOR_UNIT,Height(U)",
    ] {
        let (_, rows) = PLAIN.split_once('\n').expect("lines");
        same_as(PLAIN, format!("{header}\n{rows}"));
    }
    let plain = with_x(",", ["1.5", "2", "4"], "3");
    same_as(&plain, plain.replace("x_m,y_m", "X [m],Y (m)"));
}

#[test]
fn two_columns_that_mean_the_same_are_refused() {
    refused(
        "name,row,position,Pos\nA,1,1,1\n",
        &["racks.csv:1: position: ", "\"Pos\"", "keep one"],
    );
    refused("Name,Rack Name,row,position\nA,A,1,1\n", &["racks.csv:1: name: ", "\"Rack Name\""]);
}

#[test]
fn units_in_cells_and_whole_numbers_with_decimals() {
    let written = PLAIN
        .replace("A1,Row A,1,42,48", "A1,Row A,1.0,U42,48U")
        .replace("A2,Row A,2,41,48", "A2,Row A,2,41 u,48.0")
        .replace("B1,Row B,1,42,47", "B1,Row B,01.00,RU42,47RU");
    same_as(PLAIN, written);
    refused("name,row,position,u_height\nA,1,1,U48\n", &["racks.csv:2: u_height: ", "U48"]);
    refused("name,row,position,u_height\nA,1,1,48.5\n", &["racks.csv:2: u_height: ", "48.5"]);
    refused("name,row,position\nA,1,3.5999999999999996\n", &["racks.csv:2: position: "]);
    // A refusal calls a column what the file calls it.
    refused("Rack,Row,Pos\nA,1,x\n", &["racks.csv:2: Pos: "]);
}

#[test]
fn a_height_says_that_it_is_in_units() {
    let plain = "name,row,position,u_height\nA,1,1,48\nB,1,2,\nC,1,3,42\n";
    same_as(plain, "Name,Row,Position,Height\nA,1,1,48U\nB,1,2,\nC,1,3,42 U\n");
    refused("name,row,position,Height\nA,1,1,200\n", &["racks.csv:2: height: ", "u_height"]);
}

#[test]
fn lengths_from_spreadsheets_are_rounded_to_the_micrometre() {
    let plain = with_x(",", ["0.6", "1.2", "4"], "3.6");
    for x in ["3.5999999999999996", "3.6000000000000005", "3.60", "3.60000000000"] {
        same_as(&plain, with_x(",", ["0.6", "1.2", "4"], x));
    }
    refused(with_x(",", ["0.6", "1.2", "4"], "3.60000001"), &["racks.csv:4: x_m: "]);
}

#[test]
fn decimal_commas_where_they_are_certain() {
    let plain = with_x(",", ["0.6", "1.2", "4.5"], "3.25");
    same_as(&plain, with_x(";", ["0,6", "1,2", "4,5"], "3,25"));
    same_as(&plain, with_x("\t", ["0,600", "1,2", "4,5"], "3,25"));
    same_as(&plain, with_x(",", ["\"0,6\"", "\"1,2\"", "\"4,5\""], "\"3,25\""));
    same_as(&plain, with_x(";", ["0.6", "1.2", "4.5"], "3.25"));
    // Three decimals are certain beside others that show the mark, and in a file with commas.
    let fine = with_x(",", ["0.6", "1.2", "4.5"], "3.125");
    same_as(&fine, with_x(";", ["0,6", "1,2", "4,5"], "3,125"));
    same_as(&fine, with_x(";", ["0.6", "1.2", "4.5"], "3.125"));
    same_as(&with_x(",", ["1", "2", "4"], "3.1250"), with_x(",", ["1", "2", "4"], "3.125"));
}

#[test]
fn numbers_that_may_be_another_are_refused() {
    let whole = ["1", "2", "4"];
    let parts = ["racks.csv:4: x_m: ", "without groups"];
    for x in ["1,234", "1.234"] {
        refused(with_x(";", whole, x), &parts);
        refused(with_x("\t", whole, x), &parts);
    }
    refused(with_x(",", whole, "\"1,234\""), &parts);
    for x in ["1.234,5", "1,234.5", "1.234.567"] {
        refused(with_x(";", whole, x), &parts);
    }
    refused(with_x(";", ["0,6", "2", "4"], "1.234"), &parts);
    refused(with_x(";", ["0.6", "2", "4"], "1,234"), &parts);
    refused(with_x(";", ["0.6", "2", "4"], "1,25"), &["racks.csv:4: x_m: ", "line 2", "0.6"]);
    refused("name;row;position\nA;1;1.000\n", &["racks.csv:2: position: ", "groups"]);
}

#[test]
fn rows_that_sum_up_others_are_refused() {
    for name in ["Total", "TOTAL:", "Sum", "Row A total", "Grand total", "Total racks"] {
        refused(
            format!("{}{name},3.0,4.0\n", with_x(",", ["1", "2", "4"], "3")),
            &["racks.csv:6: name: ", "sums up", "delete the line"],
        );
    }
    refused(
        "name,row,position,u_height\nA,1,1,42\n,,,42\n",
        &["racks.csv:3: name: ", "delete the line"],
    );
    // A row of nothing says nothing.
    same_as(PLAIN, format!("{PLAIN},,,,\n , ,,,\n"));
}

#[test]
fn all_faults_of_a_file_are_told_at_once_up_to_twenty() {
    let text = "name,row,position,u_height\nA,1,x,42\nB,1,2,tall\nC,1,3,42\n,1,4,x\nC,1,5,42\n";
    let stderr = refused(
        text,
        &[
            "racks.csv:2: position: ",
            "racks.csv:3: u_height: ",
            "racks.csv:5: name: ",
            "racks.csv:6: name: ",
        ],
    );
    assert_eq!(stderr.lines().count(), 4, "{stderr}");
    let many: String = (0..30).map(|i| format!("R{i},1,x\n")).collect();
    let stderr =
        refused(format!("name,row,position\n{many}"), &["racks.csv:21: ", "… and 10 more"]);
    assert_eq!(stderr.lines().count(), 21, "{stderr}");
    refused(
        "name,row,position\nA,1\nB,1,2\nC\n",
        &["racks.csv:2: found 2 cells", "racks.csv:4: found 1 cells"],
    );
}

#[test]
fn empty_racks_take_a_tor_only_with_a_word_and_deprecated_ones_only_if_asked_for() {
    let bench = Bench::new();
    let text = "name,row,position,status\nA,1,1,Active\nB,1,2,Available\nC,1,3,active\nD,1,4,available\nE,1,5,\n";
    bench.write("racks.csv", text);
    let answer = bench.run(&PLAN).json();
    let notes = answer["inventory"]["notes"].to_string();
    for part in ["2 active", "2 available", "1 without a status", "--status"] {
        assert!(notes.contains(part), "{notes}");
    }
    let told = bench.run(&PLAN[..9]).said();
    assert!(told.contains("2 available"), "{told}");
    let active = bench.run(&[&PLAN[..], &["--status", "active,available"]].concat()).json();
    assert_eq!(
        (&active["tors"], &active["inventory"]["notes"]),
        (&4.into(), &serde_json::json!([]))
    );
    refused(
        text.replace("C,1,3,active", "C,1,3,Deprecated"),
        &["racks.csv:4: status: ", "1 of the racks", "--status active,available"],
    );
}

#[test]
fn columns_that_are_not_used_are_named_in_the_order_of_the_file() {
    let bench = Bench::new();
    bench.write(
        "racks.csv",
        "Asset \
        Tag,name,x_m,row,y_m,serial,position,\n7,A,1,1,1,s,1,\n8,B,2,1,1,s,2,x\n9,C,3,1,1,s,3,\n",
    );
    let answer = bench.run(&PLAN).json();
    let expected = serde_json::json!(["Asset Tag", "serial", "position", "column 8 (no title)"]);
    assert_eq!(answer["inventory"]["ignored_columns"], expected);
    let told = bench.run(&PLAN[..9]).said();
    assert!(told.contains("columns not read: Asset Tag, serial, position, column 8"), "{told}");
}

#[test]
fn a_list_of_devices_is_refused_with_what_to_export() {
    for (header, sign) in [
        (
            "name,manufacturer,device_type,site,location,rack,position,face,status,role",
            "device_type",
        ),
        ("Name,Status,Tenant,Site,Location,Rack,Role,Manufacturer,Type,IP Address", "Manufacturer"),
        ("device,rack,role", "role"),
    ] {
        let cells = vec!["x"; header.split(',').count()].join(",");
        let parts = ["racks.csv:1: ", "list of devices", sign, "export the racks", "u_height"];
        refused(format!("{header}\n{cells}\n"), &parts);
    }
}

#[test]
fn racks_as_netbox_shows_them_are_read() {
    let shown = "Name,Site,Location,Group,Status,Facility ID,Tenant,Role,Type,Height,Devices,Space\n\
                 R1,A,Row 1,,Active,,,Compute,Vendor X,48U,3,10%\nR2,A,Row 1,,Active,,,,,48U,0,0%\n\
                 R3,A,Row 2,,Active,,,,,42U,0,0%\n";
    let plain = "site,location,name,status,u_height\nA,Row 1,R1,active,48\nA,Row 1,R2,active,48\n\
                 A,Row 2,R3,active,42\n";
    same_as(plain, shown);
}

#[test]
fn a_number_without_a_unit_in_a_design_is_told_which_unit_it_wants() {
    let bench = Bench::new();
    for (section, key, value, unit) in [
        ("hall", "tray_height", "2.7", "\"2.7 m\""),
        ("hall", "slack", "2", "\"2 m\""),
        ("hall", "fibre_diameter", "2", "\"2 mm\""),
        ("hall", "cross_aisles", "[0, 12.5]", "\"0 m\""),
        ("optics", "rate", "100", "\"100 Gb/s\""),
        ("optics", "ageing", "0.5", "\"0.5 dB\""),
        ("cost", "energy_price", "0.12", "\"0.12 USD\""),
    ] {
        bench.write("d.toml", format!("version = 1\n[{section}]\n{key} = {value}\n"));
        let field = format!("d.toml:3: {section}.{key}: ");
        bench.refuses(&["fabric", "d.toml"], &[&field, "without a unit", unit]);
    }
    bench.write("s.toml", "version = 1\nuntil = 5\n");
    bench
        .refuses(&["simulate", "s.toml"], &["s.toml:2: until: ", "found 5 without a unit", "time"]);
}

#[test]
fn other_lists_are_read_as_people_export_them() {
    let bench = Bench::new();
    let edges = "tor,from_cassette,to_cassette\n0,0,1\n1,1,0\n2,0,0\n";
    bench.write("plain.csv", edges);
    let ask =
        |file: &str| bench.ask(&["fabric", "--family", "custom", "--p", "2", "--edges", file]);
    let written = edges.replace(',', ";").replace("from_cassette", "From Cassette");
    for text in [written.clone(), written.replace('\n', "\r\n"), edges.replace(',', "\t")] {
        let units = format!("\u{feff}{text}")
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<u8>>();
        bench.write("other.csv", units);
        assert_eq!(ask("plain.csv"), ask("other.csv"));
    }
    bench.write("other.csv", "tor,from_cassette,to_cassette\n0,x,1\n1,1,0\n2,0,y\n");
    let args = ["fabric", "--family", "custom", "--p", "2", "--edges", "other.csv"];
    bench.refuses(&args, &["other.csv:2: from_cassette", "other.csv:4: to_cassette"]);
}
