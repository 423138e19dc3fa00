//! Holds what answers claim against what receivers had.

use std::collections::{BTreeMap, BTreeSet};

use lightloom_topology::electrical::NodeId;
use lightloom_units::Instant;

use super::notes::{CheckedAnswers, Claim, MemberNotes, Noted, SwitchNotes, WrongAnswer};
use crate::packet::{GroupId, Psn};

/// Messages of one sender: which hosts are to have them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Audience {
    /// The place after the last packet.
    pub(crate) end: u64,
    /// The members but the sender.
    pub(crate) receivers: BTreeSet<NodeId>,
}

/// All that is known of a group.
#[derive(Debug)]
pub(crate) struct Judge<'a> {
    pub(crate) group: GroupId,
    /// The number of the first packet.
    pub(crate) first: Psn,
    pub(crate) is_selective: bool,
    /// Who is to have what, in order.
    pub(crate) audiences: Vec<Audience>,
    pub(crate) members: BTreeMap<NodeId, &'a MemberNotes>,
    pub(crate) switches: Vec<(NodeId, &'a SwitchNotes)>,
}

impl Judge<'_> {
    /// Holds all answers against the receivers that they speak for.
    pub(crate) fn judge(&self, into: &mut CheckedAnswers) {
        let furthest = self.furthest();
        for (&node, notes) in &self.members {
            for claim in &notes.heard {
                self.hold((node, claim), &furthest, |_| true, into);
            }
        }
        for &(node, notes) in &self.switches {
            let mut root = 0;
            let mut behind: BTreeMap<NodeId, u16> = BTreeMap::new();
            for (_, noted) in notes.0.iter().filter(|(group, _)| *group == self.group) {
                match noted {
                    Noted::Opened(port) => {
                        root = *port;
                        behind.clear();
                    }
                    Noted::Entered(host, port) => {
                        behind.insert(*host, *port);
                    }
                    Noted::Left(host) => {
                        behind.remove(host);
                    }
                    Noted::Said(claim, up) => {
                        let port = |host| behind.get(&host).copied().unwrap_or(root);
                        self.hold((node, claim), &furthest, |host| port(host) != *up, into);
                    }
                }
            }
        }
    }

    /// Since when any member had everything before a place: it only grows.
    fn furthest(&self) -> Vec<(Instant, u64)> {
        let mut all: Vec<(Instant, u64)> =
            self.members.values().flat_map(|notes| notes.had.iter().copied()).collect();
        all.sort_unstable();
        let mut most = 0;
        all.retain(|&(_, had)| {
            let is_more = had > most;
            most = most.max(had);
            is_more
        });
        all
    }

    /// Holds one answer against the receivers that it speaks for.
    fn hold(
        &self,
        (node, claim): (NodeId, &Claim),
        furthest: &[(Instant, u64)],
        speaks_for: impl Fn(NodeId) -> bool,
        into: &mut CheckedAnswers,
    ) {
        into.checked += 1;
        let at = claim.at;
        // Sequence numbers are unwrapped near what the first receiver had then.
        let upto = furthest.partition_point(|&(since, _)| since <= at);
        let near = upto.checked_sub(1).map_or(0, |last| furthest[last].1);
        let place = |psn: Psn| near.saturating_add_signed(psn.after(Psn::of(self.first, near)));
        let claimed = place(claim.psn);
        let wrong = |claimed, is_selective, receiver| {
            let had = self.members.get(&receiver).map_or(0, |notes| notes.had(at));
            WrongAnswer { at, node, group: self.group.0, claimed, is_selective, receiver, had }
        };
        let lacks = |of: u64, has: &dyn Fn(&MemberNotes) -> bool| {
            let audience = self.audiences.iter().find(|audience| audience.end > of);
            let last = self.audiences.last();
            let receivers =
                audience.or(last).into_iter().flat_map(|audience| audience.receivers.iter());
            let has_fallen = |host: NodeId| {
                let mut fallen = self.members.values().flat_map(|notes| &notes.fallen);
                fallen.any(|&(since, who, before)| who == host && since <= at && of < before)
            };
            let receivers = receivers.copied().filter(|&host| speaks_for(host));
            let mut receivers = receivers.filter(|&host| !has_fallen(host));
            receivers.find(|host| !self.members.get(host).is_some_and(|notes| has(notes)))
        };
        if let Some(last) = claimed.checked_sub(1) {
            let receiver = lacks(last, &|notes| notes.had(at) >= claimed);
            into.wrong.extend(receiver.map(|receiver| wrong(claimed, false, receiver)));
        }
        if let Some(seen) = claim.seen.filter(|_| self.is_selective) {
            let seen = place(seen);
            let receiver = lacks(seen, &|notes| notes.had_one(seen, at));
            into.wrong.extend(receiver.map(|receiver| wrong(seen, true, receiver)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(us: u64) -> Instant {
        Instant::from_us(us)
    }

    fn host(number: usize) -> NodeId {
        NodeId::at(number)
    }

    fn claim(us: u64, psn: u32) -> Claim {
        Claim { at: at(us), psn: Psn::new(psn), seen: None }
    }

    /// Host 0 sends 10 packets to hosts 1 and 2, from a number on that soon wraps. Packet `n` is at host 1 after `n`
    /// microseconds, and at host 2 after as many more.
    fn judged(first: u32, said: &[(Claim, u16)]) -> CheckedAnswers {
        let (mut near, mut far, mut notes) =
            (MemberNotes::default(), MemberNotes::default(), SwitchNotes::default());
        for place in 1..=10 {
            near.has_all_before(place, at(place));
            far.has_all_before(place, at(2 * place));
        }
        let group = GroupId(0);
        notes.opened(group, 7);
        notes.entered(group, host(1), 1);
        notes.entered(group, host(2), 2);
        said.iter().for_each(|&(claim, up)| notes.said(group, claim, up));
        let receivers = BTreeSet::from([host(1), host(2)]);
        let judge = Judge {
            group,
            first: Psn::new(first),
            is_selective: false,
            audiences: vec![Audience { end: 10, receivers }],
            members: BTreeMap::from([(host(1), &near), (host(2), &far)]),
            switches: vec![(host(9), &notes)],
        };
        let mut answers = CheckedAnswers::default();
        judge.judge(&mut answers);
        answers
    }

    #[test]
    fn what_a_receiver_lacks_is_found() {
        for first in [0, 0xff_fffc] {
            let psn = |place| Psn::of(Psn::new(first), place).get();
            let one = |us, place, up| {
                let answers = judged(first, &[(claim(us, psn(place)), up)]);
                assert_eq!(answers.checked, 1);
                answers.wrong.first().map(|wrong| (wrong.receiver, wrong.claimed, wrong.had))
            };
            assert_eq!(one(8, 4, 7), None);
            assert_eq!(one(7, 4, 7), Some((host(2), 4, 3)));
            // It speaks for host 1 alone where host 2 is on the way up.
            assert_eq!(one(7, 4, 2), None);
            assert_eq!(one(7, 8, 2), Some((host(1), 8, 7)));
            assert_eq!(one(0, 0, 7), None);
            assert_eq!(one(90, 11, 7), Some((host(1), 11, 10)));
        }
    }
}
