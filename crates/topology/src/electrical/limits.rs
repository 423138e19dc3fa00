//! How large a network may be.

/// The largest number of hosts in a network: 2^20.
pub const MAX_HOSTS: u32 = 1 << 20;

/// The largest number of links in a network: 2^22, some 200 MB of ports.
pub const MAX_LINKS: u32 = 1 << 22;

/// The largest number of ports of a node: 65,535, so that it fits 16 bits.
pub const MAX_PORTS: u16 = u16::MAX;

/// The largest number of entries in a table of next hops: 2^26, some 500 MB. An entry is a pair of
/// a switch and a switch with hosts, or a port in a list that is not a range.
pub const MAX_TABLE: usize = 1 << 26;
