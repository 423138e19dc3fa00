//! A comparison as it is reported.

use lightloom_power_cost::{Counts, OverYears, Side};
use lightloom_request::InputError;
use lightloom_units::Money;
use serde::Serialize;

use crate::bill::{self, TotalReport};
use crate::compare::buyer::AtLineRateReport;
use crate::optics::DesignOptics;
use crate::provenance::CatalogueReport;

/// A splitter fabric, IP multicast and a peer-to-peer chain.
#[derive(Debug, Clone, Serialize)]
pub struct CompareReport {
    /// ToRs.
    pub tors: usize,
    /// Splitter fan-out.
    pub p: u32,
    /// Line rate.
    pub rate: String,
    /// Ports of each switch of the packet core.
    pub core_ports: u64,
    /// The comparison in sentences: all that is built first, then what each source costs that can
    /// send at line rate at once, then what one multicast takes.
    pub summary: Vec<String>,
    /// What the design does not say and was assumed.
    pub assumed: Vec<String>,
    /// One-to-all multicast over the design.
    pub splitter_fabric: SideReport,
    /// The same over the packet core with the fewest layers.
    pub ip_multicast: SideReport,
    /// The same as a chain of ToRs over an optical circuit switch, which is not counted itself.
    pub peer_to_peer: SideReport,
    /// The others over the splitter fabric.
    pub ratios: RatioReport,
    /// Ports that the packet core adds, over the ToRs' uplinks.
    pub excess_resource_percent: f64,
    /// All that is built, not only one multicast.
    pub whole_fabric: WholeReport,
    /// All that is built, for each source that can send at line rate at once.
    pub at_line_rate: AtLineRateReport,
    /// The plan's own bill: with routed lengths, and its housings.
    pub bill: TotalReport,
    /// Where the values come from.
    pub catalogue: CatalogueReport,
}

/// What one way takes.
#[derive(Debug, Clone, Serialize)]
pub struct SideReport {
    /// Switch ports.
    pub ports: u64,
    /// Transceivers.
    pub transceivers: u64,
    /// Splitters.
    pub splitters: u64,
    /// Fibres between racks.
    pub fibres: u64,
    /// `strand` or `pair`: what a fibre is.
    pub fibre: &'static str,
    /// Power, money and what they lack.
    #[serde(flatten)]
    pub total: TotalReport,
    /// Energy to bring a gigabyte (10⁹ bytes) to all at line rate; only of one multicast.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joules_per_gigabyte: Option<f64>,
    /// Cost over years, where an energy price is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over_years: Option<YearsReport>,
}

/// Capital and energy over years of constant use.
#[derive(Debug, Clone, Serialize)]
pub struct YearsReport {
    /// How many.
    pub years: u32,
    /// The price of a kilowatt-hour.
    pub energy_price: Money,
    /// The energy.
    pub energy_kwh: Option<f64>,
    /// What it costs.
    pub energy_cost: Option<Money>,
    /// With the capital, as far as its prices are known.
    pub cost: Option<Money>,
}

/// The others over the splitter fabric; absent where a sum lacks a value.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct RatioReport {
    /// Ports of IP multicast.
    pub ports_ip_multicast: f64,
    /// Ports of the peer-to-peer chain.
    pub ports_peer_to_peer: f64,
    /// Power of IP multicast.
    pub power_ip_multicast: Option<f64>,
    /// Power of the peer-to-peer chain.
    pub power_peer_to_peer: Option<f64>,
    /// Cost of IP multicast.
    pub cost_ip_multicast: Option<f64>,
    /// Cost of the peer-to-peer chain.
    pub cost_peer_to_peer: Option<f64>,
    /// Why a ratio is null.
    pub unknown: Option<&'static str>,
}

/// All that is built.
#[derive(Debug, Clone, Serialize)]
pub struct WholeReport {
    /// The design: all transceivers of all ToRs, all splitters, all branch fibres.
    pub splitter_fabric: SideReport,
    /// The packet core: it carries any one multicast, so it is what one takes.
    pub ip_multicast: SideReport,
    /// Two ports a ToR.
    pub peer_to_peer: SideReport,
    /// The others over the splitter fabric.
    pub ratios: RatioReport,
}

impl SideReport {
    /// What is built carries several multicasts at once, so energy for one means nothing.
    pub(super) fn without_energy(self) -> Self {
        Self { joules_per_gigabyte: None, ..self }
    }

    /// `energy_price` is the price of a kilowatt-hour over so many years.
    pub(super) fn new(
        side: &Side,
        chosen: &DesignOptics,
        energy_price: Option<(u32, Money)>,
    ) -> Result<Self, InputError> {
        let Counts { ports, transceivers, splitters, fibres, pairs } = side.counts;
        let over = |(years, energy_price)| -> Result<YearsReport, InputError> {
            let OverYears { energy_kwh, energy_cost, cost } =
                side.over_years(years, energy_price).map_err(bill::refuse_sum)?;
            Ok(YearsReport { years, energy_price, energy_kwh, energy_cost, cost })
        };
        Ok(Self {
            ports,
            transceivers,
            splitters,
            fibres,
            fibre: if pairs { "pair" } else { "strand" },
            total: bill::reported(side.tally.clone(), &chosen.catalogue),
            joules_per_gigabyte: side.joules_per_gigabyte(&chosen.optics),
            over_years: energy_price.map(over).transpose()?,
        })
    }
}

impl RatioReport {
    pub(super) fn new(fabric: &Side, ip: &Side, chain: &Side) -> Self {
        let [ip, chain] = [ip, chain].map(|side| side.over(fabric));
        let ratios = [ip.power, chain.power, ip.cost, chain.cost];
        let unknown = "a sum lacks a value, which the sides list under missing, or the splitter fabric takes nothing";
        Self {
            ports_ip_multicast: ip.ports,
            ports_peer_to_peer: chain.ports,
            power_ip_multicast: ip.power,
            power_peer_to_peer: chain.power,
            cost_ip_multicast: ip.cost,
            cost_peer_to_peer: chain.cost,
            unknown: ratios.contains(&None).then_some(unknown),
        }
    }
}
