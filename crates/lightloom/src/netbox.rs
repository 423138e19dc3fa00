//! A plan as NetBox takes it.

#[cfg(feature = "system")]
pub use crate::folders::netbox::netbox;
pub use crate::in_memory::netbox::{NetboxReport, netbox_files};
pub use lightloom_export::netbox::{NETBOX_FILES, NetboxOptions, Origin};
