//! Traces, against the budget and the sheets of the same plan.

use std::collections::BTreeMap;

use lightloom::light::{self, BudgetOptions, Case, Hop, TracedBranch, trace_csv, trace_shown};
use lightloom::plan::{self, plan_files};
use lightloom::{Project, TorId, Watch};

use crate::place::flags;

fn project(housing: &str, cabling: &str) -> Project {
    let texts = [
        ("fabric.family", "kautz"),
        ("splitters.housing", housing),
        ("splitters.cabling", cabling),
        ("optics.transceiver", "10gbase-er"),
    ];
    lightloom::open(&flags(&texts, &[("fabric.p", 3), ("fabric.tors", 24)]))
        .expect("it is a design")
}

fn projects() -> Vec<Project> {
    let schemes = [
        ("sender", "point-to-point"),
        ("receiver", "point-to-point"),
        ("zone", "point-to-point"),
        ("zone", "trunked"),
    ];
    schemes.into_iter().map(|(housing, cabling)| project(housing, cabling)).collect()
}

fn all(project: &Project) -> Vec<(TorId, TorId)> {
    let fabric = project.fabric();
    let sent =
        |from| fabric.receivers(fabric.transmits_into(from)).iter().map(move |&to| (from, to));
    fabric.tor_ids().flat_map(sent).collect()
}

fn options(case: Case) -> BudgetOptions {
    BudgetOptions { case: Some(case), threads: None }
}

fn near(one: f64, other: f64, what: &str) {
    assert!((one - other).abs() < 1e-4, "{what}: {one} and {other}");
}

#[test]
fn every_branch_has_the_light_that_the_budget_says() {
    for project in projects() {
        for case in [Case::Worst, Case::Typical, Case::Best, Case::MonteCarlo] {
            let budget = project.budget(&options(case), Watch::quiet()).expect("it has light");
            let trace = light::trace(&project, &all(&project), &options(case), Watch::quiet());
            let trace = trace.expect("they are there");
            assert_eq!(trace.branches.len(), budget.branches.len());
            assert_eq!(
                (trace.case, &trace.transceiver, &trace.splitter, &trace.pad),
                (budget.case, &budget.transceiver, &budget.splitter, &budget.pad)
            );
            let traced: BTreeMap<(TorId, TorId), &TracedBranch> = trace
                .branches
                .iter()
                .map(|one| ((one.light.from_tor, one.light.to_tor), one))
                .collect();
            for row in &budget.branches {
                let one = traced[&(row.from_tor, row.to_tor)];
                assert_eq!(&one.light, row);
                let loss = |typical: bool| -> f64 {
                    let of = |e: &light::ElementReport| {
                        if typical { e.typical_db } else { e.most_db }
                    };
                    one.elements.iter().map(of).sum()
                };
                if case != Case::MonteCarlo {
                    near(loss(case == Case::Typical), row.loss_db, "elements");
                    near(one.hops.last().expect("hops").lost_db, row.loss_db, "hops");
                }
                near(
                    one.hops.iter().map(|hop| hop.loss_db).sum(),
                    loss(case == Case::Typical),
                    "sum",
                );
            }
            let worst = budget.worst.expect("there are branches");
            assert_eq!(traced[&(worst.from_tor, worst.to_tor)].elements, worst.elements);
        }
    }
}

#[test]
fn the_hops_are_things_and_cables_in_turn_that_meet_in_their_ports() {
    for project in projects() {
        let trace =
            light::trace(&project, &all(&project), &BudgetOptions::default(), Watch::quiet());
        for one in trace.expect("they are there").branches {
            let mut things = 0;
            let mut cables: Vec<&light::CableHop> = Vec::new();
            for hop in &one.hops {
                match &hop.what {
                    Hop::Thing(thing) => {
                        assert_eq!(things, cables.len(), "things and cables take turns");
                        things += 1;
                        let before = cables.last().map(|cable| cable.to_port.clone());
                        assert_eq!(thing.enters, before);
                    }
                    Hop::Cable(cable) => {
                        cables.push(cable);
                        assert_eq!(things, cables.len());
                        let laid: f64 = cable.trays.iter().map(|part| part.length_m).sum();
                        assert!(laid <= cable.length_m + 1e-9);
                        assert!(cable.bends < cable.trays.len().max(1));
                    }
                    Hop::Unplaced { .. } => {}
                }
            }
            assert_eq!(things, cables.len() + 1);
            near(cables.iter().map(|cable| cable.length_m).sum(), one.length_m, "length");
            near(one.feed.length_m + one.branch.length_m, one.length_m, "length of fibres");
        }
    }
}

#[test]
fn labels_and_lengths_are_those_of_the_sheets() {
    for project in projects() {
        let files = plan_files(&project, Watch::quiet()).expect("it is a plan").files;
        let sheet = |wanted: &str| -> BTreeMap<String, String> {
            let (_, bytes) = files.iter().find(|(name, _)| *name == wanted).expect("a sheet");
            let text = String::from_utf8(bytes.to_vec()).expect("a text");
            let column = if wanted == "cables.csv" { 0 } else { 2 };
            text.lines()
                .map(|line| (line.split(',').nth(column).unwrap_or("").to_owned(), line.to_owned()))
                .collect()
        };
        let (cables, pulls) = (sheet("cables.csv"), sheet("pull-sheet.csv"));
        let trace =
            light::trace(&project, &all(&project), &BudgetOptions::default(), Watch::quiet());
        for one in trace.expect("they are there").branches {
            for fibre in [&one.feed, &one.branch] {
                let line = &cables[&fibre.label];
                assert!(
                    line.contains(&fibre.near_label) && line.contains(&fibre.far_label),
                    "{line}"
                );
            }
            for hop in &one.hops {
                let Hop::Cable(cable) = &hop.what else { continue };
                let line = &pulls[&cable.label];
                for part in &cable.trays {
                    assert!(line.contains(&part.tray), "{line}: {}", part.tray);
                }
                if cable.strand.is_none() {
                    assert!(
                        line.contains(&cable.from_port) && line.contains(&cable.to_port),
                        "{line}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_fibre_is_found_by_its_ends_its_ports_and_its_labels() {
    for project in projects() {
        let fabric = project.fabric();
        let trace =
            light::trace(&project, &all(&project), &BudgetOptions::default(), Watch::quiet());
        for one in trace.expect("they are there").branches {
            let (from, to) = (one.light.from_tor, one.light.to_tor);
            let named = |text: &str| light::branches_named(&project, text).expect(text);
            assert_eq!(named(&format!("{from}->{to}")), [(from, to)]);
            let (a, b) = (project.tor_name(from), project.tor_name(to));
            assert_eq!(named(&format!("{a}->{b}")), [(from, to)]);
            assert_eq!(named(&one.branch.label), [(from, to)]);
            let sent = named(&one.feed.label);
            assert!(sent.iter().all(|(source, _)| *source == from) && sent.contains(&(from, to)));
            let port = fabric.receive_port(from);
            assert!(named(&format!("port {b}/{port}")).contains(&(from, to)));
            let own = fabric.transmit_port(from);
            assert!(named(&format!("{from}/{own}")).contains(&(from, to)));
        }
    }
}

#[test]
fn what_is_not_there_is_refused() {
    let project = project("sender", "point-to-point");
    for text in ["", "0->0", "99->1", "0/77", "F99", "B0.9", "x", "->", "0->", "/", "0/"] {
        assert!(light::branches_named(&project, text).is_err(), "{text:?}");
    }
    let none =
        light::trace(&project, &[(TorId(99), TorId(0))], &BudgetOptions::default(), Watch::quiet());
    assert!(none.expect_err("no such ToR").to_string().contains("there is no ToR 99"));
}

#[test]
fn the_table_has_a_row_for_each_hop() {
    let project = project("zone", "trunked");
    let branches = light::branches_named(&project, "F0").expect("it is there");
    let trace = light::trace(&project, &branches, &BudgetOptions::default(), Watch::quiet());
    let trace = trace.expect("they are there");
    let hops: usize = trace.branches.iter().map(|one| one.hops.len()).sum();
    assert_eq!(trace_shown(&trace).rows().len(), hops);
    let text = String::from_utf8(trace_csv(&trace)).expect("a text");
    assert_eq!(text.lines().count(), hops + 1);
    assert!(text.starts_with("from_tor,to_tor,hop,"));
}

#[test]
fn what_lies_over_trays_is_what_the_fibres_say() {
    for project in projects() {
        let over =
            light::over_trays(&project, &BudgetOptions::default(), Watch::quiet()).expect("light");
        let stretches = plan::tray_stretches(&project, None).expect("they are few");
        assert_eq!(over.tray.len(), stretches.fibres.len());
        let budget =
            project.budget(&BudgetOptions::default(), Watch::quiet()).expect("it has light");
        for row in &budget.branches {
            let at = over.fibres.position((row.from_tor, Some(row.to_tor))).expect("it is there");
            assert_eq!(over.fibres.margin_db[at], row.margin_db);
        }
        // Every fibre that lies in a tray is over some stretch: the extremes are those of all of them.
        let mut longest = 0.0_f64;
        let mut least = f64::INFINITY;
        for (at, &fibre) in over.fibres.fibre.iter().enumerate() {
            let laid = plan::tray_stretches(&project, Some(&[fibre])).expect("it is there");
            if !laid.fibres.is_empty() {
                longest = longest.max(over.fibres.length_m[at]);
                least = least.min(over.fibres.margin_db[at].expect("it is known"));
            }
        }
        let most = over.longest_m.iter().copied().fold(0.0, f64::max);
        let margins = over.least_margin_db.iter().flatten().copied();
        assert_eq!((most, margins.fold(f64::INFINITY, f64::min)), (longest, least));
    }
}
