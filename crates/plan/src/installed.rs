//! Filters and stand-ins of a repair.

use std::collections::BTreeMap;

use lightloom_topology::TorId;

/// Port filters: for each ToR the sources that it takes from one ToR's splitter only, and that ToR.
/// A ToR takes all other sources from every splitter that lights it.
pub type Accept = BTreeMap<TorId, BTreeMap<TorId, TorId>>;

/// Stand-ins: for each source whose own transmitter is out, the ToR that it unicasts to and that
/// transmits first. All other sources transmit themselves.
pub type Via = BTreeMap<TorId, TorId>;
