//! What a new design takes over from the plan that it keeps: racks of ToRs, interfaces of ports, and units of shelves.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use lightloom_design::inventory::InventoryNote;
use lightloom_request::{InputError, Memory};
use lightloom_topology::hall::{Hall, Name};
use lightloom_topology::{RackId, TorId};

use crate::document::PlanDocument;
use crate::interfaces::assign::OldTor;
use crate::open::written::from_document;
use crate::project::Project;
use lightloom_design::devices::occupied::OccupiedUnits;
use lightloom_design::devices::tor_ports::TorPorts;
use lightloom_plant::end_labels::{branch_label, feed_label, shelf_label};

/// The plan that a design keeps.
#[derive(Debug, Clone)]
pub struct Kept {
    document: PlanDocument,
    file: PathBuf,
}

impl Kept {
    /// The plan of a document. `file` is for error messages.
    pub fn new(document: PlanDocument, file: PathBuf) -> Self {
        Self { document, file }
    }

    /// The plan itself, as its folder opens.
    ///
    /// # Errors
    /// [`InputError`] if the document is no plan.
    pub fn project(&self) -> Result<Project, InputError> {
        from_document(&self.document, &self.file)
    }

    fn refuse(&self, field: &str, message: impl Into<String>) -> InputError {
        InputError::new(message.into()).in_file(&self.file).in_field(field)
    }

    /// The rack of each of the new plan's ToRs. Every rack that still exists keeps its ToR. `None`: a ToR that is not
    /// in one.
    ///
    /// # Errors
    /// [`InputError`] if a rack of the hall holds a ToR that the new plan does not have.
    pub(crate) fn racks(
        &self,
        hall: &Hall,
        tors: usize,
    ) -> Result<Vec<Option<RackId>>, InputError> {
        let racks = hall.racks().iter().enumerate();
        let by_name: BTreeMap<&str, RackId> =
            racks.map(|(i, rack)| (rack.name.as_str(), RackId::at(i))).collect();
        let mut fixed = vec![None; tors];
        for (tor, name) in self.document.tor_names().into_iter().enumerate() {
            let (tor, rack) = (TorId::at(tor), by_name.get(name).copied());
            match fixed.get_mut(tor.index()) {
                Some(slot) => *slot = rack,
                None if rack.is_none() => {}
                None => {
                    let message = format!(
                        "rack \"{name}\" holds ToR {tor}, but the new plan has ToRs 0 to {} only; \
                         plan at least as many ToRs, or take the rack out of the inventory",
                        tors - 1
                    );
                    return Err(self.refuse("tors", message));
                }
            }
        }
        Ok(fixed)
    }

    /// What the old plan says that the new one does not take over.
    pub(crate) fn notes(&self) -> Option<InventoryNote> {
        let marks = self.document.as_built().marks.len();
        (marks > 0).then_some(InventoryNote::MarksNotKept(marks))
    }

    /// The occupied units of a hall without those of shelves of the old plan: its modules go back into them. They are
    /// in the inventory once that plan was imported there. A shelf is known by its rack, its lowest unit and its label.
    /// The device's name is the label, or the label with its site behind it.
    ///
    /// # Errors
    /// [`InputError`] if the content of the old plan is wrong, or if it cannot be laid within this memory.
    pub(crate) fn without_own(
        &self,
        occupied: OccupiedUnits,
        hall: &Hall,
        memory: Memory,
    ) -> Result<OccupiedUnits, InputError> {
        let old = from_document(&self.document, &self.file)?.within(memory);
        let laid = old.laid()?;
        let plant = laid.plant();
        let label = |((rack, top), span): (_, RangeInclusive<u16>)| {
            ((&old.hall.rack(rack).name, *span.start()), shelf_label(plant, rack, top))
        };
        let own: BTreeMap<(&Name, u16), String> =
            plant.shelf_spans().into_iter().map(label).collect();
        Ok(occupied.without(|found| {
            let place = (&hall.rack(found.rack).name, found.unit);
            let label = own.get(&place).map(String::as_str);
            let behind =
                found.device.as_ref().and_then(|device| device.as_str().strip_prefix(label?));
            behind.is_some_and(|behind| behind.is_empty() || behind.starts_with(" ("))
        }))
    }

    /// The ports of the ToRs, ToR 0 first, with the labels of their fibres. Empty: ports have only numbers.
    ///
    /// # Errors
    /// [`InputError`] if the content of the old plan is wrong.
    pub(crate) fn ports(&self) -> Result<Vec<OldTor>, InputError> {
        let document = &self.document;
        let ports = document.old_ports().map_err(|message| self.refuse("ports", message))?;
        if ports.is_empty() {
            return Ok(Vec::new());
        }
        let (design, ..) = document.restore(&self.file)?;
        let fabric = design.fabric.build();
        let fabric = fabric.map_err(|error| self.refuse("fabric", error.to_string()))?;
        let fabric = fabric.transmitting_by(document.platform().transmit_port());
        let racks = document.tor_names().into_iter().zip(ports).zip(fabric.tor_ids());
        let old = racks.map(|((rack, ports), tor)| {
            let branch = u32::try_from(fabric.splitter_branch(tor)).unwrap_or(u32::MAX);
            let mut fibres = vec![Vec::new(); fabric.end_of_ports(tor) as usize];
            for port in fabric.ports(tor) {
                let heard = port.hears.map(|sender| branch_label(&fabric, sender, branch));
                let fed = port.transmits.then(|| feed_label(&fabric, tor));
                fibres[port.number as usize].extend(heard.into_iter().chain(fed));
            }
            let TorPorts { interfaces, accelerator, .. } = ports;
            OldTor { rack: rack.to_owned(), interfaces, accelerator, fibres }
        });
        Ok(old.collect())
    }
}
