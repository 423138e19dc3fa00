//! Several rooms: a route that leaves its room goes through entrances and ways, what already lies in them counts,
//! and rooms that nothing joins are refused.

use std::fs;

use serde_json::Value;

use crate::bench::{Bench, SMALL};
use crate::reader::{FILES, Plan, micrometres};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

/// Two rooms of four racks each, 3.6 m by 1.8 m with one row and one cross-aisle tray.
const RACKS: &str = "name,location,row,position\n\
    A1,East,Row 1,1\nA2,East,Row 1,2\nA3,East,Row 1,3\nA4,East,Row 1,4\n\
    B1,West,Row 1,1\nB2,West,Row 1,2\nB3,West,Row 1,3\nB4,West,Row 1,4\n";

/// A building of these two rooms, with the ways that follow.
fn building(ways: &str) -> String {
    let room = |name: &str, x: &str| {
        format!(
            "[[room]]\nname = \"{name}\"\nwidth = \"3.6 m\"\ndepth = \"2 m\"\n\
             cross_aisles = [\"0 m\", \"3.6 m\"]\nentrances = [{{ name = \"door\", x = \"{x}\", y = \"2 m\" }}]\n"
        )
    };
    format!("{}{}{ways}", room("East", "3.6 m"), room("West", "0 m"))
}

/// A way between the two rooms.
fn way(name: &str, more: &str) -> String {
    format!(
        "[[way]]\nname = \"{name}\"\nkind = \"duct\"\nfrom = \"East/door\"\nto = \"West/door\"\n{more}\n"
    )
}

const DUCT: &str = "length = \"20 m\"\ndiameter = \"50 mm\"";
const PLAN: [&str; 6] = ["plan", "--inventory", "racks.csv", "--building", "b.toml", "--out"];

fn bench(text: &str) -> Bench {
    let bench = Bench::new();
    bench.write("racks.csv", RACKS);
    bench.write("b.toml", text);
    bench
}

fn args<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&PLAN[..], &[out], &SMALL[..], more].concat()
}

fn refused(text: &str, parts: &[&str]) {
    bench(text).refuses(&args("plan", &[]), parts);
}

#[test]
fn three_rooms_of_1024_racks_become_a_verified_plan() {
    let bench = Bench::new();
    let design = format!("{EXAMPLES}/building-1024.toml");
    bench.plan("plan", &[&design]);
    assert_eq!(bench.verify("plan").code, 0);
    let plan = Plan::read(&bench, "plan");
    let room_of = |rack: &str| format!("Room {}", &rack[..1]);
    assert!(plan.ports.iter().all(|row| row["room"] == room_of(&row["name"])));
    let mut between = 0;
    for row in &plan.pull {
        assert_eq!(row["room"], room_of(&row["rack"]));
        assert_eq!(row["to_room"], room_of(&row["to_rack"]));
        let leaves = row["room"] != row["to_room"];
        assert_eq!(leaves, row["trays"].contains("way "), "{row:?}");
        between += usize::from(leaves);
    }
    assert!(between > 500, "{between}");
    // Every fibre into the upper floor goes through the riser.
    let upstairs = plan.pull.iter().filter(|row| {
        row["room"] != row["to_room"] && [&row["room"], &row["to_room"]].contains(&&"Room C".into())
    });
    for row in upstairs {
        assert!(row["trays"].contains("way riser"), "{row:?}");
    }
}

#[test]
fn a_length_between_rooms_is_that_of_a_hand() {
    let bench = bench(&building(&way("d", DUCT)));
    assert_eq!(bench.run(&args("plan", &[])).code, 0);
    assert_eq!(bench.verify("plan").code, 0);
    let plan = Plan::read(&bench, "plan");
    // Racks stand at 0.3, 0.9, 1.5 and 2.1 m; the row's tray is at y = 1.2 m, the entrances at y = 2 m.
    let x = |name: &str| 300_000 + 600_000 * (name[1..2].parse::<u64>().expect("a number") - 1);
    let mut seen = 0;
    for (cable, pull) in plan.of_kind("branch").map(|row| {
        (row, plan.pull.iter().find(|pull| pull["label"] == row["label"]).expect("its row"))
    }) {
        let (near, far) = (&pull["rack"], &pull["to_rack"]);
        if near[..1] == far[..1] {
            continue;
        }
        let (east, west) = if near.starts_with('A') { (near, far) } else { (far, near) };
        let along = (3_600_000 - x(east)) + 800_000 + 20_000_000 + 800_000 + x(west);
        // The ToR is in unit 42 of 42, its splitter in unit 41: the drops to a tray at 2.7 m.
        let port = 2_700_000 - (100_000 + 44_450 * 42 - 22_225);
        let shelf = port + 44_450;
        assert_eq!(
            micrometres(cable, "length_m"),
            along + port + shelf + 600_000 + 2_000_000,
            "{cable:?}"
        );
        let trays = [
            "East: row Row 1",
            "East: cross-aisle 2",
            "way d",
            "West: cross-aisle 1",
            "West: row Row 1",
        ];
        let mut named: Vec<&str> = cable["trays"].split("; ").collect();
        if near.starts_with('B') {
            named.reverse();
        }
        assert_eq!(named, trays);
        seen += 1;
    }
    assert!(seen > 0);
    let risk = ["risk", "--inventory", "racks.csv", "--building", "b.toml"];
    let found = bench.ask(&[&risk[..], &SMALL[..]].concat());
    let duct =
        found["groups"].as_array().expect("a list").iter().find(|group| group["group"] == "way d");
    assert_eq!(duct.expect("a duct is a risk group")["parts"], seen);
}

#[test]
fn a_building_of_one_room_is_the_hall_without_one() {
    let bench = Bench::new();
    bench.write("one.toml", "[[room]]\nname = \"All\"\n");
    bench.plan("hall", &SMALL);
    bench.plan("room", &[&SMALL[..], &["--building", "one.toml"]].concat());
    for file in FILES {
        let read = |plan: &str| fs::read(bench.path(plan).join(file)).expect("a file");
        assert!(read("hall") == read("room"), "{file}");
    }
    assert_eq!(bench.verify("room").code, 0);
}

#[test]
fn ways_with_room_are_taken_before_crowded_ones_and_full_ones_never() {
    let long = way("long", "length = \"90 m\"\ndiameter = \"50 mm\"");
    for (existing, taken) in [
        ("", "way short"),
        ("existing_fill = \"39 %\"", "way short"),
        ("existing_fill = \"40 %\"", "way long"),
        ("existing_fill = \"100 %\"", "way long"),
        // 300 cables of 3 mm are more than a duct of 50 mm holds.
        ("existing = { cables = 300, diameter = \"3 mm\" }", "way long"),
    ] {
        let bench = bench(&building(&(way("short", &format!("{DUCT}\n{existing}")) + &long)));
        assert_eq!(bench.run(&args("plan", &[])).code, 0, "{existing}");
        let plan = Plan::read(&bench, "plan");
        let ways = plan.cables.iter().flat_map(|row| row["trays"].split("; "));
        let ways: Vec<&str> = ways.filter(|tray| tray.starts_with("way ")).collect();
        assert!(!ways.is_empty() && ways.iter().all(|way| *way == taken), "{existing}: {ways:?}");
    }
    // Over its planned share, and the only one: taken, with a warning.
    let crowded = bench(&building(&way("only", &format!("{DUCT}\nexisting_fill = \"41 %\""))));
    let answer = crowded.ask(&args("plan", &[]));
    let warning = &answer["warnings"][0];
    assert_eq!((&warning["tray"], &warning["planned_percent"]), (&"way only".into(), &40.0.into()));
    assert_eq!(
        (&warning["kind"], &warning["existing_percent"]),
        (&"tray_over_planned_share".into(), &41.0.into())
    );
    assert_eq!(crowded.verify("plan").code, 0);
    refused(
        &building(&way("only", &format!("{DUCT}\nexisting_fill = \"100 %\""))),
        &["b.toml:13: ", "East", "West", "way \"only\" (100.0 %)", "full of existing cables"],
    );
    // The plan's own fibres do not fit.
    refused(
        &building(&way("only", "length = \"20 m\"\ndiameter = \"5 mm\"")),
        &["--building: ", "do not fit", "duct \"way only\"", "256.0 % by 16 cables"],
    );
    // Trays count what lies in them too.
    let trays = building(&way("d", DUCT)).replacen("width", "existing_fill = \"99.9 %\"\nwidth", 1);
    refused(
        &trays,
        &["--building: ", "do not fit", "East: row Row 1", "99.9 % of it by existing cables"],
    );
}

#[test]
fn rooms_that_nothing_joins_are_refused_with_their_names() {
    refused(&building(""), &["b.toml:7: ", "no ways join", "\"East\" | \"West\""]);
    let sites = building("")
        .replacen("width", "site = \"Harbor\"\nwidth", 1)
        .replace("name = \"West\"\n", "name = \"West\"\nsite = \"Pier 3\"\n");
    refused(&sites, &["\"East\" (site Harbor) | \"West\" (site Pier 3)"]);
    let doorless =
        building("").replace("entrances = [{ name = \"door\", x = \"0 m\", y = \"2 m\" }]\n", "");
    refused(&doorless, &["b.toml:7: entrances: ", "\"West\" has no entrance"]);
}

#[test]
fn wrong_ways_are_refused_at_their_lines() {
    let with = |from: &str, to: &str| building(&way("d", DUCT).replace(from, to));
    for (text, parts) in [
        (with("West/door", "West/dor"), &["b.toml:17: way.to: ", "did you mean \"West/door\""][..]),
        (with("West/door", "shaft"), &["b.toml:17: way.to: ", "\"shaft\"", "no junction"]),
        (with("West/door", "East/door"), &["b.toml:13: to: ", "from room \"East\" to itself"]),
        (with("20 m", "0 m"), &["b.toml:13: length: ", "found 0 m", "more than 0 m"]),
        (with("20 m", "-3 m"), &["b.toml:18: way.length: ", "-3 m"]),
        (with("20 m", "999999 km"), &["b.toml:13: length: ", "at most 100 km"]),
        (with("20 m", "99999999999999999999 m"), &["b.toml:18: way.length: "]),
        (with("length = \"20 m\"", "length = 20"), &["b.toml:18: way.length: ", "without a unit"]),
        (with("50 mm", "0 mm"), &["b.toml:13: diameter: ", "found 0 m"]),
        (
            with("\"duct\"", "\"pipe\""),
            &["b.toml:15: way.kind: ", "tray, duct, riser, under-floor"],
        ),
        (with("diameter", "diametre"), &["b.toml:19: way.diametre: ", "did you mean diameter"]),
        (with("diameter = \"50 mm\"", "width = \"1 m\""), &["b.toml:13: way.depth: ", "missing"]),
        (
            with("diameter", "depth = \"1 m\"\ndiameter"),
            &["way.diameter: ", "beside width and depth"],
        ),
        (with("20 m\"", "20 m\"\nmost_fill = \"0 %\""), &["b.toml:13: most_fill: ", "0 %"]),
        (with("20 m\"", "20 m\"\nmost_fill = \"101 %\""), &["b.toml:13: most_fill: ", "101 %"]),
        (
            with("20 m\"", "20 m\"\nexisting_fill = \"101 %\""),
            &["existing_fill: ", "at most 100 %"],
        ),
        (
            with("20 m\"", "20 m\"\nexisting = { cables = 3, diameter = \"0 mm\" }"),
            &["b.toml:13: existing: ", "diameter"],
        ),
        (
            with("20 m\"", "20 m\"\nexisting = { cables = -3, diameter = \"2 mm\" }"),
            &["b.toml:19: existing.cables: ", "-3"],
        ),
        (
            building(&(way("d", DUCT) + &way("D", DUCT))),
            &["b.toml:20: name: ", "way \"D\" is named twice"],
        ),
        (with("name = \"d\"", "name = \"a;b\""), &["b.toml:14: way.name: ", "\";\""]),
        (building("[[wya]]\n"), &["b.toml:13: wya: ", "did you mean [[way]]"]),
    ] {
        refused(&text, parts);
    }
}

#[test]
fn wrong_rooms_and_entrances_are_refused_at_their_lines() {
    let with = |from: &str, to: &str| building(&way("d", DUCT)).replacen(from, to, 1);
    for (text, parts) in [
        (
            with("y = \"2 m\"", "y = \"2.1 m\""),
            &["b.toml:6: x: ", "outside the room of 3.6 m by 2 m"][..],
        ),
        (
            with("x = \"3.6 m\", y", "x = \"3 m\", y"),
            &[
                "b.toml:6: x: ",
                "the nearest is East: cross-aisle 2, 0.6 m away",
                "lead = \"0.6 m\"",
            ],
        ),
        (
            with("x = \"3.6 m\", y", "lead = \"0.5 m\", x = \"3 m\", y"),
            &["b.toml:6: lead: ", "0.5 m", "0.6 m away"],
        ),
        (
            with("width", "location = \"Est\"\nwidth"),
            &["racks.csv:2: location: ", "\"East\"", "did you mean \"Est\""],
        ),
        (
            with("name = \"West\"", "name = \"east\"").replace("West/door", "east/door"),
            &["room \"east\" is named twice"],
        ),
        (with("width", "widht"), &["b.toml:3: room.widht: ", "did you mean width"]),
        (with("width", "tray = \"floor\"\nwidth"), &["room.tray_height: ", "below the floor"]),
        (
            with("\"0 m\", \"3.6 m\"", "\"9 m\""),
            &["b.toml:1: cross_aisles: ", "room \"East\"", "9 m"],
        ),
        (with("name = \"door\"", "name = \"a/b\""), &["entrances.name: ", "\"/\""]),
        ("[[room]]\nname = 3\n".into(), &["b.toml:2: room.name: "]),
        (String::new(), &["the building has no room"]),
    ] {
        refused(&text, parts);
    }
    // With their leads and below the floor, they stand.
    let text = with("x = \"3.6 m\", y", "lead = \"0.6 m\", x = \"3 m\", y").replacen(
        "width",
        "tray = \"floor\"\ntray_height = \"0.5 m\"\nwidth",
        1,
    );
    let bench = bench(&text);
    assert_eq!(bench.run(&args("plan", &[])).code, 0);
    assert_eq!(bench.verify("plan").code, 0);
}

#[test]
fn racks_find_their_rooms_by_site_and_floor_too() {
    let bench = Bench::new();
    let rack = |i: u32, site: &str, floor: u32| {
        format!("N{i},Room 1 / Row {},{site},{floor}\n", i % 2 + 1)
    };
    let racks = (0..8).map(|i| rack(i, if i < 4 { "X" } else { "Y" }, 1 + i / 2 % 2));
    bench.write("racks.csv", format!("name,location,site,floor\n{}", racks.collect::<String>()));
    let room = |name: &str, site: &str, floor: u32| {
        format!(
            "[[room]]\nname = \"{name}\"\nlocation = \"room 1\"\nsite = \"{site}\"\nfloor = \"{floor}\"\n\
             entrances = [{{ name = \"e\", x = \"0 m\", y = \"0 m\" }}]\n"
        )
    };
    let rooms =
        room("X1", "X", 1) + &room("X2", "X", 2) + &room("Y1", "Y", 1) + &room("Y2", "Y", 2);
    let ways: String = [("X1", "X2"), ("X2", "Y1"), ("Y1", "Y2")]
        .iter()
        .map(|(a, b)| {
            way(&format!("{a}{b}"), DUCT)
                .replace("East/door", &format!("{a}/e"))
                .replace("West/door", &format!("{b}/e"))
        })
        .collect();
    bench.write("b.toml", rooms.clone() + &ways);
    assert_eq!(bench.run(&args("plan", &[])).code, 0);
    let rooms_of: Vec<String> = Plan::read(&bench, "plan")
        .ports
        .iter()
        .map(|row| format!("{} {}", row["name"], row["room"]))
        .collect();
    for (rack, room) in [("N0", "X1"), ("N3", "X2"), ("N4", "Y1"), ("N7", "Y2")] {
        assert!(rooms_of.contains(&format!("{rack} {room}")), "{rooms_of:?}");
    }
    // A rack that two rooms fit.
    bench.write("b.toml", rooms.replace("floor = \"2\"\n", "") + &ways);
    bench.refuses(&args("new", &[]), &["racks.csv:2: location: ", "\"X1\", \"X2\""]);
}

#[test]
fn without_a_building_the_refusal_of_several_rooms_names_it() {
    let bench = bench("");
    let args =
        ["plan", "--inventory", "racks.csv", "--family", "kautz", "--p", "2", "--out", "plan"];
    bench.refuses(&args, &["location: ", "2 locations", "--building"]);
    bench.write("two.toml", building(&way("d", DUCT)));
    bench.refuses(
        &[&["plan", "--out", "plan", "--building", "two.toml"], &SMALL[..]].concat(),
        &["--building: ", "2 rooms", "--inventory"],
    );
}

#[test]
fn an_edited_building_is_found() {
    let bench = bench(&building(&way("d", DUCT)));
    assert_eq!(bench.run(&args("plan", &[])).code, 0);
    let path = bench.path("plan/plan.json");
    let original: Value = serde_json::from_slice(&fs::read(&path).expect("a file")).expect("JSON");
    type Edit = fn(&mut Value);
    let edits: [Edit; 7] = [
        |building| building["ways"][0]["length"] = "19 m".into(),
        |building| building["ways"][0]["section"] = serde_json::json!({ "diameter": "1 mm" }),
        |building| building["ways"][0]["existing"] = serde_json::json!({ "fill": "50 %" }),
        |building| building["rooms"][1]["trays"] = "floor".into(),
        |building| building["rooms"][1]["name"] = "North".into(),
        |building| building["entrances"][0]["y"] = "0 m".into(),
        |building| building["entrances"][0]["lead"] = "4 m".into(),
    ];
    for edit in edits {
        let mut document = original.clone();
        edit(&mut document["hall"]["building"]);
        fs::write(&path, document.to_string()).expect("written");
        assert_eq!(bench.verify("plan").code, 1);
    }
    let broken: [Edit; 4] = [
        |building| building["ways"] = serde_json::json!([]),
        |building| building["ways"][0]["ends"][0] = serde_json::json!({ "entrance": 9 }),
        |building| building["entrances"][0]["room"] = 9.into(),
        |building| building["rooms"] = serde_json::json!([]),
    ];
    for edit in broken {
        let mut document = original.clone();
        edit(&mut document["hall"]["building"]);
        fs::write(&path, document.to_string()).expect("written");
        let ran = bench.verify("plan");
        assert!(ran.code == 2 && ran.stderr.contains("hall: "), "{ran:?}");
    }
}
