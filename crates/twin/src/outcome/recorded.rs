//! The recorded arrivals and drops of all parts, up to the time at which one of them stopped to record.

use lightloom_topology::electrical::NodeId;

use super::copies::{self, Counted};
use super::owners::Owners;
use super::{Dropped, Hop, Outcome, RecordingCut};
use crate::drops::{Drop, Owner};
use crate::engine::{Beyond, Recording, Seen};
use crate::simulation::Simulation;

impl Outcome {
    /// Adds what a part recorded.
    pub(super) fn add_recording(
        &mut self,
        recording: Recording,
        (ids, owners): (&[NodeId], &Owners<'_, '_>),
        (copied, beyond): (&mut Counted, &mut Beyond),
    ) {
        copies::add(copied, &recording.counts.unwrap_or_default(), ids, owners);
        self.trace.extend(recording.seen.into_iter().map(|Seen { local, arrival, is_lost }| Hop {
            at: arrival.at,
            node: ids[local as usize],
            port: arrival.packet.port,
            packet: arrival.packet,
            is_lost,
            flow: owners.of(&Owner::of(&arrival.packet)),
            group: owners.group(&arrival.packet),
        }));
        let dropped = recording.dropped.unwrap_or_default();
        self.dropped.extend(dropped.into_iter().map(|(local, drop)| {
            let Drop { at, port, spot, reason, packet } = drop;
            Dropped {
                at,
                node: ids[local as usize],
                port,
                spot,
                reason,
                packet,
                flow: owners.of(&Owner::of(&packet)),
                group: owners.group(&packet),
            }
        }));
        beyond.arrivals += recording.beyond.arrivals;
        beyond.drops += recording.beyond.drops;
        recording.beyond.first.into_iter().for_each(|first| beyond.starts(first));
    }

    /// Sorts the drops, and ends the recording where there are more than the most of arrivals or drops. Every part has
    /// at least all before that time, so it does not depend on the number of parts.
    pub(super) fn cut_recording(&mut self, simulation: &Simulation<'_>, mut beyond: Beyond) {
        self.dropped.sort_by_key(|drop| (drop.at, drop.node, drop.port, drop.spot));
        let Some(most) = simulation.records().filter(|_| !simulation.traced) else { return };
        let late =
            [self.trace.get(most).map(|hop| hop.at), self.dropped.get(most).map(|drop| drop.at)];
        late.into_iter().flatten().for_each(|first| beyond.starts(first));
        let Some(at) = beyond.first else { return };
        let arrivals = self.trace.partition_point(|hop| hop.at < at);
        let drops = self.dropped.partition_point(|drop| drop.at < at);
        self.cut = Some(RecordingCut {
            at,
            arrivals: beyond.arrivals + (self.trace.len() - arrivals) as u64,
            drops: beyond.drops + (self.dropped.len() - drops) as u64,
        });
        self.trace.truncate(arrivals);
        self.dropped.truncate(drops);
    }
}
