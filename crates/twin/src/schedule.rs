//! The order in which a reliable group sends: its messages as runs of one sender each.
//!
//! All messages of a group share one sequence of packets, whoever sends them. A run ends where the sender
//! changes, where members join or leave, and before a message that waits for others. Before the next run every member
//! has acknowledged everything.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use lightloom_setup::{Change, Multicast, Reliable};
use lightloom_topology::electrical::NodeId;
use lightloom_transport::series;
use lightloom_units::Instant;

use crate::packet::{FlowId, GroupId};

/// All runs of a group.
#[derive(Debug)]
pub(crate) struct Schedule {
    pub(crate) runs: Vec<Run>,
    /// The messages in order.
    pub(crate) casts: Vec<Planned>,
    /// The endpoint of each host that is ever a member.
    pub(crate) ends: BTreeMap<NodeId, u32>,
    /// The number of the first message to any group.
    first: FlowId,
}

/// Messages of one sender.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    pub(crate) source: NodeId,
    /// Its messages, by their places among all to the group.
    pub(crate) casts: Range<u32>,
    /// The place of its first packet in the sequence of the group.
    pub(crate) first: u64,
    /// The place after its last packet.
    pub(crate) end: u64,
    /// The members, the source among them.
    pub(crate) members: BTreeSet<NodeId>,
}

/// A message to the group.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Planned {
    pub(crate) flow: FlowId,
    /// When the application asks for it.
    pub(crate) start: Instant,
    pub(crate) bytes: u64,
    /// What goes before it, in bytes: with Gleam where each receiver wants it.
    pub(crate) announced: u32,
    /// Bytes of header that its first packet has beyond the others'.
    pub(crate) extra: u16,
    /// The place of its first packet.
    pub(crate) first: u64,
    /// Messages that it waits for.
    pub(crate) missing: u32,
}

impl Schedule {
    /// The runs of a group. `casts` are the places of its messages among those to all groups, `first` is the number of
    /// the first message to any group, `mtu` the payload of a full packet in bytes.
    pub(crate) fn new(
        multicast: &Multicast,
        (group, service, casts): (GroupId, &Reliable, &[u32]),
        first: FlowId,
        mtu: u16,
    ) -> Self {
        let mut changes: Vec<&Change> = service.changes.iter().collect();
        changes.sort_by_key(|change| change.at);
        let mut changes = changes.into_iter().peekable();
        let mut members: BTreeSet<NodeId> =
            multicast.groups[group.0 as usize].members.iter().copied().collect();
        let mut schedule =
            Self { runs: Vec::new(), casts: Vec::new(), ends: BTreeMap::new(), first };
        let mut next = 0;
        let numbered =
            casts.iter().map(|&place| (FlowId(first.0 + place), &multicast.casts[place as usize]));
        for (flow, cast) in numbered {
            let mut is_changed = false;
            while let Some(change) = changes.next_if(|change| change.at <= cast.start) {
                is_changed |= match change.joins {
                    true => members.insert(change.host),
                    false => members.remove(&change.host),
                };
            }
            let place = u32::try_from(schedule.casts.len()).unwrap_or(u32::MAX);
            let bytes = cast.size.as_bytes();
            let announced = service.dialect.asks().announcement(service.verb, members.len());
            let extra = service.verb.extra();
            let missing = u32::try_from(cast.after.len()).unwrap_or(u32::MAX);
            let planned =
                Planned { flow, start: cast.start, bytes, announced, extra, first: next, missing };
            schedule.casts.push(planned);
            // A message that waits only for messages of the same turn can stay in it: no other sender is needed.
            let of_group = &schedule.casts;
            let is_of = |run: &Run, before: FlowId| {
                let casts = run.casts.start as usize..run.casts.end as usize;
                of_group[casts].iter().rev().any(|planned| planned.flow == before)
            };
            let begins = next;
            next += bytes.div_ceil(mtu.into()).max(1);
            next += u64::from(announced.div_ceil(mtu.into())) * series::messages(bytes, mtu);
            match schedule.runs.last_mut() {
                Some(run)
                    if run.source == cast.from
                        && !is_changed
                        && cast.after.iter().all(|before| is_of(run, *before)) =>
                {
                    (run.casts.end, run.end) = (place + 1, next);
                }
                _ => schedule.runs.push(Run {
                    source: cast.from,
                    casts: place..place + 1,
                    first: begins,
                    end: next,
                    members: members.clone(),
                }),
            }
        }
        schedule
    }

    /// Every host that is a member in any run.
    pub(crate) fn ever(&self) -> BTreeSet<NodeId> {
        self.runs.iter().flat_map(|run| run.members.iter().copied()).collect()
    }

    /// The place of a message among all to any group.
    pub(crate) fn cast(&self, cast: &Planned) -> u32 {
        cast.flow.0 - self.first.0
    }

    /// The messages of a run.
    pub(crate) fn casts(&self, run: &Run) -> impl Iterator<Item = (u32, &Planned)> {
        let casts = self.casts.get(run.casts.start as usize..run.casts.end as usize);
        run.casts.clone().zip(casts.unwrap_or_default())
    }
}
