//! What a sender says where it makes no progress, and what it does once all members were registered anew.

use lightloom_units::Instant;

use super::Member;
use crate::host::desk::Desk;
use crate::host::tell::control;
use crate::packet::{Dest, Kind, Packet};

impl Member {
    /// All members were registered so often anew: data say so from now on, and what was lost meanwhile is repeated.
    pub(super) fn mark(&mut self, again: u16, now: Instant, desk: &Desk<'_>) {
        let mark = self.entropy.wrapping_add(again);
        let was = std::mem::replace(&mut self.rc.peer.entropy, mark);
        let transport = &desk.params.transport;
        if let Some(sender) = &mut self.rc.sender
            && was != mark
        {
            sender.repeat(now, transport);
        }
    }

    /// The first packet of this host that is not acknowledged, and the timeouts of its message.
    pub(super) fn under_way(&self) -> (u64, u64) {
        let sender = self.rc.sender.as_deref();
        let waits = sender.and_then(|sender| sender.waited_for());
        (sender.map_or(0, |sender| sender.acked()), waits.map_or(0, |message| message.timeouts))
    }

    /// Timeouts without any progress: a switch may have lost its tables, so the leader is to register all anew.
    pub(super) fn say_silence(&mut self, acked: u64, now: Instant, desk: &mut Desk<'_>) {
        if self.sends.is_none() || desk.params.groups.safeguard.is_some() {
            return;
        }
        match &mut self.coordinator {
            Some(leader) => leader.renew(now, desk.params.transport.psn(acked), desk),
            None => self.say_acked(self.leader, desk),
        }
    }

    /// Tells the leader what is acknowledged of the run that this host sends.
    pub(super) fn say_acked(&self, to: (Dest, u32), desk: &mut Desk<'_>) {
        let Some([low, high, ..]) = self.sends.map(u32::to_le_bytes) else { return };
        let acked = desk.params.transport.psn(self.under_way().0);
        let packet = Packet { psn: acked, ..control(to, Kind::Have, desk.host.0, desk) };
        desk.control.push_back(Packet { entropy: u16::from_le_bytes([low, high]), ..packet });
    }
}
