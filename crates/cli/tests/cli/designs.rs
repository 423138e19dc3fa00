//! Design files: each refusal stands at its line.

use std::fs::File;

use crate::bench::Bench;

/// A design of these lines after `version = 1`, so the first of them is line 2.
fn refused(lines: &str, parts: &[&str]) {
    refused_whole(&format!("version = 1\n{lines}"), parts);
}

fn refused_whole(text: &str, parts: &[&str]) {
    let bench = Bench::new();
    bench.write("d.toml", text);
    bench.refuses(&["plan", "d.toml", "--out", "plan"], parts);
    bench.refuses(&["info", "d.toml", "--json"], parts);
}

#[test]
fn the_version_is_asked_for() {
    refused_whole("[fabric]\np = 2\n", &["d.toml: version: ", "version = 1"]);
    refused_whole("version = 2\n[fabric]\np = 2\n", &["d.toml:1: version: ", "2"]);
    refused_whole("\n\nversion = \"1\"\n", &["d.toml:3: version: "]);
    refused_whole("", &["d.toml: version: "]);
    refused_whole("[version]\n", &["d.toml:1: version"]);
}

#[test]
fn unknown_keys_and_sections_are_named_with_what_is_known() {
    refused("colour = 1\n", &["d.toml:2: colour: ", "unknown", "[fabric]"]);
    refused("[fabric]\np = 2\nq = 3\n", &["d.toml:4: fabric.q: ", "fabric.p"]);
    refused("[fabrik]\np = 2\n", &["d.toml:3: fabrik.p: ", "[fabric]"]);
    refused("[fabrik]\n", &["d.toml:2: fabrik: "]);
    refused("fabric = 3\n", &["d.toml:2: fabric: "]);
    refused("[[fabric]]\np = 2\n", &["d.toml:2: fabric: "]);
    refused("[fabric.p]\nx = 2\n", &["d.toml:2: fabric.p: "]);
}

#[test]
fn what_is_not_toml_is_refused_at_its_line() {
    refused("[fabric\np = 2\n", &["d.toml:2: "]);
    refused("[fabric]\np = 2\np = 3\n", &["d.toml:4: "]);
    refused("[fabric]\np = \n", &["d.toml:3: "]);
    refused("[fabric]\nfamily = \"kautz\n", &["d.toml:3: "]);
}

#[test]
fn values_of_another_kind_are_refused() {
    for value in ["\"2\"", "2.0", "nan", "inf", "true", "[2]", "[\"2\"]", "{}", "1979-05-27"] {
        refused(&format!("[fabric]\ntors = 8\np = {value}\n"), &["d.toml:4: fabric.p: "]);
    }
    refused("[fabric]\nfamily = 3\n", &["d.toml:3: fabric.family: "]);
    refused(
        "[fabric]\ntors = 8\n[hall]\ninventory = [\"r.csv\"]\n",
        &["d.toml:5: hall.inventory: "],
    );
    refused(
        "[fabric]\ntors = 8\n[hall]\nsite = \"A\"\ninventory = \"r.csv\"\n",
        &["d.toml:5: hall.site: "],
    );
    refused("[fabric]\ntors = 8\n[hall]\nsite = [1]\n", &["d.toml:5: hall.site: "]);
}

#[test]
fn numbers_out_of_range_are_refused_at_their_line() {
    for tors in ["0", "1", "-5", "1_000_000_000", "4294967296", &format!("1{}", "0".repeat(30))] {
        refused(&format!("[fabric]\ntors = {tors}\n"), &["d.toml:3: fabric.tors: "]);
    }
    refused("[fabric]\np = 1\ntors = 8\n", &["d.toml:3: fabric.p: "]);
    refused("[fabric]\np = 1000\nk = 1000\n", &["d.toml:4: fabric.k: "]);
    refused("[fabric]\np = 2\nk = 0\n", &["d.toml:4: fabric.k: "]);
    refused(
        "[fabric]\ntors = 8\n[order]\nspares_percent = 1001\n",
        &["d.toml:5: order.spares_percent: "],
    );
    refused("[fabric]\ntors = 8\n[hall]\nracks_per_row = 0\n", &["d.toml:5: hall.racks_per_row: "]);
}

#[test]
fn lengths_without_sense_are_refused_at_their_line() {
    let lengths = [
        "\"NaN m\"",
        "\"inf m\"",
        "\"-1 m\"",
        "\"1\"",
        "\"1 s\"",
        "\"\"",
        "2",
        "2.5",
        "\"1e30 m\"",
        "\"101 km\"",
    ];
    for length in lengths {
        for key in ["slack", "tray_height", "rack_entry", "tray_width", "fibre_diameter"] {
            let text = format!("[fabric]\ntors = 8\n[hall]\n{key} = {length}\n");
            refused(&text, &[&format!("d.toml:5: hall.{key}: ")]);
        }
    }
    for key in
        ["rack_pitch", "row_pitch", "width", "depth", "tray_width", "tray_depth", "fibre_diameter"]
    {
        let text = format!("[fabric]\ntors = 8\n[hall]\n{key} = \"0 m\"\n");
        refused(&text, &[&format!("d.toml:5: hall.{key}: ")]);
    }
}

#[test]
fn pitches_beyond_any_hall_are_refused() {
    for key in ["rack_pitch", "row_pitch", "width", "depth"] {
        let text = format!("[fabric]\ntors = 8\n[hall]\n{key} = \"18000000000000 m\"\n");
        refused(&text, &["d.toml"]);
    }
}

#[test]
fn trays_that_join_nothing_are_refused() {
    let hall = "[fabric]\ntors = 8\n[hall]\ncross_aisles = ";
    refused(&format!("{hall}[]\n"), &["d.toml:5: hall.cross_aisles: "]);
    refused(&format!("{hall}[\"500 m\"]\n"), &["d.toml:5: hall.cross_aisles: "]);
    refused(&format!("{hall}[\"x\"]\n"), &["d.toml:5: hall.cross_aisles: "]);
    refused(&format!("{hall}[1]\n"), &["d.toml:5: hall.cross_aisles: "]);
}

#[test]
fn a_flag_speaks_over_the_file_and_is_named_in_its_place() {
    let bench = Bench::new();
    bench.write("d.toml", "version = 1\n[fabric]\nfamily = \"kautz\"\ntors = 9\np = 2\n");
    assert_eq!(bench.ask(&["info", "d.toml", "--extra-hops", "1"])["tors"], 9);
    bench.refuses(&["info", "d.toml", "--housing", "cellar"], &["--housing: "]);
}

#[test]
fn paths_in_a_design_start_from_its_folder() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("hall")).expect("a folder");
    bench.write("hall/racks.csv", crate::bench::inventory(1));
    bench.write("hall/d.toml", "version = 1\n[hall]\ninventory = \"racks.csv\"\n");
    assert_eq!(bench.ask(&["info", "hall/d.toml"])["tors"], 8);
    bench.write("hall/d.toml", "version = 1\n[hall]\ninventory = \"hall/racks.csv\"\n");
    bench.refuses(&["info", "hall/d.toml"], &["hall/hall/racks.csv"]);
}

#[test]
fn a_design_that_is_no_text_file_is_refused() {
    let bench = Bench::new();
    bench.refuses(&["info", "absent.toml"], &["absent.toml"]);
    bench.refuses(&["info", "."], &[".: ", "no plan.json"]);
    bench.refuses(&["info", "/dev/zero"], &["/dev/zero", "regular file"]);
    bench.write("zeros.toml", [0; 64]);
    bench.refuses(&["info", "zeros.toml"], &["zeros.toml:1: "]);
    let file = File::create(bench.path("huge.toml")).expect("a file");
    file.set_len(2 << 30).expect("a sparse file");
    bench.refuses(&["info", "huge.toml"], &["huge.toml"]);
}

#[test]
fn nesting_without_end_is_refused() {
    refused(&format!("x = {}\n", "[".repeat(100_000)), &["d.toml", "recurs"]);
    refused(&format!("{} = 1\n", vec!["a"; 50_000].join(".")), &["d.toml"]);
}

#[test]
fn a_byte_order_mark_and_crlf_are_taken() {
    let bench = Bench::new();
    bench.write("d.toml", "\u{feff}version = 1\r\n[fabric]\r\ntors = 0x18 # 24\r\np = 2\r\n");
    assert_eq!(bench.ask(&["info", "d.toml"])["tors"], 24);
}

#[test]
fn costs_of_a_design_that_make_no_sense_are_refused_by_every_command() {
    let bench = Bench::new();
    for (lines, parts) in [
        ("years = 0\nenergy_price = \"0.1 USD\"", ["design.toml:7", "cost.years"]),
        ("years = 5", ["design.toml", "cost.energy_price"]),
        ("fibre_length = \"0 m\"", ["design.toml:7", "cost.fibre_length"]),
        ("fibre_accounting = \"third\"", ["design.toml:7", "cost.fibre_accounting"]),
    ] {
        let head = "version = 1\n[fabric]\nfamily = \"kautz\"\np = 2\ntors = 8\n[cost]\n";
        bench.write("design.toml", format!("{head}{lines}\n"));
        bench.refuses(&["compare", "design.toml"], &parts);
        bench.refuses(&["plan", "--out", "plan", "design.toml"], &parts);
    }
}
