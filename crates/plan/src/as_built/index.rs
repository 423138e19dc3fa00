//! Cables and plugs of a plant by their labels.

use std::collections::BTreeMap;

use lightloom_plant::{CableEnd, CableId, FibreId, Plant, Plug};

use lightloom_plant::end_labels::{cable_label, fibre_label};

/// The labels of a plant.
pub struct Index<'p> {
    plant: &'p Plant,
    cables: BTreeMap<String, CableId>,
    fibres: BTreeMap<String, FibreId>,
}

impl<'p> Index<'p> {
    /// The labels of this plant.
    pub fn new(plant: &'p Plant) -> Self {
        let fabric = &plant.site().fabric;
        let cables = (0..).map(CableId).zip(plant.cables());
        Self {
            plant,
            cables: cables.map(|(id, cable)| (cable_label(plant, cable), id)).collect(),
            fibres: plant.numbered().map(|(id, fibre)| (fibre_label(fabric, fibre), id)).collect(),
        }
    }

    /// The cable with this label.
    pub fn cable(&self, label: &str) -> Option<CableId> {
        self.cables.get(label).copied()
    }

    /// The branch with this label.
    pub fn branch(&self, label: &str) -> Option<FibreId> {
        let found = self.fibres.get(label).copied();
        found.filter(|id| !self.plant.fibres()[id.index()].is_feed())
    }

    /// The plugs at one end of the cable or connector with this label. `None`: there is none.
    pub fn plugs(&self, label: &str, end: CableEnd) -> Option<Vec<Plug>> {
        if let Some(cable) = self.cable(label) {
            return Some(self.plant.plugs(cable, end).collect());
        }
        let (trunk, connector) = label.split_once('.')?;
        let connector: usize = connector.parse().ok()?;
        let mut plugs = self.plant.plugs(self.cable(trunk)?, end);
        let plug = plugs.nth(connector.checked_sub(1)?)?;
        // Only this spelling: `T3.02` is no label.
        (plug_label(self.plant, plug) == label).then_some(vec![plug])
    }
}

/// Label of the cord or connector of a plug, as in `F7` or `T3.2`.
pub fn plug_label(plant: &Plant, plug: Plug) -> String {
    let cable = plant.cable(plug.cable);
    let label = cable_label(plant, cable);
    match cable.kind {
        lightloom_plant::CableKind::Cord(..) => label,
        lightloom_plant::CableKind::Trunk(_) => format!("{label}.{}", plug.connector + 1),
    }
}

/// A plug with its end, as in `F7 far`.
pub fn plug_name(plant: &Plant, plug: Plug) -> String {
    format!("{} {}", plug_label(plant, plug), end_name(plug.end))
}

/// Name of an end.
pub fn end_name(end: CableEnd) -> &'static str {
    match end {
        CableEnd::Near => "near",
        CableEnd::Far => "far",
    }
}
