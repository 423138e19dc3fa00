//! Import files for NetBox: what is refused, what is named, and that equal plans give equal bytes. What the files mean
//! is tested by `tests/peers/test_netbox_files.py`.

use crate::bench::{Bench, SMALL};

const SITE: [&str; 4] = ["--out", "netbox", "--site", "Harbor Hall"];

fn netbox<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["netbox", "plan"], &SITE[..], more].concat()
}

/// A plan of eight racks with these names.
fn named(bench: &Bench, names: [&str; 8]) {
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    let row = |(at, name): (usize, &&str)| format!("{},A,{at},42\n", quoted(name));
    let rows: String = (1..).zip(&names).map(row).collect();
    bench.write("racks.csv", format!("name,row,position,unit\n{rows}"));
    bench.plan("plan", &[&SMALL[..], &["--inventory", "racks.csv"]].concat());
}

#[test]
fn the_files_asked_for_are_written_and_nothing_else() {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    let plan = bench.snapshot();
    let usual = [
        "01-manufacturers.csv",
        "02-device-roles.csv",
        "03-device-types.json",
        "08-shelves.csv",
        "09-modules.csv",
        "10-interfaces.csv",
        "11-cables.csv",
        "README.txt",
    ];
    let answer = bench.ask(&netbox(&[]));
    assert_eq!(answer["files"], serde_json::json!(usual));
    assert_eq!(bench.names("netbox"), usual.map(str::to_owned).to_vec());
    let first = bench.snapshot();
    assert!(plan.iter().all(|(path, bytes)| first.get(path) == Some(bytes)), "the plan changed");
    // Written again over the files that are there, with more of them, and then as before.
    let more = ["--with-racks", "--with-switches", "--location", "Hall 2"];
    assert_eq!(bench.run(&netbox(&more)).code, 0);
    assert_eq!(bench.names("netbox").len(), 12);
    assert_eq!(bench.run(&netbox(&[])).code, 0);
    assert!(bench.snapshot() == first, "equal plans give equal files");
}

#[test]
fn a_site_is_needed_where_the_plan_has_none() {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    bench.refuses(&["netbox", "plan", "--out", "netbox"], &["--site", "is missing"]);
    let long = "x".repeat(101);
    bench.refuses(
        &["netbox", "plan", "--out", "netbox", "--site", &long],
        &["--site", "NetBox takes 100"],
    );
    bench.refuses(&netbox(&["--location", "=1+1"]), &["--location", "formula"]);
}

#[test]
fn names_that_netbox_refuses_are_refused() {
    for (name, parts) in [
        ("A1 ".repeat(22).trim_end(), ["has 6", "NetBox takes 64"]),
        ("A,1", ["A,1-4", "comma"]),
        ("=A1", ["=A1", "formula"]),
        ("r2", ["R2-4", "ignores case"]),
    ] {
        let bench = Bench::new();
        named(&bench, [name, "R2", "R3", "R4", "R5", "R6", "R7", "R8"]);
        bench.refuses(&netbox(&[]), &parts);
    }
}

#[test]
fn names_stay_what_they_are() {
    let bench = Bench::new();
    named(&bench, ["\"A\" 1", "R;2", "R 3", "R\'4", "東5", "R|6", "R%7", "R:8"]);
    assert_eq!(bench.run(&netbox(&["--with-racks"])).code, 0);
    let mut racks = bench.column("netbox/06-racks.csv", "name");
    racks.sort();
    let mut expected = ["\"A\" 1", "R;2", "R 3", "R\'4", "東5", "R|6", "R%7", "R:8"];
    expected.sort_unstable();
    assert_eq!(racks, expected);
}

#[test]
fn a_switch_has_the_name_and_the_interfaces_of_its_device() {
    let bench = Bench::new();
    let design = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/netbox-24.toml");
    bench.plan("plan", &[design]);
    assert_eq!(bench.run(&netbox(&[])).code, 0);
    let devices = bench.column("plan/ports.csv", "device");
    let interfaces = bench.column("plan/ports.csv", "interface");
    let named: Vec<(String, String)> = devices.into_iter().zip(interfaces).collect();
    let rows = bench.column("netbox/10-interfaces.csv", "device");
    for (device, name) in rows.into_iter().zip(bench.column("netbox/10-interfaces.csv", "name")) {
        let port = name.strip_suffix(" Tx").or(name.strip_suffix(" Rx")).expect("a direction");
        assert!(named.contains(&(device.clone(), port.to_owned())), "{device} {name}");
    }
}

#[test]
fn other_folders_are_not_replaced() {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    std::fs::create_dir(bench.path("netbox")).expect("a folder");
    bench.write("netbox/README.txt", "my notes");
    bench.refuses(&netbox(&[]), &["netbox"]);
}

#[test]
fn shelves_that_netbox_has_from_the_kept_plan_are_no_hindrance() {
    let bench = Bench::new();
    let file = |name: &str| format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"));
    let files = ["netbox-racks.csv", "netbox-interfaces.csv", "netbox-devices.csv"].map(file);
    let [racks, interfaces, devices] = &files;
    let design = ["--family", "shufflecast", "--p", "2", "--k", "3", "--transceiver", "25gbase-er"];
    let of_racks = ["--inventory", racks, "--site", "Harbor Hall", "--location", "Row *"];
    let of_ports =
        ["--interfaces", interfaces, "--tor-role", "leaf", "--tor-reserved", "reserved,uplink"];
    let plan = |out: &str, devices: &str, more: &[&str]| {
        let args = [
            &["plan", "--out", out, "--devices", devices],
            &design[..],
            &of_racks,
            &of_ports,
            more,
        ];
        let ran = bench.run(&args.concat());
        assert!(ran.code < 2, "{}", ran.stderr);
    };
    plan("plan", devices, &[]);
    assert_eq!(bench.run(&["netbox", "plan", "--site", "Harbor Hall", "--out", "netbox"]).code, 0);
    // NetBox's export of devices, after the import.
    let mut after = std::fs::read_to_string(devices).expect("it is an example");
    let column = |name: &str| bench.column("netbox/08-shelves.csv", name);
    for ((name, rack), unit) in column("name").iter().zip(column("rack")).zip(column("position")) {
        after += &format!(
            "{name},Planned,Harbor Hall,,{rack},Fibre shelf,lightloom,Shelf,{unit},Front,1\n"
        );
    }
    bench.write("after.csv", &after);
    plan("again", "after.csv", &["--keep", "plan"]);
    for name in ["cables.csv", "ports.csv", "cords.csv", "modules.csv", "rules.json", "bom.csv"] {
        let read =
            |folder: &str| std::fs::read(bench.path(folder).join(name)).expect("it is written");
        assert!(read("plan") == read("again"), "{name}");
    }
    // A device of another name in such a unit is in the way.
    bench.write("other.csv", after.replace(" (Harbor Hall),Planned", "-x,Planned"));
    plan("moved", "other.csv", &["--keep", "plan"]);
    let labels = |folder: &str| bench.column(&format!("{folder}/modules.csv"), "module");
    assert_ne!(labels("moved"), labels("plan"));
}

#[test]
fn shelves_low_in_a_rack_are_known_again_too() {
    let bench = Bench::new();
    let mut racks = String::from("name,row,position,u_height\n");
    let mut devices = String::from("name,rack,position,u_height,role\n");
    for i in 0..8 {
        racks += &format!("R:{i},A,{},9\n", i + 1);
        devices += &format!("s{i},R:{i},9,1,Leaf\n");
    }
    bench.write("racks.csv", racks);
    bench.write("before.csv", &devices);
    let files = |devices| ["--inventory", "racks.csv", "--tor-role", "leaf", "--devices", devices];
    bench.plan("plan", &[&SMALL[..], &files("before.csv")].concat());
    assert_eq!(bench.run(&netbox(&[])).code, 0);
    let column = |name: &str| bench.column("netbox/08-shelves.csv", name);
    assert_eq!(column("name")[0], "R%3A0-08 (Harbor Hall)");
    for ((name, rack), unit) in column("name").iter().zip(column("rack")).zip(column("position")) {
        devices += &format!("{name},{rack},{unit},1,Fibre shelf\n");
    }
    bench.write("after.csv", devices);
    let keep = ["--keep", "plan"];
    bench.plan("again", &[&SMALL[..], &files("after.csv"), &keep].concat());
    let places = |folder: &str| bench.column(&format!("{folder}/modules.csv"), "module");
    assert_eq!(places("again"), places("plan"));
}
