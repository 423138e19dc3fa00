//! Answers of members: acknowledgements, what they miss, and notifications of congestion.

use lightloom_units::Instant;

use crate::claims::Claim;
use crate::drops::DropReason;
use crate::engine::Out;
use crate::packet::{Dest, Ecn, Kind, Packet};
use crate::switch::Switch;
use crate::switch::bridges::NONE;
use lightloom_transport::bridge::Feedback;

impl Switch<'_> {
    /// An answer to the sender of a group has come in, with the place of its table (gleam:alg2:1-2).
    pub(in crate::switch) fn answer(
        &mut self,
        now: Instant,
        place: usize,
        packet: &Packet,
        out: &mut Out<'_>,
    ) {
        let table = &mut self.bridges.tables[place];
        // gleam:alg2:3
        let port = packet.port;
        // Hosts know nothing of epochs.
        let epoch = match table.host(port) {
            Some(_) => table.round.epoch(),
            None => packet.entropy,
        };
        let is_complete = table.host(port).is_none() && epoch == table.round.epoch();
        if table.awaits.is_some() && is_complete && packet.kind != Kind::Prune {
            // The switch below has seen data for the members of this registration.
            self.speak(now, place, port, out);
        }
        let table = &mut self.bridges.tables[place];
        table.done.came += u64::from(packet.kind != Kind::Prune);
        // A mark on an answer is a notification, filtered by its port as those that travel alone. What passes goes up
        // with the next answer, whichever port causes that (cepheus:III-D.marks, gleam:3.5.cc).
        if packet.ecn == Ecn::Marked && table.paths.up() != Some(port) {
            table.echoes |= table.notify.passes(port, now);
        }
        let told = match packet.kind {
            // gleam:alg2:6
            Kind::Ack => table.paths.acked(port, packet.psn, epoch, now),
            Kind::Prune => return self.pruned(now, place, packet, out),
            // gleam:alg2:12
            Kind::Nack => table.paths.missed(port, (packet.psn, packet.seen), epoch, now),
            // cepheus:III-D.cc, gleam:3.5.cc
            _ => {
                let passes = table.paths.up() != Some(port) && table.notify.passes(port, now);
                if passes {
                    self.send_up(now, place, packet, out);
                }
                return;
            }
        };
        self.tell_up(now, place, port, told, out);
    }

    /// All members are registered: what was not said while some may have been missing is said now.
    #[cold]
    pub(in crate::switch) fn speak(
        &mut self,
        now: Instant,
        place: usize,
        port: u16,
        out: &mut Out<'_>,
    ) {
        let table = &mut self.bridges.tables[place];
        // Until now an answer upward could have spoken for members that no table knew yet.
        table.awaits = None;
        let told = table.paths.retell(now);
        self.tell_up(now, place, port, told, out);
    }

    /// Sends an aggregated answer up, where there is one (gleam:alg3:2); `port` is where its cause came in.
    pub(in crate::switch) fn tell_up(
        &mut self,
        now: Instant,
        place: usize,
        port: u16,
        mut told: Feedback,
        out: &mut Out<'_>,
    ) {
        if self.bridges.tables.get(place).is_some_and(|table| table.awaits.is_some()) {
            return;
        }
        loop {
            let answer = match told {
                Feedback { nack: Some((missing, seen)), .. } => Some((Kind::Nack, missing, seen)),
                Feedback { ack: Some(psn), .. } => Some((Kind::Ack, psn, psn)),
                Feedback { .. } => None,
            };
            let Some((kind, psn, seen)) = answer else { break };
            let next = (Dest::NEXT_NODE, 0);
            let packet = Packet::control(next, kind, (psn, seen), self.control_bytes);
            let echoes = std::mem::take(&mut self.bridges.tables[place].echoes);
            let ecn = if echoes { Ecn::Marked } else { Ecn::Not };
            let packet = Packet { port, ecn, ..packet };
            if let (Some(notes), Some(table)) =
                (&mut self.bridges.notes, self.bridges.tables.get(place))
            {
                let up = table.paths.up().unwrap_or(NONE);
                notes.said(table.group, Claim::of(now, &packet), up);
            }
            self.send_up(now, place, &packet, out);
            if !told.more {
                break;
            }
            told = self.bridges.tables[place].paths.more(now);
        }
        self.let_go(now, place, out);
    }

    /// Sends an answer toward the sender: to its queue pair at its own switch, to the group elsewhere
    /// (cepheus:III-A.feedback, gleam:3.2.feedback).
    fn send_up(&mut self, now: Instant, place: usize, packet: &Packet, out: &mut Out<'_>) {
        let table = &mut self.bridges.tables[place];
        table.done.went += 1;
        let Some(up) = table.paths.up() else {
            self.drop(now, packet, DropReason::Stray);
            return;
        };
        let (to, qp) = table.host(up).unwrap_or((Dest::group(table.group), packet.qp));
        // The epoch tells the switch above for which members the answer speaks.
        let packet = Packet { to, qp, entropy: table.paths.epoch(), ..*packet };
        self.emit(now, up, packet, out);
    }
}
