//! Where the protocols of reliable groups differ in what they ask of switches and senders: one implementation each.

use crate::multicast::Dialect;

/// What a protocol asks of the switches on the way, and what its senders put before data for their sake.
pub(crate) trait InNetwork {
    /// Bytes that the table of a group takes of the memory of a switch with `ports` ports, `used` of which the group
    /// uses. Behind `hosts` of these is a member, behind the others a switch.
    fn table_bytes(&self, ports: u64, used: u64, hosts: u64) -> u64;

    /// Bytes of the message that goes before each request to a group of so many members, the sender among them.
    fn announcement(&self, members: usize) -> u32;
}

/// Cepheus.
struct Cepheus;

impl InNetwork for Cepheus {
    /// An index of one byte for each port of the switch and, for each port in use, an address of 4, a queue pair of 3
    /// and a sequence number of 3: 704 with 64 ports, 0.69 MiB for 1,024 groups (cepheus:III-D.memory).
    fn table_bytes(&self, ports: u64, used: u64, _: u64) -> u64 {
        ports + 10 * used
    }

    /// Registration brings the addresses of WRITE.
    fn announcement(&self, _: usize) -> u32 {
        0
    }
}

/// Gleam.
struct Gleam;

impl InNetwork for Gleam {
    /// The paper prints 0.92 MB for 1,000 groups and no sizes of fields (gleam:3.3.memory): 15 for a port with a host
    /// (port and type of 1 each, address of 4, queue pair and two sequence numbers of 3 each) make 0.92 MiB for 1,000.
    fn table_bytes(&self, _: u64, used: u64, hosts: u64) -> u64 {
        15 * hosts + 8 * (used - hosts)
    }

    /// The addresses of WRITE are told request by request (gleam:3.3.write, which prints no format): 8 bytes of its
    /// own, and for each receiver an address of 8 and a key of 4.
    fn announcement(&self, members: usize) -> u32 {
        let receivers = u32::try_from(members.saturating_sub(1)).unwrap_or(u32::MAX);
        receivers.saturating_mul(8 + 4).saturating_add(8)
    }
}

impl Dialect {
    /// What the protocol asks.
    pub(crate) fn asks(self) -> &'static dyn InNetwork {
        match self {
            Self::Cepheus => &Cepheus,
            Self::Gleam => &Gleam,
        }
    }
}
