//! The text that says how to import the files.

use std::fmt::Write as _;

use lightloom_request::Files;

use crate::netbox::names::Names;
use crate::netbox::options::{NetboxOptions, Origin};
use crate::netbox::{cables, devices, interfaces, room, types};

/// The file's name.
pub(super) const FILE: &str = "README.txt";

/// What each file creates, and the page of NetBox that imports it.
const PAGES: [(&str, &str, &str); 11] = [
    (types::MANUFACTURERS, "the manufacturer", "/dcim/manufacturers/import/"),
    (devices::ROLES, "device roles", "/dcim/device-roles/import/"),
    (types::FILE, "device types with ports and mappings", "/dcim/device-types/import/"),
    (room::SITES, "the site", "/dcim/sites/import/"),
    (room::LOCATIONS, "the location", "/dcim/locations/import/"),
    (room::RACKS, "racks", "/dcim/racks/import/"),
    (devices::SWITCHES, "switches", "/dcim/devices/import/"),
    (devices::SHELVES, "shelves", "/dcim/devices/import/"),
    (devices::MODULES, "modules in the bays of the shelves", "/dcim/devices/import/"),
    (interfaces::FILE, "interfaces for transmitters and receivers", "/dcim/interfaces/import/"),
    (cables::FILE, "cables", "/dcim/cables/import/"),
];

/// The text for these files.
pub(super) fn text(files: &Files, options: &NetboxOptions, names: &Names) -> Vec<u8> {
    let mut text = String::from(
        "Files of a plan for NetBox 4.5 or later\n\nImport the files in this order. Each page takes the whole file \
         (upload it, or paste it).\nNetBox takes a file as a whole or not at all. Leave out rows whose objects are \
         there already, for\nexample from another plan.\n\n",
    );
    for (name, what, page) in PAGES.iter().filter(|page| files.iter().any(|file| file.0 == page.0))
    {
        // Writing to a string does not fail.
        let _ = writeln!(text, "  {name:<22}{page:<30}{what}");
    }
    if options.racks == Origin::InNetbox {
        let sites: Vec<String> = names.sites().iter().map(|site| format!("{site:?}")).collect();
        let sites = sites.join(", ");
        let _ = write!(
            text,
            "\nThe racks must be there, under the names of the plan. Site: {sites}.\n"
        );
    }
    if options.switches == Origin::InNetbox {
        text.push_str(
            "\nThe switches must be there, under the names in the column device of 10-interfaces.csv.\n",
        );
    }
    text.push_str(
        "\nA fabric port has an interface for its transmitter (Tx) and one for its receiver (Rx), because\nNetBox has \
         one cable for each interface, and the two fibres go to different devices.\n\nA splitter is a rear port with a \
         position for each output; the outputs are front ports. Trace\nfrom a receiver (Rx): the trace ends at the \
         transmitter that feeds it. A trace from a transmitter\nends at its splitter, where it divides.\n\nA trunk is \
         one cable for each connector: T3.2 is the second connector of trunk T3. Devices and\ncables are planned; set \
         them to active and connected when they are installed.\n",
    );
    text.into_bytes()
}
