//! Fabric ports with the names of interfaces: from NetBox's exports, and from the switch model.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::bench::{Bench, SMALL};
use crate::reader::{Plan, Row, number, sheet};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/");

fn example(name: &str) -> String {
    format!("{EXAMPLES}{name}")
}

/// Racks, devices and interfaces of eight ToRs: switch `s0` in rack `R0`, … with these interfaces each, as
/// (name, the other cells). Beside each switch is a server.
pub(crate) fn write_hall(bench: &Bench, interfaces: &[(&str, &str)]) {
    let mut racks = String::from("name,row,position\n");
    let mut devices = String::from("name,rack,position,u_height,role\n");
    let mut listed =
        String::from("device,name,type,enabled,cable,mark_connected,tags,description\n");
    for i in 0..8 {
        racks += &format!("R{i},A,{}\n", i + 1);
        devices += &format!("s{i},R{i},40,1,Leaf\nhost{i},R{i},1,2,Server\n");
        for (name, cells) in interfaces {
            listed += &format!("s{i},{name},{cells}\n");
        }
        listed += &format!("host{i},eth0,25gbase-x-sfp28,true,,,,\n");
    }
    bench.write("racks.csv", racks);
    bench.write("devices.csv", devices);
    bench.write("interfaces.csv", listed);
}

/// Three free interfaces of 25 Gb/s, one that is cabled, and an uplink.
pub(crate) const FIVE: [(&str, &str); 5] = [
    ("Ethernet1/10", "25gbase-x-sfp28,true,,false,,"),
    ("Ethernet1/2", "25gbase-x-sfp28,true,#7,false,,"),
    ("Ethernet1/9", "SFP28 (25GE),true,,,,"),
    ("Ethernet1/3", "25gbase-x-sfp28,true,,,,"),
    ("Ethernet1/49", "100gbase-x-qsfp28,true,,,,"),
];

/// The flags that name the files.
pub(crate) const FILES: [&str; 6] =
    ["--inventory", "racks.csv", "--devices", "devices.csv", "--interfaces", "interfaces.csv"];

pub(crate) fn asked(more: &[&'static str]) -> Vec<&'static str> {
    [&SMALL[..], &FILES[..], more].concat()
}

/// The interfaces of each ToR, port 0 first.
pub(crate) fn interfaces(plan: &Plan) -> BTreeMap<usize, Vec<String>> {
    let mut found: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for row in &plan.ports {
        let of = found.entry(number(row, "tor")).or_default();
        assert_eq!(number(row, "port"), of.len());
        of.push(row["interface"].clone());
    }
    found
}

fn planned(bench: &Bench, more: &[&'static str]) -> Plan {
    bench.plan("plan", &asked(more));
    assert_eq!(bench.verify("plan").code, 0);
    Plan::read(bench, "plan")
}

#[test]
fn exports_of_racks_devices_and_interfaces_become_a_verified_plan() {
    let bench = Bench::new();
    bench.plan("plan", &[&example("netbox-24.toml")]);
    assert_eq!(bench.verify("plan").code, 0);
    let plan = Plan::read(&bench, "plan");
    let exported: BTreeMap<(String, String), Row> =
        sheet(example("netbox-interfaces.csv").as_ref())
            .into_iter()
            .map(|row| ((row["Device"].clone(), row["Name"].clone()), row))
            .collect();
    let mut used = BTreeSet::new();
    for row in &plan.ports {
        let (device, interface) = (&row["device"], &row["interface"]);
        let listed = &exported[&(device.clone(), interface.clone())];
        assert!(listed["Cable"].is_empty() && listed["Mark Connected"] == "False", "{listed:?}");
        assert!(listed["Tags"] != "reserved" && listed["Type"] == "SFP28 (25GE)", "{listed:?}");
        assert!(used.insert((device, interface)), "{row:?}");
        let n: usize = row["name"].trim_start_matches("N-").parse().expect("a number");
        assert_eq!(*device, format!("leaf-{n:02}"));
        assert_eq!(row["unit"], if n < 17 { "47" } else { "41" });
        assert_eq!(row["tx"], if row["port"] == "0" { "lit" } else { "off" });
    }
    assert_eq!(used.len(), 48);
    let said = bench.run(&["info", &example("netbox-24.toml")]).said();
    for part in ["3 fabric port(s)", "switched off", "1 in no rack, 1 in racks that are left out"] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn free_interfaces_of_one_rate_are_taken_in_natural_order() {
    let bench = Bench::new();
    write_hall(&bench, &FIVE);
    let plan = planned(&bench, &[]);
    for (_, found) in interfaces(&plan) {
        assert_eq!(found, ["Ethernet1/3", "Ethernet1/9"]);
    }
    let units: BTreeSet<&String> = plan.ports.iter().map(|row| &row["unit"]).collect();
    assert_eq!(units.into_iter().collect::<Vec<_>>(), ["40"]);
}

#[test]
fn the_light_says_the_rate() {
    let bench = Bench::new();
    write_hall(&bench, &[&FIVE[..], &[("Ethernet1/50", "QSFP28 (100GE),true,,,,")]].concat());
    let plan = planned(&bench, &["--transceiver", "100gbase-lr4"]);
    for (_, found) in interfaces(&plan) {
        assert_eq!(found, ["Ethernet1/49", "Ethernet1/50"]);
    }
}

#[test]
fn globs_choose_and_reserve_interfaces() {
    let bench = Bench::new();
    let tagged = [
        ("Ethernet1/1", "25gbase-x-sfp28,true,,,\"Storage,lab\","),
        ("Ethernet1/2", "25gbase-x-sfp28,true,,,,for the Backup"),
        ("Ethernet1/3", "25gbase-x-sfp28,true,,,,"),
        ("Ethernet1/4", "25gbase-x-sfp28,true,,,,"),
        ("Ethernet1/5", "25gbase-x-sfp28,true,,,,"),
    ];
    write_hall(&bench, &tagged);
    let found = |more: &[&'static str]| interfaces(&planned(&bench, more))[&3].clone();
    assert_eq!(found(&[]), ["Ethernet1/1", "Ethernet1/2"]);
    assert_eq!(found(&["--tor-reserved", "storage"]), ["Ethernet1/2", "Ethernet1/3"]);
    let two = ["--tor-reserved", "STORAGE", "--tor-reserved", "*backup*"];
    assert_eq!(found(&two), ["Ethernet1/3", "Ethernet1/4"]);
    assert_eq!(found(&["--tor-reserved", "Ethernet1/[1-3]"]), ["Ethernet1/4", "Ethernet1/5"]);
    assert_eq!(found(&["--tor-ports", "ethernet1/[45]"]), ["Ethernet1/4", "Ethernet1/5"]);
}

#[test]
fn labels_name_the_interface_after_the_first_colon() {
    let bench = Bench::new();
    let odd = [("et-0/0/0:0", "25gbase-lr,true,,,,"), ("et-0/0/0:1", "25gbase-lr,true,,,,")];
    write_hall(&bench, &odd);
    let plan = planned(&bench, &[]);
    let ports: BTreeMap<(usize, usize), &Row> =
        plan.ports.iter().map(|row| ((number(row, "tor"), number(row, "port")), row)).collect();
    for row in &plan.cables {
        let ends: Vec<&str> = row["near_label"].split(" / ").collect();
        assert_eq!(ends.len(), 2, "{row:?}");
        let (end, port) = match row["kind"].as_str() {
            "feed" => (ends[0], (number(row, "from_tor"), 0)),
            _ => (ends[1], (number(row, "to_tor"), number(row, "to_port"))),
        };
        let (place, interface) = end.split_once(':').expect("a port");
        assert_eq!(interface, ports[&port]["interface"]);
        assert_eq!(place, format!("{}-40", ports[&port]["name"]));
    }
    let limits = sheet(&bench.path("plan/acceptance.csv"));
    assert!(limits.iter().all(|row| row["meter_at"].contains("-40:et-0/0/0:")));
}

#[test]
fn a_model_names_its_interfaces_without_any_file() {
    let bench = Bench::new();
    let model = |more: &[&'static str]| {
        let args = [&SMALL[..], &["--tor-model", "juniper-qfx5110-48s-4c"], more].concat();
        bench.plan("plan", &args);
        assert_eq!(bench.verify("plan").code, 0);
        let plan = Plan::read(&bench, "plan");
        assert!(plan.ports.iter().all(|row| row["device"].is_empty()));
        interfaces(&plan)[&7].clone()
    };
    assert_eq!(model(&[]), ["xe-0/0/0", "xe-0/0/1"]);
    assert_eq!(model(&["--tor-reserved", "xe-0/0/0"]), ["xe-0/0/1", "xe-0/0/2"]);
    assert_eq!(model(&["--transceiver", "100gbase-lr4"]), ["et-0/0/48", "et-0/0/49"]);
}

#[test]
fn ports_are_broken_out_only_where_it_is_asked_for() {
    let bench = Bench::new();
    let arista = |more: &[&'static str]| {
        let args = [&SMALL[..], &["--tor-model", "arista-7050sx-64"], more].concat();
        bench.plan("plan", &args);
        interfaces(&Plan::read(&bench, "plan"))[&0].clone()
    };
    let lanes = ["--tor-ports", "Ethernet49/*", "--tor-breakout", "4"];
    assert_eq!(arista(&["--tor-ports", "Ethernet[45]*/*"]), ["Ethernet49/1", "Ethernet50/1"]);
    assert_eq!(arista(&lanes), ["Ethernet49/1", "Ethernet49/2"]);
    let args = [&["plan", "--out", "x"], &SMALL[..], &["--tor-model", "cisco-3232c"]].concat();
    bench.refuses(&[&args[..], &["--tor-breakout", "4"]].concat(), &["--tor-breakout: found 4"]);
    // A row of one's own.
    bench.write(
        "own.toml",
        "[switch.own]\nports = [\"2 x 100 Gb/s\"]\nsource = \"me\"\ndate = \"2026-11\"\n\
         interfaces = [{ names = \"et-0/0/{0-1}\", rate = \"100 Gb/s\", connector = \"lc\", \
         breakout = { into = 4, rate = \"25 Gb/s\", names = \"et-0/0/{port}:{lane}\" } }]\n",
    );
    let own = ["--parts", "own.toml", "--transceiver", "25gbase-er", "--tor-model", "own"];
    bench.plan("plan", &[&SMALL[..], &own, &["--tor-breakout", "4"]].concat());
    assert_eq!(interfaces(&Plan::read(&bench, "plan"))[&0], ["et-0/0/0:0", "et-0/0/0:1"]);
}

#[test]
fn a_design_without_names_of_interfaces_has_the_old_columns() {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    let text = fs::read_to_string(bench.path("plan/ports.csv")).expect("a sheet");
    let columns = "tor,port,name,row,unit,transceiver,tx_label,rx_label,rx_from_tor";
    assert_eq!(text.lines().next(), Some(columns));
    let document = fs::read_to_string(bench.path("plan/plan.json")).expect("a document");
    assert!(!document.contains("\"ports\":") && !document.contains("\"occupied\":"));
}

#[test]
fn ports_keep_their_interfaces_and_moves_are_told() {
    let bench = Bench::new();
    write_hall(&bench, &FIVE);
    bench.plan("old", &asked(&["--tor-ports", "Ethernet1/[19]*"]));
    let before = interfaces(&Plan::read(&bench, "old"));
    assert_eq!(before[&5], ["Ethernet1/9", "Ethernet1/10"]);
    // Without the glob, Ethernet1/3 would come first.
    let same = planned(&bench, &["--keep", "old"]);
    assert_eq!(interfaces(&same), before);
    let mut cabled = FIVE;
    cabled[2].1 = "25gbase-x-sfp28,true,#9,false,,";
    write_hall(&bench, &cabled);
    let args = [&["plan", "--out", "new", "--keep", "old"], &asked(&[])[..]].concat();
    let ran = bench.run(&args);
    assert_eq!(ran.code, 0, "{ran:?}");
    let told = "Port 0 of ToR 5 moves from Ethernet1/9 to Ethernet1/3: it is cabled.";
    assert!(ran.said().contains(told), "{ran:?}");
    assert_eq!(interfaces(&Plan::read(&bench, "new"))[&5], ["Ethernet1/3", "Ethernet1/10"]);
}

#[test]
fn a_cable_of_the_fabric_does_not_occupy_its_port() {
    let bench = Bench::new();
    write_hall(&bench, &FIVE);
    bench.plan("old", &asked(&[]));
    let before = Plan::read(&bench, "old");
    // What is installed is in the next export: port 0 has the ToR's feed, port 1 what it receives.
    let mut text = fs::read_to_string(bench.path("interfaces.csv")).expect("a file");
    for row in &before.ports {
        let label = if row["tx_label"].is_empty() { &row["rx_label"] } else { &row["tx_label"] };
        let line = |cable: &str| {
            let kind =
                if row["interface"] == "Ethernet1/9" { "SFP28 (25GE)" } else { "25gbase-x-sfp28" };
            format!("{},{},{kind},true,{cable},", row["device"], row["interface"])
        };
        assert!(text.contains(&line("")), "{text}");
        text = text.replace(&line(""), &line(label));
    }
    bench.write("interfaces.csv", &text);
    let after = planned(&bench, &["--keep", "old"]);
    assert_eq!(interfaces(&after), interfaces(&before));
    // Without the old plan, and where the cable of another port is in it, the interface is occupied.
    let args = [&["plan", "--out", "new"], &asked(&[])[..]].concat();
    bench.refuses(&args, &["3 cabled"]);
    bench.write("interfaces.csv", text.replace(",F3,", ",F4,"));
    let args = [&args[..], &["--keep", "old"]].concat();
    let ran = bench.run(&args);
    assert_eq!(ran.code, 0, "{ran:?}");
    let told = "Port 0 of ToR 3 moves from Ethernet1/3 to Ethernet1/10: it is cabled.";
    assert!(ran.said().contains(told), "{ran:?}");
}

#[test]
fn an_edited_assignment_is_no_plan() {
    let bench = Bench::new();
    write_hall(&bench, &FIVE);
    bench.plan("plan", &asked(&[]));
    let path = bench.path("plan/plan.json");
    let text = fs::read_to_string(&path).expect("a document");
    // Other interfaces than those in the sheets.
    fs::write(&path, text.replace("\"Ethernet1/9\"", "\"Ethernet1/2\"")).expect("written");
    let ran = bench.verify("plan");
    assert!(ran.code == 1 && ran.stdout.contains("interface of 0 1 is"), "{ran:?}");
    for (from, to, part) in [
        (
            "\"Ethernet1/9\"",
            "\"Ethernet1/3\"",
            "ports: interface \"Ethernet1/3\" of ToR 0 is two ports",
        ),
        (
            "\"s1\",\n      \"interfaces\"",
            "\"s0\",\n      \"interfaces\"",
            "ports: device \"s0\" is",
        ),
        ("\"Ethernet1/9\"", "\"a / b\"", "separates the two ends"),
        ("\"unit\": 40", "\"unit\": 43", "occupied: found 1 unit(s) from unit 43"),
    ] {
        assert!(text.contains(from), "{from}");
        fs::write(&path, text.replace(from, to)).expect("written");
        let ran = bench.verify("plan");
        assert!(ran.code == 2 && ran.stderr.contains(part), "{part}: {ran:?}");
    }
}

#[test]
fn occupied_units_are_in_the_plan() {
    let bench = Bench::new();
    write_hall(&bench, &FIVE);
    let plan = planned(&bench, &[]);
    let occupied = plan.document["occupied"].as_array().expect("a list");
    assert_eq!(occupied.len(), 16);
    assert_eq!(
        occupied[0],
        serde_json::json!({"rack": "R0", "unit": 1, "height": 2, "device": "host0"})
    );
    assert_eq!(occupied[1]["unit"], 40);
}

/// With splitters at the receivers, a full rack moves its shelf to another receiver of the cassette. Only a cassette
/// whose receivers are all in full racks is refused.
#[test]
fn a_full_rack_is_no_reason_to_refuse_while_another_receiver_has_room() {
    let asked = ["--tor-role", "Leaf", "--housing", "receiver"];
    let full = |racks: &[&str]| {
        let bench = Bench::new();
        write_hall(&bench, &FIVE);
        let mut devices = fs::read_to_string(bench.path("devices.csv")).expect("a file");
        for rack in racks {
            devices += &format!("low-{rack},{rack},3,37,Server\nhigh-{rack},{rack},41,2,Server\n");
        }
        bench.write("devices.csv", devices);
        bench
    };
    let shelves = |bench: &Bench| -> BTreeSet<String> {
        let modules = sheet(&bench.path("plan/modules.csv"));
        let splitters = modules.iter().filter(|module| module["kind"] == "splitter module");
        splitters.map(|module| module["rack"].clone()).collect()
    };
    let bench = full(&[]);
    bench.plan("plan", &self::asked(&asked));
    let free = shelves(&bench);
    let first = free.first().expect("a shelf").clone();
    // Its rack is full: another rack has the shelf, and everything else is where it was.
    let bench = full(&[&first]);
    bench.plan("plan", &self::asked(&asked));
    assert_eq!(bench.verify("plan").code, 0);
    let now = shelves(&bench);
    assert_eq!(free.difference(&now).collect::<Vec<_>>(), [&first]);
    assert_eq!(now.len(), free.len());
    // No rack has room.
    let all: Vec<String> = (0..8).map(|i| format!("R{i}")).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let bench = full(&all);
    let args = [&["plan", "--out", "plan"], &self::asked(&asked)[..]].concat();
    bench.refuses(&args, &["--housing", "it has none, and the racks of its 1 other receiver(s)"]);
}
