//! `[[group]]` and `[[change]]`: groups with their members.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_request::InputError;
use lightloom_request::scenario::section;
use lightloom_sim::groups::GroupTransport;
use lightloom_topology::electrical::NodeId;
use lightloom_twin::{Change, Dialect, Repair};
use lightloom_units::Instant;
use toml::de::DeValue;

use crate::rows::{Document, Row, a_kind};
use crate::scenario::limits::within;
use crate::scenario::network::Nodes;
use crate::scenario::traffic::{MEMBERS, TrafficContext, below, stream};

/// Largest number of groups.
const MOST_GROUPS: u64 = 1 << 20;
/// Largest number of members of all groups.
const MOST_MEMBERS: usize = 1 << 26;

/// What the data of a group go over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Light,
    Links,
}

/// A group, or several random ones of one row.
#[derive(Debug)]
pub(super) struct GroupRow {
    /// The number of the first group of the row.
    pub(super) first: u32,
    /// The members of each group.
    pub(super) members: Vec<Vec<NodeId>>,
    pub(super) transport: GroupTransport,
    pub(super) data: Way,
    pub(super) repair: Repair,
    pub(super) dialect: Dialect,
    pub(super) leader: Option<NodeId>,
    pub(super) start: Instant,
    /// Hosts that join or leave, by time.
    pub(super) changes: Vec<Change>,
}

/// The groups of a scenario, by the names of their rows.
#[derive(Debug, Default)]
pub(super) struct GroupRows {
    pub(super) rows: Vec<GroupRow>,
    /// The names of the groups.
    pub(super) names: Vec<String>,
    by_name: BTreeMap<String, usize>,
}

impl GroupRows {
    pub(super) fn read(
        document: &Document<'_>,
        context: &TrafficContext<'_>,
    ) -> Result<Self, InputError> {
        let root = document.root();
        let mut groups = Self::default();
        let mut members = 0;
        for (number, row) in (0..).zip(root.tables("group")?) {
            row.only_these(&section("group").names())?;
            let name = row.text("name")?.ok_or_else(|| row.missing("name", "\"all\""))?;
            if name.trim().is_empty() {
                return Err(row.refuse("name", "found an empty name; give one such as \"all\""));
            }
            if groups.by_name.insert(name.to_owned(), groups.rows.len()).is_some() {
                let message = format!("found {name:?}, which another group has; take another name");
                return Err(row.refuse("name", message));
            }
            let read = group(&row, number, groups.names.len(), context)?;
            members += read.members.iter().map(Vec::len).sum::<usize>();
            if (groups.names.len() + read.members.len()) as u64 > MOST_GROUPS
                || members > MOST_MEMBERS
            {
                let message = format!(
                    "a scenario has at most {MOST_GROUPS} groups, and these at most {MOST_MEMBERS} members"
                );
                return Err(row.refuse(if row.has("count") { "count" } else { "members" }, message));
            }
            match read.members.len() {
                1 => groups.names.push(name.to_owned()),
                many => groups.names.extend((0..many).map(|i| format!("{name} {i}"))),
            }
            groups.rows.push(read);
        }
        for row in root.tables("change")? {
            groups.change(&row, context)?;
        }
        for group in &mut groups.rows {
            group.changes.sort_by_key(|change| (change.at, change.host));
        }
        Ok(groups)
    }

    /// The groups that a field names.
    pub(super) fn named(&self, row: &Row<'_>, field: &str) -> Result<usize, InputError> {
        let name = row.text(field)?.ok_or_else(|| row.missing(field, "\"all\""))?;
        self.by_name.get(name).copied().ok_or_else(|| {
            let known: Vec<&str> = self.by_name.keys().map(String::as_str).take(8).collect();
            let message = match known.as_slice() {
                [] => format!("found {name:?}, and there is no [[group]]; add one"),
                known => format!("found {name:?}; the groups are {}", known.join(", ")),
            };
            row.refuse(field, message)
        })
    }

    /// Refuses changes that come too late for any message. `latest` has the start of the last message to the groups of
    /// a row.
    pub(super) fn check_changes(
        &self,
        root: &Row<'_>,
        latest: &BTreeMap<usize, Instant>,
    ) -> Result<(), InputError> {
        for row in root.tables("change")? {
            let at: Instant = row.required("at", "\"1 ms\"")?;
            let of = self.named(&row, "group")?;
            let message = match latest.get(&of) {
                Some(last) if at <= *last => continue,
                Some(last) => format!(
                    "found {at}, and the last message to the group starts at {last}, so the change does nothing; give \
                     an earlier time, send a later message, or leave the change out"
                ),
                None => format!(
                    "found {at}, and there is no message to the group, so the change does nothing; add a \
                     [[multicast]], or leave the change out"
                ),
            };
            return Err(row.refuse("at", message));
        }
        Ok(())
    }

    /// Reads a `[[change]]`.
    fn change(&mut self, row: &Row<'_>, context: &TrafficContext<'_>) -> Result<(), InputError> {
        row.only_these(&section("change").names())?;
        let of = self.named(row, "group")?;
        let group = &mut self.rows[of];
        if group.transport == GroupTransport::Datagram {
            let message = "names a group of datagrams; only members of a group with transport = \"rc\" join \
                           and leave";
            return Err(row.refuse("group", message));
        }
        let at: Instant = row.required("at", "\"1 ms\"")?;
        if at >= context.until {
            return Err(row.refuse("at", format!("found {at}; the run ends at {}", context.until)));
        }
        if !row.has("joins") && !row.has("leaves") {
            return Err(row.refuse("joins", "is missing; give joins or leaves, a list of hosts"));
        }
        for (field, joins) in [("joins", true), ("leaves", false)] {
            for host in hosts(row, field, context.nodes)? {
                group.changes.push(Change { at, host, joins });
            }
        }
        Ok(())
    }
}

impl GroupRow {
    /// The hosts that a group ever has.
    pub(super) fn ever(&self, place: usize) -> BTreeSet<NodeId> {
        let joining = self.changes.iter().filter(|change| change.joins).map(|change| change.host);
        self.members[place].iter().copied().chain(joining).collect()
    }
}

/// A list of hosts. Empty if the row lacks it.
fn hosts(row: &Row<'_>, field: &str, nodes: &Nodes) -> Result<Vec<NodeId>, InputError> {
    let said = row.values(field)?.unwrap_or_default();
    let most = nodes.network.hosts();
    if said.len() > most {
        let message = format!("found {} hosts; the network has {most}", said.len());
        return Err(row.refuse(field, message));
    }
    let mut seen = BTreeSet::new();
    let mut hosts = Vec::with_capacity(said.len());
    for value in said {
        let host = nodes.host_of(row, field, value)?;
        if !seen.insert(host) {
            let name = nodes.network.name(host);
            return Err(row.refuse(field, format!("found {name:?} twice; name each host once")));
        }
        hosts.push(host);
    }
    Ok(hosts)
}

fn group(
    row: &Row<'_>,
    number: u64,
    first: usize,
    context: &TrafficContext<'_>,
) -> Result<GroupRow, InputError> {
    let nodes = context.nodes;
    let transports = [("rc", GroupTransport::Reliable), ("datagram", GroupTransport::Datagram)];
    let transport = row.choice("transport", &transports)?.unwrap_or(GroupTransport::Reliable);
    let has_light = nodes.planned.is_some();
    let ways = [("light", Way::Light), ("links", Way::Links)];
    let usual = if has_light { Way::Light } else { Way::Links };
    let data = row.choice("data", &ways)?.unwrap_or(usual);
    if data == Way::Light && !has_light {
        let message = "found light, and the network has no splitters; give data = \"links\", or a \
                       [network] of kind = \"design\"";
        return Err(row.refuse("data", message));
    }
    let repairs = [("links", Repair::Electrons), ("light", Repair::Light)];
    let repair = row.choice("repair", &repairs)?;
    let dialects = [("cepheus", Dialect::Cepheus), ("gleam", Dialect::Gleam)];
    let dialect = row.choice("dialect", &dialects)?;
    let leader = row.value("leader").map(|said| nodes.host_of(row, "leader", said)).transpose()?;
    let only = |field: &str, of: &str| {
        Err(row.refuse(field, format!("is for groups with {of}; leave it out")))
    };
    if transport == GroupTransport::Datagram {
        let unused = ["repair", "dialect", "leader", "start"].into_iter();
        if let Some(field) = unused.into_iter().find(|field| row.has(field)) {
            return only(field, "transport = \"rc\"");
        }
    }
    if repair.is_some() && data == Way::Links {
        return only("repair", "data = \"light\"");
    }
    let start = row.quantity("start")?.unwrap_or(Instant::ZERO);
    if start >= context.until {
        let message = format!("found {start}; the run ends at {}", context.until);
        return Err(row.refuse("start", message));
    }
    let members = members(row, number, context)?;
    if let Some(leader) = leader
        && !members.iter().all(|members| members.contains(&leader))
    {
        let name = nodes.network.name(leader);
        let message = format!("found {name:?}, which is no member; name a member");
        return Err(row.refuse("leader", message));
    }
    Ok(GroupRow {
        first: u32::try_from(first).unwrap_or(u32::MAX),
        members,
        transport,
        data,
        repair: repair.unwrap_or(Repair::Electrons),
        dialect: dialect.unwrap_or(Dialect::Cepheus),
        leader,
        start,
        changes: Vec::new(),
    })
}

/// The members of each group of a row.
fn members(
    row: &Row<'_>,
    number: u64,
    context: &TrafficContext<'_>,
) -> Result<Vec<Vec<NodeId>>, InputError> {
    let all = context.nodes.network.hosts();
    let field = if row.has("random") { "random" } else { "members" };
    if row.has("members") && row.has("random") {
        return Err(row.refuse("random", "is given together with members; give one of the two"));
    }
    if row.has("count") && field == "members" {
        return Err(row.refuse("count", "is for random groups; give random = 8, or leave it out"));
    }
    let listed = match row.value(field) {
        None => {
            let message = "is missing; give members = [0, 1], members = \"all\" or random = 8";
            return Err(row.refuse("members", message));
        }
        Some(_) if field == "random" => return random(row, number, context),
        Some(DeValue::String(word)) if word.as_ref() == "all" => (0..all).map(NodeId::at).collect(),
        Some(DeValue::Array(_)) => hosts(row, field, context.nodes)?,
        Some(DeValue::String(word)) => {
            let short: String = word.chars().take(60).collect();
            let message = format!("found {short:?}; expected a list of hosts, or \"all\"");
            return Err(row.refuse(field, message));
        }
        Some(other) => {
            let message = format!("found {}; expected a list of hosts, or \"all\"", a_kind(other));
            return Err(row.refuse(field, message));
        }
    };
    if listed.len() < 2 {
        let message = format!("found {} host; a group has at least two", listed.len());
        return Err(row.refuse(field, message));
    }
    Ok(vec![listed])
}

/// Random groups, each of `random` different hosts.
fn random(
    row: &Row<'_>,
    number: u64,
    context: &TrafficContext<'_>,
) -> Result<Vec<Vec<NodeId>>, InputError> {
    let all = context.nodes.network.hosts();
    let size = row.count("random")?.unwrap_or(0);
    if size < 2 || size > all as u64 {
        let message = format!("found {size}; expected 2 to {all}, the hosts of the network");
        return Err(row.refuse("random", message));
    }
    let count = within(row, "count", row.count("count")?.unwrap_or(1), (1, MOST_GROUPS))?;
    let size = usize::try_from(size).unwrap_or(all);
    if count.saturating_mul(size as u64) > MOST_MEMBERS as u64 {
        let message =
            format!("found {count} groups of {size}; all have at most {MOST_MEMBERS} members");
        return Err(row.refuse("count", message));
    }
    let group = |group: u64| {
        let mut random = stream(context.seed, MEMBERS, number, group);
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
