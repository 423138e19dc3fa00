//! How long a branch of a splitter may be before its light no longer arrives.
#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use lightloom_power_cost::parts::{FibreRow, SplitterRow, TransceiverRow};
use lightloom_power_cost::{Case, Fittings, Judge, Optics};
use lightloom_units::{Db, Length};

const TRANSCEIVER: &str = r#"
    name = "10gbase-lr"
    rate = "10 Gb/s"
    modulation = "nrz"
    fibres = 1
    launch_min = "-6 dBm"
    launch_max = "0 dBm"
    sensitivity = "-14 dBm"
    overload = "0.5 dBm"
    fec = "none"
    provenance = { source = "a data sheet", date = "2026-11" }
"#;
const SPLITTER: &str = r#"
    name = "1x4"
    fan_out = 4
    loss_max = "7.3 dB"
    provenance = { source = "a data sheet", date = "2026-11" }
"#;
const FIBRE: &str = r#"
    name = "G.652.D"
    attenuation_max = "0.4 dB/km"
    provenance = { source = "a data sheet", date = "2026-11" }
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let optics = Optics {
        transceiver: toml::from_str::<TransceiverRow>(TRANSCEIVER)?.try_into()?,
        splitter: toml::from_str::<SplitterRow>(SPLITTER)?.try_into()?,
        fibre: Some(toml::from_str::<FibreRow>(FIBRE)?.try_into()?),
        connector: None,
        splice: None,
        panel: None,
        mpo: None,
        feed: Fittings::default(),
        branch: Fittings::default(),
        penalty: Db::ZERO,
        ageing: Db::ZERO,
        pad: None,
        least_margin: Db::new(0.5)?,
        least_headroom: Db::new(0.5)?,
    };
    println!("unknown: {}", optics.gaps().join(", "));
    let judge = Judge::new(&optics);
    for metres in [50, 500, 1_500, 2_500] {
        let length = Length::from_m(metres);
        let found = judge.branch(Length::ZERO, length, Case::Worst);
        let margin = found.margin.map_or("unknown".to_owned(), |margin| margin.to_string());
        println!("{length}: margin {margin}, {}", found.verdict.name());
    }
    Ok(())
}
