//! Next hops: the result of a query.

use crate::electrical::id::PortId;

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
