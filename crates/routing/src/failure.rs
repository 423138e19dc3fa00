//! What can break, and what is left when it has.

use std::collections::{BTreeMap, BTreeSet};

use fixedbitset::FixedBitSet;
use lightloom_topology::{CassetteId, Fabric, TorId};

/// One broken part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Failure {
    /// A relay as the paper has it: its transmitter is dead. It neither sends what its own servers
    /// bring nor relays, but still receives and delivers to its servers.
    Relay(TorId),
    /// The transmitter itself: the same effect.
    Transmitter(TorId),
    /// Its splitter: the same effect.
    Splitter(TorId),
    /// One splitter output, or the fibre on it.
    Branch {
        /// The ToR whose splitter it is.
        from: TorId,
        /// The receiver that it served.
        to: TorId,
    },
    /// One receiver of a ToR; a transmitter in the same housing still works.
    Receiver {
        /// The ToR.
        tor: TorId,
        /// The port.
        port: u32,
    },
    /// A ToR without power: it sends, relays and receives nothing.
    Tor(TorId),
    /// A housing with all its splitters.
    Cassette(CassetteId),
}

/// A failure that names something the fabric does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoSuchPart {
    /// No such ToR.
    #[error("there is no ToR {tor}; the ToRs are 0 to {last}")]
    Tor {
        /// What was named.
        tor: TorId,
        /// The highest ToR.
        last: usize,
    },
    /// No such cassette.
    #[error("there is no cassette {cassette}; the cassettes are 0 to {last}")]
    Cassette {
        /// What was named.
        cassette: CassetteId,
        /// The highest cassette.
        last: usize,
    },
    /// No such branch.
    #[error("the splitter of ToR {from} has no branch to ToR {to}")]
    Branch {
        /// The transmitter.
        from: TorId,
        /// The supposed receiver.
        to: TorId,
    },
    /// No such port.
    #[error("ToR {tor} has no port {port}; its ports are 0 to {last}")]
    Port {
        /// The ToR.
        tor: TorId,
        /// What was named.
        port: u32,
        /// The highest port.
        last: usize,
    },
}

/// A fabric with broken parts: which transmissions still arrive.
#[derive(Debug, Clone)]
pub struct Damage<'a> {
    fabric: &'a Fabric,
    mute: FixedBitSet,
    dark: FixedBitSet,
    off: FixedBitSet,
    cut: BTreeSet<(TorId, TorId)>,
}

impl<'a> Damage<'a> {
    /// Breaks parts of a fabric.
    ///
    /// # Errors
    /// [`NoSuchPart`] for the first failure that names nothing of this fabric.
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
                let senders = fabric.transmitters(fabric.receives_from(known(tor)?));
                let last = senders.len() - 1;
                let sender = senders.get(port as usize);
                let from = *sender.ok_or(NoSuchPart::Port { tor, port, last })?;
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

    /// The fabric as built.
    pub fn fabric(&self) -> &'a Fabric {
        self.fabric
    }

    /// Whether nothing is broken.
    pub fn is_none(&self) -> bool {
        self.mute.is_clear() && self.dark.is_clear() && self.cut.is_empty()
    }

    /// Whether a ToR still transmits.
    pub fn sends(&self, tor: TorId) -> bool {
        !self.mute.contains(tor.index())
    }

    /// Whether a ToR still has power, and so can receive.
    pub fn has_power(&self, tor: TorId) -> bool {
        !self.dark.contains(tor.index())
    }

    /// Whether what one ToR transmits still arrives at a receiver of its splitter.
    pub fn arrives(&self, from: TorId, to: TorId) -> bool {
        self.sends(from)
            && self.has_power(to)
            && (self.cut.is_empty() || !self.cut.contains(&(from, to)))
    }

    /// Whether any branch or receiver is out, so that one relay may not serve a cassette alone.
    pub fn has_cuts(&self) -> bool {
        !self.cut.is_empty()
    }

    /// The ToRs whose transmitter is off, so that not even its splitter gets light; ascending.
    pub fn transmitters_off(&self) -> impl Iterator<Item = TorId> {
        self.fabric.tor_ids().filter(|tor| self.off.contains(tor.index()))
    }

    /// The branches, from whom to whom, over which nothing [arrives](Self::arrives); ascending.
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

    /// Whether a ToR still lights every receiver with power that it should.
    pub fn serves_alone(&self, tor: TorId) -> bool {
        let receivers = self.fabric.receivers(self.fabric.transmits_into(tor)).iter();
        self.sends(tor) && receivers.copied().all(|to| !self.has_power(to) || self.arrives(tor, to))
    }
}

/// The kind of a broken part at a ToR.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PartKind {
    /// The relay as the paper has it: its transmitter is dead.
    Relay,
    /// Its transmitter.
    Transmitter,
    /// Its splitter, alone or with the whole housing.
    Splitter,
    /// One of its receivers.
    Receiver,
    /// All of it.
    Tor,
}

/// For each ToR at which a part is broken, the kinds of its broken parts, in the order of the failures.
/// A branch is a fibre between two ToRs and is at neither.
///
/// # Panics
/// When a failure names a cassette beyond the fabric; [`Damage::new`] refuses such failures.
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
