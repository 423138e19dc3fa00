//! Every constant of the twin, typed; the values and their sources stand in one file of the
//! catalogue, which `scenario` reads.

use lightloom_units::{BitRate, DataSize, Span};

use crate::packet::Psn;

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
    /// Shared packet buffer for each port.
    pub buffer_per_port: DataSize,
    /// Buffer beyond it, of each port alone, for lossless packets under way when a pause goes out.
    pub headroom_per_port: DataSize,
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

/// DCQCN (Zhu et al., SIGCOMM 2015), with the paper's names.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dcqcn {
    /// Weight of the newest observation in α.
    pub g: f64,
    /// α decays after this time without a notification.
    pub alpha_timer: Span,
    /// The time of a step up.
    pub increase_timer: Span,
    /// The bytes of a step up.
    pub byte_counter: DataSize,
    /// Steps of fast recovery.
    pub fast_steps: u32,
    /// Additive increase.
    pub additive: BitRate,
    /// Hyper increase.
    pub hyper: BitRate,
    /// The least rate.
    pub least: BitRate,
    /// Least time between two notifications of a flow.
    pub cnp_interval: Span,
}

/// Reliable groups: switches that aggregate answers (Cepheus, HPCA 2024), and leaders that register groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupParams {
    /// Least time between two repetitions of an aggregated acknowledgement that was sent before.
    pub repeat_interval: Span,
    /// The window in which notifications are counted by port.
    pub notification_window: Span,
    /// Time after which what is not confirmed is registered again.
    pub register_timeout: Span,
    /// How often a registration is tried.
    pub register_tries: u32,
    /// Time of a queue pair to take up the sequence of a group where another sender left it.
    pub synchronisation: Span,
    /// The most ports of a switch that a group may use, beside that toward its sender; none where all may.
    pub fan_out: Option<u16>,
    /// What a switch may hold for tables of groups.
    pub memory: DataSize,
    /// What copies take of the buffer of a switch.
    pub buffering: Buffering,
}

/// What several copies of a packet that wait in one switch take of its buffer, and what its ingress port is
/// charged for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Buffering {
    /// One body that all copies refer to: charged once, until the last copy has left.
    #[default]
    Shared,
    /// Each copy is charged for itself.
    Copies,
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
