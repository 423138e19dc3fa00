//! Datagrams over links alone: every member gets one copy, and no link carries two.

use std::collections::BTreeSet;

use lightloom_scenario::glass::{GroupCast, link_rules, size_of};
use lightloom_topology::electrical::{FatTree, Network, NodeId};
use lightloom_twin::{GroupId, Multicast};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::given::{G100, US, datagrams, packet, params, racks, run};

fn any_network() -> impl Strategy<Value = Network> {
    prop_oneof![
        (1_usize..6, 2_usize..4).prop_map(|(tors, each)| racks(tors, each)),
        Just(4_u32).prop_map(|ports| {
            let tree =
                FatTree { ports, hosts_per_edge: None, rate: G100, host_rate: None, delay: US };
            tree.network().unwrap()
        }),
    ]
}

proptest! {
    #[test]
    fn links_carry_one_copy_for_each_member(
        network in any_network(),
        group in vec(any::<Index>(), 2..10),
        number in 0_u32..4,
    ) {
        let hosts: BTreeSet<NodeId> =
            group.iter().map(|index| NodeId::at(index.index(network.hosts()))).collect();
        let members: Vec<NodeId> = hosts.into_iter().collect();
        let groups = vec![datagrams(members.clone()); 4];
        let mut multicast = Multicast { groups, ..Multicast::default() };
        let mut links = 0;
        for &source in &members {
            let cast = GroupCast { group: GroupId(number), members: &members, source };
            let rules = link_rules(&network, &cast);
            links += size_of(&rules, &[]).links;
            multicast.rules.extend(rules);
            multicast.casts.push(packet(source, GroupId(number)));
        }
        let outcome = run(&network, (params(), multicast), Vec::new());
        let all = outcome.casts.iter().flat_map(|cast| &cast.receivers);
        prop_assert!(all.clone().all(|got| (got.delivered, got.spurious) == (1, 0)));
        prop_assert_eq!(all.count(), members.len() * (members.len() - 1));
        // Counted by the rules, and counted by the engine. A group of one host sends up its link for nothing.
        prop_assert_eq!(outcome.data_hops, links);
        prop_assert!(outcome.links.iter().all(|link| link.sent <= members.len() as u64));
    }
}
