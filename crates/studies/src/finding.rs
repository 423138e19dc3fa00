//! Finds things of a plan by the names and labels that its files have.

use lightloom_plan::as_built::index::Index;
use lightloom_plan::project::Project;
use lightloom_plant::end_labels::{cable_label, end_labels, fibre_label, port_label};
use lightloom_plant::{Cable, CableEnd, CableKind, End, Far, Fibre as PlantFibre, FibreId, Plant};
use lightloom_request::InputError;
use lightloom_topology::{CassetteId, TorId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::branches::{branch, branches_of_port, port_named};
use crate::floor::Fibre;

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
    /// A port of a ToR, by its number.
    Port {
        /// The ToR.
        tor: TorId,
        /// The number of the port among those of the fabric.
        port: u32,
    },
    /// A fibre, a cable, or what is plugged into a port that has a label.
    Fibres {
        /// The label of the cable.
        cable: String,
        /// The fibres in it: the transmitting ToR, and the receiving one. `None` in place of the receiver: it is the
        /// feed of a splitter. Empty: the cable is dark.
        fibres: Vec<Fibre>,
    },
}

/// Finds what has this name:
///
/// | name | thing |
/// |---|---|
/// | `7`, `tor:7`, `R1.05` | a ToR |
/// | `cassette:3` | a cassette |
/// | `3->7`, `R1.04->R2.01` | the fibre from a splitter of the first ToR to the second |
/// | `R1.05/3`, `port 7/0` | a port of a ToR, by its number |
/// | `F12`, `B12.3` | a fibre |
/// | `B12.3J`, `T3`, `T3.2`, `F7 far` | a cable, a connector or a plug |
/// | `R1.01-42:0` | a port, by its label: one or both ends of `near_label` in `cables.csv` |
///
/// A ToR or a rack goes before a cable of the same name; `cable:` and `port:` before the name say which is meant.
///
/// # Errors
/// [`InputError`] if nothing has this name, or if the plan is too large to list.
pub fn find(project: &Project, name: &str) -> Result<Found, InputError> {
    let name = name.trim();
    if let Some(number) = name.strip_prefix("cassette:") {
        return cassette_named(project, number);
    }
    let (cable, port) = (name.strip_prefix("cable:"), name.strip_prefix("port:"));
    if cable.is_none() && port.is_none() {
        if let Ok(tor) = project.tor(name) {
            return Ok(Found::Tor { tor });
        }
        if let Some((from, to)) = name.split_once("->") {
            return branch_found(project, branch(project, (project.tor(from)?, project.tor(to)?))?);
        }
        if let Some((tor, port)) = port_named(project, name) {
            branches_of_port(project, tor, port)?;
            return Ok(Found::Port { tor, port });
        }
    }
    let laid = project.laid()?;
    let plant = laid.plant();
    let found = match (cable, port) {
        (Some(label), _) => by_cable(plant, label.trim()),
        (_, Some(label)) => by_port(plant, label.trim()),
        _ => by_cable(plant, name).or_else(|| by_port(plant, name)),
    };
    found.ok_or_else(|| {
        InputError::new(format!(
            "nothing is named {name:?}; name a ToR or its rack (\"7\", \"R1.05\"), a port (\"7/0\"), a fibre \
             (\"3->7\", \"F12\", \"B12.3\"), a cable (\"T3\"), or a cassette (\"cassette:3\")"
        ))
    })
}

fn cassette_named(project: &Project, number: &str) -> Result<Found, InputError> {
    let cassettes = project.fabric().cassettes();
    let found = number.parse().ok().map(CassetteId).filter(|id| id.index() < cassettes);
    found.map(|cassette| Found::Cassette { cassette }).ok_or_else(|| {
        let most = cassettes.saturating_sub(1);
        let found = format!("cassette:{number}");
        InputError::new(format!("found {found:?}; the cassettes are cassette:0 to cassette:{most}"))
    })
}

/// A branch with the label of its fibre.
fn branch_found(project: &Project, (from, to): (TorId, TorId)) -> Result<Found, InputError> {
    let laid = project.laid()?;
    let is_it = |fibre: &PlantFibre| {
        fibre.from == from && matches!(fibre.far, Far::Receiver { tor, .. } if tor == to)
    };
    let found = laid.plant().fibres().iter().find(|fibre| is_it(fibre));
    let cable = found.map(|fibre| fibre_label(project.fabric(), fibre)).unwrap_or_default();
    Ok(Found::Fibres { cable, fibres: vec![(from, Some(to))] })
}

/// The fibres of the cable, the connector or the plug with this label.
fn by_cable(plant: &Plant, label: &str) -> Option<Found> {
    let label = label.strip_suffix(" near").or(label.strip_suffix(" far")).unwrap_or(label);
    let fabric = &plant.site().fabric;
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

/// The fibres that are plugged into the port with this label, or the fibre with both these ends. The cable that brings
/// light to the port goes first, and is the one that is named.
fn by_port(plant: &Plant, label: &str) -> Option<Found> {
    if label.contains(" / ") {
        let has = |id: FibreId| {
            let (near, far) = end_labels(plant, id);
            format!("{near} / {far}") == label || format!("{far} / {near}") == label
        };
        let (id, fibre) = plant.numbered().find(|(id, _)| has(*id))?;
        let cable = fibre_label(&plant.site().fabric, fibre);
        return Some(Found::Fibres { cable, fibres: vec![ends(plant, id)] });
    }
    let at = |end: usize| {
        let is_there = |cable: &&Cable| end_label(plant, cable.ends[end], label);
        plant.cables().iter().find(is_there)
    };
    let mut plugged = at(1).into_iter().chain(at(0)).map(|cable| of_cable(plant, cable));
    if let Some(mut first) = plugged.next() {
        if let (Found::Fibres { fibres, .. }, Some(Found::Fibres { fibres: more, .. })) =
            (&mut first, plugged.next())
        {
            fibres.extend(more);
        }
        return Some(first);
    }
    // Positions behind modules.
    let has = |id: FibreId| {
        let (near, far) = end_labels(plant, id);
        near == label || far == label
    };
    let (id, fibre) = plant.numbered().find(|(id, _)| has(*id))?;
    let cable = fibre_label(&plant.site().fabric, fibre);
    Some(Found::Fibres { cable, fibres: vec![ends(plant, id)] })
}

fn end_label(plant: &Plant, end: End, label: &str) -> bool {
    port_label(plant, end) == label
}

/// A cable with its fibres.
fn of_cable(plant: &Plant, cable: &Cable) -> Found {
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
fn ends(plant: &Plant, id: FibreId) -> Fibre {
    let fibre = &plant.fibres()[id.index()];
    match fibre.far {
        Far::SplitterInput => (fibre.from, None),
        Far::Receiver { tor, .. } => (fibre.from, Some(tor)),
    }
}
