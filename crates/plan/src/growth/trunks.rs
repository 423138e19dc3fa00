//! Panels and trunks of a plan that grows or shrinks: they stay, and so does what lies in them.

use std::collections::BTreeMap;

use lightloom_plant::{End, Far, FibreId, Plant, Port, ThingId, ThingKind, Trunk};
use lightloom_request::InputError;
use lightloom_topology::hall::{
    GivenFibre, GivenPanel, GivenSocket, GivenTrunk, GivenTrunks, Hall,
};
use lightloom_topology::{RackId, RowId};

use crate::project::Project;

/// The panels and trunks of a plan, where they are. `rack` gives the numbers of racks in another `hall`. Empty without
/// trunks.
///
/// # Errors
/// [`InputError`] if the plan is too large to list.
pub(super) fn trunks_there(
    project: &Project,
    hall: &Hall,
    rack: impl Fn(RackId) -> RackId,
) -> Result<GivenTrunks, InputError> {
    if !project.design.scheme.is_trunked() {
        return Ok(GivenTrunks::default());
    }
    let laid = project.laid_as_planned()?;
    let plant = laid.plant();
    let rows = rows_in(project, hall, &rack);
    let mut numbers: BTreeMap<ThingId, u32> = BTreeMap::new();
    let mut panels = Vec::new();
    for id in plant.thing_ids() {
        let thing = plant.thing(id);
        let (row, in_frame) = match thing.kind {
            ThingKind::RowPanel(row) => (row, false),
            ThingKind::FramePanel(row) => (row, true),
            ThingKind::Switch(_) | ThingKind::Splitters { .. } => continue,
        };
        numbers.insert(id, u32::try_from(panels.len()).unwrap_or(u32::MAX));
        panels.push(GivenPanel {
            row: rows.get(&row).copied().unwrap_or(row),
            in_frame,
            rack: rack(thing.rack),
            unit: thing.unit,
            slot: thing.slot.unwrap_or(1),
        });
    }
    let socket = |end: End| GivenSocket {
        panel: numbers.get(&end.thing).copied().unwrap_or(u32::MAX),
        port: match end.port {
            Port::Tx(port) | Port::Rx(port) | Port::Front(port) | Port::Rear(port) => port,
        },
    };
    let given = |trunk: &Trunk| GivenTrunk {
        fibres: trunk.fibres,
        legs: trunk.legs.iter().map(|leg| leg.ends.map(socket)).collect(),
        strands: trunk.strands.iter().map(|fibre| fibre.map(|id| label(plant, id))).collect(),
    };
    let trunks = plant.trunks().iter().map(given).collect();
    Ok(GivenTrunks { panels, trunks })
}

/// The rows of a plan in another hall: those of the same racks.
fn rows_in(
    project: &Project,
    hall: &Hall,
    rack: &impl Fn(RackId) -> RackId,
) -> BTreeMap<RowId, RowId> {
    let all = project.hall.racks().iter().enumerate();
    let pairs = all.filter_map(|(at, old)| {
        let new = rack(RackId::at(at));
        Some((old.row, hall.racks().get(new.index())?.row))
    });
    pairs.collect()
}

fn label(plant: &Plant, id: FibreId) -> GivenFibre {
    let (fabric, fibre) = (&plant.site().fabric, &plant.fibres()[id.index()]);
    match fibre.far {
        Far::SplitterInput => GivenFibre::Feed(fabric.number(fibre.from)),
        Far::Receiver { branch, .. } => {
            GivenFibre::Branch(fabric.splitter_number(fibre.from), branch)
        }
    }
}
