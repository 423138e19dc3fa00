//! Next hops, as asked for and as kept.

use super::subtrees::Subtree;
use super::table::Table;
use super::wiring::Wiring;
use super::{NetworkError, PortId};

/// Ports of a node, ascending: those on the shortest ways to some host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Routes<'a> {
    /// Ports that follow one another.
    Range {
        /// The lowest port.
        first: u16,
        /// How many.
        count: u16,
    },
    /// Any others.
    List(&'a [u16]),
}

impl Routes<'_> {
    /// The number of ports.
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Self::Range { count, .. } => usize::from(*count),
            Self::List(ports) => ports.len(),
        }
    }

    /// Whether there is none, as at the destination itself.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The port at a place in ascending order.
    ///
    /// # Panics
    /// When `place` is not below [`Routes::len`].
    #[inline]
    pub fn get(&self, place: usize) -> PortId {
        match self {
            Self::Range { first, count } => {
                assert!(place < usize::from(*count), "place {place} of {count} routes");
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

/// How a network finds the ports of a switch on the shortest ways to a host.
#[derive(Debug, Clone)]
pub(super) enum NextHops {
    /// In a layered network, from the hosts below each switch.
    Computed(Vec<Subtree>),
    /// In any other, from a table.
    Listed(Table),
}

impl NextHops {
    /// For the regular families.
    pub(super) fn computed(wiring: &Wiring) -> Result<Self, NetworkError> {
        Ok(Self::Computed(Subtree::all(wiring)))
    }

    /// For any network.
    pub(super) fn listed(wiring: &Wiring) -> Result<Self, NetworkError> {
        Table::new(wiring).map(Self::Listed)
    }
}
