//! Projects of the search, as their opener makes them from settings and files.

use lightloom_design::family::FabricSpec;
use lightloom_request::InputError;

use crate::project::Project;

/// A project of the search.
pub struct Candidate {
    /// The project, without optics. Its hall has only the frames of the inventory.
    pub project: Project,
    /// Gives a project with optics the interfaces of its ports. It refuses if a ToR has too few that fit.
    pub equip: Equip,
}

/// Gives a project the interfaces of its ports.
pub type Equip = Box<dyn Fn(&mut Project) -> Result<(), InputError>>;

/// Opens the project of a fabric with the settings and files of the request.
pub type Open<'a> = &'a (dyn Fn(&FabricSpec) -> Result<Candidate, InputError> + Sync);
