//! How long the additions of a rollout wait: until the last packet under the old rules has arrived.
//!
//! Queues grow while a drain runs, so no queue that was measured is a bound. What a relay's buffer holds is one.

use lightloom_power_cost::delays;
use lightloom_routing::recovery::longest_hop;
use lightloom_units::{BitRate, DataSize, Span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::laid::Laid;

/// Bytes of the preamble of a frame and of the gap after it.
const BETWEEN: u64 = 20;
/// Bytes of the shortest frame of Ethernet.
const SHORTEST: u64 = 64;

/// The drain of a rollout: hops × hop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DrainReport {
    /// The most hops of a packet under the old rules.
    pub hops: u32,
    /// The longest time from the arrival at a relay to the arrival at the next ToR: the fibre, the switch and the
    /// queue.
    pub hop: Span,
    /// Of it the longest fibre, as feed and as branch.
    pub fibre: Span,
    /// Of it the switch.
    pub switch: Span,
    /// Of it the queue: all of the relay's buffer, in frames of 64 B, and two of the longest frames, at the rate of the
    /// light.
    pub queue: Span,
    /// The buffer of a relay.
    pub buffer: DataSize,
    /// The rate of the light.
    pub rate: BitRate,
    /// What of this is assumed.
    pub assumed: Vec<String>,
}

/// The longest hop of a project's plant, for trees of so many hops.
pub fn drain(laid: &Laid, hops: u32) -> DrainReport {
    let longest = laid.plant().fibres().iter().map(|fibre| fibre.length).max().unwrap_or_default();
    let said = laid.project().optics.as_ref().map(|chosen| chosen.optics.transceiver.rate);
    let rate = said.unwrap_or(delays::LIGHT_RATE);
    let mut assumed = vec![
        format!("{} a switch", delays::RELAY),
        format!("a buffer of {} a ToR, all of which one queue may take", delays::BUFFER),
        format!("frames of at most {}", delays::FRAME),
    ];
    if said.is_none() {
        assumed.push(format!("light of {rate}, because the design names no optics"));
    }
    let buffer = delays::BUFFER.as_bytes();
    let frames = buffer.div_ceil(SHORTEST);
    let bytes = buffer + frames * BETWEEN + 2 * (delays::FRAME.as_bytes() + BETWEEN);
    let ps = (u128::from(bytes) * 8_000_000_000_000).div_ceil(u128::from(rate.as_bps().max(1)));
    let queue = Span::from_ps(u64::try_from(ps).unwrap_or(u64::MAX / 2));
    let fibre = longest_hop(longest, delays::FIBRE_PER_METRE, Span::ZERO);
    DrainReport {
        hops,
        hop: fibre + delays::RELAY + queue,
        fibre,
        switch: delays::RELAY,
        queue,
        buffer: delays::BUFFER,
        rate,
        assumed,
    }
}

/// The longest time from the arrival at a relay to the arrival at the next ToR.
pub fn hop_delay(laid: &Laid) -> Span {
    drain(laid, 0).hop
}
