//! Limits of the loss of each branch, for its acceptance after installation.

use lightloom_design::optics::DesignOptics;
use lightloom_plant::{Fibre, FibreId, Plant};
use lightloom_power_cost::spec::{Limits, PadCheck, acceptance};
use lightloom_units::Length;

/// A branch and the limits of its loss.
#[derive(Debug, Clone, Copy)]
pub struct Accepted<'a> {
    /// The fibre from the transmitter to the splitter.
    pub feed: (FibreId, &'a Fibre),
    /// The fibre from the splitter to the receiver.
    pub branch: (FibreId, &'a Fibre),
    /// Smallest and largest loss that is accepted, and what they tell of the pad. `None` without optics.
    pub limits: Option<Limits>,
}

/// All branches of a wiring plan, in order.
pub fn branches<'a>(
    wires: &'a Plant,
    optics: Option<&DesignOptics>,
) -> impl Iterator<Item = Accepted<'a>> {
    let limits = move |feed: Length, branch: Length| {
        optics.map(|chosen| acceptance(&chosen.optics, feed, branch))
    };
    let mut feed = None;
    wires.numbered().filter_map(move |numbered| {
        // A plan lists each feed before its branches.
        if numbered.1.is_feed() {
            feed = Some(numbered);
            return None;
        }
        let feed = feed?;
        let limits = limits(feed.1.length, numbered.1.length);
        Some(Accepted { feed, branch: numbered, limits })
    })
}

/// The test that shows the pad of a branch, in words. Empty if the limits of the branch show it.
pub fn pad_test(check: PadCheck) -> String {
    match check {
        PadCheck { is_told: true, .. } => String::new(),
        PadCheck { fall: Some((least, most)), .. } => format!(
            "take the pad out and measure again: the loss falls by {:.2} to {:.2} dB",
            least.get(),
            most.get()
        ),
        PadCheck { fall: None, .. } => "look at the pad: no measurement shows it".to_owned(),
    }
}
