//! How long additions wait for packets under the old rules.
//!
//! A queue grows while a drain runs, so no queue that was measured is a bound. What a queue admits is one. A copy waits
//! at a relay for the frame that is on its way out and for all that its own class may have in the queue; then it is
//! sent, and crosses the fibre and the next switch.

use std::collections::BTreeSet;

use lightloom_topology::electrical::{Network, NodeId};
use lightloom_twin::params::{Params, RETH};
use lightloom_twin::{Class, GroupId, Multicast, Service, buffer_sizes};
use lightloom_units::{BitRate, Span};

/// How long additions wait for packets under the old rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drain {
    /// As the scenario says.
    Said(Span),
    /// As long as the last packet may need.
    Bound(Bound),
}

/// The longest that packets may need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bound {
    /// From the arrival at a relay to the arrival at the next ToR.
    pub hop: Span,
    /// From the arrival at the source's ToR to the arrival at its stand-in.
    pub way: Span,
    /// Why a hop may take longer, if it may.
    pub hop_unbounded: Option<&'static str>,
    /// Why the way to a stand-in may take longer, if it may.
    pub way_unbounded: Option<&'static str>,
}

impl Drain {
    /// The time for trees of so many hops.
    pub fn time(self, hops: u32, stands_in: bool) -> Span {
        match self {
            Self::Said(time) => time,
            Self::Bound(Bound { hop, way, .. }) => {
                // 53 days: no run is as long.
                const LONGEST: u64 = 1 << 62;
                let way = if stands_in { way.as_ps() } else { 0 };
                let all = hop.as_ps().saturating_mul(hops.into()).saturating_add(way);
                Span::from_ps(all.min(LONGEST))
            }
        }
    }
}

/// What copies wait behind.
struct Queues<'a> {
    network: &'a Network,
    multicast: &'a Multicast,
    params: &'a Params,
    /// Bytes of the shortest and the longest frame over light.
    frames: (u64, u64),
    /// The slowest rate of any link or splitter.
    slowest: BitRate,
}

impl Bound {
    /// The bound for the messages of a run to groups over light, `lit`. `has_flows` says whether hosts send to hosts
    /// too.
    pub fn new(
        (network, tors): (&Network, &[NodeId]),
        (multicast, lit): (&Multicast, &BTreeSet<GroupId>),
        params: &Params,
        has_flows: bool,
    ) -> Self {
        let wire = &params.wire;
        let (mtu, header) = (u64::from(wire.mtu).max(1), u64::from(wire.header));
        let last = |bytes: u64| bytes.checked_sub(1).map_or(0, |bytes| bytes % mtu + 1);
        let casts = || multicast.casts.iter().filter(|cast| lit.contains(&cast.to));
        let shortest = casts().map(|cast| last(cast.size.as_bytes()));
        let shortest = shortest.min().unwrap_or(mtu) + header;
        let frames = (shortest.max(1), mtu + header + u64::from(RETH));
        let links = (0..network.nodes()).flat_map(|node| network.ports(NodeId::at(node)));
        let rates = links.map(|port| port.rate);
        let rates = rates.chain(multicast.splitters.iter().map(|splitter| splitter.rate));
        let slowest = rates.min().unwrap_or(BitRate::from_bps(1));
        let queues = Queues { network, multicast, params, frames, slowest };
        let has = |class: Class| casts().any(|cast| cast.class == class);
        let can_pause = params.switch.pfc && has(Class::LOSSLESS);
        let hop = multicast.splitters.iter().map(|splitter| {
            let longest = splitter.branches.iter().map(|branch| branch.delay).max();
            let wait = queues.wait(splitter.from, splitter.rate, can_pause);
            wait + longest.unwrap_or_default() + params.switch.latency
        });
        let uplinks = tors.iter().flat_map(|&tor| {
            let ports = network.ports(tor).iter().filter(|port| !network.is_host(port.peer));
            ports.flat_map(move |port| [(tor, port), (port.peer, port)])
        });
        let link = uplinks.map(|(node, port)| {
            queues.wait(node, port.rate, can_pause) + port.delay + params.switch.latency
        });
        let is_reliable = |service: &Service| matches!(service, Service::Reliable(_));
        let has_answers = multicast.groups.iter().any(|group| is_reliable(&group.service));
        Self {
            hop: hop.max().unwrap_or_default(),
            way: link.max().and_then(|link| link.checked_mul(2)).unwrap_or_default(),
            hop_unbounded: (has(Class::LOSSY) && has(Class::LOSSLESS))
                .then_some("lossy copies wait behind lossless ones, for as long as these come"),
            way_unbounded: if network.circuits().is_some() {
                Some("copies on the way to stand-ins wait for circuits")
            } else if can_pause {
                Some("links to stand-ins can be paused")
            } else {
                let behind = "copies on links to stand-ins wait behind other traffic, for as long as that comes";
                (has_flows || has_answers).then_some(behind)
            },
        }
    }
}

impl Queues<'_> {
    /// The longest wait in a queue of a switch, and for the frame itself.
    fn wait(&self, node: NodeId, rate: BitRate, can_pause: bool) -> Span {
        let (shortest, longest) = self.frames;
        let (wire, switch) = (&self.params.wire, &self.params.switch);
        let sizes = buffer_sizes(self.network, switch, node, self.ports(node));
        let shared = sizes.shared.as_bytes();
        // A lossy queue takes a packet while it is no longer than a share of what is free, and it is itself not free.
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a share of a buffer"
        )]
        let share = (shared as f64 * switch.drop_share / (1.0 + switch.drop_share)).ceil() as u64;
        let queued = if can_pause { sizes.all.as_bytes() } else { share.min(shared) + longest };
        let (preamble, gap) = (u64::from(wire.preamble), u64::from(wire.gap));
        // The frame that is on its way out, and the last one of the queue, whose end may come in later than its head.
        let frames = queued / shortest + 2;
        let bytes = queued + 2 * longest + frames * (preamble + gap);
        let ps = u128::from(bytes) * 8_000_000_000_000;
        // Where packets cut through, a head waits for its end, which comes in at the rate of the ingress.
        let end = u128::from(longest + preamble) * 8_000_000_000_000;
        let ps = ps.div_ceil(u128::from(rate.as_bps().max(1)))
            + end.div_ceil(u128::from(self.slowest.as_bps().max(1)));
        Span::from_ps(u64::try_from(ps).unwrap_or(u64::MAX / 1024))
    }

    /// The ports of a switch, with those to and from splitters.
    fn ports(&self, node: NodeId) -> u64 {
        let splitters = &self.multicast.splitters;
        let sends = splitters.iter().filter(|splitter| splitter.from == node).count();
        let hears = splitters.iter().flat_map(|splitter| &splitter.branches);
        let hears = hears.filter(|branch| branch.to == node).count();
        (self.network.ports(node).len() + sends.max(hears)) as u64
    }
}
