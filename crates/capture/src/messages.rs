//! What a packet of the twin does not say: its message, and the message's place on its connection.

use std::collections::BTreeMap;

use lightloom_topology::electrical::NodeId;
use lightloom_twin::{FlowId, GroupId, GroupVerb, Psn, Service, Setup, Verb};

/// How a message travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transport {
    /// On a reliable connection.
    Reliable(GroupVerb),
    /// To a group, without answers.
    Unreliable,
}

/// A message, by its number as a flow.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Message {
    pub(crate) from: NodeId,
    /// The host that receives; none of a message to a group.
    pub(crate) to: Option<NodeId>,
    pub(crate) transport: Transport,
    /// Payload in bytes.
    pub(crate) bytes: u64,
    pub(crate) packets: u64,
    /// Its first packet, among all of its direction of the connection.
    first: u64,
    /// Its direction of the connection.
    direction: usize,
}

/// All messages of a setup.
pub(crate) struct Messages {
    all: Vec<Message>,
    directions: Vec<Direction>,
    /// The direction of each reliable group that has messages.
    groups: BTreeMap<GroupId, usize>,
    first_psn: Psn,
}

/// One direction of a connection.
#[derive(Default)]
struct Direction {
    /// The packet after the last of each message, in order.
    ends: Vec<u64>,
    /// What was acknowledged last, among all packets.
    acknowledged: u64,
}

/// What a direction belongs to.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    Flow(usize),
    Connection(u32, NodeId),
    Group(GroupId),
    Cast(usize),
}

impl Messages {
    pub(crate) fn new(setup: &Setup<'_>) -> Self {
        let first_psn = Psn::new(setup.params.transport.first_psn);
        let mut messages =
            Self { all: Vec::new(), directions: Vec::new(), groups: BTreeMap::new(), first_psn };
        let mut owners: BTreeMap<Owner, usize> = BTreeMap::new();
        let mtu = u64::from(setup.params.wire.mtu.max(1));
        let mut add = |owner, from, to, transport, bytes: u64| {
            let directions = &mut messages.directions;
            let direction = *owners.entry(owner).or_insert_with(|| {
                directions.push(Direction::default());
                directions.len() - 1
            });
            let packets = bytes.div_ceil(mtu).max(1);
            let ends = &mut directions[direction].ends;
            let first = ends.last().copied().unwrap_or(0);
            ends.push(first + packets);
            messages.all.push(Message { from, to, transport, bytes, packets, first, direction });
        };
        for (number, flow) in setup.flows.iter().enumerate() {
            let owner = match flow.connection {
                Some(connection) => Owner::Connection(connection, flow.from),
                None => Owner::Flow(number),
            };
            let transport = Transport::Reliable(match flow.verb {
                Verb::Send => GroupVerb::Send,
                Verb::Write => GroupVerb::Write,
            });
            add(owner, flow.from, Some(flow.to), transport, flow.size.as_bytes());
        }
        // Packets of a group are numbered in the order in which its messages go out; messages, in that of the list.
        let turns = setup.multicast.in_turn();
        for &place in &turns {
            let (number, cast) = (place as usize, &setup.multicast.casts[place as usize]);
            let group = setup.multicast.groups.get(cast.to.0 as usize);
            let (owner, transport) = match group.map(|group| &group.service) {
                Some(Service::Reliable(service)) => {
                    (Owner::Group(cast.to), Transport::Reliable(service.verb))
                }
                // Each message of datagrams begins with the first sequence number.
                _ => (Owner::Cast(number), Transport::Unreliable),
            };
            add(owner, cast.from, None, transport, cast.size.as_bytes());
        }
        let casts = messages.all.split_off(setup.flows.len());
        let mut casts: Vec<(u32, Message)> = turns.into_iter().zip(casts).collect();
        casts.sort_unstable_by_key(|(place, _)| *place);
        messages.all.extend(casts.into_iter().map(|(_, message)| message));
        messages.groups = owners
            .into_iter()
            .filter_map(|(owner, direction)| match owner {
                Owner::Group(group) => Some((group, direction)),
                _ => None,
            })
            .collect();
        messages
    }

    /// A message; none of a number that no flow has.
    pub(crate) fn get(&self, flow: FlowId) -> Option<&Message> {
        self.all.get(flow.index())
    }

    /// The place of a packet within its message.
    pub(crate) fn place(&self, message: &Message, psn: Psn) -> u64 {
        let first = match message.transport {
            Transport::Reliable(_) => Psn::of(self.first_psn, message.first),
            Transport::Unreliable => Psn::new(0),
        };
        let before = psn.get().wrapping_sub(first.get());
        u64::from(Psn::new(before).get())
    }

    /// The messages of a group that are complete; see [`Messages::complete`].
    pub(crate) fn complete_of_group(&mut self, group: GroupId, psn: Psn) -> Option<u32> {
        let direction = *self.groups.get(&group)?;
        Some(self.complete_in(direction, psn))
    }

    /// The number of messages on the connection of a message that are complete when all packets before `psn` have
    /// arrived. Calls for one connection come in the order of time: sequence numbers wrap, and the nearest place to the
    /// last one counts.
    pub(crate) fn complete(&mut self, message: &Message, psn: Psn) -> u32 {
        self.complete_in(message.direction, psn)
    }

    fn complete_in(&mut self, direction: usize, psn: Psn) -> u32 {
        let direction = &mut self.directions[direction];
        let last = direction.acknowledged;
        let ahead = psn.after(Psn::of(self.first_psn, last));
        direction.acknowledged = last.saturating_add_signed(ahead);
        let done = direction.ends.partition_point(|&end| end <= direction.acknowledged);
        u32::try_from(done).unwrap_or(u32::MAX)
    }
}
