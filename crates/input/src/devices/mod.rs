//! Reads inventories of devices and interfaces: NetBox's exports, or CSV files with the same columns.
//!
//! Both the names of NetBox's fields and the titles of its tables are known. `docs/inventories.md` lists them.
//! The devices say which units of the racks are taken and which switch is the ToR; the interfaces say which ports
//! are free.

mod cells;
mod interfaces;
mod listed;
mod racks;
mod types;

use lightloom_design::design::Design;
use lightloom_design::devices::device::DeviceList;
use lightloom_design::devices::occupied;
use lightloom_design::devices::patterns::Patterns;
use lightloom_design::devices::tors::{TorDevices, TorRule};
use lightloom_plan::interfaces::given::Inventoried;
use lightloom_request::setting::{hall, tor};
use lightloom_request::{InputError, Key};

use crate::devices::racks::Racks;
use crate::inventory::Filters;

/// Reads the devices and interfaces that a design names, and gives its racks the units of their ToRs. `None`: it
/// names none.
///
/// # Errors
/// [`InputError`] if a file is wrong, or contradicts the rack inventory.
pub fn read(design: &mut Design) -> Result<Option<Inventoried>, InputError> {
    let settings = &design.settings;
    let patterns = Patterns::read(settings)?;
    // All values are read, so that one of a wrong kind is refused even where it is not needed.
    let role = settings.get(&tor::ROLE)?;
    settings.value(&tor::BREAKOUT)?;
    let interfaces_file = settings.path(&hall::INTERFACES)?;
    let Some(file) = settings.path(&hall::DEVICES)? else {
        let alone: [&Key; 2] = [&hall::INTERFACES, &tor::ROLE];
        return match alone.into_iter().find(|key| settings.has(key)) {
            Some(key) => Err(settings.refuse(key, "needs the devices; name their file")),
            None => Ok(None),
        };
    };
    let Some(inventory) = &mut design.inventory else {
        let message = "lists devices in racks, but no inventory of racks was given; name one";
        return Err(settings.refuse(&hall::DEVICES, message));
    };
    let racks = Racks::read(&inventory.file, &Filters::read(settings)?, settings)?;
    let mut found = listed::read(&file, &racks, settings)?;
    if let Some(path) = &interfaces_file {
        interfaces::read(path, &mut found, &patterns, settings)?;
    }
    let list = DeviceList { file, interfaces_file, devices: found.list };
    occupied::check(&list, inventory)?;
    let rule = match (role, &list.interfaces_file) {
        (Some(role), _) => TorRule::Role(role),
        (None, Some(_)) => TorRule::Interfaces(design.fabric.p() as usize),
        (None, None) => TorRule::Interfaces(0),
    };
    let tors = TorDevices::find(&list, inventory, &rule);
    tors.place(&list, inventory)?;
    Ok(Some(Inventoried { list, tors, rule, notes: found.notes }))
}
