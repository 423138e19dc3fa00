//! What a plan grew or shrank from, in `plan.json`.

use std::collections::BTreeMap;

use lightloom_topology::RackId;
use lightloom_topology::hall::{GivenModule, Hall};
use serde::{Deserialize, Serialize};

use crate::document::fabric::{FabricPart, RouterPart};
use crate::growth::origin::Origin;
use crate::interfaces::ports::TorPortsPart;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OriginPart {
    fabric: FabricPart,
    router: RouterPart,
    /// The rack of each ToR before, by name, ToR 0 first.
    tors: Vec<String>,
    /// The rack of each cassette before, by name, cassette 0 first.
    shelves: Vec<String>,
    /// The interfaces of the fabric ports before, ToR 0 first. Empty: ports had only numbers.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    ports: Vec<TorPortsPart>,
}

impl OriginPart {
    pub(super) fn new(origin: &Origin, hall: &Hall) -> Self {
        Self {
            fabric: FabricPart::from(&origin.fabric),
            router: RouterPart::from(origin.router),
            tors: named(hall, &origin.racks),
            shelves: named(hall, &origin.shelves),
            ports: origin.ports.iter().map(TorPortsPart::of).collect(),
        }
    }

    /// Restores the part. The error says what is wrong.
    pub(super) fn restore(&self, hall: &Hall) -> Result<Origin, String> {
        let fabric = self.fabric.restore().map_err(|error| error.to_string())?;
        let router = self.router.restore(&fabric).ok_or("is no router of the fabric before")?;
        let racks = racks_named(hall, &self.tors)?;
        let shelves = racks_named(hall, &self.shelves)?;
        let ports = self.ports.iter().map(TorPortsPart::restore).collect::<Result<_, _>>()?;
        Ok(Origin { fabric, router, racks, shelves, ports })
    }
}

/// A module of splitters whose place is given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GivenModulePart {
    rack: String,
    unit: u16,
    slot: u16,
    /// The numbers of its splitters on labels, in order. `null`: a dark one.
    splitters: Vec<Option<u32>>,
}

impl GivenModulePart {
    pub(super) fn list(hall: &Hall, modules: &[GivenModule]) -> Vec<Self> {
        let part = |module: &GivenModule| Self {
            rack: hall.rack(module.rack).name.to_string(),
            unit: module.unit,
            slot: module.slot,
            splitters: module.splitters.clone(),
        };
        modules.iter().map(part).collect()
    }

    /// Restores the modules. Whether they fit their frames is checked when the plan is laid.
    pub(super) fn restore(hall: &Hall, parts: &[Self]) -> Result<Vec<GivenModule>, String> {
        let names: Vec<String> = parts.iter().map(|part| part.rack.clone()).collect();
        let module = |(rack, part): (RackId, &Self)| GivenModule {
            rack,
            unit: part.unit,
            slot: part.slot,
            splitters: part.splitters.clone(),
        };
        Ok(racks_named(hall, &names)?.into_iter().zip(parts).map(module).collect())
    }
}

/// Names of racks.
pub(super) fn named(hall: &Hall, racks: &[RackId]) -> Vec<String> {
    racks.iter().map(|&rack| hall.rack(rack).name.to_string()).collect()
}

/// The racks of these names. The error names one that is not there.
pub(super) fn racks_named(hall: &Hall, names: &[String]) -> Result<Vec<RackId>, String> {
    let racks = hall.racks().iter().enumerate();
    let by_name: BTreeMap<&str, RackId> =
        racks.map(|(i, rack)| (rack.name.as_str(), RackId::at(i))).collect();
    let rack = |name: &String| {
        let found = by_name.get(name.as_str()).copied();
        found.ok_or_else(|| format!("found {name:?}, which is no rack of the hall"))
    };
    names.iter().map(rack).collect()
}
