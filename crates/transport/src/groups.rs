//! Parameters of reliable groups.

use lightloom_units::{BitRate, DataSize, Percent, Span};

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
    /// The most ports of a switch that a group may use, beside that toward its sender; none where all may
    /// (cepheus:VI.fan-out).
    pub fan_out: Option<u16>,
    /// What a switch may hold for tables of groups.
    pub memory: DataSize,
    /// What copies take of the buffer of a switch.
    pub buffering: Buffering,
    /// What a paused egress of a switch holds back.
    pub pausing: Pausing,
    /// What happens where a group makes no progress; nothing where there is none.
    pub safeguard: Option<Safeguard>,
}

/// An accelerator beside a switch: an FPGA that replicates, aggregates and rewrites for reliable groups
/// (cepheus:IV.accelerator).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Accelerator {
    /// Line rate of each of its ports.
    pub port_rate: BitRate,
    /// What it can send, over all ports together.
    pub rate: BitRate,
    /// From the last bit of a packet in it to the first bit of the first copy.
    pub latency: Span,
    /// The most ports that a group may use; none where [`GroupParams::fan_out`] holds.
    pub fan_out: Option<u16>,
    /// What it may hold for tables of groups; none where [`GroupParams::memory`] holds.
    pub memory: Option<DataSize>,
}

/// When a sender reaches members without the group (cepheus:V-D.throughput).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Safeguard {
    /// Progress is looked at once in this time.
    pub window: Span,
    /// What is no progress.
    pub judge: Judge,
    /// Which members fall back.
    pub scope: Scope,
}

/// What a window without progress is. Payload counts that all members have acknowledged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judge {
    /// One with less than this rate.
    Rate(BitRate),
    /// One that repeated lost packets, and has less than this share of the best earlier window; the first window is
    /// held against the slowest port on the tree (cepheus:V-D.throughput).
    Share(Percent),
}

impl Safeguard {
    /// The payload of a window at a rate, in bytes.
    pub fn bytes_at(&self, rate: BitRate) -> u64 {
        let bits = u128::from(rate.as_bps()) * u128::from(self.window.as_ps()) / 1_000_000_000_000;
        u64::try_from(bits / 8).unwrap_or(u64::MAX)
    }

    /// Whether a window makes no progress: the bytes that were acknowledged in it, packets that were repeated, and the
    /// bytes that it is held against.
    #[allow(clippy::cast_precision_loss, reason = "bytes of a window are far below 2^53")]
    pub fn is_slow(&self, bytes: u64, repeated: u64, usual: u64) -> bool {
        match self.judge {
            Judge::Rate(rate) => bytes < self.bytes_at(rate),
            Judge::Share(share) => repeated > 0 && (bytes as f64) < share.ratio() * usual as f64,
        }
    }
}

/// Which members are reached without the group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// All of them, as in the paper.
    All,
    /// Those behind the fault; the others stay on the tree.
    Behind,
}

/// What a paused egress of a switch holds back of a reliable group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pausing {
    /// Its own copies. Those to other ports go on.
    #[default]
    Port,
    /// All copies of the group: its data wait at the ingress until every egress goes on (cepheus:III-D.pfc).
    Group,
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
