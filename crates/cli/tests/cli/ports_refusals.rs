//! Wrong inventories of devices and interfaces: refused with file, line, column and what to do.

use std::fs;

use crate::bench::Bench;
use crate::ports::{FIVE, asked, write_hall};
use crate::reader::Plan;

fn args(more: &[&'static str]) -> Vec<&'static str> {
    [&["plan", "--out", "plan"], &asked(more)[..]].concat()
}

/// A hall in which a part of a file is another text.
fn with(file: &str, from: &str, to: &str) -> Bench {
    let bench = Bench::new();
    write_hall(&bench, &FIVE);
    let text = fs::read_to_string(bench.path(file)).expect("a file");
    assert!(text.contains(from), "{from:?} in {text}");
    bench.write(file, text.replacen(from, to, 1));
    bench
}

fn refused(file: &str, from: &str, to: &str, parts: &[&str]) {
    with(file, from, to).refuses(&args(&[]), parts);
}

#[test]
fn devices_that_cannot_be_there() {
    let devices = |from: &str, to: &str, parts: &[&str]| refused("devices.csv", from, to, parts);
    devices(
        "s1,R1,40",
        "s0,R1,40",
        &["devices.csv:4: rack: device \"s0\" is in rack \"R1\" here and in rack \"R0\" on line 2"],
    );
    devices("host0,R0,1", "s0,R0,1", &["devices.csv:3: name: device \"s0\" is already on line 2"]);
    devices("s0,R0,40", "s0,R99,40", &["devices.csv:2: rack: found \"R99\", which is no rack"]);
    devices(
        "s0,R0,40,1",
        "s0,R0,42,2",
        &["devices.csv:2: position: device \"s0\" reaches unit 43, but rack \"R0\" has 42 units"],
    );
    devices("s0,R0,40", "s0,R0,0", &["devices.csv:2: position: found \"0\"; expected the lowest"]);
    devices("s0,R0,40", "s0,R0,4.25", &["devices.csv:2: position: found \"4.25\""]);
    devices("s0,R0,40,1", "s0,R0,40,tall", &["devices.csv:2: u_height: found \"tall\""]);
    devices(
        "host0,R0,1",
        "host0,R0,39",
        &["devices.csv:3: position: devices \"s0\" (line 2) and \"host0\" are both in unit 40"],
    );
    devices("s0,R0", "\"s\n0\",R0", &["devices.csv:2: name: found '\\n' in the name"]);
    devices("rack,position", "rack,place", &["devices.csv:1: position: the column is missing"]);
}

#[test]
fn interfaces_that_cannot_be_there() {
    let listed = |from: &str, to: &str, parts: &[&str]| refused("interfaces.csv", from, to, parts);
    listed(
        "s0,Ethernet1/2,",
        "s0,Ethernet1/3,",
        &[
            "interfaces.csv:5: name: device \"s0\" already has an interface \"Ethernet1/3\" on line 3",
        ],
    );
    listed("s0,Ethernet1/2,", "s99,Ethernet1/2,", &["interfaces.csv:3: device: found \"s99\""]);
    listed("Ethernet1/2,", "Eth / 2,", &["interfaces.csv:3: name: found \"Eth / 2\"", "label"]);
    listed("Ethernet1/2,", "\"Eth\n2\",", &["interfaces.csv:3: name: found '\\n' in the name"]);
    listed("s0,Ethernet1/2,", "s0,,", &["interfaces.csv:3: name: found no name"]);
    listed("type,", "kind,", &["interfaces.csv:1: type: the column is missing"]);
    listed("cable,", "wire,", &["interfaces.csv:1: cable: the column is missing", "free ones"]);
    listed("25gbase-x-sfp28,true,#7", ",true,#7", &["interfaces.csv:3: type: found no type"]);
    listed("true,#7", "maybe,#7", &["interfaces.csv:3: enabled: found \"maybe\""]);
}

#[test]
fn interfaces_that_do_not_fit_are_counted() {
    let bench = Bench::new();
    write_hall(&bench, &FIVE);
    let rate = args(&["--transceiver", "10gbase-er"]);
    let parts = [
        "interfaces.csv: device: device \"s0\", ToR 0 in rack \"R0\", has 5 interfaces",
        "(1 cabled, 1 of 100 Gbps, 3 of 25 Gbps); 0 are free and fit",
        "the fabric needs 2 of 10 Gbps that take LC transceivers",
    ];
    bench.refuses(&rate, &parts);
    let mut mpo = FIVE;
    mpo[2].1 = "25gbase-cr,true,,,,";
    mpo[3].1 = "25gbase-x-sfp28,true,,true,,";
    write_hall(&bench, &mpo);
    let parts = ["2 cabled", "1 with another connector or without light", "1 are free and fit"];
    bench.refuses(&args(&["--transceiver", "25gbase-er"]), &parts);
}

#[test]
fn unknown_types_are_told_and_not_assigned() {
    let bench = Bench::new();
    let mut odd = FIVE;
    odd[3].1 = "25gbase-x-shoe,true,,,,";
    write_hall(&bench, &odd);
    let ran = bench.run(&args(&[]));
    assert_eq!(ran.code, 0, "{ran:?}");
    let told = "Interfaces of unknown types are not assigned: \"25gbase-x-shoe\" (8).";
    assert!(ran.said().contains(told), "{ran:?}");
    let plan = Plan::read(&bench, "plan");
    assert!(plan.ports.iter().all(|row| row["interface"] != "Ethernet1/3"));
}

#[test]
fn a_rack_has_one_tor() {
    let text = "host0,R0,1,2,Server\n";
    let bench = with("devices.csv", text, &format!("{text}s0b,R0,30,1,leaf\n"));
    let interfaces = fs::read_to_string(bench.path("interfaces.csv")).expect("a file");
    let second: String = (1..=4).map(|i| format!("s0b,e{i},SFP28 (25GE),true,,,,\n")).collect();
    bench.write("interfaces.csv", interfaces + &second);
    for more in [&[][..], &["--tor-role", "leaf"]] {
        let parts = ["devices.csv: rack: rack \"R0\" has several", "\"s0\" (Leaf), \"s0b\" (leaf)"];
        bench.refuses(&args(more), &parts);
    }
    // The unit in the rack inventory chooses.
    let racks = fs::read_to_string(bench.path("racks.csv")).expect("a file");
    let racks = racks.replace("position\n", "position,unit\n").replace("R0,A,1\n", "R0,A,1,30\n");
    let racks: String = racks
        .lines()
        .map(|line| line.to_owned() + if line.matches(',').count() < 3 { ",\n" } else { "\n" })
        .collect();
    bench.write("racks.csv", racks);
    bench.plan("plan", &asked(&[]));
    assert_eq!(Plan::read(&bench, "plan").ports[0]["device"], "s0b");
    let parts = ["devices.csv: rack: rack \"R0\" is to have a ToR", "no device with the role"];
    bench.refuses(&args(&["--tor-role", "spine"]), &parts);
}

#[test]
fn two_units_of_one_tor_contradict() {
    let bench =
        with("racks.csv", "name,row,position\nR0,A,1\n", "name,row,position,unit\nR0,A,1,41\n");
    let racks = fs::read_to_string(bench.path("racks.csv")).expect("a file");
    let racks: String = racks
        .lines()
        .map(|line| line.to_owned() + if line.matches(',').count() < 3 { ",\n" } else { "\n" })
        .collect();
    bench.write("racks.csv", racks);
    let parts = ["racks.csv:2: unit: found 41, but \"s0\" of line 2 in devices.csv is in unit 40"];
    bench.refuses(&args(&[]), &parts);
}

#[test]
fn settings_that_need_a_file_say_so() {
    let bench = Bench::new();
    write_hall(&bench, &FIVE);
    let small = [&["fabric"], &crate::bench::SMALL[..]].concat();
    let asks = |more: &[&'static str], part: &str| {
        bench.refuses(&[&small[..], more].concat(), &[part]);
    };
    asks(&["--devices", "devices.csv"], "--devices: lists devices in racks, but no inventory");
    asks(&["--interfaces", "interfaces.csv"], "--interfaces: needs the devices");
    asks(&["--tor-role", "leaf"], "--tor-role: needs the devices");
    asks(&["--tor-reserved", "x"], "--tor-reserved: chooses among interfaces");
    asks(&["--tor-ports", "["], "--tor-ports: is no glob");
}

#[test]
fn a_row_of_a_switch_says_interfaces_that_can_be() {
    let bench = Bench::new();
    let row = |interfaces: &str| {
        let text = format!(
            "[switch.own]\nports = [\"4 x 25 Gb/s\"]\nsource = \"me\"\ndate = \"2026-11\"\n\
             interfaces = [{{ {interfaces} }}]\n"
        );
        bench.write("own.toml", text);
    };
    let asked = ["--parts", "own.toml", "--tor-model", "own"];
    let asked = [&["plan", "--out", "x"], &crate::bench::SMALL[..], &asked].concat();
    let lc = "rate = \"25 Gb/s\", connector = \"lc\"";
    for (interfaces, part) in [
        (format!("names = \"e{{1-5}}\", {lc}"), "found 5 interfaces of 25 Gbps; ports has 4"),
        (format!("names = \"e1\", {lc}"), "expected a pattern with one range"),
        (format!("names = \"e{{4-1}}\", {lc}"), "expected a pattern with one range"),
        (format!("names = \"e / {{1-4}}\", {lc}"), "separates the two ends of a label"),
        (format!("names = \"e{{1-4}}\", {lc}, speed = 1"), "speed"),
        ("names = \"e{1-4}\", rate = \"25 Gb/s\"".into(), "connector: is missing"),
        ("names = \"e{1-4}\", rate = \"25 Gb/s\", connector = \"sc\"".into(), "connector"),
        (
            format!(
                "names = \"e{{1-4}}\", {lc}, breakout = {{ into = 4, rate = \"1 Gb/s\", names = \"e{{port}}\" }}"
            ),
            "expected {port} and {lane} once each",
        ),
    ] {
        row(&interfaces);
        bench.refuses(&asked, &["own.toml:5: ", part]);
    }
}
