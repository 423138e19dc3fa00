//! The stages of a rollout as changes of the tables of switches.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_routing::failure::{Damage, NoSuchPart};
use lightloom_routing::group_tree::{GroupTree, SourceRules};
use lightloom_routing::recovery::StepKind;
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_topology::{Fabric, TorId};
use lightloom_twin::{Egress, GroupId, Ingress, LightStop, Rule, Update, Updated};

use super::rollout::{Rollout, Stage};
use super::trees::{GroupCast, light_rules, light_tree, unlit_rules};

/// A host that sends to a group over light.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LitSender {
    /// The group.
    pub group: GroupId,
    /// The host.
    pub source: NodeId,
    /// All that are ever members.
    pub members: Vec<NodeId>,
    /// Whether the group is one of datagrams.
    pub is_datagram: bool,
}

/// A fabric beside a network.
#[derive(Debug, Clone, Copy)]
pub struct Beside<'a> {
    /// The network.
    pub network: &'a Network,
    /// The fabric.
    pub fabric: &'a Fabric,
    /// The switch of each ToR.
    pub tors: &'a [NodeId],
}

/// What a sender's packets do at each switch.
#[derive(Clone)]
enum Tables {
    Rules(BTreeMap<NodeId, Rule>),
    /// With the stand-in.
    Stops(BTreeMap<NodeId, LightStop>, Option<NodeId>),
}

/// The changes for all senders, by time. Their number is entered in the events.
///
/// Deletions take relay entries away and touch nothing else, so copies under way still reach the servers of every ToR.
/// Filters change what is accepted. What is pruned from a tree, and its stand-in, change with the additions.
///
/// # Errors
/// [`NoSuchPart`] if a failure names a part that the fabric does not have.
pub fn updates(
    beside: Beside<'_>,
    rollout: &mut Rollout,
    senders: &[LitSender],
) -> Result<Vec<Update>, NoSuchPart> {
    let mut updates = Vec::new();
    let Some((first, later)) = rollout.stages.split_first() else { return Ok(updates) };
    let damage = Damage::new(beside.fabric, &first.known)?;
    let begin = |sender: &LitSender| Planned { beside, stage: first, sender }.tables(&damage);
    let mut now: Vec<Tables> = senders.iter().map(begin).collect();
    for stage in later {
        let before = updates.len();
        let damage = Damage::new(beside.fabric, &stage.known)?;
        for (sender, now) in senders.iter().zip(&mut now) {
            let planned = Planned { beside, stage, sender };
            let mut new = match stage.kind {
                Some(StepKind::Delete) => planned.without_deleted(now),
                Some(StepKind::Accept) => planned.filtered(now),
                Some(StepKind::Add) | None => planned.added(now, &damage),
            };
            planned.keep_powerless(now, &mut new);
            let what = changed(sender, now, &new);
            updates.extend(what.into_iter().map(|what| Update { at: stage.from, what }));
            *now = new;
        }
        if let Some(event) = stage.event.and_then(|event| rollout.events.get_mut(event)) {
            event.group_rules = updates.len() - before;
        }
    }
    Ok(updates)
}

/// What a stage of a rollout means for one sender.
#[derive(Clone, Copy)]
struct Planned<'a> {
    beside: Beside<'a>,
    stage: &'a Stage,
    sender: &'a LitSender,
}

impl Planned<'_> {
    fn tor_of(&self, host: NodeId) -> TorId {
        let network = self.beside.network;
        TorId::at(network.ports(host)[0].peer.index() - network.hosts())
    }

    /// The ToR of a switch. `None`: it is a spine.
    fn tor_at(&self, node: NodeId) -> Option<TorId> {
        let tor = node.index().checked_sub(self.beside.network.hosts())?;
        (tor < self.beside.tors.len()).then(|| TorId::at(tor))
    }

    /// Whether the rules have the ToR at a switch relay the sender's packets.
    fn relays(&self, at: NodeId) -> bool {
        let source = self.tor_of(self.sender.source);
        let list = self.tor_at(at).map(|tor| &self.stage.rules.lists[tor.index()]);
        list.is_some_and(|list| list.binary_search(&source).is_ok())
    }

    /// The tables that the rules of the stage mean, where the failures that it knows of last.
    fn tables(&self, damage: &Damage<'_>) -> Tables {
        let Self { beside: Beside { network, tors, .. }, stage, sender } = *self;
        let source = self.tor_of(sender.source);
        let root = stage.rules.via.get(&source).copied().unwrap_or(source);
        let relays = stage.rules.relays_of(source);
        let rules = SourceRules { source, root, relays: &relays, accept: &stage.rules.accept };
        let members: BTreeSet<TorId> =
            sender.members.iter().map(|&member| self.tor_of(member)).collect();
        let tree = GroupTree::new(damage, rules, |tor| members.contains(&tor));
        if sender.is_datagram {
            let cast =
                GroupCast { group: sender.group, members: &sender.members, source: sender.source };
            let lit = light_rules(network, tors, &tree, &cast);
            let rules = lit.into_iter().chain(unlit_rules(network, tors, &tree, &cast));
            return Tables::Rules(rules.map(|rule| (rule.at, rule)).collect());
        }
        let light = light_tree(tors, &tree, sender.source);
        Tables::Stops(light.stops.into_iter().map(|stop| (stop.at, stop)).collect(), light.stand_in)
    }

    /// After the deletions.
    fn without_deleted(&self, old: &Tables) -> Tables {
        let mut new = old.clone();
        match &mut new {
            Tables::Rules(rules) => {
                for rule in rules.values_mut().filter(|rule| !self.relays(rule.at)) {
                    rule.ways.retain(|(way, _)| !matches!(way, Egress::Splitter(_)));
                }
            }
            Tables::Stops(stops, _) => {
                for stop in stops.values_mut().filter(|stop| !self.relays(stop.at)) {
                    stop.relay = None;
                }
            }
        }
        new
    }

    /// After the change of filters. The switches of the source and of its stand-in take packets of their own ports
    /// only. A reliable group takes the light of its tree only, so its filters change with the tree.
    fn filtered(&self, old: &Tables) -> Tables {
        let mut new = old.clone();
        let Tables::Rules(rules) = &mut new else { return new };
        let source = self.tor_of(self.sender.source);
        for (&at, rule) in rules.iter_mut() {
            let Some(tor) =
                self.tor_at(at).filter(|_| !matches!(rule.accept, Some(Ingress::Link(_))))
            else {
                continue;
            };
            let only = self.stage.rules.accept.get(&tor).and_then(|of| of.get(&source));
            rule.accept = only.map(|from| Ingress::Splitter(from.0));
        }
        new
    }

    /// After the additions. What is not in the new tree relays no more, but still delivers.
    fn added(&self, old: &Tables, damage: &Damage<'_>) -> Tables {
        let mut new = self.tables(damage);
        match (old, &mut new) {
            (Tables::Rules(old), Tables::Rules(new)) => {
                for (&at, rule) in old.iter().filter(|(at, _)| self.tor_at(**at).is_some()) {
                    let rest = || {
                        let mut rule = rule.clone();
                        rule.ways.retain(|(way, _)| !matches!(way, Egress::Splitter(_)));
                        rule
                    };
                    new.entry(at).or_insert_with(rest);
                }
                // Switches on the way to a former stand-in still bring it what is under way.
                let others = old.iter().filter(|(at, _)| self.tor_at(**at).is_none());
                for (&at, rule) in others {
                    new.entry(at).or_insert_with(|| rule.clone());
                }
            }
            (Tables::Stops(old, _), Tables::Stops(new, _)) => {
                for (&at, stop) in old {
                    new.entry(at).or_insert(LightStop { relay: None, ..*stop });
                }
            }
            _ => {}
        }
        new
    }

    /// ToRs without power keep what they have.
    fn keep_powerless(&self, old: &Tables, new: &mut Tables) {
        for tor in &self.stage.powerless {
            let at = self.beside.tors[tor.index()];
            match (old, &mut *new) {
                (Tables::Rules(old), Tables::Rules(new)) => keep(old, new, at),
                (Tables::Stops(old, _), Tables::Stops(new, _)) => keep(old, new, at),
                _ => {}
            }
        }
    }
}

/// Keeps one entry of a table as it was.
fn keep<T: Clone>(old: &BTreeMap<NodeId, T>, new: &mut BTreeMap<NodeId, T>, at: NodeId) {
    match old.get(&at) {
        Some(old) => {
            new.insert(at, old.clone());
        }
        None => {
            new.remove(&at);
        }
    }
}

/// What changes from some tables of a sender to others.
fn changed(sender: &LitSender, old: &Tables, new: &Tables) -> Vec<Updated> {
    match (old, new) {
        (Tables::Rules(old), Tables::Rules(new)) => {
            let set = new.values().filter(|rule| old.get(&rule.at) != Some(rule)).cloned();
            set.map(Updated::Rule).collect()
        }
        (Tables::Stops(old, was), Tables::Stops(new, stand_in)) => {
            let set = new.values().filter(|stop| old.get(&stop.at) != Some(stop)).copied();
            let (group, source) = (sender.group, sender.source);
            let light = |stop| Updated::Light { group, source, stop };
            let stand_in = *stand_in;
            let moved = Updated::StandIn { group, source, stand_in };
            let moved = (*was != stand_in).then_some(moved);
            set.map(light).chain(moved).collect()
        }
        _ => Vec::new(),
    }
}
