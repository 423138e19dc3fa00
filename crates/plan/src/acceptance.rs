//! Limits of the loss of each branch, for its acceptance after installation.

use lightloom_power_cost::Spread;
use lightloom_power_cost::spec::acceptance;
use lightloom_units::Length;

use crate::optics::DesignOptics;
use crate::wiring::{Cable, Far, WiringPlan};

/// A branch and the limits of its loss.
#[derive(Debug, Clone, Copy)]
pub struct Accepted<'a> {
    /// The fibre from the transmitter to the splitter.
    pub feed: &'a Cable,
    /// The fibre from the splitter to the receiver.
    pub branch: &'a Cable,
    /// Smallest and largest loss that is accepted. `None` without optics.
    pub limits: Option<Spread>,
}

/// All branches of a wiring plan, in order.
pub fn branches<'a>(
    wires: &'a WiringPlan<'_>,
    optics: Option<&DesignOptics>,
) -> impl Iterator<Item = Accepted<'a>> {
    let limits = move |feed: Length, branch: Length| {
        optics.map(|chosen| acceptance(&chosen.optics, feed, branch))
    };
    let mut feed = None;
    wires.cables().iter().filter_map(move |cable| {
        // A plan lists each feed before its branches.
        if cable.far == Far::SplitterInput {
            feed = Some(cable);
            return None;
        }
        let feed = feed?;
        Some(Accepted { feed, branch: cable, limits: limits(feed.length, cable.length) })
    })
}
