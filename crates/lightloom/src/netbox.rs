//! Import files for NetBox, made from a plan.

#[cfg(feature = "folders")]
use std::path::Path;
use std::path::PathBuf;

use lightloom_export::netbox::NetboxOptions;
#[cfg(feature = "folders")]
use lightloom_export::output::folder;
#[cfg(feature = "folders")]
use lightloom_export::output::kind::Terms;
#[cfg(feature = "folders")]
use lightloom_export::output::kinds;
use lightloom_plan::laid::lay;
use lightloom_plan::project::Project;
use lightloom_request::{Error, Files};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[cfg(feature = "folders")]
use crate::planning::inputs_of;

/// The import files that were written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NetboxReport {
    /// The folder that was written.
    pub out: PathBuf,
    /// The files, in the order of their import. The last one says how to import them.
    pub files: Vec<String>,
}

/// The import files of a plan for NetBox 4.5 or later: its shelves, modules, ports and cables.
///
/// # Examples
/// ```
/// # use lightloom::{NetboxOptions, Origin, Request, netbox_files, open, setting};
/// # let request = Request::default().say(&setting::fabric::P, 2_u32).say(&setting::fabric::TORS, 12_u32);
/// let options = NetboxOptions {
///     site: Some("Harbor Hall".into()),
///     location: None,
///     racks: Origin::InNetbox,
///     switches: Origin::Imported,
/// };
/// let files = netbox_files(&open(&request)?, &options)?;
/// let (name, cables) = files.iter().rev().nth(1).expect("the file before README.txt");
/// // 12 feeds and 24 branches below the titles.
/// assert_eq!((*name, cables.split(|&byte| byte == b'\n').count()), ("11-cables.csv", 1 + 36 + 1));
/// # Ok::<(), lightloom::Error>(())
/// ```
///
/// # Errors
/// [`Error::Input`] with the first name that NetBox would refuse.
pub fn netbox_files(project: &Project, options: &NetboxOptions) -> Result<Files, Error> {
    let plant = lay(project)?;
    Ok(lightloom_export::netbox::files(&plant, options)?)
}

/// Writes the import files of a plan for NetBox to a folder.
///
/// # Examples
/// ```
/// # use lightloom::{NetboxOptions, Origin, Request, netbox, open, setting};
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
#[cfg(feature = "folders")]
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
