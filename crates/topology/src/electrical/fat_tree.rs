//! The fat tree of Al-Fares, Loukissas and Vahdat.

use lightloom_units::{BitRate, Span};

use crate::electrical::error::NetworkError;
use crate::electrical::forwarding::Forwarding;
use crate::electrical::names::{Layer, Names};
use crate::electrical::network::Network;
use crate::electrical::wiring::check_size;

/// A fat tree of three layers of k-port switches (Al-Fares et al., "A Scalable, Commodity Data
/// Center Network Architecture", SIGCOMM 2008, section 2.2): k pods of k/2 edge and k/2 aggregation
/// switches, and (k/2)² core switches. Aggregation switch *j* of every pod is linked to core
/// switches *j* k/2 … (*j*+1) k/2 - 1; port *i* of a core switch goes to pod *i*.
///
/// Nodes are numbered hosts first, then edge, aggregation and core switches, each pod by pod. The
/// ports of a switch are numbered downlinks first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FatTree {
    /// k: ports of a switch, even, 4 to 128.
    pub ports: u32,
    /// Hosts of an edge switch (default: k/2). With more, edge switches have that many more ports,
    /// and hosts share uplinks (oversubscription).
    pub hosts_per_edge: Option<u32>,
    /// Rate of the links between switches.
    pub rate: BitRate,
    /// Rate of the hosts' links (default: `rate`).
    pub host_rate: Option<BitRate>,
    /// Propagation delay of each link.
    pub delay: Span,
}

/// The largest groups of fat trees whose switches send a group to a limited number of ports each
/// (cepheus:VI.group-size). The port that data come in on does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LargestGroup {
    /// Ports of the switches of the largest fat tree all of whose hosts can be in one group: f + 1, or f where f + 1 is
    /// odd.
    pub ports: u64,
    /// Its hosts: a quarter of the cube of its ports.
    pub hosts: u64,
    /// Members with larger switches, where data take one way up: f edge switches of f members in each of f + 1 pods.
    pub with_larger_switches: u64,
}

impl LargestGroup {
    /// The largest groups where a switch sends to at most `fan_out` ports. `None`: no fat tree is so small.
    pub fn new(fan_out: u16) -> Option<Self> {
        let fan_out = u64::from(fan_out);
        let ports = fan_out.div_ceil(2) * 2;
        (ports >= 4).then_some(Self {
            ports,
            hosts: ports.pow(3) / 4,
            with_larger_switches: fan_out * fan_out * (fan_out + 1),
        })
    }
}

impl FatTree {
    /// Makes the network: 5k²/4 switches, and k³/4 hosts by default.
    ///
    /// # Errors
    /// [`NetworkError`] if k is odd or not 4 to 128, if hosts are not 2 to 2^20, if an edge switch
    /// has more than 65,535 ports, or if a rate or the delay is 0.
    pub fn network(&self) -> Result<Network, NetworkError> {
        if !(4..=128).contains(&self.ports) || !self.ports.is_multiple_of(2) {
            return Err(NetworkError::FatTreePorts(self.ports));
        }
        let hosts_per_edge = self.hosts_per_edge.unwrap_or(self.ports / 2);
        let pods = u64::from(self.ports);
        let host_count = pods * (pods / 2) * u64::from(hosts_per_edge);
        let switch_links = 2 * pods * (pods / 2) * (pods / 2);
        check_size(host_count, host_count + switch_links)?;

        let (k, h) = (self.ports as usize, hosts_per_edge as usize);
        let half = k / 2;
        let (edge_switches, cores) = (k * half, half * half);
        let hosts = edge_switches * h;
        let edges = hosts;
        let aggregations = edges + edge_switches;
        let core = aggregations + edge_switches;
        let host_rate = self.host_rate.unwrap_or(self.rate);
        let mut links = Vec::with_capacity(hosts + 2 * edge_switches * half);
        links.extend((0..hosts).map(|host| (host, edges + host / h, host_rate, self.delay)));
        for edge in 0..edge_switches {
            let pod = aggregations + edge / half * half;
            links.extend((0..half).map(|j| (edges + edge, pod + j, self.rate, self.delay)));
        }
        for aggregation in 0..edge_switches {
            let group = core + aggregation % half * half;
            let at = aggregations + aggregation;
            links.extend((0..half).map(|i| (at, group + i, self.rate, self.delay)));
        }
        let names = Names::Layers(vec![
            Layer::plain("host", hosts),
            Layer::pods("edge", k, half),
            Layer::pods("aggregation", k, half),
            Layer::plain("core", cores),
        ]);
        Network::new(hosts, names, &links, Forwarding::computed)
    }
}
