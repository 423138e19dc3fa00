//! What a byte costs that arrives: energy and money of what stands there, for as long as an operation takes.

use lightloom_units::{Money, Span};

use crate::contender::Carrier;

/// Seconds of a year of 365.25 days.
const YEAR_S: f64 = 31_557_600.0;
const BYTES_PER_TB: f64 = 1e12;
const PS_PER_S: f64 = 1e12;

/// Power and money of a way to multicast.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Upkeep {
    /// Power in watts. `None`: a part's power is unknown.
    pub power_w: Option<f64>,
    /// Cost of parts and energy, and the number of years that it covers. `None`: a price is unknown, or the design
    /// gives no number of years.
    pub over_years: Option<(Money, u32)>,
}

/// What links and splitters take.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Costs {
    /// The packet core.
    pub links: Upkeep,
    /// The splitters, with the packet core that answers and repairs go over.
    pub light: Upkeep,
    /// What these values rest on, as sentences without their full stop.
    pub notes: Vec<String>,
}

impl Costs {
    fn of(&self, over: Carrier) -> &Upkeep {
        match over {
            Carrier::Light => &self.light,
            Carrier::Links | Carrier::Cepheus | Carrier::Gleam => &self.links,
        }
    }

    /// Energy for each terabyte (10^12 bytes) that arrives, in joules.
    pub(crate) fn joules_per_tb(&self, over: Carrier, time: Span, arrives: u128) -> Option<f64> {
        let joules = self.of(over).power_w? * seconds(time);
        (arrives > 0).then(|| joules / (arrives as f64 / BYTES_PER_TB))
    }

    /// Cost of each terabyte that arrives: the share of the cost over the years that the time is of them.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a cast of a float keeps to the limits of the integer"
    )]
    pub(crate) fn cost_per_tb(&self, over: Carrier, time: Span, arrives: u128) -> Option<Money> {
        let (cost, years) = self.of(over).over_years?;
        let share = seconds(time) / (f64::from(years) * YEAR_S);
        let micros = cost.as_micros() as f64 * share / (arrives as f64 / BYTES_PER_TB);
        (arrives > 0 && micros.abs() < 9e18)
            .then(|| Money::from_micros(micros.round() as i64, cost.currency()))
    }
}

fn seconds(time: Span) -> f64 {
    time.as_ps() as f64 / PS_PER_S
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn energy_and_money_follow_from_time_and_bytes() {
        let usd = "USD".parse().unwrap();
        let links = Upkeep {
            power_w: Some(500.0),
            over_years: Some((Money::from_micros(31_557_600_000_000, usd), 1)),
        };
        let costs = Costs { links, ..Costs::default() };
        // 2 s of 500 W for 2 TB; a year costs a dollar a second.
        let (over, time, arrives) = (Carrier::Cepheus, Span::from_s(2), 2_000_000_000_000);
        assert_eq!(costs.joules_per_tb(over, time, arrives), Some(500.0));
        assert_eq!(
            costs.cost_per_tb(over, time, arrives),
            Some(Money::from_micros(1_000_000, usd))
        );
        assert_eq!(costs.joules_per_tb(Carrier::Light, time, arrives), None);
        assert_eq!(costs.joules_per_tb(over, time, 0), None);
        assert_eq!(costs.cost_per_tb(over, time, 0), None);
    }
}
