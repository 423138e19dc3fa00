//! The switches of the ToRs, and their link fault signalling.

use lightloom_power_cost::parts::{FaultSignalling, SwitchModel};
use lightloom_request::{InputError, Settings, setting};
use serde::{Deserialize, Serialize};

use crate::catalogue::Catalogue;

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

    /// The model. `None`: the design names none.
    pub fn model(&self) -> Option<&SwitchModel> {
        self.model.as_ref()
    }
}
