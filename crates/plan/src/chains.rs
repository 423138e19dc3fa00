//! Checks the chain of every fibre.

use lightloom_plant::{Plant, Port};
use lightloom_request::Error;

/// Proves that the chain of every fibre leads from its one end to its other one, and that it has the connector pairs
/// that the light is computed with.
///
/// # Errors
/// [`Error::PlanRejected`] with the first fibre for which this is not so.
pub fn prove(plant: &Plant) -> Result<(), Error> {
    let scheme = plant.scheme();
    for (id, fibre) in plant.numbered() {
        let expected =
            if fibre.is_feed() { scheme.mated_on_feeds() } else { scheme.mated_on_branches() };
        let ends = plant.chain_ends(id);
        let ports = ends.map(|end| matches!(end.port, Port::Tx(_) | Port::Rx(_)));
        let things = ends.map(|end| end.thing);
        let (switch, splitter) = (plant.switch_thing(fibre.tor()), plant.module_of(fibre.from).0);
        let leads = match fibre.is_feed() {
            true => ports == [true, false] && things == [switch, splitter],
            false => ports == [false, true] && things == [splitter, switch],
        };
        if !leads || !plant.is_joined(id) || plant.mated(id) != expected {
            let label = lightloom_plant::end_labels::fibre_label(&plant.site().fabric, fibre);
            let fault = format!("the cables of {label} are no chain between its ends");
            return Err(Error::PlanRejected(fault));
        }
    }
    Ok(())
}
