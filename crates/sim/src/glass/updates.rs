//! The stages of a rollout as changes of the tables of switches.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_routing::failure::{Damage, NoSuchPart};
use lightloom_routing::group_tree::{GroupTree, SourceRules};
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_topology::{Fabric, TorId};
use lightloom_twin::{GroupId, LightStop, Rule, Update, Updated};

use super::rollout::{Rollout, Stage};
use super::trees::{GroupCast, light_rules, light_tree};

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
enum Tables {
    Rules(BTreeMap<NodeId, Rule>),
    /// With the stand-in.
    Stops(BTreeMap<NodeId, LightStop>, Option<NodeId>),
}

/// The changes for all senders, by time. Their number is entered in the events.
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
    let mut now: Vec<Tables> =
        senders.iter().map(|sender| tables(beside, (first, &damage), sender)).collect();
    for stage in later {
        let before = updates.len();
        let damage = Damage::new(beside.fabric, &stage.known)?;
        for (sender, now) in senders.iter().zip(&mut now) {
            let new = tables(beside, (stage, &damage), sender);
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

/// The tables of a sender in a stage, with the damage that it knows of.
fn tables(
    beside: Beside<'_>,
    (stage, damage): (&Stage, &Damage<'_>),
    sender: &LitSender,
) -> Tables {
    let Beside { network, tors, .. } = beside;
    let tor_of = |host: NodeId| TorId::at(network.ports(host)[0].peer.index() - network.hosts());
    let source = tor_of(sender.source);
    let root = stage.rules.via.get(&source).copied().unwrap_or(source);
    let relays = stage.rules.relays_of(source);
    let rules = SourceRules { source, root, relays: &relays, accept: &stage.rules.accept };
    let members: BTreeSet<TorId> = sender.members.iter().map(|&member| tor_of(member)).collect();
    let tree = GroupTree::new(damage, rules, |tor| members.contains(&tor));
    if sender.is_datagram {
        let cast =
            GroupCast { group: sender.group, members: &sender.members, source: sender.source };
        let rules = light_rules(network, tors, &tree, &cast).into_iter();
        return Tables::Rules(rules.map(|rule| (rule.at, rule)).collect());
    }
    let light = light_tree(tors, &tree, sender.source);
    Tables::Stops(light.stops.into_iter().map(|stop| (stop.at, stop)).collect(), light.stand_in)
}

/// What changes from some tables of a sender to others.
fn changed(sender: &LitSender, old: &Tables, new: &Tables) -> Vec<Updated> {
    match (old, new) {
        (Tables::Rules(old), Tables::Rules(new)) => {
            let is_idle = |at: &NodeId| old[at].ways.is_empty();
            let gone = old.keys().filter(|at| !new.contains_key(at) && !is_idle(at));
            let none = |&at: &NodeId| Rule {
                at,
                group: sender.group,
                source: Some(sender.source),
                accept: None,
                ways: Vec::new(),
            };
            let set = new.values().filter(|rule| old.get(&rule.at) != Some(rule)).cloned();
            set.chain(gone.map(none)).map(Updated::Rule).collect()
        }
        (Tables::Stops(old, was), Tables::Stops(new, stand_in)) => {
            let gone = old.keys().filter(|at| !new.contains_key(at));
            let none = |&at: &NodeId| LightStop { at, accept: None, relay: None };
            let set = new.values().filter(|stop| old.get(&stop.at) != Some(stop)).copied();
            let (group, source) = (sender.group, sender.source);
            let light = |stop| Updated::Light { group, source, stop };
            let stand_in = *stand_in;
            let moved = Updated::StandIn { group, source, stand_in };
            let moved = (*was != stand_in).then_some(moved);
            set.chain(gone.map(none)).map(light).chain(moved).collect()
        }
        _ => Vec::new(),
    }
}
