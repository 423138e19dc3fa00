//! The packet core with the fewest layers for one multicast.

use lightloom_units::{BitRate, Span};

use crate::electrical::error::NetworkError;
use crate::electrical::forwarding::Forwarding;
use crate::electrical::link::Link;
use crate::electrical::names::{Layer, Names};
use crate::electrical::network::Network;
use crate::electrical::wiring::check_size;

/// The packet core that Shufflecast compares itself with (shufflecast:II-B.core): a tree over the
/// ToRs. While a level has more uplinks than one switch has ports, another level of switches with
/// m-1 downlinks and one uplink goes on top. One switch joins the last level. All switches of a
/// level except the last one are full.
///
/// The hosts of this network are the ToRs. Nodes are numbered level by level; a switch's uplink is
/// its last port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MulticastCore {
    /// N: ToRs, 2 to 2^20.
    pub tors: u32,
    /// m: ports of a switch, at least 3.
    pub ports: u32,
    /// Rate of each link.
    pub rate: BitRate,
    /// Propagation delay of each link.
    pub delay: Span,
}

impl MulticastCore {
    /// Makes the network: N + L links, where L is the number of switches without the top one.
    ///
    /// # Errors
    /// [`NetworkError`] if ToRs are not 2 to 2^20, if m is below 3, if a switch has more than
    /// 65,535 ports, or if the rate or the delay is 0.
    pub fn network(&self) -> Result<Network, NetworkError> {
        if self.ports < 3 {
            return Err(NetworkError::CorePorts(self.ports));
        }
        check_size(self.tors.into(), 0)?;
        let (tors, ports) = (self.tors as usize, self.ports as usize);
        let mut links: Vec<Link> = Vec::new();
        let mut layers = vec![Layer::plain("ToR", tors)];
        let (mut first, mut level) = (0, tors);
        while level > 1 {
            let downlinks = if level > ports { ports - 1 } else { level };
            let above = first + level;
            let up = |i: usize| (first + i, above + i / downlinks, self.rate, self.delay);
            links.extend((0..level).map(up));
            (first, level) = (above, level.div_ceil(downlinks));
            layers.push(Layer::plain(format!("level-{} switch", layers.len()), level));
        }
        Network::new(tors, Names::Layers(layers), &links, Forwarding::computed)
    }
}
