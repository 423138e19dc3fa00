//! Import files for NetBox.

use std::collections::BTreeMap;
use std::path::PathBuf;

use lightloom::netbox::{NetboxOptions, Origin, netbox, netbox_files};
use lightloom::{Error, Project, Watch};

/// What `Plan.netbox` is asked.
pub(crate) struct Question {
    pub(crate) out: Option<PathBuf>,
    pub(crate) site: Option<String>,
    pub(crate) location: Option<String>,
    pub(crate) with_racks: bool,
    pub(crate) with_switches: bool,
}

impl Question {
    /// Writes the files if a folder is named; their texts by name.
    pub(crate) fn texts(
        self,
        project: &Project,
        watch: Watch<'_>,
    ) -> Result<BTreeMap<&'static str, String>, Error> {
        let origin = |imported| if imported { Origin::Imported } else { Origin::InNetbox };
        let (racks, switches) = (origin(self.with_racks), origin(self.with_switches));
        let options = NetboxOptions { site: self.site, location: self.location, racks, switches };
        if let Some(out) = self.out {
            watch.check()?;
            netbox(project, &out, &options)?;
        }
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let files = netbox_files(project, &options)?.into_iter();
        Ok(files.map(|(name, bytes)| (name, text(bytes))).collect())
    }
}
