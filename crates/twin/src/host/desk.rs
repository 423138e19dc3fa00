//! What the endpoints of a host share.

use std::collections::VecDeque;
use std::sync::Arc;

use lightloom_setup::params::Params;
use lightloom_topology::electrical::NodeId;
use lightloom_transport::messages::Waiter;
use lightloom_transport::receiver::Application;
use lightloom_units::{Instant, Span};

use crate::envelope::Envelopes;
use crate::link::{Pace, Pauses};
use crate::packet::Packet;

/// What endpoints use of their host. What every packet touches stands first.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Desk<'a> {
    pub(crate) params: &'a Params,
    /// Control packets go before data.
    pub(super) control: VecDeque<Packet>,
    /// When something last arrived in order here, or went out for the first time, or when all ends that the host
    /// computes.
    pub(crate) progress: Instant,
    interval: Span,
    /// Payload that has arrived in order, by intervals of `interval`.
    pub(crate) goodput: Vec<u64>,
    /// Whether each message records the same for itself.
    by_flow: bool,
    /// The pace of the host's link.
    pub(super) pace: Pace,
    /// The host.
    pub(crate) host: NodeId,
    pub(crate) notifications: u64,
    pub(crate) envelopes: Arc<Envelopes>,
    /// Messages that waited for one that is complete now.
    pub(super) handed: Vec<Waiter>,
    /// Endpoints of groups whose connection to a member is over, and whether the member has all.
    pub(super) reached: Vec<(u32, bool)>,
    /// What the switch has paused.
    pub(crate) stops: Pauses,
}

/// Adds to a place of a series, which grows to it.
fn add(series: &mut Vec<u64>, slot: usize, payload: u64) {
    if series.len() <= slot {
        series.resize(slot + 1, 0);
    }
    series[slot] += payload;
}

impl<'a> Desk<'a> {
    pub(super) fn new(
        host: NodeId,
        params: &'a Params,
        pace: Pace,
        (interval, by_flow): (Span, bool),
        envelopes: Arc<Envelopes>,
    ) -> Self {
        Self {
            host,
            params,
            pace,
            control: VecDeque::new(),
            goodput: Vec::new(),
            interval,
            by_flow,
            notifications: 0,
            envelopes,
            progress: Instant::from_ps(0),
            handed: Vec::new(),
            reached: Vec::new(),
            stops: Pauses::NONE,
        }
    }
}

impl Application for Desk<'_> {
    #[inline(always)]
    fn deliver(&mut self, now: Instant, payload: u64, series: &mut Vec<u64>) {
        self.progress = now;
        let slot = usize::try_from(now.as_ps() / self.interval.as_ps()).unwrap_or(usize::MAX);
        add(&mut self.goodput, slot, payload);
        if self.by_flow {
            add(series, slot, payload);
        }
    }

    fn hand_on(&mut self, waiters: &mut Vec<Waiter>) {
        self.handed.append(waiters);
    }

    fn mtu(&self) -> u16 {
        self.params.wire.mtu
    }

    fn takes(&self, bytes: u64) -> Span {
        self.params.stack.to_receive(bytes, self.params.wire.mtu)
    }
}
