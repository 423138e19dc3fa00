//! Comparison of ways to multicast: their cost and power, in total, over years, and per source at line rate.

use lightloom_units::{Money, MoneyError};

use crate::basket::{Basket, Difference, RatioRange};
use crate::counts::Counts;
use crate::optics::Optics;
use crate::parts::{CircuitPort, SwitchPort};
use crate::price::{PriceRange, UnitPrice};
use crate::tally::{Cost, Draw, Line, Tally};

/// Microwatts per kilowatt.
const UW_PER_KW: u64 = 1_000_000_000;
/// Hours per year of 365.25 days.
const HOURS_A_YEAR: u64 = 8766;

/// The parts for pricing counts.
#[derive(Debug, Clone)]
pub struct Prices<'a> {
    /// Transceivers and splitters.
    pub optics: &'a Optics,
    /// The switch port. `None`: the catalogue has none at this rate.
    pub switch_port: Option<&'a SwitchPort>,
    /// The port of an optical circuit switch. `None`: the catalogue has none.
    pub circuit_port: Option<&'a CircuitPort>,
    /// Price of one strand between two racks.
    pub strand: Option<UnitPrice>,
    /// Price of one pair of strands between two racks.
    pub pair: Option<UnitPrice>,
}

/// Parts, cost and power of one way to multicast.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Side {
    /// Number of parts.
    pub counts: Counts,
    /// Cost and power of the parts, and the values that these sums lack.
    pub tally: Tally,
    /// Switch ports, transceivers, splitters, fibres, and where there are any ports of circuit switches, in this order.
    pub lines: Vec<Line>,
}

impl Side {
    /// Prices the parts of one way to multicast.
    ///
    /// # Errors
    /// [`MoneyError`] if prices have two currencies, or if the sum is too large.
    pub fn new(counts: Counts, prices: &Prices<'_>) -> Result<Self, MoneyError> {
        let Prices { optics, switch_port, circuit_port, strand, pair } = prices;
        let (transceiver, splitter) = (&optics.transceiver, &optics.splitter);
        let line = |part, quantity, price, power| Line { part, quantity, price, power };
        let fibre = if counts.pairs { pair } else { strand };
        let port_price = switch_port.and_then(|row| {
            Some(UnitPrice::of_row(format!("switch_port.{}", row.name), row.price.as_ref()?))
        });
        let port_power = switch_port.and_then(|port| port.power);
        let port = format!("switch port {}", transceiver.rate);
        let mut lines = vec![
            line(port, counts.ports, port_price, port_power.into()),
            line(
                format!("transceiver {}", transceiver.name),
                counts.transceivers,
                transceiver.unit_price(),
                transceiver.power.into(),
            ),
            line(
                format!("splitter {}", splitter.name),
                counts.splitters,
                splitter.unit_price(),
                Draw::Passive,
            ),
            line("fibre".into(), counts.fibres, fibre.clone(), Draw::Passive),
        ];
        if counts.circuit_ports > 0 {
            let name = circuit_port.map_or("", |row| row.name.as_str());
            let price = circuit_port.and_then(|row| row.unit_price());
            let power = circuit_port.and_then(|row| row.power);
            let part = format!("circuit switch port {name}").trim_end().to_owned();
            lines.push(line(part, counts.circuit_ports, price, power.into()));
        }
        Ok(Self { counts, tally: Tally::of(&lines)?, lines })
    }

    /// Energy to bring a gigabyte (10⁹ bytes) to all ToRs at line rate, in joules. `None`: a power is
    /// unknown.
    pub fn joules_per_gigabyte(&self, optics: &Optics) -> Option<f64> {
        let seconds_a_gigabyte = 8e9 / optics.transceiver.rate.as_bps() as f64;
        self.tally.watts().filter(|_| self.tally.all_powered()).map(|w| w * seconds_a_gigabyte)
    }

    /// Capital and energy over years of constant use. `energy_price` is per kilowatt-hour.
    ///
    /// # Errors
    /// [`MoneyError`] if the energy price has another currency, or if the sum is too large.
    pub fn over_years(&self, years: u32, energy_price: Money) -> Result<OverYears, MoneyError> {
        let hours = u64::from(years) * HOURS_A_YEAR;
        let energy_kwh = self.tally.watts().map(|watts| watts * hours as f64 / 1000.0);
        // The price of all kilowatts is exact; only the final result is rounded.
        let energy = self
            .tally
            .power
            .map(|power| energy_price.checked_mul(hours)?.scale(power.as_microwatts(), UW_PER_KW));
        let energy_cost = energy.transpose()?;
        let sum = self.tally.cost.zip(energy_cost).map(|(capital, energy)| {
            let energy = PriceRange::exactly(energy);
            Ok(Cost { range: capital.range.checked_add(energy)?, ..capital })
        });
        Ok(OverYears { energy_kwh, energy_cost, cost: sum.transpose()? })
    }

    /// Ratios of this way to another one.
    pub fn over(&self, other: &Self) -> Ratios {
        let (one, ports) = (&self.tally, other.counts.ports);
        let powered = one.all_powered() && other.tally.all_powered();
        let power = one.watts().zip(other.tally.watts());
        let power = power.filter(|&(_, watts)| powered && watts > 0.0);
        Ratios {
            ports: self.counts.ports as f64 / ports as f64,
            power: power.map(|(one, other)| one / other),
            cost: Basket::of(&self.lines).over(&Basket::of(&other.lines)),
        }
    }

    /// How much more this way costs than another one, at one price for each row.
    pub fn costs_more_than(&self, other: &Self) -> Option<Difference> {
        Basket::of(&self.lines).minus(&Basket::of(&other.lines))
    }

    /// Cost and power per source. `None` without sources, and if a price or a power is unknown.
    pub fn per_source(&self, sources: Option<u64>) -> PerSource {
        let each = sources.filter(|&sources| sources > 0);
        let cost = self.tally.cost.filter(|_| self.tally.all_priced()).zip(each);
        // This is part of an existing sum, so it exists too.
        let part = |(cost, each): (Cost, u64)| {
            let range = cost.range.scale(1, each).ok()?;
            Some(Cost { range, assumed: cost.assumed.scale(1, each).ok()?, ..cost })
        };
        let cost = cost.and_then(part);
        let watts = self.tally.watts().filter(|_| self.tally.all_powered()).zip(each);
        PerSource { cost, watts: watts.map(|(watts, each)| watts / each as f64) }
    }
}

/// Capital and energy over years. A value is `None` if one of its parts is entirely unknown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OverYears {
    /// Energy in kilowatt-hours.
    pub energy_kwh: Option<f64>,
    /// Cost of the energy.
    pub energy_cost: Option<Money>,
    /// Cost of energy and capital, as far as prices are known.
    pub cost: Option<Cost>,
}

/// Ratios of one way to another. `None` if a sum lacks a value, or if the other's value is 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ratios {
    /// Ratio of ports.
    pub ports: f64,
    /// Ratio of power.
    pub power: Option<f64>,
    /// Ratio of cost, at one price for each row.
    pub cost: Option<RatioRange>,
}

/// Cost and power of one way per source.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PerSource {
    /// Cost per source.
    pub cost: Option<Cost>,
    /// Power per source, in watts.
    pub watts: Option<f64>,
}

/// Number of sources that can send to all ToRs at the same time if each ToR receives one stream per port. It
/// equals the number of ports, or the number of ToRs if that is at most one more.
pub fn sources_at_once(tors: u64, receiving_ports: u64) -> u64 {
    if tors <= receiving_ports + 1 { tors } else { receiving_ports }
}
