//! `[[multicast]]`: messages to groups.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use lightloom_request::InputError;
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_twin::{Cast, Class, GroupId};
use lightloom_units::{DataSize, Instant};

use crate::build::connection::distinct;
use crate::build::context::Context;
use crate::build::flows::size;
use crate::build::members::{GroupRows, Grouped};
use crate::said::{Awaited, CollectiveRow, MulticastRow, Place, Row as _, TraceRow};
use crate::scenario::of_ends;

/// Largest number of packets of a message to a group: each is told from every other by its sequence number.
const MOST_PACKETS: u64 = 1 << 23;

/// A sender to a group, with the first row that says it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sender {
    /// The row that says the message.
    pub(super) said: Place,
    /// Number of the `[[group]]`.
    pub(super) group: usize,
    /// Place of the group in its row.
    pub(super) place: usize,
    pub(super) id: GroupId,
    pub(super) from: NodeId,
}

/// The messages to groups.
#[derive(Debug, Clone, Default)]
pub(super) struct Casts {
    pub(super) casts: Vec<Cast>,
    /// The messages of each row, by their places among all to groups.
    pub(super) of_row: Vec<Range<usize>>,
    /// The named rows.
    pub(super) names: BTreeMap<String, usize>,
    /// What the messages of each row wait for.
    pub(super) awaited: Vec<Vec<Awaited>>,
    /// The senders to each group, each once.
    pub(super) senders: Vec<Sender>,
    /// The start of the last message to the groups of a row.
    pub(super) latest: BTreeMap<usize, Instant>,
    /// The number of the first message after each collective operation. They come after those of the rows.
    pub(super) of_collectives: Vec<(usize, usize)>,
    /// The same of each trace. They come last.
    pub(super) of_traces: Vec<usize>,
    sent: BTreeSet<(GroupId, NodeId)>,
    classes: BTreeMap<usize, Class>,
}

impl Casts {
    /// Adds the messages of a row. `mtu` is the payload of a full packet.
    pub(super) fn multicast(
        &mut self,
        row: &MulticastRow,
        groups: &GroupRows,
        context: &Context,
        mtu: u64,
    ) -> Result<(), InputError> {
        let number = self.of_row.len();
        let place = MulticastRow::place_of(number);
        let of = groups.named(place, row.group.as_ref())?;
        let group = &groups.rows[of];
        let first = self.casts.len();
        context.check_flows(place, "group", first, group.members.len() as f64)?;
        row.check(place)?;
        let start = context.start(place, row.start)?;
        let size = size(place, row.size)?;
        Self::check_size(size, mtu).map_err(|message| place.refuse("size", message))?;
        let class = row.class.unwrap_or(Class::LOSSLESS);
        self.has_class(of, class).map_err(|message| place.refuse("class", message))?;
        let (nodes, network) = (&context.nodes, &context.nodes.network);
        let said = row.from.as_ref().map(|said| nodes.host_of(place, "from", said)).transpose()?;
        for (in_row, id) in (0..group.members.len()).zip(group.first..) {
            let id = GroupId(id);
            let from = sender(place, network, group, in_row, said)?;
            let cast = Cast { from, to: id, size, start, after: Vec::new(), class };
            self.push(cast, (of, in_row), place);
        }
        self.of_row.push(first..self.casts.len());
        self.name(place, row.name.as_ref(), number)?;
        let awaited = row.after.clone().unwrap_or_default();
        distinct(place, &awaited)?;
        self.awaited.push(awaited);
        Ok(())
    }

    /// Adds a message to a group: that of a row, and its place in it.
    pub(super) fn push(&mut self, cast: Cast, (group, place): (usize, usize), said: Place) {
        let (id, from, start) = (cast.to, cast.from, cast.start);
        let last = self.latest.entry(group).or_insert(start);
        *last = start.max(*last);
        self.casts.push(cast);
        if self.sent.insert((id, from)) {
            self.senders.push(Sender { said, group, place, id, from });
        }
    }

    /// Refuses a message that is too long. `mtu` is the payload of a full packet.
    pub(super) fn check_size(size: DataSize, mtu: u64) -> Result<(), String> {
        if size.as_bytes().div_ceil(mtu) <= MOST_PACKETS {
            return Ok(());
        }
        Err(format!(
            "found {size}, more than {MOST_PACKETS} packets of {mtu} B; send several messages"
        ))
    }

    /// Refuses a class that differs from that of earlier messages to the groups of a row.
    pub(super) fn has_class(&mut self, group: usize, class: Class) -> Result<(), &'static str> {
        if *self.classes.entry(group).or_insert(class) == class {
            return Ok(());
        }
        Err("differs from that of an earlier message to the group; a group has one class")
    }

    fn name(
        &mut self,
        place: Place,
        name: Option<&String>,
        number: usize,
    ) -> Result<(), InputError> {
        let Some(name) = name else { return Ok(()) };
        if name.trim().is_empty() {
            let message = "found an empty name; give one such as \"broadcast\"";
            return Err(place.refuse("name", message));
        }
        if self.names.insert(name.clone(), number).is_some() {
            let message = format!("found {name:?}, which another [[multicast]] has; take another");
            return Err(place.refuse("name", message));
        }
        Ok(())
    }

    /// The row that says a message.
    pub(super) fn place_of(&self, cast: usize) -> Place {
        let row = self.of_row.partition_point(|casts| casts.end <= cast);
        if row < self.of_row.len() {
            return MulticastRow::place_of(row);
        }
        let of_trace = || {
            let row = self.of_traces.partition_point(|end| *end <= cast);
            (row < self.of_traces.len()).then(|| TraceRow::place_of(row))
        };
        let of_collective = of_ends(&self.of_collectives, cast).map(CollectiveRow::place_of);
        of_collective.or_else(of_trace).unwrap_or(Place::ROOT)
    }
}

/// The host that sends a message: the one that is named, the leader, or the first member.
fn sender(
    place: Place,
    network: &Network,
    group: &Grouped,
    in_row: usize,
    said: Option<NodeId>,
) -> Result<NodeId, InputError> {
    let members = &group.members[in_row];
    let Some(from) = said else { return Ok(group.leader.unwrap_or(members[0])) };
    if members.contains(&from) || group.ever(in_row).contains(&from) {
        return Ok(from);
    }
    let [from, member] = [from, members[0]].map(|host| network.name(host));
    let message = format!("found {from:?}, which is no member; name a member such as {member:?}");
    Err(place.refuse("from", message))
}
