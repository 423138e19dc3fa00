//! `[[multicast]]`: messages to groups, and what switches do with them.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use lightloom_request::InputError;
use lightloom_request::scenario::section;
use lightloom_routing::failure::Damage;
use lightloom_sim::glass::{
    GroupCast, LitSender, TreeSize, light_rules, light_tree, link_rules, size_of, unlit_rules,
};
use lightloom_sim::groups::GroupTransport;
use lightloom_sim::scenario::{Groups as Reported, Parameters};
use lightloom_topology::TorId;
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_twin::{Cast, Class, Data, Group, GroupId, LightTree, Multicast, Reliable, Service};
use lightloom_units::Instant;

use crate::rows::{Document, Row};
use crate::scenario::admission::{OwnTrees, Wanted};
use crate::scenario::glass::Planned;
use crate::scenario::limits::check_flows;
use crate::scenario::members::{GroupRow, GroupRows, Way};
use crate::scenario::traffic::{TrafficContext, size};

/// Largest number of packets of a message to a group: each is told from every other by its sequence number.
const MOST_PACKETS: u64 = 1 << 23;

/// The groups of a scenario and the messages to them.
#[derive(Debug, Default)]
pub(super) struct Groups {
    pub(super) multicast: Multicast,
    pub(super) reported: Reported,
    pub(super) warnings: Vec<String>,
    /// The messages of each `[[multicast]]`, by their places among all to groups.
    pub(super) of_row: Vec<Range<usize>>,
    /// The hosts that send over light.
    pub(super) lit: Vec<LitSender>,
}

/// What one host's packets to one group do.
struct Sent {
    tree: Option<LightTree>,
    size: Option<TreeSize>,
}

impl Groups {
    pub(super) fn read(
        document: &Document<'_>,
        context: &TrafficContext<'_>,
        parameters: &Parameters,
        admission: Option<Wanted>,
    ) -> Result<Self, InputError> {
        let root = document.root();
        let rows = GroupRows::read(document, context)?;
        let said = root.tables("multicast")?;
        let mut groups = Self::default();
        let network = &context.nodes.network;
        let planned = context.nodes.planned.as_ref();
        if let Some(planned) = planned {
            groups.multicast.splitters.clone_from(&planned.splitters);
        }
        let mtu = u64::from(parameters.params.wire.mtu);
        let mut sent: BTreeMap<(GroupId, NodeId), Sent> = BTreeMap::new();
        let damage = planned.map(|planned| planned.damage(&root)).transpose()?;
        let mut of_cast = Vec::new();
        // The senders to each group, each once, with their rows.
        let mut wanted = Vec::new();
        let mut classes: BTreeMap<usize, Class> = BTreeMap::new();
        let mut latest: BTreeMap<usize, Instant> = BTreeMap::new();
        for row in &said {
            let first = groups.multicast.casts.len();
            row.only_these(&section("multicast").names())?;
            let of = rows.named(row, "group")?;
            let group = &rows.rows[of];
            check_flows(row, "group", (of_cast.len(), context.memory), group.members.len() as f64)?;
            let common = context.common(row)?;
            let size = size(row)?;
            if size.as_bytes().div_ceil(mtu) > MOST_PACKETS {
                let message = format!(
                    "found {size}, more than {MOST_PACKETS} packets of {mtu} B; send several messages"
                );
                return Err(row.refuse("size", message));
            }
            let class = *classes.entry(of).or_insert(common.class);
            if class != common.class {
                let message =
                    "differs from that of an earlier message to the group; a group has one class";
                return Err(row.refuse("class", message));
            }
            let said = row.value("from").map(|said| context.nodes.host_of(row, "from", said));
            let said = said.transpose()?;
            let last = latest.entry(of).or_insert(common.start);
            *last = common.start.max(*last);
            for (place, number) in (0..group.members.len()).zip(group.first..) {
                let id = GroupId(number);
                let from = sender(row, network, group, place, said)?;
                let (start, after) = (common.start, Vec::new());
                let cast = Cast { from, to: id, size, start, after, class };
                groups.multicast.casts.push(cast);
                of_cast.push((id, from));
                if let Entry::Vacant(first) = sent.entry((id, from)) {
                    first.insert(Sent { tree: None, size: None });
                    wanted.push((row, group, (place, id), from));
                }
            }
            groups.of_row.push(first..groups.multicast.casts.len());
        }
        let own = match (&admission, planned) {
            (Some(admission), Some(planned)) => {
                let lit = wanted.iter().filter(|(_, group, ..)| group.data == Way::Light);
                let mut seen = BTreeSet::new();
                let senders = lit.map(|&(.., from)| planned.tor_of(network, from));
                let senders: Vec<TorId> = senders.filter(|&tor| seen.insert(tor)).collect();
                let (plan, own) = admission.plan(&root, planned, &senders)?;
                groups.reported.admission = Some(plan);
                groups.multicast.admission = Some(admission.admission);
                own
            }
            _ => OwnTrees::new(),
        };
        for (row, group, (place, id), from) in wanted {
            let way =
                groups.way(row, (context, damage.as_ref()), group, (place, id), (from, &own))?;
            sent.insert((id, from), way);
        }
        rows.check_changes(&root, &latest)?;
        groups.reported.trees =
            of_cast.iter().map(|key| sent.get(key).and_then(|sent| sent.size)).collect();
        let mut first: BTreeMap<GroupId, NodeId> = BTreeMap::new();
        for cast in &groups.multicast.casts {
            first.entry(cast.to).or_insert(cast.from);
        }
        for row in &rows.rows {
            groups.add(row, &first, &mut sent);
        }
        groups.reported.names = rows.names;
        Ok(groups)
    }

    /// Finds the ways of one sender's packets, and installs its rules.
    fn way(
        &mut self,
        row: &Row<'_>,
        (context, damage): (&TrafficContext<'_>, Option<&Damage<'_>>),
        group: &GroupRow,
        (place, id): (usize, GroupId),
        (from, own): (NodeId, &OwnTrees),
    ) -> Result<Sent, InputError> {
        let network = &context.nodes.network;
        let members: Vec<NodeId> = group.ever(place).into_iter().collect();
        let cast = GroupCast { group: id, members: &members, source: from };
        let is_datagram = group.transport == GroupTransport::Datagram;
        let planned = context.nodes.planned.as_ref().filter(|_| group.data == Way::Light);
        let Some((planned, damage)) = planned.zip(damage) else {
            if !is_datagram {
                return Ok(Sent { tree: None, size: None });
            }
            let rules = link_rules(network, &cast);
            let size = size_of(&rules, &[]);
            self.multicast.rules.extend(rules);
            return Ok(Sent { tree: None, size: Some(size) });
        };
        let sender = LitSender { group: id, source: from, members: members.clone(), is_datagram };
        self.lit.push(sender);
        let tors: BTreeSet<TorId> =
            members.iter().map(|&member| planned.tor_of(network, member)).collect();
        let source = planned.tor_of(network, from);
        let tree = planned.tree(row, damage, source, &tors, own.get(&source))?;
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
        row: &GroupRow,
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

/// The host that sends a message: the one that is named, the leader, or the first member.
fn sender(
    row: &Row<'_>,
    network: &Network,
    group: &GroupRow,
    place: usize,
    said: Option<NodeId>,
) -> Result<NodeId, InputError> {
    let members = &group.members[place];
    let Some(from) = said else { return Ok(group.leader.unwrap_or(members[0])) };
    if group.members[place].contains(&from) || group.ever(place).contains(&from) {
        return Ok(from);
    }
    let [from, member] = [from, members[0]].map(|host| network.name(host));
    let message = format!("found {from:?}, which is no member; name a member such as {member:?}");
    Err(row.refuse("from", message))
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
        planned.project.tor_name(*first)
    ))
}
