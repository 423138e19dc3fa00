//! The plant that the marks of a project describe.

use std::collections::BTreeMap;

use lightloom_plant::{CableEnd, CableId, Far, Misbuilt, Plant, Plug};
use lightloom_request::InputError;
use lightloom_topology::TorId;

use crate::as_built::index::plug_name;
use crate::as_built::marks::AsBuilt;
use crate::as_built::resolve::{MarkFault, resolve};
use lightloom_plant::end_labels::{cable_label, fibre_label};

/// What each port hears, of the ToRs whose receive fibres are in other ports than planned.
pub fn heard(built: &Plant) -> BTreeMap<TorId, Vec<TorId>> {
    let fabric = &built.site().fabric;
    let mut heard: BTreeMap<TorId, Vec<TorId>> = BTreeMap::new();
    for fibre in built.fibres() {
        let Far::Receiver { tor, port, .. } = fibre.far else { continue };
        if port != fabric.receive_port(fibre.from) {
            let planned = fabric.transmitters(fabric.receives_from(tor));
            let at = planned.iter().position(|&from| fabric.receive_port(from) == port);
            if let Some(at) = at {
                heard.entry(tor).or_insert_with(|| planned.to_vec())[at] = fibre.from;
            }
        }
    }
    heard
}

/// A plant as these marks say.
///
/// # Errors
/// [`InputError`] if a mark is wrong, or if it cannot be built so: then somebody edited `plan.json`.
pub fn as_built(marks: &AsBuilt, planned: &Plant) -> Result<Plant, InputError> {
    let marks = resolve(marks, planned, planned).map_err(|fault| own(&fault))?;
    let told = planned.clone().as_built(&marks.built);
    told.map_err(|misbuilt| {
        let (_, message) = misbuilt_text(planned, &misbuilt);
        InputError::new(message).in_field("as_built")
    })
}

/// The error of a mark of `plan.json`.
pub fn own(fault: &MarkFault) -> InputError {
    let MarkFault { mark, column, message } = fault;
    InputError::new(format!("{column} of mark {mark}: {message}")).in_field("as_built")
}

/// Why a plant cannot be built so, with the plug that is to blame.
pub fn misbuilt_text(planned: &Plant, misbuilt: &Misbuilt) -> (Option<Plug>, String) {
    let name = |plug: Plug| plug_name(planned, plug);
    let cable = |id: CableId| cable_label(planned, planned.cable(id));
    match misbuilt {
        Misbuilt::TwoInOne([first, second], of) => {
            let message = if first == of {
                format!(
                    "{} is in the socket of {}, which nothing moves away; tell where that one is",
                    name(*second),
                    name(*of)
                )
            } else {
                format!(
                    "{} and {} are both in the socket of {}",
                    name(*first),
                    name(*second),
                    name(*of)
                )
            };
            (Some(*second), message)
        }
        Misbuilt::Unfit(plug, of) => {
            let connector = |plug: Plug| {
                let connector = planned.connector_of(plug);
                format!("{} {}", connector.name(), connector.polish().name())
            };
            let message = format!(
                "{} is {}, and the socket of {} is for {}; the plug does not fit",
                name(*plug),
                connector(*plug),
                name(*of),
                connector(*of)
            );
            (Some(*plug), message)
        }
        Misbuilt::TooShort(id, length, way) => {
            let label = cable(*id);
            let message = format!(
                "{label} is {length} long and its way is {way}; if another cable was taken, give its length_m"
            );
            (planned.plugs(*id, CableEnd::Near).next(), message)
        }
        Misbuilt::OtherChain(fibre) => {
            let label = fibre_label(&planned.site().fabric, &planned.fibres()[fibre.index()]);
            (
                None,
                format!(
                    "{label} would have another number of cables on its way than planned; build it as planned"
                ),
            )
        }
        Misbuilt::Reversed(id) => {
            let label = cable(*id);
            let message = format!(
                "{label} has its two ends exchanged, which changes nothing for light; leave this mark out, and \
                 exchange the labels of its ends"
            );
            (planned.plugs(*id, CableEnd::Near).next(), message)
        }
        Misbuilt::Astray(astray) => {
            let from = astray.first().map_or(0, |found| found.from.0);
            let more = astray.len() - 1;
            (
                None,
                format!(
                    "the light of ToR {from} (and of {more} more) arrives elsewhere than planned"
                ),
            )
        }
    }
}
