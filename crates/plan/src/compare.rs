//! Three ways to multicast side by side: parts, power and cost.

mod buyer;

use lightloom_power_cost::FibrePrice;
use lightloom_power_cost::parts::MOST_PORTS;
use lightloom_power_cost::{
    Counts, Draw, Line, MulticastCore, excess_resource, peer_to_peer, splitter_fabric,
};
use lightloom_request::{Error, InputError};
use lightloom_units::{Length, Money, named_enum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bill::{self, TotalReport};
use crate::facts;
use crate::optics::DesignOptics;
use crate::project::Project;
use crate::prove::check_size;
use crate::provenance::CatalogueReport;
use crate::wiring::WiringPlan;

pub use buyer::{AtLineRateReport, PerSourceReport};

/// Ports of the packet switches where nothing is said, as in the paper's larger example.
const CORE_PORTS: u64 = 32;
/// Microwatts of a kilowatt.
const UW_PER_KW: u64 = 1_000_000_000;
/// Hours of a year of 365.25 days.
const HOURS_A_YEAR: u64 = 8766;

/// A splitter fabric, IP multicast and a peer-to-peer chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
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

named_enum! {
    /// What a fibre between two racks is.
    #[derive(JsonSchema)]
    pub enum FibreUnit {
        /// One strand.
        Strand = "strand",
        /// A pair of strands.
        Pair = "pair",
    }
}

/// What one way takes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SideReport {
    /// Switch ports.
    pub ports: u64,
    /// Transceivers.
    pub transceivers: u64,
    /// Splitters.
    pub splitters: u64,
    /// Fibres between racks.
    pub fibres: u64,
    /// What a fibre is.
    pub fibre: FibreUnit,
    /// Power, money and what they lack.
    #[serde(flatten)]
    pub total: TotalReport,
    /// Energy to bring a gigabyte (10⁹ bytes) to all at line rate; only of one multicast.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub joules_per_gigabyte: Option<f64>,
    /// Cost over years, where an energy price is given.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub over_years: Option<YearsReport>,
}

/// Capital and energy over years of constant use.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    pub unknown: Option<String>,
}

/// All that is built.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
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

/// What is the same for all sides.
struct Prices<'a> {
    chosen: &'a DesignOptics,
    fibre: &'a FibrePrice,
    length: Length,
    years: Option<(u32, Money)>,
}

impl Project {
    /// Compares a one-to-all multicast over the design with IP multicast over a packet core of
    /// switches with `core_ports` ports, and with a peer-to-peer chain.
    ///
    /// # Errors
    /// [`InputError`] when the catalogue has no such optics, its prices do not add, or no switch has
    /// so many ports.
    pub fn compare(&self, core_ports: Option<u64>) -> Result<CompareReport, Error> {
        let (chosen, mut assumed) = self.optics_or_assumed()?;
        check_size(self)?;
        if let Some((_, energy)) = self.costing.years
            && energy.currency() != self.catalogue.price().price.currency()
        {
            let message = format!(
                "found {energy}; the catalogue's prices are in {}, and there is no exchange rate",
                self.catalogue.price().price.currency()
            );
            return Err(self.design.settings.refuse("cost.energy_price", message).into());
        }
        let prices = Prices {
            chosen: &chosen,
            fibre: self.catalogue.price(),
            length: self.costing.fibre_length,
            years: self.costing.years,
        };
        assumed.push(format!("every fibre between racks is {} long", prices.length));
        assumed.extend(chosen.priced_as.as_ref().map(|listed| {
            let fan_out = chosen.optics.splitter.fan_out;
            format!("a splitter 1:{fan_out} has no price of its own; that of {listed} is taken")
        }));
        let (tors, cassettes) = (self.fabric.tors() as u64, self.fabric.cassettes() as u64);
        let core_ports = core_ports.unwrap_or(CORE_PORTS);
        let core = Some(core_ports).filter(|&ports| ports <= MOST_PORTS as u64);
        let core = core.and_then(|ports| MulticastCore::new(tors, ports)).ok_or_else(|| {
            let message = format!("found {core_ports}; expected 3 to {MOST_PORTS} ports a switch");
            InputError::new(message).in_field("--core-ports")
        })?;
        let fabric = prices.side(splitter_fabric(tors, cassettes))?;
        let ip = prices.side(core.counts())?;
        let chain = prices.side(peer_to_peer(tors))?;
        let whole = Counts {
            ports: self.transceivers(),
            transceivers: self.transceivers(),
            splitters: tors,
            fibres: self.fabric.branch_fibres(),
            pairs: false,
        };
        let wires = WiringPlan::new(self.site(), self.design.housing, self.catalogue.stock());
        let lines = bill::lines(self, &wires, Some(&chosen))?;
        let whole = WholeReport::new(prices.side(whole)?, &ip, &chain);
        let parallel = facts::parallel_sources(&self.fabric, &self.design.fabric);
        let at_line_rate = AtLineRateReport::new(tors, parallel, &whole);
        let ratios = RatioReport::new(&fabric, &ip, &chain);
        let rate = chosen.optics.transceiver.rate.to_string();
        let one_tree = ratios.cost_ip_multicast;
        Ok(CompareReport {
            summary: buyer::summary(&rate, &whole, &at_line_rate, [&fabric, &ip], one_tree),
            at_line_rate,
            tors: self.fabric.tors(),
            p: self.fabric.fan_out(),
            rate,
            core_ports,
            assumed,
            ratios,
            excess_resource_percent: 100.0 * excess_resource(&core),
            whole_fabric: whole,
            splitter_fabric: fabric,
            ip_multicast: ip,
            peer_to_peer: chain,
            bill: bill::total(&lines, &chosen.catalogue)?,
            catalogue: CatalogueReport::new(&chosen, self.catalogue.price()),
        })
    }
}

impl WholeReport {
    fn new(fabric: SideReport, ip: &SideReport, chain: &SideReport) -> Self {
        Self {
            ratios: RatioReport::new(&fabric, ip, chain),
            splitter_fabric: fabric.without_energy(),
            ip_multicast: ip.clone().without_energy(),
            peer_to_peer: chain.clone().without_energy(),
        }
    }
}

impl SideReport {
    /// What is built carries several multicasts at once, so energy for one means nothing.
    fn without_energy(self) -> Self {
        Self { joules_per_gigabyte: None, ..self }
    }
}

impl Prices<'_> {
    fn side(&self, counts: Counts) -> Result<SideReport, InputError> {
        let optics = &self.chosen.optics;
        let port = self.chosen.switch_port.as_ref();
        let transceiver = &optics.transceiver;
        let line = |part, quantity, price, power| Line { part, quantity, price, power };
        let fibre = if counts.pairs {
            self.fibre.of_pair(self.length)
        } else {
            self.fibre.of_piece(self.length)
        };
        let fibre = fibre.map_err(bill::refuse_sum)?;
        let rate = transceiver.rate;
        let port_price = port.and_then(|port| port.price);
        let port_power = port.and_then(|port| port.power);
        let lines = [
            line(format!("switch port {rate}"), counts.ports, port_price, port_power.into()),
            line(
                format!("transceiver {}", transceiver.name),
                counts.transceivers,
                transceiver.price,
                transceiver.power.into(),
            ),
            line(
                format!("splitter {}", optics.splitter.name),
                counts.splitters,
                optics.splitter.price,
                Draw::Passive,
            ),
            line("fibre".into(), counts.fibres, Some(fibre), Draw::Passive),
        ];
        let total = bill::tally(&lines, &self.chosen.catalogue)?;
        let seconds_a_gigabyte = 8e9 / rate.as_bps() as f64;
        let joules = total.power_w.filter(|_| total.all_powered());
        Ok(SideReport {
            ports: counts.ports,
            transceivers: counts.transceivers,
            splitters: counts.splitters,
            fibres: counts.fibres,
            fibre: if counts.pairs { FibreUnit::Pair } else { FibreUnit::Strand },
            joules_per_gigabyte: joules.map(|watts| watts * seconds_a_gigabyte),
            over_years: self.years.map(|(years, price)| over(years, price, &total)).transpose()?,
            total,
        })
    }
}

fn over(years: u32, energy_price: Money, total: &TotalReport) -> Result<YearsReport, InputError> {
    let hours = u64::from(years) * HOURS_A_YEAR;
    let kwh = total.power_w.map(|watts| watts * hours as f64 / 1000.0);
    // The price of so many kilowatts is exact, so that only the end is rounded.
    let energy = total
        .power
        .map(|power| energy_price.checked_mul(hours)?.scale(power.as_microwatts(), UW_PER_KW));
    let energy = energy.transpose().map_err(bill::refuse_sum)?;
    let sum = match (total.cost, energy) {
        (Some(capital), Some(energy)) => Some(capital.checked_add(energy)),
        _ => None,
    };
    let cost = sum.transpose().map_err(bill::refuse_sum)?;
    Ok(YearsReport { years, energy_price, energy_kwh: kwh, energy_cost: energy, cost })
}

impl RatioReport {
    fn new(fabric: &SideReport, ip: &SideReport, chain: &SideReport) -> Self {
        let ports = |other: &SideReport| other.ports as f64 / fabric.ports as f64;
        let all_powered =
            |other: &SideReport| fabric.total.all_powered() && other.total.all_powered();
        let power = |other: &SideReport| {
            let both = other.total.power_w.zip(fabric.total.power_w);
            both.filter(|&(_, fabric)| all_powered(other) && fabric > 0.0)
                .map(|(other, fabric)| other / fabric)
        };
        let all_priced = |other: &SideReport| fabric.total.all_priced() && other.total.all_priced();
        let cost = |other: &SideReport| {
            let both = other.total.cost.zip(fabric.total.cost);
            both.filter(|(_, fabric)| all_priced(other) && fabric.as_micros() > 0)
                .map(|(other, fabric)| other.as_micros() as f64 / fabric.as_micros() as f64)
        };
        let [power_ip_multicast, power_peer_to_peer] = [power(ip), power(chain)];
        let [cost_ip_multicast, cost_peer_to_peer] = [cost(ip), cost(chain)];
        let ratios = [power_ip_multicast, power_peer_to_peer, cost_ip_multicast, cost_peer_to_peer];
        let unknown = "a sum lacks a value, which the sides list under missing, or the splitter fabric takes nothing";
        Self {
            ports_ip_multicast: ports(ip),
            ports_peer_to_peer: ports(chain),
            power_ip_multicast,
            power_peer_to_peer,
            cost_ip_multicast,
            cost_peer_to_peer,
            unknown: ratios.contains(&None).then(|| unknown.to_owned()),
        }
    }
}
