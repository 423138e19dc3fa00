//! Packets that are counted by whom they belong to: dropped ones, and those under way at the end.

use lightloom_topology::electrical::NodeId;

use super::lacking::CastDrops;
use super::owners::Owners;
use super::{FlowOutcome, Outcome};
use crate::drops::{Drops, Owner};
use crate::packet::{Kind, Packet};

impl Outcome {
    pub(super) fn add_to(
        &mut self,
        owner: &Owner,
        owners: &Owners<'_, '_>,
        add: impl FnOnce(&mut FlowOutcome),
    ) {
        if let Some(flow) = owners.of(owner) {
            add(self.of(flow));
        }
    }

    pub(super) fn add_drops(
        &mut self,
        (id, drops): (NodeId, &Drops),
        of_casts: &mut CastDrops,
        owners: &Owners<'_, '_>,
    ) {
        for ((port, spot), reason, owner, packets) in drops.iter() {
            *self.drops.entry((id, port, reason)).or_default() += packets;
            if owner.kind == Kind::Data
                && let Some(cast) = owners.cast(owner)
            {
                *of_casts.entry((cast, (id, port, spot), reason)).or_default() += packets;
            }
            self.add_to(owner, owners, |flow| match owner.kind {
                Kind::Data => flow.dropped += packets,
                _ => flow.answers_dropped += packets,
            });
        }
    }

    pub(super) fn in_flight(&mut self, packet: &Packet, owners: &Owners<'_, '_>) {
        if packet.kind == Kind::Data {
            self.add_to(&Owner::of(packet), owners, |flow| flow.in_flight += 1);
        }
    }
}
