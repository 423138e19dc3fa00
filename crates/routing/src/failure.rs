//! Failures, and what still works after them.

use std::collections::{BTreeMap, BTreeSet};

use fixedbitset::FixedBitSet;
use lightloom_topology::{CassetteId, Fabric, TorId};

/// A failed part (shufflecast:III-C1.parts).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Failure {
    /// A relay in the paper's sense: the transmitter is dead. The ToR neither sends its own servers' packets
    /// nor relays. It still receives and delivers to its servers.
    Relay(TorId),
    /// The transmitter. Same effect as a failed relay.
    Transmitter(TorId),
    /// The ToR's splitter. Same effect as a failed relay.
    Splitter(TorId),
    /// One splitter output or its fibre.
    Branch {
        /// The ToR that owns the splitter.
        from: TorId,
        /// The receiver of that branch.
        to: TorId,
    },
    /// One receiver of a ToR. A transmitter in the same housing still works.
    Receiver {
        /// The ToR.
        tor: TorId,
        /// Number of the receiver's port.
        port: u32,
    },
    /// A ToR without power: it does not send, relay or receive.
    Tor(TorId),
    /// A cassette with all its splitters.
    Cassette(CassetteId),
}

/// Error: a failure names a part that the fabric does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoSuchPart {
    /// The ToR does not exist.
    #[error("there is no ToR {tor}; the ToRs are 0 to {last}")]
    Tor {
        /// The named ToR.
        tor: TorId,
        /// The highest ToR number.
        last: usize,
    },
    /// The cassette does not exist.
    #[error("there is no cassette {cassette}; the cassettes are 0 to {last}")]
    Cassette {
        /// The named cassette.
        cassette: CassetteId,
        /// The highest cassette number.
        last: usize,
    },
    /// The branch does not exist.
    #[error("the splitter of ToR {from} has no branch to ToR {to}")]
    Branch {
        /// The transmitter.
        from: TorId,
        /// The ToR that is not its receiver.
        to: TorId,
    },
    /// No receive fibre ends at the port.
    #[error("ToR {tor} receives nothing at port {port}; its last receive port is {last}")]
    Port {
        /// The ToR.
        tor: TorId,
        /// The named port.
        port: u32,
        /// The highest number of a receive port.
        last: u32,
    },
}

/// A fabric with failed parts. Answers which transmissions still arrive.
#[derive(Debug, Clone)]
pub struct Damage<'a> {
    fabric: &'a Fabric,
    mute: FixedBitSet,
    dark: FixedBitSet,
    off: FixedBitSet,
    cut: BTreeSet<(TorId, TorId)>,
}

impl<'a> Damage<'a> {
    /// Applies failures to a fabric.
    ///
    /// # Errors
    /// [`NoSuchPart`] for the first failure that names a part that this fabric does not have.
    pub fn new(fabric: &'a Fabric, failures: &[Failure]) -> Result<Self, NoSuchPart> {
        let empty = FixedBitSet::with_capacity(fabric.tors());
        let cut = BTreeSet::new();
        let mut damage = Self { fabric, mute: empty.clone(), dark: empty.clone(), off: empty, cut };
        for &failure in failures {
            damage.add(failure)?;
        }
        Ok(damage)
    }

    fn add(&mut self, failure: Failure) -> Result<(), NoSuchPart> {
        let fabric = self.fabric;
        let known = |tor: TorId| {
            let last = fabric.tors() - 1;
            if tor.index() <= last { Ok(tor) } else { Err(NoSuchPart::Tor { tor, last }) }
        };
        match failure {
            Failure::Relay(tor) | Failure::Transmitter(tor) => {
                self.mute.insert(known(tor)?.index());
                self.off.insert(tor.index());
            }
            Failure::Splitter(tor) => self.mute.insert(known(tor)?.index()),
            Failure::Tor(tor) => {
                self.mute.insert(known(tor)?.index());
                self.off.insert(tor.index());
                self.dark.insert(tor.index());
            }
            Failure::Branch { from, to } => {
                if fabric.transmits_into(known(from)?) != fabric.receives_from(known(to)?) {
                    return Err(NoSuchPart::Branch { from, to });
                }
                self.cut.insert((from, to));
            }
            Failure::Receiver { tor, port } => {
                let from = fabric.heard_at(known(tor)?, port);
                let last = || fabric.heard(tor).map(|(port, _)| port).max().unwrap_or(0);
                let from = from.ok_or_else(|| NoSuchPart::Port { tor, port, last: last() })?;
                self.cut.insert((from, tor));
            }
            Failure::Cassette(cassette) => {
                let last = fabric.cassettes() - 1;
                if cassette.index() > last {
                    return Err(NoSuchPart::Cassette { cassette, last });
                }
                self.mute.extend(fabric.transmitters(cassette).iter().map(|t| t.index()));
            }
        }
        Ok(())
    }

    /// The undamaged fabric.
    pub fn fabric(&self) -> &'a Fabric {
        self.fabric
    }

    /// Whether there is no failure.
    pub fn is_none(&self) -> bool {
        self.mute.is_clear() && self.dark.is_clear() && self.cut.is_empty()
    }

    /// Whether a ToR can still transmit.
    pub fn sends(&self, tor: TorId) -> bool {
        !self.mute.contains(tor.index())
    }

    /// Whether a ToR has power, so that it can receive.
    pub fn has_power(&self, tor: TorId) -> bool {
        !self.dark.contains(tor.index())
    }

    /// Whether a transmission of one ToR still arrives at a receiver of its splitter.
    pub fn arrives(&self, from: TorId, to: TorId) -> bool {
        self.sends(from)
            && self.has_power(to)
            && (self.cut.is_empty() || !self.cut.contains(&(from, to)))
    }

    /// Whether any branch or receiver has failed. A single relay may then not serve a whole cassette.
    pub fn has_cuts(&self) -> bool {
        !self.cut.is_empty()
    }

    /// The ToRs that cannot transmit, ascending.
    pub fn silent(&self) -> impl Iterator<Item = TorId> {
        self.mute.ones().map(TorId::at)
    }

    /// The ToRs without power, ascending.
    pub fn without_power(&self) -> impl Iterator<Item = TorId> {
        self.dark.ones().map(TorId::at)
    }

    /// The branches that have failed themselves or whose receiver has, as (transmitter, receiver), ascending.
    pub fn cut_branches(&self) -> impl Iterator<Item = (TorId, TorId)> {
        self.cut.iter().copied()
    }

    /// The ToRs whose transmitter is off, ascending. Their splitters get no light.
    pub fn transmitters_off(&self) -> impl Iterator<Item = TorId> {
        self.fabric.tor_ids().filter(|tor| self.off.contains(tor.index()))
    }

    /// The branches, as (transmitter, receiver), over which nothing [arrives](Self::arrives), ascending.
    pub fn dead_branches(&self) -> BTreeSet<(TorId, TorId)> {
        let fabric = self.fabric;
        let mut dead = self.cut.clone();
        for tor in fabric.tor_ids() {
            if !self.sends(tor) {
                let receivers = fabric.receivers(fabric.transmits_into(tor)).iter();
                dead.extend(receivers.map(|&to| (tor, to)));
            }
            if !self.has_power(tor) {
                let senders = fabric.transmitters(fabric.receives_from(tor)).iter();
                dead.extend(senders.map(|&from| (from, tor)));
            }
        }
        dead
    }

    /// The receivers that a ToR's splitter still lights.
    pub fn lit_by(&self, from: TorId) -> impl Iterator<Item = TorId> {
        let receivers = self.fabric.receivers(self.fabric.transmits_into(from)).iter().copied();
        receivers.filter(move |&to| self.arrives(from, to))
    }

    /// Whether a ToR still lights every receiver of its splitter that has power.
    pub fn serves_alone(&self, tor: TorId) -> bool {
        let receivers = self.fabric.receivers(self.fabric.transmits_into(tor)).iter();
        self.sends(tor) && receivers.copied().all(|to| !self.has_power(to) || self.arrives(tor, to))
    }
}

/// Kind of a failed part at a ToR.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PartKind {
    /// The relay in the paper's sense: its transmitter is dead.
    Relay,
    /// Its transmitter.
    Transmitter,
    /// Its splitter, alone or with the whole cassette.
    Splitter,
    /// One of its receivers.
    Receiver,
    /// The whole ToR.
    Tor,
}

/// For each ToR with failed parts, the kinds of these parts, in the order of the failures. Branches are
/// omitted: a branch is a fibre between two ToRs.
///
/// # Panics
/// Panics if a failure names a cassette beyond the fabric. [`Damage::new`] refuses such failures.
pub fn broken_parts(fabric: &Fabric, failures: &[Failure]) -> BTreeMap<TorId, Vec<PartKind>> {
    let mut at: BTreeMap<TorId, Vec<PartKind>> = BTreeMap::new();
    let mut broken = |tor: TorId, part: PartKind| at.entry(tor).or_default().push(part);
    for &failure in failures {
        match failure {
            Failure::Relay(tor) => broken(tor, PartKind::Relay),
            Failure::Transmitter(tor) => broken(tor, PartKind::Transmitter),
            Failure::Splitter(tor) => broken(tor, PartKind::Splitter),
            Failure::Receiver { tor, .. } => broken(tor, PartKind::Receiver),
            Failure::Tor(tor) => broken(tor, PartKind::Tor),
            Failure::Cassette(cassette) => {
                for &tor in fabric.transmitters(cassette) {
                    broken(tor, PartKind::Splitter);
                }
            }
            Failure::Branch { .. } => {}
        }
    }
    at
}
