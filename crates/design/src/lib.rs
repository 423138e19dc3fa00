//! What is asked of a fabric, and what it stands in: the typed design, the hall and its inventory, the optics that
//! light it.
//!
//! Nothing here reads files, and nothing lays a fibre: crate `input` reads, crate `plan` lays.

pub mod assumption;
pub mod building;
pub mod catalogue;
mod choose;
pub mod costing;
pub mod design;
pub mod devices;
pub mod family;
pub mod fittings;
pub mod geometry;
pub mod globs;
pub mod hall;
pub mod hall_document;
pub mod inventory;
pub mod optics;
pub mod pads;
pub mod platform;
pub mod rates;
pub mod work;
