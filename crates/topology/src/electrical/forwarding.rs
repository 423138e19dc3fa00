//! The tables behind next hops.

use crate::electrical::error::NetworkError;
use crate::electrical::subtrees::Subtree;
use crate::electrical::table::Table;
use crate::electrical::wiring::Wiring;

/// The method by which a network finds the next hops of a switch toward a host.
#[derive(Debug, Clone)]
pub(super) enum Forwarding {
    /// For a layered network: from the hosts below each switch.
    Computed(Vec<Subtree>),
    /// For any other network: from a table.
    Listed(Table),
}

impl Forwarding {
    /// For the regular families.
    pub(super) fn computed(wiring: &Wiring) -> Result<Self, NetworkError> {
        Ok(Self::Computed(Subtree::all(wiring)))
    }

    /// For any network.
    pub(super) fn listed(wiring: &Wiring) -> Result<Self, NetworkError> {
        Table::new(wiring).map(Self::Listed)
    }
}
