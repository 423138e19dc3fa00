//! Random trees, traffic and trouble.

use lightloom_units::Span;
use proptest::prelude::*;

use super::draws::Draws;
use crate::params::{Recovery, Transport};

/// A run.
#[derive(Debug, Clone)]
pub(super) struct Case {
    pub(super) seed: u64,
    /// Switches between the root and a host.
    pub(super) depth: u32,
    /// The most ports of a switch that lead down.
    pub(super) fan: u64,
    /// Packets of each message.
    pub(super) messages: Vec<u64>,
    /// The window of selective repeat; none with go-back-N.
    pub(super) window: Option<u32>,
    pub(super) ack_every: u32,
    /// Sequence number of the first packet.
    pub(super) first: u32,
    /// The longest time over one link; the shortest is a hundredth of it.
    pub(super) delay: Span,
    pub(super) loss: Loss,
    /// Whether switches without hosts hand all data on, as where light goes past them.
    pub(super) is_past: bool,
    pub(super) changes: Vec<Change>,
}

/// Shares of packets that are lost on each link.
#[derive(Debug, Clone, Copy)]
pub(super) struct Loss {
    /// Of data that are sent for the first time, but for the last packet of a message.
    pub(super) first: f64,
    /// Of repeated data, and of the last packet of a message.
    pub(super) repeated: f64,
    /// Of answers.
    pub(super) feedback: f64,
}

/// Something that happens after a share of a message's packets, in percent, has gone out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Change {
    pub(super) message: usize,
    pub(super) percent: u64,
    pub(super) what: What,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum What {
    /// A host joins for the next message.
    Join,
    /// A host leaves or dies.
    Leave,
    /// A host moves to another switch.
    Move,
}

impl Case {
    /// The transport of a connection that starts at a packet.
    pub(super) fn transport(&self, place: u64) -> Transport {
        let timeout = Span::from_ms(50);
        let selective = |window| Recovery::SelectiveRepeat {
            window,
            short_timeout: timeout,
            few: 3,
            reorder: 0,
        };
        Transport {
            recovery: self.window.map_or(Recovery::GoBackN, selective),
            ack_every: self.ack_every,
            timeout,
            retries: None,
            first_psn: crate::psn::Psn::of(crate::psn::Psn::new(self.first), place).get(),
        }
    }

    /// The random stream of the run.
    pub(super) fn stream(&self) -> Draws {
        Draws::new(self.seed)
    }
}

fn change(messages: usize) -> impl Strategy<Value = Change> {
    let what = prop_oneof![Just(What::Join), Just(What::Leave), Just(What::Move)];
    (0..messages, 0_u64..100, what).prop_map(|(message, percent, what)| Change {
        message,
        percent,
        what,
    })
}

fn first() -> impl Strategy<Value = u32> {
    prop_oneof![Just(0), (1_u32 << 24) - 60..1 << 24, (1_u32 << 23) - 60..1 << 23, 0..1_u32 << 24]
}

/// Runs with a loss, and with at most a number of changes.
pub(super) fn cases(
    loss: impl Strategy<Value = Loss>,
    windows: std::ops::RangeInclusive<u32>,
    changes: usize,
) -> impl Strategy<Value = Case> {
    let messages = prop::collection::vec(1_u64..60, 1..4);
    let shape = (any::<u64>(), 1_u32..=4, 1_u64..=5, messages, any::<bool>());
    let windows = prop_oneof![Just(None), windows.prop_map(Some)];
    let transport = (windows, 1_u32..=8, first(), prop_oneof![Just(1_u64), Just(20), Just(300)]);
    (shape, transport, loss).prop_flat_map(move |(shape, transport, loss)| {
        let (seed, depth, fan, messages, is_past) = shape;
        let (window, ack_every, first, us) = transport;
        let count = messages.len();
        let case = Case {
            seed,
            depth,
            fan,
            messages,
            window,
            ack_every,
            first,
            delay: Span::from_us(us),
            loss,
            is_past,
            changes: Vec::new(),
        };
        prop::collection::vec(change(count), 0..=changes)
            .prop_map(move |changes| Case { changes, ..case.clone() })
    })
}

/// Losses that no timeout is needed for.
pub(super) fn gentle() -> impl Strategy<Value = Loss> {
    let first = prop_oneof![Just(0.0), Just(0.01), Just(0.1), Just(0.3)];
    first.prop_map(|first| Loss { first, repeated: 0.0, feedback: 0.0 })
}

/// Losses of everything.
pub(super) fn rough() -> impl Strategy<Value = Loss> {
    let share = || prop_oneof![Just(0.0), Just(0.01), Just(0.1)];
    (share(), share(), share()).prop_map(|(first, repeated, feedback)| Loss {
        first,
        repeated,
        feedback,
    })
}
