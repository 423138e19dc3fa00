//! Packets that go round: a time to live ends them.

use lightloom_topology::electrical::NodeId;
use lightloom_twin::{
    Branch, DropReason, Egress, GroupId, Ingress, Multicast, Rewrite, Rule, Setup, Splitter,
};
use lightloom_units::Span;

use crate::given::*;
use crate::splitters::{cast, tors};

/// The switches of hosts 0 and 1 light each other and hand on whatever comes.
fn ring(time_to_live: Option<u32>) -> Multicast {
    let tor = |i: usize| NodeId::at(5 + i);
    let splitter = |from: usize| Splitter {
        from: tor(from),
        rate: G100,
        loss: None,
        branches: vec![Branch { to: tor(1 - from), delay: Span::from_ns(300), loss: None }],
    };
    let rule = |at: usize| Rule {
        at: tor(at),
        group: GroupId(0),
        source: None,
        accept: None,
        ways: vec![
            (Egress::Link(0), Rewrite::Keep),
            (Egress::Splitter(u32::try_from(at).unwrap()), Rewrite::Keep),
        ],
    };
    let mut rules: Vec<Rule> = (0..2).map(rule).collect();
    // The sender gets nothing back.
    rules[0].ways.remove(0);
    rules[1].accept = Some(Ingress::Splitter(0));
    Multicast {
        splitters: (0..2).map(splitter).collect(),
        groups: vec![datagrams(vec![NodeId(1)])],
        rules,
        casts: vec![cast(3)],
        time_to_live,
        ..Multicast::default()
    }
}

#[test]
fn a_time_to_live_ends_what_goes_round() {
    let network = tors(G100);
    for hops in 1..=9 {
        let multicast = ring(Some(hops));
        let outcome = run(&Setup { multicast, ..simulation(&network, params(), vec![]) });
        // Every other transmission reaches the switch of host 1.
        let passes = u64::from(hops) - 1;
        let sent: u64 = outcome.splitters.iter().map(|splitter| splitter.sent).sum();
        assert_eq!(sent, 3 * passes, "{hops}");
        assert_eq!(outcome.casts[0].receivers[0].delivered, 3 * passes.div_ceil(2), "{hops}");
        let expired = outcome.drops.iter().filter(|((.., why), _)| *why == DropReason::Expired);
        assert_eq!(expired.map(|(_, packets)| packets).sum::<u64>(), 3, "{hops}");
    }
}
