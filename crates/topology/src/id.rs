//! Typed indices, so a ToR number cannot be used as a cassette number.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! typed_index {
    ($(#[$doc:meta])* $name:ident($number:ty)) => {
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(pub $number);

        impl $name {
            /// The index as a position in a slice.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of a position in a slice. The constructor of the collection limits its
            /// length.
            #[inline]
            #[allow(clippy::cast_possible_truncation, reason = "constructors bound the collections")]
            pub const fn at(index: usize) -> Self {
                Self(index as $number)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

pub(crate) use typed_index;

typed_index! {
    /// A top-of-rack switch, an edge of the cassette graph: 0 … tors-1.
    TorId(u32)
}
typed_index! {
    /// A cassette, a vertex of the cassette graph: up to p splitters that feed the same receivers.
    CassetteId(u32)
}
typed_index! {
    /// A rack of the hall, in inventory order.
    RackId(u32)
}
typed_index! {
    /// A row of racks, and the tray above it.
    RowId(u32)
}
