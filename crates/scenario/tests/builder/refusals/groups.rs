//! Refusals of groups and of messages to them.

use lightloom_scenario::said::{
    AdmissionRow, Awaited, ChangeRow, GroupRow, Members, MulticastRow, Node,
};
use lightloom_twin::{Class, Policy};
use lightloom_units::{DataSize, Instant};

use crate::given::kilobytes;
use crate::refusals::{building, check, ms, on};

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
