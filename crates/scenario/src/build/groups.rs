//! Groups with their messages: what switches and splitters do with the packets of each sender.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_request::InputError;
use lightloom_routing::failure::Damage;
use lightloom_topology::TorId;
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_twin::{Data, Group, GroupId, LightTree, Multicast, Reliable, Service};

use crate::build::admission::{OwnTrees, Wanted};
use crate::build::casts::{Casts, Sender};
use crate::build::members::{GroupRows, Grouped};
use crate::build::nodes::Nodes;
use crate::build::planned::Planned;
use crate::glass::{
    GroupCast, LitSender, TreeSize, light_rules, light_tree, link_rules, size_of, unlit_rules,
};
use crate::said::Way;
use crate::scenario::GroupTransport;
use crate::scenario::Groups as Reported;

/// The groups of a scenario and the messages to them.
#[derive(Debug, Default)]
pub(super) struct Groups {
    pub(super) multicast: Multicast,
    pub(super) reported: Reported,
    pub(super) warnings: Vec<String>,
    /// The hosts that send over light.
    pub(super) lit: Vec<LitSender>,
}

/// What one host's packets to one group do.
#[derive(Default)]
struct Sent {
    tree: Option<LightTree>,
    size: Option<TreeSize>,
}

impl Groups {
    /// Joins groups and messages, and installs the rules of each sender.
    pub(super) fn new(
        mut rows: GroupRows,
        casts: &mut Casts,
        nodes: &Nodes,
        admission: Option<&Wanted>,
    ) -> Result<Self, InputError> {
        rows.sort_changes();
        let mut groups = Self::default();
        let network = &nodes.network;
        let planned = nodes.planned.as_ref();
        if let Some(planned) = planned {
            groups.multicast.splitters.clone_from(&planned.splitters);
        }
        let damage = planned.map(Planned::damage).transpose()?;
        let own = match (admission, planned) {
            (Some(admission), Some(planned)) => {
                let lit = casts.senders.iter().filter(|of| rows.rows[of.group].data == Way::Light);
                let mut seen = BTreeSet::new();
                let senders = lit.map(|of| planned.tor_of(network, of.from));
                let senders: Vec<TorId> = senders.filter(|&tor| seen.insert(tor)).collect();
                let (plan, own) = admission.plan(planned, &senders)?;
                groups.reported.admission = Some(plan);
                groups.multicast.admission = Some(admission.admission);
                own
            }
            _ => OwnTrees::new(),
        };
        let mut sent: BTreeMap<(GroupId, NodeId), Sent> = BTreeMap::new();
        for sender in &casts.senders {
            let group = &rows.rows[sender.group];
            let way = groups.way(nodes, damage.as_ref(), group, (sender, &own))?;
            sent.insert((sender.id, sender.from), way);
        }
        rows.check_changes(&casts.latest)?;
        let size = |key| sent.get(&key).and_then(|sent| sent.size);
        groups.reported.trees = casts.casts.iter().map(|cast| size((cast.to, cast.from))).collect();
        let mut first: BTreeMap<GroupId, NodeId> = BTreeMap::new();
        for cast in &casts.casts {
            first.entry(cast.to).or_insert(cast.from);
        }
        for row in &rows.rows {
            groups.add(row, &first, &mut sent);
        }
        groups.reported.names = rows.names;
        groups.multicast.casts = std::mem::take(&mut casts.casts);
        Ok(groups)
    }

    /// Finds the ways of one sender's packets, and installs its rules.
    fn way(
        &mut self,
        nodes: &Nodes,
        damage: Option<&Damage<'_>>,
        group: &Grouped,
        (sender, own): (&Sender, &OwnTrees),
    ) -> Result<Sent, InputError> {
        let network = &nodes.network;
        let &Sender { place, id, from, .. } = sender;
        let members: Vec<NodeId> = group.ever(place).into_iter().collect();
        let cast = GroupCast { group: id, members: &members, source: from };
        let is_datagram = group.transport == GroupTransport::Datagram;
        let planned = nodes.planned.as_ref().filter(|_| group.data == Way::Light);
        let Some((planned, damage)) = planned.zip(damage) else {
            if !is_datagram {
                return Ok(Sent::default());
            }
            let rules = link_rules(network, &cast);
            let size = size_of(&rules, &[]);
            self.multicast.rules.extend(rules);
            return Ok(Sent { tree: None, size: Some(size) });
        };
        let lit = LitSender { group: id, source: from, members: members.clone(), is_datagram };
        self.lit.push(lit);
        let tors: BTreeSet<TorId> =
            members.iter().map(|&member| planned.tor_of(network, member)).collect();
        let source = planned.tor_of(network, from);
        let tree = planned.tree(sender.said, damage, source, &tors, own.get(&source))?;
        self.warnings.extend(cut_off(network, planned, &members, &tree.missed, from));
        let rules = light_rules(network, &planned.glass.tors, &tree, &cast);
        let size = Some(size_of(&rules, &planned.splitters));
        if is_datagram {
            self.multicast.rules.extend(rules);
            self.multicast.rules.extend(unlit_rules(network, &planned.glass.tors, &tree, &cast));
            return Ok(Sent { tree: None, size });
        }
        Ok(Sent { tree: Some(light_tree(&planned.glass.tors, &tree, from)), size })
    }

    /// Adds the groups of a row. `first` has the sender of the first message to each group.
    fn add(
        &mut self,
        row: &Grouped,
        first: &BTreeMap<GroupId, NodeId>,
        sent: &mut BTreeMap<(GroupId, NodeId), Sent>,
    ) {
        for (members, number) in row.members.iter().zip(row.first..) {
            let id = GroupId(number);
            let mut of = sent.range_mut((id, NodeId(0))..=(id, NodeId(u32::MAX)));
            let trees: Vec<LightTree> =
                of.by_ref().filter_map(|(_, sent)| sent.tree.take()).collect();
            let first = first.get(&id).copied();
            let service = match row.transport {
                GroupTransport::Datagram => Service::Datagrams,
                GroupTransport::Reliable => Service::Reliable(Reliable {
                    leader: row.leader.or(first).unwrap_or(members[0]),
                    start: row.start,
                    dialect: row.dialect,
                    verb: row.verb,
                    data: match row.data {
                        Way::Links => Data::Electrons,
                        Way::Light => Data::Light { repair: row.repair, trees },
                    },
                    changes: row.changes.clone(),
                }),
            };
            self.multicast.groups.push(Group { members: members.clone(), service });
        }
    }
}

/// The warning about members that the planned light cannot reach.
fn cut_off(
    network: &Network,
    planned: &Planned,
    members: &[NodeId],
    missed: &[TorId],
    from: NodeId,
) -> Option<String> {
    let first = missed.first()?;
    let lost = |member: &&NodeId| missed.contains(&planned.tor_of(network, **member));
    Some(format!(
        "a group's messages from {:?} do not reach {} of its members over light: the failures of the plan cut them \
         off; the first of their ToRs is {:?}",
        network.name(from),
        members.iter().filter(lost).count(),
        planned.project.own_tor_name(*first)
    ))
}
