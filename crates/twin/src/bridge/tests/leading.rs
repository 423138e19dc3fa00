//! Registration as the leader sees it.

use lightloom_topology::electrical::NodeId;
use lightloom_units::{Instant, Span};
use proptest::prelude::*;

use super::super::leader::{Failure, Leader, Patience, Stage};
use super::super::registration::{Ask, Node, Registration, Stop};
use crate::multicast::LightStop;
use crate::packet::{GroupId, Psn};
use crate::random::Stream;

const PATIENCE: Patience = Patience { timeout: Span::from_us(500), tries: 3 };

fn at(us: u64) -> Instant {
    Instant::from_us(us)
}

fn members(hosts: std::ops::Range<u32>) -> Vec<Node> {
    hosts.map(|host| Node::Member { host: NodeId(host), qp: 1 }).collect()
}

fn begin(nodes: &[Node]) -> (Leader, Vec<Registration>) {
    Leader::new(GroupId(1), nodes, Psn::new(7), PATIENCE, at(0))
}

fn nodes(packets: &[Registration], ask: Ask) -> Vec<Node> {
    let packets = packets.iter().filter(|packet| packet.ask == ask);
    packets.flat_map(|packet| packet.nodes.clone()).collect()
}

fn ready(hosts: std::ops::Range<u32>) -> Leader {
    let (mut leader, _) = begin(&members(hosts.clone()));
    hosts.for_each(|host| leader.confirmed((NodeId(host), None), 0));
    assert_eq!(leader.stage(), &Stage::Ready(None));
    leader
}

#[test]
fn only_what_is_missing_is_asked_for_again() {
    let (mut leader, packets) = begin(&members(0..400));
    assert_eq!(packets.len(), 3);
    (0..400)
        .filter(|host| host % 100 > 0)
        .for_each(|host| leader.confirmed((NodeId(host), None), 0));
    assert_eq!(leader.silence(at(499)), []);
    assert_eq!(leader.deadline(), Some(at(500)));
    let again = leader.silence(at(500));
    assert_eq!(again.len(), 1);
    let missing: Vec<Node> = members(0..400).into_iter().step_by(100).collect();
    assert_eq!(nodes(&again, Ask::Join), missing);
    assert_eq!(leader.deadline(), Some(at(1000)));
    [0, 100, 200].iter().for_each(|&host| leader.confirmed((NodeId(host), None), 0));
    assert_eq!(leader.stage(), &Stage::Asking);
    leader.confirmed((NodeId(300), None), 0);
    assert_eq!((leader.stage(), leader.deadline()), (&Stage::Ready(None), None));
    assert_eq!(leader.nodes(), members(0..400));
}

/// A switch confirms the light of each source by itself.
#[test]
fn light_is_confirmed_by_source() {
    let stop = |source| {
        let light = LightStop { at: NodeId(90), accept: None, relay: Some(1) };
        Node::Stop(Stop { source: NodeId(source), via: NodeId(3), light })
    };
    let (mut leader, _) = begin(&[stop(1), stop(2)]);
    leader.confirmed((NodeId(90), Some(NodeId(1))), 0);
    assert_eq!(nodes(&leader.silence(at(500)), Ask::Join), [stop(2)]);
    leader.confirmed((NodeId(90), Some(NodeId(2))), 0);
    assert_eq!(leader.stage(), &Stage::Ready(None));
}

#[test]
fn a_refusal_gives_everything_back() {
    let (mut leader, _) = begin(&members(0..5));
    leader.confirmed((NodeId(0), None), 0);
    let back = leader.refused(NodeId(77), 0, at(9));
    assert_eq!(nodes(&back, Ask::Leave), members(0..5));
    assert_eq!(nodes(&back, Ask::Join), []);
    let failure = Failure::Refused { by: NodeId(77) };
    assert_eq!(leader.stage(), &Stage::GivingBack(failure.clone()));
    assert_eq!(leader.refused(NodeId(78), 0, at(9)), [], "the first is enough");
    leader.confirmed((NodeId(1), None), 0);
    leader.confirmed((NodeId(0), None), 1);
    let again = leader.silence(at(509));
    assert_eq!(
        nodes(&again, Ask::Leave),
        members(1..5),
        "what was confirmed before is another epoch"
    );
    (1..5).for_each(|host| leader.confirmed((NodeId(host), None), 1));
    assert_eq!((leader.stage(), leader.deadline()), (&Stage::Failed(failure), None));
}

#[test]
fn silence_ends() {
    let (mut leader, _) = begin(&members(0..3));
    leader.confirmed((NodeId(1), None), 0);
    assert_eq!(nodes(&leader.silence(at(500)), Ask::Join).len(), 2);
    assert_eq!(nodes(&leader.silence(at(1000)), Ask::Join).len(), 2);
    // Asked three times: now it is given back, three times too.
    let missing = vec![NodeId(0), NodeId(2)];
    for us in [1500, 2000, 2500] {
        assert_eq!(nodes(&leader.silence(at(us)), Ask::Leave).len(), 3);
    }
    assert_eq!(leader.silence(at(3000)), []);
    assert_eq!(leader.stage(), &Stage::Failed(Failure::Silent { missing }));
    assert_eq!(leader.change(&[], &[], Psn::new(0), at(3000)), None);
}

#[test]
fn a_change_has_a_later_epoch() {
    let mut leader = ready(0..4);
    let (joins, leaves) = (members(8..10), members(1..2));
    let packets = leader.change(&joins, &leaves, Psn::new(50), at(10)).expect("it is ready");
    assert!(packets.iter().all(|packet| packet.epoch == 1 && packet.first == Psn::new(50)));
    assert_eq!((nodes(&packets, Ask::Join), nodes(&packets, Ask::Leave)), (joins, leaves));
    leader.confirmed((NodeId(8), None), 0);
    [8, 9].iter().for_each(|&host| leader.confirmed((NodeId(host), None), 1));
    assert_eq!(leader.change(&[], &[], Psn::new(0), at(11)), None, "one change at a time");
    leader.confirmed((NodeId(1), None), 1);
    let left: Vec<Node> =
        [0, 2, 3, 8, 9].into_iter().flat_map(|host| members(host..host + 1)).collect();
    assert_eq!((leader.stage(), leader.nodes()), (&Stage::Ready(None), &left[..]));
}

#[test]
fn a_change_that_is_refused_leaves_the_group_as_it_was() {
    let mut leader = ready(0..4);
    assert!(leader.change(&members(8..9), &[], Psn::new(50), at(10)).is_some());
    let back = leader.refused(NodeId(70), 1, at(20));
    assert_eq!(nodes(&back, Ask::Leave), members(8..9), "the others keep what they have");
    leader.confirmed((NodeId(8), None), 2);
    let failure = Failure::Refused { by: NodeId(70) };
    assert_eq!(
        (leader.stage(), leader.nodes()),
        (&Stage::Ready(Some(failure)), &members(0..4)[..])
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    /// With loss of packets and of confirmations it is ready or has failed in finite time. It is ready only with
    /// the confirmation of every node, and no node is asked more often than allowed.
    #[test]
    fn it_comes_to_an_end(seed in any::<u64>(), hosts in 1_u32..500, lost in 0_u64..100) {
        let mut random = Stream::new(seed, 5, 5);
        let (mut leader, mut packets) = begin(&members(0..hosts));
        let mut heard = vec![false; hosts as usize];
        let mut asked = vec![0; hosts as usize];
        while let Some(deadline) = leader.deadline() {
            for packet in &packets {
                for node in packet.nodes.iter().filter(|_| random.next() % 100 >= lost) {
                    let host = node.toward();
                    let index = host.index();
                    asked[index] += u32::from(packet.ask == Ask::Join);
                    heard[index] |= packet.ask == Ask::Join;
                    leader.confirmed((host, None), packet.epoch);
                }
            }
            packets = leader.silence(deadline);
        }
        prop_assert!(asked.iter().all(|&asked| asked <= PATIENCE.tries));
        match leader.stage() {
            Stage::Ready(failure) => {
                prop_assert_eq!(failure, &None);
                prop_assert!(heard.iter().all(|heard| *heard));
            }
            Stage::Failed(Failure::Silent { missing }) => {
                let silent = (0..hosts).map(NodeId).filter(|host| !heard[host.index()]);
                prop_assert_eq!(missing, &silent.collect::<Vec<_>>());
            }
            stage => prop_assert!(false, "{:?}", stage),
        }
    }
}
