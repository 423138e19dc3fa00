//! Ways to multicast side by side: what each costs and draws, over years, and for each source at line
//! rate.

use lightloom_units::{Money, MoneyError};

use crate::counts::Counts;
use crate::optics::Optics;
use crate::parts::SwitchPort;
use crate::tally::{Draw, Line, Tally};

/// Microwatts of a kilowatt.
const UW_PER_KW: u64 = 1_000_000_000;
/// Hours of a year of 365.25 days.
const HOURS_A_YEAR: u64 = 8766;

/// The parts that counts are priced with.
#[derive(Debug, Clone, Copy)]
pub struct Prices<'a> {
    /// Transceivers and splitters.
    pub optics: &'a Optics,
    /// The switch port, where the catalogue has one of this rate.
    pub switch_port: Option<&'a SwitchPort>,
    /// The price of one strand between two racks.
    pub strand: Money,
    /// The price of one pair of strands between two racks.
    pub pair: Money,
}

/// What one way to multicast takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Side {
    /// Its parts.
    pub counts: Counts,
    /// What they cost and draw, and what these sums lack.
    pub tally: Tally,
}

impl Side {
    /// Prices the parts of one way.
    ///
    /// # Errors
    /// [`MoneyError`] when prices are in two currencies, or the sum is too large.
    pub fn new(counts: Counts, prices: Prices<'_>) -> Result<Self, MoneyError> {
        let Prices { optics, switch_port, strand, pair } = prices;
        let (transceiver, splitter) = (&optics.transceiver, &optics.splitter);
        let line = |part, quantity, price, power| Line { part, quantity, price, power };
        let fibre = if counts.pairs { pair } else { strand };
        let port_price = switch_port.and_then(|port| port.price);
        let port_power = switch_port.and_then(|port| port.power);
        let port = format!("switch port {}", transceiver.rate);
        let tally = Tally::of(&[
            line(port, counts.ports, port_price, port_power.into()),
            line(
                format!("transceiver {}", transceiver.name),
                counts.transceivers,
                transceiver.price,
                transceiver.power.into(),
            ),
            line(
                format!("splitter {}", splitter.name),
                counts.splitters,
                splitter.price,
                Draw::Passive,
            ),
            line("fibre".into(), counts.fibres, Some(fibre), Draw::Passive),
        ])?;
        Ok(Self { counts, tally })
    }

    /// The energy, in joules, to bring a gigabyte (10⁹ bytes) to all at line rate; none where a power is
    /// missing.
    pub fn joules_per_gigabyte(&self, optics: &Optics) -> Option<f64> {
        let seconds_a_gigabyte = 8e9 / optics.transceiver.rate.as_bps() as f64;
        self.tally.watts().filter(|_| self.tally.all_powered()).map(|w| w * seconds_a_gigabyte)
    }

    /// Capital and energy over years of constant use.
    ///
    /// # Errors
    /// [`MoneyError`] when the energy's currency is another one, or the sum is too large.
    pub fn over_years(&self, years: u32, energy_price: Money) -> Result<OverYears, MoneyError> {
        let hours = u64::from(years) * HOURS_A_YEAR;
        let energy_kwh = self.tally.watts().map(|watts| watts * hours as f64 / 1000.0);
        // The price of so many kilowatts is exact, so that only the end is rounded.
        let energy = self
            .tally
            .power
            .map(|power| energy_price.checked_mul(hours)?.scale(power.as_microwatts(), UW_PER_KW));
        let energy_cost = energy.transpose()?;
        let sum = match (self.tally.cost, energy_cost) {
            (Some(capital), Some(energy)) => Some(capital.checked_add(energy)),
            _ => None,
        };
        Ok(OverYears { energy_kwh, energy_cost, cost: sum.transpose()? })
    }

    /// This way over another one.
    pub fn over(&self, other: &Self) -> Ratios {
        let (one, other, ports) = (&self.tally, &other.tally, other.counts.ports);
        let powered = one.all_powered() && other.all_powered();
        let power = one.watts().zip(other.watts()).filter(|&(_, watts)| powered && watts > 0.0);
        let priced = one.all_priced() && other.all_priced();
        let cost = one.cost.zip(other.cost).filter(|(_, cost)| priced && cost.as_micros() > 0);
        Ratios {
            ports: self.counts.ports as f64 / ports as f64,
            power: power.map(|(one, other)| one / other),
            cost: cost.map(|(one, other)| one.as_micros() as f64 / other.as_micros() as f64),
        }
    }

    /// What this way takes for each of some sources; none without sources, and where a price or a power
    /// is missing.
    pub fn per_source(&self, sources: Option<u64>) -> PerSource {
        let each = sources.filter(|&sources| sources > 0);
        let cost = self.tally.cost.filter(|_| self.tally.all_priced()).zip(each);
        // Part of a sum that exists, so it exists too.
        let cost = cost.and_then(|(cost, each)| cost.scale(1, each).ok());
        let watts = self.tally.watts().filter(|_| self.tally.all_powered()).zip(each);
        PerSource { cost, watts: watts.map(|(watts, each)| watts / each as f64) }
    }
}

/// Capital and energy over years; each value is none where a part of it is not known at all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OverYears {
    /// The energy, in kilowatt-hours.
    pub energy_kwh: Option<f64>,
    /// What it costs.
    pub energy_cost: Option<Money>,
    /// With the capital, as far as its prices are known.
    pub cost: Option<Money>,
}

/// One way over another; none where a sum lacks a value, or the other takes nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ratios {
    /// Of ports.
    pub ports: f64,
    /// Of power.
    pub power: Option<f64>,
    /// Of cost.
    pub cost: Option<f64>,
}

/// What one way takes for each of some sources.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PerSource {
    /// Its cost.
    pub cost: Option<Money>,
    /// Its power, in watts.
    pub watts: Option<f64>,
}

/// Sources that can send to all ToRs at once when each ToR receives one stream a port: as many as it has
/// ports. All can where there are so few that the others of each fill its ports.
pub fn sources_at_once(tors: u64, receiving_ports: u64) -> u64 {
    if tors <= receiving_ports + 1 { tors } else { receiving_ports }
}
