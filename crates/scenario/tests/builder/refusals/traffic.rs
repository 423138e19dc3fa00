//! Refusals of flows and patterns.

use lightloom_request::Memory;
use lightloom_scenario::build::{Matrix, MatrixRow, Run, ScenarioBuilder};
use lightloom_scenario::said::{Awaited, FlowRow, Members, Node, Pattern, Senders, TrafficRow};
use lightloom_twin::Class;
use lightloom_units::{DataSize, Span};

use crate::given::{flow, kilobytes, leaves, nodes, parameters};
use crate::refusals::{building, check, ms, on};

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
            "flow[1].after: found 0, a flow from \"host 0\" to \"host 4\"; a host waits for what it receives or \
             sends, and this flow is from \"host 5\"",
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
            "flow: is missing; give at least one [[flow]], [[traffic]], [[multicast]], [[collective]] or [[trace]]",
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
    let listed = |hosts: &[usize]| hosts.iter().map(|&host| Node::Host(host)).collect::<Vec<_>>();
    let among = |hosts: &[usize]| Some(Members::Listed(listed(hosts)));
    let hot = |hosts: &[usize]| TrafficRow {
        hosts: among(&[0, 1, 2]),
        hot: Some(listed(hosts)),
        hot_share: Some(0.5),
        ..poisson()
    };
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
            "traffic[0].load: unknown field; known here: pattern, size, sizes, distribution, start, class, verb, \
             connection, hosts, offset",
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
            with(TrafficRow { hosts: among(&[4]), ..row(Pattern::AllToAll) }),
            "traffic[0].hosts: found 1; a pattern needs at least two hosts",
        ),
        (
            with(TrafficRow { hosts: among(&[4, 5, 4]), ..row(Pattern::AllToAll) }),
            "traffic[0].hosts: found the host \"host 4\" twice; list it once",
        ),
        (
            with(TrafficRow { hosts: among(&[4, 8]), ..row(Pattern::Permutation) }),
            "traffic[0].hosts: found 8; name a host by its number, 0 to 7, or a node by its name, such as \"host 7\"",
        ),
        (
            with(TrafficRow { hosts: among(&[4, 5]), offset: Some(2), ..row(Pattern::Stride) }),
            "traffic[0].offset: found a multiple of the 2 hosts, so that each would send to itself; \
             give 1 to 1",
        ),
        (
            with(TrafficRow {
                hosts: among(&[3, 4, 5]),
                senders: Some(Senders::Drawn(3)),
                ..incast()
            }),
            "traffic[0].senders: found 3; expected 1 to 2",
        ),
        (
            with(TrafficRow {
                hosts: among(&[4, 5]),
                senders: Some(Senders::Listed(listed(&[4]))),
                ..incast()
            }),
            "traffic[0].hosts: is given together with a list of senders; give a number of senders",
        ),
        (
            with(hot(&[3])),
            "traffic[0].hot: found \"host 3\", which is none of the hosts of the pattern",
        ),
        (with(hot(&[])), "traffic[0].hot: found an empty list; name at least one host"),
        (with(hot(&[1, 1])), "traffic[0].hot: found the host \"host 1\" twice; list it once"),
        (
            with(TrafficRow { hot_share: None, ..hot(&[1]) }),
            "traffic[0].hot_share: is missing; give one such as 0.5",
        ),
        (
            with(TrafficRow { hot: None, ..hot(&[1]) }),
            "traffic[0].hot: is missing; give one such as [0, 1], beside hot_share",
        ),
        (
            with(TrafficRow { hot_share: Some(1.5), ..hot(&[1]) }),
            "traffic[0].hot_share: found 1.5; expected 0 to 1",
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

/// A program may give rows of a matrix that are too short or too long. No value is left out.
#[test]
fn of_rows_of_a_matrix() {
    let matrix = |values: usize| {
        let sizes = vec![DataSize::from_bytes(9); values];
        let to = [4, 5].map(|host| (host.to_string(), Node::Host(host))).to_vec();
        let rows = vec![MatrixRow { line: 7, from: Node::Host(0), sizes }];
        let row = TrafficRow { pattern: Some(Pattern::Matrix), ..TrafficRow::default() };
        on(|builder| builder.matrix(&row, &Matrix { from: "rack".to_owned(), line: 1, to, rows }))
    };
    for values in [1, 3] {
        let error = matrix(values).unwrap_err();
        let message = format!("found {values} values; the matrix has 2 receivers");
        assert_eq!((error.message.to_string(), error.line), (message, Some(7)));
    }
    matrix(2).unwrap();
}
