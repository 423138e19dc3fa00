//! Import files for NetBox.

use std::collections::BTreeMap;
use std::path::Path;

use lightloom::{Error, NetboxOptions, Origin, netbox, netbox_files};

/// The options of the import files, from keywords.
pub(crate) fn netbox_options(
    site: Option<String>,
    location: Option<String>,
    with_racks: bool,
    with_switches: bool,
) -> NetboxOptions {
    let origin = |imported| if imported { Origin::Imported } else { Origin::InNetbox };
    let (racks, switches) = (origin(with_racks), origin(with_switches));
    NetboxOptions { site, location, racks, switches }
}

/// The import files by name. They are also written to a folder, if one is given.
pub(crate) fn netbox_texts(
    project: &lightloom::Project,
    out: Option<&Path>,
    options: &NetboxOptions,
) -> Result<BTreeMap<String, String>, Error> {
    if let Some(out) = out {
        netbox(project, out, options)?;
    }
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let files = netbox_files(project, options)?.into_iter();
    Ok(files.map(|(name, bytes)| (name.to_string(), text(bytes))).collect())
}
