//! Lookups of parts.

use lightloom_power_cost::parts::{SplitterFormulaRow, SplitterRow, TransceiverRow};
use lightloom_power_cost::price::Price;
use lightloom_power_cost::{Lookup, PartLists, UnlistedPrice, named};
use lightloom_units::BitRate;

use crate::given::{db, lr, near, provenance, splitter, usd};

/// The splitters of shufflecast:table1: 7.5, 9.3 and 12 USD.
fn table_1(rule: UnlistedPrice) -> PartLists {
    let mut catalogue = PartLists { unlisted_splitter_price: rule, ..PartLists::default() };
    for (fan_out, loss, micros) in [(2, 4.0, 7_500_000), (4, 7.3, 9_300_000), (8, 10.6, 12_000_000)]
    {
        let row = SplitterRow { price: Some(usd(micros).into()), ..splitter(fan_out, loss) };
        catalogue.splitters.insert(row.name.clone(), row.try_into().unwrap());
    }
    let (base, per_doubling) = (db(0.8), db(3.4));
    let formula = SplitterFormulaRow { base, per_doubling, provenance: provenance() };
    catalogue.splitter_formula = Some(formula.try_into().unwrap());
    catalogue
}

#[test]
fn a_row_goes_before_the_formula() {
    let catalogue = table_1(UnlistedPrice::Unknown);
    let loss = |p| catalogue.splitter(p, None).unwrap().loss_max.get();
    assert_eq!([loss(2), loss(4), loss(8)], [4.0, 7.3, 10.6]);
    // 0.8 + 3.4 × 4, and 0.8 + 3.4 × log2 3.
    assert!(near(loss(16), 14.4) && near(loss(3), 6.188_872_502_452), "{}", loss(3));
    let without = PartLists { splitter_formula: None, ..catalogue };
    assert!(matches!(without.splitter(16, None), Err(Lookup::None { .. })));
}

#[test]
fn an_unlisted_splitter_costs_what_the_next_larger_does_or_nobody_knows() {
    let price =
        |rule, p| table_1(rule).splitter(p, None).unwrap().price.as_ref().map(Price::amount);
    for (p, micros) in [(3, 9_300_000), (5, 12_000_000), (6, 12_000_000), (7, 12_000_000)] {
        assert_eq!(price(UnlistedPrice::NextLarger, p), Some(usd(micros)), "1:{p}");
        assert_eq!(price(UnlistedPrice::Unknown, p), None, "1:{p}");
    }
    assert_eq!(price(UnlistedPrice::NextLarger, 9), None);
    for rule in [UnlistedPrice::NextLarger, UnlistedPrice::Unknown] {
        assert_eq!(price(rule, 4), Some(usd(9_300_000)));
        assert_eq!(table_1(rule).price_stand_in(4), None);
    }
    let stands_in = table_1(UnlistedPrice::NextLarger);
    assert_eq!(stands_in.price_stand_in(3).map(|row| row.fan_out), Some(4));
}

#[test]
fn a_name_chooses_and_must_fit() {
    let mut catalogue = table_1(UnlistedPrice::Unknown);
    let other = SplitterRow { name: "other".into(), ..splitter(4, 7.0) };
    catalogue.splitters.insert("other".into(), other.try_into().unwrap());
    let names = match catalogue.splitter(4, None) {
        Err(Lookup::Several { names, .. }) => names,
        answer => panic!("{answer:?}"),
    };
    assert_eq!(names, ["1x4", "other"]);
    assert!(near(catalogue.splitter(4, Some("other")).unwrap().loss_max.get(), 7.0));
    assert!(matches!(catalogue.splitter(8, Some("other")), Err(Lookup::None { .. })));
    assert!(matches!(catalogue.splitter(4, Some("else")), Err(Lookup::Unknown { .. })));
}

#[test]
fn the_only_transceiver_at_a_rate_needs_no_name() {
    let mut catalogue = PartLists::default();
    let mut put = |name: &str, gbps| {
        let row = TransceiverRow { name: name.into(), rate: BitRate::from_gbps(gbps), ..lr() };
        catalogue.transceivers.insert(name.into(), row.try_into().unwrap());
    };
    put("a", 10);
    put("b", 25);
    put("c", 25);
    let name = |name, gbps| {
        catalogue.transceiver(name, BitRate::from_gbps(gbps)).map(|row| row.name.clone())
    };
    assert_eq!(name(None, 10).as_deref(), Ok("a"));
    assert!(matches!(name(None, 25), Err(Lookup::Several { names, .. }) if names == ["b", "c"]));
    assert_eq!(name(Some("c"), 25).as_deref(), Ok("c"));
    assert!(matches!(name(None, 40), Err(Lookup::None { known, .. }) if known == ["a", "b", "c"]));
    assert!(matches!(name(Some("d"), 10), Err(Lookup::Unknown { .. })));
}

#[test]
fn a_row_by_name_or_the_only_one_or_the_usual_one() {
    let rows = |names: &[&str]| names.iter().map(|&name| (name.to_string(), name.len())).collect();
    assert_eq!(named::<usize>(&rows(&[]), "panel", None, "lc"), Ok(None));
    assert_eq!(named(&rows(&["mpo"]), "panel", None, "lc"), Ok(Some(&3)));
    assert_eq!(named(&rows(&["lc", "mpo"]), "panel", None, "lc"), Ok(Some(&2)));
    assert_eq!(named(&rows(&["lc", "mpo"]), "panel", Some("mpo"), "lc"), Ok(Some(&3)));
    let (one, two) = (rows(&["mpo"]), rows(&["mpo", "sc"]));
    let several = named(&two, "panel", None, "lc");
    assert!(matches!(several, Err(Lookup::Several { names, .. }) if names == ["mpo", "sc"]));
    let unknown = named(&one, "panel", Some("lc"), "lc");
    assert!(matches!(unknown, Err(Lookup::Unknown { found, .. }) if found == "lc"));
}
