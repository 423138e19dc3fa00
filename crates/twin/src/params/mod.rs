//! Every constant of the twin, typed; the values and their sources stand in files of the
//! catalogue, one for each named set, which `scenario` reads.

mod groups;

use lightloom_units::{BitRate, DataSize, Span};

use crate::packet::Psn;
pub use groups::{Buffering, GroupParams, Safeguard, Scope};

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
    /// Payload of a full packet.
    pub mtu: u16,
    /// Ethernet, IP, UDP, BTH and check sequences of a data packet.
    pub header: u16,
    /// A packet of control: acknowledgement, notification.
    pub control: u16,
    /// A pause frame.
    pub pause: u16,
    /// Preamble: time on the wire before a frame.
    pub preamble: u16,
    /// Gap: time on the wire after a frame.
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
    /// What a link holds in its delay, so many times, is headroom of its port beyond that.
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
    /// Marking of congestion; none where it is off.
    pub ecn: Option<EcnParams>,
    /// How packets are handed on.
    pub forwarding: Forwarding,
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
    /// After the first [`HEADER`] bytes; onto a faster way out just so late that its last bit does not
    /// overtake the way in.
    CutThrough,
}

/// Queue pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transport {
    /// What a lost packet costs.
    pub recovery: Recovery,
    /// Packets for each acknowledgement.
    pub ack_every: u32,
    /// Silence after which the oldest packet counts as lost.
    pub timeout: Span,
    /// The first sequence number of every queue pair.
    pub first_psn: u32,
}

impl Transport {
    /// The sequence number of a packet of a queue pair, by its place among all of its direction.
    #[inline]
    pub(crate) fn psn(&self, place: u64) -> Psn {
        Psn::of(Psn::new(self.first_psn), place)
    }
}

/// What a lost packet costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recovery {
    /// Everything from it on is sent again.
    GoBackN,
    /// Only what is missing is sent again, and no more than `window` packets are under way (IRN:
    /// Mittal et al., SIGCOMM 2018).
    SelectiveRepeat {
        /// The bandwidth-delay product in packets.
        window: u32,
        /// The timeout while fewer than `few` packets are under way.
        short_timeout: Span,
        /// See `short_timeout`.
        few: u32,
    },
}

/// DCQCN (Zhu et al., SIGCOMM 2015), with the paper's names, and what simulators do otherwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dcqcn {
    /// Weight of the newest observation in α.
    pub g: f64,
    /// When α changes.
    pub alpha: Alpha,
    /// α decays after this time without a notification.
    pub alpha_timer: Span,
    /// The share of its rate that a queue pair keeps at its first notification, before any cut.
    pub first_share: f64,
    /// The time between looks for notifications, each of which may cut the rate; zero: each notification cuts
    /// it at once.
    pub cut_interval: Span,
    /// What a cut does to the target rate.
    pub clamp: Clamp,
    /// The time of a step up.
    pub increase_timer: Span,
    /// The bytes of a step up; none: only time brings one.
    pub byte_counter: Option<DataSize>,
    /// Steps of fast recovery.
    pub fast_steps: u32,
    /// Which steps up are additive, and which are hyper.
    pub stages: Stages,
    /// Additive increase.
    pub additive: BitRate,
    /// Hyper increase.
    pub hyper: BitRate,
    /// The line rate that the increases are for: they are in proportion to it; none: the same at any.
    pub at: Option<BitRate>,
    /// The least rate.
    pub least: BitRate,
    /// Least time between two notifications of a flow.
    pub cnp_interval: Span,
    /// What carries a notification.
    pub notices: Notices,
}

/// When α of a reaction point changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alpha {
    /// Up with each notification, and down after each interval without one.
    Notified,
    /// At each interval from the first notification on: up where one has come in it, else down.
    Periodic,
}

/// What a cut does to the target rate of a reaction point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clamp {
    /// It becomes the rate before the cut.
    Always,
    /// The same where the rate has stepped up since the last cut; else it stays.
    AfterIncrease,
}

/// Which steps of increase of a reaction point are of which kind, after those of fast recovery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stages {
    /// Additive once timer or byte counter is beyond fast recovery; hyper, and growing, once both are.
    Both,
    /// Of the counter that is ahead the next step is additive, and all later ones are hyper and alike.
    Ahead,
}

/// What carries a notification to the reaction point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notices {
    /// A packet of its own.
    Packets,
    /// The answer to a marked packet; where that has none nothing does.
    Answers,
}

/// The software below an application: time for each message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stack {
    /// From the call to the first packet.
    pub send: Span,
    /// From the last packet to the application.
    pub receive: Span,
    /// From the last packet of a message to the first of the one that hands it on.
    pub forward: Span,
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
                latency: Span::ZERO,
            },
            transport: Transport {
                recovery: Recovery::GoBackN,
                ack_every: 1,
                timeout: Span::from_ms(4),
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
                safeguard: None,
            },
            stack: Stack { send: Span::ZERO, receive: Span::ZERO, forward: Span::ZERO },
        }
    }
}

impl Default for Dcqcn {
    /// As the paper has it (Zhu et al., SIGCOMM 2015), with steps of hyper increase of 200 Mb/s and a least rate of
    /// 100 Mb/s, which it does not print.
    fn default() -> Self {
        Self {
            g: 1.0 / 256.0,
            alpha: Alpha::Notified,
            alpha_timer: Span::from_us(55),
            first_share: 1.0,
            cut_interval: Span::ZERO,
            clamp: Clamp::Always,
            increase_timer: Span::from_us(55),
            byte_counter: Some(DataSize::from_bytes(10_000_000)),
            fast_steps: 5,
            stages: Stages::Both,
            additive: BitRate::from_bps(40_000_000),
            hyper: BitRate::from_bps(200_000_000),
            at: None,
            least: BitRate::from_bps(100_000_000),
            cnp_interval: Span::from_us(50),
            notices: Notices::Packets,
        }
    }
}
