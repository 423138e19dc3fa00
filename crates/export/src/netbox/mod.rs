//! Import files for NetBox 4.5 and later: the shelves, modules and cables of a plan.
//!
//! What NetBox calls a rear port with several positions is the input of a splitter: its positions are the outputs,
//! which are front ports. A trace that comes from a receiver knows the position, and so it finds the transmitter. A
//! trace from a transmitter ends at the splitter, where it divides.

mod cables;
mod devices;
mod interfaces;
mod names;
mod options;
mod ports;
mod read_me;
mod room;
mod table;
mod types;

use lightloom_plant::Plant;
use lightloom_request::{Files, InputError};

use crate::netbox::names::Names;
pub use crate::netbox::options::{NetboxOptions, Origin};

/// Names of the files, in the order of their import.
pub const NETBOX_FILES: [&str; 12] = [
    types::MANUFACTURERS,
    devices::ROLES,
    types::FILE,
    room::SITES,
    room::LOCATIONS,
    room::RACKS,
    devices::SWITCHES,
    devices::SHELVES,
    devices::MODULES,
    interfaces::FILE,
    cables::FILE,
    read_me::FILE,
];

/// The file that tells a folder of import files from other folders.
pub const MARK: &str = types::FILE;

/// The file that connects everything. Each plan has cables.
#[cfg(feature = "folders")]
pub(crate) const CABLES: &str = cables::FILE;

/// The import files of a plant.
///
/// # Errors
/// [`InputError`] with the first name that NetBox would refuse.
pub fn files(plant: &Plant, options: &NetboxOptions) -> Result<Files, InputError> {
    let names = Names::new(plant, options)?;
    let mut files = vec![
        (types::MANUFACTURERS, types::manufacturers()),
        (devices::ROLES, devices::roles(plant, options)),
        (types::FILE, types::json(plant, options, &names)?),
    ];
    if options.racks == Origin::Imported {
        files.push((room::SITES, room::sites(&names)));
        if let Some(location) = &options.location {
            files.push((room::LOCATIONS, room::locations(&names, location)));
        }
        files.push((room::RACKS, room::racks(plant, options, &names)));
    }
    if options.switches == Origin::Imported {
        files.push((devices::SWITCHES, devices::switches(plant, options, &names)));
    }
    files.extend([
        (devices::SHELVES, devices::shelves(plant, options, &names)),
        (devices::MODULES, devices::modules(plant, options, &names)),
        (interfaces::FILE, interfaces::csv(plant, &names)),
        (cables::FILE, cables::csv(plant, &names)),
    ]);
    let read_me = read_me::text(&files, options, &names);
    files.push((read_me::FILE, read_me));
    Ok(files)
}
