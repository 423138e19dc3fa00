//! A design with its fabric built, its hall drawn and its ToRs placed.

use std::sync::{Arc, OnceLock};

use lightloom_request::Request;
use lightloom_routing::RelayTables;
use lightloom_routing::recovery::Method;
use lightloom_topology::Fabric;
use lightloom_topology::hall::{Hall, Placement};

use crate::assumption::Assumption;
use crate::catalogue::Catalogue;
use crate::costing::Costing;
use crate::design::Design;
use crate::failure_set::FailureSet;
use crate::inventory::{InventoryNote, InventoryReport};
use crate::optics::DesignOptics;
use crate::wiring::Site;

/// An opened design: what every question is asked of.
#[derive(Debug, Clone)]
pub struct Project {
    pub design: Design,
    pub fabric: Fabric,
    pub hall: Hall,
    pub placement: Placement,
    pub catalogue: Catalogue,
    pub costing: Costing,
    /// The optics that the design names.
    pub optics: Option<DesignOptics>,
    /// The failures that the plan is made around, and how.
    pub recovery: Option<(FailureSet, Method)>,
    /// What nobody said; nothing of a plan that was read back, which says it all.
    pub assumed: Vec<Assumption>,
    /// What it was opened from; none of a plan that was read back.
    pub request: Option<Request>,
    /// The tables of all sources, once somebody has asked for them.
    pub tables: OnceLock<Arc<RelayTables>>,
}

impl Project {
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
    pub fn transceivers(&self) -> u64 {
        self.fabric.tor_ids().map(|tor| self.fabric.transceivers(tor) as u64).sum()
    }

    pub fn site(&self) -> Site<'_> {
        Site { fabric: &self.fabric, hall: &self.hall, placement: &self.placement }
    }

    /// What the reader of the inventory decided where the file left it open; nothing without one.
    pub fn inventory_notes(&self) -> &[InventoryNote] {
        self.design().inventory.as_ref().map_or(&[], |inventory| &inventory.notes)
    }

    /// Titles of the columns of the inventory that nothing was read from, in the order of the file.
    pub fn ignored_columns(&self) -> &[String] {
        self.design().inventory.as_ref().map_or(&[], |inventory| &inventory.ignored_columns)
    }

    /// What answers say of the inventory; none without one.
    pub fn inventory_report(&self) -> Option<InventoryReport> {
        self.design().inventory.as_ref().map(|inventory| InventoryReport {
            notes: inventory.notes.iter().map(ToString::to_string).collect(),
            ignored_columns: inventory.ignored_columns.clone(),
        })
    }
}
