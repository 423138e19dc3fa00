//! Splitters in frames, and trunks between the rows and them.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};

use crate::bench::{Bench, SMALL};
use crate::reader::{Plan, sheet};

const HALL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/hall-1024.toml");
const ZONE: [&str; 4] = ["--housing", "zone", "--cabling", "trunked"];

/// Ten racks of two rows, of which two hold no ToR.
const RACKS: &str = "name,row,position,u_height\n\
    A1,A,1,42\nA2,A,2,42\nA3,A,3,42\nA4,A,4,42\nZ1,A,5,1\n\
    B1,B,1,42\nB2,B,2,42\nB3,B,3,42\nB4,B,4,42\nZ2,B,5,42\n";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("racks.csv", RACKS);
    bench
}

/// At most 102 cables lie between the rows of the shipped hall with trunks; 1,024 and 4,096 without.
#[test]
fn few_cables_leave_the_rows_of_the_shipped_hall() {
    let bench = Bench::new();
    let planned = bench.ask(&[&["plan", HALL, "--out", "plan"], &ZONE[..]].concat());
    let of = |housing: &str, cabling: &str| -> Value {
        let housings = planned["housings"].as_array().expect("a list");
        let found = housings.iter().find(|h| h["housing"] == housing && h["cabling"] == cabling);
        found.expect("a housing").clone()
    };
    let trunked = of("zone", "trunked");
    let beyond = trunked["cables_beyond_rows"].as_u64().expect("a number");
    assert!(beyond <= 102, "{beyond}");
    assert_eq!(trunked["connector_pairs"], 10);
    assert_eq!(of("receiver", "point-to-point")["cables_beyond_rows"], 1024);
    assert_eq!(of("sender", "point-to-point")["cables_beyond_rows"], 4096);
    // Trunks go from row to frame; everything else stays in its row.
    let trunks = sheet(&bench.path("plan/trunks.csv"));
    assert_eq!(trunks.len() as u64, beyond);
    let cords = sheet(&bench.path("plan/cords.csv"));
    assert!(cords.iter().all(|cord| cord["near_row"] == cord["far_row"]));
    assert_eq!(bench.verify("plan").code, 0);
}

#[test]
fn named_frames_hold_the_splitters_and_no_tor() {
    let bench = bench();
    let flags = ["--family", "shufflecast", "--p", "2", "--k", "2", "--inventory", "racks.csv"];
    let frames = ["--frames", "Z2"];
    let planned = bench.ask(&[&["plan", "--out", "plan"], &flags[..], &ZONE, &frames].concat());
    // Rack Z1 is one unit high, which its switch takes. That is told, and does not prevent this plan.
    let others = planned["no_housings"].as_array().expect("a list");
    let other = others.iter().find(|other| other["housing"] == "sender").expect("a housing");
    assert!(other["why"].as_str().is_some_and(|why| why.contains("\"Z1\"")), "{other}");
    let modules = sheet(&bench.path("plan/modules.csv"));
    let racks = |kind: &str| -> Vec<&String> {
        modules.iter().filter(|m| m["kind"] == kind).map(|m| &m["rack"]).collect()
    };
    assert!(racks("splitter module").iter().all(|rack| *rack == "Z2"));
    assert!(!racks("switch").iter().any(|rack| *rack == "Z2"));
    assert_eq!(bench.verify("plan").code, 0);
    // A frame that the inventory lists is not bought.
    assert!(!Plan::read(&bench, "plan").bom.iter().any(|line| line["item"] == "frame"));
}

/// Frames hold no ToR: a hall of as many racks as ToRs has none left over. They are drawn as frames, and come first.
fn frames_are_no_racks_left_over(flags: &[&str], left_over: u64) {
    let bench = bench();
    let fabric = ["plan", "--out", "plan", "--family", "shufflecast", "--p", "2", "--k", "2"];
    let planned = bench.ask(&[&fabric[..], &ZONE, flags].concat());
    assert_eq!(planned["spare_racks"], left_over);
    let told = bench.run(&[&["plan", "--out", "again"], &fabric[3..], &ZONE, flags].concat());
    let row = told.stdout.lines().find(|line| line.contains("racks left over"));
    assert!(row.is_some_and(|row| row.contains(&format!(" {left_over} "))), "{row:?}");
    let read =
        |file: &str| fs::read_to_string(bench.path(&format!("plan/{file}"))).expect("a file");
    let document: Value = serde_json::from_str(&read("plan.json")).expect("JSON");
    assert_eq!(document["report"]["spare_racks"], left_over);
    let modules = sheet(&bench.path("plan/modules.csv"));
    let racks = |kind: &str| -> BTreeSet<String> {
        modules.iter().filter(|m| m["kind"] == kind).map(|m| m["rack"].clone()).collect()
    };
    let (frames, tors) = (racks("splitter module"), racks("switch"));
    // The colour of the legend is that of one more rectangle than there are frames.
    let floor = read("floor-plan.svg");
    let filled = |colour: &str| floor.matches(&format!("fill=\"{colour}\"")).count();
    assert_eq!(filled("#fdd49e"), frames.len() + 1);
    assert_eq!(filled("#e3ecf5"), tors.len() + 1);
    let drawn = read("elevations.svg");
    let sheets: Vec<&str> =
        drawn.match_indices(">Elevation").map(|(at, _)| &drawn[at + 1..]).collect();
    let title = sheets[0].split('<').next().unwrap_or_default();
    assert!(frames.iter().any(|frame| title.contains(frame.as_str())), "{title}");
    let others = &sheets[1..];
    let is_frame =
        |title: &&&str| frames.iter().any(|frame| title.contains(&format!(": {frame}<")));
    assert_eq!(others.iter().filter(is_frame).count(), 0, "frames have one sheet here");
}

#[test]
fn frames_that_a_plan_buys_are_no_racks_left_over() {
    frames_are_no_racks_left_over(&[], 0);
}

#[test]
fn frames_that_an_inventory_lists_are_no_racks_left_over() {
    frames_are_no_racks_left_over(&["--inventory", "racks.csv", "--frames", "Z2"], 1);
}

#[test]
fn a_frame_that_is_too_small_is_refused_with_figures() {
    let bench = bench();
    let flags = ["plan", "--out", "plan", "--family", "kautz", "--p", "8", "--tors", "8"];
    let racks = ["--inventory", "racks.csv", "--frames", "Z1"];
    let parts = ["--frames", "rack units", "the only frame has 1", "name more frames"];
    bench.refuses(&[&flags[..], &racks, &ZONE].concat(), &parts);
}

#[test]
fn settings_that_a_plan_would_not_use_are_refused() {
    let inventory = ["--inventory", "racks.csv"];
    for (flags, parts) in [
        (&["--cabling", "trunked"][..], &["--cabling", "zone"][..]),
        (&["--housing", "zone", "--shuffle", "modules"], &["--shuffle", "trunked"]),
        (&["--frames", "Z1"], &["--frames", "zone"]),
        (&["--housing", "zone", "--frames", "Z9"], &["--frames", "\"Z9\"", "no rack"]),
        (&["--housing", "zone", "--frames", "Z1,Z1"], &["--frames", "\"Z1\"", "twice"]),
    ] {
        let line = [&["plan", "--out", "plan", "--p", "2", "--k", "2"], &inventory[..], flags];
        bench().refuses(&line.concat(), parts);
    }
    for (splitters, parts) in [
        (
            "housing = \"zone\"\nspare_positions_percent = 20",
            &["spare_positions_percent", "trunked"][..],
        ),
        ("frame_units = 30", &["frame_units", "zone"]),
        ("housing = \"zone\"\nframes = [\"R1.01\"]", &["frames", "inventory"]),
    ] {
        let bench = Bench::new();
        let fabric = "version = 1\n[fabric]\nfamily = \"kautz\"\np = 2\ntors = 8\n";
        bench.write("design.toml", format!("{fabric}[splitters]\n{splitters}\n"));
        bench.refuses(&["plan", "--out", "plan", "design.toml"], parts);
    }
}

#[test]
fn a_plan_whose_cabling_was_edited_is_refused() {
    for (pointer, value, part) in [
        ("/cabling/hardware/trunks", json!([]), "size of trunk"),
        ("/cabling/hardware/slots_per_unit", json!(0), "size"),
        ("/cabling/hardware/ports_per_slot", json!(7), "size"),
        ("/cabling/scheme/spare_percent", json!(4_000_000_000_u32), "spares"),
        ("/cabling/scheme/housing", json!("sender"), "housing"),
    ] {
        let bench = Bench::new();
        bench.ask(&[&["plan", "--out", "plan"], &SMALL[..], &ZONE].concat());
        let path = bench.path("plan/plan.json");
        let text = fs::read_to_string(&path).expect("a file");
        let mut document: Value = serde_json::from_str(&text).expect("JSON");
        *document.pointer_mut(pointer).expect(pointer) = value;
        fs::write(&path, document.to_string()).expect("written");
        bench.refuses(&["verify", "plan"], &["plan.json", "cabling", part]);
    }
}

/// Prices of connectors and of metres both count, and part numbers stand on the bill.
#[test]
fn parts_of_the_plant_are_priced_and_numbered() {
    let bench = Bench::new();
    let row = |name: &str, fields: &str| {
        format!("[part.{name}]\n{fields}\nsource = \"offer 7\"\ndate = \"2026-11\"\n")
    };
    let parts = row("cord", "price = \"3 USD\"\npart_number = \"LC-7\"")
        + &row("trunk-24", "price = \"90 USD\"\nprice_per_m = \"2 USD\"");
    bench.write("parts.toml", parts);
    // The light of these optics does not close over ten pairs, which is told with exit code 1.
    let lit = ["plan", "--out", "plan", "--parts", "parts.toml", "--transceiver", "10gbase-er"];
    assert_eq!(bench.run(&[&lit[..], &SMALL, &ZONE].concat()).code, 1);
    let plan = Plan::read(&bench, "plan");
    let priced =
        |line: &crate::reader::Row| line["unit_price"].trim_end_matches(" USD").parse::<f64>();
    let mut seen = [0; 2];
    for line in &plan.bom {
        let stock: f64 = line["stock_m"].parse().unwrap_or_default();
        let (kind, expected) = match line["part"].as_str() {
            // Half of a duplex pair at 30 USD per 100 m: this price of a cord is that of its connectors.
            "cord" => (0, 3.0 + stock * 0.30 / 2.0),
            "trunk-24" => (1, 90.0 + stock * 2.0),
            _ => continue,
        };
        seen[kind] += 1;
        assert!((priced(line).expect("a price") - expected).abs() < 1e-6, "{line:?}");
        assert_eq!(line["part_number"], if kind == 0 { "LC-7" } else { "" });
        assert_eq!(line["currency"], "USD");
    }
    assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
    assert!(bench.verify("plan").stdout.starts_with("Wrong: 1 fault"), "the light alone");
    bench.write("broken.toml", row("cord", "part_number = \"LC\\n7\""));
    let line = [&["plan", "--out", "other", "--parts", "broken.toml"], &SMALL[..]].concat();
    bench.refuses(&line, &["broken.toml", "part_number"]);
}

/// A separator within the name of a row does not make two trays of one.
#[test]
fn names_of_trays_are_told_apart() {
    let bench = Bench::new();
    let rows: String = (0..8).map(|i| format!("R{i},A; row B,{}\n", i + 1)).collect();
    bench.write("racks.csv", format!("name,row,position\n{rows}"));
    bench.plan("plan", &[&SMALL[..], &["--inventory", "racks.csv"]].concat());
    for row in Plan::read(&bench, "plan").cables {
        assert!(["", "row A%3B row B"].contains(&row["trays"].as_str()), "{row:?}");
    }
}

/// A generated hall has room for the frames that are put in it: in as many rows as its width asks for. What then
/// prevents the plan is told.
#[test]
fn a_generated_hall_has_room_for_its_frames() {
    let bench = Bench::new();
    let wide = ["--p", "64", "--k", "2", "--housing", "zone"];
    let info = bench.ask(&[&["info"], &wide[..], &["--cabling", "trunked"]].concat());
    assert_eq!(info["tors"], 8192);
    let refused = |more: &[&str]| {
        let ran = bench.run(&[&["plan", "--out", "plan"], &wide[..], more].concat());
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        ran.stderr
    };
    // A row has more fibres than the highest frame holds.
    let trunked = refused(&["--cabling", "trunked"]);
    assert!(
        trunked.contains("135 rack unit(s) are needed") && trunked.contains("racks_per_row"),
        "{trunked}"
    );
    let shuffled = refused(&["--cabling", "trunked", "--shuffle", "modules"]);
    assert!(shuffled.contains("no rack of row \"R1\" has 139 free rack unit(s)"), "{shuffled}");
    // All splitters find a place, and the trays are too small for the cords.
    let corded = refused(&[]);
    assert!(corded.contains("tray \"row Z") && corded.contains("hall.tray_width"), "{corded}");
    // The limit of a list is told before anything is placed.
    let large = ["plan", "--out", "plan", "--p", "258", "--k", "2"];
    let large = bench.run(&[&large[..], &ZONE, &["--shuffle", "modules"]].concat());
    assert!(large.stderr.contains("34480152 fibres; at most 16777216"), "{}", large.stderr);
}
