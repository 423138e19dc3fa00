//! Opens projects from requests.

use std::path::Path;

use lightloom_design::building::ListedBuilding;
use lightloom_design::design::Design;
use lightloom_design::family::FabricSpec;
use lightloom_design::inventory::Inventory;
use lightloom_plan::candidate::Candidate;
use lightloom_plan::memory::{self, Counts, Work};
use lightloom_plan::open::kept::Kept;
use lightloom_plan::open::{Found, Unplaced};
use lightloom_plan::project::Project;
use lightloom_request::setting;
use lightloom_request::{InputError, Message, Request, Settings};
use lightloom_topology::RackId;
use lightloom_topology::fabric::MAX_TORS;

use crate::inventory::{self, Filters, Rows};
use crate::{building, catalogue, devices, edges, machine, placing, plan_folder, settings};

/// Opens the project of a request.
///
/// # Errors
/// [`InputError`] at the first error in the request or its files.
pub fn project(request: &Request) -> Result<Project, InputError> {
    let (unplaced, found) = read(design(settings::read(request)?)?)?;
    Ok(unplaced.open(&found)?.asked_by(request.clone()))
}

/// A request whose ToRs are placed by a search.
pub struct Placeable {
    request: Request,
    unplaced: Unplaced,
    found: Found,
}

impl Placeable {
    /// Reads a request and its files.
    ///
    /// # Errors
    /// [`InputError`] at the first error in the request or its files.
    pub fn read(request: &Request) -> Result<Self, InputError> {
        let (unplaced, found) = read(design(settings::read(request)?)?)?;
        Ok(Self { request: request.clone(), unplaced, found })
    }

    /// The project before the search: as [`project`] opens it.
    ///
    /// # Errors
    /// As of [`project`].
    pub fn project(&self) -> Result<Project, InputError> {
        Ok(self.unplaced.clone().open(&self.found)?.asked_by(self.request.clone()))
    }

    /// The racks for ToRs in which the inventory of devices has none.
    pub fn racks_without_tor(&self) -> Vec<RackId> {
        let hall = self.unplaced.hall();
        let mut racks = hall.racks_for_tors();
        racks.retain(|&rack| !self.found.has_tor(&hall.rack(rack).name));
        racks
    }

    /// The rack of each ToR that an old plan keeps. Empty: there is none.
    ///
    /// # Errors
    /// [`InputError`] if the old plan has a ToR that the new one lacks, in a rack of the hall.
    pub fn kept_racks(&self) -> Result<Vec<Option<RackId>>, InputError> {
        self.unplaced.kept_racks(self.found.kept.as_ref())
    }

    /// The old plan that is kept. `None`: there is none.
    ///
    /// # Errors
    /// [`InputError`] if its document is no plan.
    pub fn kept_project(&self) -> Result<Option<Project>, InputError> {
        self.found.kept.as_ref().map(Kept::project).transpose()
    }

    /// The project with its ToRs in these racks. Its request says so with a placement file in memory, unless it keeps
    /// an old plan: then it has no request.
    ///
    /// # Errors
    /// [`InputError`] as of [`project`], for example if the interfaces of another rack's ToR do not fit.
    pub fn placed(&self, racks: &[RackId]) -> Result<Project, InputError> {
        let name = |rack: &RackId| self.unplaced.hall().rack(*rack).name.to_string();
        let names: Vec<String> = racks.iter().map(name).collect();
        let given = racks.iter().copied().map(Some).collect();
        let found = Found { racks: Some(given), ..self.found.clone() };
        let project = self.unplaced.clone().open(&found)?;
        Ok(match &found.kept {
            Some(_) => project,
            None => project.asked_by(placing::said(self.request.clone(), &names)),
        })
    }
}

/// Opens a project for the search of designs. `fabric` replaces that of the settings.
///
/// # Errors
/// [`InputError`] at the first error in the settings or their files.
pub fn candidate(settings: Settings, fabric: Option<&FabricSpec>) -> Result<Candidate, InputError> {
    let mut design = design(settings)?;
    if let Some(fabric) = fabric {
        design.fabric = fabric.clone();
    }
    let (unplaced, found) = read(design)?;
    Candidate::new(unplaced, found)
}

/// Reads the files that a design names, and builds its fabric and hall.
fn read(mut design: Design) -> Result<(Unplaced, Found), InputError> {
    // A fabric that no memory allows is refused for its number of ToRs, where it is built.
    if design.fabric.tors().is_none_or(|tors| tors <= MAX_TORS) {
        memory::check(&design, Counts::of_design(&design), Work::Opened)?;
    }
    let devices = devices::read(&mut design)?;
    let unplaced = Unplaced::new(design)?;
    let racks = placing::given(&unplaced)?;
    let kept = plan_folder::kept(unplaced.design())?;
    let catalogue = catalogue::read(&unplaced.design().settings)?.into();
    Ok((unplaced, Found { racks, kept, catalogue, devices }))
}

/// Reads the design of some settings, with the files that they name.
///
/// # Errors
/// [`InputError`] at the first wrong value.
pub fn design(settings: Settings) -> Result<Design, InputError> {
    let building = read_building(&settings)?;
    let inventory = read_inventory(&settings, building.as_ref())?;
    if let (Some(several), None) = (building.as_ref().filter(|b| b.rooms.len() > 1), &inventory) {
        let message = format!(
            "has {} rooms, but no inventory says which racks are in each",
            several.rooms.len()
        );
        let message =
            Message::new(message).text("; give one with ").setting(&setting::hall::INVENTORY, None);
        return Err(settings.refuse_mentioning(&setting::hall::BUILDING, message));
    }
    let said = settings.clone();
    let edges = |path: &Path, p: u32| edges::read_edges(&said, path, p);
    let design = Design::new(settings, inventory, building, &edges)?;
    Ok(Design { memory: design.memory.or(machine::memory), ..design })
}

fn read_building(settings: &Settings) -> Result<Option<ListedBuilding>, InputError> {
    let path = settings.path(&setting::hall::BUILDING)?;
    path.map(|path| building::read(&path, settings.texts())).transpose()
}

/// The inventory that a request names.
///
/// # Errors
/// [`InputError`] at the first wrong line of its file.
pub fn inventory(request: &Request) -> Result<Option<Inventory>, InputError> {
    let settings = settings::read(request)?;
    let building = read_building(&settings)?;
    read_inventory(&settings, building.as_ref())
}

fn read_inventory(
    settings: &Settings,
    building: Option<&ListedBuilding>,
) -> Result<Option<Inventory>, InputError> {
    let filters = Filters::read(settings)?;
    let rows_from = Rows::read(settings)?;
    match (settings.path(&setting::hall::INVENTORY)?, Filters::first_setting(settings)) {
        (Some(path), _) => {
            inventory::read(&path, &filters, rows_from, building, settings).map(Some)
        }
        (None, Some(key)) => Err(settings.refuse(key, "filters an inventory, but none was given")),
        (None, None) if rows_from.is_some() => {
            let message = "names a column of an inventory, but none was given";
            Err(settings.refuse(&setting::hall::ROWS_FROM, message))
        }
        (None, None) if settings.differs(&setting::hall::LARGEST_FILE)? => {
            let message = "is a limit for files of an inventory, but none was given";
            Err(settings.refuse(&setting::hall::LARGEST_FILE, message))
        }
        (None, None) => Ok(None),
    }
}
