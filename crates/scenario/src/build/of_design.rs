//! The accelerators beside the switches of a design, as parts of a run.

use lightloom_plan::project::Project;
use lightloom_power_cost::parts::Accelerator as Part;
use lightloom_request::InputError;
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_twin::params::{Accelerator, Forwarding, Params};

use crate::said::Place;

/// Why an accelerator needs other switches.
pub(super) const CUT_THROUGH: &str = "switches that cut through, and it stores each packet; say forwarding = \
                           \"store-and-forward\" in [parameters.switch]";

/// The accelerators of a design, one beside each ToR switch.
#[derive(Debug, Clone)]
pub(super) struct OfDesign {
    part: Part,
    tors: usize,
}

impl OfDesign {
    /// The accelerators of a project. `None`: it has none.
    pub(super) fn of(project: &Project) -> Option<Self> {
        let part = project.platform().accelerator()?.clone();
        Some(Self { part, tors: project.fabric().tors() })
    }

    /// Whether it stands beside this switch. The ToRs come first behind the hosts.
    pub(super) fn has(&self, node: NodeId, network: &Network) -> bool {
        (network.hosts()..network.hosts() + self.tors).contains(&node.index())
    }

    /// The same as a part of a run.
    ///
    /// # Errors
    /// [`InputError`] if its latency is unknown, or if switches cut through.
    pub(super) fn entered(&self, params: &Params) -> Result<Accelerator, InputError> {
        let part = &self.part;
        let refuse = |message: String| Place::ROOT.refuse("accelerator", message);
        let Some(latency) = part.latency else {
            return Err(refuse(format!(
                "is missing: {} stands beside the switches of the design, and its latency is unknown; give a row \
                 with it, or a latency in the catalogue",
                part.name
            )));
        };
        if params.switch.forwarding == Forwarding::CutThrough {
            let name = &part.name;
            return Err(refuse(format!("is {name} of the design, beside {CUT_THROUGH}")));
        }
        Ok(Accelerator {
            port_rate: part.port_rate,
            rate: part.total_rate(),
            latency,
            fan_out: part.fan_out.and_then(|most| u16::try_from(most).ok()),
            memory: part.memory,
        })
    }
}
