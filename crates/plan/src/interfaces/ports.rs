//! The interface of each fabric port.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_plant::PortNames;
use lightloom_topology::hall::{Name, Placement};
use lightloom_topology::{Fabric, TorId};
use serde::{Deserialize, Serialize};

use lightloom_design::devices::name::InterfaceName;
use lightloom_design::devices::port_rule::PortRule;
use lightloom_design::devices::tor_ports::TorPorts;

/// The interface of each fabric port of each ToR.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortPlan {
    tors: Vec<TorPorts>,
    rule: PortRule,
}

impl PortPlan {
    /// Checks an assignment, ToR 0 first: every port has an interface, no interface of a switch is two ports, and no
    /// device is two switches. The logical ToRs of a switch are in one rack. `accelerator` ports of each switch lead to
    /// the accelerator beside it.
    ///
    /// # Errors
    /// What is wrong, and of which ToR.
    pub fn new(
        fabric: &Fabric,
        placement: &Placement,
        accelerator: u32,
        tors: Vec<TorPorts>,
    ) -> Result<Self, String> {
        if tors.len() != fabric.tors() {
            return Err(format!("found {} ToRs; the fabric has {}", tors.len(), fabric.tors()));
        }
        let mut devices = BTreeMap::new();
        let mut names = BTreeSet::new();
        for (tor, ports) in fabric.tor_ids().zip(&tors) {
            let (found, expected) = (ports.interfaces.len(), fabric.end_of_ports(tor) as usize);
            if found != expected {
                return Err(format!("ToR {tor} has {found} interfaces; it needs {expected}"));
            }
            let found = ports.accelerator.len();
            if found != accelerator as usize {
                return Err(format!(
                    "ToR {tor} has {found} interfaces to its accelerator; it needs {accelerator}"
                ));
            }
            let rack = placement.rack(tor);
            let mut all = ports.interfaces.iter().chain(&ports.accelerator);
            if let Some(twice) = all.find(|&name| !names.insert((rack, name))) {
                return Err(format!("interface \"{twice}\" of ToR {tor} is two ports"));
            }
            let Some(device) = &ports.device else { continue };
            if devices.insert(device, rack).is_some_and(|other| other != rack) {
                return Err(format!("device \"{device}\" is ToR {tor} and another one"));
            }
        }
        Ok(Self { tors, rule: PortRule::default() })
    }

    /// The same ports with the rule that named them.
    #[must_use]
    pub fn ruled(self, rule: PortRule) -> Self {
        Self { rule, ..self }
    }

    /// Which interfaces further ports take.
    pub fn rule(&self) -> &PortRule {
        &self.rule
    }

    /// The ToRs, ToR 0 first.
    pub fn tors(&self) -> &[TorPorts] {
        &self.tors
    }
}

impl PortNames for PortPlan {
    fn interface(&self, tor: TorId, port: u32) -> Option<&str> {
        let interface = self.tors.get(tor.index())?.interfaces.get(port as usize)?;
        Some(interface.as_str())
    }

    fn to_accelerator(&self, tor: TorId, port: u32) -> Option<&str> {
        let interface = self.tors.get(tor.index())?.accelerator.get(port as usize)?;
        Some(interface.as_str())
    }

    fn device(&self, tor: TorId) -> Option<&str> {
        self.tors.get(tor.index())?.device.as_ref().map(Name::as_str)
    }
}

/// The fabric ports of one ToR in `plan.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TorPortsPart {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    device: Option<String>,
    interfaces: Vec<InterfaceName>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    accelerator: Vec<InterfaceName>,
}

impl TorPortsPart {
    /// The assignment for `plan.json`.
    pub fn list(plan: &PortPlan) -> Vec<Self> {
        plan.tors.iter().map(Self::of).collect()
    }

    /// The ports of one ToR for `plan.json`.
    pub fn of(ports: &TorPorts) -> Self {
        Self {
            device: ports.device.as_ref().map(ToString::to_string),
            interfaces: ports.interfaces.clone(),
            accelerator: ports.accelerator.clone(),
        }
    }

    /// Restores the ports of one ToR. [`PortPlan::new`] checks all of them together.
    ///
    /// # Errors
    /// The message about the device's name.
    pub fn restore(&self) -> Result<TorPorts, String> {
        let name = |text: &String| Name::new(text).map_err(|error| error.to_string());
        let device = self.device.as_ref().map(name).transpose()?;
        let (interfaces, accelerator) = (self.interfaces.clone(), self.accelerator.clone());
        Ok(TorPorts { device, interfaces, accelerator })
    }
}
