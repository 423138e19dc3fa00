//! Plans that name the interfaces of their ToRs grow and shrink: ports keep their interfaces, and further ones get
//! theirs by the rule that named the old.

use std::collections::BTreeMap;

use crate::bench::Bench;
use crate::ports::{FILES, write_hall};
use crate::reader::sheet;

const MODEL: [&str; 2] = ["--tor-model", "juniper-qfx5110-48s-4c"];

/// The device and interface of each port, by rack and port.
fn interfaces(bench: &Bench, plan: &str) -> BTreeMap<(String, String), (String, String)> {
    let rows = sheet(&bench.path(&format!("{plan}/ports.csv"))).into_iter();
    rows.map(|row| {
        let port = (row["name"].clone(), row["port"].clone());
        (port, (row["device"].clone(), row["interface"].clone()))
    })
    .collect()
}

/// Ports of `less` are ports of `more`, with the same interfaces.
fn keeps(bench: &Bench, less: &str, more: &str) {
    let (few, many) = (interfaces(bench, less), interfaces(bench, more));
    assert!(few.len() < many.len());
    for (port, named) in &few {
        assert_eq!(many.get(port), Some(named), "{port:?}");
    }
    assert_eq!(bench.verify(more).code, 0);
}

#[test]
fn new_tors_take_the_interfaces_that_a_fresh_plan_gives_them() {
    for housing in ["receiver", "sender", "zone"] {
        let bench = Bench::new();
        let design = ["--family", "kautz", "--p", "3", "--housing", housing];
        let sized = |tors: &'static str| [&design[..], &MODEL, &["--tors", tors]].concat();
        bench.plan("old", &sized("14"));
        bench.ask(&["grow", "old", "--tors", "24", "--out", "new"]);
        keeps(&bench, "old", "new");
        // The model names them: the first ports of each switch, also of ports that an old ToR gains.
        for ((rack, port), (_, interface)) in interfaces(&bench, "new") {
            assert_eq!(interface, format!("xe-0/0/{port}"), "{housing} {rack}");
        }
        bench.ask(&["shrink", "new", "--tors", "17", "--out", "back"]);
        keeps(&bench, "back", "new");
        assert_eq!(bench.verify("back").code, 0);
        bench.ask(&["grow", "back", "--tors", "24", "--out", "again"]);
        keeps(&bench, "back", "again");
        for question in [
            &["report", "new", "--out", "new.html"][..],
            &["netbox", "new", "--site", "Here", "--out", "netbox"],
            &["draw", "new", "--out", "drawn"],
            &["configs", "new", "--dialect", "openflow", "--out", "configs"],
        ] {
            let ran = bench.run(question);
            assert_eq!(ran.code, 0, "{question:?}: {ran:?}");
        }
        // Labels of cords name the interfaces, and growth.csv those of both plans.
        let growth = sheet(&bench.path("new/growth.csv"));
        let feed = growth.iter().find(|row| row["action"] == "plug" && row["kind"] == "feed");
        let branch = growth.iter().find(|row| row["action"] == "build" && row["kind"] == "branch");
        assert!(feed.is_none_or(|row| row["new_near"].contains(":xe-0/0/0")), "{feed:?}");
        assert!(branch.is_some_and(|row| row["new_far"].contains(":xe-0/0/")), "{branch:?}");
    }
}

/// Four free interfaces, in natural order 2, 3, 9, 10; another one has a cable.
const FREE: [(&str, &str); 5] = [
    ("Ethernet1/10", "25gbase-x-sfp28,true,,false,,"),
    ("Ethernet1/2", "25gbase-x-sfp28,true,,false,,"),
    ("Ethernet1/4", "25gbase-x-sfp28,true,#7,false,,"),
    ("Ethernet1/9", "SFP28 (25GE),true,,,,"),
    ("Ethernet1/3", "25gbase-x-sfp28,true,,,,"),
];

#[test]
fn spare_racks_of_the_files_bring_their_devices() {
    let bench = Bench::new();
    write_hall(&bench, &FREE);
    let files = [&["--family", "kautz", "--p", "2", "--tors", "6"], &FILES[..]].concat();
    bench.plan("old", &files);
    bench.ask(&["grow", "old", "--tors", "8", "--out", "new"]);
    keeps(&bench, "old", "new");
    let new = interfaces(&bench, "new");
    for tor in 0..8 {
        for (port, interface) in [("0", "Ethernet1/2"), ("1", "Ethernet1/3")] {
            let named = (format!("s{tor}"), interface.to_owned());
            assert_eq!(new.get(&(format!("R{tor}"), port.into())), Some(&named));
        }
    }
    bench.ask(&["shrink", "new", "--racks", "R1", "--out", "back"]);
    assert_eq!(bench.verify("back").code, 0);
    keeps(&bench, "back", "new");
}

#[test]
fn a_rack_without_a_known_device_is_refused_with_its_name() {
    let bench = Bench::new();
    write_hall(&bench, &FREE);
    let rack = |i: usize| format!("R{i},A,{},40\n", i + 1);
    let racks: String = (0..10).map(rack).collect();
    bench.write("more.csv", format!("name,row,position,unit\n{racks}"));
    let files = [&["--family", "kautz", "--p", "2", "--tors", "8"], &FILES[..]].concat();
    bench.plan("old", &files);
    let grow = ["grow", "old", "--tors", "10", "--inventory", "more.csv"];
    bench.refuses(&grow, &["ports", "rack \"R8\"", "does not know its device"]);
}
