//! What is built: the fabric and the hall it stands in.
//!
//! A fabric is a directed multigraph in which **cassettes are vertices and ToRs are edges**
//! ([`Fabric`]); [`family`] makes fabrics; [`hall`] says where racks and trays are and how a
//! fibre runs between them. Nothing here routes a packet, reads a file or knows a price.

pub mod electrical;
pub mod fabric;
pub mod family;
pub mod hall;
mod id;
pub mod search;

pub use fabric::{Fabric, FabricError};
pub use id::{CassetteId, RackId, RowId, TorId};
