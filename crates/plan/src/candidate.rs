//! Projects of the search: one fabric, to be housed and lit in several ways.

use std::sync::Arc;

use lightloom_design::design::RouterChoice;
use lightloom_design::family::FabricSpec;
use lightloom_design::optics::DesignOptics;
use lightloom_plant::Scheme;
use lightloom_request::InputError;

use crate::interfaces::given::equipped;
use crate::open::{Found, Unplaced, framed};
use crate::project::Project;

/// Opens the project of a fabric with the settings and files of the request.
pub type Open<'a> = &'a (dyn Fn(&FabricSpec) -> Result<Candidate, InputError> + Sync);

/// A project of the search, without optics. Its hall has only the frames of the inventory.
pub struct Candidate {
    project: Project,
    found: Found,
}

impl Candidate {
    /// Places the ToRs of a design.
    ///
    /// # Errors
    /// [`InputError`] if there are too few racks.
    pub fn new(unplaced: Unplaced, found: Found) -> Result<Self, InputError> {
        let project = unplaced.without_frames(&found)?;
        Ok(Self { project, found })
    }

    /// The project.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// The project alone.
    pub fn into_project(self) -> Project {
        self.project
    }

    /// The same project with other rules.
    #[must_use]
    pub fn routed(mut self, router: RouterChoice) -> Self {
        Arc::make_mut(&mut self.project.design).router = router;
        self
    }

    /// The project with its splitters in this housing, and with the frames that they need.
    ///
    /// # Errors
    /// [`InputError`] if the hall has no room for the frames.
    pub fn housed(&self, scheme: Scheme) -> Result<Project, InputError> {
        let mut project = self.project.clone();
        Arc::make_mut(&mut project.design).scheme = scheme;
        let Project { design, fabric, hall, placement, catalogue, .. } = &project;
        project.hall = framed(design, fabric, hall, placement, catalogue)?;
        Ok(project)
    }

    /// The housed project with these optics, and with the interfaces of its ports.
    ///
    /// # Errors
    /// [`InputError`] if a ToR has too few interfaces that fit.
    pub fn lit(&self, housed: &Project, optics: DesignOptics) -> Result<Project, InputError> {
        let lit = Project { optics: Some(Arc::new(optics)), ..housed.clone() };
        equipped(lit, self.found.devices.as_ref(), self.found.kept.as_ref())
    }
}
