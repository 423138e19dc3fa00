//! `[[group]]` and `[[change]]`: groups with their members.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_request::InputError;
use lightloom_topology::electrical::NodeId;
use lightloom_twin::{Change, Dialect, GroupVerb, Repair};
use lightloom_units::Instant;

use crate::build::context::Context;
use crate::build::nodes::Nodes;
use crate::build::random::{Purpose, below, stream};
use crate::said::limits::{MOST_GROUPS, MOST_MEMBERS};
use crate::said::{ChangeRow, GroupRow, Members, Node, Place, Row as _, Way};
use crate::scenario::GroupTransport;

/// A group, or several random ones of one row.
#[derive(Debug, Clone)]
pub(super) struct Grouped {
    /// The number of the first group of the row.
    pub(super) first: u32,
    /// The members of each group.
    pub(super) members: Vec<Vec<NodeId>>,
    pub(super) transport: GroupTransport,
    pub(super) data: Way,
    pub(super) repair: Repair,
    pub(super) dialect: Dialect,
    pub(super) verb: GroupVerb,
    pub(super) leader: Option<NodeId>,
    pub(super) start: Instant,
    /// Hosts that join or leave. They are in order once all are said.
    pub(super) changes: Vec<Change>,
}

/// The groups of a scenario, by the names of their rows.
#[derive(Debug, Clone, Default)]
pub(super) struct GroupRows {
    pub(super) rows: Vec<Grouped>,
    /// The names of the groups.
    pub(super) names: Vec<String>,
    by_name: BTreeMap<String, usize>,
    /// Number of members of all groups.
    members: usize,
    /// The group and the time of each `[[change]]`.
    pub(super) changes: Vec<(usize, Instant)>,
}

impl GroupRows {
    /// Adds the groups of a row.
    pub(super) fn group(
        &mut self,
        row: &GroupRow,
        context: &Context,
        has_setup: bool,
    ) -> Result<(), InputError> {
        let number = self.rows.len();
        let place = GroupRow::place_of(number);
        let name = row.name.as_deref().ok_or_else(|| place.missing("name", "\"all\""))?;
        if name.trim().is_empty() {
            return Err(place.refuse("name", "found an empty name; give one such as \"all\""));
        }
        if self.by_name.insert(name.to_owned(), number).is_some() {
            let message = format!("found {name:?}, which another group has; take another name");
            return Err(place.refuse("name", message));
        }
        row.check(place)?;
        let read = grouped(row, (place, number as u64), self.names.len(), (context, has_setup))?;
        self.members += read.members.iter().map(Vec::len).sum::<usize>();
        if (self.names.len() + read.members.len()) as u64 > MOST_GROUPS
            || self.members > MOST_MEMBERS
        {
            let message = format!(
                "a scenario has at most {MOST_GROUPS} groups, and these at most {MOST_MEMBERS} members"
            );
            let field = if row.count.is_some() { "count" } else { "members" };
            return Err(place.refuse(field, message));
        }
        match read.members.len() {
            1 => self.names.push(name.to_owned()),
            many => self.names.extend((0..many).map(|i| format!("{name} {i}"))),
        }
        self.rows.push(read);
        Ok(())
    }

    /// The groups that a row names.
    pub(super) fn named(&self, place: Place, said: Option<&String>) -> Result<usize, InputError> {
        let name = said.ok_or_else(|| place.missing("group", "\"all\""))?;
        self.by_name.get(name).copied().ok_or_else(|| {
            let known: Vec<&str> = self.by_name.keys().map(String::as_str).take(8).collect();
            let message = match known.as_slice() {
                [] => format!("found {name:?}, and there is no [[group]]; add one"),
                known => format!("found {name:?}; the groups are {}", known.join(", ")),
            };
            place.refuse("group", message)
        })
    }

    /// Adds a `[[change]]`.
    pub(super) fn change(&mut self, row: &ChangeRow, context: &Context) -> Result<(), InputError> {
        let place = ChangeRow::place_of(self.changes.len());
        let of = self.named(place, row.group.as_ref())?;
        let group = &mut self.rows[of];
        let at = row.at.ok_or_else(|| place.missing("at", "\"1 ms\""))?;
        let until = context.run.until;
        if at >= until {
            return Err(place.refuse("at", format!("found {at}; the run ends at {until}")));
        }
        if row.joins.is_none() && row.leaves.is_none() {
            return Err(place.refuse("joins", "is missing; give joins or leaves, a list of hosts"));
        }
        for (field, said, joins) in [("joins", &row.joins, true), ("leaves", &row.leaves, false)] {
            for host in hosts(place, field, said.as_deref().unwrap_or_default(), &context.nodes)? {
                group.changes.push(Change { at, host, joins });
            }
        }
        self.changes.push((of, at));
        Ok(())
    }

    /// Puts the changes of each group in the order of their times.
    pub(super) fn sort_changes(&mut self) {
        for group in &mut self.rows {
            group.changes.sort_by_key(|change| (change.at, change.host));
        }
    }

    /// Refuses changes that come too late for any message. `latest` has the start of the last message to the groups of
    /// a row.
    pub(super) fn check_changes(
        &self,
        latest: &BTreeMap<usize, Instant>,
    ) -> Result<(), InputError> {
        for (number, (of, at)) in self.changes.iter().enumerate() {
            let message = match latest.get(of) {
                Some(last) if at <= last => continue,
                Some(last) => format!(
                    "found {at}, and the last message to the group starts at {last}, so the change does nothing; give \
                     an earlier time, send a later message, or leave the change out"
                ),
                None => format!(
                    "found {at}, and there is no message to the group, so the change does nothing; add a \
                     [[multicast]], or leave the change out"
                ),
            };
            return Err(ChangeRow::place_of(number).refuse("at", message));
        }
        Ok(())
    }
}

impl Grouped {
    /// The hosts that a group ever has.
    pub(super) fn ever(&self, place: usize) -> BTreeSet<NodeId> {
        let joining = self.changes.iter().filter(|change| change.joins).map(|change| change.host);
        self.members[place].iter().copied().chain(joining).collect()
    }
}

/// A list of hosts, each once.
fn hosts(
    place: Place,
    field: &'static str,
    said: &[Node],
    nodes: &Nodes,
) -> Result<Vec<NodeId>, InputError> {
    let most = nodes.network.hosts();
    if said.len() > most {
        let message = format!("found {} hosts; the network has {most}", said.len());
        return Err(place.refuse(field, message));
    }
    let mut seen = BTreeSet::new();
    let mut hosts = Vec::with_capacity(said.len());
    for node in said {
        let host = nodes.host_of(place, field, node)?;
        if !seen.insert(host) {
            let name = nodes.network.name(host);
            return Err(place.refuse(field, format!("found {name:?} twice; name each host once")));
        }
        hosts.push(host);
    }
    Ok(hosts)
}

fn grouped(
    row: &GroupRow,
    (place, number): (Place, u64),
    first: usize,
    (context, has_setup): (&Context, bool),
) -> Result<Grouped, InputError> {
    let nodes = &context.nodes;
    let transport = row.transport.unwrap_or(GroupTransport::Reliable);
    let has_light = nodes.planned.is_some();
    let data = row.data.unwrap_or(if has_light { Way::Light } else { Way::Links });
    if data == Way::Light && !has_light {
        let message = "found light, and the network has no splitters; give data = \"links\", or a \
                       [network] of kind = \"design\"";
        return Err(place.refuse("data", message));
    }
    let leader =
        row.leader.as_ref().map(|said| nodes.host_of(place, "leader", said)).transpose()?;
    let only = |field, of: &str| {
        Err(place.refuse(field, format!("is for groups with {of}; leave it out")))
    };
    if transport == GroupTransport::Datagram {
        let unused = ["repair", "dialect", "verb", "leader"].into_iter();
        if let Some(field) = unused.into_iter().find(|field| row.has(field)) {
            return only(field, "transport = \"rc\"");
        }
        if row.has("start") && !has_setup {
            return only("start", "transport = \"rc\", or for a scenario with [setup]");
        }
    }
    if row.repair.is_some() && data == Way::Links {
        return only("repair", "data = \"light\"");
    }
    let start = context.start(place, row.start)?;
    let members = members(row, (place, number), context)?;
    if let Some(leader) = leader
        && !members.iter().all(|members| members.contains(&leader))
    {
        let name = nodes.network.name(leader);
        let message = format!("found {name:?}, which is no member; name a member");
        return Err(place.refuse("leader", message));
    }
    Ok(Grouped {
        first: u32::try_from(first).unwrap_or(u32::MAX),
        members,
        transport,
        data,
        repair: row.repair.unwrap_or(Repair::Electrons),
        dialect: row.dialect.unwrap_or(Dialect::Cepheus),
        verb: row.verb.unwrap_or_default(),
        leader,
        start,
        changes: Vec::new(),
    })
}

/// The members of each group of a row.
fn members(
    row: &GroupRow,
    (place, number): (Place, u64),
    context: &Context,
) -> Result<Vec<Vec<NodeId>>, InputError> {
    if row.members.is_some() && row.random.is_some() {
        return Err(place.refuse("random", "is given together with members; give one of the two"));
    }
    if row.count.is_some() && row.random.is_none() {
        return Err(place.refuse("count", "is for random groups; give random = 8, or leave it out"));
    }
    let listed = match (&row.members, row.random) {
        (_, Some(size)) => {
            return random(size, row.count.unwrap_or(1), (place, number), context);
        }
        (None, None) => {
            let message = "is missing; give members = [0, 1], members = \"all\" or random = 8";
            return Err(place.refuse("members", message));
        }
        (Some(Members::All), None) => (0..context.nodes.network.hosts()).map(NodeId::at).collect(),
        (Some(Members::Listed(listed)), None) => hosts(place, "members", listed, &context.nodes)?,
    };
    if listed.len() < 2 {
        let message = format!("found {} host; a group has at least two", listed.len());
        return Err(place.refuse("members", message));
    }
    Ok(vec![listed])
}

/// Random groups, each of `size` different hosts.
fn random(
    size: u64,
    count: u64,
    (place, number): (Place, u64),
    context: &Context,
) -> Result<Vec<Vec<NodeId>>, InputError> {
    let all = context.nodes.network.hosts();
    if size < 2 || size > all as u64 {
        let message = format!("found {size}; expected 2 to {all}, the hosts of the network");
        return Err(place.refuse("random", message));
    }
    let size = usize::try_from(size).unwrap_or(all);
    if count.saturating_mul(size as u64) > MOST_MEMBERS as u64 {
        let message =
            format!("found {count} groups of {size}; all have at most {MOST_MEMBERS} members");
        return Err(place.refuse("count", message));
    }
    let group = |group: u64| {
        let mut random = stream(context.run.seed, Purpose::Members, number, group);
        // Floyd's algorithm draws a set without a list of all hosts.
        let mut drawn = BTreeSet::new();
        for last in all - size..all {
            let host = below(&mut random, last + 1);
            if !drawn.insert(host) {
                drawn.insert(last);
            }
        }
        let mut members: Vec<NodeId> = drawn.into_iter().map(NodeId::at).collect();
        // The first member sends where none is named. Without this it would be the lowest number.
        members.swap(0, below(&mut random, size));
        members
    };
    Ok((0..count).map(group).collect())
}
