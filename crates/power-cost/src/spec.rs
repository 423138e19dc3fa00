//! What to demand of parts, and the limits of a measured branch.

use lightloom_units::{Db, Dbm, Length};

use crate::budget::{Fan, total};
use crate::optics::Optics;
use crate::parts::{LaunchKind, LightLevels, Pair, SensitivityKind};
use crate::spread::Spread;

/// What to demand of a transceiver in one kind of power, so that every branch keeps the policy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Demand {
    /// Kind of the launch power.
    pub launch: LaunchKind,
    /// Kind of the sensitivity.
    pub receive: SensitivityKind,
    /// Smallest launch power that the known sensitivity needs: sensitivity, largest loss, reserves and
    /// margin of the policy.
    pub required_launch: Dbm,
    /// Worst sensitivity that the known launch power allows.
    pub worst_sensitivity: Dbm,
    /// Whether the part meets both.
    pub is_met: bool,
}

/// What to demand of the parts of a design.
#[derive(Debug, Clone, PartialEq)]
pub struct Spec {
    /// Largest loss of all branches.
    pub most_loss: Db,
    /// Smallest loss of all branches.
    pub least_loss: Db,
    /// What to demand of the transceiver, by kind of power. Empty if no kinds can be compared.
    pub demands: Vec<Demand>,
    /// Largest average launch power that the overload allows: overload, smallest loss, less the headroom of
    /// the policy. `None`: the overload is unknown.
    pub greatest_launch: Option<Dbm>,
    /// Whether the largest launch power of the part is within it. `None`: one of them is unknown.
    pub keeps_greatest: Option<bool>,
}

impl Spec {
    /// The demands for all branches of the fans. `None`: there are no branches.
    pub fn new(optics: &Optics, fans: &[Fan]) -> Option<Self> {
        let losses = fans.iter().flat_map(|fan| {
            let feed = total(&optics.feed(fan.feed));
            fan.branches.iter().map(move |&branch| feed + total(&optics.branch(branch)))
        });
        let (most, least): (Vec<Db>, Vec<Db>) = losses.map(|loss| (loss.most, loss.least)).unzip();
        let (most_loss, least_loss) = (most.into_iter().max()?, least.into_iter().min()?);
        let transceiver = &optics.transceiver;
        let pairs = match transceiver.levels() {
            Ok(LightLevels::Pairs { pairs, .. }) => pairs,
            _ => Vec::new(),
        };
        let demand = |pair: &Pair| {
            let between = most_loss + optics.reserve_of(pair) + optics.least_margin;
            let required_launch = pair.sensitivity + between;
            Demand {
                launch: pair.launch,
                receive: pair.receive,
                required_launch,
                worst_sensitivity: pair.launch_min - between,
                is_met: pair.launch_min >= required_launch,
            }
        };
        let greatest_launch =
            transceiver.ceiling().map(|ceiling| ceiling + least_loss - optics.least_headroom);
        let launch_max = transceiver.launch_max;
        let keeps = greatest_launch.zip(launch_max).map(|(greatest, found)| found <= greatest);
        let demands = pairs.iter().map(demand).collect();
        Some(Self { most_loss, least_loss, demands, greatest_launch, keeps_greatest: keeps })
    }
}

/// Uncertainty of a measured loss: source and meter, and a connector that is mated again. Assumed.
pub const METER_UNCERTAINTY_DB: f64 = 0.2;

/// Limits of the loss of a branch as source and meter find it, from the end of the feed at the sender to the
/// end of the branch at the receiver. The reference is one cord, so the pair that joins it to the feed is
/// part of what is measured. Less loss than the smallest is a missing splitter or pad.
pub fn acceptance(optics: &Optics, feed: Length, branch: Length) -> Limits {
    let joint = optics.connector.as_ref().map(|joint| joint.loss()).unwrap_or_default();
    let loss = total(&optics.feed(feed)) + total(&optics.branch(branch)) + joint;
    let pad = optics.pad.as_ref().map(|fitted| PadCheck::new(loss, fitted.pad.loss()));
    Limits { loss, pad }
}

/// Limits of a measured branch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Smallest, expected and largest loss.
    pub loss: Spread,
    /// What the limits tell of the pad. `None`: the design has none.
    pub pad: Option<PadCheck>,
}

/// What measurements tell of the pad of a branch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PadCheck {
    /// Whether every branch without its pad measures less than the smallest loss that is accepted. Otherwise a
    /// branch can pass without it, because the losses of the other parts spread too far.
    pub is_told: bool,
    /// By how much the measured loss falls when the pad is taken out, at least and at most. `None`: by so little
    /// that a measurement does not show it.
    pub fall: Option<(Db, Db)>,
}

impl PadCheck {
    /// `loss` is that of the branch with its pad.
    fn new(loss: Spread, pad: Spread) -> Self {
        let uncertain = Db::new(METER_UNCERTAINTY_DB).unwrap_or(Db::ZERO);
        let most_without = loss.most - pad.most + uncertain;
        let fall = (pad.least - uncertain, pad.most + uncertain);
        // Without a pad nothing falls, by more than the uncertainty.
        Self { is_told: most_without < loss.least, fall: (fall.0 > uncertain).then_some(fall) }
    }
}
