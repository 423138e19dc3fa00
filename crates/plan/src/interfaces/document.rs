//! Devices and interfaces in `plan.json`, restored and checked.

use std::sync::Arc;

use lightloom_request::InputError;

use crate::document::PlanDocument;
use crate::interfaces::ports::{PortPlan, TorPortsPart};
use crate::project::Project;
use lightloom_design::devices::occupied::OccupiedPart;
use lightloom_design::devices::tor_ports::TorPorts;

impl PlanDocument {
    /// Restores the occupied units and the interfaces of the fabric ports.
    pub fn restore_ports(&self, project: &mut Project) -> Result<(), InputError> {
        let refuse = |field: &str, message: String| InputError::new(message).in_field(field);
        let occupied = OccupiedPart::restore(&self.occupied, &project.hall);
        project.occupied = Arc::new(occupied.map_err(|message| refuse("occupied", message))?);
        let ports = self.old_ports().map_err(|message| refuse("ports", message))?;
        if !ports.is_empty() {
            let accelerator = project.platform.accelerator_ports();
            let plan = PortPlan::new(&project.fabric, &project.placement, accelerator, ports);
            let rule = self.port_rule.restore().map_err(|message| refuse("port_rule", message))?;
            let plan = plan.map_err(|message| refuse("ports", message))?.ruled(rule);
            project.ports = Some(Arc::new(plan));
        }
        Ok(())
    }

    /// The interfaces of the fabric ports, ToR 0 first, unchecked. Empty: ports have only numbers.
    pub fn old_ports(&self) -> Result<Vec<TorPorts>, String> {
        self.ports.iter().map(TorPortsPart::restore).collect()
    }
}
