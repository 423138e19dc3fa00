//! Electrical switches: power and price of a port, and the ports of a model.

use lightloom_units::{BitRate, Power, named_enum};
use serde::{Deserialize, Serialize};

use crate::parts::interfaces::{self, InterfaceGroup, MOST_PORTS, ModelInterface};
use crate::parts::pipeline::Pipeline;
use crate::parts::row::{Provenance, RowError, fair_power, fair_price};
use crate::price::{Price, UnitPrice};

/// Catalogue values of a switch port at one rate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwitchPortRow {
    /// Name in the catalogue.
    pub name: String,
    /// Line rate.
    pub rate: BitRate,
    /// Electrical power without the transceiver.
    pub power: Option<Power>,
    /// The port's share of the switch's price.
    pub price: Option<Price>,
    /// Source of the values.
    pub provenance: Provenance,
}

checked_form! {
    /// A switch port with valid values.
    SwitchPort from SwitchPortRow as "SwitchPortRow"
}

impl SwitchPortRow {
    fn check(&self) -> Result<(), RowError> {
        if self.rate.as_bps() == 0 {
            return Err(RowError::new("rate", "found 0 bps; expected more"));
        }
        fair_power(self.power)?;
        fair_price(self.price.as_ref())
    }

    /// Price of a piece. `None`: unknown.
    pub fn unit_price(&self) -> Option<UnitPrice> {
        let row = || format!("switch_port.{}", self.name);
        self.price.as_ref().map(|price| UnitPrice::of_row(row(), price))
    }
}

/// Catalogue values of a port of an optical circuit switch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CircuitPortRow {
    /// Name in the catalogue.
    pub name: String,
    /// The port's share of the switch's electrical power.
    pub power: Option<Power>,
    /// The port's share of the switch's price.
    pub price: Option<Price>,
    /// Source of the values.
    pub provenance: Provenance,
}

checked_form! {
    /// A port of an optical circuit switch with valid values.
    CircuitPort from CircuitPortRow as "CircuitPortRow"
}

impl CircuitPortRow {
    fn check(&self) -> Result<(), RowError> {
        fair_power(self.power)?;
        fair_price(self.price.as_ref())
    }

    /// Price of a piece. `None`: unknown.
    pub fn unit_price(&self) -> Option<UnitPrice> {
        let row = || format!("circuit_port.{}", self.name);
        self.price.as_ref().map(|price| UnitPrice::of_row(row(), price))
    }
}

/// A group of equal ports of a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PortGroup {
    /// Number of ports.
    pub count: u32,
    /// Rate of each port.
    pub rate: BitRate,
}

impl std::str::FromStr for PortGroup {
    type Err = lightloom_units::ParseError;

    /// Parses a text such as `48 x 10 Gb/s`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refuse = || lightloom_units::ParseError::new(text, "ports such as \"48 x 10 Gb/s\"");
        let (count, rate) = text.split_once('x').ok_or_else(refuse)?;
        let count = count.trim().parse().map_err(|_| refuse())?;
        let rate = rate.trim().parse().map_err(|_| refuse())?;
        Ok(Self { count, rate })
    }
}

named_enum! {
    /// Link fault signalling of the ports (IEEE 802.3, clause 46.3.4). In a catalogue row: the state that suits
    /// light that goes one way, if the platform can be set to it.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum FaultSignalling {
        /// A port sends data whatever its receiver hears. In a catalogue row: the platform can be set so.
        Off = "off",
        /// A port without light or with remote fault at its receiver stops sending data. In a catalogue row: the
        /// platform cannot be set otherwise.
        On = "on",
    }
}

/// Catalogue values of a top-of-rack switch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwitchModelRow {
    /// Name in the catalogue.
    pub name: String,
    /// Its ports.
    pub ports: Vec<PortGroup>,
    /// Its interfaces by name. Empty: the names are unknown.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub interfaces: Vec<InterfaceGroup>,
    /// Height in rack units.
    pub height: u32,
    /// Whether its link fault signalling can be switched off. `None`: unknown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fault_signalling: Option<FaultSignalling>,
    /// The command that switches it off on a port.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fault_signalling_command: Option<String>,
    /// The command that lets a port receive without a partner for its transmitter.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unidirectional_command: Option<String>,
    /// Sizes of its tables and what its ports can do.
    #[serde(skip_serializing_if = "Pipeline::is_unknown", default)]
    pub pipeline: Pipeline,
    /// Whether studies of all models leave it out. The shipped rows beyond those of shufflecast:B are so.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub only_by_name: bool,
    /// Source of the values.
    pub provenance: Provenance,
}

checked_form! {
    /// A switch model with at least one port.
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
        let ports: usize = self.ports.iter().map(|group| group.count as usize).sum();
        if ports > MOST_PORTS {
            let message = format!("found {ports} ports; expected 1 to {MOST_PORTS}");
            return Err(RowError::new("ports", message));
        }
        self.check_interfaces()?;
        if !(1..=60).contains(&self.height) {
            let message = format!("found {}; expected 1 to 60 rack units", self.height);
            return Err(RowError::new("height", message));
        }
        let has_command = self.fault_signalling_command.is_some();
        if has_command && self.fault_signalling != Some(FaultSignalling::Off) {
            let message = "is given, so fault_signalling must be \"off\": it can be switched off";
            return Err(RowError::new("fault_signalling_command", message));
        }
        self.pipeline.check()
    }

    /// A model cannot name more interfaces of a rate than it has ports of it.
    fn check_interfaces(&self) -> Result<(), RowError> {
        // Each group names a port or more, so no more groups than ports are read.
        if self.interfaces.len() > MOST_PORTS {
            let found = self.interfaces.len();
            let message = format!("found {found} groups; a switch has at most {MOST_PORTS} ports");
            return Err(RowError::new("interfaces", message));
        }
        interfaces::check(&self.interfaces)?;
        let count = |group: &InterfaceGroup| Ok((group.rate, group.interfaces(1)?.len()));
        let counts: Vec<(BitRate, usize)> =
            self.interfaces.iter().map(count).collect::<Result<_, RowError>>()?;
        for group in &self.interfaces {
            let named = counts.iter().filter(|(rate, _)| *rate == group.rate);
            let named: usize = named.map(|(_, count)| count).sum();
            let ports = self.ports.iter().filter(|ports| ports.rate == group.rate);
            let ports: usize = ports.map(|ports| ports.count as usize).sum();
            if named > ports {
                let message = format!(
                    "found {named} interfaces of {}; ports has {ports} of that rate",
                    group.rate
                );
                return Err(RowError::new("interfaces", message));
            }
        }
        Ok(())
    }

    /// All interfaces that the model names, in order. `lanes` is the number of interfaces that each port is
    /// split into, if it can be; 1 leaves all ports whole.
    pub fn named_interfaces(&self, lanes: u32) -> Vec<ModelInterface> {
        // The patterns of a checked row can be read.
        let groups = self.interfaces.iter();
        groups.flat_map(|group| group.interfaces(lanes).unwrap_or_default()).collect()
    }
}
