//! Headers of frames, field by field.

use lightloom_topology::electrical::NodeId;
use lightloom_twin::{Ecn, Packet};

use crate::addresses;
use crate::icrc::icrc;

/// Bytes of the frame check sequence of Ethernet, which captures leave out.
pub(crate) const CHECK_SEQUENCE: u16 = 4;

const ETHERNET: usize = 14;
const IPV4: usize = 20;
const UDP: usize = 8;

/// The port of RoCEv2 (InfiniBand Architecture 1.4, annex A17.3.2).
pub(crate) const ROCE: u16 = 4791;

/// The port of registration and control of groups. No paper names one, and this one is not assigned.
pub(crate) const GROUPS: u16 = 4792;

/// Time to live: the twin counts no hops.
const TIME_TO_LIVE: u8 = 64;

/// The base transport header (InfiniBand Architecture 1.4, 9.2). The key of the partition is the default one and no
/// padding is counted.
pub(crate) struct Bth {
    pub(crate) opcode: u8,
    /// Solicited event.
    pub(crate) solicited: bool,
    /// Whether the path has migrated, which is its state from the start.
    pub(crate) migrated: bool,
    /// Backward congestion notification (annex A17.9).
    pub(crate) notifies: bool,
    pub(crate) qp: u32,
    /// Whether an acknowledgement is asked for.
    pub(crate) asks: bool,
    pub(crate) psn: u32,
}

impl Bth {
    pub(crate) fn bytes(&self) -> [u8; 12] {
        let [_, q0, q1, q2] = self.qp.to_be_bytes();
        let [_, p0, p1, p2] = self.psn.to_be_bytes();
        let flags = u8::from(self.solicited) << 7 | u8::from(self.migrated) << 6;
        let marks = u8::from(self.notifies) << 6;
        let asks = u8::from(self.asks) << 7;
        [self.opcode, flags, 0xff, 0xff, marks, q0, q1, q2, asks, p0, p1, p2]
    }
}

/// The header of a WRITE (InfiniBand Architecture 1.4, 9.3): address, key, and length of the message.
pub(crate) fn reth(address: u64, key: u32, length: u32) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&address.to_be_bytes());
    bytes[8..12].copy_from_slice(&key.to_be_bytes());
    bytes[12..].copy_from_slice(&length.to_be_bytes());
    bytes
}

/// The header of an acknowledgement (InfiniBand Architecture 1.4, 9.3): syndrome and message sequence number.
pub(crate) fn aeth(syndrome: u8, msn: u32) -> [u8; 4] {
    let [_, a, b, c] = msn.to_be_bytes();
    [syndrome, a, b, c]
}

/// Who sends: the node that transmits on Ethernet, and a host or a group in IPv4.
#[derive(Clone, Copy)]
pub(crate) struct Source {
    pub(crate) mac: [u8; 6],
    pub(crate) ip: [u8; 4],
}

/// A frame of UDP: headers, what it carries, and the invariant check sequence of RoCEv2. None where the destination
/// is neither a host nor a group.
pub(crate) fn roce(packet: &Packet, from: Source, carries: &[&[u8]]) -> Option<Vec<u8>> {
    let mut frame = udp(packet, from, ROCE, carries, 4)?;
    let check = icrc(&frame[ETHERNET..]);
    if packet.is_corrupt() {
        // The bit changed on the way, so that the check sequence is that of the packet as it was sent.
        match frame.split_at_mut(ETHERNET + IPV4 + UDP + 12).1 {
            [.., last] => *last ^= 1,
            // Nothing but headers: the check sequence itself is hit.
            [] => {
                frame.extend_from_slice(&check.map(|byte| byte ^ 1));
                return Some(frame);
            }
        }
    }
    frame.extend_from_slice(&check);
    Some(frame)
}

/// A frame of UDP that only switches and leaders of groups read.
pub(crate) fn of_groups(packet: &Packet, from: Source, carries: &[&[u8]]) -> Option<Vec<u8>> {
    let mut frame = udp(packet, from, GROUPS, carries, 0)?;
    if let (true, Some(last)) = (packet.is_corrupt(), frame.last_mut()) {
        *last ^= 1;
    }
    Some(frame)
}

/// The headers of UDP and what it carries. `more` bytes are still to follow.
fn udp(
    packet: &Packet,
    from: Source,
    port: u16,
    carries: &[&[u8]],
    more: usize,
) -> Option<Vec<u8>> {
    let (mac, ip) = addresses::destination(packet.to)?;
    let carried: usize = carries.iter().map(|bytes| bytes.len()).sum();
    let length = |header: usize| u16::try_from(header + carried + more).ok();
    let mut frame = Vec::with_capacity(ETHERNET + IPV4 + UDP + carried + more);
    frame.extend_from_slice(&mac);
    frame.extend_from_slice(&from.mac);
    frame.extend_from_slice(&[0x08, 0x00]);
    frame.extend_from_slice(&ipv4(packet, length(IPV4 + UDP)?, from.ip, ip));
    for field in [addresses::source_port(packet.entropy), port, length(UDP)?, 0] {
        frame.extend_from_slice(&field.to_be_bytes());
    }
    carries.iter().for_each(|bytes| frame.extend_from_slice(bytes));
    Some(frame)
}

/// The header of IPv4 (RFC 791): never in fragments.
fn ipv4(packet: &Packet, length: u16, from: [u8; 4], to: [u8; 4]) -> [u8; IPV4] {
    const UDP_PROTOCOL: u8 = 17;
    let ecn = match packet.ecn {
        Ecn::Not => 0,
        Ecn::Capable => 0b10,
        Ecn::Marked => 0b11,
    };
    let mut header = [0; IPV4];
    header[0] = 0x45;
    header[1] = addresses::code_point(packet.class) << 2 | ecn;
    header[2..4].copy_from_slice(&length.to_be_bytes());
    header[6] = 0x40;
    (header[8], header[9]) = (TIME_TO_LIVE, UDP_PROTOCOL);
    header[12..16].copy_from_slice(&from);
    header[16..].copy_from_slice(&to);
    let sum: u32 = header.chunks(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(pair[1])).sum();
    let folded = (sum & 0xffff) + (sum >> 16);
    let [.., high, low] = (!((folded & 0xffff) + (folded >> 16))).to_be_bytes();
    header[10..12].copy_from_slice(&[high, low]);
    header
}

/// A pause of one class (IEEE 802.1Qbb, 36.1.3.3): control frame, opcode, the classes that are told, and a time in
/// quanta for each. `bytes` is the length that it is filled to.
pub(crate) fn pause(packet: &Packet, from: NodeId, bytes: usize) -> Vec<u8> {
    let priority = addresses::PRIORITIES[packet.class.index()];
    let mut frame = Vec::with_capacity(bytes);
    frame.extend_from_slice(&addresses::PAUSED_NEIGHBOUR);
    frame.extend_from_slice(&addresses::mac(from));
    frame.extend_from_slice(&[0x88, 0x08, 0x01, 0x01, 0x00, 1 << priority]);
    let [.., high, low] = packet.psn.get().to_be_bytes();
    for each in 0..8 {
        frame.extend_from_slice(&if each == priority { [high, low] } else { [0, 0] });
    }
    frame.resize(bytes, 0);
    if let (true, Some(last)) = (packet.is_corrupt(), frame.last_mut()) {
        *last ^= 1;
    }
    frame
}
