//! The traffic and the members that a seed draws. They are those of the first release: a scenario that was run then
//! gives the same results now.

use lightloom_scenario::build::{Cdf, CdfPoints, ScenarioBuilder};
use lightloom_scenario::said::{GroupRow, MulticastRow, Node, Pattern, Senders, TrafficRow};
use lightloom_units::{Instant, Span};

use crate::given::{builder, built, kilobytes, leaves};

/// Half of the messages have up to 1 kB, the others up to 100 kB.
fn sizes() -> Cdf {
    let mut points = CdfPoints::default();
    for (bytes, share) in [(0.0, 0.0), (1000.0, 0.5), (100_000.0, 1.0)] {
        points.add(bytes, share).unwrap();
    }
    points.distribution().unwrap().0
}

fn traffic(builder: &mut ScenarioBuilder) {
    let permutation = TrafficRow {
        pattern: Some(Pattern::Permutation),
        size: Some(kilobytes(1)),
        ..TrafficRow::default()
    };
    let incast = TrafficRow {
        pattern: Some(Pattern::Incast),
        to: Some(Node::Host(3)),
        senders: Some(Senders::Drawn(3)),
        size: Some(kilobytes(2)),
        ..TrafficRow::default()
    };
    let poisson = TrafficRow {
        pattern: Some(Pattern::Poisson),
        load: Some(0.1),
        duration: Some(Span::from_us(20)),
        ..TrafficRow::default()
    };
    builder.traffic(&permutation, None).unwrap();
    builder.traffic(&incast, None).unwrap();
    builder.traffic(&poisson, Some(sizes())).unwrap();
}

#[test]
fn a_seed_draws_the_traffic_that_it_always_drew() {
    let mut builder = builder(7, &leaves(2));
    traffic(&mut builder);
    let scenario = built(builder);
    let drawn = scenario.flows.iter().map(|flow| {
        (
            flow.from.index(),
            flow.to.index(),
            flow.size.as_bytes(),
            (flow.start - Instant::ZERO).as_ps(),
        )
    });
    let permutation = [(0, 7), (1, 6), (2, 5), (3, 4), (4, 2), (5, 1), (6, 0), (7, 3)];
    let mut expected: Vec<_> = permutation.map(|(from, to)| (from, to, 1000, 0)).to_vec();
    expected.extend([1, 4, 5].map(|from| (from, 3, 2000, 0)));
    expected.extend([
        (3, 4, 59_347, 2_548_095),
        (1, 5, 28_711, 9_423_862),
        (6, 5, 50_845, 11_176_796),
        (3, 2, 476, 11_620_112),
        (4, 3, 32_067, 13_093_020),
        (4, 2, 516, 13_230_308),
        (2, 7, 986, 18_318_384),
        (1, 3, 17, 18_745_842),
    ]);
    assert_eq!(drawn.collect::<Vec<_>>(), expected);
}

#[test]
fn a_seed_draws_the_members_that_it_always_drew() {
    let mut builder = builder(7, &leaves(2));
    let group = GroupRow {
        name: Some("some".to_owned()),
        random: Some(3),
        count: Some(4),
        ..GroupRow::default()
    };
    builder.group(&group).unwrap();
    let multicast = MulticastRow {
        group: Some("some".to_owned()),
        size: Some(kilobytes(1)),
        ..MulticastRow::default()
    };
    builder.multicast(&multicast).unwrap();
    let scenario = built(builder);
    let members = |group: &lightloom_twin::Group| -> Vec<usize> {
        group.members.iter().map(|host| host.index()).collect()
    };
    let drawn: Vec<Vec<usize>> = scenario.multicast.groups.iter().map(members).collect();
    assert_eq!(drawn, [[2, 4, 5], [6, 5, 4], [3, 2, 7], [5, 4, 1]]);
    let senders: Vec<usize> =
        scenario.multicast.casts.iter().map(|cast| cast.from.index()).collect();
    assert_eq!(senders, [2, 6, 3, 5], "the first member sends");
    assert_eq!(scenario.groups.names, ["some 0", "some 1", "some 2", "some 3"]);
}
