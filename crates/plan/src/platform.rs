//! The switches of the ToRs: their link fault signalling, and how their fabric ports must be set.

use lightloom_power_cost::parts::{FaultSignalling, SwitchModel};
use lightloom_request::{InputError, Settings, setting};
use lightloom_routing::fault_signalling::most_silenced;
use lightloom_topology::Fabric;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalogue::Catalogue;
use crate::trays::{Warning, WarningKind};

/// The switches of the ToRs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Platform {
    /// The model. `None`: the design names none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    model: Option<SwitchModel>,
    /// Link fault signalling of the fabric ports.
    fault_signalling: FaultSignalling,
}

impl Default for Platform {
    fn default() -> Self {
        Self { model: None, fault_signalling: FaultSignalling::Off }
    }
}

impl Platform {
    /// The platform that settings name. Link fault signalling is as they demand, else what the model can be
    /// set to, else off.
    ///
    /// # Errors
    /// [`InputError`] for a model that the catalogue lacks, or if the model cannot be set as demanded.
    pub fn read(settings: &Settings, catalogue: &Catalogue) -> Result<Self, InputError> {
        let rows = &catalogue.parts.switches;
        let row = |name: String| {
            rows.get(&name).cloned().ok_or_else(|| {
                let known = rows.keys().cloned().collect::<Vec<_>>().join(", ");
                let message = format!("found {name:?}; the catalogue has: {known}");
                settings.refuse(&setting::tor::MODEL, message)
            })
        };
        let model = settings.get(&setting::tor::MODEL)?.map(row).transpose()?;
        let demanded = settings.get(&setting::tor::FAULT_SIGNALLING)?;
        let able = model.as_ref().and_then(|model| model.fault_signalling);
        let fault_signalling = demanded.or(able).unwrap_or(FaultSignalling::Off);
        let platform = Self { model, fault_signalling };
        match platform.contradiction() {
            Some(message) => Err(settings.refuse(&setting::tor::FAULT_SIGNALLING, message)),
            None => Ok(platform),
        }
    }

    /// Checks a platform that was read back from a plan.
    ///
    /// # Errors
    /// [`InputError`] if the model cannot be set as demanded.
    pub fn check(&self) -> Result<(), InputError> {
        self.contradiction().map_or(Ok(()), |message| Err(InputError::new(message)))
    }

    fn contradiction(&self) -> Option<String> {
        let model = self.model.as_ref()?;
        let cannot = model.fault_signalling == Some(FaultSignalling::On);
        (cannot && self.fault_signalling == FaultSignalling::Off).then(|| {
            format!(
                "found off, but {} cannot switch link fault signalling off ({}); say on, or correct the row \
                 in a catalogue file of your own",
                model.name, model.provenance.source
            )
        })
    }

    /// Whether this is the platform of a design that says nothing about its switches.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Link fault signalling that the answers count with.
    pub fn fault_signalling(&self) -> FaultSignalling {
        self.fault_signalling
    }

    /// Whether silenced ToRs count as failed transmitters.
    pub fn cascades(&self) -> bool {
        self.fault_signalling == FaultSignalling::On
    }

    /// What the model can be set to. `None`: unknown.
    pub fn ability(&self) -> Option<FaultSignalling> {
        self.model.as_ref().and_then(|model| model.fault_signalling)
    }

    /// How the switches must be set for a fabric.
    pub fn report(&self, fabric: &Fabric) -> PlatformReport {
        let name = self.model.as_ref().map(|model| model.name.clone());
        let command =
            self.model.as_ref().and_then(|model| model.fault_signalling_command.clone());
        let source = self.model.as_ref().filter(|model| model.fault_signalling.is_some());
        PlatformReport {
            can: self.ability(),
            fault_signalling: self.fault_signalling(),
            most_silenced: most_silenced(fabric),
            switch_off: switch_off(self.fault_signalling()),
            source: source.map(|model| model.provenance.source.clone()),
            message: self.message(command.as_deref()),
            model: name,
            command,
        }
    }

    /// The sentence about link fault signalling.
    fn message(&self, command: Option<&str>) -> String {
        let name = self.model.as_ref().map_or("the ToR switches", |model| model.name.as_str());
        match (self.fault_signalling(), self.ability()) {
            (FaultSignalling::Off, Some(_)) => {
                let by = command.map_or(String::new(), |command| format!(" ({command})"));
                format!("switch link fault signalling off on every fabric port of {name}{by}")
            }
            (FaultSignalling::Off, None) => format!(
                "check that {name} can switch link fault signalling off, and switch it off on every fabric \
                 port; it is not known whether they can"
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
}

/// What must be off on every fabric port, whatever the platform: protocols that expect an answer on the same
/// fibre pair, and link fault signalling unless it stays on.
fn switch_off(signalling: FaultSignalling) -> Vec<String> {
    let always = ["UDLD", "LACP", "auto-negotiation", "link training"].map(str::to_owned);
    let signalling = (signalling == FaultSignalling::Off).then(|| "link fault signalling".into());
    signalling.into_iter().chain(always).collect()
}

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
}

impl PlatformReport {
    /// The warning of a plan whose switches signal faults.
    pub fn warning(&self) -> Option<Warning> {
        (self.fault_signalling == FaultSignalling::On).then(|| Warning {
            kind: WarningKind::FaultSignallingOn {
                model: self.model.clone(),
                most_silenced: self.most_silenced,
            },
            message: format!(
                "{}: one dead transmitter up to {} of them",
                self.message, self.most_silenced
            ),
        })
    }
}
