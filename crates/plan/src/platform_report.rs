//! How the switches of a plan must be set.

use lightloom_design::platform::Platform;
use lightloom_power_cost::parts::FaultSignalling;
use lightloom_routing::fault_signalling::most_silenced;
use lightloom_topology::Fabric;
use lightloom_topology::hall::Placement;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::accelerators::PlannedAccelerators;
use crate::logical::LogicalReport;
use crate::trays::{Warning, WarningKind};

/// How the switches of a plan must be set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlatformReport {
    /// The switch model. `None`: the design names none.
    pub model: Option<String>,
    /// `off`: the model can switch link fault signalling off. `on`: it cannot. `None`: unknown.
    pub can: Option<FaultSignalling>,
    /// Link fault signalling that `impact`, `recover`, `repairs` and `risk` count with.
    pub fault_signalling: FaultSignalling,
    /// What to switch off on every fabric port.
    pub switch_off: Vec<String>,
    /// The command that switches link fault signalling off on a port of this model.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub command: Option<String>,
    /// Source of what the model can do.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub source: Option<String>,
    /// Largest number of other ToRs that a single dead transmitter silences where link fault signalling is on.
    pub most_silenced: usize,
    /// What to do about link fault signalling, as a sentence.
    pub message: String,
    /// Switches that are several logical ToRs. `None`: each ToR is a switch of its own.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub logical: Option<LogicalReport>,
    /// Accelerators beside the switches. `None`: there are none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub accelerators: Option<PlannedAccelerators>,
}

impl PlatformReport {
    /// How the switches must be set for a fabric.
    pub fn new(platform: &Platform, fabric: &Fabric, placement: &Placement) -> Self {
        let model = platform.model();
        let command = model.and_then(|model| model.fault_signalling_command.clone());
        let source = model.filter(|model| model.fault_signalling.is_some());
        Self {
            model: model.map(|model| model.name.clone()),
            can: platform.ability(),
            fault_signalling: platform.fault_signalling(),
            switch_off: switch_off(platform.fault_signalling()),
            source: source.map(|model| model.provenance.source.clone()),
            most_silenced: most_silenced(fabric),
            message: message(platform, command.as_deref()),
            command,
            logical: LogicalReport::new(fabric, placement),
            accelerators: PlannedAccelerators::new(platform, placement),
        }
    }

    /// The warnings of a plan whose switches signal faults, or where mirrors fall together.
    pub fn warnings(&self) -> impl Iterator<Item = Warning> {
        let mirrors = self.logical.as_ref().and_then(LogicalReport::warning);
        self.fault_signalling_warning().into_iter().chain(mirrors)
    }

    fn fault_signalling_warning(&self) -> Option<Warning> {
        (self.fault_signalling == FaultSignalling::On).then(|| Warning {
            kind: WarningKind::FaultSignallingOn {
                model: self.model.clone(),
                most_silenced: self.most_silenced,
            },
            message: format!(
                "{}, one dead transmitter up to {} of them",
                self.message, self.most_silenced
            ),
        })
    }
}

/// The sentence about link fault signalling.
fn message(platform: &Platform, command: Option<&str>) -> String {
    let name = platform.model().map_or("the ToR switches", |model| model.name.as_str());
    match (platform.fault_signalling(), platform.ability()) {
        (FaultSignalling::Off, Some(_)) => {
            let by = command.map_or(String::new(), |command| format!(" ({command})"));
            format!("switch link fault signalling off on every fabric port of {name}{by}")
        }
        (FaultSignalling::Off, None) => format!(
            "check that {name} can switch link fault signalling off, and switch it off on every fabric \
                 port; nothing says whether that is possible"
        ),
        (FaultSignalling::On, Some(FaultSignalling::On)) => format!(
            "{name} cannot switch link fault signalling off; a dead transmitter or fibre silences other \
                 ToRs"
        ),
        (FaultSignalling::On, _) => format!(
            "the design leaves link fault signalling of {name} on; a dead transmitter or fibre silences \
                 other ToRs"
        ),
    }
}

/// What must be off on every fabric port, whatever the platform: protocols that expect an answer on the same
/// fibre pair, and link fault signalling unless it stays on.
fn switch_off(signalling: FaultSignalling) -> Vec<String> {
    let always = ["UDLD", "LACP", "auto-negotiation", "link training"].map(str::to_owned);
    let signalling = (signalling == FaultSignalling::Off).then(|| "link fault signalling".into());
    signalling.into_iter().chain(always).collect()
}
