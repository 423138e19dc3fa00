//! A project: a design with its fabric, its hall and the places of its ToRs.

use std::sync::{Arc, OnceLock};

use lightloom_design::assumption::Assumption;
use lightloom_design::catalogue::Catalogue;
use lightloom_design::costing::Costing;
use lightloom_design::design::Design;
use lightloom_design::inventory::{InventoryNote, InventoryReport};
use lightloom_design::optics::DesignOptics;
use lightloom_design::platform::Platform;
use lightloom_plant::{PortNames, Site, TakenUnits};
use lightloom_request::Request;
use lightloom_routing::RelayTables;
use lightloom_routing::recovery::Method;
use lightloom_topology::hall::{Hall, Placement};
use lightloom_topology::{CassetteId, Fabric, RackId};

use crate::as_built::marks::AsBuilt;
use crate::failure_set::FailureSet;
use crate::growth::origin::Origin;
use crate::interfaces::occupied::OccupiedUnits;
use crate::interfaces::ports::PortPlan;

/// An opened design. All questions are its methods.
#[derive(Debug, Clone)]
pub struct Project {
    /// The checked design.
    pub design: Arc<Design>,
    /// The fabric.
    pub fabric: Arc<Fabric>,
    /// The hall.
    pub hall: Arc<Hall>,
    /// The rack of each ToR.
    pub placement: Arc<Placement>,
    /// The catalogue of the design.
    pub catalogue: Arc<Catalogue>,
    /// Parameters of costs.
    pub costing: Costing,
    /// The optics of the design. `None`: it names none.
    pub optics: Option<Arc<DesignOptics>>,
    /// The switches of the ToRs.
    pub platform: Platform,
    /// The interface of each fabric port. `None`: nothing names interfaces, and ports have only numbers.
    pub ports: Option<Arc<PortPlan>>,
    /// Units of racks that devices occupy, by rack and unit. Empty without an inventory of devices.
    pub occupied: Arc<OccupiedUnits>,
    /// What there is to tell about devices and interfaces. Empty for a plan that was read back.
    pub port_notes: Vec<InventoryNote>,
    /// The failures of a recovered plan, and the method.
    pub recovery: Option<(FailureSet, Method)>,
    /// What the plan grew or shrank from. `None`: it is a plan of its own.
    pub origin: Option<Origin>,
    /// What was built otherwise than planned. Empty: nothing is known of it.
    pub as_built: AsBuilt,
    /// Assumptions for values that were not given. Empty for a plan that was read back.
    pub assumed: Vec<Assumption>,
    /// The request that it was opened from. `None` for a plan that was read back.
    pub request: Option<Request>,
    /// The tables of all sources. Made on first use.
    pub tables: OnceLock<Arc<RelayTables>>,
}

impl Project {
    /// The same project with rules that recover from failures. A growth that led to it is over: its stages bring other
    /// rules.
    #[must_use]
    pub fn recovered_by(mut self, failed: FailureSet, method: Method) -> Self {
        self.recovery = Some((failed, method));
        self.origin = None;
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

    /// Number of transceivers of all ToRs, which is the number of ports.
    pub fn transceivers(&self) -> u64 {
        self.fabric.tor_ids().map(|tor| self.fabric.transceivers(tor) as u64).sum()
    }

    /// The fabric, hall and placement.
    pub fn site(&self) -> Site {
        Site {
            fabric: self.fabric.clone(),
            hall: self.hall.clone(),
            placement: self.placement.clone(),
            ports: self.ports.clone().map(|ports| ports as Arc<dyn PortNames>),
            taken: Some(self.occupied.clone() as Arc<dyn TakenUnits>)
                .filter(|_| !self.occupied.is_empty()),
        }
    }

    /// The rack of a cassette with splitters at the receivers.
    pub fn cassette_rack(&self, cassette: CassetteId) -> RackId {
        self.site().cassette_rack(cassette, &self.catalogue.hardware)
    }

    /// Decisions of the readers of inventories where the files were ambiguous, and what there is to tell about
    /// devices and interfaces.
    pub fn inventory_notes(&self) -> impl Iterator<Item = &InventoryNote> {
        let inventory = self.design().inventory.as_ref();
        let notes: &[InventoryNote] = inventory.map_or(&[], |inventory| &inventory.notes);
        notes.iter().chain(&self.port_notes)
    }

    /// Titles of the ignored columns of the inventory, in file order.
    pub fn ignored_columns(&self) -> &[String] {
        self.design().inventory.as_ref().map_or(&[], |inventory| &inventory.ignored_columns)
    }

    /// The inventory in a report. `None` without an inventory, if there is nothing to tell.
    pub fn inventory_report(&self) -> Option<InventoryReport> {
        let is_there = self.design().inventory.is_some() || !self.port_notes.is_empty();
        is_there.then(|| InventoryReport {
            notes: self.inventory_notes().map(ToString::to_string).collect(),
            ignored_columns: self.ignored_columns().to_vec(),
        })
    }
}
