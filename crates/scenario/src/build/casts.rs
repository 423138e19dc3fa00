//! `[[multicast]]`: messages to groups.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use lightloom_request::InputError;
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_twin::{Cast, Class, GroupId};
use lightloom_units::Instant;

use crate::build::connection::distinct;
use crate::build::context::Context;
use crate::build::flows::size;
use crate::build::members::{GroupRows, Grouped};
use crate::said::{Awaited, MulticastRow, Place, Row as _};

/// Largest number of packets of a message to a group: each is told from every other by its sequence number.
const MOST_PACKETS: u64 = 1 << 23;

/// A sender to a group, with the first row that says it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sender {
    /// Number of the `[[multicast]]`.
    pub(super) row: usize,
    /// Number of the `[[group]]`.
    pub(super) group: usize,
    /// Place of the group in its row.
    pub(super) place: usize,
    pub(super) id: GroupId,
    pub(super) from: NodeId,
}

/// The messages to groups.
#[derive(Debug, Default)]
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
        if size.as_bytes().div_ceil(mtu) > MOST_PACKETS {
            let message = format!(
                "found {size}, more than {MOST_PACKETS} packets of {mtu} B; send several messages"
            );
            return Err(place.refuse("size", message));
        }
        let said = row.class.unwrap_or(Class::LOSSLESS);
        let class = *self.classes.entry(of).or_insert(said);
        if class != said {
            let message =
                "differs from that of an earlier message to the group; a group has one class";
            return Err(place.refuse("class", message));
        }
        let (nodes, network) = (&context.nodes, &context.nodes.network);
        let said = row.from.as_ref().map(|said| nodes.host_of(place, "from", said)).transpose()?;
        let last = self.latest.entry(of).or_insert(start);
        *last = start.max(*last);
        for (in_row, id) in (0..group.members.len()).zip(group.first..) {
            let id = GroupId(id);
            let from = sender(place, network, group, in_row, said)?;
            self.casts.push(Cast { from, to: id, size, start, after: Vec::new(), class });
            if self.sent.insert((id, from)) {
                self.senders.push(Sender { row: number, group: of, place: in_row, id, from });
            }
        }
        self.of_row.push(first..self.casts.len());
        self.name(place, row.name.as_ref(), number)?;
        let awaited = row.after.clone().unwrap_or_default();
        distinct(place, &awaited)?;
        self.awaited.push(awaited);
        Ok(())
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

    /// The row of a message.
    pub(super) fn row_of(&self, cast: usize) -> Option<usize> {
        let row = self.of_row.partition_point(|casts| casts.end <= cast);
        (row < self.of_row.len()).then_some(row)
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
