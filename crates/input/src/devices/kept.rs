//! Shelves of the plan that a design keeps: they are in the inventory once that plan was imported there.

use std::collections::BTreeMap;

use lightloom_plan::document::PlanDocument;
use lightloom_plan::end_labels::shelf_label;
use lightloom_plan::interfaces::occupied::OccupiedUnits;
use lightloom_plan::project::Project;
use lightloom_request::InputError;
use lightloom_topology::hall::Name;

use crate::plan_folder::{self, WrittenPlan};

/// The occupied units without those of shelves of the kept plan: its modules go back into them. A shelf is known by its
/// rack, its lowest unit and its label. The device's name is the label, or the label with its site behind it.
///
/// # Errors
/// [`InputError`] if the kept plan cannot be read.
pub(super) fn without_own(
    project: &Project,
    occupied: OccupiedUnits,
) -> Result<OccupiedUnits, InputError> {
    let Some(folder) = &project.design.keep else { return Ok(occupied) };
    let memory = project.design.memory;
    let kept = WrittenPlan { folder, memory };
    let document = plan_folder::read(kept, project.design.settings.texts())?;
    let old = plan_folder::opened(&document, &folder.join(PlanDocument::FILE), memory)?;
    let laid = old.laid()?;
    let plant = laid.plant();
    let label = |((rack, top), span): (_, std::ops::RangeInclusive<u16>)| {
        ((&old.hall.rack(rack).name, *span.start()), shelf_label(plant, rack, top))
    };
    let own: BTreeMap<(&Name, u16), String> = plant.shelf_spans().into_iter().map(label).collect();
    Ok(occupied.without(|found| {
        let place = (&project.hall.rack(found.rack).name, found.unit);
        let label = own.get(&place).map(String::as_str);
        let behind = found.device.as_ref().and_then(|device| device.as_str().strip_prefix(label?));
        behind.is_some_and(|behind| behind.is_empty() || behind.starts_with(" ("))
    }))
}
