//! Finds the rack that a device is in.

use std::collections::BTreeMap;
use std::path::Path;

use lightloom_request::{InputError, Settings};
use lightloom_topology::hall::Name;

use crate::devices::cells::cell;
use crate::inventory::{COLUMNS, Filters, text_of};
use crate::text::{Record, Table};

/// All racks of the rack inventory, by name.
pub(super) struct Racks {
    by_name: BTreeMap<String, Vec<Listed>>,
}

/// A rack of the inventory.
struct Listed {
    /// Its site, in lower case. Empty: the file gives none.
    site: String,
    /// Its location, in lower case. Empty: the file gives none.
    location: String,
    /// Whether the filters choose it.
    is_chosen: bool,
}

/// Where a device is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Where {
    /// In a chosen rack.
    Rack(Name),
    /// In no rack.
    NoRack,
    /// In a rack that the filters leave out, or at a site without racks.
    LeftOut,
}

impl Racks {
    /// Reads the rack inventory.
    pub(super) fn read(
        path: &Path,
        filters: &Filters,
        settings: &Settings,
    ) -> Result<Self, InputError> {
        let table = Table::foreign(path, &text_of(path, settings)?, &COLUMNS)?;
        let mut by_name: BTreeMap<String, Vec<Listed>> = BTreeMap::new();
        for record in table.records(path) {
            let listed = Listed {
                site: cell(&record, "site").to_lowercase(),
                location: cell(&record, "location").to_lowercase(),
                is_chosen: filters.passes(&record),
            };
            by_name.entry(record.cell("name").to_owned()).or_default().push(listed);
        }
        Ok(Self { by_name })
    }

    /// The rack of a device: by name, and by site and location where both files have them.
    pub(super) fn find(&self, device: &Record<'_>) -> Result<Where, InputError> {
        let name = cell(device, "rack");
        if name.is_empty() {
            return Ok(Where::NoRack);
        }
        let site = cell(device, "site").to_lowercase();
        let location = cell(device, "location").to_lowercase();
        let same = |a: &str, b: &str| a.is_empty() || b.is_empty() || a == b;
        let here = |rack: &&Listed| same(&rack.site, &site) && same(&rack.location, &location);
        let named: &[Listed] = self.by_name.get(name).map_or(&[], Vec::as_slice);
        let found: Vec<&Listed> = named.iter().filter(here).collect();
        match &found[..] {
            [] if !site.is_empty() && !self.has_site(&site) => Ok(Where::LeftOut),
            [] => {
                let message = format!(
                    "found {name:?}, which is no rack of the rack inventory{}; export both from one \
                     state, or correct the rack",
                    if named.is_empty() { "" } else { " at this site and location" }
                );
                Err(device.refuse("rack", message))
            }
            [rack] if rack.is_chosen => {
                let name = Name::new(device.raw("rack"));
                name.map(Where::Rack).map_err(|error| device.refuse("rack", error))
            }
            several if several.iter().all(|rack| !rack.is_chosen) => Ok(Where::LeftOut),
            _ => {
                let message = format!(
                    "found {name:?}, which is the name of {} racks; export the devices with their sites and \
                     locations",
                    found.len()
                );
                Err(device.refuse("rack", message))
            }
        }
    }

    /// Whether a rack is at a site. If the inventory gives no sites, every site counts.
    fn has_site(&self, site: &str) -> bool {
        let mut racks = self.by_name.values().flatten();
        racks.any(|rack| rack.site.is_empty() || rack.site == site)
    }
}
