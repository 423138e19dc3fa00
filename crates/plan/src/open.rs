//! Makes a project from a checked design or from a plan's document.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use lightloom_design::catalogue::Catalogue;
use lightloom_design::costing::Costing;
use lightloom_design::design::Design;
use lightloom_design::hall;
use lightloom_design::optics::DesignOptics;
use lightloom_design::pads::fitted;
use lightloom_design::platform::Platform;
use lightloom_plant::{Site, frames_needed};
use lightloom_request::{InputError, setting};
use lightloom_topology::hall::{Hall, Housing, Placement, PlacementError};
use lightloom_topology::{Fabric, RackId};
use lightloom_units::text::shown_path;

use crate::as_built::marks::AsBuilt;
use crate::assumed;
use crate::budget::fans;
use crate::document::PlanDocument;
use crate::project::Project;

/// A design with its fabric and hall, before its ToRs are placed.
#[derive(Debug, Clone)]
pub struct Unplaced {
    design: Design,
    fabric: Fabric,
    hall: Hall,
}

impl Unplaced {
    /// Builds the fabric and the hall of a design.
    ///
    /// # Errors
    /// [`InputError`] if the fabric cannot be built, or if racks and rules contradict each other.
    pub fn new(design: Design) -> Result<Self, InputError> {
        let fabric = design
            .fabric
            .build()
            .map_err(|error| design.settings.refuse(design.fabric.blamed(), error))?;
        let hall = hall::build(&design, fabric.tors())?;
        Ok(Self { design, fabric, hall })
    }

    /// The design.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// The hall with the racks for the ToRs.
    pub fn hall(&self) -> &Hall {
        &self.hall
    }

    /// Number of ToRs to place.
    pub fn tors(&self) -> usize {
        self.fabric.tors()
    }

    /// Places all ToRs. `fixed` lists the given racks, ToR 0 first. All other ToRs take the free racks in
    /// order. The project has no optics yet.
    ///
    /// # Errors
    /// [`InputError`] if there are too few racks, or if a rack is given twice.
    pub fn place(
        self,
        fixed: &[Option<RackId>],
        catalogue: Catalogue,
    ) -> Result<Project, InputError> {
        let project = self.place_without_frames(fixed, catalogue)?;
        let Project { design, fabric, hall, placement, catalogue, .. } = &project;
        let hall = framed(design, fabric, hall, placement, catalogue)?;
        Ok(Project { hall, ..project })
    }

    /// Places all ToRs as [`Self::place`] does, in a hall that has only the frames of the inventory.
    ///
    /// # Errors
    /// As of [`Self::place`].
    pub fn place_without_frames(
        self,
        fixed: &[Option<RackId>],
        catalogue: Catalogue,
    ) -> Result<Project, InputError> {
        let Self { design, fabric, hall } = self;
        let placement = Placement::new(fabric.tors(), &hall.racks_for_tors(), fixed)
            .map_err(|error| refuse_placement(&design, &hall, &error))?;
        let costing = Costing::read(&design.settings)?;
        let platform = Platform::read(&design.settings, &catalogue)?;
        Ok(Project {
            fabric: Arc::new(fabric.transmitting_by(platform.transmit_port())),
            platform,
            catalogue: Arc::new(catalogue),
            costing,
            optics: None,
            design: Arc::new(design),
            hall: Arc::new(hall),
            placement: Arc::new(placement),
            ports: None,
            occupied: Arc::default(),
            port_notes: Vec::new(),
            recovery: None,
            origin: None,
            as_built: AsBuilt::default(),
            assumed: Vec::new(),
            request: None,
            tables: OnceLock::new(),
        })
    }
}

/// The hall with the frames that a zone needs, if the inventory names none.
pub fn framed(
    design: &Design,
    fabric: &Arc<Fabric>,
    hall: &Arc<Hall>,
    placement: &Arc<Placement>,
    catalogue: &Catalogue,
) -> Result<Arc<Hall>, InputError> {
    if design.scheme.housing != Housing::Zone || design.frames.is_some() {
        return Ok(hall.clone());
    }
    let (fabric, hall, placement) = (fabric.clone(), hall.clone(), placement.clone());
    let site = Site { fabric, hall, placement, ports: None, taken: None };
    let frames = frames_needed(&site, design.scheme, &catalogue.hardware, design.frame_units);
    hall::with_frames(design, Hall::clone(&site.hall), frames).map(Arc::new)
}

/// Adds the optics of the settings to a project, and the list of assumptions.
///
/// # Errors
/// [`InputError`] if the catalogue lacks a named part.
pub fn light(mut project: Project) -> Result<Project, InputError> {
    let (settings, fan_out) = (&project.design.settings, project.fabric.fan_out());
    let optics = DesignOptics::read(settings, &project.catalogue, fan_out, project.design.scheme)?;
    let padded = |optics| fitted(optics, &project.catalogue, || Ok(fans(project.laid()?.plant())));
    project.optics = optics.map(padded).transpose()?.map(Arc::new);
    project.assumed = assumed::of(&project);
    Ok(project)
}

/// The error of a placement.
fn refuse_placement(design: &Design, hall: &Hall, error: &PlacementError) -> InputError {
    match *error {
        PlacementError::TooFewRacks { racks, tors } => {
            let of = design.inventory.as_ref().map_or_else(String::new, |inventory| {
                format!(" in {}", shown_path(&inventory.file))
            });
            let message = format!(
                "asks for {tors} ToRs, but there are {racks} racks{of}; a ToR needs a rack of its own"
            );
            design.settings.refuse(design.fabric.size(), message)
        }
        // A placement file was checked line by line, but a `plan.json` may have been edited.
        PlacementError::NoTorRack { rack, tor } => {
            let name = &hall.rack(rack).name;
            let message = format!("rack \"{name}\" is given to ToR {tor}, but it is a frame");
            design.settings.refuse(&setting::splitters::FRAMES, message)
        }
        PlacementError::RackTwice { rack, first, second } => {
            let name = &hall.rack(rack).name;
            let message = format!("rack \"{name}\" is given to ToR {first} and to ToR {second}");
            design.settings.refuse(&setting::hall::KEEP, message)
        }
    }
}

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
    let placement = Placement::new(fabric.tors(), &hall.racks_for_tors(), &fixed)
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
    let platform = document.platform().clone();
    platform.check().map_err(|error| error.in_file(file).in_field("tor"))?;
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
