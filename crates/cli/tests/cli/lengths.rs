//! Fibre lengths, worked out by hand from a hall whose every measure is known.

use std::collections::BTreeMap;

use crate::bench::Bench;
use crate::reader::{Plan, Row, micrometres, number};

const DESIGN: &str = r#"version = 1
[fabric]
family = "shufflecast"
p = 2
k = 3
[hall]
inventory = "racks.csv"
cross_aisles = ["1 m", "20 m"]
tray_height = "3 m"
rack_entry = "0.25 m"
slack = "1.5 m"
width = "40 m"
"#;

const STOCK: [u64; 11] = [
    500_000, 1_000_000, 2_000_000, 3_000_000, 5_000_000, 7_000_000, 10_000_000, 15_000_000,
    20_000_000, 30_000_000, 50_000_000,
];

/// A rack's place: x, y and the ToR's unit; lengths in micrometres.
#[derive(Clone, Copy)]
struct At {
    x: u64,
    y: u64,
    unit: u64,
}

/// 24 racks in three rows at odd places, ToRs in odd units; by name.
fn racks() -> BTreeMap<String, At> {
    let place = |i: u64| At {
        x: 2_000_000 + (i % 8) * 4_700_000 + i * 1_000,
        y: [1_000_000, 4_250_000, 30_000_000][usize::try_from(i / 8).expect("small")],
        unit: 1 + (i * 7) % 42,
    };
    (0..24).map(|i| (format!("N{i}"), place(i))).collect()
}

fn inventory() -> String {
    let metres = |um: u64| format!("{}.{:06}", um / 1_000_000, um % 1_000_000);
    let mut text = "name,row,x_m,y_m,unit,u_height\n".to_owned();
    for (name, at) in racks() {
        text += &format!("{name},row {},{},{},{},42\n", at.y, metres(at.x), metres(at.y), at.unit);
    }
    text
}

/// Floor to the middle of a unit: a plinth of 0.1 m, then units of 44.45 mm.
fn height(unit: u64) -> u64 {
    100_000 + 44_450 * unit - 22_225
}

/// The splitter shelf is next to the ToR: below, or above a ToR at the bottom.
fn shelf(unit: u64) -> u64 {
    height(if unit == 1 { 2 } else { unit - 1 })
}

fn routed(a: (At, u64), b: (At, u64)) -> u64 {
    let ((a, from), (b, to)) = (a, b);
    if (a.x, a.y) == (b.x, b.y) {
        return from.abs_diff(to) + 500_000;
    }
    let by = |aisle: u64| a.x.abs_diff(aisle) + b.x.abs_diff(aisle);
    let along = if a.y == b.y { a.x.abs_diff(b.x) } else { by(1_000_000).min(by(20_000_000)) };
    let drops = from.abs_diff(3_000_000) + to.abs_diff(3_000_000);
    along + a.y.abs_diff(b.y) + drops + 500_000 + 1_500_000
}

/// The rack of a row's splitter, as its label says.
fn splitter_rack(row: &Row) -> String {
    let mark = format!("-S{}:", row["splitter"]);
    let (near, far) = row["near_label"].split_once(" / ").expect("two ends");
    let end = if row["kind"] == "feed" { far } else { near };
    end.split_once(&mark).expect("a splitter's end").0.to_owned()
}

fn lengths_follow_the_trays(housing: &str) {
    let bench = Bench::new();
    bench.write("racks.csv", inventory());
    bench.write("design.toml", DESIGN);
    bench.plan("plan", &["design.toml", "--housing", housing]);
    let (plan, racks) = (Plan::read(&bench, "plan"), racks());
    let names = plan.names();
    let tor = |id: usize| {
        let at = racks[&names[&id]];
        (at, height(at.unit))
    };
    let (mut total, mut pieces) = (0, 0);
    for row in &plan.cables {
        let rack = splitter_rack(row);
        if housing == "sender" {
            assert_eq!(rack, names[&number(row, "from_tor")]);
        }
        let splitter = (racks[&rack], shelf(racks[&rack].unit));
        let end = if row["kind"] == "feed" { "from_tor" } else { "to_tor" };
        let expected = routed(tor(number(row, end)), splitter);
        assert_eq!(micrometres(row, "length_m"), expected, "{row:?}");
        let piece = STOCK.into_iter().chain((6..).map(|tens| tens * 10_000_000));
        let piece = piece.into_iter().find(|&piece| piece >= expected);
        assert_eq!(Some(micrometres(row, "stock_m")), piece, "{row:?}");
        assert_eq!(row["trays"].is_empty(), rack == names[&number(row, end)], "{row:?}");
        total += expected;
        pieces += micrometres(row, "stock_m");
    }
    let report = &plan.document["report"]["housings"][0];
    assert_eq!(report["housing"], housing);
    let close = |key: &str, um: u64| {
        let found = report[key].as_f64().expect("metres");
        assert!((found - um as f64 / 1e6).abs() < 1e-6, "{key}: {found}, not {um} um");
    };
    close("length_m", total);
    close("stock_m", pieces);
}

#[test]
fn fibres_from_splitters_at_the_senders_follow_the_trays() {
    lengths_follow_the_trays("sender");
}

#[test]
fn fibres_from_splitters_at_the_receivers_follow_the_trays() {
    lengths_follow_the_trays("receiver");
}

#[test]
fn a_cassette_sits_with_one_of_its_receivers() {
    let bench = Bench::new();
    bench.write("racks.csv", inventory());
    bench.write("design.toml", DESIGN);
    bench.plan("plan", &["design.toml", "--housing", "receiver"]);
    let plan = Plan::read(&bench, "plan");
    let names = plan.names();
    for feed in plan.of_kind("feed") {
        let of_splitter = |row: &&Row| row["splitter"] == feed["splitter"];
        let mut receivers =
            plan.of_kind("branch").filter(of_splitter).map(|row| &names[&number(row, "to_tor")]);
        assert!(receivers.any(|name| *name == splitter_rack(feed)), "{feed:?}");
    }
}

#[test]
fn the_rack_unit_of_the_inventory_is_on_the_label() {
    let bench = Bench::new();
    bench.write("racks.csv", inventory());
    bench.write("design.toml", DESIGN);
    bench.plan("plan", &["design.toml"]);
    let plan = Plan::read(&bench, "plan");
    let (names, racks) = (plan.names(), racks());
    for row in plan.of_kind("branch") {
        let name = &names[&number(row, "to_tor")];
        let end = format!(" / {name}-{:02}:{}", racks[name].unit, row["to_port"]);
        assert!(row["near_label"].ends_with(&end), "{row:?}");
    }
}
