//! Site, location and racks, for a NetBox that does not have them.

use std::collections::BTreeSet;

use lightloom_plant::Plant;
use lightloom_topology::RackId;

use crate::netbox::NetboxOptions;
use crate::netbox::names::slug;
use crate::netbox::table::Table;

/// The file with the site.
pub(super) const SITES: &str = "04-sites.csv";
/// The file with the location.
pub(super) const LOCATIONS: &str = "05-locations.csv";
/// The file with the racks.
pub(super) const RACKS: &str = "06-racks.csv";

/// Width between the rails in inches (EIA-310).
const WIDTH: &str = "19";

pub(super) fn sites(options: &NetboxOptions) -> Vec<u8> {
    let mut table = Table::new(&["name", "slug", "status"]);
    table.row(&[options.site.as_str(), &slug(&options.site), "active"]);
    table.into_bytes()
}

pub(super) fn locations(site: &str, location: &str) -> Vec<u8> {
    let mut table = Table::new(&["site", "name", "slug", "status"]);
    table.row(&[site, location, &slug(location), "active"]);
    table.into_bytes()
}

/// The racks that hold a thing of the plan.
pub(super) fn racks(plant: &Plant<'_>, options: &NetboxOptions) -> Vec<u8> {
    let mut table =
        Table::located(&["site", "name", "status", "width", "u_height", "description"], options);
    let used: BTreeSet<RackId> = plant.things().iter().map(|thing| thing.rack).collect();
    let hall = plant.site().hall;
    for id in used {
        let rack = hall.rack(id);
        let (units, row) = (rack.units.to_string(), format!("row {}", hall.row(rack.row).name));
        let name = rack.name.as_str();
        table.row(&[&options.site, name, "active", WIDTH, &units, &row]);
    }
    table.into_bytes()
}
