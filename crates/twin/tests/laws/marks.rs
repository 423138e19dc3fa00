//! Congestion told by marks on answers, in reliable groups (cepheus:III-D.marks, gleam:3.5.cc): each
//! switch filters the marks by port, and what passes goes up with the next answer.

use std::collections::BTreeMap;

use lightloom_topology::electrical::{FatTree, Network, NodeId};
use lightloom_twin::params::{Dcqcn, Notices, Params};
use lightloom_twin::{Data, Ecn, GroupId, Kind, Outcome};
use lightloom_units::{Instant, Span};

use crate::given::*;
use crate::reliable::{cast, complete, group, multicast, setup};

/// Congestion is told by marks on answers, each.
fn by_answers() -> Params {
    let mut params = with_dcqcn();
    let cnp_interval = Span::ZERO;
    params.dcqcn = Some(Dcqcn { notices: Notices::Answers, cnp_interval, ..Dcqcn::default() });
    params
}

/// Two groups from hosts 0 and 1 into the same other hosts.
fn two_groups(network: &Network, params: Params, packets: u64) -> Outcome {
    let groups = vec![group(&[0, 2, 3, 4], Data::Electrons), group(&[1, 2, 3, 5], Data::Electrons)];
    let casts = vec![cast(0, 0, packets), cast(1, 1, packets)];
    let outcome = run(&setup(network, params, multicast(groups, casts)));
    complete(&outcome);
    outcome
}

/// What one switch knows of one group, by hand: the acknowledged number and the marks of each port.
#[derive(Default)]
struct Model {
    acked: BTreeMap<u16, u32>,
    floor: u32,
    marks: BTreeMap<u16, u32>,
    since: Instant,
    passed: bool,
}

impl Model {
    /// An answer comes in: the one that goes up, if any, and whether it is marked.
    fn answer(
        &mut self,
        (at, window): (Instant, Span),
        port: u16,
        psn: u32,
        marked: bool,
    ) -> Option<(u32, bool)> {
        if marked {
            if at >= self.since + window {
                (self.since, self.marks) = (at, BTreeMap::new());
            }
            let most = self.marks.values().copied().max().unwrap_or(0);
            let own = self.marks.entry(port).or_default();
            *own += 1;
            self.passed |= *own > most;
        }
        self.acked.insert(port, psn);
        let floor = *self.acked.values().min().expect("this port");
        if self.acked.len() < 3 || floor == self.floor {
            return None;
        }
        self.floor = floor;
        Some((floor, std::mem::take(&mut self.passed)))
    }
}

/// On one switch: which answers carry marks is what the model says, and so is each of their numbers.
#[test]
fn a_mark_that_passes_goes_with_the_next_answer() {
    let network = star(6);
    let params = by_answers();
    let window = params.groups.notification_window;
    let outcome = two_groups(&network, params, 2_000);
    let switch = NodeId::at(6);
    for source in 0..2_u32 {
        let of = Some(GroupId(source));
        let at_switch = outcome.trace.iter().filter(|hop| hop.node == switch);
        let answers = at_switch.filter(|hop| hop.group == of && hop.packet.kind == Kind::Ack);
        let mut model = Model::default();
        let expected: Vec<(u32, bool)> = answers
            .filter_map(|hop| {
                let marked = hop.packet.ecn == Ecn::Marked;
                model.answer((hop.at, window), hop.port, hop.packet.psn.get(), marked)
            })
            .collect();
        let got: Vec<(u32, bool)> = arrivals(&outcome, source as usize, Kind::Ack)
            .map(|hop| (hop.packet.psn.get(), hop.packet.ecn == Ecn::Marked))
            .collect();
        assert_eq!(got, expected);
        let marked = got.iter().filter(|(_, marked)| *marked).count() as u64;
        let group = &outcome.groups[source as usize];
        assert!(marked > 0 && group.notifications == marked, "{marked} {group:?}");
    }
}

/// Senders of groups slow down by it, as they do by notifications that travel alone.
#[test]
fn senders_of_groups_react_to_marks_on_answers() {
    let network = star(6);
    let stopped = |params: Params| -> u64 {
        let outcome = two_groups(&network, params, 3_000);
        outcome.links.iter().map(|link| link.paused.as_ps()).sum()
    };
    let [none, answers, packets] = [
        stopped(Params { dcqcn: None, ..by_answers() }),
        stopped(by_answers()),
        stopped(with_dcqcn()),
    ];
    assert!(none > 0 && 10 * answers < none && 10 * packets < none, "{none} {answers} {packets}");
}

/// Over several switches a mark comes as far as the sender, and never more of them than receivers sent.
#[test]
fn marks_cross_switches() {
    let network =
        FatTree { ports: 4, hosts_per_edge: None, rate: G100, host_rate: None, delay: US }
            .network()
            .unwrap();
    let groups =
        vec![group(&[0, 5, 10, 15], Data::Electrons), group(&[1, 5, 10, 14], Data::Electrons)];
    let casts = vec![cast(0, 0, 2_000), cast(1, 1, 2_000)];
    let outcome = run(&setup(&network, by_answers(), multicast(groups, casts)));
    complete(&outcome);
    let heard: u64 = outcome.groups.iter().map(|group| group.notifications).sum();
    assert!(heard > 0 && heard <= outcome.notifications, "{heard} {}", outcome.notifications);
}
