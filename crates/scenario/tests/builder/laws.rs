//! Laws of the traffic that patterns make, over random seeds and networks.

use std::collections::BTreeSet;

use lightloom_scenario::said::{
    GroupRow, Members, MulticastRow, Node, Pattern, Row as _, Senders, TrafficRow,
};
use lightloom_twin::Flow;
use lightloom_units::{Instant, Span};
use proptest::prelude::*;

use crate::given::{builder, built, flow, kilobytes, leaves};

fn pattern(pattern: Pattern) -> TrafficRow {
    TrafficRow { pattern: Some(pattern), size: Some(kilobytes(1)), ..TrafficRow::default() }
}

fn flows(seed: u64, size: u32, rows: &[TrafficRow]) -> Vec<Flow> {
    let mut builder = builder(seed, &leaves(size));
    rows.iter().for_each(|row| builder.traffic(row, None).unwrap());
    built(builder).flows
}

/// The same among some hosts.
fn among(hosts: &[usize], row: TrafficRow) -> TrafficRow {
    let hosts = hosts.iter().map(|&host| Node::Host(host)).collect();
    TrafficRow { hosts: Some(Members::Listed(hosts)), ..row }
}

fn poisson(load: f64) -> TrafficRow {
    TrafficRow { load: Some(load), ..pattern(Pattern::Poisson) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn in_a_permutation_each_host_sends_once_and_receives_once(seed in 0_u64..1000, size in 1_u32..20) {
        let flows = flows(seed, size, &[pattern(Pattern::Permutation)]);
        let hosts = 4 * size as usize;
        let from: BTreeSet<_> = flows.iter().map(|flow| flow.from.index()).collect();
        let to: BTreeSet<_> = flows.iter().map(|flow| flow.to.index()).collect();
        prop_assert_eq!((flows.len(), from.len(), to.len()), (hosts, hosts, hosts));
        prop_assert!(flows.iter().all(|flow| flow.from != flow.to));
        // One cycle: from host 0 the receivers come back to it only after all hosts.
        let mut at = 0;
        for step in 1..=hosts {
            at = flows[at].to.index();
            prop_assert_eq!(at == 0, step == hosts);
        }
    }

    #[test]
    fn an_incast_has_as_many_senders_as_it_asks_for(seed in 0_u64..1000, size in 1_u32..20, share in 0.0_f64..1.0) {
        let hosts = 4 * u64::from(size);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let wanted = 1 + ((hosts - 2) as f64 * share) as u64;
        let row = TrafficRow {
            to: Some(Node::Host(1)),
            senders: Some(Senders::Drawn(wanted)),
            ..pattern(Pattern::Incast)
        };
        let flows = flows(seed, size, &[row]);
        let from: BTreeSet<_> = flows.iter().map(|flow| flow.from.index()).collect();
        prop_assert_eq!((flows.len() as u64, from.len() as u64), (wanted, wanted));
        prop_assert!(!from.contains(&1) && flows.iter().all(|flow| flow.to.index() == 1));
    }

    /// Every ordered pair of the hosts once, and in each round each host sends once and receives once.
    #[test]
    fn in_an_all_to_all_each_host_sends_once_to_each_other(
        hosts in prop::collection::btree_set(0_usize..40, 2..12)
            .prop_flat_map(|set| Just(Vec::from_iter(set)).prop_shuffle()),
    ) {
        let flows = flows(1, 10, &[among(&hosts, pattern(Pattern::AllToAll))]);
        let pairs: BTreeSet<_> = flows.iter().map(|flow| (flow.from.index(), flow.to.index())).collect();
        let every = hosts.iter().flat_map(|&from| hosts.iter().map(move |&to| (from, to)));
        let every: BTreeSet<_> = every.filter(|(from, to)| from != to).collect();
        prop_assert_eq!((pairs, flows.len()), (every, hosts.len() * (hosts.len() - 1)));
        for round in flows.chunks(hosts.len()) {
            let of = |end: fn(&Flow) -> usize| round.iter().map(end).collect::<BTreeSet<_>>().len();
            prop_assert_eq!((of(|flow| flow.from.index()), of(|flow| flow.to.index())), (hosts.len(), hosts.len()));
        }
    }

    /// Patterns among some hosts have no other ends, and all hosts listed are what no list is.
    #[test]
    fn patterns_stay_among_their_hosts(seed in 0_u64..1000, hosts in prop::collection::btree_set(0_usize..20, 3..9)) {
        let hosts = Vec::from_iter(hosts);
        let incast = || TrafficRow {
            to: Some(Node::Host(hosts[0])),
            senders: Some(Senders::Drawn(2)),
            ..pattern(Pattern::Incast)
        };
        let hot = || TrafficRow { hot: Some(vec![Node::Host(hosts[1])]), hot_share: Some(0.7), ..poisson(0.2) };
        let stride = || TrafficRow { offset: Some(2), ..pattern(Pattern::Stride) };
        for row in [incast(), hot(), stride(), poisson(0.2), pattern(Pattern::Permutation)] {
            let found = flows(seed, 5, &[among(&hosts, row)]);
            prop_assert!(found.iter().all(|flow| flow.from != flow.to));
            let ends = found.iter().flat_map(|flow| [flow.from.index(), flow.to.index()]);
            prop_assert!(ends.into_iter().all(|end| hosts.contains(&end)));
        }
        let all = Vec::from_iter(0..20);
        for row in [stride(), poisson(0.2), pattern(Pattern::Permutation), pattern(Pattern::AllToAll)] {
            prop_assert_eq!(flows(seed, 5, &[among(&all, row.clone())]), flows(seed, 5, &[row]));
        }
    }

    /// A hot host receives its share of what others send, and its part of the rest, within five standard deviations.
    #[test]
    fn hot_hosts_receive_their_share(seed in 0_u64..1000, share in 0.0_f64..1.0) {
        let hot = [3_usize, 5];
        let row = TrafficRow {
            hot: Some(hot.iter().map(|&host| Node::Host(host)).collect()),
            hot_share: Some(share),
            ..poisson(0.3)
        };
        let flows = flows(seed, 2, &[row]);
        let cold = flows.iter().filter(|flow| !hot.contains(&flow.from.index()));
        let cold: Vec<_> = cold.collect();
        let found = cold.iter().filter(|flow| hot.contains(&flow.to.index())).count() as f64;
        // Two of the seven others are hot.
        let chance = share + (1.0 - share) * 2.0 / 7.0;
        let expected = cold.len() as f64 * chance;
        let deviation = (expected * (1.0 - chance)).sqrt();
        prop_assert!((found - expected).abs() <= 5.0 * deviation + 1.0, "{} of {}", found, expected);
    }

    /// A pattern has a random stream of its own: it draws the same beside others that come after it.
    #[test]
    fn what_a_pattern_draws_does_not_depend_on_later_ones(seed in 0_u64..1000, size in 1_u32..10) {
        let first = [poisson(0.3), pattern(Pattern::Permutation)];
        let alone = flows(seed, size, &first);
        let [poisson, permutation] = first;
        let beside = flows(seed, size, &[poisson, permutation, pattern(Pattern::Permutation)]);
        prop_assert_eq!(&beside[..alone.len()], &alone[..]);
        prop_assert!(beside.len() > alone.len());
    }

    /// The payload of Poisson traffic is the load of the line rate, within five standard deviations of a count.
    #[test]
    fn poisson_traffic_has_its_load(seed in 0_u64..1000, load in 0.05_f64..0.9) {
        let row = poisson(load);
        let flows = flows(seed, 2, &[row]);
        // A millisecond of 100 Gb/s carries 12,500 messages of a kilobyte.
        let expected = 8.0 * 12_500.0 * load;
        let found = flows.len() as f64;
        prop_assert!((found - expected).abs() <= 5.0 * expected.sqrt(), "{} of {}", found, expected);
        prop_assert!(flows.is_sorted_by_key(|flow| (flow.start, flow.from)));
        prop_assert!(flows.iter().all(|flow| flow.from != flow.to));
        let end = Instant::ZERO + Span::from_ms(1);
        prop_assert!(flows.iter().all(|flow| flow.start < end));
    }

    #[test]
    fn random_groups_have_different_members(seed in 0_u64..1000, size in 1_u32..10, random in 2_u64..4) {
        let mut builder = builder(seed, &leaves(size));
        let row = GroupRow {
            name: Some("some".to_owned()),
            random: Some(random),
            count: Some(5),
            ..GroupRow::default()
        };
        builder.group(&row).unwrap();
        builder.multicast(&to_group("some")).unwrap();
        for group in &built(builder).multicast.groups {
            let members: BTreeSet<_> = group.members.iter().collect();
            prop_assert_eq!((members.len() as u64, group.members.len() as u64), (random, random));
        }
    }
}

fn to_group(name: &str) -> MulticastRow {
    let (group, size) = (Some(name.to_owned()), Some(kilobytes(1)));
    MulticastRow { group, size, ..MulticastRow::default() }
}

/// The parts of a scenario that do not refer to each other can be said in any order.
#[test]
fn groups_flows_and_losses_can_be_said_in_any_order() {
    use lightloom_scenario::said::LossRow;
    let group = GroupRow {
        name: Some("all".to_owned()),
        members: Some(Members::All),
        ..GroupRow::default()
    };
    let loss = LossRow { layer: Some(1), rate: Some(1e-3), ..LossRow::default() };
    let scenario = |flow_first: bool| {
        let mut builder = builder(1, &leaves(2));
        if flow_first {
            builder.flow(&flow(0, 5)).unwrap();
        }
        builder.loss(&loss).unwrap();
        builder.group(&group).unwrap();
        builder.multicast(&to_group("all")).unwrap();
        if !flow_first {
            builder.flow(&flow(0, 5)).unwrap();
        }
        format!("{:?}", built(builder))
    };
    assert_eq!(scenario(true), scenario(false));
}

/// Every section has a name of its own, and each of its fields too.
#[test]
fn sections_and_fields_are_declared_once() {
    let mut names = BTreeSet::new();
    for section in lightloom_scenario::said::SECTIONS {
        assert!(names.insert(section.name), "{}", section.name);
        let fields: BTreeSet<_> = section.fields.iter().map(|field| field.name).collect();
        assert_eq!(fields.len(), section.fields.len(), "{}", section.name);
        assert!(
            section.fields.iter().all(|field| !field.help.is_empty() && field.help.ends_with('.'))
        );
    }
    assert!(!TrafficRow::SECTION.names_of("stride").contains(&"load"));
}
