//! Parameters of queue pairs and of their congestion control.

use lightloom_units::{BitRate, DataSize, Span};

use crate::psn::Psn;

/// Queue pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transport {
    /// What a lost packet costs.
    pub recovery: Recovery,
    /// Packets for each acknowledgement.
    pub ack_every: u32,
    /// Silence after which the oldest packet counts as lost.
    pub timeout: Span,
    /// How often the oldest packet is repeated after timeouts without any progress: the next timeout is an error of the
    /// queue pair (InfiniBand Architecture 1.4, 9.9.2). None repeats for ever.
    pub retries: Option<u32>,
    /// The first sequence number of every queue pair.
    pub first_psn: u32,
}

impl Transport {
    /// The sequence number of a packet of a queue pair, by its place among all of its direction.
    #[inline]
    pub fn psn(&self, place: u64) -> Psn {
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
        /// Packets that may pass an earlier one before that counts as lost: 0 in IRN. With a higher number packets may
        /// take different ways. What is lost near the end of a message is then repeated after a timeout.
        reorder: u32,
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
