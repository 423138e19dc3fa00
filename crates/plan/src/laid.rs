//! Designs with what is installed for them.

use std::sync::Arc;

use lightloom_plant::{Plant, PlantError, Scheme, Stock};
use lightloom_request::{InputError, Key, setting};
use lightloom_topology::fabric::MAX_TORS;

use crate::as_built::applying::as_built;
use crate::memory::Work;
use crate::project::Project;

/// Largest number of fibres of a plan.
const MAX_FIBRES: u64 = 1 << 24;

/// The highest frame that `splitters.frame_units` takes, in rack units.
const MOST_FRAME_UNITS: u32 = 100;

/// Refuses fabrics that are too large to list fibre by fibre.
pub fn check_size(project: &Project) -> Result<(), InputError> {
    let fibres = project.fabric.branch_fibres() + project.fabric.tors() as u64;
    if fibres <= MAX_FIBRES {
        return Ok(());
    }
    let message = format!(
        "the plan would list {fibres} fibres; at most {MAX_FIBRES} are listed (fabrics of up to \
         {MAX_TORS} ToRs can be asked about without a plan)"
    );
    Err(project.design.settings.refuse(&setting::fabric::TORS, message))
}

/// A project with its plant: what is installed for its fabric, and the way of each fibre. Both are shared, so a clone
/// copies neither.
#[derive(Debug, Clone)]
pub struct Laid {
    project: Arc<Project>,
    plant: Arc<Plant>,
}

impl Laid {
    /// The project.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// What is installed for its fabric.
    pub fn plant(&self) -> &Plant {
        &self.plant
    }

    /// The same project as it was planned, whatever its marks say.
    ///
    /// # Errors
    /// As [`Project::laid_as_planned`].
    pub fn as_planned(&self) -> Result<Self, InputError> {
        if self.project.as_built.is_empty() {
            Ok(self.clone())
        } else {
            self.project.laid_as_planned()
        }
    }
}

impl Project {
    /// Lays the project as it was built.
    ///
    /// # Errors
    /// [`InputError`] if there are too many fibres, if things do not fit their racks, or if the marks of the project
    /// are wrong.
    pub fn laid(&self) -> Result<Laid, InputError> {
        let Laid { project, plant } = self.laid_as_planned()?;
        if self.as_built.is_empty() {
            return Ok(Laid { project, plant });
        }
        let plant = Arc::new(as_built(&self.as_built, &plant)?);
        Ok(Laid { project, plant })
    }

    /// Lays the project as it was planned, whatever its marks say.
    ///
    /// # Errors
    /// [`InputError`] if there are too many fibres, or if things do not fit their racks.
    pub fn laid_as_planned(&self) -> Result<Laid, InputError> {
        self.laid_by(self.design.scheme)
    }

    /// Lays the project as it was planned, with its splitters elsewhere or its fibres laid otherwise.
    ///
    /// # Errors
    /// As [`Self::laid_as_planned`].
    pub fn laid_by(&self, scheme: Scheme) -> Result<Laid, InputError> {
        check_size(self)?;
        self.check_memory(Work::Laid)?;
        let catalogue = &self.catalogue;
        let stock = Stock { cords: catalogue.stock(), trunks: catalogue.trunk_stock() };
        let plant = Plant::new(self.site(), scheme, &catalogue.hardware, stock)
            .map_err(|error| refuse(self, &error))?;
        Ok(Laid { project: Arc::new(self.clone()), plant: Arc::new(plant) })
    }
}

/// The error of a plant, at the setting that decides it.
fn refuse(project: &Project, error: &PlantError) -> InputError {
    use setting::splitters as s;
    let (key, remedy): (&Key, &str) = match error {
        PlantError::TrunksWithoutFrames => (&s::CABLING, "; take trunks with housing = \"zone\""),
        PlantError::NoFrame => (&s::FRAMES, "; name racks that hold no ToR"),
        PlantError::FramesTooSmall { .. } => {
            (&s::FRAMES, "; name more frames, or higher ones (u_height in the inventory)")
        }
        // No frame is that high.
        PlantError::NoRoomInFrame { needed, .. } if *needed > MOST_FRAME_UNITS => (
            &s::CABLING,
            "; put fewer racks into a row (hall.racks_per_row), or take point-to-point cabling",
        ),
        PlantError::NoRoomInFrame { .. } if project.design.frames.is_none() => {
            (&s::FRAME_UNITS, "; take higher frames")
        }
        PlantError::NoRoomInFrame { .. } => (
            &s::FRAMES,
            "; name more frames, or higher ones (u_height in the inventory), or make room in one",
        ),
        PlantError::GivenModule { .. } => (&s::FRAMES, "; say where the module is now"),
        PlantError::GivenPanel { .. } | PlantError::GivenTrunk { .. } => {
            (&s::CABLING, "; say where the panels and trunks are now")
        }
        PlantError::NoRoomInRack { .. } => {
            (&s::HOUSING, "; make room in the rack, or house the splitters elsewhere")
        }
        PlantError::NoRoomInRow { .. } => (
            &s::CABLING,
            "; make room in that rack or in another one of the row, or take point-to-point cabling",
        ),
    };
    project.design.settings.refuse(key, format!("{error}{remedy}"))
}
