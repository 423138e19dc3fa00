//! Switches that are several logical ToRs (shufflecast:V.logical): what that means for a plan.

use lightloom_request::InputError;
use lightloom_topology::hall::Placement;
use lightloom_topology::{CassetteId, Fabric, RackId, TorId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::project::Project;
use crate::trays::{Warning, WarningKind};

/// Switches that are several logical ToRs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LogicalReport {
    /// Most logical ToRs of a switch.
    pub per_switch: u32,
    /// Number of switches.
    pub switches: usize,
    /// Cassettes of whose mirrored relays a switch is two or more.
    pub mirrors_together: Vec<CassetteId>,
    /// Of them, those all of whose relays are one switch: without it no rules reach the receivers.
    pub mirrors_on_one: Vec<CassetteId>,
}

impl LogicalReport {
    /// The switches of a fabric. `None`: each ToR is a switch of its own.
    pub fn new(fabric: &Fabric, placement: &Placement) -> Option<Self> {
        if placement.per_switch() == 1 {
            return None;
        }
        let racks = |&cassette: &CassetteId| {
            let mut racks: Vec<RackId> =
                fabric.transmitters(cassette).iter().map(|&relay| placement.rack(relay)).collect();
            racks.sort_unstable();
            racks.dedup();
            racks.len()
        };
        let relays = |cassette: &CassetteId| fabric.transmitters(*cassette).len();
        let together = fabric.cassette_ids().filter(|of| racks(of) < relays(of));
        let together: Vec<CassetteId> = together.collect();
        Some(Self {
            per_switch: placement.per_switch(),
            switches: placement.switches().len(),
            mirrors_on_one: together.iter().copied().filter(|of| racks(of) == 1).collect(),
            mirrors_together: together,
        })
    }

    /// The warning where mirrors fall together.
    pub fn warning(&self) -> Option<Warning> {
        let (cassettes, on_one) = (self.mirrors_together.len(), self.mirrors_on_one.len());
        let of_all = match on_one {
            0 => String::new(),
            on_one => format!(", and all relays of {on_one} of them fall with one switch"),
        };
        (cassettes > 0).then(|| Warning {
            kind: WarningKind::MirrorsTogether { cassettes, on_one },
            message: format!(
                "of {cassettes} cassettes, two or more mirrored relays are one switch and fall together{of_all}; take \
                 at least as many switches as a splitter has outputs, or give mirrors other racks"
            ),
        })
    }
}

impl Project {
    /// The ToRs of each switch, by rack.
    pub fn switches(&self) -> Vec<(RackId, Vec<TorId>)> {
        let placement = &self.placement;
        let tors = |rack| (rack, placement.tors_in(rack).collect());
        placement.switches().into_iter().map(tors).collect()
    }

    /// Whether a switch is several logical ToRs.
    pub fn is_logical(&self) -> bool {
        self.placement.per_switch() > 1
    }

    /// Refuses what is only there where each ToR is a switch of its own.
    ///
    /// # Errors
    /// [`InputError`] if a switch is several logical ToRs.
    pub fn refuse_logical(&self, what: &str) -> Result<(), InputError> {
        if !self.is_logical() {
            return Ok(());
        }
        let message = format!(
            "found {}: a switch is several logical ToRs, and {what} only where each ToR is a switch of its own; say \
             logical = 1",
            self.placement.per_switch()
        );
        Err(InputError::new(message).in_field("tor.logical"))
    }
}
