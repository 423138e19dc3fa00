//! Rows from values without types: each kind of field reads what it takes, and refuses the rest with the value found.

use std::collections::BTreeMap;

use lightloom_request::{InputError, Said};
use lightloom_scenario::said::{
    Awaited, DcqcnRow, FlowRow, GroupRow, Members, Node, OrWord, Pattern, ProbesRow, Row, Senders,
    Source, TrafficRow, TransportRow,
};
use lightloom_twin::Class;
use lightloom_units::{BitRate, DataSize};

/// Fields of a row, by name.
struct Fields(BTreeMap<&'static str, Said<'static>>);

impl Source for Fields {
    fn said(&self, field: &'static str) -> Option<Said<'_>> {
        self.0.get(field).cloned()
    }

    fn refuse(&self, field: &'static str, message: String) -> InputError {
        InputError::new(message).in_field(field)
    }
}

fn row<R: Row>(fields: &[(&'static str, Said<'static>)]) -> Result<R, String> {
    let fields = Fields(fields.iter().cloned().collect());
    R::read(&fields).map_err(|error| error.to_string())
}

const fn whole(digits: &'static str) -> Said<'static> {
    Said::Whole { digits, radix: 10 }
}

#[test]
fn each_kind_of_field_reads_what_it_takes() {
    let after = Said::List(vec![whole("3"), Said::Text("all")]);
    let flow: FlowRow = row(&[
        ("from", whole("3")),
        ("to", Said::Text("host 5")),
        ("size", Said::Text("10 kB")),
        ("class", Said::Text("lossy")),
        ("after", after),
    ])
    .unwrap();
    let expected = FlowRow {
        from: Some(Node::Host(3)),
        to: Some("host 5".into()),
        size: Some(DataSize::from_bytes(10_000)),
        class: Some(Class::LOSSY),
        after: Some(vec![Awaited::Flow(3), Awaited::Multicast("all".to_owned())]),
        ..FlowRow::default()
    };
    assert_eq!(flow, expected);
    let one: FlowRow = row(&[("after", whole("3"))]).unwrap();
    assert_eq!(one.after, Some(vec![Awaited::Flow(3)]), "one needs no list");
    let traffic: TrafficRow =
        row(&[("pattern", Said::Text("incast")), ("senders", whole("0x10"))]).unwrap_or_default();
    assert_eq!(traffic, TrafficRow::default(), "a prefix is no digit");
    let hex = Said::Whole { digits: "10", radix: 16 };
    let traffic: TrafficRow =
        row(&[("pattern", Said::Text("incast")), ("senders", hex), ("load", whole("1"))]).unwrap();
    assert_eq!(traffic.senders, Some(Senders::Drawn(16)));
    assert_eq!((traffic.pattern, traffic.load), (Some(Pattern::Incast), Some(1.0)));
    let group: GroupRow = row(&[("members", Said::Text("all"))]).unwrap();
    assert_eq!(group.members, Some(Members::All));
    let dcqcn: DcqcnRow =
        row(&[("byte_counter", Said::Text("none")), ("at", Said::Text("25 Gb/s"))]).unwrap();
    assert_eq!(dcqcn.byte_counter, Some(OrWord::Word));
    assert_eq!(dcqcn.at, Some(OrWord::Value(BitRate::from_gbps(25))));
    let transport: TransportRow = row(&[("retries", whole("7"))]).unwrap();
    assert_eq!(transport.retries, Some(OrWord::Value(7)));
}

#[test]
fn each_kind_of_field_refuses_the_rest() {
    let flow = |field, said| row::<FlowRow>(&[(field, said)]).unwrap_err();
    let traffic = |field, said| row::<TrafficRow>(&[(field, said)]).unwrap_err();
    let cases = [
        (flow("size", whole("3")), "size: found 3 without a unit; expected a data size such as"),
        (flow("size", Said::Text("3 m")), "size: "),
        (flow("size", Said::Flag(true)), "size: found a boolean; expected a text in quotes"),
        (
            flow("class", Said::Text("fast")),
            "class: found \"fast\"; expected one of lossless, lossy",
        ),
        (flow("connection", Said::Text("a\nb")), "connection: has control characters"),
        (flow("after", Said::Number("1.5")), "after: found a float; expected numbers of flows, or"),
        (flow("after", whole("-1")), "after: found -1; expected a whole number"),
        (traffic("load", Said::Number("nan")), "load: found nan; expected a finite number"),
        (traffic("load", Said::Text("1")), "load: found a string; expected a number such as 1e-12"),
        (traffic("offset", Said::Number("1.0")), "offset: found a float; expected a whole number"),
        (traffic("senders", whole("-2")), "senders: found -2; expected a whole number from 0 to"),
        (
            row::<GroupRow>(&[("members", Said::Text("some"))]).unwrap_err(),
            "members: found \"some\"; expected a list of hosts, or \"all\"",
        ),
        (
            row::<TransportRow>(&[("retries", Said::Text("many"))]).unwrap_err(),
            "retries: found \"many\"; expected a whole number, or \"none\"",
        ),
        (
            row::<ProbesRow>(&[("flows", whole("1"))]).unwrap_err(),
            "flows: found an integer; expected true or false",
        ),
    ];
    for (found, expected) in cases {
        assert!(found.starts_with(expected), "{found}\n{expected}");
    }
}
