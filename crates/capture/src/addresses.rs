//! Addresses, queue pairs and keys. All of them follow from numbers of the twin.

use lightloom_switching::lossless::{CONTROL, LOSSLESS, LOSSY};
use lightloom_topology::electrical::NodeId;
use lightloom_twin::{Class, Dest, FlowId, GroupId};

/// The number of the first queue pair of a host. 0 and 1 are special (InfiniBand Architecture 1.4, 3.5.3).
pub const FIRST_QP: u32 = 2;

/// The queue pair of packets to a group before a switch makes them packets to a host (cepheus:III-A.qp, gleam:3.3.qp).
pub const GROUP_QP: u32 = 1;

/// The priorities of IEEE 802.1Q that classes have in pauses: control, lossless, lossy.
pub const PRIORITIES: [u8; 3] = [CONTROL.priority, LOSSLESS.priority, LOSSY.priority];

/// The code points of differentiated services that classes have: CS6, AF31, default.
const CODE_POINTS: [u8; 3] = [CONTROL.dscp, LOSSLESS.dscp, LOSSY.dscp];

/// Where pauses go (IEEE 802.3, annex 31B).
pub(crate) const PAUSED_NEIGHBOUR: [u8; 6] = [0x01, 0x80, 0xc2, 0x00, 0x00, 0x01];

/// The Ethernet address of a node: locally administered, then its number.
pub fn mac(node: NodeId) -> [u8; 6] {
    let [a, b, c, d] = node.0.to_be_bytes();
    [0x02, 0, a, b, c, d]
}

/// The IPv4 address of a node: 10.0.0.1 for host 0. Switches have one for the control of groups.
pub fn ip(host: NodeId) -> [u8; 4] {
    after([10, 0, 0, 1], host.0)
}

/// The IPv4 address of a group: 239.0.0.1 for group 0.
pub fn group_ip(group: GroupId) -> [u8; 4] {
    after([239, 0, 0, 1], group.0)
}

/// The Ethernet and IPv4 address that a packet goes to (gleam:3.3.mac). Group 0 is 239.0.0.1, and its Ethernet address
/// has the lowest 23 bits of that (RFC 1112, 6.4). None of a pause.
pub(crate) fn destination(to: Dest) -> Option<([u8; 6], [u8; 4])> {
    if let Some(host) = to.as_host() {
        return Some((mac(host), ip(host)));
    }
    let ip = group_ip(to.as_group()?);
    let [_, a, b, c] = ip;
    Some(([0x01, 0x00, 0x5e, a & 0x7f, b, c], ip))
}

/// The address `number` places after `first`.
fn after(first: [u8; 4], number: u32) -> [u8; 4] {
    u32::from_be_bytes(first).wrapping_add(number).to_be_bytes()
}

/// The code point of a class.
pub(crate) fn code_point(class: Class) -> u8 {
    CODE_POINTS[class.index()]
}

/// The UDP port of a sender, which chooses among equal ways: 49,152 and more, as annex A17 of the InfiniBand
/// Architecture 1.4 recommends.
pub(crate) fn source_port(entropy: u16) -> u16 {
    0xc000 | entropy
}

/// The first address of a WRITE: each message has 4 GiB of its own.
pub fn virtual_address(flow: FlowId) -> u64 {
    (u64::from(flow.0) + 1) << 32
}

/// The remote key of a WRITE: the number of its flow.
pub fn remote_key(flow: FlowId) -> u32 {
    flow.0
}

/// The address at which a member of a reliable group wants every WRITE to it. It lies above those of flows.
pub fn member_address(host: NodeId) -> u64 {
    GROUP_MEMORY | (u64::from(host.0) + 1) << 32
}

/// The remote key of a member of a reliable group.
pub fn member_key(group: GroupId) -> u32 {
    1 << 31 | group.0
}

/// The address that all members of a group have in common, where adapters can choose it (gleam:C).
pub const SAME_ADDRESS: u64 = GROUP_MEMORY;

/// Where the memory of members of groups begins.
const GROUP_MEMORY: u64 = 1 << 63;

/// Adds payload from an offset of a message on. Of each eight bytes of a message, the first four are its number as a
/// flow, the others their own offset, both with the highest byte first.
pub(crate) fn payload(frame: &mut Vec<u8>, flow: FlowId, offset: u64, bytes: usize) {
    frame.reserve(bytes + 8);
    let end = frame.len() + bytes;
    let mut word = offset & !7;
    let mut skip = usize::from((offset & 7) as u8);
    while frame.len() < end {
        // Messages of captures have at most 2^31 bytes.
        let at = u32::try_from(word).unwrap_or(u32::MAX);
        let both = [flow.0.to_be_bytes(), at.to_be_bytes()].concat();
        frame.extend_from_slice(&both[skip..]);
        (word, skip) = (word + 8, 0);
    }
    frame.truncate(end);
}
