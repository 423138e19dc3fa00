//! The first stage of a switch.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_topology::{Fabric, TorId};

use crate::switch::codes::Codes;
use crate::switch::cover::{Cover, cover};
use crate::switch::ternary::Ternary;

/// What becomes of a copy that came in from the fabric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// It goes to the members of its group, and to the splitter by the transmit port.
    Relay,
    /// The same for a copy that came in by the transmit port: it leaves by the port that it came in on, which
    /// switches refuse unless they are told.
    Hairpin,
    /// It goes to the members of its group.
    Deliver,
    /// It is dropped.
    Drop,
}

/// What an entry is for. Earlier ones go first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purpose {
    /// Drops copies that return to where they were first transmitted.
    OwnCopy,
    /// Drops copies whose source is no ToR of the fabric: codes with invalid digits, and empty seats.
    NoSource,
    /// Accepts a source from one ToR's splitter only.
    Filter,
    /// Treats one source otherwise than planned, because of a failure.
    Repair,
    /// Relays sources.
    Relay,
    /// Delivers all other sources.
    Delivery,
}

/// An entry: of those that fit a copy, the one with the highest priority decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entry {
    /// What it is for.
    pub purpose: Purpose,
    /// The receive port. `None`: every fabric port.
    pub port: Option<u32>,
    /// The source.
    pub source: Ternary,
    /// What becomes of the copy.
    pub kind: Kind,
}

impl Entry {
    /// Higher ones go first. An entry for one port goes before those of the same purpose for every port. Entries of
    /// equal priority that fit the same copy say the same.
    pub fn priority(&self) -> u16 {
        let purpose = match self.purpose {
            Purpose::OwnCopy => 600,
            Purpose::NoSource => 500,
            Purpose::Filter => 400,
            Purpose::Repair => 300,
            Purpose::Relay => 200,
            Purpose::Delivery => 100,
        };
        purpose + u16::from(self.port.is_some())
    }

    /// Whether it fits a copy.
    pub fn fits(&self, port: u32, code: u32) -> bool {
        self.port.is_none_or(|only| only == port) && self.source.matches(code)
    }
}

/// How sources are matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matching {
    /// One entry a source and kind. A repair changes these entries.
    Literal,
    /// Few ternary entries for the planned rules. A repair adds exceptions.
    Masked,
}

/// What a ToR is told.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    /// The ToR.
    pub tor: TorId,
    /// The sources that it relays without failures, ascending.
    pub planned: &'a [TorId],
    /// The sources that it relays, ascending.
    pub relays: &'a [TorId],
    /// The sources that it accepts only from one ToR's splitter, and that ToR.
    pub accept: Option<&'a BTreeMap<TorId, TorId>>,
    /// The sources whose copies return here: its own, and those that it stands in for.
    pub returning: &'a BTreeSet<TorId>,
}

impl Told<'_> {
    /// What becomes of a copy that came in from a ToR's splitter.
    pub fn kind(&self, fabric: &Fabric, source: TorId, from: TorId) -> Kind {
        let only = self.accept.and_then(|accept| accept.get(&source));
        if self.returning.contains(&source) || only.is_some_and(|&only| only != from) {
            return Kind::Drop;
        }
        match self.relays.binary_search(&source).is_ok() {
            true if fabric.port_hearing(self.tor, from) == Some(fabric.transmit_port(self.tor)) => {
                Kind::Hairpin
            }
            true => Kind::Relay,
            false => Kind::Deliver,
        }
    }
}

/// The first stage of one ToR.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchTable {
    /// The ToR.
    pub tor: TorId,
    /// The entries, by falling priority.
    pub entries: Vec<Entry>,
    /// No cover of the relayed sources has fewer matches.
    pub least: usize,
}

/// A copy for which a table decides wrongly.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("ToR {tor} makes {found:?} of source {source_tor} at port {port}; expected {expected:?}")]
pub struct Wrong {
    /// The switch.
    pub tor: TorId,
    /// The source of the copy.
    pub source_tor: TorId,
    /// The receive port.
    pub port: u32,
    /// What the table says. `None`: no entry fits.
    pub found: Option<Kind>,
    /// What it should say.
    pub expected: Kind,
}

impl SwitchTable {
    /// The table of a ToR.
    pub fn new(fabric: &Fabric, codes: &Codes, matching: Matching, told: Told<'_>) -> Self {
        let exact = |tor: TorId| Ternary::exact(codes.of(tor), codes.bits());
        let mut entries = Vec::new();
        let drop = |purpose, source| Entry { purpose, port: None, source, kind: Kind::Drop };
        entries.extend(told.returning.iter().map(|&tor| drop(Purpose::OwnCopy, exact(tor))));
        entries.extend(codes.unused().iter().map(|&none| drop(Purpose::NoSource, none)));
        for (&source, &from) in told.accept.into_iter().flatten() {
            if told.returning.contains(&source) {
                continue;
            }
            entries.push(drop(Purpose::Filter, exact(source)));
            if let Some(port) = fabric.port_hearing(told.tor, from) {
                let kind = told.kind(fabric, source, from);
                let (purpose, port) = (Purpose::Filter, Some(port));
                entries.push(Entry { purpose, port, source: exact(source), kind });
            }
        }
        let relay = |purpose, source| {
            let entry = |port, kind| Entry { purpose, port, source, kind };
            // A port that only transmits receives nothing to send back.
            let hairpin = fabric.heard_at_transmit_port(told.tor).is_some();
            let hairpin = hairpin.then(|| fabric.transmit_port(told.tor));
            let hairpin = hairpin.map(|port| entry(Some(port), Kind::Hairpin));
            hairpin.into_iter().chain([entry(None, Kind::Relay)])
        };
        let least = match matching {
            Matching::Literal => {
                let relays = told.relays.iter().filter(|source| !told.returning.contains(source));
                entries.extend(relays.flat_map(|&source| relay(Purpose::Relay, exact(source))));
                told.relays.len()
            }
            Matching::Masked => {
                let found = planned(codes, told);
                entries.extend(found.matches.iter().flat_map(|&m| relay(Purpose::Relay, m)));
                for source in told.repaired() {
                    if told.relays.binary_search(&source).is_ok() {
                        entries.extend(relay(Purpose::Repair, exact(source)));
                    } else {
                        let (purpose, kind) = (Purpose::Repair, Kind::Deliver);
                        entries.push(Entry { purpose, port: None, source: exact(source), kind });
                    }
                }
                found.least
            }
        };
        let (purpose, kind) = (Purpose::Delivery, Kind::Deliver);
        entries.push(Entry { purpose, port: None, source: Ternary::any(), kind });
        entries.sort_by_key(|entry| (std::cmp::Reverse(entry.priority()), entry.source));
        Self { tor: told.tor, entries, least }
    }

    /// What becomes of a copy with this code at a fabric port. `None`: no entry fits.
    pub fn kind(&self, port: u32, code: u32) -> Option<Kind> {
        self.entries.iter().find(|entry| entry.fits(port, code)).map(|entry| entry.kind)
    }

    /// Compares the table with what the ToR is told, for every source at every port.
    ///
    /// # Errors
    /// The first copy for which they differ.
    pub fn check(&self, fabric: &Fabric, codes: &Codes, told: Told<'_>) -> Result<(), Wrong> {
        for source in fabric.tor_ids() {
            for (port, from) in fabric.heard(told.tor) {
                let expected = told.kind(fabric, source, from);
                let found = self.kind(port, codes.of(source));
                if found != Some(expected) {
                    let (tor, source_tor) = (told.tor, source);
                    return Err(Wrong { tor, source_tor, port, found, expected });
                }
            }
        }
        Ok(())
    }
}

impl Told<'_> {
    /// The sources that are treated otherwise than planned, ascending. Copies that return are dropped anyway.
    fn repaired(&self) -> impl Iterator<Item = TorId> {
        let (planned, now): (BTreeSet<_>, BTreeSet<_>) =
            (self.planned.iter().collect(), self.relays.iter().collect());
        let differ: Vec<TorId> = planned.symmetric_difference(&now).map(|tor| **tor).collect();
        differ.into_iter().filter(|source| !self.returning.contains(source))
    }
}

/// Matches for the sources that a ToR relays without failures. Its own code and unused ones may fit: their drops come
/// first. Where fewer are found without that freedom, it is not used.
fn planned(codes: &Codes, told: Told<'_>) -> Cover {
    let mut is_relayed = vec![false; codes.all().len()];
    told.planned.iter().for_each(|tor| is_relayed[tor.index()] = true);
    let with = |relayed: bool| -> Vec<u32> {
        let all = codes.all().iter().zip(&is_relayed).enumerate();
        let all = all.filter(|(tor, (_, is))| *tor != told.tor.index() && **is == relayed);
        all.map(|(_, (&code, _))| code).collect()
    };
    let (mut wanted, mut unwanted) = (with(true), with(false));
    let free = cover(&wanted, &unwanted, codes.bits());
    if free.matches.len() == free.least {
        return free;
    }
    wanted.push(codes.of(told.tor));
    unwanted.extend(codes.none());
    let bound = cover(&wanted, &unwanted, codes.bits());
    if bound.matches.len() < free.matches.len() {
        Cover { least: free.least, ..bound }
    } else {
        free
    }
}
