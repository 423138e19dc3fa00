//! Unused switch ports of racks (shufflecast:B).
//!
//! A rack holds servers of one unit below its switch. Server ports use switch ports of their own rate first,
//! then faster ones. A port of four times the rate is broken out into four; any other port serves one server
//! port. The uplinks use the fastest remaining ports until the oversubscription is met. All other ports are
//! unused.

use lightloom_units::BitRate;

use crate::parts::{PortGroup, SwitchModel};

/// Dimensions of a rack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rack {
    /// Height in rack units.
    pub units: u32,
    /// Ratio of server bandwidth to uplink bandwidth.
    pub oversubscription: Ratio,
    /// The ports of each server.
    pub server: PortGroup,
}

/// A ratio of positive whole numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ratio {
    over: u32,
    under: u32,
}

impl Ratio {
    /// `over` to `under`, in lowest terms. `None` if one is zero.
    pub fn new(over: u32, under: u32) -> Option<Self> {
        let (mut a, mut b) = (over, under);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        (over > 0 && under > 0).then(|| Self { over: over / a, under: under / a })
    }
}

impl std::fmt::Display for Ratio {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.over, self.under)
    }
}

/// Unused ports of a switch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unused {
    /// Index of the model.
    pub model: usize,
    /// Unused ports, fastest first.
    pub ports: Vec<PortGroup>,
}

impl Unused {
    /// Number of unused ports.
    pub fn count(&self) -> u32 {
        self.ports.iter().map(|group| group.count).sum()
    }

    /// Number of unused ports of at least this rate.
    pub fn count_at(&self, rate: BitRate) -> u32 {
        self.ports.iter().filter(|group| group.rate >= rate).map(|group| group.count).sum()
    }

    /// Total bandwidth of the unused ports.
    pub fn bandwidth(&self) -> BitRate {
        let bps = |group: &PortGroup| group.rate.as_bps().saturating_mul(group.count.into());
        BitRate::from_bps(self.ports.iter().map(bps).fold(0, u64::saturating_add))
    }
}

/// The switch with the least unused bandwidth. Ties go to the fewest ports, then to the first model. `None`:
/// no model has enough ports.
pub fn best_switch(models: &[SwitchModel], rack: &Rack) -> Option<Unused> {
    let left = models.iter().enumerate().filter_map(|(i, model)| {
        let ports = ports_left(model, rack)?;
        Some(Unused { model: i, ports })
    });
    left.min_by_key(|unused| (unused.bandwidth(), unused.count(), unused.model))
}

fn ports_left(model: &SwitchModel, rack: &Rack) -> Option<Vec<PortGroup>> {
    let servers = rack.units.checked_sub(model.height).filter(|&servers| servers > 0)?;
    let mut needed = u64::from(servers) * u64::from(rack.server.count);
    let rate = rack.server.rate.as_bps();
    let demand = u128::from(needed) * u128::from(rate);
    let mut groups = model.ports.clone();
    groups.sort_by_key(|group| group.rate);
    for group in groups.iter_mut().filter(|group| group.rate >= rack.server.rate) {
        let each = if rate.checked_mul(4) == Some(group.rate.as_bps()) { 4 } else { 1 };
        let used = needed.div_ceil(each).min(group.count.into());
        needed = needed.saturating_sub(used * each);
        group.count -= u32::try_from(used).unwrap_or(group.count);
    }
    let ratio = rack.oversubscription;
    // Uplink bandwidth × over must be at least server bandwidth × under.
    let mut short = if needed == 0 { demand * u128::from(ratio.under) } else { return None };
    groups.reverse();
    for group in &mut groups {
        let each = u128::from(group.rate.as_bps()) * u128::from(ratio.over);
        let used = short.div_ceil(each).min(group.count.into());
        short = short.saturating_sub(used * each);
        group.count -= u32::try_from(used).unwrap_or(group.count);
    }
    groups.retain(|group| group.count > 0);
    (short == 0).then_some(groups)
}
