//! Site, location and racks, for a NetBox that does not have them.

use lightloom_plant::Plant;

use crate::netbox::names::{Names, slug};
use crate::netbox::options::NetboxOptions;
use crate::netbox::table::Table;

/// The file with the site.
pub(super) const SITES: &str = "04-sites.csv";
/// The file with the location.
pub(super) const LOCATIONS: &str = "05-locations.csv";
/// The file with the racks.
pub(super) const RACKS: &str = "06-racks.csv";

/// Width between the rails in inches (EIA-310).
const WIDTH: &str = "19";

pub(super) fn sites(names: &Names) -> Vec<u8> {
    let mut table = Table::new(&["name", "slug", "status"]);
    for site in names.sites() {
        table.row(&[site, &slug(site), "active"]);
    }
    table.into_bytes()
}

pub(super) fn locations(names: &Names, location: &str) -> Vec<u8> {
    let mut table = Table::new(&["site", "name", "slug", "status"]);
    for site in names.sites() {
        table.row(&[site, location, &slug(location), "active"]);
    }
    table.into_bytes()
}

/// The racks that hold a thing of the plan.
pub(super) fn racks(plant: &Plant, options: &NetboxOptions, names: &Names) -> Vec<u8> {
    let columns = ["site", "name", "status", "width", "u_height", "description"];
    let mut table = Table::located(&columns, options);
    let hall = &plant.site().hall;
    for (&id, site) in &names.racks {
        let rack = hall.rack(id);
        let (units, row) = (rack.units.to_string(), hall.row_name(rack.row));
        table.row(&[site, rack.name.as_str(), "active", WIDTH, &units, &row]);
    }
    table.into_bytes()
}
