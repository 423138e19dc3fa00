//! Every constant of the twin, typed; the values and their sources stand in files of the
//! catalogue, one for each named set, which `scenario` reads.

use lightloom_units::{BitRate, DataSize, Span};

pub use lightloom_transport::groups::{
    Accelerator, Buffering, GroupParams, Judge, Pausing, Safeguard, Scope,
};
pub use lightloom_transport::params::{Alpha, Clamp, Dcqcn, Notices, Recovery, Stages, Transport};

/// Everything that is not the network or its traffic.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Params {
    /// Frames and their headers.
    pub wire: Wire,
    /// Switches.
    pub switch: SwitchParams,
    /// Queue pairs.
    pub transport: Transport,
    /// Congestion control; none where it is off.
    pub dcqcn: Option<Dcqcn>,
    /// Reliable groups.
    pub groups: GroupParams,
    /// The software below an application.
    pub stack: Stack,
}

/// Frames and their headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wire {
    /// Payload of a full packet, in bytes.
    pub mtu: u16,
    /// Ethernet, IP, UDP, BTH and check sequences of a data packet, in bytes.
    pub header: u16,
    /// Frame of an acknowledgement or a notification, in bytes.
    pub control: u16,
    /// Frame of a pause, in bytes.
    pub pause: u16,
    /// Preamble on the wire before each frame, in bytes.
    pub preamble: u16,
    /// Least gap on the wire after each frame, in bytes.
    pub gap: u16,
}

/// Switches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SwitchParams {
    /// Packet buffer of a switch, whatever its ports.
    pub buffer: DataSize,
    /// Packet buffer beyond it for each port; all ports share the sum.
    pub buffer_per_port: DataSize,
    /// Whether headroom and minimum stand beside the buffer or are taken out of it.
    pub reserves: Reserves,
    /// Buffer of each port alone, for lossless packets under way when a pause goes out.
    pub headroom_per_port: DataSize,
    /// More headroom of a port, as a multiple of the bytes that its link holds in its delay.
    pub headroom_delays: f64,
    /// Buffer of each port alone that its lossless packets take before they take any of the shared part.
    pub minimum_per_port: DataSize,
    /// What becomes of a run in which a port's headroom overflows.
    pub overflow: Overflows,
    /// A lossless ingress queue pauses its sender above this share of the free buffer.
    pub pause_share: f64,
    /// A lossy egress queue drops above this share of the free buffer.
    pub drop_share: f64,
    /// A paused ingress queue lets its sender go on when it is this far below the threshold.
    pub resume_offset: DataSize,
    /// Whether lossless classes pause at all.
    pub pfc: bool,
    /// From the arrival of a pause to the time from which its receiver begins no more frames (IEEE 802.3, 31B.3.7).
    pub pause_response: Span,
    /// Marking of congestion; none where it is off.
    pub ecn: Option<EcnParams>,
    /// How packets are handed on.
    pub forwarding: Forwarding,
    /// Which of several equal ways data packets of flows take.
    pub multipath: Multipath,
    /// From the arrival that forwarding waits for to the earliest departure.
    pub latency: Span,
}

/// What a lossless packet does that finds the headroom of its port full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overflows {
    /// It ends the run: the network has broken its promise.
    End,
    /// It is dropped and counted, and the run goes on.
    Drop,
}

/// Where the headroom and the minimum of ports come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reserves {
    /// They stand beside the buffer.
    Beside,
    /// They are taken out of the buffer, whose rest is shared. As in the RDMA forks of ns-3, what is in headroom
    /// does not lower what is free, a packet that reaches the threshold stops its sender, and that goes on once
    /// the headroom of its port is empty.
    Within,
}

impl SwitchParams {
    /// The headroom of the port of a link, in bytes.
    pub fn headroom(&self, rate: BitRate, delay: Span) -> DataSize {
        let held = u128::from(rate.as_bps()) * u128::from(delay.as_ps()) / 8_000_000_000_000;
        // Both are positive; what is beyond 64 bits is refused as more than any buffer.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let beyond = (held as f64 * self.headroom_delays) as u64;
        DataSize::from_bytes(self.headroom_per_port.as_bytes().saturating_add(beyond))
    }
}

/// Random early marking, for a port of the reference rate; thresholds grow with the rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EcnParams {
    /// The rate that the thresholds are for.
    pub at: BitRate,
    /// Below it nothing is marked.
    pub kmin: DataSize,
    /// Above it everything is marked.
    pub kmax: DataSize,
    /// The probability just below `kmax`.
    pub pmax: f64,
    /// When a packet is marked.
    pub when: Marks,
}

/// When a packet that has waited in a queue is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marks {
    /// When it joins, by the bytes before it.
    Joining,
    /// When it leaves, by the bytes behind it.
    Leaving,
}

/// Bytes that cut-through waits for: up to the end of the BTH.
pub const HEADER: u8 = 62;

/// Bytes of header that the first packet of a WRITE has beyond the others': the RETH.
pub const RETH: u16 = 16;

/// How packets are handed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forwarding {
    /// After the last bit.
    StoreAndForward,
    /// After the first [`HEADER`] bytes; onto a faster egress just so late that its last bit does not
    /// overtake the ingress.
    CutThrough,
}

/// Which of several equal ways a packet takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Multipath {
    /// That of its flow: a hash of the flow, other at each switch (ECMP, RFC 2992).
    Flow,
    /// That of a hash of the flow and its number: packets of a flow spread over all ways (Dixit, Prakash, Hu, Kompella:
    /// On the impact of packet spraying in data center networks, INFOCOM 2013).
    Packet,
}

/// The software below an application: time for each message, each of its packets, and each of its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stack {
    /// From the call to the first packet.
    pub send: Span,
    /// From the last packet to the application.
    pub receive: Span,
    /// From the last packet of a message to the first of the one that hands it on.
    pub forward: Span,
    /// Beside each of these, for each packet of the message.
    pub packet: Span,
    /// Rate at which the bytes of the message are copied then. `None`: copies take no time.
    pub copy: Option<BitRate>,
}

impl Stack {
    /// No time for anything.
    pub const FREE: Self = Self {
        send: Span::ZERO,
        receive: Span::ZERO,
        forward: Span::ZERO,
        packet: Span::ZERO,
        copy: None,
    };

    /// From the call to the first packet of a message. `bytes` is its payload, `mtu` that of a full packet.
    pub fn to_send(&self, bytes: u64, mtu: u16) -> Span {
        self.with_data(self.send, bytes, mtu)
    }

    /// From the last packet of a message to the application.
    pub fn to_receive(&self, bytes: u64, mtu: u16) -> Span {
        self.with_data(self.receive, bytes, mtu)
    }

    /// From the last packet of a message to the first packet of the message that hands it on, which has `bytes`.
    pub fn to_forward(&self, bytes: u64, mtu: u16) -> Span {
        self.with_data(self.forward, bytes, mtu)
    }

    fn with_data(&self, message: Span, bytes: u64, mtu: u16) -> Span {
        let packets = u128::from(bytes.div_ceil(mtu.max(1).into()).max(1));
        let copied = self.copy.map_or(0, |rate| {
            (u128::from(bytes) * 8_000_000_000_000).div_ceil(u128::from(rate.as_bps().max(1)))
        });
        let all = u128::from(message.as_ps()) + packets * u128::from(self.packet.as_ps()) + copied;
        Span::from_ps(u64::try_from(all).unwrap_or(u64::MAX))
    }
}

impl Default for Params {
    /// Nothing but links in the way: packets of 4,096 bytes, switches that store and forward without latency and
    /// never mark, every packet acknowledged, no congestion control, no time in hosts. The catalogue has the values
    /// that runs use.
    fn default() -> Self {
        Params {
            wire: Wire { mtu: 4096, header: 62, control: 66, pause: 64, preamble: 8, gap: 12 },
            switch: SwitchParams {
                buffer: DataSize::ZERO,
                buffer_per_port: DataSize::from_bytes(1_000_000),
                reserves: Reserves::Beside,
                headroom_per_port: DataSize::from_bytes(100_000),
                headroom_delays: 0.0,
                minimum_per_port: DataSize::ZERO,
                overflow: Overflows::End,
                pause_share: 0.125,
                drop_share: 1.0,
                resume_offset: DataSize::from_bytes(8_192),
                pfc: true,
                ecn: None,
                forwarding: Forwarding::StoreAndForward,
                multipath: Multipath::Flow,
                pause_response: Span::ZERO,
                latency: Span::ZERO,
            },
            transport: Transport {
                recovery: Recovery::GoBackN,
                ack_every: 1,
                timeout: Span::from_ms(4),
                retries: None,
                first_psn: 0,
            },
            dcqcn: None,
            groups: GroupParams {
                repeat_interval: Span::from_us(10),
                notification_window: Span::from_us(100),
                register_timeout: Span::from_ms(1),
                register_tries: 10,
                synchronisation: Span::from_us(5),
                fan_out: None,
                memory: DataSize::from_bytes(1 << 20),
                buffering: Buffering::Shared,
                pausing: Pausing::Port,
                safeguard: None,
            },
            stack: Stack::FREE,
        }
    }
}
