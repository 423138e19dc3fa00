//! A planned fabric of splitters beside the packet switches of the same racks.
//!
//! Every ToR is one switch with ports into both worlds. Splitter *i* of the twin is the splitter of ToR *i*; its
//! branches are in the order of the fabric's receivers.

mod course;
mod death;
pub mod drain;
mod incidents;
mod light;
pub mod rollout;
mod trees;
mod updates;

pub use course::{detected, roll_out};
pub use death::{Death, deaths, shut};
pub use incidents::{Incident, Spell, happenings, spells};
pub use light::{Budget, Light, LitBranch, set_losses};
pub use trees::{GroupCast, TreeSize, light_rules, light_tree, link_rules, size_of, unlit_rules};
pub use updates::{Beside, LitSender, updates};

use lightloom_topology::electrical::NodeId;
use lightloom_topology::{Fabric, TorId};
use lightloom_twin::{Branch, Splitter};
use lightloom_units::{BitRate, Span};

/// The glass of a scenario.
#[derive(Debug, Clone)]
pub struct Glass {
    /// The switch of each ToR.
    pub tors: Vec<NodeId>,
    /// The values of optical parts that decide what branches lose.
    pub light: Light,
    /// The optical budget of the design. `None`: the light is off.
    pub budget: Option<Budget>,
}

impl Glass {
    /// The light of every branch in a run with this seed, for frames of this many bytes. Empty if the light is
    /// off.
    pub fn branches(&self, seed: u64, frame_bytes: u32) -> Vec<LitBranch> {
        let budget = self.budget.as_ref();
        budget.map_or_else(Vec::new, |budget| budget.branches(self.light, seed, frame_bytes))
    }
}

/// The splitters of a fabric. `delay` is the propagation delay from a ToR's transmitter to a receiver.
///
/// # Panics
/// Panics if `tors` has fewer switches than the fabric has ToRs.
pub fn splitters(
    fabric: &Fabric,
    tors: &[NodeId],
    rate: BitRate,
    mut delay: impl FnMut(TorId, TorId) -> Span,
) -> Vec<Splitter> {
    let one = |from: TorId| {
        let receivers = fabric.receivers(fabric.transmits_into(from)).iter();
        let branch =
            |&to: &TorId| Branch { to: tors[to.index()], delay: delay(from, to), loss: None };
        let branches = receivers.map(branch).collect();
        Splitter { from: tors[from.index()], rate, loss: None, branches }
    };
    fabric.tor_ids().map(one).collect()
}
