//! ToRs that optical circuit switches join: a link between each two of them, which carries light at times.

use lightloom_units::{BitRate, Span};

use crate::electrical::edge_list::edge_list;
use crate::electrical::error::NetworkError;
use crate::electrical::limits::MAX_LINKS;
use crate::electrical::link::Link;
use crate::electrical::network::Network;

/// A core of optical circuit switches (shufflecast:I.core). Each ToR has one uplink to each
/// circuit switch, and a circuit joins two uplinks for a time. A link of the network stands for all circuits between
/// two ToRs: it exists only while there is one, which is not said here.
///
/// Nodes are numbered hosts first, ToR by ToR, then ToRs. The ports of a ToR are numbered hosts first, then the other
/// ToRs in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CircuitCore<'a> {
    /// Names of the hosts, ToR by ToR.
    pub hosts: &'a [String],
    /// Names of the ToRs, at least 2.
    pub tors: &'a [String],
    /// Circuit switches, each with a port for each ToR.
    pub switches: u16,
    /// Rate and delay of the circuits, from ToR to ToR.
    pub circuit: (BitRate, Span),
    /// Rate and delay of the hosts' links.
    pub host: (BitRate, Span),
}

impl CircuitCore<'_> {
    /// Makes the network.
    ///
    /// # Errors
    /// [`NetworkError`] if the ToRs do not have as many hosts each, if there are too many hosts or links, if a name is
    /// there twice, or if a rate or a delay is 0.
    pub fn network(&self) -> Result<Network, NetworkError> {
        let (hosts, tors) = (self.hosts.len(), self.tors.len());
        let each = hosts.checked_div(tors).unwrap_or(0);
        if each == 0 || each * tors != hosts {
            return Err(NetworkError::Hosts(hosts as u64));
        }
        let pairs = tors as u64 * (tors as u64 - 1) / 2;
        if pairs + hosts as u64 > u64::from(MAX_LINKS) {
            return Err(NetworkError::Links(pairs + hosts as u64));
        }
        let host = |at: usize| (at, hosts + at / each, self.host.0, self.host.1);
        let mut links: Vec<Link> = (0..hosts).map(host).collect();
        for one in 0..tors {
            let others = one + 1..tors;
            links.extend(
                others.map(|other| (hosts + one, hosts + other, self.circuit.0, self.circuit.1)),
            );
        }
        Ok(edge_list(self.hosts, self.tors, &links)?.over_circuits(self.switches))
    }
}
