//! Restores the project of a written plan.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use lightloom_design::costing::Costing;
use lightloom_request::InputError;
use lightloom_topology::hall::Placement;

use crate::document::PlanDocument;
use crate::project::Project;

/// Restores the project of a plan from its `plan.json`. `file` is for error messages.
pub fn from_document(document: &PlanDocument, file: &Path) -> Result<Project, InputError> {
    let (design, hall, catalogue, rack_of) = document.restore(file)?;
    let refuse = |error: &dyn std::fmt::Display| InputError::new(error).in_file(file);
    let fixed: Vec<_> = rack_of.into_iter().map(Some).collect();
    let check = |tors: usize| {
        let message = format!("found {} ToRs; the fabric has {tors}", fixed.len());
        if fixed.len() == tors { Ok(()) } else { Err(refuse(&message).in_field("tors")) }
    };
    // Before the fabric is built, which takes memory for each ToR that it claims to have.
    design.fabric.tors().map_or(Ok(()), |tors| check(tors as usize))?;
    let fabric = design.fabric.build().map_err(|error| refuse(&error).in_field("fabric"))?;
    check(fabric.tors())?;
    let platform = document.platform().clone();
    platform.check().map_err(|error| error.in_file(file).in_field("tor"))?;
    let placement = Placement::shared(&fabric, platform.logical(), &hall.racks_for_tors(), &fixed)
        .map_err(|error| refuse(&error).in_field("tors"))?
        .with_shelves(document.shelves(&hall, fabric.cassettes(), file)?)
        .with_modules(document.modules(&hall, file)?)
        .with_trunks(document.trunks(&hall, file)?);
    if !placement.trunks().panels.is_empty() && !design.scheme.is_trunked() {
        let message = "found panels; the plan has no trunks (cabling)";
        return Err(refuse(&message).in_field("trunks"));
    }
    let optics = document.optics().cloned();
    if optics.as_ref().is_some_and(|o| o.optics.splitter.fan_out != fabric.fan_out()) {
        let message = format!("expected a splitter of fan-out {}", fabric.fan_out());
        return Err(refuse(&message).in_field("optics"));
    }
    if let Some(optics) = &optics {
        optics.check().map_err(|error| error.in_file(file).in_field("optics"))?;
    }
    let mut project = Project {
        fabric: Arc::new(fabric.transmitting_by(platform.transmit_port())),
        platform,
        catalogue: Arc::new(catalogue),
        costing: Costing::default(),
        design: Arc::new(design),
        hall: Arc::new(hall),
        placement: Arc::new(placement),
        optics: optics.map(Arc::new),
        ports: None,
        occupied: Arc::default(),
        port_notes: Vec::new(),
        recovery: None,
        origin: None,
        as_built: document.as_built().clone(),
        assumed: Vec::new(),
        request: None,
        tables: OnceLock::new(),
    };
    document.restore_ports(&mut project).map_err(|error| error.in_file(file))?;
    project.origin = document.origin(&project.hall, file)?;
    project.recovery = document.recovery(&project).map_err(|error| error.in_file(file))?;
    project.hearing_as_built().map_err(|error| error.in_file(file))
}
