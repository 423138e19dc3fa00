//! What the builder refuses: what is said, and the field and message of the error.

use lightloom_request::{Field, InputError, Memory};
use lightloom_sim::build::{Nodes, Overrides, Run, ScenarioBuilder, Supplied};
use lightloom_sim::glass::Light;
use lightloom_sim::said::{
    AdmissionRow, Awaited, ChangeRow, FailureRow, FlowRow, GroupRow, LossRow, Members,
    MulticastRow, NetworkRow, Node, Pattern, ProbesRow, RecoveryRow, RunRow, SECTIONS, Senders,
    TrafficRow,
};
use lightloom_sim::scenario::NetworkKind;
use lightloom_twin::{Class, Policy};
use lightloom_units::{BitRate, DataSize, Instant, Length, Span};

use crate::given::{builder, flow, kilobytes, leaves, nodes, parameters};

/// A refusal and what it must be.
type Case = (Result<(), InputError>, &'static str);

/// Checks the texts of refusals, and that the field of each is declared.
fn check(cases: impl IntoIterator<Item = Case>) {
    let mut wrong = Vec::new();
    for (said, expected) in cases {
        let error = said.expect_err(expected);
        if error.to_string() != expected {
            wrong.push(format!("found    {error}\nexpected {expected}"));
        }
        let Some(Field::At(at)) = error.field else { panic!("{expected}: it has no place") };
        let section = SECTIONS.iter().find(|section| section.name == at.section).unwrap();
        let is_field = section.fields.iter().any(|field| field.name == at.field);
        let is_section = SECTIONS.iter().any(|section| section.name == at.field);
        assert!(is_field || is_section, "{expected}: {} is no field", at.field);
        assert_eq!(section.is_list, at.number.is_some(), "{expected}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a builder on two leaves of four hosts answers.
fn on(step: impl FnOnce(&mut ScenarioBuilder) -> Result<(), InputError>) -> Result<(), InputError> {
    step(&mut builder(1, &leaves(2)))
}

/// What it answers when it is built.
fn building(
    step: impl FnOnce(&mut ScenarioBuilder) -> Result<(), InputError>,
) -> Result<(), InputError> {
    let mut builder = builder(1, &leaves(2));
    step(&mut builder)?;
    builder.build().map(drop)
}

fn ms(number: u64) -> Instant {
    Instant::from_ps(1_000_000_000 * number)
}

fn all() -> GroupRow {
    GroupRow { name: Some("all".to_owned()), members: Some(Members::All), ..GroupRow::default() }
}

fn to_all() -> MulticastRow {
    MulticastRow {
        group: Some("all".to_owned()),
        size: Some(kilobytes(1)),
        ..MulticastRow::default()
    }
}

#[test]
fn of_runs_and_networks() {
    let run = |row: RunRow| Run::new(&row, None).map(drop);
    let network = |row: NetworkRow| nodes(&row).map(drop);
    let core = NetworkRow {
        kind: Some(NetworkKind::MulticastCore),
        tors: Some(8),
        ports: Some(100_000),
        rate: Some(BitRate::from_gbps(100)),
        delay: Some(Span::from_us(1)),
        ..NetworkRow::default()
    };
    check([
        (run(RunRow::default()), "until: is missing; give one such as \"100 ms\""),
        (
            run(RunRow { until: Some(Instant::ZERO), ..RunRow::default() }),
            "until: found 0 ps; expected 1 ps to 9223372.036854775808 s",
        ),
        (
            run(RunRow { until: Some(ms(1)), patience: Some(Span::ZERO), ..RunRow::default() }),
            "patience: found 0 ps; expected 1 ns to 1000 s",
        ),
        (network(NetworkRow::default()), "network.kind: is missing; give one such as \"fat-tree\""),
        (
            network(NetworkRow { rate: None, ..leaves(2) }),
            "network.rate: is missing; give one such as \"100 Gb/s\"",
        ),
        (
            network(NetworkRow { rate: Some(BitRate::from_bps(1)), ..leaves(2) }),
            "network.rate: found 1 bps; expected 1 Mbps to 100 Tbps",
        ),
        (
            network(NetworkRow { length: Some(Length::from_um(1)), ..leaves(2) }),
            "network.length: is given together with delay; give one of the two",
        ),
        (
            network(NetworkRow { delay: None, ..leaves(2) }),
            "network.delay: is missing; give delay = \"1 us\" or length = \"200 m\"",
        ),
        (
            network(NetworkRow { spines: None, ..leaves(2) }),
            "network.spines: is missing; give one such as 2",
        ),
        (
            network(NetworkRow { ports: Some(4), ..leaves(2) }),
            "network.ports: unknown field; known here: kind, rate, host_rate, delay, length, \
             leaves, spines, hosts_per_leaf",
        ),
        (network(core), "network.ports: found 100000; expected 3 to 4096"),
        (
            network(NetworkRow { kind: Some(NetworkKind::EdgeList), ..NetworkRow::default() }),
            "network.file: is missing; give one such as \"links.csv\"",
        ),
    ]);
}

#[test]
fn light_without_splitters_is_refused_at_the_option() {
    let overrides = Overrides { light: Some(Light::Worst), ..Overrides::default() };
    let refused = Nodes::build(&leaves(2), Supplied::Nothing, &parameters(), overrides);
    let expected = "--light: is for messages to groups over the splitters of a design";
    assert_eq!(refused.unwrap_err().to_string(), expected);
}

#[test]
fn of_flows() {
    let flow_with = |row: FlowRow| on(|builder| builder.flow(&row));
    let named = |name: &str| FlowRow { connection: Some(name.to_owned()), ..flow(0, 5) };
    let after = |awaited: &[Awaited]| FlowRow { after: Some(awaited.to_vec()), ..flow(5, 1) };
    check([
        (
            flow_with(FlowRow { from: None, ..flow(0, 5) }),
            "flow[0].from: is missing; give one such as 0",
        ),
        (
            flow_with(flow(0, 8)),
            "flow[0].to: found 8; name a host by its number, 0 to 7, or a node by its name, such \
             as \"host 7\"",
        ),
        (
            flow_with(FlowRow { to: Some("leaf 1".into()), ..flow(0, 5) }),
            "flow[0].to: found the switch \"leaf 1\"; only hosts send and receive",
        ),
        (
            flow_with(flow(3, 3)),
            "flow[0].to: found \"host 3\", the same host as from; name another host",
        ),
        (
            flow_with(FlowRow { size: None, ..flow(0, 5) }),
            "flow[0].size: is missing; give one such as \"10 MB\"",
        ),
        (
            flow_with(FlowRow { size: Some(DataSize::ZERO), ..flow(0, 5) }),
            "flow[0].size: found 0 B; expected 1 B to 1 TB",
        ),
        (
            flow_with(FlowRow { start: Some(ms(1)), ..flow(0, 5) }),
            "flow[0].start: found 1 ms; the run ends at 1 ms",
        ),
        (flow_with(named(" ")), "flow[0].connection: found an empty name; give one such as \"a\""),
        (
            on(|builder| {
                builder.flow(&named("a"))?;
                builder.flow(&FlowRow { class: Some(Class::LOSSY), ..named("a") })
            }),
            "flow[1].connection: found \"a\", which has another class above; a connection has one \
             class",
        ),
        (
            on(|builder| {
                builder.flow(&named("a"))?;
                builder.flow(&FlowRow { to: Some(Node::Host(6)), ..named("a") })
            }),
            "flow[1].connection: found \"a\", the connection between \"host 0\" and \"host 5\"; take \
             another name",
        ),
        (
            flow_with(after(&[Awaited::Flow(0)])),
            "flow[0].after: found 0; this is flow 0, and after must name an earlier flow",
        ),
        (
            on(|builder| {
                builder.flow(&flow(0, 4))?;
                builder.flow(&after(&[Awaited::Flow(0)]))
            }),
            "flow[1].after: found 0, a flow to \"host 4\"; a host hands on what it receives, and this \
             flow is from \"host 5\"",
        ),
        (
            on(|builder| {
                builder.flow(&flow(0, 5))?;
                builder.flow(&after(&[Awaited::Flow(0), Awaited::Flow(0)]))
            }),
            "flow[1].after: found 0 twice; name each flow once",
        ),
        (
            building(|builder| builder.flow(&after(&[Awaited::Multicast("x".to_owned())]))),
            "flow[0].after: found \"x\", and no [[multicast]] has a name; give it one",
        ),
        (
            building(|_| Ok(())),
            "flow: is missing; a scenario has at least one [[flow]], [[traffic]] or [[multicast]]",
        ),
    ]);
}

#[test]
fn of_patterns() {
    let with = |row: TrafficRow| on(|builder| builder.traffic(&row, None));
    let row = |pattern| TrafficRow {
        pattern: Some(pattern),
        size: Some(kilobytes(1)),
        ..TrafficRow::default()
    };
    let incast = || TrafficRow {
        to: Some(Node::Host(3)),
        senders: Some(Senders::Drawn(2)),
        ..row(Pattern::Incast)
    };
    let poisson = || TrafficRow { load: Some(0.5), ..row(Pattern::Poisson) };
    let duration = |ms| TrafficRow { duration: Some(Span::from_ms(ms)), ..poisson() };
    check([
        (
            with(TrafficRow::default()),
            "traffic[0].pattern: is missing; give one such as \"stride\"",
        ),
        (
            with(TrafficRow { offset: Some(8), ..row(Pattern::Stride) }),
            "traffic[0].offset: found a multiple of the 8 hosts, so that each would send to itself; \
             give 1 to 7",
        ),
        (
            with(TrafficRow { load: Some(0.5), ..row(Pattern::Stride) }),
            "traffic[0].load: unknown field; known here: pattern, size, sizes, start, class, verb, \
             connection, offset",
        ),
        (
            with(TrafficRow { senders: None, ..incast() }),
            "traffic[0].senders: is missing; give one such as 16, or a list of hosts",
        ),
        (
            with(TrafficRow { senders: Some(Senders::Drawn(8)), ..incast() }),
            "traffic[0].senders: found 8; expected 1 to 7",
        ),
        (
            with(TrafficRow { senders: Some(Senders::Listed(Vec::new())), ..incast() }),
            "traffic[0].senders: found an empty list; name at least one host",
        ),
        (
            with(TrafficRow { senders: Some(Senders::Listed(vec![Node::Host(3)])), ..incast() }),
            "traffic[0].senders: found the host of to in the list; remove it",
        ),
        (
            with(TrafficRow { load: None, ..poisson() }),
            "traffic[0].load: is missing; give one such as 0.5",
        ),
        (
            with(TrafficRow { load: Some(11.0), ..poisson() }),
            "traffic[0].load: found 11; expected 0.000000001 to 10",
        ),
        (
            with(TrafficRow { load: Some(1e-9), ..poisson() }),
            "traffic[0].load: found 0.000000001, at which no message arrives; raise it, or duration",
        ),
        (
            with(duration(2)),
            "traffic[0].duration: found 2 ms; expected more than 0 s and at most 1 ms: arrivals begin \
             at 0 ps, and the run ends at 1 ms",
        ),
    ]);
}

#[test]
fn flows_after_patterns_are_refused() {
    let refused = on(|builder| {
        let stride = TrafficRow {
            pattern: Some(Pattern::Stride),
            size: Some(kilobytes(1)),
            ..TrafficRow::default()
        };
        builder.traffic(&stride, None)?;
        builder.flow(&flow(0, 5))
    });
    let expected = "flow[0]: comes after a [[traffic]]; list all flows before patterns";
    assert_eq!(refused.unwrap_err().to_string(), expected);
}

#[test]
fn of_groups() {
    let with = |row: GroupRow| on(|builder| builder.group(&row));
    let listed = |hosts: &[usize]| {
        Some(Members::Listed(hosts.iter().map(|&host| Node::Host(host)).collect()))
    };
    let change = |row: ChangeRow| {
        on(|builder| {
            builder.group(&GroupRow { members: listed(&[0, 1]), ..all() })?;
            builder.change(&row)
        })
    };
    let joins = || ChangeRow {
        group: Some("all".to_owned()),
        at: Some(Instant::from_ps(1)),
        joins: Some(vec![Node::Host(5)]),
        leaves: None,
    };
    check([
        (
            with(GroupRow { name: None, ..all() }),
            "group[0].name: is missing; give one such as \"all\"",
        ),
        (
            on(|builder| {
                builder.group(&all())?;
                builder.group(&all())
            }),
            "group[1].name: found \"all\", which another group has; take another name",
        ),
        (
            with(GroupRow { members: None, ..all() }),
            "group[0].members: is missing; give members = [0, 1], members = \"all\" or random = 8",
        ),
        (
            with(GroupRow { members: listed(&[4]), ..all() }),
            "group[0].members: found 1 host; a group has at least two",
        ),
        (
            with(GroupRow { members: listed(&[4, 4]), ..all() }),
            "group[0].members: found \"host 4\" twice; name each host once",
        ),
        (
            with(GroupRow { random: Some(2), ..all() }),
            "group[0].random: is given together with members; give one of the two",
        ),
        (
            with(GroupRow { members: None, random: Some(9), ..all() }),
            "group[0].random: found 9; expected 2 to 8, the hosts of the network",
        ),
        (
            with(GroupRow { members: None, random: Some(2), count: Some(0), ..all() }),
            "group[0].count: found 0; expected 1 to 1048576",
        ),
        (
            with(GroupRow { members: listed(&[0, 1]), leader: Some(Node::Host(2)), ..all() }),
            "group[0].leader: found \"host 2\", which is no member; name a member",
        ),
        (
            change(ChangeRow { group: Some("any".to_owned()), ..joins() }),
            "change[0].group: found \"any\"; the groups are all",
        ),
        (
            change(ChangeRow { joins: None, ..joins() }),
            "change[0].joins: is missing; give joins or leaves, a list of hosts",
        ),
        (
            change(ChangeRow { at: Some(ms(1)), ..joins() }),
            "change[0].at: found 1 ms; the run ends at 1 ms",
        ),
        (
            building(|builder| {
                builder.group(&GroupRow { members: listed(&[0, 1]), ..all() })?;
                builder.change(&joins())?;
                builder.multicast(&to_all())
            }),
            "change[0].at: found 1 ps, and the last message to the group starts at 0 ps, so the change \
             does nothing; give an earlier time, send a later message, or leave the change out",
        ),
    ]);
}

#[test]
fn of_messages_to_groups() {
    let with = |row: MulticastRow| {
        on(|builder| {
            builder.group(&all())?;
            builder.multicast(&row)
        })
    };
    let both = |first: MulticastRow, second: MulticastRow| {
        building(|builder| {
            builder.group(&all())?;
            builder.multicast(&first)?;
            builder.multicast(&second)
        })
    };
    let named = |name: &str| MulticastRow { name: Some(name.to_owned()), ..to_all() };
    let waits = |name: &str| MulticastRow {
        after: Some(vec![Awaited::Multicast(name.to_owned())]),
        ..to_all()
    };
    check([
        (
            on(|builder| builder.multicast(&to_all())),
            "multicast[0].group: found \"all\", and there is no [[group]]; add one",
        ),
        (
            with(MulticastRow { size: Some(DataSize::from_bytes(1_000_000_000_000)), ..to_all() }),
            "multicast[0].size: found 1 TB, more than 8388608 packets of 4096 B; send several messages",
        ),
        (
            both(to_all(), MulticastRow { class: Some(Class::LOSSY), ..to_all() }),
            "multicast[1].class: differs from that of an earlier message to the group; a group has one \
             class",
        ),
        (
            both(named("a"), named("a")),
            "multicast[1].name: found \"a\", which another [[multicast]] has; take another",
        ),
        (
            both(named("a"), waits("b")),
            "multicast[1].after: found \"b\"; the named [[multicast]] are a",
        ),
        (
            both(MulticastRow { after: waits("b").after, ..named("a") }, named("b")),
            "multicast[0].after: waits for itself, by way of messages that wait for each other or go \
             one after the other on a connection or in a group; leave one of them out",
        ),
        (
            on(|builder| {
                builder.admission(&AdmissionRow {
                    policy: Some(Policy::Turns),
                    ..AdmissionRow::default()
                })
            }),
            "admission: is for messages over light; the network must be kind = \"design\", and the \
             scenario must have a [[group]]",
        ),
    ]);
}

#[test]
fn of_losses_failures_recovery_and_probes() {
    let loss = |row: LossRow| on(|builder| builder.loss(&row));
    let failure = |row: FailureRow| on(|builder| builder.failure(&row));
    let link = || Some(vec![Node::from("leaf 0"), Node::from("spine 0")]);
    let layer = || LossRow { layer: Some(1), rate: Some(0.1), ..LossRow::default() };
    let dies = || FailureRow { link: link(), at: Some(Instant::ZERO), ..FailureRow::default() };
    let recovery = |row: RecoveryRow| {
        building(|builder| {
            builder.flow(&flow(0, 5))?;
            builder.recovery(row);
            Ok(())
        })
    };
    let of_plan = "names a part of a planned fabric; the network must be kind = \"design\", and the \
                   scenario must have a [[group]]";
    let named = |row: FailureRow, field: &str| {
        let found = failure(row).unwrap_err().to_string();
        assert_eq!(found, format!("failure[0].{field}: {of_plan}"));
    };
    named(FailureRow { relay: Some("0".to_owned()), link: None, ..dies() }, "relay");
    named(FailureRow { failed: Some("tor:0".to_owned()), link: None, ..dies() }, "failed");
    check([
        (
            loss(LossRow { rate: None, ..layer() }),
            "loss[0].rate: is missing; give one such as 1e-5",
        ),
        (loss(LossRow { rate: Some(2.0), ..layer() }), "loss[0].rate: found 2; expected 0 to 1"),
        (
            loss(LossRow { layer: Some(9), ..layer() }),
            "loss[0].layer: found 9; expected the layer of the transmitters, 0 (hosts) to 2",
        ),
        (
            loss(LossRow { link: link(), ..layer() }),
            "loss[0].layer: is given together with link; give one of the two",
        ),
        (
            loss(LossRow { layer: None, ..layer() }),
            "loss[0].link: is missing; give link = [\"leaf 0\", \"spine 1\"], layer = 1 or a splitter",
        ),
        (
            loss(LossRow { branch: Some("0".to_owned()), ..layer() }),
            "loss[0].branch: is for a splitter; give splitter too",
        ),
        (
            failure(FailureRow { at: None, ..dies() }),
            "failure[0].at: is missing; give one such as \"1 ms\"",
        ),
        (
            failure(FailureRow { until: Some(Instant::ZERO), ..dies() }),
            "failure[0].until: found 0 ps, which is not after 0 ps",
        ),
        (
            failure(FailureRow { node: Some(Node::Host(0)), ..dies() }),
            "failure[0].node: is given together with link; give one of them",
        ),
        (
            failure(FailureRow { link: Some(vec![Node::Host(0)]), ..dies() }),
            "failure[0].link: found 1 nodes; expected the two ends of a link",
        ),
        (
            failure(FailureRow { link: Some(vec![Node::Host(0), Node::Host(1)]), ..dies() }),
            "failure[0].link: found no link between \"host 0\" and \"host 1\"; name two neighbours",
        ),
        (
            failure(FailureRow { link: None, ..dies() }),
            "failure[0].link: is missing; give link = [\"leaf 0\", \"spine 1\"], node = \"spine 1\" or \
             storm = \"host 1\"",
        ),
        (
            recovery(RecoveryRow::default()),
            "recovery.detection: is missing; give one such as \"10 us\"",
        ),
        (
            recovery(RecoveryRow { drain: Some(Span::ZERO), ..RecoveryRow::default() }),
            "recovery.drain: is for failures of a planned fabric; the network must be kind = \
             \"design\", and the scenario must have a [[group]]",
        ),
        (
            building(|builder| {
                builder.flow(&flow(0, 5))?;
                builder
                    .probes(ProbesRow { interval: Some(Span::from_ns(0)), ..ProbesRow::default() });
                Ok(())
            }),
            "probes.interval: found 0 ps; expected 1 ns to 1000 s",
        ),
    ]);
}

#[test]
fn flows_are_refused_before_they_take_memory() {
    let run = Run::new(&crate::given::run(1), None).unwrap();
    let memory = Memory::Allowed(DataSize::from_bytes(20_000_000));
    let mut builder = ScenarioBuilder::new(run, parameters(), nodes(&leaves(2)).unwrap(), memory);
    assert!(builder.expect_flows(10).is_ok());
    let many = builder.expect_flows(10_000).unwrap_err().to_string();
    let expected = "flow: a scenario of 10000 flows needs about 30 MB of memory, and 20 MB is allowed; \
                    ask for something smaller, or allow it with --memory 30MB";
    assert_eq!(many, expected);
    let poisson = TrafficRow {
        pattern: Some(Pattern::Poisson),
        size: Some(DataSize::from_bytes(1)),
        load: Some(10.0),
        ..TrafficRow::default()
    };
    let many = builder.traffic(&poisson, None).unwrap_err().to_string();
    let expected = "traffic[0].load: found 1000000000 flows in all; a scenario has at most 16777216; \
                    shorten it, lower its load, or send fewer, larger messages";
    assert_eq!(many, expected);
}
