//! Typed indices of nodes and of their ports.

use std::fmt;

use crate::id::typed_index;

typed_index! {
    /// A host or a switch. Hosts come first: 0 … hosts-1, then the switches.
    NodeId(u32)
}
typed_index! {
    /// A port of a node, by its number on that node: 0 … ports-1.
    PortId(u16)
}
