//! Writes a plan's files for NetBox to a folder.

use std::path::Path;

use lightloom_export::netbox::NetboxOptions;
use lightloom_export::output::kind::Terms;
use lightloom_export::output::{folder, kinds};
use lightloom_plan::project::Project;
use lightloom_request::Error;

use super::plan::inputs_of;
use crate::in_memory::netbox::{NetboxReport, netbox_files};

/// Writes the import files of a plan for NetBox to a folder.
///
/// # Examples
/// ```
/// # use lightloom::{Request, open, setting};
/// # use lightloom::netbox::{NetboxOptions, Origin, netbox};
/// # let request = Request::default().say(&setting::fabric::P, 2_u32).say(&setting::fabric::TORS, 12_u32);
/// # let place = tempfile::tempdir().expect("a folder can be made");
/// # let options = NetboxOptions {
/// #     site: Some("Harbor Hall".into()),
/// #     location: None,
/// #     racks: Origin::InNetbox,
/// #     switches: Origin::InNetbox,
/// # };
/// let folder = place.path().join("netbox");
/// let written = netbox(&open(&request)?, &folder, &options)?;
/// assert_eq!(written.files[0], "01-manufacturers.csv");
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`Error`]. `out` is then unchanged.
pub fn netbox(
    project: &Project,
    out: &Path,
    options: &NetboxOptions,
) -> Result<NetboxReport, Error> {
    let files = netbox_files(project, options)?;
    folder::write(out, &files, Terms::of(&kinds::NETBOX, &inputs_of(project)))?;
    let names = files.iter().map(|(name, _)| (*name).to_owned());
    Ok(NetboxReport { out: out.to_path_buf(), files: names.collect() })
}
