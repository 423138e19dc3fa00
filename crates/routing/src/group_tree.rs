//! The tree of one source to a group: the part of its installed rules that leads to the ToRs of the members.
//!
//! Two members do not light all splitters: a ToR relays only if a ToR of the group lies behind it.

use std::collections::VecDeque;

use fixedbitset::FixedBitSet;
use lightloom_topology::TorId;

use crate::failure::Damage;
use crate::verify::Accept;

/// The installed rules for one source.
#[derive(Debug, Clone, Copy)]
pub struct SourceRules<'a> {
    /// The source.
    pub source: TorId,
    /// The ToR that transmits first: the source, or its stand-in.
    pub root: TorId,
    /// The ToRs with a rule for the source.
    pub relays: &'a [TorId],
    /// Port filters of all sources.
    pub accept: &'a Accept,
}

/// The tree of one source to a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupTree {
    /// The source.
    pub source: TorId,
    /// The ToR that transmits first: the source, or its stand-in.
    pub root: TorId,
    /// The ToRs that the light of this tree reaches, and what each does: the source first, then its stand-in,
    /// then the others by their number of hops. ToRs of no member, which a splitter lights beside others, are
    /// here too.
    pub stops: Vec<Stop>,
    /// ToRs that have no copy of the tree and that would do something with one: those with a rule, and those of the
    /// group. Rules lead light there if parts work that the tree does without. Ascending; `from` is none.
    pub unlit: Vec<Stop>,
    /// ToRs of the group that no copy reaches, ascending.
    pub missed: Vec<TorId>,
}

/// A ToR of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stop {
    /// The ToR.
    pub tor: TorId,
    /// The ToR whose splitter brings its copy. `None` at the source and its stand-in, which have the packet.
    pub from: Option<TorId>,
    /// The only ToR whose splitter it accepts, where the rules name one.
    pub accept: Option<TorId>,
    /// Whether it transmits into its splitter.
    pub relays: bool,
}

impl GroupTree {
    /// Finds the tree. `damage` is the damage that the rules were made for. `is_member` tells the ToRs of the
    /// group; the source has the packet, member or not.
    ///
    /// # Panics
    /// Panics if the rules name a ToR that the fabric does not have.
    pub fn new(
        damage: &Damage<'_>,
        rules: SourceRules<'_>,
        is_member: impl Fn(TorId) -> bool,
    ) -> Self {
        let fabric = damage.fabric();
        let SourceRules { source, root, .. } = rules;
        let mut has_rule = FixedBitSet::with_capacity(fabric.tors());
        has_rule.extend(rules.relays.iter().map(|relay| relay.index()));
        let only = |tor: TorId| rules.accept.get(&tor).and_then(|from| from.get(&source)).copied();
        let lit_by = |from: TorId| {
            let lit = damage.lit_by(from);
            lit.filter(move |&to| only(to).is_none_or(|only| only == from))
        };
        let has_packet = |tor: TorId| tor == source || tor == root;

        // All ToRs that the rules reach, by hops.
        let mut from: Vec<Option<TorId>> = vec![None; fabric.tors()];
        let mut order = Vec::new();
        let mut queue = VecDeque::from([root]);
        while let Some(relay) = queue.pop_front() {
            if !has_rule.contains(relay.index()) || !damage.sends(relay) {
                continue;
            }
            for to in lit_by(relay) {
                if !has_packet(to) && from[to.index()].is_none() {
                    from[to.index()] = Some(relay);
                    order.push(to);
                    queue.push_back(to);
                }
            }
        }
        // From the leaves to the root: who has a member behind it.
        let mut relays = FixedBitSet::with_capacity(fabric.tors());
        for &tor in order.iter().rev() {
            if (is_member(tor) || relays.contains(tor.index()))
                && let Some(relay) = from[tor.index()]
            {
                relays.insert(relay.index());
            }
        }
        // A rule at a dead transmitter stays where it is.
        let is_mute = |tor: TorId| has_rule.contains(tor.index()) && !damage.sends(tor);
        let stop = |tor: TorId| Stop {
            tor,
            from: from[tor.index()],
            accept: only(tor),
            relays: relays.contains(tor.index()) || is_mute(tor),
        };
        let is_lit = |tor: &TorId| from[tor.index()].is_some_and(|by| relays.contains(by.index()));
        // Nothing goes to the stand-in where neither it nor what lies behind it is of the group.
        let stands_in = root != source && (relays.contains(root.index()) || is_member(root));
        let first = [Some(source), stands_in.then_some(root)].into_iter().flatten();
        let stops = first.chain(order.into_iter().filter(is_lit)).map(stop).collect();
        let lost =
            |tor: &TorId| is_member(*tor) && from[tor.index()].is_none() && !has_packet(*tor);
        let missed = fabric.tor_ids().filter(lost).collect();
        let unlit = |tor: &TorId| {
            let holds = has_rule.contains(tor.index()) || is_member(*tor);
            holds && from[tor.index()].is_none() && !has_packet(*tor)
        };
        let idle = |tor: TorId| {
            let relays = has_rule.contains(tor.index());
            Stop { tor, from: None, accept: only(tor), relays }
        };
        let unlit = fabric.tor_ids().filter(unlit).map(idle).collect();
        Self { source, root, stops, unlit, missed }
    }

    /// Number of splitters that it lights.
    pub fn transmissions(&self) -> usize {
        self.stops.iter().filter(|stop| stop.relays).count()
    }
}
