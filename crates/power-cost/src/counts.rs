//! Numbers of ports, transceivers, splitters and fibres for three ways to multicast (shufflecast:VI-A.power).

use serde::Serialize;

/// Numbers of parts for a one-to-all multicast or a whole network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Switch ports in use.
    pub ports: u64,
    /// Transceivers in those ports.
    pub transceivers: u64,
    /// Splitters.
    pub splitters: u64,
    /// Fibres between racks: strands in a splitter fabric, pairs in the other ways.
    pub fibres: u64,
    /// Whether each fibre is a pair of strands.
    pub pairs: bool,
    /// Ports of optical circuit switches.
    #[serde(skip_serializing_if = "is_none")]
    pub circuit_ports: u64,
}

// Serde hands a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_none(count: &u64) -> bool {
    *count == 0
}

/// Parts of a core of optical circuit switches for unicast (shufflecast:I.core): each ToR has an uplink to each of
/// them, and each of them a port for each ToR.
pub fn circuit_core(tors: u64, switches: u64) -> Counts {
    let ports = tors.saturating_mul(switches);
    Counts { circuit_ports: ports, ..in_pairs(ports) }
}

/// Parts of a splitter fabric. Every receiving ToR uses one port, and every relay one more. The relay's
/// splitter and the fibres to the receivers carry the light on.
pub fn splitter_fabric(receptions: u64, relays: u64) -> Counts {
    let ports = receptions + relays;
    Counts {
        ports,
        transceivers: ports,
        splitters: relays,
        fibres: receptions,
        pairs: false,
        circuit_ports: 0,
    }
}

/// Parts of a chain of ToRs over an optical circuit switch. Each ToR receives on one port and sends on
/// another. The circuit switch is not counted, because every variant keeps it for unicast.
pub fn peer_to_peer(tors: u64) -> Counts {
    in_pairs(2 * tors)
}

/// Ports with a transceiver and a pair of strands each.
fn in_pairs(ports: u64) -> Counts {
    Counts {
        ports,
        transceivers: ports,
        splitters: 0,
        fibres: ports,
        pairs: true,
        circuit_ports: 0,
    }
}

/// IP multicast over packet switches that join all ToRs with the fewest layers (shufflecast:II-B.core).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MulticastCore {
    /// `levels[0]` is the number of ToRs; `levels[i]` is the number of switches in layer i, each with one
    /// uplink. The single top switch is not listed.
    pub levels: Vec<u64>,
}

impl MulticastCore {
    /// Joins `tors` ToRs by switches with `ports` ports (at least 3). While a layer has more uplinks than a
    /// switch has ports, another layer of switches with one uplink each is added.
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

    /// Number of switches below the top one. Each has one uplink.
    fn uplinks(&self) -> u64 {
        self.levels.iter().skip(1).sum()
    }

    fn tors(&self) -> u64 {
        self.levels.first().copied().unwrap_or(0)
    }

    /// What a failed switch of each layer, and its uplink, cuts off, from the lowest layer up to the top switch.
    /// `ports` is the number of ports of a switch. All switches of a layer but the last are full.
    pub fn cuts(&self, ports: u64) -> Vec<LayerCuts> {
        let all = self.tors();
        let within = |tors: u64| tors * tors.saturating_sub(1);
        // ToRs under a full switch of the layer below: 1 under a ToR itself.
        let mut below = 1_u64;
        let switches = self.levels.iter().skip(1).copied().chain([1]);
        let cuts = switches.enumerate().map(|(at, switches)| {
            let is_top = at + 1 == self.levels.len();
            let tors = if is_top { all } else { below.saturating_mul(ports - 1).min(all) };
            // Full ones, and one for what is left. What stays joined is within one of them, or outside.
            let (full, rest) = (tors / below, tors % below);
            let joined = full * within(below) + within(rest) + within(all - tors);
            below = tors;
            LayerCuts {
                switches,
                tors,
                by_switch: within(all) - joined,
                by_uplink: 2 * tors * (all - tors),
            }
        });
        cuts.collect()
    }

    /// Number of switches, the top one included.
    pub fn switches(&self) -> u64 {
        self.uplinks() + 1
    }

    /// Parts at both ends of every link: 2 N + 2 L.
    pub fn counts(&self) -> Counts {
        let links = self.tors() + self.uplinks();
        let ports = 2 * links;
        Counts {
            ports,
            transceivers: ports,
            splitters: 0,
            fibres: links,
            pairs: true,
            circuit_ports: 0,
        }
    }
}

/// What failures of one layer of a packet core cut off. Pairs are of a ToR and another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LayerCuts {
    /// Number of switches.
    pub switches: u64,
    /// The most ToRs below one of them.
    pub tors: u64,
    /// The most pairs that one failed switch cuts off.
    pub by_switch: u64,
    /// The most pairs that the failed uplink of one of them cuts off; 0 of the top switch, which has none.
    pub by_uplink: u64,
}

/// Ports that the packet core adds, relative to the uplinks of the ToRs (shufflecast:II-B.excess).
pub fn excess_resource(core: &MulticastCore) -> f64 {
    let tors = core.tors() as f64;
    (tors + 2.0 * core.uplinks() as f64) / tors
}
