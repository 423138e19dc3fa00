//! Report of a comparison.

use std::cmp::Ordering;

use lightloom_design::optics::DesignOptics;
use lightloom_plan::bill::{self, CostRange, TotalReport};
use lightloom_plan::provenance::CatalogueReport;
use lightloom_plan::totals::OneTotal;
use lightloom_power_cost::{Counts, Difference, LayerCuts, MulticastCore, OverYears, Side};
use lightloom_request::InputError;
use lightloom_units::{Money, named_enum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::compare::buyer::AtLineRateReport;

/// Comparison of a splitter fabric, IP multicast and a peer-to-peer chain.
#[derive(Debug, Clone, Serialize, PartialEq, Deserialize, JsonSchema)]
pub struct CompareReport {
    /// Number of ToRs.
    pub tors: usize,
    /// Fan-out of the splitters.
    pub p: u32,
    /// Line rate.
    pub rate: String,
    /// Number of ports of each switch of the packet core.
    pub core_ports: u64,
    /// The comparison in sentences: first everything that is built, then the cost per source that can send at
    /// line rate at the same time, then the parts of one multicast.
    pub summary: Vec<String>,
    /// Assumptions for values that the design does not give.
    pub assumed: Vec<String>,
    /// One-to-all multicast over the design.
    pub splitter_fabric: SideReport,
    /// One-to-all multicast over the packet core with the fewest layers.
    pub ip_multicast: SideReport,
    /// One-to-all multicast over a chain of ToRs through an optical circuit switch. The circuit switch is not
    /// counted.
    pub peer_to_peer: SideReport,
    /// Ratios of the other ways to the splitter fabric.
    pub ratios: RatioReport,
    /// Ports that the packet core adds, in percent of the ToRs' uplinks.
    pub excess_resource_percent: f64,
    /// A core of circuit switches for unicast. Not there if none was asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub circuit_core: Option<CircuitCoreReport>,
    /// Accelerators beside the switches. `None`: the design has none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub accelerators: Option<ComparedAccelerators>,
    /// What single failures of the packet core cut off.
    pub core_failures: CoreFailuresReport,
    /// Everything that is built, not only the parts of one multicast.
    pub whole_fabric: WholeReport,
    /// Everything that is built, per source that can send at line rate at the same time.
    pub at_line_rate: AtLineRateReport,
    /// The bill of the plan, with routed lengths and housings.
    pub bill: TotalReport,
    /// All totals of the plan beside each other: what is in each, and what is missing from it.
    pub totals: Vec<OneTotal>,
    /// Source of the values.
    pub catalogue: CatalogueReport,
}

/// What single failures of the packet core cut off. It is a tree, so there is no other way.
#[derive(Debug, Clone, Serialize, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct CoreFailuresReport {
    /// Pairs of a source and another ToR.
    pub pairs: u64,
    /// Pairs that the failed uplink of a ToR cuts off.
    pub by_tor_uplink: u64,
    /// The layers, from the lowest up to the top switch.
    pub layers: Vec<CoreLayerReport>,
    /// Spare switches, with links of their own, that let every single switch of the core fail without cutting a pair:
    /// one for each.
    pub spare_switches: u64,
}

/// What single failures of a layer of the packet core cut off.
#[derive(Debug, Clone, Serialize, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct CoreLayerReport {
    /// Number of switches of the layer.
    pub switches: u64,
    /// The most ToRs below one of them.
    pub tors: u64,
    /// The most pairs that a failed switch cuts off.
    pub by_switch: u64,
    /// The most pairs that the failed uplink of a switch cuts off. 0 of the top switch, which has none.
    pub by_uplink: u64,
}

impl CoreFailuresReport {
    /// The failures of a core whose switches have `ports` ports.
    pub(super) fn new(core: &MulticastCore, ports: u64, tors: u64) -> Self {
        let layer = |cuts: LayerCuts| {
            let LayerCuts { switches, tors, by_switch, by_uplink } = cuts;
            CoreLayerReport { switches, tors, by_switch, by_uplink }
        };
        Self {
            pairs: tors * tors.saturating_sub(1),
            by_tor_uplink: 2 * tors.saturating_sub(1),
            layers: core.cuts(ports).into_iter().map(layer).collect(),
            spare_switches: core.switches(),
        }
    }

    /// The same in a sentence.
    pub fn line(&self) -> String {
        let most = |of: fn(&CoreLayerReport) -> u64| self.layers.iter().map(of).max().unwrap_or(0);
        format!(
            "Of {} pairs of ToRs, one failed switch of the packet core cuts off up to {}, the failed uplink of a \
             switch up to {}, and that of a ToR {}. {} spare switches, one for each, would let every switch fail \
             alone.",
            self.pairs,
            most(|layer| layer.by_switch),
            most(|layer| layer.by_uplink),
            self.by_tor_uplink,
            self.spare_switches
        )
    }
}

named_enum! {
    /// Kind of a fibre between two racks.
    #[derive(JsonSchema)]
    pub enum FibreUnit {
        /// One strand.
        Strand = "strand",
        /// A pair of strands.
        Pair = "pair",
    }
}

/// A core of optical circuit switches for unicast, which stands beside the splitters in place of packet switches.
#[derive(Debug, Clone, Serialize, PartialEq, Deserialize, JsonSchema)]
pub struct CircuitCoreReport {
    /// Number of circuit switches. Each ToR has an uplink to each of them.
    pub switches: u64,
    /// Ports of each of them.
    pub switch_ports: u64,
    /// Ports of all of them.
    pub ports: u64,
    /// The catalogue's row of such a port. `None`: it has none, so that power and cost lack these ports.
    pub row: Option<String>,
    /// The ToRs' ports and transceivers, the fibres, and the circuit switches.
    pub parts: SideReport,
}

impl CircuitCoreReport {
    /// What it is, as a sentence.
    pub fn line(&self) -> String {
        let row = match &self.row {
            Some(row) => format!("ports as circuit_port.{row}"),
            None => "power and price of their ports are unknown".to_owned(),
        };
        format!(
            "An all-optical core for unicast beside the splitters: {} circuit switches of {} ports each ({row}), {} \
             ports and transceivers of ToRs, {} pairs of fibres.",
            self.switches, self.switch_ports, self.parts.ports, self.parts.fibres
        )
    }
}

/// Accelerators beside the switches, which replicate for reliable groups. They are in the plan's bill, and in none of
/// the ways that are compared.
#[derive(Debug, Clone, Serialize, PartialEq, Deserialize, JsonSchema)]
pub struct ComparedAccelerators {
    /// Name in the catalogue.
    pub name: String,
    /// Number of them: one beside each ToR switch.
    pub count: u64,
    /// Switch ports that they take.
    pub switch_ports: u64,
    /// Switches of the packet core. Reliable groups over it need one beside each of these, too.
    pub packet_core_switches: u64,
    /// Power and cost of the accelerators and of these switch ports.
    #[serde(flatten)]
    pub total: TotalReport,
}

impl ComparedAccelerators {
    /// What they are, as sentences.
    pub fn line(&self) -> String {
        format!(
            "Accelerators for reliable groups: {} {}, one beside each ToR switch, and {} switch ports for them: {}, \
             {}. They are in the plan's bill, and in none of these ways. Over the packet core, its {} switches would \
             each need one, too.",
            self.count,
            self.name,
            self.switch_ports,
            self.total.cost_text(),
            self.total.power_text(),
            self.packet_core_switches
        )
    }
}

/// Parts, power and cost of one way.
#[derive(Debug, Clone, Serialize, PartialEq, Deserialize, JsonSchema)]
pub struct SideReport {
    /// Number of switch ports.
    pub ports: u64,
    /// Number of transceivers.
    pub transceivers: u64,
    /// Number of splitters.
    pub splitters: u64,
    /// Number of fibres between racks.
    pub fibres: u64,
    /// Kind of each fibre.
    pub fibre: FibreUnit,
    /// Power and cost, and the values that these sums lack.
    #[serde(flatten)]
    pub total: TotalReport,
    /// Energy to bring a gigabyte (10⁹ bytes) to all ToRs at line rate, in joules. Only for one multicast.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub joules_per_gigabyte: Option<f64>,
    /// Cost over years, if an energy price is given.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub over_years: Option<YearsReport>,
}

/// Capital and energy over years of constant use.
#[derive(Debug, Clone, Serialize, PartialEq, Deserialize, JsonSchema)]
pub struct YearsReport {
    /// Number of years.
    pub years: u32,
    /// Price of a kilowatt-hour.
    pub energy_price: Money,
    /// Energy in kilowatt-hours.
    pub energy_kwh: Option<f64>,
    /// Cost of the energy.
    pub energy_cost: Option<Money>,
    /// Cost of energy and capital, as far as prices are known.
    pub cost: Option<Money>,
    /// Bounds of that cost.
    pub range: Option<CostRange>,
}

/// Ratios of the other ways to the splitter fabric. Null if a sum lacks a value.
#[derive(Debug, Clone, Serialize, PartialEq, Deserialize, JsonSchema)]
pub struct RatioReport {
    /// Ratio of ports of IP multicast.
    pub ports_ip_multicast: f64,
    /// Ratio of ports of the peer-to-peer chain.
    pub ports_peer_to_peer: f64,
    /// Ratio of power of IP multicast.
    pub power_ip_multicast: Option<f64>,
    /// Ratio of power of the peer-to-peer chain.
    pub power_peer_to_peer: Option<f64>,
    /// Ratio of cost of IP multicast.
    pub cost_ip_multicast: Option<f64>,
    /// Ratio of cost of the peer-to-peer chain.
    pub cost_peer_to_peer: Option<f64>,
    /// Bounds of the ratio of cost of IP multicast.
    pub cost_range_ip_multicast: Option<RatioBounds>,
    /// Bounds of the ratio of cost of the peer-to-peer chain.
    pub cost_range_peer_to_peer: Option<RatioBounds>,
    /// Why a ratio is null.
    pub unknown: Option<String>,
}

/// Bounds of a ratio of costs. What both ways have of a part is priced once, so its price cancels.
#[derive(Debug, Clone, Copy, Serialize, PartialEq, Deserialize, JsonSchema)]
pub struct RatioBounds {
    /// At least. Null: a price is missing.
    pub low: Option<f64>,
    /// At most. Null: a price is missing.
    pub high: Option<f64>,
    /// Which of the two is dearer, whatever the prices in their ranges.
    pub dearer: Dearer,
}

named_enum! {
    /// Which of two is dearer at every price of the ranges.
    #[derive(JsonSchema)]
    pub enum Dearer {
        /// The first one.
        This = "this",
        /// The second one.
        Other = "other",
        /// None: both cost the same.
        Neither = "neither",
        /// Prices within their ranges decide.
        Open = "open",
    }
}

impl Dearer {
    /// What a difference says.
    pub fn of(difference: &Difference) -> Self {
        match difference.decided() {
            Some(Ordering::Greater) => Self::This,
            Some(Ordering::Less) => Self::Other,
            Some(Ordering::Equal) => Self::Neither,
            None => Self::Open,
        }
    }
}

/// Everything that is built.
#[derive(Debug, Clone, Serialize, PartialEq, Deserialize, JsonSchema)]
pub struct WholeReport {
    /// The design: all transceivers of all ToRs, all splitters, all branch fibres.
    pub splitter_fabric: SideReport,
    /// The packet core. It is the same as for one multicast, because it carries any one multicast.
    pub ip_multicast: SideReport,
    /// The chain: two ports per ToR.
    pub peer_to_peer: SideReport,
    /// Ratios of the other ways to the splitter fabric.
    pub ratios: RatioReport,
}

impl SideReport {
    /// Removes the energy per gigabyte. A whole fabric carries several multicasts at the same time, and a core for
    /// unicast none, so the energy of one has no meaning.
    pub(super) fn without_energy(self) -> Self {
        Self { joules_per_gigabyte: None, ..self }
    }

    /// `energy_price` holds the number of years and the price of a kilowatt-hour.
    pub(super) fn new(
        side: &Side,
        chosen: &DesignOptics,
        energy_price: Option<(u32, Money)>,
    ) -> Result<Self, InputError> {
        let Counts { ports, transceivers, splitters, fibres, pairs, .. } = side.counts;
        let over = |(years, energy_price)| -> Result<YearsReport, InputError> {
            let OverYears { energy_kwh, energy_cost, cost } =
                side.over_years(years, energy_price).map_err(bill::refuse_sum)?;
            let range = cost.as_ref().map(|cost| CostRange::new(cost, side.tally.all_priced()));
            let cost = cost.map(|cost| cost.amount());
            Ok(YearsReport { years, energy_price, energy_kwh, energy_cost, cost, range })
        };
        Ok(Self {
            ports,
            transceivers,
            splitters,
            fibres,
            fibre: if pairs { FibreUnit::Pair } else { FibreUnit::Strand },
            total: bill::reported(side.tally.clone(), &chosen.catalogue),
            joules_per_gigabyte: side.joules_per_gigabyte(&chosen.optics),
            over_years: energy_price.map(over).transpose()?,
        })
    }
}

impl RatioReport {
    pub(super) fn new(fabric: &Side, ip: &Side, chain: &Side) -> Self {
        let bounds = |side: &Side| -> Option<RatioBounds> {
            let difference = side.costs_more_than(fabric)?;
            let ratio = side.over(fabric).cost;
            Some(RatioBounds {
                low: ratio.map(|ratio| ratio.low),
                high: ratio.map(|ratio| ratio.high),
                dearer: Dearer::of(&difference),
            })
        };
        let [ip_range, chain_range] = [ip, chain].map(bounds);
        let [ip, chain] = [ip, chain].map(|side| side.over(fabric));
        let [ip_cost, chain_cost] = [ip, chain].map(|ratio| Some(ratio.cost?.amount));
        let ratios = [ip.power, chain.power, ip_cost, chain_cost];
        let unknown = "a sum lacks a value, which the sides list under missing, or the splitter fabric takes nothing";
        Self {
            ports_ip_multicast: ip.ports,
            ports_peer_to_peer: chain.ports,
            power_ip_multicast: ip.power,
            power_peer_to_peer: chain.power,
            cost_ip_multicast: ip_cost,
            cost_peer_to_peer: chain_cost,
            cost_range_ip_multicast: ip_range,
            cost_range_peer_to_peer: chain_range,
            unknown: ratios.contains(&None).then(|| unknown.to_owned()),
        }
    }
}
