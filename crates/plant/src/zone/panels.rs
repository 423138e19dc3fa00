//! Panels that were there before the fabric grew or shrank.

use std::collections::BTreeSet;

use lightloom_topology::hall::{GivenPanel, GivenSocket};

use crate::cable::{End, Port};
use crate::error::PlantError;
use crate::hardware::Hardware;
use crate::plant::Plant;
use crate::room::is_free;
use crate::thing::{Thing, ThingId, ThingKind};
use crate::zone::frames::Frames;

/// Adds the panels that are there, and returns them in order.
///
/// # Errors
/// [`PlantError::GivenPanel`] for the first one that cannot be there.
pub(super) fn place_panels(
    plant: &mut Plant,
    frames: &mut Frames,
    hardware: &Hardware,
) -> Result<Vec<ThingId>, PlantError> {
    let site = plant.site.clone();
    let mut taken = BTreeSet::new();
    let mut panels = Vec::new();
    for &GivenPanel { row, in_frame, rack, unit, slot } in &site.placement.trunks().panels {
        let stands = site.hall.rack(rack);
        let fits = if in_frame {
            frames.take_given((rack, unit, slot), 1)
        } else {
            let is_there = stands.row == row
                && (1..=stands.units).contains(&unit)
                && unit != site.hall.tor_unit(rack)
                && (1..=hardware.slots_per_unit).contains(&slot);
            is_there && is_free(&site, rack, unit) && taken.insert((rack, unit, slot))
        };
        if !fits {
            return Err(PlantError::GivenPanel { rack: stands.name.clone(), unit, slot });
        }
        let kind = if in_frame { ThingKind::FramePanel(row) } else { ThingKind::RowPanel(row) };
        panels.push(plant.add_thing(Thing { kind, rack, unit, slot: Some(slot) }));
    }
    Ok(panels)
}

/// The socket behind a panel.
pub(super) fn socket(panels: &[ThingId], socket: GivenSocket) -> End {
    End { thing: panels[socket.panel as usize], port: Port::Rear(socket.port) }
}
