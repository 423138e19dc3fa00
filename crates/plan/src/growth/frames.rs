//! Frames of a plan that grows or shrinks: modules keep their places, and frames that are to be bought become more.

use std::sync::Arc;

use lightloom_plant::{Plant, PlantError, Stock, ThingKind};
use lightloom_request::InputError;
use lightloom_topology::RackId;
use lightloom_topology::hall::{GivenModule, Hall, Housing, Name, Rack, RackRole};

use crate::growth::racks::reaching;
use crate::project::Project;

/// Most frames that a growth adds.
const MOST_FRAMES: usize = 1_000;

/// The modules of splitters in the frames of a plan, where they are. `rack` gives the numbers of racks in another
/// hall. Empty with splitters elsewhere.
///
/// # Errors
/// [`InputError`] if the plan is too large to list.
pub(super) fn modules_there(
    project: &Project,
    rack: impl Fn(RackId) -> RackId,
) -> Result<Vec<GivenModule>, InputError> {
    if project.design.scheme.housing != Housing::Zone {
        return Ok(Vec::new());
    }
    let laid = project.laid_as_planned()?;
    let plant = laid.plant();
    let fabric = &project.fabric;
    let module = |id| {
        let thing = plant.thing(id);
        matches!(thing.kind, ThingKind::Splitters { .. }).then(|| GivenModule {
            rack: rack(thing.rack),
            unit: thing.unit,
            slot: thing.slot.unwrap_or(1),
            splitters: plant
                .splitters_of(id)
                .iter()
                .map(|tor| tor.map(|tor| fabric.splitter_number(tor)))
                .collect(),
        })
    };
    Ok(plant.thing_ids().filter_map(module).collect())
}

/// The project with as many more frames as its splitters need, and their number. Only frames that are to be bought
/// become more.
///
/// # Errors
/// [`InputError`] if the frames are too small.
pub(super) fn with_frames(mut project: Project) -> Result<(Project, usize), InputError> {
    for added in 0..MOST_FRAMES {
        let Some(error) = too_small(&project) else { return Ok((project, added)) };
        match with_one_more(&project.hall) {
            Some(hall) => project.hall = Arc::new(hall),
            None => return Err(refuse(&project, &error)),
        }
    }
    Err(InputError::new("needs too many frames").in_option("tors"))
}

fn refuse(project: &Project, error: &PlantError) -> InputError {
    let tors = project.fabric.tors();
    let message = format!(
        "asks for {tors} ToRs, but {error}; ask for fewer ToRs, or make a new plan with more or higher frames"
    );
    InputError::new(message).in_option("tors")
}

/// Why the frames of a project are too small. `None`: they are not.
fn too_small(project: &Project) -> Option<PlantError> {
    let catalogue = &project.catalogue;
    let stock = Stock { cords: catalogue.stock(), trunks: catalogue.trunk_stock() };
    let laid = Plant::new(project.site(), project.design.scheme, &catalogue.hardware, stock);
    let is_small = |error: &PlantError| {
        matches!(error, PlantError::FramesTooSmall { .. } | PlantError::NoRoomInFrame { .. })
    };
    laid.err().filter(is_small)
}

/// The hall with one more frame beside the last one. `None`: the frames are racks of an inventory, or the hall is
/// in a building.
fn with_one_more(hall: &Hall) -> Option<Hall> {
    let is_new = |rack: &&Rack| rack.role == RackRole::NewFrame;
    let last = hall.racks().iter().rfind(is_new).filter(|_| hall.building().is_plain())?;
    let in_row = hall.racks().iter().filter(|rack| rack.row == last.row);
    let number = in_row.clone().count() + 1;
    let name = Name::new(&format!("{}.{number:02}", hall.row(last.row).name)).ok()?;
    // The pitch of the frames, or else of the first row.
    let of_row: Vec<_> = in_row.map(|rack| rack.x).collect();
    let first: Vec<_> =
        hall.racks().iter().filter(|rack| rack.row.index() == 0).map(|rack| rack.x).collect();
    let pitch = [of_row, first].into_iter().find_map(|xs| Some(xs.get(1)?.abs_diff(xs[0])))?;
    let mut racks = hall.racks().to_vec();
    racks.push(Rack { name, x: last.x + pitch, ..last.clone() });
    let rules = reaching(hall.rules(), hall.rows(), &racks);
    Hall::new(rules, hall.rows().to_vec(), racks).ok()
}
