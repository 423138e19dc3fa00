//! The wiring plan, and the files in which people read it.
//!
//! [`WiringPlan`] says for every fibre where it ends and how long it is; the other modules write
//! that as cables, ports, bill of materials, pull sheet and relay rules, byte for byte the same for
//! the same plan, and [`folder`] puts them on disk all at once or not at all. Nothing here decides
//! anything about routing, and nothing here reads a user's file.

pub mod bom;
pub mod cables;
pub mod folder;
mod labels;
pub mod ports;
pub mod pull_sheet;
pub mod rules;
mod sheet;
mod stock;
mod wiring;

pub use labels::end_labels;
pub use sheet::neutralised;
pub use stock::{Accounting, FibrePrice, StockLengths};
pub use wiring::{Cable, Far, Housing, Site, Totals, WiringPlan};
