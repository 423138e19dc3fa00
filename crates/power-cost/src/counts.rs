//! Ports, transceivers, splitters and fibres of three ways to multicast (Shufflecast, VI-A).

use serde::Serialize;

/// What a one-to-all multicast, or a whole network, takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Switch ports in use.
    pub ports: u64,
    /// Transceivers in them.
    pub transceivers: u64,
    /// Splitters.
    pub splitters: u64,
    /// Fibres between racks: strands of a splitter fabric, pairs of the others.
    pub fibres: u64,
    /// Whether a fibre is a pair of strands.
    pub pairs: bool,
}

/// A splitter fabric: every receiving ToR has one port in use, and every relay one more; the relay's
/// splitter and the fibres to the receivers carry the light on.
pub fn splitter_fabric(receptions: u64, relays: u64) -> Counts {
    let ports = receptions + relays;
    Counts { ports, transceivers: ports, splitters: relays, fibres: receptions, pairs: false }
}

/// A chain of ToRs over an optical circuit switch: each receives on one port and sends on another.
/// The circuit switch itself is not counted, since every variant keeps it for unicast.
pub fn peer_to_peer(tors: u64) -> Counts {
    let ports = 2 * tors;
    Counts { ports, transceivers: ports, splitters: 0, fibres: ports, pairs: true }
}

/// IP multicast over the packet switches that join all ToRs in the fewest layers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MulticastCore {
    /// `levels[0]` ToRs; `levels[i]` switches in layer i, each with one uplink. The single switch at the
    /// top is not listed.
    pub levels: Vec<u64>,
}

impl MulticastCore {
    /// Joins `tors` by switches of `ports` ports, at least 3: while a layer has more uplinks than one
    /// switch has ports, a layer of switches with one uplink each goes on top.
    pub fn new(tors: u64, ports: u64) -> Option<Self> {
        if ports < 3 {
            return None;
        }
        let mut levels = vec![tors];
        let mut top = tors;
        while top > ports {
            top = top.div_ceil(ports - 1);
            levels.push(top);
        }
        Some(Self { levels })
    }

    /// Switches below the top one, each of which has one uplink.
    fn uplinks(&self) -> u64 {
        self.levels.iter().skip(1).sum()
    }

    fn tors(&self) -> u64 {
        self.levels.first().copied().unwrap_or(0)
    }

    /// Both ends of every link: 2 N + 2 L.
    pub fn counts(&self) -> Counts {
        let links = self.tors() + self.uplinks();
        let ports = 2 * links;
        Counts { ports, transceivers: ports, splitters: 0, fibres: links, pairs: true }
    }
}

/// Ports that the packet core adds, over the uplinks of the ToRs (Shufflecast, I).
pub fn excess_resource(core: &MulticastCore) -> f64 {
    let tors = core.tors() as f64;
    (tors + 2.0 * core.uplinks() as f64) / tors
}
