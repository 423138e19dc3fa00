//! Registration and control of reliable groups, in packets of UDP.
//!
//! cepheus:fig5 gives registration 8 bytes of metadata and 8 for each node, and names neither the fields'
//! order nor the port. What other control of groups looks like is not in the papers.

use lightloom_twin::{Course, Envelope, GroupId, Kind, Known, Node, Packet, Repair, Step, Stop};

use crate::addresses::{FIRST_QP, ip, member_address, member_key};

/// Nodes are entered, not taken out. The high bits stay 0: dissectors would take the packet for QUIC.
const ENTERS: u8 = 1;
/// Data go over splitters; repairs, too.
const LIGHT: u8 = 1 << 1;
const LIGHT_REPAIRS: u8 = 1 << 2;
/// The switch that gets it must know the group.
const KNOWN: u8 = 1 << 3;
/// Members have address and key.
const ADDRESSES: u8 = 1 << 4;
/// A node is a switch that light stops at.
const STOP: u8 = 1 << 7;
/// It lights the tree for the sender, or may one day.
const SPARE: u8 = 1 << 6;

/// Flags (1 byte), number of the packet (2) and of all packets (2), first sequence number (3); then the nodes. A member
/// is 0 (1), queue pair (3), address (4). A stop is a flag (1), the switch (3), and one more than the splitters that it
/// takes light of (2) and sends into (2), 0 for none. In a packet of addresses a member has in addition where it wants
/// a WRITE (8), and its key (4).
pub(crate) fn registration(envelope: &Envelope, group: GroupId) -> Vec<u8> {
    let enters = if envelope.enters { ENTERS } else { 0 };
    let course = match envelope.course {
        Course::Links => 0,
        Course::Light(Repair::Electrons) => LIGHT,
        Course::Light(Repair::Light) => LIGHT | LIGHT_REPAIRS,
    };
    let known = if envelope.known == Known::Surely { KNOWN } else { 0 };
    let has_addresses = envelope.step == Step::Addresses;
    let addresses = if has_addresses { ADDRESSES } else { 0 };
    let mut bytes = vec![enters | course | known | addresses];
    let (part, parts) = envelope.part;
    bytes.extend_from_slice(&part.to_be_bytes());
    bytes.extend_from_slice(&parts.to_be_bytes());
    bytes.extend_from_slice(&three(envelope.first.get()));
    for node in &envelope.nodes {
        match *node {
            Node::Member { host, qp } => {
                bytes.push(0);
                bytes.extend_from_slice(&three(qp.wrapping_add(FIRST_QP)));
                bytes.extend_from_slice(&ip(host));
                if has_addresses {
                    bytes.extend_from_slice(&member_address(host).to_be_bytes());
                    bytes.extend_from_slice(&member_key(group).to_be_bytes());
                }
            }
            Node::Stop(Stop { at, accept, relay, is_spare, .. }) => {
                bytes.push(if is_spare { STOP | SPARE } else { STOP });
                bytes.extend_from_slice(&three(at.0));
                bytes.extend_from_slice(&splitter(accept));
                bytes.extend_from_slice(&splitter(relay));
            }
        }
    }
    bytes
}

/// One more than the number of a splitter; 0 for none.
fn splitter(number: Option<u32>) -> [u8; 2] {
    let number = number.map_or(0, |number| number.saturating_add(1));
    u16::try_from(number).unwrap_or(u16::MAX).to_be_bytes()
}

fn three(number: u32) -> [u8; 3] {
    let [_, a, b, c] = number.to_be_bytes();
    [a, b, c]
}

/// Bytes of other control: as long as an acknowledgement.
const CONTROL: usize = 20;

/// What it is (1 byte: 1 confirms, 2 prunes, 3 refuses, 4 go, 5 done), the group (4), the host or switch that it is
/// about (4) and the run of messages (3); the rest is 0. Admission names a message in place of the run, and its rate
/// (3) after it. None of other kinds.
pub(crate) fn control(packet: &Packet, group: u32, about: u32) -> Option<[u8; CONTROL]> {
    let kind = match packet.kind {
        Kind::Confirm => 1,
        Kind::Prune => 2,
        Kind::Refuse => 3,
        Kind::Go => 4,
        Kind::Done => 5,
        Kind::Ask => 6,
        Kind::Have => 7,
        Kind::Leave => 8,
        Kind::Detach => 9,
        Kind::Request => 10,
        Kind::Grant => 11,
        Kind::Release => 12,
        Kind::Released => 13,
        Kind::Lost => 14,
        Kind::Addressed => 15,
        Kind::Register | Kind::Address => return None,
        Kind::Data | Kind::Ack | Kind::Nack | Kind::Cnp | Kind::Pause => return None,
    };
    let mut bytes = [0; CONTROL];
    bytes[0] = kind;
    bytes[1..5].copy_from_slice(&group.to_be_bytes());
    bytes[5..9].copy_from_slice(&about.to_be_bytes());
    bytes[9..12].copy_from_slice(&three(packet.seen.get()));
    if matches!(packet.kind, Kind::Request | Kind::Grant) {
        bytes[12..15].copy_from_slice(&three(packet.psn.get()));
    }
    Some(bytes)
}
