//! Random streams: one a component, so that no component's draws depend on another's.

use lightloom_topology::electrical::NodeId;

/// Kinds of random streams: marks of a port, losses of a link, ways of a flow, losses of a branch, losses
/// of a splitter's transmitter.
pub(crate) const MARKING: u64 = 1;
pub(crate) const LOSS: u64 = 2;
const ENTROPY: u64 = 3;
pub(crate) const BRANCH_LOSS: u64 = 4;
pub(crate) const SPLITTER_LOSS: u64 = 5;

/// A number for each direction of each link, by the node and port that transmit.
pub(crate) fn link_number(id: NodeId, port: u16) -> u64 {
    u64::from(id.0) << 16 | u64::from(port)
}

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): a counter and a mixer, eight bytes of state.
#[derive(Debug, Clone)]
pub(crate) struct Stream(u64);

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl Stream {
    /// The stream of a component: `kind` and `number` name it.
    pub(crate) fn new(seed: u64, kind: u64, number: u64) -> Self {
        let mut state = seed;
        for part in [kind, number] {
            state = mix(state.wrapping_add(STEP) ^ part.wrapping_mul(STEP | 1));
        }
        Self(state)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// A number from 0, below 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }
}

/// The finaliser of SplitMix64: every bit of the input changes every bit of the output.
#[inline]
pub(crate) fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Sixteen bits of a hash of seed and flow, which choose a way among equal ones.
pub(crate) fn entropy(seed: u64, flow: u32) -> u16 {
    let hash = mix(seed ^ mix(ENTROPY << 32 | u64::from(flow)));
    u16::try_from(hash >> 48).unwrap_or(0)
}
