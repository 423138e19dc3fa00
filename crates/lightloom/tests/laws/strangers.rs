//! What strangers send: files that would take all memory, globs and numbers beyond what is meant. Each is refused with
//! its place, before it costs anything.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use lightloom::configs::{ConfigsOptions, ReadBackOptions, config_files, verify_switches};
use lightloom::edit::Bundle;
use lightloom::{Key, Request, Texts, Value, open, setting};

use crate::place::{Place, flags};

const RACKS: &str = "name,row,position\nr1,A,1\nr2,A,2\nr3,A,3\nr4,A,4\nr5,A,5\nr6,A,6\n";

/// A fabric in the racks of a file.
fn in_racks(racks: &Path) -> Request {
    flags(&[("fabric.family", "kautz")], &[("fabric.p", 2)])
        .say(&setting::hall::INVENTORY, racks.to_str().expect("a path in UTF-8"))
}

fn refusal(request: &Request) -> String {
    let Err(refused) = open(request) else { panic!("it is taken") };
    refused.to_string()
}

/// A file of 100 MB that takes no place on the disk.
fn large(place: &Place, name: &str) -> PathBuf {
    let path = place.path(name);
    File::create(&path).and_then(|file| file.set_len(100_000_000)).expect("a sparse file");
    path
}

#[test]
fn files_of_an_inventory_have_a_limit_that_is_told() {
    let place = Place::new();
    let racks = place.write("racks.csv", RACKS);
    let devices = place.write("devices.csv", "name,rack,position\nleaf,r1,42\n");
    let name = |path: &Path| path.to_str().expect("a path in UTF-8").to_owned();
    let large = large(&place, "large.csv");
    let with = |key: &Key, path: &Path| in_racks(&racks).say(key, name(path).as_str());
    let requests = [
        in_racks(&large),
        with(&setting::hall::DEVICES, &large),
        with(&setting::hall::DEVICES, &devices)
            .say(&setting::hall::INTERFACES, name(&large).as_str()),
    ];
    for request in requests {
        let told = refusal(&request);
        let expected =
            format!("{}: has 100000000 bytes; a file of at most 32 MiB is read", name(&large));
        assert!(told.starts_with(&expected), "{told}");
        assert!(told.contains("--largest-file 96MiB"), "{told}");
        // With the limit raised it is read, and is no text.
        let told = refusal(&request.say(&setting::hall::LARGEST_FILE, "96MiB"));
        assert!(told.contains("NUL"), "{told}");
    }
    // A smaller limit holds for files in memory too.
    let texts = Texts::keeping(BTreeMap::from([("racks.csv".into(), RACKS.to_owned())]));
    let request = in_racks(Path::new("racks.csv"));
    let request = Request { texts, ..request }.say(&setting::hall::LARGEST_FILE, "40 B");
    let told = refusal(&request);
    assert!(told.contains("has 60 bytes; a file of at most 40 bytes is read"), "{told}");
    open(&request.say(&setting::hall::LARGEST_FILE, "60 B")).expect("it is as large as may be");
}

#[test]
fn a_limit_of_files_needs_an_inventory() {
    let request = flags(&[("fabric.family", "kautz")], &[("fabric.p", 2), ("fabric.tors", 6)]);
    let told = refusal(&request.say(&setting::hall::LARGEST_FILE, "1 GB"));
    assert!(told.starts_with("--largest-file: ") && told.contains("none was given"), "{told}");
}

#[cfg(unix)]
#[test]
fn endless_files_are_no_inventory() {
    for path in ["/dev/zero", "/dev/null"] {
        let told = refusal(&in_racks(Path::new(path)));
        assert!(told.contains("is not a regular file"), "{told}");
    }
}

/// What would be written to a device is compared with nothing: reading it would not end.
#[cfg(unix)]
#[test]
fn endless_files_are_not_compared() {
    let changes = Bundle::file(vec![1]).compare(Path::new("/dev/zero")).expect("it can be written");
    assert!(!changes.loses(), "{changes:?}");
}

#[test]
fn globs_beyond_what_is_meant_are_refused() {
    let place = Place::new();
    let racks = place.write("racks.csv", RACKS);
    for (key, flag) in [
        (&setting::hall::LOCATION, "--location: "),
        (&setting::tor::PORTS, "--tor-ports: "),
        (&setting::tor::RESERVED, "--tor-reserved: "),
    ] {
        let glob = Value::List(vec!["*".repeat(100_000)]);
        let told = refusal(&in_racks(&racks).say(key, glob));
        assert!(told.starts_with(flag) && told.contains("100000 characters"), "{told}");
        assert!(told.len() < 200, "{told}");
    }
}

#[test]
fn counts_of_packets_beyond_64_bits_are_the_largest_number() {
    let request = flags(&[("fabric.family", "kautz")], &[("fabric.p", 2), ("fabric.tors", 6)]);
    let project = open(&request).expect("it is a fabric");
    let (_, files) = config_files(&project, &ConfigsOptions::default()).expect("they are made");
    let mut texts: BTreeMap<PathBuf, String> = BTreeMap::new();
    for (name, bytes) in files {
        texts.insert(Path::new("configs").join(&*name), String::from_utf8(bytes).expect("a text"));
    }
    let of = |kind: &str| &texts[&Path::new("configs").join(format!("tor-0.{kind}"))];
    let counted = |line: &str| format!("n_packets={},{line}\n", u64::MAX);
    let flows = format!("{}{}", of("flows"), of("gate"));
    let flows = flows.lines().filter(|line| !line.starts_with('#')).map(counted).collect();
    let groups = of("groups").clone();
    texts.insert("back/tor-0.dump-flows".into(), flows);
    texts.insert("back/tor-0.dump-groups".into(), groups);
    let report = verify_switches(
        Path::new("configs"),
        Path::new("back"),
        ReadBackOptions::default(),
        &Texts::keeping(texts),
    );
    let report = report.expect("it is read");
    assert_eq!((report.right, report.not_read.len()), (1, 5));
    assert!(report.packets.values().any(|&sum| sum == u64::MAX), "{:?}", report.packets);
}

#[test]
fn a_switch_has_no_more_ports_than_fit_a_number() {
    let place = Place::new();
    // Each group is small enough; a million of them were more than 32 bits hold.
    for (ports, interfaces) in [
        ("\"4096 x 1 Gb/s\", \"1 x 1 Gb/s\"", String::new()),
        (
            "\"4096 x 1 Gb/s\"",
            "{ names = \"e{1-1}\", rate = \"1 Gb/s\", connector = \"lc\" }, ".repeat(4_097),
        ),
    ] {
        let text = format!(
            "[switch.s]\nports = [{ports}]\ninterfaces = [{interfaces}]\nsource = \"x\"\ndate = \"2026-11\"\n"
        );
        let parts = place.write("parts.toml", text);
        let request = flags(&[("fabric.family", "kautz")], &[("fabric.p", 2), ("fabric.tors", 6)]);
        let told = refusal(&request.say(&setting::optics::PARTS, parts.to_str().expect("UTF-8")));
        assert!(told.contains("found 4097 "), "{told}");
    }
}
