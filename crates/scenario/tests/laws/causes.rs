//! Why receivers of datagrams lack packets: counts that add up, against the recorded drops of each packet and the way
//! that every packet of a run without losses takes.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use lightloom_scenario::glass::{GroupCast, link_rules};
use lightloom_topology::electrical::{Network, NodeId};
use lightloom_twin::{
    Cast, Class, DeadLink, DropReason, DropSpot, GroupId, Kind, LinkLoss, Multicast, Outcome,
    Setup, Simulation, simulate,
};
use lightloom_units::{DataSize, Instant, Span};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::given::{datagrams, params, racks};

const PACKETS: u64 = 60;

fn run(network: &Network, multicast: &Multicast, more: impl FnOnce(&mut Setup<'_>)) -> Outcome {
    let mut setup = Setup::new(network, params());
    setup.multicast = multicast.clone();
    setup.until = Instant::from_ps(50_000_000_000);
    more(&mut setup);
    let mut simulation = Simulation::new(setup).unwrap();
    simulation.record(1 << 20);
    let outcome = simulate(&simulation, &AtomicBool::new(false), &|_| ());
    assert_eq!(outcome.unbalanced, []);
    outcome
}

/// The node before each node on the way of a group's packets.
fn parents(network: &Network, outcome: &Outcome) -> BTreeMap<NodeId, NodeId> {
    let data = outcome.trace.iter().filter(|hop| hop.packet.kind == Kind::Data);
    data.map(|hop| (hop.node, network.ports(hop.node)[usize::from(hop.port)].peer)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn causes_add_up_to_what_each_receiver_lacks(
        (tors, each) in (2_usize..5, 2_usize..4),
        lossy in vec((any::<Index>(), any::<Index>(), 0.0_f64..0.4, any::<bool>()), 0..6),
        dying in prop::option::of((any::<Index>(), any::<Index>(), 0_u64..20)),
        until in prop::option::of(1_u64..30),
        seed in any::<u64>(),
    ) {
        let network = racks(tors, each);
        let members: Vec<NodeId> = (0..network.hosts()).map(NodeId::at).collect();
        let source = members[0];
        let group = GroupCast { group: GroupId(0), members: &members, source };
        let cast = Cast {
            from: source,
            to: GroupId(0),
            size: DataSize::from_bytes(PACKETS * 4096),
            start: Instant::ZERO,
            after: Vec::new(),
            class: Class::LOSSY,
        };
        let multicast = Multicast {
            groups: vec![datagrams(members.clone())],
            rules: link_rules(&network, &group),
            casts: vec![cast],
            ..Multicast::default()
        };
        let parents = parents(&network, &run(&network, &multicast, |_| ()));
        let place = |node: &Index, port: &Index| {
            let node = NodeId::at(node.index(network.nodes()));
            (node, port.index(network.ports(node).len()) as u16)
        };
        let outcome = run(&network, &multicast, |setup| {
            setup.seed = seed;
            setup.losses = lossy.iter().map(|(node, port, rate, corrupt)| {
                let (from, port) = place(node, port);
                LinkLoss { from, port, rate: *rate, burst: 1, corrupt: *corrupt }
            }).collect();
            setup.dead = dying.iter().map(|(node, port, us)| {
                let (node, port) = place(node, port);
                let from = Instant::ZERO + Span::from_us(*us);
                DeadLink { node, port, from, to: Instant::from_ps(u64::MAX) }
            }).collect();
            if let Some(us) = until {
                setup.until = Instant::ZERO + Span::from_us(us);
            }
        });
        let came = &outcome.casts[0];
        for got in came.receivers.iter().filter(|got| got.received.is_none()) {
            let lacks = PACKETS - (got.delivered - got.spurious);
            let causes = got.causes.expect("the tree stays as it is");
            prop_assert_eq!(causes.sum(), lacks);
            // Up from the receiver: what was dropped at a node, or on the way down from it.
            let mut counted: BTreeMap<DropReason, u64> = BTreeMap::new();
            let mut below = None;
            let mut at = Some(got.host);
            while let Some(node) = at {
                for drop in outcome.dropped.iter().filter(|drop| drop.node == node) {
                    let next = network.ports(node)[usize::from(drop.port)].peer;
                    let counts = match drop.spot {
                        DropSpot::Inside => true,
                        DropSpot::Leaving => Some(next) == below,
                        DropSpot::Branch(_) => false,
                    };
                    if counts && drop.packet.kind == Kind::Data {
                        *counted.entry(drop.reason).or_default() += 1;
                    }
                }
                (below, at) = (Some(node), parents.get(&node).copied());
            }
            let of = |reason| counted.get(&reason).copied().unwrap_or(0);
            prop_assert_eq!(causes.dead, of(DropReason::Dead));
            prop_assert_eq!(causes.lost, of(DropReason::Link) + of(DropReason::Corrupt));
            prop_assert_eq!(causes.overflow, of(DropReason::Buffer));
            prop_assert_eq!(causes.rules, 0);
            // The rest was not sent yet or under way.
            let unsent = PACKETS - came.all.sent;
            prop_assert!(causes.end >= unsent.min(lacks) && (until.is_some() || causes.end == 0));
        }
    }
}
