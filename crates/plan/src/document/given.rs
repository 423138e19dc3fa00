//! What a plan that grew or shrank has from before, read back from `plan.json`.

use std::path::Path;

use lightloom_request::InputError;
use lightloom_topology::RackId;
use lightloom_topology::hall::{GivenModule, GivenTrunks, Hall};

use crate::document::PlanDocument;
use crate::document::origin::{GivenModulePart, racks_named};
use crate::growth::origin::Origin;

impl PlanDocument {
    /// The given racks of cassettes.
    pub fn shelves(
        &self,
        hall: &Hall,
        cassettes: usize,
        file: &Path,
    ) -> Result<Vec<RackId>, InputError> {
        let refuse = |message| InputError::new(message).in_file(file).in_field("shelves");
        if self.shelves.len() > cassettes {
            let found = self.shelves.len();
            return Err(refuse(format!(
                "found {found} racks; the fabric has {cassettes} cassettes"
            )));
        }
        racks_named(hall, &self.shelves).map_err(refuse)
    }

    /// The modules in frames whose places are given.
    pub fn modules(&self, hall: &Hall, file: &Path) -> Result<Vec<GivenModule>, InputError> {
        let restored = GivenModulePart::restore(hall, &self.modules);
        restored.map_err(|message| InputError::new(message).in_file(file).in_field("modules"))
    }

    /// The panels and trunks that are there.
    pub fn trunks(&self, hall: &Hall, file: &Path) -> Result<GivenTrunks, InputError> {
        let restored = self.trunks.restore(hall);
        restored.map_err(|message| InputError::new(message).in_file(file).in_field("trunks"))
    }

    /// What the plan grew or shrank from.
    pub fn origin(&self, hall: &Hall, file: &Path) -> Result<Option<Origin>, InputError> {
        let restored = self.growth.as_ref().map(|part| part.restore(hall)).transpose();
        restored.map_err(|message| InputError::new(message).in_file(file).in_field("growth"))
    }
}
