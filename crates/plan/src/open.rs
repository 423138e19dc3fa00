//! Opens a project: a checked design becomes a fabric in its hall, with optics and interfaces.
//!
//! Crate `input` reads the files and hands over what they say ([`Found`]).

pub mod kept;
pub mod written;

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
use lightloom_topology::hall::{Hall, Housing, Name, Placement, PlacementError};
use lightloom_topology::{Fabric, RackId};
use lightloom_units::text::shown_path;

use crate::as_built::marks::AsBuilt;
use crate::assumed;
use crate::budget::fans;
use crate::interfaces::given::{Inventoried, equipped};
use crate::open::kept::Kept;
use crate::project::Project;
use lightloom_design::devices::occupied;

/// What the files of a request say beside its design.
#[derive(Debug, Clone)]
pub struct Found {
    /// The rack of each ToR, ToR 0 first. `None`: no placement file gives it.
    pub racks: Option<Vec<Option<RackId>>>,
    /// The plan that the design keeps. `None`: it keeps none.
    pub kept: Option<Kept>,
    /// The catalogue.
    pub catalogue: Arc<Catalogue>,
    /// The devices of the hall. `None`: no inventory lists them.
    pub devices: Option<Inventoried>,
}

impl Found {
    /// Whether a device of a rack can be its ToR. Without an inventory of devices, every rack counts as having one.
    pub fn has_tor(&self, rack: &Name) -> bool {
        let of_rack =
            |found: &Inventoried| found.tors.of_rack(&found.list, rack, &found.rule).is_ok();
        self.devices.as_ref().is_none_or(of_rack)
    }
}

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
        let logical = design.settings.value(&setting::tor::LOGICAL)?;
        let hall = hall::build(&design, fabric.tors().div_ceil(logical as usize))?;
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

    /// Opens the project of the design: places all ToRs, with the frames that splitters need, chooses the optics and
    /// gives the ports their interfaces.
    ///
    /// # Errors
    /// [`InputError`] if there are too few racks, if the catalogue lacks a named part, if the frames are too small, or
    /// if a ToR has too few fitting interfaces.
    pub fn open(self, found: &Found) -> Result<Project, InputError> {
        let mut project = self.placed(found)?;
        let Project { design, fabric, hall, placement, catalogue, .. } = &project;
        project.hall = framed(design, fabric, hall, placement, catalogue)?;
        // Lengths, and with them the light, depend on where shelves find room.
        let project = lit(occupied(project, found)?)?;
        equipped(project, found.devices.as_ref(), found.kept.as_ref())
    }

    /// The rack of each ToR that an old plan keeps. Empty: there is none.
    ///
    /// # Errors
    /// [`InputError`] if the old plan has a ToR that the new one lacks, in a rack of the hall.
    pub fn kept_racks(&self, kept: Option<&Kept>) -> Result<Vec<Option<RackId>>, InputError> {
        racks_of(kept, &self.hall, self.fabric.tors())
    }

    /// Places all ToRs, in a hall that has only the frames of the inventory. The project has no optics yet.
    ///
    /// # Errors
    /// [`InputError`] if there are too few racks.
    pub(crate) fn without_frames(self, found: &Found) -> Result<Project, InputError> {
        occupied(self.placed(found)?, found)
    }

    /// Places all ToRs in the racks that are given or kept, and the others in the free racks in order.
    fn placed(self, found: &Found) -> Result<Project, InputError> {
        let Self { design, fabric, hall } = self;
        let fixed = match &found.racks {
            Some(racks) => racks.clone(),
            None => racks_of(found.kept.as_ref(), &hall, fabric.tors())?,
        };
        let platform = Platform::read(&design.settings, &found.catalogue)?;
        let racks = hall.racks_for_tors();
        let placement = Placement::shared(&fabric, platform.logical(), &racks, &fixed)
            .map_err(|error| refuse_placement(&design, &hall, &error))?;
        let costing = Costing::read(&design.settings)?;
        Ok(Project {
            fabric: Arc::new(fabric.transmitting_by(platform.transmit_port())),
            platform,
            catalogue: found.catalogue.clone(),
            costing,
            optics: None,
            design: Arc::new(design),
            hall: Arc::new(hall),
            placement: Arc::new(placement),
            ports: None,
            occupied: Arc::default(),
            port_notes: found.kept.iter().filter_map(Kept::notes).collect(),
            recovery: None,
            origin: None,
            as_built: AsBuilt::default(),
            assumed: Vec::new(),
            request: None,
            tables: OnceLock::new(),
        })
    }
}

fn racks_of(
    kept: Option<&Kept>,
    hall: &Hall,
    tors: usize,
) -> Result<Vec<Option<RackId>>, InputError> {
    kept.map_or_else(|| Ok(Vec::new()), |kept| kept.racks(hall, tors))
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
    let (ports, taken) = (None, None);
    let site = Site { fabric, hall, placement, accelerator_ports: 0, ports, taken };
    let frames = frames_needed(&site, design.scheme, &catalogue.hardware, design.frame_units);
    hall::with_frames(design, Hall::clone(&site.hall), frames).map(Arc::new)
}

/// The project with the units of its hall that devices occupy.
fn occupied(mut project: Project, found: &Found) -> Result<Project, InputError> {
    if let Some(devices) = &found.devices {
        let all = occupied::of_hall(&devices.list, &project.hall);
        project.occupied = Arc::new(match &found.kept {
            Some(kept) => kept.without_own(all, &project.hall, project.design.memory)?,
            None => all,
        });
    }
    Ok(project)
}

/// The project with the optics of its settings, and with the list of assumptions.
fn lit(mut project: Project) -> Result<Project, InputError> {
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
            let needs = match design.settings.value(&setting::tor::LOGICAL) {
                Ok(logical) if logical > 1 => {
                    format!(
                        "a switch, which is up to {logical} logical ToRs, needs a rack of its own"
                    )
                }
                _ => "a ToR needs a rack of its own".to_owned(),
            };
            let message = format!("asks for {tors} ToRs, but there are {racks} racks{of}; {needs}");
            design.settings.refuse(design.fabric.size(), message)
        }
        // A placement file was checked line by line, but a `plan.json` may have been edited.
        PlacementError::NoTorRack { rack, tor } => {
            let name = &hall.rack(rack).name;
            let message = format!("rack \"{name}\" is given to ToR {tor}, but it is a frame");
            design.settings.refuse(&setting::splitters::FRAMES, message)
        }
        PlacementError::RackFull { rack, tor, most } => {
            let name = &hall.rack(rack).name;
            let message = format!(
                "found {most}, but rack \"{name}\" is given to ToR {tor} beside {most} others; raise it, or give \
                 racks to fewer ToRs"
            );
            design.settings.refuse(&setting::tor::LOGICAL, message)
        }
        PlacementError::RackTwice { rack, first, second } => {
            let name = &hall.rack(rack).name;
            let message = format!("rack \"{name}\" is given to ToR {first} and to ToR {second}");
            design.settings.refuse(&setting::hall::KEEP, message)
        }
    }
}
