//! An accelerator that stands beside a switch and replicates for reliable groups (cepheus:IV.accelerator).

use lightloom_units::{BitRate, DataSize, Power, Span};
use serde::{Deserialize, Serialize};

use crate::parts::row::{Provenance, RowError, fair_power, fair_price};
use crate::price::{Price, UnitPrice};

/// Most ports of an accelerator. All limits here are those of a run of the twin.
const MOST_PORTS: u32 = 64;
/// Largest rate of a port, and of all ports together.
const MOST_RATE: BitRate = BitRate::from_gbps(100_000);
/// Longest latency.
const LONGEST: Span = Span::from_s(1000);
/// Largest fan-out limit.
const MOST_FAN_OUT: u32 = 65_534;
/// Largest memory.
const MOST_MEMORY: DataSize = DataSize::from_bytes(1 << 32);

/// Catalogue values of an accelerator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AcceleratorRow {
    /// Name in the catalogue.
    pub name: String,
    /// Its ports. It takes as many of the switch that it stands beside.
    pub ports: u32,
    /// Line rate of each port.
    pub port_rate: BitRate,
    /// What it takes and sends, over all ports together. `None`: all that its ports carry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<BitRate>,
    /// From the last bit of a packet in it to the first bit of its first copy. `None`: unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency: Option<Span>,
    /// Memory for tables of groups. `None`: no limit is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<DataSize>,
    /// Most ports of the switch that a group may use, beside the one toward the sender. `None`: no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fan_out: Option<u32>,
    /// Electrical power.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power: Option<Power>,
    /// Price per piece.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<Price>,
    /// Source of the values.
    pub provenance: Provenance,
}

checked_form! {
    /// An accelerator with valid values.
    Accelerator from AcceleratorRow as "AcceleratorRow"
}

impl AcceleratorRow {
    fn check(&self) -> Result<(), RowError> {
        if !(1..=MOST_PORTS).contains(&self.ports) {
            let message = format!("found {}; expected 1 to {MOST_PORTS} ports", self.ports);
            return Err(RowError::new("ports", message));
        }
        if self.port_rate.as_bps() < 1_000 || self.port_rate > MOST_RATE {
            let found = self.port_rate;
            let message = format!("found {found}; expected 1 kb/s to {MOST_RATE}");
            return Err(RowError::new("port_rate", message));
        }
        if let Some(rate) = self.rate
            && (rate.as_bps() < 1_000 || rate > self.of_all_ports())
        {
            let most = self.of_all_ports();
            let message = format!(
                "found {rate}; expected 1 kb/s to {most}, which {} ports of {} carry",
                self.ports, self.port_rate
            );
            return Err(RowError::new("rate", message));
        }
        if let Some(latency) = self.latency.filter(|&latency| latency > LONGEST) {
            let message = format!("found {latency}; expected at most {LONGEST}");
            return Err(RowError::new("latency", message));
        }
        if let Some(most) = self.fan_out.filter(|most| !(1..=MOST_FAN_OUT).contains(most)) {
            let message = format!("found {most}; expected 1 to {MOST_FAN_OUT} ports");
            return Err(RowError::new("fan_out", message));
        }
        if let Some(memory) = self.memory.filter(|&memory| memory > MOST_MEMORY) {
            let message = format!("found {memory}; expected at most {MOST_MEMORY}");
            return Err(RowError::new("memory", message));
        }
        fair_power(self.power)?;
        fair_price(self.price.as_ref())
    }

    fn of_all_ports(&self) -> BitRate {
        let all = self.port_rate.as_bps().saturating_mul(self.ports.into());
        BitRate::from_bps(all).min(MOST_RATE)
    }

    /// What it takes and sends, over all ports together.
    pub fn total_rate(&self) -> BitRate {
        self.rate.unwrap_or_else(|| self.of_all_ports())
    }

    /// Price of a piece. `None`: unknown.
    pub fn unit_price(&self) -> Option<UnitPrice> {
        let row = || format!("accelerator.{}", self.name);
        self.price.as_ref().map(|price| UnitPrice::of_row(row(), price))
    }
}
