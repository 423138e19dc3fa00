//! Electrical switches: what a port draws and costs, and which ports a model has.

use lightloom_units::{BitRate, Money, Power};
use serde::{Deserialize, Serialize};

use crate::parts::row::{Provenance, RowError, fair_power, fair_price};

/// The most ports of a switch: several times those of the largest that are sold as one chassis, and
/// few enough that a slip of the pen is seen.
pub const MOST_PORTS: usize = 4096;

/// What a catalogue says of a switch port of one rate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwitchPortRow {
    /// Its name in the catalogue.
    pub name: String,
    /// Line rate.
    pub rate: BitRate,
    /// Electrical power, the transceiver not included.
    pub power: Option<Power>,
    /// A port's share of a switch's price.
    pub price: Option<Money>,
    /// Where this is from.
    pub provenance: Provenance,
}

checked_form! {
    /// A switch port whose values can be.
    SwitchPort from SwitchPortRow as "SwitchPortRow"
}

impl SwitchPortRow {
    fn check(&self) -> Result<(), RowError> {
        if self.rate.as_bps() == 0 {
            return Err(RowError::new("rate", "found 0 bps; expected more"));
        }
        fair_power(self.power)?;
        fair_price(self.price)
    }
}

/// Ports of a switch that are alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PortGroup {
    /// How many.
    pub count: u32,
    /// Their rate.
    pub rate: BitRate,
}

impl std::str::FromStr for PortGroup {
    type Err = lightloom_units::ParseError;

    /// `48 x 10 Gb/s`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refuse = || lightloom_units::ParseError::new(text, "ports such as \"48 x 10 Gb/s\"");
        let (count, rate) = text.split_once('x').ok_or_else(refuse)?;
        let count = count.trim().parse().map_err(|_| refuse())?;
        let rate = rate.trim().parse().map_err(|_| refuse())?;
        Ok(Self { count, rate })
    }
}

/// What a catalogue says of a top-of-rack switch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwitchModelRow {
    /// Its name in the catalogue.
    pub name: String,
    /// Its ports.
    pub ports: Vec<PortGroup>,
    /// Rack units.
    pub height: u32,
    /// Where this is from.
    pub provenance: Provenance,
}

checked_form! {
    /// A switch model with ports.
    SwitchModel from SwitchModelRow as "SwitchModelRow"
}

impl SwitchModelRow {
    fn check(&self) -> Result<(), RowError> {
        if self.ports.is_empty() {
            return Err(RowError::new(
                "ports",
                "found none; expected ports such as \"48 x 10 Gb/s\"",
            ));
        }
        for group in &self.ports {
            if !(1..=MOST_PORTS).contains(&(group.count as usize)) {
                let message = format!("found {} ports; expected 1 to {MOST_PORTS}", group.count);
                return Err(RowError::new("ports", message));
            }
            if group.rate.as_bps() == 0 {
                return Err(RowError::new("ports", "found ports of 0 bps; expected more"));
            }
        }
        if !(1..=60).contains(&self.height) {
            let message = format!("found {}; expected 1 to 60 rack units", self.height);
            return Err(RowError::new("height", message));
        }
        Ok(())
    }
}
