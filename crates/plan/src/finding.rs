//! Finds things of a plan by the names and labels that its files have.

use lightloom_plant::{Cable, CableEnd, CableKind, End, Far, FibreId, Plant};
use lightloom_request::InputError;
use lightloom_topology::{CassetteId, TorId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::as_built::index::Index;
use crate::end_labels::{cable_label, end_labels, fibre_label, port_label};
use crate::floor::Fibre;
use crate::laid::lay;
use crate::project::Project;

/// What a name stands for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Found {
    /// A ToR.
    Tor {
        /// Its number.
        tor: TorId,
    },
    /// A cassette.
    Cassette {
        /// Its number.
        cassette: CassetteId,
    },
    /// A fibre, a cable or a port.
    Fibres {
        /// The label of the cable. A port has that of the cable that is plugged into it.
        cable: String,
        /// The fibres in it: the transmitting ToR, and the receiving one. `None` in place of the receiver: it is the
        /// feed of a splitter. Empty: the cable is dark.
        fibres: Vec<Fibre>,
    },
}

impl Project {
    /// Finds a ToR (`7`, `tor:7`, `R1.05`), a cassette (`cassette:3`), a fibre (`F12`, `B12.3`), a cable (`B12.3J`, `T3`, a
    /// connector `T3.2`, a plug `F7 far`) or a port (`R1.01-42:0`, one or both ends of `near_label` in `cables.csv`).
    ///
    /// A ToR or a rack goes before a cable of the same name; `cable:` and `port:` before the name say which is meant.
    ///
    /// # Errors
    /// [`InputError`] if nothing has this name, or if the plan is too large to list.
    pub fn find(&self, name: &str) -> Result<Found, InputError> {
        let name = name.trim();
        if let Some(number) = name.strip_prefix("cassette:") {
            let number = number.parse().ok().map(CassetteId);
            let there = number.filter(|id: &CassetteId| id.index() < self.fabric.cassettes());
            let message = || {
                let most = self.fabric.cassettes().saturating_sub(1);
                InputError::new(format!(
                    "found {name:?}; the cassettes are cassette:0 to cassette:{most}"
                ))
            };
            return there.map(|cassette| Found::Cassette { cassette }).ok_or_else(message);
        }
        let (cable, port) = (name.strip_prefix("cable:"), name.strip_prefix("port:"));
        let refused = match (cable, port) {
            (None, None) => match self.tor(name) {
                Ok(tor) => return Ok(Found::Tor { tor }),
                Err(error) => error,
            },
            _ => InputError::new(format!("nothing is named {name:?}")),
        };
        let plant = lay(self)?;
        let found = match (cable, port) {
            (Some(label), _) => by_cable(&plant, label.trim()),
            (_, Some(label)) => by_port(&plant, label.trim()),
            _ => by_cable(&plant, name).or_else(|| by_port(&plant, name)),
        };
        found.ok_or(refused)
    }
}

/// The fibres of the cable, the connector or the plug with this label.
fn by_cable(plant: &Plant<'_>, label: &str) -> Option<Found> {
    let label = label.strip_suffix(" near").or(label.strip_suffix(" far")).unwrap_or(label);
    let fabric = plant.site().fabric;
    // Fibres in trunks have labels of their own, which are on no cable.
    let own = plant.numbered().find(|(_, fibre)| fibre_label(fabric, fibre) == label);
    if let Some((id, _)) = own {
        return Some(Found::Fibres { cable: label.to_owned(), fibres: vec![ends(plant, id)] });
    }
    let index = Index::new(plant);
    if let Some(id) = index.cable(label) {
        return Some(of_cable(plant, plant.cable(id)));
    }
    let plug = index.plugs(label, CableEnd::Near)?.into_iter().next()?;
    Some(of_cable(plant, plant.cable(plug.cable)))
}

/// The fibres of the cable that is plugged into the port with this label, or of the fibre with both these ends. Where
/// two cables are plugged into it, the one that brings light to it goes first.
fn by_port(plant: &Plant<'_>, label: &str) -> Option<Found> {
    if label.contains(" / ") {
        let has = |id: FibreId| {
            let (near, far) = end_labels(plant, id);
            format!("{near} / {far}") == label || format!("{far} / {near}") == label
        };
        let (id, fibre) = plant.numbered().find(|(id, _)| has(*id))?;
        let cable = fibre_label(plant.site().fabric, fibre);
        return Some(Found::Fibres { cable, fibres: vec![ends(plant, id)] });
    }
    let at = |end: usize| {
        let is_there = |cable: &&Cable| end_label(plant, cable.ends[end], label);
        plant.cables().iter().find(is_there)
    };
    if let Some(cable) = at(1).or_else(|| at(0)) {
        return Some(of_cable(plant, cable));
    }
    // Positions behind modules.
    let has = |id: FibreId| {
        let (near, far) = end_labels(plant, id);
        near == label || far == label
    };
    let (id, fibre) = plant.numbered().find(|(id, _)| has(*id))?;
    let cable = fibre_label(plant.site().fabric, fibre);
    Some(Found::Fibres { cable, fibres: vec![ends(plant, id)] })
}

fn end_label(plant: &Plant<'_>, end: End, label: &str) -> bool {
    port_label(plant, end) == label
}

/// A cable with its fibres.
fn of_cable(plant: &Plant<'_>, cable: &Cable) -> Found {
    let fibres = match cable.kind {
        CableKind::Cord(fibre, _) => vec![ends(plant, fibre)],
        CableKind::Trunk(number) => {
            let strands = plant.trunks()[number as usize].strands.iter().flatten();
            strands.map(|&fibre| ends(plant, fibre)).collect()
        }
    };
    Found::Fibres { cable: cable_label(plant, cable), fibres }
}

/// The ToRs at the ends of a fibre.
fn ends(plant: &Plant<'_>, id: FibreId) -> Fibre {
    let fibre = &plant.fibres()[id.index()];
    match fibre.far {
        Far::SplitterInput => (fibre.from, None),
        Far::Receiver { tor, .. } => (fibre.from, Some(tor)),
    }
}
