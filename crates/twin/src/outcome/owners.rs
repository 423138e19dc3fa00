//! Whose a packet is: it says only to which endpoint it goes.

use std::collections::BTreeMap;

use lightloom_setup::Setup;
use lightloom_topology::electrical::NodeId;

use crate::build::{AnyNode, Cut};
use crate::drops::Owner;
use crate::engine::Part;
use crate::envelope::Envelopes;
use crate::packet::{FlowId, GroupId, Kind, Packet};

/// The endpoints of a run that has ended.
pub(super) struct Owners<'a, 'b> {
    pub(super) cut: &'a Cut,
    pub(super) parts: &'a [Part<AnyNode<'b>>],
    /// The messages to each group, in order.
    pub(super) casts: BTreeMap<GroupId, Vec<FlowId>>,
    /// The number of flows between two hosts. Messages to groups are numbered after them.
    pub(super) flows: usize,
}

impl Owners<'_, '_> {
    /// The messages to each group of a setup, in order.
    pub(super) fn casts(setup: &Setup<'_>) -> BTreeMap<GroupId, Vec<FlowId>> {
        let first = u32::try_from(setup.flows.len()).unwrap_or(u32::MAX);
        let groups = (0..).map(GroupId).zip(setup.multicast.casts_of_groups());
        let numbered =
            |places: Vec<u32>| places.into_iter().map(|place| FlowId(first + place)).collect();
        groups.map(|(group, places)| (group, numbered(places))).collect()
    }

    /// The flow of a packet; none of a pause.
    pub(super) fn of(&self, owner: &Owner) -> Option<FlowId> {
        let Owner { to, qp, kind, message } = *owner;
        if let Some(group) = to.as_group() {
            let casts = self.casts.get(&group)?;
            return casts.get(message as usize).copied().filter(|_| kind == Kind::Data);
        }
        let AnyNode::Host(host) = self.node(to.as_host()?) else { return None };
        host.slots.get(qp as usize)?.endpoint.transport().owner(kind, message)
    }

    /// The message to a group that a packet belongs to; none of a flow between two hosts.
    pub(super) fn cast(&self, owner: &Owner) -> Option<usize> {
        self.of(owner)?.index().checked_sub(self.flows)
    }

    /// The group that a packet goes to, or whose endpoint at a host it goes to.
    pub(super) fn group(&self, packet: &Packet) -> Option<GroupId> {
        let Some(host) = packet.to.as_host() else { return packet.to.as_group() };
        let AnyNode::Host(host) = self.node(host) else { return None };
        host.slots.get(packet.qp as usize)?.endpoint.transport().group()
    }

    /// What registration packets hold.
    pub(super) fn envelopes(&self) -> Option<&Envelopes> {
        let mut nodes = self.parts.iter().flat_map(|part| &part.nodes);
        nodes.find_map(|node| match node {
            AnyNode::Host(host) => Some(&*host.desk.envelopes),
            AnyNode::Switch(_) => None,
        })
    }

    fn node(&self, id: NodeId) -> &AnyNode<'_> {
        let address = self.cut.address(id);
        &self.parts[usize::from(address.part)].nodes[address.local as usize]
    }
}
