//! Cables as answers: they are those of the files, and each is found by its labels.

use std::collections::BTreeMap;

use lightloom::designs;
use lightloom::edit::Bundle;
use lightloom::growth::{GrowOptions, grow_files};
use lightloom::plan::{self, Found, plan_files};
use lightloom::{Project, TorId, Watch, open};

use crate::place::{Place, flags};

/// A fabric of 12 ToRs with its splitters here, laid so.
fn fabric(housing: &str, cabling: &str) -> Project {
    let texts = [
        ("fabric.family", "kautz"),
        ("splitters.housing", housing),
        ("splitters.cabling", cabling),
        ("optics.catalogue", "datasheets-2026"),
        ("optics.transceiver", "10gbase-er"),
    ];
    open(&flags(&texts, &[("fabric.p", 2), ("fabric.tors", 12)])).expect("it is a design")
}

/// The rows of a file of the plan, by the titles of its columns.
fn rows(project: &Project, name: &str) -> Vec<BTreeMap<String, String>> {
    let files = plan_files(project, Watch::quiet()).expect("it is small").files;
    let (_, bytes) = files.into_iter().find(|(file, _)| *file == name).expect("a file of a plan");
    let mut reader = csv::Reader::from_reader(bytes.as_slice());
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

fn number(row: &BTreeMap<String, String>, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column}: {:?}", row[column]))
}

#[test]
fn cables_are_those_of_the_files() {
    for (housing, cabling) in
        [("sender", "point-to-point"), ("receiver", "point-to-point"), ("zone", "trunked")]
    {
        let project = fabric(housing, cabling);
        let report = project.cabling().expect("it is small");
        let pulls = rows(&project, "pull-sheet.csv");
        assert_eq!(pulls.len(), report.pulls.len());
        for (row, pull) in pulls.iter().zip(&report.pulls) {
            assert_eq!(
                (&row["label"], &row["near"], &row["far"]),
                (&pull.label, &pull.near, &pull.far)
            );
            assert_eq!(
                (number(row, "length_m"), number(row, "stock_m")),
                (pull.length_m, pull.stock_m)
            );
            assert_eq!(row["trays"], pull.trays.join("; "));
        }
        let trunks = rows(&project, "trunks.csv");
        assert_eq!(trunks.len(), report.trunks.len());
        for (row, trunk) in trunks.iter().zip(&report.trunks) {
            assert_eq!((&row["label"], number(row, "length_m")), (&trunk.label, trunk.length_m));
            assert_eq!(number(row, "fibres"), f64::from(trunk.fibres));
            assert_eq!(number(row, "lit"), f64::from(trunk.lit));
            assert_eq!(trunk.lit + trunk.spare, trunk.fibres);
            assert!(trunk.tray_fill_percent > 0.0);
        }
        let bom = rows(&project, "bom.csv");
        assert_eq!(bom.len(), report.orders.len());
        for (row, order) in bom.iter().zip(&report.orders) {
            assert_eq!(
                (&row["item"][..], number(row, "order")),
                (order.item.name(), order.order as f64)
            );
            let total = order.line_total.map_or(String::new(), |total| total.to_decimal());
            assert_eq!(row["line_total"], total);
        }
        let plan = plan_files(&project, Watch::quiet()).expect("it is small").report;
        assert_eq!((plan.to_order, plan.trays), (report.to_order, report.trays));
    }
}

#[test]
fn every_cable_and_port_is_found_by_its_labels() {
    for (housing, cabling) in [("receiver", "point-to-point"), ("zone", "trunked")] {
        let project = fabric(housing, cabling);
        for row in rows(&project, "cables.csv") {
            let from = TorId(row["from_tor"].parse().expect("a number"));
            let to = row["to_tor"].parse().ok().map(TorId);
            for name in [&row["label"], &row["near_label"], &row["far_label"]] {
                let found =
                    plan::find(&project, name).unwrap_or_else(|error| panic!("{name}: {error}"));
                let Found::Fibres { fibres, .. } = found else { panic!("{name}: {found:?}") };
                assert_eq!(fibres, [(from, to)], "{name}");
            }
        }
        for trunk in project.cabling().expect("it is small").trunks {
            let found = plan::find(&project, &trunk.label).expect("it is a cable");
            let Found::Fibres { fibres, cable } = found else { panic!("{}", trunk.label) };
            assert_eq!((fibres.len(), cable), (trunk.lit as usize, trunk.label));
        }
        assert_eq!(plan::find(&project, "7").expect("it is a ToR"), Found::Tor { tor: TorId(7) });
        let port = Found::Port { tor: TorId(7), port: 0 };
        assert_eq!(plan::find(&project, "port 7/0").expect("it is a port"), port);
        let receivers = project.fabric().receivers(project.fabric().transmits_into(TorId(7)));
        for &to in receivers {
            let found = plan::find(&project, &format!("7->{to}")).expect("it is a fibre");
            let Found::Fibres { fibres, cable } = &found else { panic!("{found:?}") };
            assert_eq!(*fibres, [(TorId(7), Some(to))]);
            assert_eq!(plan::find(&project, cable).expect("its label is known"), found);
        }
        assert!(matches!(plan::find(&project, "cassette:2"), Ok(Found::Cassette { .. })));
        for wrong in
            ["", "cassette:99", "cassette:x", "B99.1", "cable:7", "port:", "F3 / F4", "T3.99"]
        {
            assert!(plan::find(&project, wrong).is_err(), "{wrong}");
        }
    }
}

#[test]
fn cords_of_a_growth_are_new_moved_or_kept() {
    let project = fabric("receiver", "point-to-point");
    let options = GrowOptions { tors: Some(16), ..GrowOptions::default() };
    let grown = grow_files(&project, &options, None, Watch::quiet()).expect("it grows");
    let (change, cost) = (&grown.report.change, grown.report.cost.as_ref().expect("it has optics"));
    let moved = change.moved_transmit_cords + change.moved_receive_cords;
    let before = project.cabling().expect("it is small").pulls.len();
    assert_eq!(grown.report.kept_cords + moved + change.removed_cords, before);
    // Each of 4 new ToRs has a feed and as many branches as receive ports.
    assert_eq!(change.new_cords, 4 + 4 * 2);
    assert_eq!(
        cost.before,
        designs::compare(&project, &designs::CompareOptions::default())
            .expect("it has optics")
            .bill
    );
    let cords = cost.orders.iter().filter(|line| line.item == plan::BomItem::Cord);
    let laid = grown.cords.iter().filter(|cord| cord.lay_m.is_some()).count() as u64;
    assert_eq!(cords.map(|line| line.quantity).sum::<u64>(), laid);
    let splitters = cost.orders.iter().find(|line| line.item == plan::BomItem::Splitter);
    assert_eq!(splitters.map(|line| line.quantity), Some(4));
}

#[test]
fn a_bundle_tells_what_it_changes_and_writes_only_that() {
    let place = Place::new();
    let out = place.path("plan");
    let files = |project: &Project| plan_files(project, Watch::quiet()).expect("it is small").files;
    let first = Bundle::plan(files(&fabric("receiver", "point-to-point")));
    let change = first.compare(&out).expect("nothing is there");
    assert_eq!((change.added.len(), change.loses()), (first.count(), false));
    assert!(first.write(&out, &change, Watch::quiet()).expect("it can be written"));
    assert!(first.compare(&out).expect("it is a plan").is_nothing());
    assert!(plan::verify_folder(&out, Watch::quiet()).expect("it is a plan").good);

    let second = Bundle::plan(files(&fabric("sender", "point-to-point")));
    let change = second.compare(&out).expect("it is a plan");
    assert!(change.loses() && change.changed.iter().any(|file| file.name == "cables.csv"));
    let rules = change.changed.iter().find(|file| file.name == "cables.csv").expect("as before");
    let lines = rules.lines.as_ref().expect("it is a text");
    assert!(lines.added > 0 && lines.removed > 0 && !lines.first_added.is_empty());
    // What was agreed on is not what is there any more.
    std::fs::write(out.join("rules.json"), "{}").expect("it can be written");
    assert!(!second.write(&out, &change, Watch::quiet()).expect("it is asked again"));
    let again = second.compare(&out).expect("it is a plan");
    assert!(second.write(&out, &again, Watch::quiet()).expect("it can be written"));

    // Other files are never lost.
    place.write("thesis.tex", "x");
    assert!(second.compare(&place.path("")).is_err());
    let page = Bundle::page("<!DOCTYPE html>".into());
    assert!(page.compare(&place.path("thesis.tex")).is_err());
    let form = Bundle::form(b"label\n".to_vec());
    assert!(form.compare(&place.path("thesis.tex")).is_err());
    assert!(Bundle::file(Vec::new()).compare(&out).is_err(), "a folder is no file");
}
