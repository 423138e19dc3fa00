//! Where the protocols of reliable groups differ in what they ask of switches and senders: one implementation each.

use crate::multicast::{Dialect, GroupVerb};

/// Bytes of an address of WRITE with its key.
pub const ADDRESS: u16 = 8 + 4;

/// What a protocol asks of the switches on the way, and what its senders put before data for their sake.
pub trait InNetwork {
    /// Bytes that the table of a group takes of the memory of a switch with `ports` ports, `used` of which the group
    /// uses. `members` are those of its ports with a member behind them, and those members whose address and key it
    /// has; behind all other ports is a switch.
    fn table_bytes(&self, ports: u64, used: u64, members: (u64, u64)) -> u64;

    /// Bytes of the message that goes before each request to a group of so many members, the sender among them.
    fn announcement(&self, verb: GroupVerb, members: usize) -> u32;

    /// Whether registration tells address and key of each member, in a step of its own.
    fn registers_addresses(&self, verb: GroupVerb) -> bool;
}

/// Cepheus.
struct Cepheus;

impl InNetwork for Cepheus {
    /// An index of one byte for each port of the switch and, for each port in use, an address of 4, a queue pair of 3
    /// and a sequence number of 3: 704 with 64 ports, 0.69 MiB for 1,024 groups (cepheus:III-D.memory).
    /// The paper counts no addresses: 8 for each, and 4 for its key (cepheus:III-B2.write).
    fn table_bytes(&self, ports: u64, used: u64, (_, addressed): (u64, u64)) -> u64 {
        ports + 10 * used + u64::from(ADDRESS) * addressed
    }

    /// Registration brings the addresses of WRITE.
    fn announcement(&self, _: GroupVerb, _: usize) -> u32 {
        0
    }

    fn registers_addresses(&self, verb: GroupVerb) -> bool {
        verb == GroupVerb::Write
    }
}

/// Gleam.
struct Gleam;

impl InNetwork for Gleam {
    /// The paper prints 0.92 MB for 1,000 groups and no sizes of fields (gleam:3.3.memory): 15 for a port with a host
    /// (port and type of 1 each, address of 4, queue pair and two sequence numbers of 3 each) make 0.92 MiB for 1,000.
    /// Addresses of WRITE that an announcement brings take nothing more, because the sum may hold them.
    fn table_bytes(&self, _: u64, used: u64, (hosts, _): (u64, u64)) -> u64 {
        15 * hosts + 8 * (used - hosts)
    }

    /// The addresses of WRITE are told request by request (gleam:3.3.write, which prints no format): 8 bytes of its
    /// own, and for each receiver an address of 8 and a key of 4.
    fn announcement(&self, verb: GroupVerb, members: usize) -> u32 {
        let receivers = u32::try_from(members.saturating_sub(1)).unwrap_or(u32::MAX);
        let bytes = receivers.saturating_mul(ADDRESS.into()).saturating_add(8);
        if verb == GroupVerb::Write { bytes } else { 0 }
    }

    fn registers_addresses(&self, _: GroupVerb) -> bool {
        false
    }
}

impl Dialect {
    /// What the protocol asks.
    pub fn asks(self) -> &'static dyn InNetwork {
        match self {
            Self::Cepheus => &Cepheus,
            Self::Gleam => &Gleam,
        }
    }
}
