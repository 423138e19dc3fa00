//! Leaf and spine switches: every leaf has a link to every spine.

use lightloom_units::{BitRate, Span};

use crate::electrical::error::NetworkError;
use crate::electrical::forwarding::Forwarding;
use crate::electrical::names::{Layer, Names};
use crate::electrical::network::Network;
use crate::electrical::wiring::check_size;

/// A folded Clos network of two layers: every leaf has one link to every spine.
///
/// Nodes are numbered hosts first, leaf by leaf, then leaves, then spines. The ports of a leaf are
/// numbered hosts first, then spines; port *i* of a spine goes to leaf *i*.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeafSpine {
    /// Leaf switches, at least 1.
    pub leaves: u32,
    /// Spine switches, at least 1 if there is more than one leaf.
    pub spines: u32,
    /// Hosts of a leaf, at least 1.
    pub hosts_per_leaf: u32,
    /// Rate of the links between leaves and spines.
    pub rate: BitRate,
    /// Rate of the hosts' links (default: `rate`).
    pub host_rate: Option<BitRate>,
    /// Propagation delay of each link.
    pub delay: Span,
}

impl LeafSpine {
    /// Makes the network.
    ///
    /// # Errors
    /// [`NetworkError`] if hosts are not 2 to 2^20, if there are more than 2^22 links, if several
    /// leaves have no spine, if a switch has more than 65,535 ports, or if a rate or the delay is
    /// 0.
    pub fn network(&self) -> Result<Network, NetworkError> {
        let host_count = u64::from(self.leaves) * u64::from(self.hosts_per_leaf);
        check_size(host_count, 0)?;
        // There are no more leaves than hosts now, so this cannot overflow.
        check_size(host_count, host_count + u64::from(self.leaves) * u64::from(self.spines))?;
        if self.spines == 0 && self.leaves > 1 {
            return Err(NetworkError::NoSpines { leaves: self.leaves });
        }
        let (leaves, spines) = (self.leaves as usize, self.spines as usize);
        let h = self.hosts_per_leaf as usize;
        let hosts = leaves * h;
        let host_rate = self.host_rate.unwrap_or(self.rate);
        let mut links = Vec::with_capacity(hosts + leaves * spines);
        links.extend((0..hosts).map(|host| (host, hosts + host / h, host_rate, self.delay)));
        for leaf in hosts..hosts + leaves {
            let first = hosts + leaves;
            links.extend((0..spines).map(|s| (leaf, first + s, self.rate, self.delay)));
        }
        let names = Names::Layers(vec![
            Layer::plain("host", hosts),
            Layer::plain("leaf", leaves),
            Layer::plain("spine", spines),
        ]);
        Network::new(hosts, names, &links, Forwarding::computed)
    }
}
