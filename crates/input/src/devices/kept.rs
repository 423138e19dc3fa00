//! Shelves of the plan that a design keeps: they are in the inventory once that plan was imported there.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use lightloom_plan::document::PlanDocument;
use lightloom_plan::interfaces::occupied::OccupiedUnits;
use lightloom_plan::laid::lay;
use lightloom_plan::open::from_document;
use lightloom_plan::project::Project;
use lightloom_request::InputError;
use lightloom_topology::RackId;

use crate::plan_folder;

/// The occupied units without those of shelves of the kept plan: its modules go back into them. A shelf is known by its
/// rack, its unit and its label, which stands at the begin of the device's name.
///
/// # Errors
/// [`InputError`] if the kept plan cannot be read.
pub(super) fn without_own(
    project: &Project,
    occupied: OccupiedUnits,
) -> Result<OccupiedUnits, InputError> {
    let Some(folder) = &project.design.keep else { return Ok(occupied) };
    let document = plan_folder::read(folder, project.design.settings.texts())?;
    let old = from_document(&document, &folder.join(PlanDocument::FILE))?;
    let plant = lay(&old)?;
    let shelf = |(rack, unit): (RackId, Reverse<u16>)| {
        (old.hall.racks()[rack.index()].name.to_string(), unit.0)
    };
    let shelves: BTreeSet<(String, u16)> = plant.shelves().into_iter().map(shelf).collect();
    let racks = project.hall.racks();
    Ok(occupied.without(|found| {
        let rack = racks[found.rack.index()].name.to_string();
        let label = format!("{rack}-{}", found.unit);
        let is_named = found.device.as_ref().is_some_and(|device| {
            let rest = device.as_str().strip_prefix(&label);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(" ("))
        });
        is_named && shelves.contains(&(rack, found.unit))
    }))
}
