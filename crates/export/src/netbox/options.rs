//! What is asked for.

/// Whether objects are in NetBox already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Origin {
    /// They are in NetBox under the names that the files use.
    #[default]
    InNetbox,
    /// The files create them.
    Imported,
}

/// Where in NetBox a plan goes, and what of it is there already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetboxOptions {
    /// Name of the site of all racks. `None`: the sites that the rooms of the plan are in.
    pub site: Option<String>,
    /// Name of the location of all racks. `None`: racks are found by site and name.
    pub location: Option<String>,
    /// Site, location and racks.
    pub racks: Origin,
    /// The switches of the ToRs. Their interfaces for transmitters and receivers are always created.
    pub switches: Origin,
}
