//! Makes the import files for NetBox.

use std::path::PathBuf;

use lightloom_export::netbox::NetboxOptions;
use lightloom_plan::project::Project;
use lightloom_request::{Error, Files};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
/// # use lightloom::{Request, open, setting};
/// # use lightloom::netbox::{NetboxOptions, Origin, netbox_files};
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
    Ok(lightloom_export::netbox::files(project.laid()?.plant(), options)?)
}
