//! Typed indices, so a ToR number cannot be used as a cassette number.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::Deserializer;
use serde::de::{Error, Unexpected, Visitor};

macro_rules! typed_index {
    ($(#[$doc:meta])* $name:ident($number:ty)) => {
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize,
        )]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::id::read(deserializer).map(Self)
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

/// Reads the number of an id. As the key of a JSON object it is a text, which readers that buffer their
/// input (`flatten`, tagged enums) hand on as one.
pub(crate) fn read<'de, N, D>(deserializer: D) -> Result<N, D::Error>
where
    N: TryFrom<u64> + FromStr,
    D: Deserializer<'de>,
{
    struct Id<N>(PhantomData<N>);

    impl<N: TryFrom<u64> + FromStr> Visitor<'_> for Id<N> {
        type Value = N;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("the number of an id")
        }

        fn visit_u64<E: Error>(self, number: u64) -> Result<N, E> {
            let wrong = || E::invalid_value(Unexpected::Unsigned(number), &self);
            N::try_from(number).map_err(|_| wrong())
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<N, E> {
            text.parse().map_err(|_| E::invalid_value(Unexpected::Str(text), &self))
        }
    }

    deserializer.deserialize_any(Id(PhantomData))
}

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
typed_index! {
    /// A room of the hall.
    RoomId(u32)
}
typed_index! {
    /// An entrance of a room, counted over all rooms.
    EntranceId(u32)
}
typed_index! {
    /// A junction of ways between rooms.
    JunctionId(u32)
}
typed_index! {
    /// A way between rooms: a tray, duct, riser or under-floor run.
    WayId(u32)
}
