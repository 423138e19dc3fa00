//! What is installed for a fabric, and the chain of cords and trunks of each of its fibres.
//!
//! A *fibre* of a fabric is a feed (transmitter to splitter) or a branch (splitter to receiver). Installed are
//! *things* (switches, splitter modules, panel modules) in racks, and *cables* between their ports: cords of one
//! fibre, and trunks of many. Every fibre is a chain of cables through things. All that is counted, measured or
//! labelled follows these chains.

mod as_built;
mod build;
mod cable;
mod chains;
mod connector;
pub mod end_labels;
mod error;
mod fibre;
mod hardware;
mod joints;
mod lay;
mod plant;
mod point_to_point;
mod room;
mod scheme;
mod site;
mod thing;
mod zone;

pub use as_built::{Astray, Built, CableEnd, Misbuilt, Plug};
pub use cable::{Cable, CableId, CableKind, End, Leg, Link, Part, Port, Trunk};
pub use connector::{Connector, Gender};
pub use error::PlantError;
pub use fibre::{Far, Fibre, FibreId};
pub use hardware::{Hardware, ModuleSize, TrunkSize};
pub use joints::Position;
pub use plant::{Plant, Stock, Totals};
pub use scheme::Scheme;
pub use site::{PortNames, Site, TakenUnits, middle_of};
pub use thing::{Thing, ThingId, ThingKind};
pub use zone::frames_needed;
