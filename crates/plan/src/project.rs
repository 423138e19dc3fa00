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
use lightloom_power_cost::PartLists;
use lightloom_request::{Memory, Request};
use lightloom_routing::RelayTables;
use lightloom_routing::recovery::Method;
use lightloom_topology::hall::{Hall, Placement};
use lightloom_topology::{CassetteId, Fabric, RackId};

use crate::as_built::marks::AsBuilt;
use crate::failure_set::FailureSet;
use crate::growth::origin::Origin;
use crate::interfaces::ports::PortPlan;
use lightloom_design::devices::occupied::OccupiedUnits;

/// An opened design. All questions are its methods.
#[derive(Debug, Clone)]
pub struct Project {
    /// The checked design.
    pub(crate) design: Arc<Design>,
    /// The fabric.
    pub(crate) fabric: Arc<Fabric>,
    /// The hall.
    pub(crate) hall: Arc<Hall>,
    /// The rack of each ToR.
    pub(crate) placement: Arc<Placement>,
    /// The catalogue of the design.
    pub(crate) catalogue: Arc<Catalogue>,
    /// Parameters of costs.
    pub(crate) costing: Costing,
    /// The optics of the design. `None`: it names none.
    pub(crate) optics: Option<Arc<DesignOptics>>,
    /// The switches of the ToRs.
    pub(crate) platform: Platform,
    /// The interface of each fabric port. `None`: nothing names interfaces, and ports have only numbers.
    pub(crate) ports: Option<Arc<PortPlan>>,
    /// Units of racks that devices occupy, by rack and unit. Empty without an inventory of devices.
    pub(crate) occupied: Arc<OccupiedUnits>,
    /// What there is to tell about devices and interfaces. Empty for a plan that was read back.
    pub(crate) port_notes: Vec<InventoryNote>,
    /// The failures of a recovered plan, and the method.
    pub(crate) recovery: Option<(FailureSet, Method)>,
    /// What the plan grew or shrank from. `None`: it is a plan of its own.
    pub(crate) origin: Option<Origin>,
    /// What was built otherwise than planned. Empty: nothing is known of it.
    pub(crate) as_built: AsBuilt,
    /// Assumptions for values that were not given. Empty for a plan that was read back.
    pub(crate) assumed: Vec<Assumption>,
    /// The request that it was opened from. `None` for a plan that was read back.
    pub(crate) request: Option<Request>,
    /// The tables of all sources. Made on first use.
    pub(crate) tables: OnceLock<Arc<RelayTables>>,
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

    /// The same project, opened from this request.
    #[must_use]
    pub fn asked_by(self, request: Request) -> Self {
        Self { request: Some(request), ..self }
    }

    /// The same project without rules that recover from failures.
    #[must_use]
    pub fn unrecovered(self) -> Self {
        Self { recovery: None, ..self }
    }

    /// The same project as a plan of its own, whatever it grew or shrank from.
    #[must_use]
    pub fn of_its_own(self) -> Self {
        Self { origin: None, ..self }
    }

    /// The same project with a catalogue of this name and these parts.
    #[must_use]
    pub fn with_parts(mut self, name: String, parts: PartLists) -> Self {
        let catalogue = Arc::make_mut(&mut self.catalogue);
        (catalogue.name, catalogue.parts) = (name, parts);
        self
    }

    /// The same project, whose work may take this memory.
    #[must_use]
    pub fn within(mut self, memory: Memory) -> Self {
        Arc::make_mut(&mut self.design).memory = memory;
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

    /// The hall.
    pub fn hall(&self) -> &Hall {
        &self.hall
    }

    /// The rack of each ToR.
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// The catalogue of the design.
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// Parameters of costs.
    pub fn costing(&self) -> &Costing {
        &self.costing
    }

    /// The optics of the design. `None`: it names none.
    pub fn optics(&self) -> Option<&DesignOptics> {
        self.optics.as_deref()
    }

    /// The switches of the ToRs.
    pub fn platform(&self) -> &Platform {
        &self.platform
    }

    /// The interface of each fabric port. `None`: nothing names interfaces, and ports have only numbers.
    pub fn ports(&self) -> Option<&PortPlan> {
        self.ports.as_deref()
    }

    /// Units of racks that devices occupy, by rack and unit. Empty without an inventory of devices.
    pub fn occupied(&self) -> &OccupiedUnits {
        &self.occupied
    }

    /// The failures of a recovered plan, and the method. `None`: nothing is recovered.
    pub fn recovery(&self) -> Option<&(FailureSet, Method)> {
        self.recovery.as_ref()
    }

    /// What the plan grew or shrank from. `None`: it is a plan of its own.
    pub fn origin(&self) -> Option<&Origin> {
        self.origin.as_ref()
    }

    /// What was built otherwise than planned. Empty: nothing is known of it.
    pub fn as_built(&self) -> &AsBuilt {
        &self.as_built
    }

    /// Assumptions for values that were not given. Empty for a plan that was read back.
    pub fn assumed(&self) -> &[Assumption] {
        &self.assumed
    }

    /// The request that it was opened from. `None` for a plan that was read back.
    pub fn request(&self) -> Option<&Request> {
        self.request.as_ref()
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
            accelerator_ports: self.platform.accelerator_ports(),
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
