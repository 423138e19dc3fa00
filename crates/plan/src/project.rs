//! A design with its fabric built, its hall drawn and its ToRs placed.

use std::sync::{Arc, OnceLock};

use lightloom_export::Site;
use lightloom_routing::RelayTables;
use lightloom_topology::Fabric;
use lightloom_topology::hall::{Hall, Placement};

use crate::assumed::{self, Assumption};
use crate::catalogue::Catalogue;
use crate::costing::Costing;
use crate::design::Design;
use crate::document::PlanDocument;
use crate::fabric_spec::FabricSpec;
use crate::failures::FailureSet;
use crate::optics::DesignOptics;
use crate::recover::Method;
use crate::settings::Request;
use crate::{InputError, Settings, hall, placing};

/// An opened design: what every question is asked of.
#[derive(Debug, Clone)]
pub struct Project {
    pub(crate) design: Design,
    pub(crate) fabric: Fabric,
    pub(crate) hall: Hall,
    pub(crate) placement: Placement,
    pub(crate) catalogue: Catalogue,
    pub(crate) costing: Costing,
    /// The optics that the design names.
    pub(crate) optics: Option<DesignOptics>,
    /// The failures that the plan is made around, and how.
    pub(crate) recovery: Option<(FailureSet, Method)>,
    /// What nobody said; nothing of a plan that was read back, which says it all.
    pub(crate) assumed: Vec<Assumption>,
    /// What it was opened from; none of a plan that was read back.
    pub(crate) request: Option<Request>,
    /// The tables of all sources, once somebody has asked for them.
    pub(crate) tables: OnceLock<Arc<RelayTables>>,
}

impl Project {
    /// Opens what a request asks for.
    ///
    /// # Errors
    /// [`InputError`] at the first thing that is wrong with it.
    pub fn open(request: &Request) -> Result<Self, InputError> {
        let project = Self::new(Design::new(Settings::read(request)?)?)?;
        Ok(Self { request: Some(request.clone()), ..project })
    }

    /// Opens a checked design.
    ///
    /// # Errors
    /// [`InputError`] when racks, rules and ToRs do not fit together.
    pub fn new(design: Design) -> Result<Self, InputError> {
        let mut project = Self::unlit(design)?;
        let (settings, fan_out) = (&project.design.settings, project.fabric.fan_out());
        project.optics = DesignOptics::read(settings, &project.catalogue, fan_out)?;
        project.assumed = assumed::of(&project);
        Ok(project)
    }

    /// Opens a checked design and leaves its optics aside.
    pub(crate) fn unlit(design: Design) -> Result<Self, InputError> {
        let fabric = design.fabric.build().map_err(|error| {
            let name = if matches!(design.fabric, FabricSpec::Kautz { p, .. } if !(2..=1024).contains(&p)) {
                "fabric.p"
            } else {
                "fabric.tors"
            };
            design.settings.refuse(name, error)
        })?;
        let hall = hall::build(&design, fabric.tors())?;
        let placement = placing::place(&design, &hall, fabric.tors())?;
        let catalogue = Catalogue::read(&design.settings)?;
        let costing = Costing::read(&design.settings)?;
        Ok(Self {
            catalogue,
            costing,
            optics: None,
            design,
            fabric,
            hall,
            placement,
            recovery: None,
            assumed: Vec::new(),
            request: None,
            tables: OnceLock::new(),
        })
    }

    /// The plan that a folder holds, as far as `plan.json` describes it.
    pub(crate) fn from_document(
        document: &PlanDocument,
        file: &std::path::Path,
    ) -> Result<Self, InputError> {
        let (design, hall, catalogue, rack_of) = document.restore(file)?;
        let refuse = |error: &dyn std::fmt::Display| InputError::new(error).in_file(file);
        let fabric = design.fabric.build().map_err(|error| refuse(&error).in_field("fabric"))?;
        let fixed: Vec<_> = rack_of.into_iter().map(Some).collect();
        if fixed.len() != fabric.tors() {
            let message = format!("found {} ToRs; the fabric has {}", fixed.len(), fabric.tors());
            return Err(refuse(&message).in_field("tors"));
        }
        let placement = Placement::new(fabric.tors(), hall.racks().len(), &fixed)
            .map_err(|error| refuse(&error).in_field("tors"))?;
        let optics = document.optics().cloned();
        if optics.as_ref().is_some_and(|o| o.optics.splitter.fan_out != fabric.fan_out()) {
            let message = format!("expected a splitter of fan-out {}", fabric.fan_out());
            return Err(refuse(&message).in_field("optics"));
        }
        if let Some(optics) = &optics {
            optics.check().map_err(|error| error.in_file(file).in_field("optics"))?;
        }
        let mut project = Self {
            catalogue,
            costing: Costing::default(),
            design,
            fabric,
            hall,
            placement,
            optics,
            recovery: None,
            assumed: Vec::new(),
            request: None,
            tables: OnceLock::new(),
        };
        project.recovery = document.recovery(&project).map_err(|error| error.in_file(file))?;
        Ok(project)
    }

    /// The same project with its rules changed for failures, to be planned.
    #[must_use]
    pub fn recovered_by(mut self, failed: FailureSet, method: Method) -> Self {
        self.recovery = Some((failed, method));
        self
    }

    /// The design.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// The fabric.
    pub fn fabric(&self) -> &Fabric {
        &self.fabric
    }

    /// Transceivers of all ToRs, which are ports.
    pub(crate) fn transceivers(&self) -> u64 {
        self.fabric.tor_ids().map(|tor| self.fabric.transceivers(tor) as u64).sum()
    }

    pub(crate) fn site(&self) -> Site<'_> {
        Site { fabric: &self.fabric, hall: &self.hall, placement: &self.placement }
    }
}
