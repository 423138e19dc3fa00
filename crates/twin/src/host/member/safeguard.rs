//! The safeguard: where a group makes no progress (cepheus:V-D.throughput), its sender reaches members without it. All
//! of them, or, finer, only those behind the fault, while the others stay on the tree.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lightloom_setup::params::{Judge, Safeguard, Scope};
use lightloom_topology::electrical::NodeId;
use lightloom_transport::sender::QueuePairError;
use lightloom_units::Instant;

use super::Member;
use super::tell::tell;
use super::watch::Watch;
use crate::host::desk::Desk;
use crate::host::rc::Peer;
use crate::host::stream::Stream;
use crate::host::tell::control;
use crate::packet::{Class, Dest, Kind, Packet, Psn};
use crate::schedule::Run;

impl Member {
    /// A run begins: from now on progress is watched.
    pub(super) fn watch_from(&mut self, now: Instant, desk: &Desk<'_>) {
        let guard = desk.params.groups.safeguard;
        self.watch = Watch {
            next: guard.map(|guard| now + guard.window),
            before: self.rc.sender.as_ref().map_or(0, |sender| sender.acked()),
            repeated: self.rc.sender.as_ref().map_or(0, |sender| sender.repeated()),
            usual: guard.map_or(0, |guard| guard.bytes_at(self.slowest)),
            ..Watch::default()
        };
    }

    /// The oldest packet may not be repeated again. With the safeguard others carry it, however long its window is;
    /// else this is an error of the queue pair, and the end of the group.
    pub(super) fn exhausted(&mut self, error: QueuePairError, now: Instant, desk: &mut Desk<'_>) {
        let Some(sender) = &mut self.rc.sender else { return };
        match desk.params.groups.safeguard {
            Some(guard) if guard.scope == Scope::Behind => {
                // Until those that were asked have answered, it is repeated.
                if self.watch.asked.is_none() {
                    self.watch.before = sender.acked();
                    self.ask_all(guard, now, desk);
                }
            }
            Some(_) => self.leave_and_fall_back(now, desk),
            None => {
                sender.fail(error);
                // Switches give their tables back port by port. What they then answer is not taken.
                let (others, end) = (self.others(), self.at_hand().map_or(0, |run| run.end));
                if let Some(notes) = &mut self.notes {
                    others.into_iter().for_each(|host| notes.fell(host, end, now));
                }
                if let Some(run) = self.sends {
                    self.over(run, now, desk);
                }
            }
        }
    }

    /// Looks at the progress since the last time, and at the answers of those that were asked.
    pub(super) fn look(&mut self, now: Instant, desk: &mut Desk<'_>) {
        let Some(guard) = desk.params.groups.safeguard else { return };
        if self.watch.tells.is_some() {
            self.tell_again(now, desk);
            return;
        }
        if let Some((until, _)) = &self.watch.asked {
            if *until <= now {
                self.fall_behind(now, desk);
            }
            return;
        }
        if self.watch.next.is_none_or(|next| next > now) {
            return;
        }
        let Some(sender) = &self.rc.sender else { return };
        let acked = sender.acked();
        let bytes = (acked - self.watch.before) * u64::from(desk.params.wire.mtu);
        let repeated = sender.repeated() - self.watch.repeated;
        // What a pause delays is repeated after a timeout though nothing is lost. So a window with a pause is not held
        // against others.
        let since = now.checked_since(desk.stops.until(Class::LOSSLESS.index()));
        let was_stopped = since.is_none_or(|since| since < guard.window);
        let of_loss = if was_stopped { 0 } else { repeated };
        let is_slow = !sender.is_idle() && guard.is_slow(bytes, of_loss, self.watch.usual);
        (self.watch.next, self.watch.before) = (Some(now + guard.window), acked);
        self.watch.repeated += repeated;
        let earlier = if self.watch.has_usual { self.watch.usual } else { 0 };
        (self.watch.usual, self.watch.has_usual) = (earlier.max(bytes), true);
        if is_slow {
            match guard.scope {
                Scope::All => self.leave_and_fall_back(now, desk),
                Scope::Behind => self.ask_all(guard, now, desk),
            }
        }
    }

    /// The members of the run beside this host that are reached over the group.
    fn others(&self) -> BTreeSet<NodeId> {
        let members = self.at_hand().map(|run| &run.members).into_iter().flatten();
        let own = self.host;
        let is_other = |host: &NodeId| *host != own && !self.watch.fallen.contains(host);
        members.copied().filter(is_other).collect()
    }

    fn at_hand(&self) -> Option<&Run> {
        self.schedule.runs.get(self.sends? as usize)
    }

    /// Asks all members what they have.
    fn ask_all(&mut self, guard: Safeguard, now: Instant, desk: &mut Desk<'_>) {
        self.watch.asked = Some((now + guard.window, BTreeMap::new()));
        let own = self.schedule.ends.get(&self.host).copied().unwrap_or(u32::MAX);
        for host in self.others() {
            let Some(&end) = self.schedule.ends.get(&host) else { continue };
            let packet = control((Dest::host(host), end), Kind::Ask, own, desk);
            desk.control.push_back(packet);
        }
    }

    /// A member says what it has.
    pub(super) fn has(&mut self, host: NodeId, psn: Psn, now: Instant, desk: &mut Desk<'_>) {
        let acked = self.rc.sender.as_ref().map_or(0, |sender| sender.acked());
        let ahead = psn.after(desk.params.transport.psn(acked));
        let others = self.others().len();
        let Some((_, have)) = &mut self.watch.asked else { return };
        have.insert(host, acked.saturating_add_signed(ahead));
        if have.len() >= others {
            self.fall_behind(now, desk);
        }
    }

    /// Those that have less than half of what the fastest has beyond the acknowledged are behind the fault, and so are
    /// those that do not answer. Their last answers may be lost, so they can have more than is acknowledged. Where
    /// nobody is ahead, all fall back.
    fn fall_behind(&mut self, now: Instant, desk: &mut Desk<'_>) {
        let Some((_, have)) = self.watch.asked.take() else { return };
        let acked = self.rc.sender.as_ref().map_or(0, |sender| sender.acked());
        // A new window begins, and where something was acknowledged meanwhile the group goes on.
        let has_progressed = acked > self.watch.before;
        let window = desk.params.groups.safeguard.map(|guard| now + guard.window);
        (self.watch.next, self.watch.before) = (window, acked);
        self.watch.repeated = self.rc.sender.as_ref().map_or(0, |sender| sender.repeated());
        let by_rate = |guard: Safeguard| matches!(guard.judge, Judge::Rate(_));
        if has_progressed && desk.params.groups.safeguard.is_some_and(by_rate) {
            return;
        }
        let others = self.others();
        let most = have.values().copied().max().unwrap_or(acked);
        let middle = acked.midpoint(most);
        let is_behind = |host: &&NodeId| have.get(host).is_none_or(|&has| has <= middle);
        let behind: BTreeSet<NodeId> = others.iter().filter(is_behind).copied().collect();
        if behind.is_empty() || behind.len() == others.len() {
            self.leave_and_fall_back(now, desk);
            return;
        }
        self.leave(&behind, now, desk);
        self.reach(behind, now);
    }

    /// The leader takes members out of the tree until the next run, and the others go on. It is told again until it has
    /// confirmed that they are out, as often as a registration is tried. No other member is judged before that.
    fn leave(&mut self, hosts: &BTreeSet<NodeId>, now: Instant, desk: &mut Desk<'_>) {
        self.watch.leaving.extend(hosts);
        self.tell_leaving(hosts, now, desk);
        self.watch.tells = Some((now + desk.params.groups.register_timeout, 1));
    }

    fn tell_leaving(&mut self, hosts: &BTreeSet<NodeId>, now: Instant, desk: &mut Desk<'_>) {
        let run = self.sends.unwrap_or(0);
        for &host in hosts {
            match &mut self.coordinator {
                Some(leader) => leader.take_out(host, now, desk),
                None => tell(self.leader, Kind::Leave, (Psn::new(host.0), run), desk),
            }
        }
    }

    /// The leader has not confirmed that all are out.
    fn tell_again(&mut self, now: Instant, desk: &mut Desk<'_>) {
        let Some((_, tries)) = self.watch.tells.filter(|&(at, _)| at <= now) else { return };
        if tries >= desk.params.groups.register_tries {
            self.look_from(now, desk);
            return;
        }
        let leaving = self.watch.leaving.clone();
        self.tell_leaving(&leaving, now, desk);
        self.watch.tells = Some((now + desk.params.groups.register_timeout, tries + 1));
    }

    /// The leader, or who confirms to this host as the leader, says that a member is in no table any more.
    pub(super) fn hear_of_leaving(&mut self, packet: &Packet, now: Instant, desk: &Desk<'_>) {
        let host = NodeId(packet.psn.get());
        let is_out = match &self.coordinator {
            Some(coordinator) => coordinator.has_taken_out(host),
            None => packet.kind == Kind::Leave,
        };
        let is_at_hand = self.sends == Some(packet.seen.get());
        if is_out && is_at_hand && self.watch.leaving.remove(&host) && self.watch.leaving.is_empty()
        {
            self.look_from(now, desk);
        }
    }

    /// From now on the progress of the others is watched again.
    fn look_from(&mut self, now: Instant, desk: &Desk<'_>) {
        self.watch.tells = None;
        if !self.watch.is_all {
            let guard = desk.params.groups.safeguard;
            self.watch.next = guard.map(|guard| now + guard.window);
            self.watch.before = self.rc.sender.as_ref().map_or(0, |sender| sender.acked());
            self.watch.repeated = self.rc.sender.as_ref().map_or(0, |sender| sender.repeated());
        }
    }

    fn leave_and_fall_back(&mut self, now: Instant, desk: &mut Desk<'_>) {
        let others = self.others();
        self.leave(&others, now, desk);
        self.fall_back(others, now);
    }

    /// Nobody is reached over the group any more.
    fn fall_back(&mut self, others: BTreeSet<NodeId>, now: Instant) {
        let end = self.at_hand().map_or(0, |run| run.end);
        self.watch.is_all = true;
        (self.watch.next, self.watch.asked) = (None, None);
        if let Some(sender) = &mut self.rc.sender {
            sender.give_up(end);
        }
        self.reach(others, now);
    }

    /// The leader says that the group could not be registered, or not (cepheus:V-D.registration).
    pub(super) fn fall_back_if(&mut self, falls_back: bool, now: Instant) {
        if !falls_back || self.watch.is_all {
            return;
        }
        let Some(run) = self.at_hand() else { return };
        // What the application has not asked for yet goes out when it does.
        self.watch.is_put_off = self.is_waiting(run.casts.start);
        if !self.watch.is_put_off {
            self.fall_back(self.others(), now);
        }
    }

    /// One of the connections is done, or its member cut off.
    pub(super) fn has_reached(&mut self, has_all: bool, now: Instant, desk: &mut Desk<'_>) {
        self.watch.open = self.watch.open.saturating_sub(1);
        self.watch.is_cut_off |= !has_all;
        if self.watch.open == 0 && self.watch.is_all && !self.watch.is_cut_off {
            let run = self.at_hand().map(|run| (run.first, run.end));
            if let (Some(run), Some(sender)) = (run, &mut self.rc.sender) {
                sender.carried(run, now);
                sender.hand_on(&mut desk.handed);
            }
        }
        self.end(now, desk);
    }

    /// Opens a connection to each of these members.
    fn reach(&mut self, hosts: BTreeSet<NodeId>, now: Instant) {
        let Some(run) = self.sends else { return };
        let end = self.at_hand().map_or(0, |run| run.end);
        let own = self.schedule.ends.get(&self.host).copied().unwrap_or(u32::MAX);
        for host in hosts {
            let Some(&qp) = self.schedule.ends.get(&host) else { continue };
            // Connections take ways of their own.
            let [low, high, ..] = host.0.to_le_bytes();
            let entropy = self.rc.peer.entropy ^ u16::from_le_bytes([low, high]).rotate_left(5);
            let peer = Peer { host: Dest::host(host), qp, entropy, ..self.rc.peer };
            let plan = (Arc::clone(&self.schedule), run);
            let stream = Stream::new((self.group, peer), plan, own, (self.rate.clone(), now));
            self.watch.opens.push(stream);
            self.watch.fallen.insert(host);
            if let Some(notes) = &mut self.notes {
                notes.fell(host, end, now);
            }
            self.watch.open += 1;
        }
    }
}
