//! Addresses of servers and groups, with the code of a ToR in a field of bits.

use std::fmt;
use std::net::Ipv4Addr;
use std::str::FromStr;

use lightloom_routing::switch::{Codes, Ternary};
use lightloom_topology::TorId;

/// A range of IPv4 addresses, such as `10.0.0.0/8`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prefix {
    address: u32,
    length: u32,
}

impl Prefix {
    /// Number of bits behind the prefix.
    pub fn free_bits(self) -> u32 {
        32 - self.length
    }

    /// Whether an address is in the range.
    pub fn contains(self, address: Ipv4Addr) -> bool {
        self.all().matches(address)
    }

    /// A match for all addresses of the range.
    pub fn all(self) -> AddressMatch {
        AddressMatch { value: self.address, mask: !low_ones(self.free_bits()) }
    }
}

impl FromStr for Prefix {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refuse = || format!("found {text:?}; expected a range such as \"10.0.0.0/8\"");
        let (address, length) = text.split_once('/').ok_or_else(refuse)?;
        let address: Ipv4Addr = address.parse().map_err(|_| refuse())?;
        let length: u32 = length.parse().map_err(|_| refuse())?;
        if !(1..=30).contains(&length) {
            return Err(format!("found a prefix of {length} bits in {text:?}; expected 1 to 30"));
        }
        let prefix = Self { address: address.to_bits(), length };
        let rest = prefix.address & low_ones(prefix.free_bits());
        if rest != 0 {
            let first = Ipv4Addr::from_bits(prefix.address - rest);
            return Err(format!("found {text:?}; the range starts at {first}/{length}"));
        }
        Ok(prefix)
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", Ipv4Addr::from_bits(self.address), self.length)
    }
}

/// A ternary match on an IPv4 address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AddressMatch {
    value: u32,
    mask: u32,
}

impl AddressMatch {
    /// Matches every address.
    pub const ANY: Self = Self { value: 0, mask: 0 };

    /// Matches one address.
    pub fn one(address: Ipv4Addr) -> Self {
        Self { value: address.to_bits(), mask: u32::MAX }
    }

    /// The bits that must fit. Other bits are 0.
    pub fn value(self) -> Ipv4Addr {
        Ipv4Addr::from_bits(self.value)
    }

    /// Ones where bits must fit.
    pub fn mask(self) -> Ipv4Addr {
        Ipv4Addr::from_bits(self.mask)
    }

    /// Whether it matches an address.
    pub fn matches(self, address: Ipv4Addr) -> bool {
        address.to_bits() & self.mask == self.value
    }

    /// Whether it matches every address.
    pub fn is_any(self) -> bool {
        self.mask == 0
    }

    /// A match for addresses that fit both. `None`: no address does.
    pub fn and(self, other: Self) -> Option<Self> {
        let mask = self.mask & other.mask;
        let agree = self.value & mask == other.value & mask;
        agree.then_some(Self { value: self.value | other.value, mask: self.mask | other.mask })
    }

    /// The length of the prefix, if the mask is one.
    pub fn prefix_length(self) -> Option<u32> {
        (self.mask.leading_ones() + self.mask.trailing_zeros() == 32)
            .then(|| self.mask.leading_ones())
    }
}

impl fmt::Display for AddressMatch {
    /// The value, with the length of its prefix or with its mask.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.prefix_length() {
            Some(length) => write!(f, "{}/{length}", self.value()),
            None => write!(f, "{}/{}", self.value(), self.mask()),
        }
    }
}

/// The address whose bits say which ToR sent a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeField {
    /// The address of the sending server.
    Source,
    /// The address of the group: each ToR sends to an address of its own, and members join all of them.
    Destination,
}

/// The addresses of a fabric.
///
/// A server's address is: prefix of the servers, code of its ToR, number. Number 1 of each ToR is the ToR itself.
/// A group's address is: prefix of the groups, number of the group, and with [`CodeField::Destination`] the code of
/// the sending ToR.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Addresses {
    servers: Prefix,
    groups: Prefix,
    field: CodeField,
    codes: Codes,
}

impl Addresses {
    /// Checks that the codes fit.
    ///
    /// # Errors
    /// The message if a prefix leaves too few bits, or if groups are no multicast addresses.
    pub fn new(
        servers: Prefix,
        groups: Prefix,
        field: CodeField,
        codes: Codes,
    ) -> Result<Self, Unfit> {
        let multicast = Prefix { address: Ipv4Addr::new(224, 0, 0, 0).to_bits(), length: 4 };
        if !multicast.contains(groups.all().value()) || groups.length < multicast.length {
            return Err(Unfit::NoGroups(groups));
        }
        if multicast.contains(servers.all().value()) || servers.length < 4 {
            return Err(Unfit::NoServers(servers));
        }
        let bits = codes.bits();
        // A ToR and one server, besides the first and the last address.
        if servers.free_bits() < bits + 2 {
            return Err(Unfit::Bits { prefix: servers, bits, others: 2 });
        }
        if field == CodeField::Destination && groups.free_bits() < bits + 1 {
            return Err(Unfit::Bits { prefix: groups, bits, others: 1 });
        }
        Ok(Self { servers, groups, field, codes })
    }

    /// The range of all servers.
    pub fn servers(&self) -> Prefix {
        self.servers
    }

    /// The range of all groups.
    pub fn groups(&self) -> Prefix {
        self.groups
    }

    /// The address that says which ToR sent a packet.
    pub fn field(&self) -> CodeField {
        self.field
    }

    /// The codes of the ToRs.
    pub fn codes(&self) -> &Codes {
        &self.codes
    }

    /// The largest number of servers of a ToR.
    pub fn most_servers(&self) -> u32 {
        (1 << self.server_bits()) - 3
    }

    /// The largest number of groups.
    pub fn most_groups(&self) -> u64 {
        1 << (self.groups.free_bits() - self.group_shift())
    }

    /// The address of a ToR: the first one of its range.
    pub fn tor(&self, tor: TorId) -> Ipv4Addr {
        self.host(tor, 1)
    }

    /// The address of a server of a ToR. The first one has number 1.
    pub fn server(&self, tor: TorId, number: u32) -> Ipv4Addr {
        self.host(tor, number + 1)
    }

    /// The address of a group by its place, from 0. With [`CodeField::Destination`] it is that of the ToR with code 0.
    pub fn group(&self, place: u32) -> Ipv4Addr {
        Ipv4Addr::from_bits(self.groups.address | place << self.group_shift())
    }

    /// The address that servers of a ToR send to.
    pub fn sent_to(&self, group: Ipv4Addr, tor: TorId) -> Ipv4Addr {
        Ipv4Addr::from_bits(group.to_bits() | self.added_to_group(tor))
    }

    /// What servers of a ToR add to the address of a group to which they send.
    pub fn added_to_group(&self, tor: TorId) -> u32 {
        match self.field {
            CodeField::Source => 0,
            CodeField::Destination => self.codes.of(tor),
        }
    }

    /// A match for a group, whichever ToR sends.
    pub fn to_group(&self, group: Ipv4Addr) -> AddressMatch {
        AddressMatch { value: group.to_bits(), mask: !low_ones(self.group_shift()) }
    }

    /// Matches for source and destination of packets whose ToR has a code that fits.
    pub fn sent_by(&self, code: Ternary) -> (AddressMatch, AddressMatch) {
        let (source, destination) = (self.servers.all(), self.groups.all());
        match self.field {
            CodeField::Source => (with_code(source, code, self.server_bits()), destination),
            CodeField::Destination => (source, with_code(destination, code, 0)),
        }
    }

    /// The code that matches for source and destination demand: what [`Addresses::sent_by`] was made from.
    pub fn code(&self, source: AddressMatch, destination: AddressMatch) -> Ternary {
        let (code, shift) = match self.field {
            CodeField::Source => (source, self.server_bits()),
            CodeField::Destination => (destination, 0),
        };
        let ones = low_ones(self.codes.bits());
        Ternary::new(code.value >> shift & ones, code.mask >> shift & ones)
    }

    /// Whether a group's address has room for the code of the sending ToR.
    pub fn is_group(&self, address: Ipv4Addr) -> bool {
        self.groups.contains(address) && address.to_bits() & low_ones(self.group_shift()) == 0
    }

    fn host(&self, tor: TorId, number: u32) -> Ipv4Addr {
        let code = self.codes.of(tor) << self.server_bits();
        Ipv4Addr::from_bits(self.servers.address | code | number)
    }

    /// Number of bits for the servers of a ToR.
    fn server_bits(&self) -> u32 {
        self.servers.free_bits() - self.codes.bits()
    }

    /// Number of bits behind the number of a group.
    fn group_shift(&self) -> u32 {
        match self.field {
            CodeField::Source => 0,
            CodeField::Destination => self.codes.bits(),
        }
    }
}

/// Why addresses do not fit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// The range of groups is not multicast (shufflecast:III-B.match).
    #[error("found {0} for groups; expected a range within 224.0.0.0/4")]
    NoGroups(Prefix),
    /// The range of servers has multicast addresses.
    #[error("found {0} for servers; expected a range outside 224.0.0.0/4, of at least 4 bits")]
    NoServers(Prefix),
    /// The codes have too many bits.
    #[error(
        "{prefix} has {} bits behind its prefix; the ToRs need {bits} and the rest {others}; take a shorter prefix",
        prefix.free_bits()
    )]
    Bits {
        /// The range.
        prefix: Prefix,
        /// Bits of a code.
        bits: u32,
        /// The fewest other bits.
        others: u32,
    },
}

fn with_code(range: AddressMatch, code: Ternary, shift: u32) -> AddressMatch {
    AddressMatch {
        value: range.value | code.value() << shift,
        mask: range.mask | code.mask() << shift,
    }
}

/// A number with this many ones in its low bits.
fn low_ones(bits: u32) -> u32 {
    u32::MAX.checked_shr(32 - bits).unwrap_or(0)
}
