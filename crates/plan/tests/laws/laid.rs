//! Plants of projects: what lies where, what is ordered, and what the trays hold.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_plan::bom::{self, BomItem};
use lightloom_plan::memory::{Counts, Work};
use lightloom_plan::trays;
use lightloom_plant::{CableKind, Far, Fibre};
use lightloom_request::setting;
use lightloom_topology::TorId;
use lightloom_topology::hall::Housing;
use proptest::prelude::*;

use crate::given::{kautz, opened, small, stock};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn the_fibres_of_every_housing_join_the_same_tors((p, tors, housing) in small()) {
        let laid = kautz(p, tors, housing);
        let fabric = laid.project().fabric();
        let mut joined: BTreeSet<(TorId, Option<TorId>)> = BTreeSet::new();
        for from in fabric.tor_ids() {
            joined.insert((from, None));
            let receivers = fabric.receivers(fabric.transmits_into(from));
            joined.extend(receivers.iter().map(|&to| (from, Some(to))));
        }
        for housing in Housing::ALL {
            let plant = kautz(p, tors, housing);
            let to = |fibre: &Fibre| match fibre.far {
                Far::SplitterInput => None,
                Far::Receiver { tor, .. } => Some(tor),
            };
            let fibres = plant.plant().fibres().iter().map(|fibre| (fibre.from, to(fibre)));
            prop_assert_eq!(&fibres.collect::<BTreeSet<_>>(), &joined, "{}", housing);
        }
    }

    #[test]
    fn cords_of_the_bill_are_those_that_are_laid((p, tors, housing) in small()) {
        let laid = kautz(p, tors, housing);
        let (plant, lengths) = (laid.plant(), stock());
        let mut wanted: BTreeMap<_, u64> = BTreeMap::new();
        for cable in plant.cables().iter().filter(|cable| matches!(cable.kind, CableKind::Cord(..))) {
            prop_assert_eq!(cable.stock, lengths.round_up(cable.length));
            *wanted.entry(cable.stock).or_default() += 1;
        }
        let mut billed: BTreeMap<_, u64> = BTreeMap::new();
        for line in bom::lines(plant).iter().filter(|line| line.item == BomItem::Cord) {
            *billed.entry(line.stock.unwrap()).or_default() += line.quantity;
            prop_assert_eq!(line.spares(0), 0);
            prop_assert_eq!(line.spares(100), line.quantity);
            prop_assert_eq!(line.spares(1), line.quantity.div_ceil(100));
        }
        prop_assert_eq!(billed, wanted);
    }

    #[test]
    fn larger_designs_need_no_less_memory((p, tors, housing) in small()) {
        let of = |tors| Counts::of(kautz(p, tors, housing).project());
        let (now, more) = (of(tors), of(2 * tors));
        for work in [Work::Opened, Work::Laid, Work::Planned, Work::Recovered, Work::Explored] {
            prop_assert!(now.memory(work) < more.memory(work), "{:?}", work);
        }
    }
}

#[test]
fn a_tray_that_is_too_small_is_told_with_its_fill() {
    let said = |width: &str| {
        opened(&[
            (&setting::fabric::P, 4_u32.into()),
            (&setting::fabric::K, 3_u32.into()),
            (&setting::hall::TRAY_WIDTH, width.into()),
        ])
    };
    let wide = said("0.3 m").unwrap().laid().unwrap();
    let reports = trays::reports(wide.plant());
    assert!(reports.is_sorted_by(|a, b| a.fill_percent >= b.fill_percent));
    let fullest = &reports[0];
    trays::refuse_overfull(&wide).unwrap();
    // A tenth of the width has ten times the fill.
    let narrow = said("0.03 m").unwrap().laid().unwrap();
    let tenfold = trays::reports(narrow.plant());
    assert!((tenfold[0].fill_percent / fullest.fill_percent - 10.0).abs() < 1e-9);
    let crowded = tenfold.iter().filter(|tray| tray.fill_percent > 25.0).count();
    assert_eq!(trays::warnings(&tenfold).len(), crowded);
    let tiny = said("0.0005 m").unwrap().laid().unwrap();
    let tray = &trays::reports(tiny.plant())[0];
    assert!(tray.overflows() && tray.is_crowded());
    let refused = trays::refuse_overfull(&tiny).unwrap_err().to_string();
    let fill = format!("{:.1} %", tray.fill_percent);
    assert!(
        refused.contains(&format!("tray {:?}: {fill} by {} cables", tray.tray, tray.fibres)),
        "{refused}"
    );
}
