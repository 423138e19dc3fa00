//! The bytes of packets, kind by kind.

use std::collections::BTreeMap;
use std::sync::Arc;

use lightloom_request::InputError;
use lightloom_topology::electrical::NodeId;
use lightloom_twin::params::{RETH, Recovery, Wire};
use lightloom_twin::{
    Course, Data, Dest, Dialect, Envelope, Group, GroupId, GroupVerb, Hop, Kind, Known, Node, Psn,
    Reliable, Round, Service, Setup, Step,
};

use crate::addresses::{
    FIRST_QP, GROUP_QP, SAME_ADDRESS, group_ip, ip, mac, member_address, member_key, payload,
    remote_key, virtual_address,
};
use crate::headers::{Bth, CHECK_SEQUENCE, Source, aeth, of_groups, pause, reth, roce};
use crate::messages::{Messages, Transport};
use crate::registration::{control, registration};

/// Bytes of the headers and check sequences of data: Ethernet 14 and 4, IPv4 20, UDP 8, BTH 12, ICRC 4.
const HEADER: u16 = 62;
/// The same with the header of an acknowledgement.
const CONTROL: u16 = HEADER + 4;
/// The shortest frame of Ethernet.
const PAUSE: u16 = 64;
/// The longest message of InfiniBand (InfiniBand Architecture 1.4, 9.4; gleam:table1), and the most packets of one
/// whose sequence numbers are told apart.
const LONGEST: u64 = 1 << 31;
const MOST_PACKETS: u64 = 1 << 24;

/// Opcodes (InfiniBand Architecture 1.4, 9.2).
mod opcode {
    pub(crate) const SEND: u8 = 0x00;
    pub(crate) const WRITE: u8 = 0x06;
    /// SEND on an unreliable connection.
    pub(crate) const UNRELIABLE_SEND: u8 = 0x20;
    pub(crate) const ACKNOWLEDGE: u8 = 0x11;
    /// Congestion notification (annex A17.9.3).
    pub(crate) const NOTIFICATION: u8 = 0x81;
    /// Beyond the opcode of a first packet.
    pub(crate) const MIDDLE: u8 = 1;
    pub(crate) const LAST: u8 = 2;
    pub(crate) const ONLY: u8 = 4;
}

/// Acknowledged, without end-to-end credits (InfiniBand Architecture 1.4, 9.7.5.2).
const ACKNOWLEDGED: u8 = 0x1f;
/// A packet is missing: negative acknowledgement with the code of a sequence error.
const MISSING: u8 = 0x60;

/// Makes the frames of a run.
pub struct Frames {
    messages: Messages,
    mtu: u64,
    ack_every: u64,
    selective: bool,
    /// Nodes below this number are hosts.
    hosts: usize,
    /// The leader of each reliable group, and what its data go over.
    groups: BTreeMap<GroupId, (NodeId, Course)>,
    /// Who sends each message to a group, and the group.
    casts: Vec<(NodeId, GroupId)>,
    /// Who admits them.
    controller: Option<NodeId>,
}

/// What registration packets hold, as [`Outcome::registrations`](lightloom_twin::Outcome::registrations) has it.
pub type Registrations = BTreeMap<(NodeId, u32), Arc<Envelope>>;

/// A packet that has no bytes: a fault of the twin or of this module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unframed {
    /// No message of the setup has such a packet.
    NoMessage,
    /// The frame has another length than the twin counted.
    Length(usize),
}

impl Frames {
    /// Prepares the messages of a setup.
    ///
    /// # Errors
    /// [`InputError`] if frames cannot be as long as the parameters say, or if a message is longer than RoCE has.
    pub fn new(setup: &Setup<'_>) -> Result<Self, InputError> {
        let Wire { header, control, pause, mtu, .. } = setup.params.wire;
        for (name, found, expected) in
            [("header", header, HEADER), ("control", control, CONTROL), ("pause", pause, PAUSE)]
        {
            if found != expected {
                let message = format!(
                    "needs frames as RoCEv2 has them: parameters.wire.{name} is {found} B, expected {expected} B"
                );
                return Err(InputError::new(message).in_option("pcap"));
            }
        }
        for (number, group) in setup.multicast.groups.iter().enumerate() {
            let announces = |service: &Reliable| {
                service.dialect == Dialect::Gleam && service.verb == GroupVerb::Write
            };
            if matches!(&group.service, Service::Reliable(service) if announces(service)) {
                let message = format!(
                    "has no frames for the messages that Gleam sends before each WRITE, and group {number} speaks it; \
                     give the group verb = \"send\" or \"write-same-address\""
                );
                return Err(InputError::new(message).in_option("pcap"));
            }
        }
        let flows = setup.flows.iter().map(|flow| flow.size);
        let casts = setup.multicast.casts.iter().map(|cast| cast.size);
        let mtu = u64::from(mtu.max(1));
        for (number, bytes) in flows.chain(casts).map(|size| size.as_bytes()).enumerate() {
            if bytes > LONGEST.min(MOST_PACKETS * mtu) {
                let message = format!(
                    "flow {number} has {bytes} bytes; a message of RoCE has at most {LONGEST} bytes and \
                     {MOST_PACKETS} packets; make several flows of it"
                );
                return Err(InputError::new(message).in_option("pcap"));
            }
        }
        let transport = &setup.params.transport;
        Ok(Self {
            messages: Messages::new(setup),
            mtu,
            ack_every: transport.ack_every.max(1).into(),
            hosts: setup.network.hosts(),
            groups: (0..).map(GroupId).zip(&setup.multicast.groups).filter_map(led).collect(),
            casts: setup.multicast.casts.iter().map(|cast| (cast.from, cast.to)).collect(),
            controller: setup.multicast.admission.map(|admission| admission.controller),
            selective: matches!(transport.recovery, Recovery::SelectiveRepeat { .. }),
        })
    }

    /// The frame of a packet that `from` transmitted, without the frame check sequence. Packets of one link come in the
    /// order of time.
    ///
    /// # Errors
    /// [`Unframed`] where the packet has no message or another length.
    pub fn frame(
        &mut self,
        hop: &Hop,
        from: NodeId,
        registrations: &Registrations,
    ) -> Result<Vec<u8>, Unframed> {
        let bytes = usize::from(hop.packet.bytes.saturating_sub(CHECK_SEQUENCE));
        let frame = self.bytes(hop, (from, bytes), registrations).ok_or(Unframed::NoMessage)?;
        if frame.len() == bytes { Ok(frame) } else { Err(Unframed::Length(frame.len())) }
    }

    /// The one place where the bytes of each kind of packet are chosen.
    fn bytes(
        &mut self,
        hop: &Hop,
        (from, bytes): (NodeId, usize),
        registrations: &Registrations,
    ) -> Option<Vec<u8>> {
        let packet = &hop.packet;
        match packet.kind {
            Kind::Pause => Some(pause(packet, from, bytes)),
            Kind::Data => self.data(hop, from),
            Kind::Ack | Kind::Nack | Kind::Cnp => self.answer(hop, from),
            Kind::Register | Kind::Address => {
                let group = hop.group?;
                let (leader, course) = *self.groups.get(&group)?;
                let source = Source { mac: mac(from), ip: ip(leader) };
                let content = match packet.to.as_host() {
                    None => registration(registrations.get(&(from, packet.qp))?, group),
                    // The last packet to a member is about it alone.
                    Some(host) => {
                        let is_address = packet.kind == Kind::Address;
                        let step = if is_address { Step::Addresses } else { Step::Members };
                        let envelope = Envelope {
                            enters: true,
                            step,
                            // Both protocols have the same packets.
                            dialect: Dialect::Cepheus,
                            course,
                            known: Known::Maybe,
                            round: Round { run: packet.seen.get(), again: packet.entropy },
                            mark: 0,
                            first: packet.psn,
                            source: leader,
                            stand_in: None,
                            leader: (Dest::host(leader), 0),
                            part: (0, 1),
                            nodes: vec![Node::Member { host, qp: packet.qp }],
                        };
                        registration(&envelope, group)
                    }
                };
                of_groups(packet, source, &[&content])
            }
            Kind::Prune => {
                let source = Source { mac: mac(from), ip: ip(from) };
                of_groups(packet, source, &[&control(packet, hop.group?.0, packet.qp)?])
            }
            Kind::Request | Kind::Release | Kind::Grant | Kind::Released => {
                let &(sender, group) = self.casts.get(packet.seen.get() as usize)?;
                let is_asked = matches!(packet.kind, Kind::Request | Kind::Release);
                let ip = ip(if is_asked { sender } else { self.controller? });
                of_groups(
                    packet,
                    Source { mac: mac(from), ip },
                    &[&control(packet, group.0, sender.0)?],
                )
            }
            Kind::Confirm
            | Kind::Addressed
            | Kind::Refuse
            | Kind::Lost
            | Kind::Go
            | Kind::Done
            | Kind::Ask
            | Kind::Detach
            | Kind::Have
            | Kind::Leave => {
                // Who tells, or about whom a switch does.
                let is_have = packet.kind == Kind::Have;
                let about = if is_have { packet.seen.get() } else { packet.psn.get() };
                let ip = match packet.kind {
                    // It names its run, and speaks for the group.
                    Kind::Detach => group_ip(hop.group?),
                    _ => ip(NodeId(about)),
                };
                let source = Source { mac: mac(from), ip };
                of_groups(packet, source, &[&control(packet, hop.group?.0, about)?])
            }
        }
    }

    /// An answer to a sender: of the receiver, or of switches in the name of a group.
    fn answer(&mut self, hop: &Hop, from: NodeId) -> Option<Vec<u8>> {
        let packet = &hop.packet;
        let message = hop.flow.and_then(|flow| self.messages.get(flow)).copied();
        let source = match (&message, hop.group) {
            (Some(message), _) => of_host(message.to?),
            (None, Some(_)) if self.is_host(from) => of_host(from),
            (None, Some(group)) => Source { mac: mac(from), ip: group_ip(group) },
            (None, None) => return None,
        };
        let mut complete = || match (&message, hop.group) {
            (Some(message), _) => Some(self.messages.complete(message, packet.psn)),
            (None, group) => self.messages.complete_of_group(group?, packet.psn),
        };
        let qp = qp(hop);
        let answer = |opcode, psn: u32| Bth {
            opcode,
            solicited: false,
            migrated: true,
            notifies: false,
            qp,
            asks: false,
            psn,
        };
        match packet.kind {
            Kind::Ack => {
                // The twin names the first packet that is not acknowledged, RoCE the last that is.
                let last = Psn::new(packet.psn.get().wrapping_sub(1));
                let bth = answer(opcode::ACKNOWLEDGE, last.get()).bytes();
                roce(packet, source, &[&bth, &aeth(ACKNOWLEDGED, complete()?)])
            }
            Kind::Nack => {
                let done = complete()?;
                // IRN (section 3.1) prints no format for what has arrived: it stands where the number of messages does.
                let second = if self.selective { packet.seen.get() } else { done };
                let bth = answer(opcode::ACKNOWLEDGE, packet.psn.get()).bytes();
                roce(packet, source, &[&bth, &aeth(MISSING, second)])
            }
            _ => {
                let bth = answer(opcode::NOTIFICATION, 0);
                let bth = Bth { notifies: true, migrated: false, ..bth }.bytes();
                // Of 16 reserved bytes the twin counts four.
                roce(packet, source, &[&bth, &[0; 4]])
            }
        }
    }

    fn is_host(&self, node: NodeId) -> bool {
        node.index() < self.hosts
    }

    /// A packet of payload.
    fn data(&self, hop: &Hop, from: NodeId) -> Option<Vec<u8>> {
        let (packet, flow) = (&hop.packet, hop.flow?);
        let message = self.messages.get(flow)?;
        let place = self.messages.place(message, packet.psn);
        if place >= message.packets {
            return None;
        }
        let (is_first, is_last) = (place == 0, place + 1 == message.packets);
        let (first, writes, reliable) = match message.transport {
            Transport::Reliable(GroupVerb::Send) => (opcode::SEND, false, true),
            Transport::Reliable(_) => (opcode::WRITE, true, true),
            Transport::Unreliable => (opcode::UNRELIABLE_SEND, false, false),
        };
        let beyond = match (is_first, is_last) {
            (true, true) => opcode::ONLY,
            (true, false) => 0,
            (false, true) => opcode::LAST,
            (false, false) => opcode::MIDDLE,
        };
        let bth = Bth {
            opcode: first + beyond,
            // A SEND tells the receiving application that it is complete, a WRITE does not.
            solicited: is_last && !writes,
            migrated: true,
            notifies: false,
            qp: qp(hop),
            asks: reliable && (is_last || (place + 1).is_multiple_of(self.ack_every)),
            psn: packet.psn.get(),
        };
        let offset = place * self.mtu;
        let length = usize::try_from(message.bytes.saturating_sub(offset).min(self.mtu)).ok()?;
        let mut content = Vec::with_capacity(length + usize::from(RETH) + 8);
        if writes && is_first {
            let dma_length = u32::try_from(message.bytes).ok()?;
            let (address, key) = match (hop.group, packet.to.as_host()) {
                (None, _) => (virtual_address(flow), remote_key(flow)),
                (Some(group), _)
                    if message.transport == Transport::Reliable(GroupVerb::WriteSameAddress) =>
                {
                    (SAME_ADDRESS, member_key(group))
                }
                // A sender knows no member's memory: the switch before a member puts its address and key in
                // (cepheus:III-B2.write, gleam:alg1:11).
                (Some(_), None) => (0, 0),
                (Some(group), Some(host)) => (member_address(host), member_key(group)),
            };
            content.extend_from_slice(&reth(address, key, dma_length));
        }
        payload(&mut content, flow, offset, length);
        // To a member of a reliable group, the other end of its connection is the group (cepheus:III-B2.bridge).
        let source = match (hop.group, packet.to.as_host()) {
            (Some(group), Some(_)) if reliable => Source { mac: mac(from), ip: group_ip(group) },
            _ => of_host(message.from),
        };
        roce(packet, source, &[&bth.bytes(), &content])
    }
}

/// A reliable group with its leader, and what its data go over.
fn led((number, group): (GroupId, &Group)) -> Option<(GroupId, (NodeId, Course))> {
    let Service::Reliable(service) = &group.service else { return None };
    let course = match &service.data {
        Data::Electrons => Course::Links,
        Data::Light { repair, .. } => Course::Light(*repair),
    };
    Some((number, (service.leader, course)))
}

/// A host as a source.
fn of_host(host: NodeId) -> Source {
    Source { mac: mac(host), ip: ip(host) }
}

/// The destination's queue pair.
fn qp(hop: &Hop) -> u32 {
    match hop.packet.to.as_host() {
        // 24 bits; no host of a run has as many queue pairs.
        Some(_) => hop.packet.qp.wrapping_add(FIRST_QP) & 0x00ff_ffff,
        None => GROUP_QP,
    }
}
