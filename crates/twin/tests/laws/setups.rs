//! A setup that names what does not exist, or whose numbers overflow, is refused with its place.

use lightloom_topology::electrical::{NodeId, PortId};
use lightloom_twin::params::Recovery;
use lightloom_twin::{
    Branch, BranchLoss, Cast, Class, DeadLink, DeadSplitter, Egress, Flow, FlowId, GroupId,
    Ingress, LinkLoss, Multicast, PauseStorm, Rewrite, Rule, Setup, SetupError, Simulation,
    Splitter, needed_headroom,
};
use lightloom_units::{BitRate, DataSize, Instant, Span};

use crate::given::*;
use crate::splitters::{cast, glass, tors};

/// The refusal of a setup that was right before `change`.
fn refused(change: impl FnOnce(&mut Setup<'_>)) -> SetupError {
    let network = tors(G100);
    let flows = vec![flow(0, 1, MTU), flow(1, 2, MTU)];
    let multicast = glass(G100, |_| None);
    let mut setup = Setup { multicast, ..simulation(&network, params(), flows) };
    Simulation::new(setup.clone()).unwrap();
    change(&mut setup);
    Simulation::new(setup).unwrap_err()
}

/// The same of its multicast part.
fn refused_cast(change: impl FnOnce(&mut Multicast)) -> SetupError {
    refused(|setup| change(&mut setup.multicast))
}

const BEYOND: NodeId = NodeId(99);
const FAR: Instant = Instant::from_ps(u64::MAX);
const LONG: Span = Span::from_ps(u64::MAX);

/// What makes a setup wrong.
type Change = fn(&mut Setup<'_>);

#[test]
fn parameters_are_within_their_ranges() {
    let changes: [(&str, Change); 14] = [
        ("wire.mtu", |setup| setup.params.wire.mtu = 0),
        ("wire.mtu", |setup| setup.params.wire.header = 65_000),
        ("transport.timeout", |setup| setup.params.transport.timeout = Span::ZERO),
        ("transport.window", |setup| setup.params.transport.recovery = selective(1 << 23)),
        ("transport.short_timeout", |setup| {
            let (short_timeout, window, few) = (Span::ZERO, 9, 3);
            setup.params.transport.recovery =
                Recovery::SelectiveRepeat { window, short_timeout, few, reorder: 0 };
        }),
        ("switch.latency", |setup| setup.params.switch.latency = LONG),
        ("stack.receive", |setup| setup.params.stack.receive = LONG),
        ("stack.packet", |setup| setup.params.stack.packet = LONG),
        ("stack.copy_rate", |setup| setup.params.stack.copy = Some(BitRate::from_bps(0))),
        ("dcqcn.increase_timer", |setup| {
            setup.params = with_dcqcn();
            setup.params.dcqcn.as_mut().unwrap().increase_timer = Span::ZERO;
        }),
        ("dcqcn.least", |setup| {
            setup.params = with_dcqcn();
            setup.params.dcqcn.as_mut().unwrap().least = BitRate::from_bps(0);
        }),
        ("until", |setup| setup.until = FAR),
        ("interval", |setup| setup.interval = Span::ZERO),
        ("interval", |setup| setup.interval = Span::from_ps(1)),
    ];
    for (expected, change) in changes {
        match refused(change) {
            SetupError::Parameter { name, .. } => assert_eq!(name, expected),
            other => panic!("{expected}: {other}"),
        }
    }
    let buffer = refused(|setup| {
        setup.params.switch.buffer_per_port = DataSize::from_bytes(1 << 31);
    });
    assert!(matches!(buffer, SetupError::Buffer(_)), "{buffer}");
}

#[test]
fn flows_are_between_hosts() {
    let no_host = |number, node| SetupError::NoHost { what: "flow", number, node };
    assert_eq!(refused(|setup| setup.flows[1].to = BEYOND), no_host(1, BEYOND));
    assert_eq!(refused(|setup| setup.flows[0].from = NodeId(5)), no_host(0, NodeId(5)));
    let value = |error| matches!(error, SetupError::Value { what: "flow", number: 0, .. });
    assert!(value(refused(|setup| setup.flows[0].start = FAR)));
    assert!(value(refused(|setup| setup.flows[0].size = DataSize::from_bytes(u64::MAX))));
}

#[test]
fn flows_wait_for_what_they_can_hear_of() {
    let no_such = SetupError::NoSuch { what: "flow", number: 1, named: "message", found: 7 };
    assert_eq!(refused(|setup| setup.flows[1].after = vec![FlowId(7)]), no_such);
    let elsewhere = SetupError::Elsewhere { flow: 0, before: FlowId(1) };
    assert_eq!(refused(|setup| setup.flows[0].after = vec![FlowId(1)]), elsewhere);
    // Each for the other.
    let ring = refused(|setup| {
        setup.flows[1].to = NodeId(0);
        setup.flows[0].after = vec![FlowId(1)];
        setup.flows[1].after = vec![FlowId(0)];
    });
    assert_eq!(ring, SetupError::Ring(0));
    // A flow that is behind another on a connection, and for which that one waits.
    let ring = refused(|setup| {
        let on = |flow| Flow { connection: Some(3), ..flow };
        setup.flows = vec![
            Flow { after: vec![FlowId(1)], ..on(flow(0, 1, MTU)) },
            Flow { after: vec![FlowId(2)], ..flow(2, 0, MTU) },
            Flow { after: vec![FlowId(3)], ..flow(1, 2, MTU) },
            on(flow(0, 1, MTU)),
        ];
    });
    assert_eq!(ring, SetupError::Ring(0));
}

#[test]
fn connections_have_two_hosts_and_one_class() {
    let error = |change: fn(&mut Flow)| {
        refused(|setup| {
            setup.flows = vec![flow(0, 1, MTU), flow(0, 1, MTU), flow(1, 0, MTU)];
            for flow in &mut setup.flows {
                flow.connection = Some(4);
            }
            change(&mut setup.flows[2]);
        })
    };
    let expected = |field| SetupError::Connection { flow: 2, connection: 4, first: 0, field };
    assert_eq!(error(|flow| flow.from = NodeId(2)), expected("hosts"));
    assert_eq!(error(|flow| flow.class = Class::LOSSY), expected("class"));
}

#[test]
fn troubles_are_on_ports_that_exist() {
    let no_port = |what, node, port| SetupError::NoPort { what, number: 0, node, port };
    let loss = |from, port, rate| LinkLoss { from, port, rate, burst: 1, corrupt: false };
    let with = |loss| refused(|setup| setup.losses = vec![loss]);
    assert_eq!(with(loss(NodeId(0), 1, 0.1)), no_port("loss", NodeId(0), 1));
    assert_eq!(with(loss(BEYOND, 0, 0.1)), no_port("loss", BEYOND, 0));
    for rate in [-0.1, 1.1, f64::NAN] {
        let error = with(loss(NodeId(0), 0, rate));
        assert!(matches!(error, SetupError::Value { what: "loss", field: "rate", .. }), "{error}");
    }
    let dead = DeadLink { node: NodeId(5), port: 2, from: Instant::ZERO, to: FAR };
    let error = refused(|setup| setup.dead = vec![dead]);
    // The port of a splitter is no link.
    assert_eq!(error, no_port("dead link", NodeId(5), 2));
    let storm = PauseStorm { host: NodeId(5), from: Instant::ZERO, to: FAR };
    let error = refused(|setup| setup.storms = vec![storm]);
    assert_eq!(error, SetupError::NoHost { what: "storm", number: 0, node: NodeId(5) });
}

#[test]
fn splitters_join_switches() {
    let change = |change: fn(&mut Splitter)| refused_cast(|cast| change(&mut cast.splitters[0]));
    let no_switch = |node| SetupError::NoSwitch { what: "splitter", number: 0, node };
    assert_eq!(change(|splitter| splitter.from = NodeId(1)), no_switch(NodeId(1)));
    assert_eq!(change(|splitter| splitter.branches[1].to = BEYOND), no_switch(BEYOND));
    let twice = change(|splitter| splitter.branches[1].to = splitter.branches[0].to);
    assert!(matches!(twice, SetupError::Twice { what: "splitter", number: 0, .. }), "{twice}");
    let bad: [fn(&mut Splitter); 5] = [
        |splitter| splitter.rate = BitRate::from_bps(0),
        |splitter| splitter.branches.clear(),
        |splitter| splitter.branches[0].delay = Span::ZERO,
        |splitter| splitter.branches[3].delay = LONG,
        |splitter| {
            let loss = BranchLoss { rate: 2.0, burst: 1, corrupt: false };
            splitter.branches[0] = Branch { loss: Some(loss), ..splitter.branches[0] };
        },
    ];
    for bad in bad {
        let error = change(bad);
        assert!(matches!(error, SetupError::Value { what: "splitter", .. }), "{error}");
    }
    let dead = |splitter, branch| DeadSplitter { splitter, branch, from: Instant::ZERO, to: FAR };
    for (splitter, branch, named) in [(1, None, "splitter"), (0, Some(4), "branch")] {
        let error = refused_cast(|cast| cast.dead = vec![dead(splitter, branch)]);
        assert!(matches!(error, SetupError::NoSuch { named: n, .. } if n == named), "{error}");
    }
}

#[test]
fn groups_rules_and_casts_name_what_exists() {
    let member = refused_cast(|cast| cast.groups[0].members[2] = NodeId(7));
    assert_eq!(member, SetupError::NoHost { what: "group", number: 0, node: NodeId(7) });
    let twice = refused_cast(|cast| cast.groups.push(datagrams(vec![NodeId(1); 2])));
    assert!(matches!(twice, SetupError::Twice { what: "group", number: 1, .. }), "{twice}");
    let rule = |change: fn(&mut Rule)| refused_cast(|cast| change(&mut cast.rules[1]));
    let port = |port| SetupError::NoPort { what: "rule", number: 1, node: NodeId(6), port };
    assert_eq!(rule(|rule| rule.accept = Some(Ingress::Link(2))), port(2));
    assert_eq!(rule(|rule| rule.ways[0].0 = Egress::Link(9)), port(9));
    // The splitter ends at this switch, and does not begin here.
    let error = rule(|rule| rule.ways[0].0 = Egress::Splitter(0));
    assert!(matches!(error, SetupError::NoSuch { what: "rule", number: 1, .. }), "{error}");
    let error = rule(|rule| rule.ways[0].1 = Rewrite::ToHost(NodeId(0)));
    assert!(matches!(error, SetupError::NoSuch { named: "member", .. }), "{error}");
    let error = rule(|rule| rule.group = GroupId(1));
    assert!(matches!(error, SetupError::NoSuch { named: "group", .. }), "{error}");
    let twice = refused_cast(|cast| cast.rules.push(cast.rules[0].clone()));
    assert!(matches!(twice, SetupError::Twice { what: "rule", number: 5, .. }), "{twice}");
    let error = refused_cast(|with| with.casts.push(Cast { to: GroupId(4), ..cast(1) }));
    assert!(matches!(error, SetupError::NoSuch { what: "cast", number: 1, .. }), "{error}");
    let error = refused_cast(|with| with.casts.push(Cast { from: NodeId(5), ..cast(1) }));
    assert!(matches!(error, SetupError::NoHost { what: "cast", number: 1, .. }), "{error}");
    let error = refused_cast(|with| with.casts.push(Cast { class: Class::LOSSY, ..cast(1) }));
    assert!(matches!(error, SetupError::Value { field: "class", .. }), "{error}");
    let error = refused_cast(|with| with.casts.push(cast((1 << 23) + 1)));
    assert!(matches!(error, SetupError::Value { field: "size", .. }), "{error}");
}

#[test]
fn ports_that_do_not_exist_need_no_headroom() {
    let network = star(2);
    let needed = |node, port| needed_headroom(&network, &params(), NodeId(node), PortId(port));
    assert!(needed(2, 1).is_some());
    assert_eq!((needed(2, 2), needed(3, 0)), (None, None));
}
