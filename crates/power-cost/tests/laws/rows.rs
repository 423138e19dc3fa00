//! Values of parts that a catalogue may have, and those that it may not.

use lightloom_power_cost::parts::{
    FaultSignalling, Fibre, Inline, Joint, Pipeline, PortGroup, RowError, Shelf, ShelfRow,
    Splitter, SplitterFormula, SplitterFormulaRow, SplitterRow, SwitchModel, SwitchModelRow,
    SwitchPort, SwitchPortRow, Transceiver, TransceiverRow,
};
use lightloom_units::{BitRate, Db, Dbm, Power};

use crate::given::{
    db, dbm, fibre, fr4, inline, joint, lr, near, nothing_known, plc, provenance, splitter,
    switch_row, usd,
};

/// The field for which a row is refused.
fn refused<Row, Part: TryFrom<Row, Error = RowError>>(row: Row) -> Option<&'static str> {
    Part::try_from(row).err().map(|error| error.field)
}

fn transceiver(change: impl FnOnce(&mut TransceiverRow)) -> Option<&'static str> {
    let mut row = TransceiverRow { damage: Some(dbm(5.0)), ..fr4() };
    change(&mut row);
    refused::<_, Transceiver>(row)
}

fn of_eight(change: impl FnOnce(&mut SplitterRow)) -> Option<&'static str> {
    let mut row = plc(8);
    change(&mut row);
    refused::<_, Splitter>(row)
}

fn formula(base: f64, per_doubling: f64) -> SplitterFormulaRow {
    let (base, per_doubling) = (db(base), db(per_doubling));
    SplitterFormulaRow { base, per_doubling, provenance: provenance() }
}

/// shufflecast:II-C.loss
#[test]
fn the_formula_of_the_paper() {
    let formula = SplitterFormula::try_from(formula(0.8, 3.4)).unwrap();
    for (fan_out, loss) in [(2, 4.2), (4, 7.6), (8, 11.0), (16, 14.4), (1024, 34.8)] {
        let splitter = formula.splitter(fan_out).unwrap();
        assert!(near(formula.loss(fan_out).get(), loss), "1:{fan_out}");
        assert_eq!(splitter.fan_out, fan_out);
        assert_eq!(
            (splitter.loss_max, splitter.loss_typ),
            (formula.loss(fan_out), Some(formula.loss(fan_out)))
        );
        assert_eq!(splitter.price, None);
    }
    // 2³ = 8 < 9 and 3² = 9: twice the part of 1:3 that is not the base.
    let beyond_base = |p| formula.loss(p).get() - 0.8;
    assert!(near(beyond_base(9), 2.0 * beyond_base(3)));
    assert!(near(beyond_base(6), beyond_base(2) + beyond_base(3)));
    assert_eq!(formula.splitter(1).unwrap_err().field, "fan_out");
    assert_eq!(formula.splitter(1025).unwrap_err().field, "fan_out");
}

#[test]
fn a_splitter_of_no_outputs_is_refused_by_the_formula_too() {
    let formula = SplitterFormula::try_from(formula(0.8, 3.4)).unwrap();
    assert_eq!(formula.splitter(0).unwrap_err().field, "fan_out");
}

#[test]
fn a_formula_that_is_let_through_gives_every_splitter_a_loss_that_it_can_have() {
    for base in [0.0, 0.8, 5.0, 20.0, 100.0] {
        for per_doubling in [3.0103, 3.4, 6.0, 9.0] {
            let Ok(formula) = SplitterFormula::try_from(formula(base, per_doubling)) else {
                continue;
            };
            for fan_out in 2..=1024 {
                let splitter = formula.splitter(fan_out);
                assert!(splitter.is_ok(), "{base} + {per_doubling}: {splitter:?}");
            }
        }
    }
}

#[test]
fn formulas_that_cannot_be() {
    let field = |base, slope| refused::<_, SplitterFormula>(formula(base, slope));
    assert_eq!(field(0.8, 3.4), None);
    assert_eq!(field(0.0, 3.0104), None);
    assert_eq!(field(10.0, 3.4), None);
    assert_eq!(field(10.1, 3.4), Some("base"));
    assert_eq!(field(-0.1, 3.4), Some("base"));
    // Half of the light is 3.0103 dB.
    assert_eq!(field(0.8, 3.0102), Some("per_doubling"));
    assert_eq!(field(0.8, -3.4), Some("per_doubling"));
    assert_eq!(field(0.8, 34.0), Some("per_doubling"));
}

#[test]
fn splitters_that_cannot_be() {
    assert_eq!(of_eight(|_| ()), None);
    assert_eq!(of_eight(|row| row.fan_out = 1), Some("fan_out"));
    assert_eq!(of_eight(|row| row.fan_out = 0), Some("fan_out"));
    assert_eq!(of_eight(|row| row.loss_typ = Some(db(-0.1))), Some("loss_typ"));
    assert_eq!(of_eight(|row| row.loss_typ = Some(db(10.8))), Some("loss_typ"));
    assert_eq!(of_eight(|row| row.loss_max = db(-10.7)), Some("loss_max"));
    assert_eq!(of_eight(|row| row.loss_max = db(1070.0)), Some("loss_max"));
    assert_eq!(of_eight(|row| row.uniformity = Some(db(-0.1))), Some("uniformity"));
    assert_eq!(of_eight(|row| row.pdl = Some(db(-0.1))), Some("pdl"));
    assert_eq!(of_eight(|row| row.reflectance = Some(Db::ZERO)), Some("reflectance"));
    assert_eq!(of_eight(|row| row.reflectance = Some(db(50.0))), Some("reflectance"));
    assert_eq!(of_eight(|row| row.reflectance = Some(db(-50.0))), None);
    assert_eq!(of_eight(|row| row.price = Some(usd(-1).into())), Some("price"));
    assert_eq!(of_eight(|row| row.price = Some(usd(0).into())), None);
    assert_eq!(refused::<_, Splitter>(splitter(1024, 34.8)), None);
    assert_eq!(refused::<_, Splitter>(splitter(1025, 34.8)), Some("fan_out"));
}

#[test]
fn a_splitter_cannot_beat_the_division_of_the_light() {
    // 10 log10 p, and a tenth for rounding: 3.01, 6.02, 9.03, 30.10 dB.
    for (fan_out, even) in [(2, 3.0103), (4, 6.0206), (8, 9.0309), (1024, 30.103)] {
        assert_eq!(refused::<_, Splitter>(splitter(fan_out, even)), None);
        assert_eq!(refused::<_, Splitter>(splitter(fan_out, even - 0.11)), Some("loss_max"));
    }
}

/// If every output loses at most L dB, all outputs together carry at least p 10^(-L/10) of the light. That is
/// at most all of it, however uneven they are.
#[test]
fn nor_by_being_uneven() {
    let uneven = |loss, uniformity| {
        let uniformity = Some(db(uniformity));
        refused::<_, Splitter>(SplitterRow { uniformity, ..splitter(8, loss) })
    };
    assert_eq!(uneven(9.04, 1.0), None);
    assert_eq!(uneven(8.2, 1.0), Some("loss_max"));
    assert_eq!(uneven(0.5, 20.0), Some("loss_max"));
}

/// By the same sum, the outputs lose at least 10 log10 p on average. A decibel is allowed for doubt.
#[test]
fn nor_typically() {
    let typical = |loss| of_eight(|row| row.loss_typ = Some(db(loss)));
    assert_eq!(typical(9.5), None);
    assert_eq!(typical(0.4), Some("loss_typ"));
}

/// If no output of p is more than u dB better than another, the best one gets at least 1/p of the light. It
/// gets at most what the others leave: 10 log10(1 + (p-1) 10^(-u/10)).
#[test]
fn the_least_loss_of_a_splitter_is_one_that_no_output_can_beat() {
    for (fan_out, u) in [(2_u32, 0.5_f64), (4, 0.8), (8, 1.0), (8, 30.0)] {
        let row = SplitterRow { uniformity: Some(db(u)), ..splitter(fan_out, 13.0) };
        let loss = Splitter::try_from(row).unwrap().loss();
        let best = 10.0 * (1.0 + f64::from(fan_out - 1) * 10_f64.powf(-u / 10.0)).log10();
        assert!((0.0..=best).contains(&loss.least.get()), "1:{fan_out}, {u}: {loss:?}");
        assert!(best - loss.least.get() < 0.3 || u > 1.0, "1:{fan_out}, {u}: {loss:?} is too dark");
        assert!(loss.least <= loss.typical && loss.typical <= loss.most);
    }
}

#[test]
fn transceivers_that_cannot_be() {
    assert_eq!(transceiver(|_| ()), None);
    assert_eq!(transceiver(|row| row.rate = BitRate::from_bps(0)), Some("rate"));
    assert_eq!(transceiver(|row| row.fibres = 0), Some("fibres"));
    assert_eq!(transceiver(|row| row.fibres = 65), Some("fibres"));
    assert_eq!(transceiver(|row| row.launch_min = Some(dbm(3.6))), Some("launch_min"));
    assert_eq!(transceiver(|row| row.launch_typ = Some(dbm(-3.4))), Some("launch_min"));
    assert_eq!(transceiver(|row| row.launch_typ = Some(dbm(3.6))), Some("launch_typ"));
    assert_eq!(transceiver(|row| row.sensitivity = Some(dbm(3.6))), Some("sensitivity"));
    assert_eq!(transceiver(|row| row.damage = Some(dbm(3.4))), Some("overload"));
    assert_eq!(transceiver(|row| row.best_case_budget = Some(db(-0.1))), Some("best_case_budget"));
    assert_eq!(transceiver(|row| row.penalty = Some(db(-0.1))), Some("penalty"));
    assert_eq!(transceiver(|row| row.power = Some(Power::from_watts(1001))), Some("power"));
    assert_eq!(transceiver(|row| row.price = Some(usd(-1).into())), Some("price"));
    for ber in [0.0, -1e-12, 0.1, 1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(transceiver(|row| row.ber = Some(ber)), Some("ber"), "{ber}");
    }
    for ber in [1e-15, 2.4e-4, 0.01] {
        assert_eq!(transceiver(|row| row.ber = Some(ber)), None, "{ber}");
    }
    // Equal values do not contradict each other.
    assert_eq!(transceiver(|row| row.launch_min = row.launch_max), None);
    assert_eq!(transceiver(|row| row.sensitivity = row.overload), None);
    assert_eq!(refused::<_, Transceiver>(nothing_known("nothing")), None);
}

#[test]
fn no_level_is_a_slip_of_the_pen() {
    type Level = fn(&mut TransceiverRow) -> &mut Option<Dbm>;
    let fields: [(&str, Level); 8] = [
        ("launch_min", |row| &mut row.launch_min),
        ("launch_typ", |row| &mut row.launch_typ),
        ("launch_max", |row| &mut row.launch_max),
        ("oma_minus_tdecq_min", |row| &mut row.oma_minus_tdecq_min),
        ("sensitivity", |row| &mut row.sensitivity),
        ("sensitivity_oma_minus_secq", |row| &mut row.sensitivity_oma_minus_secq),
        ("overload", |row| &mut row.overload),
        ("damage", |row| &mut row.damage),
    ];
    for (name, field) in fields {
        for level in [-60.1, 60.1, -730.0] {
            assert_eq!(transceiver(|row| *field(row) = Some(dbm(level))), Some(name), "{level}");
        }
    }
}

#[test]
fn a_receiver_does_not_break_below_what_it_hears() {
    let damage = |level| transceiver(|row| (row.overload, row.damage) = (None, Some(dbm(level))));
    assert_eq!(damage(4.5), None);
    assert!(damage(-30.0).is_some());
}

#[test]
fn not_a_number_is_no_level() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(Db::new(value).is_err() && Dbm::new(value).is_err());
    }
    for text in ["NaN dB", "inf dB", "-inf dB"] {
        assert!(text.parse::<Db>().is_err(), "{text}");
    }
}

#[test]
fn fibre_and_joints_that_cannot_be() {
    assert_eq!(refused::<_, Fibre>(fibre(Some(0.34), 0.4)), None);
    assert_eq!(refused::<_, Fibre>(fibre(None, 0.0)), None);
    assert_eq!(refused::<_, Fibre>(fibre(None, -0.4)), Some("attenuation_max"));
    assert_eq!(refused::<_, Fibre>(fibre(Some(-0.34), 0.4)), Some("attenuation_typ"));
    assert_eq!(refused::<_, Fibre>(fibre(Some(0.41), 0.4)), Some("attenuation_typ"));
    assert_eq!(refused::<_, Joint>(joint("lc", Some(0.25), 0.75)), None);
    assert_eq!(refused::<_, Joint>(joint("lc", None, -0.1)), Some("loss_max"));
    assert_eq!(refused::<_, Joint>(joint("lc", Some(-0.1), 0.1)), Some("loss_typ"));
    assert_eq!(refused::<_, Joint>(joint("lc", Some(0.8), 0.75)), Some("loss_typ"));
    assert_eq!(refused::<_, Joint>(joint("lc", None, 100.1)), Some("loss_max"));
    let dear = |micros| {
        let mut row = joint("lc", None, 0.1);
        row.price = Some(usd(micros).into());
        refused::<_, Joint>(row)
    };
    assert_eq!(dear(-1), Some("price"));
    assert_eq!(dear(10_000_000_000_000), None);
    assert_eq!(dear(10_000_000_000_001), Some("price"));
}

#[test]
fn an_inline_part_may_gain_but_not_contradict_itself() {
    assert_eq!(refused::<_, Inline>(inline(-20.0, Some(-18.0), -17.0)), None);
    assert_eq!(refused::<_, Inline>(inline(-17.0, None, -18.0)), Some("loss_min"));
    assert_eq!(refused::<_, Inline>(inline(-17.0, Some(-18.0), -16.0)), Some("loss_min"));
    assert_eq!(refused::<_, Inline>(inline(-17.0, Some(-15.0), -16.0)), Some("loss_typ"));
    assert_eq!(refused::<_, Inline>(inline(-101.0, None, 0.0)), Some("loss_min"));
    assert_eq!(refused::<_, Inline>(inline(0.0, None, 101.0)), Some("loss_max"));
}

#[test]
fn switches_and_shelves_that_cannot_be() {
    let model = |count, gbps, height| {
        let rate = BitRate::from_gbps(gbps);
        let ports = (count > 0).then_some(PortGroup { count, rate }).into_iter().collect();
        refused::<_, SwitchModel>(switch_row(ports, height))
    };
    assert_eq!(model(32, 10, 1), None);
    assert_eq!(model(0, 10, 1), Some("ports"));
    assert_eq!(model(4097, 10, 1), Some("ports"));
    assert_eq!(model(32, 0, 1), Some("ports"));
    assert_eq!(model(32, 10, 0), Some("height"));
    assert_eq!(model(32, 10, 61), Some("height"));
    for (state, is_good) in
        [(Some(FaultSignalling::Off), true), (Some(FaultSignalling::On), false), (None, false)]
    {
        let group = PortGroup { count: 1, rate: BitRate::from_gbps(10) };
        let row = SwitchModelRow {
            fault_signalling: state,
            fault_signalling_command: Some("no link-fault-signal".into()),
            ..switch_row(vec![group], 1)
        };
        let due = (!is_good).then_some("fault_signalling_command");
        assert_eq!(refused::<_, SwitchModel>(row), due, "{state:?}");
    }
    let pipeline = |pipeline| {
        let group = PortGroup { count: 1, rate: BitRate::from_gbps(10) };
        refused::<_, SwitchModel>(SwitchModelRow { pipeline, ..switch_row(vec![group], 1) })
    };
    let none = Pipeline::default();
    assert_eq!(pipeline(none), None);
    assert_eq!(pipeline(Pipeline { stages: Some(2), hairpin: Some(false), ..none }), None);
    assert_eq!(pipeline(Pipeline { stages: Some(0), ..none }), Some("stages"));
    assert_eq!(pipeline(Pipeline { stages: Some(3), ..none }), Some("stages"));
    let sizes = Pipeline { ternary_entries: Some(0), ..none };
    assert_eq!(pipeline(sizes), Some("ternary_entries"));
    assert_eq!(pipeline(Pipeline { exact_entries: Some(0), ..none }), Some("exact_entries"));
    assert_eq!(pipeline(Pipeline { multicast_groups: Some(0), ..none }), Some("multicast_groups"));
    let port = |gbps, watts, micros| {
        let (rate, name) = (BitRate::from_gbps(gbps), "port".into());
        let (power, price) = (Some(Power::from_watts(watts)), Some(usd(micros).into()));
        let row = SwitchPortRow { name, rate, power, price, provenance: provenance() };
        refused::<_, SwitchPort>(row)
    };
    assert_eq!(port(10, 3, 1), None);
    assert_eq!(port(0, 3, 1), Some("rate"));
    assert_eq!(port(10, 1001, 1), Some("power"));
    assert_eq!(port(10, 3, -1), Some("price"));
    let shelf =
        ShelfRow { name: "sender".into(), price: Some(usd(-1).into()), provenance: provenance() };
    assert_eq!(refused::<_, Shelf>(shelf), Some("price"));
}

#[test]
fn a_checked_row_is_its_row() {
    assert_eq!(TransceiverRow::from(Transceiver::try_from(lr()).unwrap()), lr());
    assert_eq!(SplitterRow::from(Splitter::try_from(plc(4)).unwrap()), plc(4));
}
