//! What is caught before it is written. The peers' client takes most of these entries.

use super::*;
use crate::p4runtime_pipeline::{Action, Field, Kind, Table, Type};

static TERNARY: Table = Table {
    id: 7,
    name: "acl",
    fields: &[
        Field { id: 1, name: "port", kind: Kind::Ternary, is: Type::Bits(9) },
        Field { id: 2, name: "address", kind: Kind::Ternary, is: Type::Bits(32) },
        Field { id: 3, name: "outcome", kind: Kind::Exact, is: Type::Bits(8) },
    ],
    size: 2,
    turn: 4,
};
static EXACT: Table = Table {
    id: 8,
    name: "exact",
    fields: &[Field { id: 1, name: "port", kind: Kind::Exact, is: Type::Bits(9) }],
    size: 2,
    turn: 4,
};
static SET: Action = Action { id: 9, name: "set", parameters: &[("group", Type::Bits(16))] };
static ENGINE: Engine =
    Engine { port: Type::Bits(9), groups: 2, replicas: 5, replicas_of_group: 4 };

fn entry() -> Entry {
    Entry::new(&TERNARY, &SET).is("outcome", 1_u64).with(1_u64).priority(10)
}

fn written(entry: Entry) -> Result<String, Refused> {
    entries("# head\n", &[entry])
}

#[test]
fn an_entry_is_written_in_full() {
    let made = entry().masked("address", 0xef00_0000, 0xff00_0000).metadata(b"own-copy\n\"");
    let text = "# proto-file: p4/v1/p4runtime.proto\n# proto-message: p4.v1.WriteRequest\n# head\n\
updates {\n  type: INSERT\n  entity {\n    table_entry { # acl\n      table_id: 7\n      \
match { field_id: 2 ternary { value: \"\\357\\000\\000\\000\" mask: \"\\377\\000\\000\\000\" } } # address\n      \
match { field_id: 3 exact { value: \"\\001\" } } # outcome\n      \
action { action { action_id: 9 params { param_id: 1 value: \"\\001\" } } } # set\n      \
priority: 10\n      metadata: \"own-copy\\012\\042\"\n    }\n  }\n}\n";
    assert_eq!(written(made).as_deref(), Ok(text));
}

#[test]
fn values_are_the_shortest_byte_strings() {
    for (value, text) in [
        (0, r#""\000""#),
        (1, r#""\001""#),
        (0x1ff, r#""\001\377""#),
        (0x0a00_0001, r#""\012\000\000\001""#),
        (u64::MAX, r#""\377\377\377\377\377\377\377\377""#),
    ] {
        assert_eq!(Value::Number(value).text(), text);
    }
}

#[test]
fn a_value_wider_than_its_field_is_refused() {
    assert!(written(entry().masked("port", 511, 511)).is_ok());
    for (value, mask) in [(512, 512), (0, 1023), (60_000, 0xffff)] {
        let refused = written(entry().masked("port", value, mask));
        assert!(matches!(refused, Err(Refused::Overflow { field: "port", .. })), "{refused:?}");
    }
    let refused = written(Entry::new(&EXACT, &SET).is("port", 512_u64).with(1_u64));
    assert!(matches!(refused, Err(Refused::Overflow { field: "port", .. })), "{refused:?}");
    let refused = written(Entry::new(&EXACT, &SET).is("port", 1_u64).with(65_536_u64));
    assert!(matches!(refused, Err(Refused::Overflow { field: "group", .. })), "{refused:?}");
}

#[test]
fn a_ternary_entry_needs_a_priority_and_an_exact_one_has_none() {
    for priority in [0, 1 << 31] {
        let refused = written(entry().priority(priority));
        assert!(matches!(refused, Err(Refused::Priority { .. })), "{refused:?}");
    }
    let exact = || Entry::new(&EXACT, &SET).is("port", 1_u64).with(1_u64);
    assert!(written(exact()).is_ok());
    assert!(matches!(written(exact().priority(1)), Err(Refused::Priority { .. })));
}

#[test]
fn a_mask_that_is_not_canonical_is_refused() {
    for (value, mask) in [(0x0a00_0001, 0xff00_0000), (1, 0)] {
        let refused = written(entry().masked("address", value, mask));
        assert!(matches!(refused, Err(Refused::NotCanonical { .. })), "{refused:?}");
    }
}

#[test]
fn a_field_that_does_not_matter_is_left_out() {
    let text = written(entry().masked("address", 0, 0)).expect("it fits");
    assert!(!text.contains("address"), "{text}");
}

#[test]
fn fields_and_arguments_are_those_of_the_pipeline() {
    let cases = [
        entry().is("colour", 1_u64),
        entry().is("outcome", 2_u64),
        Entry::new(&TERNARY, &SET).with(1_u64).priority(1),
        Entry::new(&TERNARY, &SET).is("outcome", 1_u64).priority(1),
        entry().with(2_u64),
        entry().is("address", 1_u64),
        entry().is("port", Value::Name("1".into())),
    ];
    for case in cases {
        assert!(written(case.clone()).is_err(), "{case:?}");
    }
}

#[test]
fn an_entry_is_there_once_and_a_table_is_not_overfull() {
    let one = || entry().masked("port", 1, 511);
    let twice = entries("", &[one(), one()]);
    assert_eq!(twice, Err(Refused::Duplicate { place: "acl" }));
    let three = [one(), one().priority(11), one().priority(12)];
    let refused = entries("", &three).expect_err("the table holds two").to_string();
    assert_eq!(refused, "found 3 for entries; acl holds 2");
}

#[test]
fn multicast_groups_fit_the_engine() {
    let group = |id, ports: &[(u64, u16)]| Group {
        id,
        replicas: ports.iter().map(|&(port, instance)| (port.into(), instance)).collect(),
    };
    assert!(groups("", &ENGINE, &[group(1, &[(1, 1), (1, 2)]), group(65_535, &[])]).is_ok());
    let refused = [
        vec![group(0, &[])],
        vec![group(65_536, &[])],
        vec![group(1, &[(512, 1)])],
        vec![group(1, &[(1, 0)])],
        vec![group(1, &[(1, 1), (1, 1)])],
        vec![group(1, &[]), group(1, &[])],
        vec![group(1, &[]), group(2, &[]), group(3, &[])],
        vec![group(1, &[(1, 1), (2, 1), (3, 1), (4, 1), (5, 1)])],
        vec![group(1, &[(1, 1), (2, 1), (3, 1)]), group(2, &[(1, 1), (2, 1), (3, 1)])],
    ];
    for case in refused {
        assert!(groups("", &ENGINE, &case).is_err(), "{case:?}");
    }
}
