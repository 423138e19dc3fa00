//! The switches of the ToRs, and their link fault signalling.

use lightloom_power_cost::parts::{FaultSignalling, SwitchModel};
use lightloom_request::{InputError, Settings, setting};
use lightloom_topology::TransmitPort;
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
    /// The port that sends light.
    #[serde(skip_serializing_if = "is_shared", default = "shared")]
    transmit_port: TransmitPort,
    /// Most logical ToRs of a switch (shufflecast:V.logical).
    #[serde(skip_serializing_if = "is_one", default = "one")]
    logical: u32,
}

impl Default for Platform {
    fn default() -> Self {
        let (fault_signalling, transmit_port) = (FaultSignalling::Off, shared());
        Self { model: None, fault_signalling, transmit_port, logical: one() }
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
        let transmit_port = settings.get(&setting::tor::TRANSMIT_PORT)?.unwrap_or_else(shared);
        let logical = settings.value(&setting::tor::LOGICAL)?;
        let platform = Self { model, fault_signalling, transmit_port, logical };
        if let Some(message) = platform.contradiction() {
            return Err(settings.refuse(&setting::tor::FAULT_SIGNALLING, message));
        }
        match platform.silent() {
            Some(message) => Err(settings.refuse(&setting::tor::TRANSMIT_PORT, message)),
            None => Ok(platform),
        }
    }

    /// Checks a platform that was read back from a plan.
    ///
    /// # Errors
    /// [`InputError`] if the model cannot be set as demanded.
    pub fn check(&self) -> Result<(), InputError> {
        let most = MOST_LOGICAL;
        let logical = (!(1..=most).contains(&self.logical)).then(|| {
            format!("found {} logical ToRs of a switch; expected 1 to {most}", self.logical)
        });
        let wrong = self.contradiction().or_else(|| self.silent()).or(logical);
        wrong.map_or(Ok(()), |message| Err(InputError::new(message)))
    }

    /// Why no port would send.
    fn silent(&self) -> Option<String> {
        let silent = self.transmit_port == TransmitPort::Own && self.cascades();
        silent.then(|| {
            "found own, but link fault signalling is on: a port that receives nothing would send no data; say shared, \
             or take a model that can switch link fault signalling off"
                .into()
        })
    }

    /// The port that sends light.
    pub fn transmit_port(&self) -> TransmitPort {
        self.transmit_port
    }

    /// Most logical ToRs of a switch. 1: each ToR is a switch of its own.
    pub fn logical(&self) -> u32 {
        self.logical
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

/// Most logical ToRs that a switch can be.
pub const MOST_LOGICAL: u32 = 32;

fn one() -> u32 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_one(logical: &u32) -> bool {
    *logical == 1
}

fn shared() -> TransmitPort {
    TransmitPort::Shared
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_shared(port: &TransmitPort) -> bool {
    *port == TransmitPort::Shared
}
