//! Parts for the laws: those of the data sheets, and any that the checks accept.

use lightloom_power_cost::parts::{
    Fec, FibreRow, InlineRow, JointRow, Modulation, Pad, PadRow, Pipeline, PortGroup, Provenance,
    ReceiverKind, SplitterRow, SwitchModelRow, TransceiverRow,
};
use lightloom_power_cost::{Fittings, Mated, Optics};
use lightloom_units::{Attenuation, BitRate, Currency, Db, Dbm, Length, Money};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub fn db(value: f64) -> Db {
    Db::new(value).unwrap()
}

pub fn dbm(value: f64) -> Dbm {
    Dbm::new(value).unwrap()
}

pub fn usd(micros: i64) -> Money {
    Money::from_micros(micros, "USD".parse::<Currency>().unwrap())
}

pub fn m(metres: u64) -> Length {
    Length::from_m(metres)
}

pub fn near(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-9
}

pub fn provenance() -> Provenance {
    Provenance { source: "a test".into(), date: "2026-11".into(), part_number: None }
}

/// A switch of which nothing but ports and height is known.
pub fn switch_row(ports: Vec<PortGroup>, height: u32) -> SwitchModelRow {
    SwitchModelRow {
        interfaces: Vec::new(),
        name: "switch".into(),
        ports,
        height,
        fault_signalling: None,
        fault_signalling_command: None,
        unidirectional_command: None,
        pipeline: Pipeline::default(),
        only_by_name: false,
        provenance: provenance(),
    }
}

/// Random draws that are equal in every run.
pub fn seeded(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// A transceiver without any values.
pub fn nothing_known(name: &str) -> TransceiverRow {
    TransceiverRow {
        name: name.into(),
        rate: BitRate::from_gbps(10),
        modulation: Modulation::Nrz,
        fibres: 1,
        reach: None,
        wavelength: None,
        launch_min: None,
        launch_typ: None,
        launch_max: None,
        launch_oma_min: None,
        oma_minus_tdp_min: None,
        oma_minus_tdecq_min: None,
        extinction_ratio_min: None,
        receive_min: None,
        sensitivity: None,
        sensitivity_typ: None,
        sensitivity_unprinted: None,
        sensitivity_oma: None,
        stressed_sensitivity_oma: None,
        sensitivity_oma_minus_secq: None,
        overload: None,
        damage: None,
        signal_detect: None,
        receiver: None,
        lanes: 1,
        lane_difference_launch: None,
        lane_difference_receive: None,
        best_case_budget: None,
        penalty: None,
        fec: Fec::None,
        ber: None,
        ber_floor: None,
        power: None,
        price: None,
        provenance: provenance(),
    }
}

/// Levels in dBm: smallest and largest launch power, sensitivity, overload. The receiver is a PIN diode.
pub fn levels(name: &str, levels: [f64; 4]) -> TransceiverRow {
    let [launch_min, launch_max, sensitivity, overload] = levels.map(|level| Some(dbm(level)));
    let receiver = Some(ReceiverKind::Pin);
    TransceiverRow {
        launch_min,
        launch_max,
        sensitivity,
        overload,
        receiver,
        ..nothing_known(name)
    }
}

pub fn lr() -> TransceiverRow {
    levels("10gbase-lr", [-6.0, 0.0, -14.0, 0.5])
}

pub fn er() -> TransceiverRow {
    TransceiverRow { damage: Some(dbm(4.0)), ..levels("10gbase-er", [-4.7, 4.0, -15.8, -1.0]) }
}

/// The amplitude pair leaves 4.3 dB, the average levels 4.0 dB.
pub fn fr4() -> TransceiverRow {
    TransceiverRow {
        modulation: Modulation::Pam4,
        fec: Fec::Rs544,
        oma_minus_tdecq_min: Some(dbm(-1.7)),
        sensitivity_oma_minus_secq: Some(dbm(-6.0)),
        ..levels("400gbase-fr4", [-3.3, 3.5, -7.3, 3.5])
    }
}

pub fn best_case(budget: f64) -> TransceiverRow {
    let receiver = Some(ReceiverKind::Pin);
    TransceiverRow { best_case_budget: Some(db(budget)), receiver, ..nothing_known("best-case") }
}

pub fn splitter(fan_out: u32, loss_max: f64) -> SplitterRow {
    SplitterRow {
        name: format!("1x{fan_out}"),
        fan_out,
        loss_typ: None,
        loss_max: db(loss_max),
        uniformity: None,
        pdl: None,
        pdl_included: false,
        excess_min: None,
        wavelength_dependence: None,
        by_formula: false,
        reflectance: Some(db(-50.0)),
        price: None,
        provenance: provenance(),
    }
}

/// The splitters of the SH-PLC data sheet.
pub fn plc(fan_out: u32) -> SplitterRow {
    let (loss, uniformity, pdl) = match fan_out {
        2 => (4.3, 0.5, 0.2),
        4 => (7.4, 0.8, 0.3),
        8 => (10.7, 1.0, 0.3),
        other => panic!("no splitter 1:{other} here"),
    };
    let (uniformity, pdl) = (Some(db(uniformity)), Some(db(pdl)));
    SplitterRow { uniformity, pdl, ..splitter(fan_out, loss) }
}

pub fn joint(name: &str, loss_typ: Option<f64>, loss_max: f64) -> JointRow {
    let (loss_typ, loss_max) = (loss_typ.map(db), db(loss_max));
    JointRow {
        name: name.into(),
        loss_typ,
        loss_max,
        reflectance: Some(db(-50.0)),
        price: None,
        provenance: provenance(),
    }
}

pub fn fibre(typical: Option<f64>, most: f64) -> FibreRow {
    FibreRow {
        name: "fibre".into(),
        attenuation_typ: typical.map(|loss| Attenuation::per_km(db(loss))),
        attenuation_max: Attenuation::per_km(db(most)),
        provenance: provenance(),
    }
}

/// A pad: nominal attenuation and tolerance in both directions, in dB.
pub fn pad(attenuation: f64, tolerance: f64) -> Pad {
    let row = PadRow {
        name: format!("pad-{attenuation}"),
        attenuation: db(attenuation),
        tolerance: db(tolerance),
        price: None,
        provenance: provenance(),
    };
    row.try_into().unwrap()
}

pub fn inline(least: f64, typical: Option<f64>, most: f64) -> InlineRow {
    InlineRow {
        name: "inline".into(),
        loss_min: db(least),
        loss_typ: typical.map(db),
        loss_max: db(most),
        power: None,
        price: None,
        provenance: provenance(),
    }
}

/// A transceiver and a splitter between the fibre and joints of the data sheets: 0.34 to 0.4 dB/km,
/// LC pairs of 0.25 to 0.75 dB, splices of 0.1 to 0.15 dB, panels of 0.25 to 0.75 dB.
pub fn optics(transceiver: TransceiverRow, splitter: SplitterRow) -> Optics {
    Optics {
        transceiver: transceiver.try_into().unwrap(),
        splitter: splitter.try_into().unwrap(),
        fibre: Some(fibre(Some(0.34), 0.4).try_into().unwrap()),
        connector: Some(joint("lc", Some(0.25), 0.75).try_into().unwrap()),
        splice: Some(joint("fusion", Some(0.1), 0.15).try_into().unwrap()),
        panel: Some(joint("lc", Some(0.25), 0.75).try_into().unwrap()),
        mpo: None,
        feed: Fittings::default(),
        branch: Fittings::default(),
        penalty: Db::ZERO,
        ageing: Db::ZERO,
        pad: None,
        least_margin: db(1.0),
        least_headroom: Db::ZERO,
    }
}

/// The splitter alone: fibre and joints without loss.
pub fn bare(transceiver: TransceiverRow, splitter: SplitterRow) -> Optics {
    let nothing = || Some(joint("none", None, 0.0).try_into().unwrap());
    Optics {
        fibre: Some(fibre(None, 0.0).try_into().unwrap()),
        connector: nothing(),
        splice: nothing(),
        panel: nothing(),
        ..optics(transceiver, splitter)
    }
}

/// A number of tenths, as in data sheets.
pub fn tenths(draws: &mut ChaCha8Rng, from: i32, to: i32) -> f64 {
    f64::from(draws.random_range(from..=to)) / 10.0
}

fn maybe<T>(draws: &mut ChaCha8Rng, value: T) -> Option<T> {
    draws.random_bool(0.5).then_some(value)
}

fn any_joint(draws: &mut ChaCha8Rng) -> Option<lightloom_power_cost::parts::Joint> {
    let typical = tenths(draws, 0, 5);
    let most = typical + tenths(draws, 0, 5);
    let typical = maybe(draws, typical);
    maybe(draws, joint("any", typical, most).try_into().unwrap())
}

fn any_fittings(draws: &mut ChaCha8Rng) -> Fittings {
    let inline = (0..draws.random_range(0..3)).map(|_| {
        // Amplifiers among them.
        let least = tenths(draws, -60, 30);
        let typical = least + tenths(draws, 0, 10);
        let most = typical + tenths(draws, 0, 10);
        inline(least, maybe(draws, typical), most).try_into().unwrap()
    });
    let inline = inline.collect();
    let mated = Mated { lc: draws.random_range(0..4), mpo: draws.random_range(0..3) };
    let (splices, panels) = (draws.random_range(0..4), draws.random_range(0..3));
    Fittings { mated, splices, panels, inline }
}

/// Transceivers with known levels and optional other values.
pub fn any_levels(draws: &mut ChaCha8Rng) -> TransceiverRow {
    let least = tenths(draws, -100, 50);
    let typical = least + tenths(draws, 0, 30);
    let most = typical + tenths(draws, 0, 30);
    let sensitivity = tenths(draws, -300, -50);
    let overload = sensitivity + tenths(draws, 0, 250);
    let pam4 = draws.random_bool(0.3);
    let mut row = nothing_known("any");
    row.receiver = Some(ReceiverKind::Pin);
    row.launch_min = Some(dbm(least));
    row.launch_typ = maybe(draws, dbm(typical));
    row.launch_max = maybe(draws, dbm(most));
    row.sensitivity = Some(dbm(sensitivity));
    row.overload = maybe(draws, dbm(overload));
    row.penalty = Some(db(tenths(draws, 0, 20))).filter(|_| pam4);
    if pam4 {
        row.modulation = Modulation::Pam4;
        let pair = (dbm(least + tenths(draws, -20, 20)), dbm(sensitivity + tenths(draws, -20, 20)));
        row.oma_minus_tdecq_min = Some(pair.0);
        row.sensitivity_oma_minus_secq = maybe(draws, pair.1);
    }
    row
}

pub fn any_splitter(draws: &mut ChaCha8Rng) -> SplitterRow {
    let fan_out = 1 << draws.random_range(1..6);
    // Rounded up to tenths, so not below the loss of an even division.
    let even = (100.0 * f64::from(fan_out).log10()).ceil() / 10.0;
    let typical = even + tenths(draws, 0, 10);
    let most = typical + tenths(draws, 0, 10);
    let mut row = splitter(fan_out, most);
    row.loss_typ = maybe(draws, db(typical));
    row.uniformity = Some(db(tenths(draws, 0, 10)));
    row.uniformity = row.uniformity.filter(|_| draws.random_bool(0.5));
    row.pdl = Some(db(tenths(draws, 0, 4))).filter(|_| draws.random_bool(0.5));
    row
}

/// Any optics with known levels.
pub fn any_optics(draws: &mut ChaCha8Rng) -> Optics {
    let typical = tenths(draws, 1, 4);
    let most = typical + tenths(draws, 0, 2);
    let typical = maybe(draws, typical);
    let fibre = maybe(draws, fibre(typical, most).try_into().unwrap());
    let connector = any_joint(draws);
    Optics {
        fibre,
        connector: connector.clone(),
        mpo: connector,
        splice: any_joint(draws),
        panel: any_joint(draws),
        feed: any_fittings(draws),
        branch: any_fittings(draws),
        penalty: db(tenths(draws, 0, 10)),
        ageing: db(tenths(draws, 0, 20)),
        pad: None,
        least_margin: db(tenths(draws, 0, 20)),
        least_headroom: db(tenths(draws, 0, 20)),
        ..optics(any_levels(draws), any_splitter(draws))
    }
}

pub fn any_length(draws: &mut ChaCha8Rng) -> Length {
    Length::from_mm(draws.random_range(0..20_000_000))
}
