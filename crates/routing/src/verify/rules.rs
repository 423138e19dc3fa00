//! Rules as installed in switches.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use lightloom_topology::TorId;

use crate::failure::Damage;
use crate::verify::replay::Hardware;

/// Port filters: for each ToR, the sources that it accepts only from one ToR's splitter, and that ToR. It
/// accepts other sources from every splitter that lights it.
pub type Accept = BTreeMap<TorId, BTreeMap<TorId, TorId>>;

/// Stand-ins: for each source without a working transmitter, the ToR that it unicasts to and that transmits
/// first. All other sources transmit themselves.
pub type Via = BTreeMap<TorId, TorId>;

/// Installed rules: for each source, the ToRs with a rule for it, the ToR that transmits first, and the port
/// filters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledRules {
    relays_of: Vec<FixedBitSet>,
    accept: Accept,
    via: Via,
}

impl InstalledRules {
    /// Makes rules from pairs of a ToR and the sources that it relays. No filters or stand-ins.
    ///
    /// # Panics
    /// Panics if a list names a source beyond `tors`.
    pub fn new<'a>(tors: usize, lists: impl IntoIterator<Item = (TorId, &'a [TorId])>) -> Self {
        let mut relays_of = vec![FixedBitSet::with_capacity(tors); tors];
        for (relay, sources) in lists {
            for source in sources {
                relays_of[source.index()].insert(relay.index());
            }
        }
        Self { relays_of, accept: Accept::new(), via: Via::new() }
    }

    /// Makes rules of all ToRs: `sources_by_relay[t]` lists the sources that ToR *t* relays.
    ///
    /// # Panics
    /// Panics if a list names a source beyond the number of lists.
    pub fn of_lists(sources_by_relay: &[Vec<TorId>]) -> Self {
        let lists = sources_by_relay.iter().map(Vec::as_slice).enumerate();
        let lists = lists.map(|(relay, sources)| (TorId::at(relay), sources));
        Self::new(sources_by_relay.len(), lists)
    }

    /// Adds filters and stand-ins.
    #[must_use]
    pub fn with(self, accept: Accept, via: Via) -> Self {
        Self { accept, via, ..self }
    }

    /// Whether a ToR has a rule for a source.
    pub fn relays(&self, source: TorId, tor: TorId) -> bool {
        self.relays_of[source.index()].contains(tor.index())
    }

    /// Whether a ToR accepts a source's packets from another ToR's splitter.
    pub fn accepts(&self, tor: TorId, source: TorId, from: TorId) -> bool {
        let only = self.accept.get(&tor).and_then(|sources| sources.get(&source));
        only.is_none_or(|&only| only == from)
    }

    /// The ToR that transmits a source's packets first: its stand-in, or the source itself.
    pub fn root(&self, source: TorId) -> TorId {
        self.via.get(&source).copied().unwrap_or(source)
    }
}

/// Installed rules over damaged parts, for the packets of one source.
#[derive(Debug, Clone, Copy)]
pub struct RulesOverDamage<'a> {
    /// The damage.
    pub damage: &'a Damage<'a>,
    /// The installed rules.
    pub rules: &'a InstalledRules,
    /// The source of the packets.
    pub source: TorId,
}

impl Hardware for RulesOverDamage<'_> {
    fn has_rule(&self, tor: TorId) -> bool {
        self.damage.sends(tor) && self.rules.relays(self.source, tor)
    }

    fn arrives(&self, from: TorId, to: TorId) -> bool {
        self.damage.arrives(from, to)
    }

    fn accepts(&self, tor: TorId, from: TorId) -> bool {
        self.rules.accepts(tor, self.source, from)
    }
}
