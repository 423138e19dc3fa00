//! Whose a packet is: it says only to which endpoint it goes.

use lightloom_topology::electrical::NodeId;

use crate::build::{AnyNode, Cut};
use crate::drops::Owner;
use crate::engine::Part;
use crate::host::Transport as _;
use crate::packet::{FlowId, Kind};

/// The endpoints of a run that has ended.
pub(super) struct Owners<'a, 'b> {
    pub(super) cut: &'a Cut,
    pub(super) parts: &'a [Part<AnyNode<'b>>],
}

impl Owners<'_, '_> {
    /// The flow of a packet; none of a pause.
    pub(super) fn of(&self, owner: &Owner) -> Option<FlowId> {
        let Owner { to, qp, kind, message } = *owner;
        if to.as_group().is_some() {
            return (kind == Kind::Data).then_some(FlowId(qp));
        }
        let AnyNode::Host(host) = self.node(to.as_host()?) else { return None };
        host.slots.get(qp as usize)?.endpoint.owner(kind, message)
    }

    fn node(&self, id: NodeId) -> &AnyNode<'_> {
        let address = self.cut.address(id);
        &self.parts[usize::from(address.part)].nodes[address.local as usize]
    }
}
