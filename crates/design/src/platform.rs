//! The switches of the ToRs, and their link fault signalling.

use std::collections::BTreeMap;

use lightloom_power_cost::parts::{Accelerator, FaultSignalling, SwitchModel, SwitchPort};
use lightloom_request::{InputError, Setting, Settings, setting};
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
    /// The accelerator beside each switch (cepheus:IV.accelerator). `None`: there is none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    accelerator: Option<Accelerator>,
    /// The port of a switch that leads to it. `None`: the catalogue has none at this rate, or there is no accelerator.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    accelerator_port: Option<SwitchPort>,
}

impl Default for Platform {
    fn default() -> Self {
        let (model, accelerator, accelerator_port) = Default::default();
        Self {
            model,
            fault_signalling: FaultSignalling::Off,
            transmit_port: shared(),
            logical: one(),
            accelerator,
            accelerator_port,
        }
    }
}

impl Platform {
    /// The platform that settings name. Link fault signalling is as they demand, else what the model can be
    /// set to, else off.
    ///
    /// # Errors
    /// [`InputError`] for a model that the catalogue lacks, or if the model cannot be set as demanded.
    pub fn read(settings: &Settings, catalogue: &Catalogue) -> Result<Self, InputError> {
        let parts = &catalogue.parts;
        let model = named(settings, &setting::tor::MODEL, &parts.switches)?;
        let accelerator = named(settings, &setting::tor::ACCELERATOR, &parts.accelerators)?;
        let demanded = settings.get(&setting::tor::FAULT_SIGNALLING)?;
        let able = model.as_ref().and_then(|model| model.fault_signalling);
        let fault_signalling = demanded.or(able).unwrap_or(FaultSignalling::Off);
        let transmit_port = settings.get(&setting::tor::TRANSMIT_PORT)?.unwrap_or_else(shared);
        let logical = settings.value(&setting::tor::LOGICAL)?;
        let lanes: u32 = settings.value(&setting::tor::BREAKOUT)?;
        let at = accelerator.as_ref().and_then(|part| parts.switch_port(part.port_rate));
        let accelerator_port = at.cloned();
        let platform =
            Self { model, fault_signalling, transmit_port, logical, accelerator, accelerator_port };
        if let Some(message) = platform.contradiction() {
            return Err(settings.refuse(&setting::tor::FAULT_SIGNALLING, message));
        }
        match platform.silent() {
            Some(message) => Err(settings.refuse(&setting::tor::TRANSMIT_PORT, message)),
            None => match platform.crowded().or_else(|| platform.split(lanes)) {
                Some(message) => Err(settings.refuse(&setting::tor::ACCELERATOR, message)),
                None => Ok(platform),
            },
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
        let wrong =
            self.contradiction().or_else(|| self.silent()).or(logical).or_else(|| self.crowded());
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

    /// Why an accelerator cannot stand beside a switch. Its table has one entry for a group and switch, and logical
    /// ToRs of a switch would need one each.
    fn crowded(&self) -> Option<String> {
        (self.accelerator.is_some() && self.logical > 1).then(|| {
            format!(
                "cannot be given where a switch is {} logical ToRs: an accelerator serves one ToR; leave it out, or \
                 say logical = 1",
                self.logical
            )
        })
    }

    /// Why an accelerator cannot stand beside a switch whose ports are split into lanes.
    fn split(&self, lanes: u32) -> Option<String> {
        (self.accelerator.is_some() && lanes > 1).then(|| {
            format!(
                "cannot be given where each port is {lanes} interfaces (tor.breakout): it takes whole ports; leave one \
                 of the two out"
            )
        })
    }

    /// The accelerator beside each switch. `None`: there is none.
    pub fn accelerator(&self) -> Option<&Accelerator> {
        self.accelerator.as_ref()
    }

    /// The port of a switch that leads to its accelerator, in the catalogue. `None`: nothing is known of it.
    pub fn accelerator_port(&self) -> Option<&SwitchPort> {
        self.accelerator_port.as_ref()
    }

    /// Ports of each switch that lead to its accelerator.
    pub fn accelerator_ports(&self) -> u32 {
        self.accelerator.as_ref().map_or(0, |accelerator| accelerator.ports)
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

/// The row that a setting names. `None`: it names none.
fn named<T: Clone>(
    settings: &Settings,
    key: &Setting<String>,
    rows: &BTreeMap<String, T>,
) -> Result<Option<T>, InputError> {
    let row = |name: String| {
        rows.get(&name).cloned().ok_or_else(|| {
            let known = rows.keys().cloned().collect::<Vec<_>>().join(", ");
            settings.refuse(key, format!("found {name:?}; the catalogue has: {known}"))
        })
    };
    settings.get(key)?.map(row).transpose()
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
