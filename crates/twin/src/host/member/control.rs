//! Control packets that a member gets from its leader, from a sender and from other members, and its answers.

use lightloom_topology::electrical::NodeId;
use lightloom_units::Instant;

use super::Member;
use super::tell::tell;
use crate::host::desk::Desk;
use crate::host::tell::control;
use crate::host::transport::Arrived;
use crate::packet::{Dest, Kind, Packet};

impl Member {
    /// A packet that is no data and no feedback.
    pub(super) fn control(
        &mut self,
        now: Instant,
        packet: &Packet,
        desk: &mut Desk<'_>,
    ) -> Arrived {
        let (number, again) = (packet.seen.get(), packet.entropy);
        // Neither is asking progress, nor registering anew those who know all, nor repeating a registration.
        let mut gets_on = match packet.kind {
            Kind::Ask | Kind::Detach | Kind::Have | Kind::Lost => false,
            Kind::Register | Kind::Address => false,
            Kind::Confirm | Kind::Addressed => again == 0,
            _ => true,
        };
        match packet.kind {
            // cepheus:III-C.confirm, gleam:A.confirm
            Kind::Register | Kind::Address => {
                self.take_up(number);
                (self.rc.peer.host, self.rc.peer.qp) = (self.group, desk.host.0);
                let is_address = packet.kind == Kind::Address;
                let kind = if is_address { Kind::Addressed } else { Kind::Confirm };
                let packet = control(self.leader, kind, number, desk);
                desk.control.push_back(Packet { entropy: again, ..packet });
            }
            Kind::Grant | Kind::Released => return self.admitted(now, packet, desk),
            Kind::Go => {
                let before = self.sends;
                if self.ended >= Some(number) {
                    // The leader has not heard so.
                    self.tell_end(number, desk);
                } else {
                    self.begin(number, now, desk);
                    self.mark(again >> 1, now, desk);
                    self.fall_back_if(again & 1 > 0, now);
                }
                // It is told so until it has sent all.
                gets_on = before != self.sends;
            }
            Kind::Done => self.ended((number, packet.entropy > 0), now, desk),
            Kind::Ask if again > 0 => match self.ended {
                Some(run) if self.sends.is_none() => {
                    // The leader has not heard so.
                    self.tell_end(run, desk);
                }
                _ => self.say_acked(self.leader, desk),
            },
            Kind::Ask | Kind::Detach => {
                let mut asker = (Dest::host(NodeId(packet.psn.get())), number);
                if packet.kind == Kind::Detach {
                    // It names its run, which names its sender.
                    let run = packet.psn.get();
                    let Some(source) = self.schedule.runs.get(run as usize).map(|run| run.source)
                    else {
                        return Arrived::Stray;
                    };
                    self.take_up(run);
                    asker.0 = Dest::host(source);
                    (self.rc.peer.host, self.rc.peer.qp) = asker;
                }
                let expected = self.rc.receiver.as_ref().map_or(0, |half| half.expected());
                let has = desk.params.transport.psn(expected);
                tell(asker, Kind::Have, (has, desk.host.0), desk);
            }
            Kind::Have => {
                let (host, psn) = (NodeId(number), packet.psn);
                let mut leader = self.coordinator.as_mut();
                let is_source = leader
                    .as_mut()
                    .is_some_and(|own| own.source_has((host, again), psn, now, desk));
                if !is_source {
                    self.has(host, psn, now, desk);
                }
            }
            Kind::Lost => {
                let acked = desk.params.transport.psn(self.under_way().0);
                if let Some(coordinator) = &mut self.coordinator {
                    coordinator.lost(packet, acked, now, desk);
                }
            }
            Kind::Confirm | Kind::Addressed | Kind::Refuse | Kind::Leave => {
                if let Some(coordinator) = &mut self.coordinator {
                    let before = coordinator.unconfirmed();
                    coordinator.answered(packet, now, desk);
                    let is_news = before != coordinator.unconfirmed();
                    let confirms = matches!(packet.kind, Kind::Confirm | Kind::Addressed);
                    gets_on &= is_news || !confirms;
                }
                self.hear_of_leaving(packet, now, desk);
                self.take_turn(now, desk);
            }
            _ => return Arrived::Stray,
        }
        if gets_on {
            desk.progress = now;
        }
        Arrived::Opening
    }
}
