//! Next hops: the result of a query, and the tables behind it.

use crate::electrical::error::NetworkError;
use crate::electrical::id::PortId;
use crate::electrical::subtrees::Subtree;
use crate::electrical::table::Table;
use crate::electrical::wiring::Wiring;

/// The next hops toward a host: ports of a node on the shortest ways, ascending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextHops<'a> {
    /// Consecutive ports.
    Range {
        /// The lowest port.
        first: u16,
        /// The number of ports.
        count: u16,
    },
    /// Any other ports.
    List(&'a [u16]),
}

impl NextHops<'_> {
    /// The number of ports.
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Self::Range { count, .. } => usize::from(*count),
            Self::List(ports) => ports.len(),
        }
    }

    /// Whether there are none, as at the destination itself.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The port at an index in ascending order.
    ///
    /// # Panics
    /// If `place` is not below [`NextHops::len`].
    #[inline]
    pub fn get(&self, place: usize) -> PortId {
        match self {
            Self::Range { first, count } => {
                assert!(place < usize::from(*count), "place {place} of {count} next hops");
                PortId::at(usize::from(*first) + place)
            }
            Self::List(ports) => PortId(ports[place]),
        }
    }

    /// The ports, ascending.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = PortId> {
        (0..self.len()).map(|place| self.get(place))
    }
}

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
