//! The order of updates: each packet is decided as before the changes or as after them.

use super::*;
use crate::p4runtime_pipeline::{Action, Engine, Kind, Table, Type, field};
use proptest::prelude::*;

static TABLE: Table = Table {
    id: 7,
    name: "decide",
    fields: &[
        field(1, "port", Kind::Optional, Type::Bits(9)),
        field(2, "address", Kind::Ternary, Type::Bits(32)),
    ],
    size: 16,
    turn: 4,
};
static SET: Action = Action { id: 9, name: "set", parameters: &[("group", Type::Bits(16))] };
static DROP: Action = Action { id: 10, name: "drop", parameters: &[] };
static ENGINE: Engine =
    Engine { port: Type::Bits(9), groups: 2, replicas: 8, replicas_of_group: 4 };

/// What an entry matches: its port, and value and mask of the address.
type Match = (Option<u64>, u64, u64);

/// An entry with the outcome in its metadata. Outcome 0 drops.
fn entry((port, value, mask): Match, priority: u32, outcome: u8) -> Entry {
    let entry = match outcome {
        0 => Entry::new(&TABLE, &DROP).stops(),
        _ => Entry::new(&TABLE, &SET).with(u64::from(outcome)),
    };
    let entry = match port {
        Some(port) => entry.is("port", port),
        None => entry,
    };
    let entry = entry.masked("address", value & mask, mask);
    entry.priority(priority).metadata(outcome.to_string().as_bytes())
}

fn held(entries: impl IntoIterator<Item = Entry>) -> Held {
    Held { groups: Vec::new(), entries: entries.into_iter().collect() }
}

/// The updates of a request: kind, priority, and outcome of what is not deleted.
fn updates(text: &str) -> Vec<(String, u32, Option<u8>)> {
    let word = |block: &str, start: &str| -> Option<String> {
        let line = block.lines().find_map(|line| line.trim().strip_prefix(start))?;
        Some(line.trim_matches('"').to_owned())
    };
    let number = |text: String| text.parse().expect("a number");
    let update = |block: &str| {
        let priority = word(block, "priority: ").map(number).expect("it is ordered");
        let outcome = word(block, "metadata: ").map(|text| text.parse().expect("a number"));
        (word(block, "type: ").expect("it has a kind"), priority, outcome)
    };
    text.split("updates {").skip(1).map(update).collect()
}

fn kinds(before: &Held, after: &Held, is_closed: bool) -> Vec<Vec<String>> {
    let requests = requests("", &ENGINE, [before, after], is_closed).expect("it fits");
    let kinds = |text: &String| updates(text).into_iter().map(|(kind, ..)| kind).collect();
    requests.iter().map(kinds).collect()
}

/// A receiver that accepted a source from port 1 now accepts it from port 2. It never accepts both.
#[test]
fn a_receiver_stops_before_it_starts() {
    let accepts = |port| entry((Some(port), 5, 7), 401, 1);
    let refuses = || entry((None, 5, 7), 400, 0);
    let (before, after) = (held([accepts(1), refuses()]), held([accepts(2), refuses()]));
    assert_eq!(kinds(&before, &after, false), [["DELETE"], ["INSERT"]]);
    // Without the drop below, stopping is not what the deletion does.
    let (before, after) = (held([accepts(1)]), held([accepts(2)]));
    assert_eq!(kinds(&before, &after, false), [["INSERT"], ["DELETE"]]);
}

/// The drop below both would lose packets that are accepted before and after.
#[test]
fn what_a_new_entry_takes_over_stays_until_it_is_there() {
    let drops = || entry((None, 0, 0), 1, 0);
    let accepts = |priority| entry((None, 5, 7), priority, 1);
    let (before, after) = (held([drops(), accepts(2)]), held([drops(), accepts(3)]));
    assert_eq!(kinds(&before, &after, false), [["INSERT"], ["DELETE"]]);
}

#[test]
fn nothing_changes_without_a_request() {
    let one = held([entry((None, 0, 0), 1, 1)]);
    assert!(kinds(&one, &one, false).is_empty());
    assert!(kinds(&one, &one, true).is_empty());
}

#[test]
fn old_and_new_entries_fit_the_table_together_while_the_gate_is_open() {
    let of = |range: std::ops::Range<u64>| held(range.map(|at| entry((Some(at), 0, 0), 9, 1)));
    let (before, after) = (of(0..10), of(10..20));
    let refused = requests("", &ENGINE, [&before, &after], false).expect_err("it holds 16");
    assert_eq!(refused.to_string(), "found 20 for entries; decide holds 16");
    assert_eq!(kinds(&before, &after, true), [vec!["DELETE"; 10], vec!["INSERT"; 10]]);
}

#[test]
fn groups_come_before_entries_and_go_after_them() {
    let group = |id| Group { id, replicas: vec![(1_u64.into(), 1)] };
    let with =
        |id: u32| Held { groups: vec![group(id.into())], ..held([entry((None, 0, 0), id, 1)]) };
    let texts = requests("", &ENGINE, [&with(1), &with(2)], false).expect("it fits");
    let place = |text: &String| (text.contains("table_entry"), text.contains("INSERT"));
    let places: Vec<_> = texts.iter().map(place).collect();
    assert_eq!(places, [(false, true), (true, true), (true, false), (false, false)]);
}

/// What an entry matches, and its outcome before and after. `None`: it is not there.
type Drawn = (Match, Option<u8>, Option<u8>);

fn matches() -> impl Strategy<Value = Match> {
    (prop::option::of(0..3_u64), 0..4_u64, 0..4_u64)
}

proptest! {
    /// The updates of each request come in any order.
    #[test]
    fn no_packet_is_decided_in_a_third_way(
        pool in prop::collection::vec((matches(), prop::option::of(0..4_u8), prop::option::of(0..4_u8)), 1..9),
        some in prop::collection::vec(any::<prop::sample::Index>(), 40),
    ) {
        // The priority tells an entry from all others.
        let of = |pick: fn(&Drawn) -> Option<u8>| {
            (1..).zip(&pool).filter_map(move |(priority, one)| Some((priority, pick(one)?)))
        };
        let (had, has): (BTreeMap<u32, u8>, BTreeMap<u32, u8>) = (of(|one| one.1).collect(), of(|one| one.2).collect());
        let of = |entries: &BTreeMap<u32, u8>| {
            held(entries.iter().map(|(&at, &outcome)| entry(pool[at as usize - 1].0, at, outcome)))
        };
        let decides = |entries: &BTreeMap<u32, u8>, port: u64, address: u64| {
            let fits = |at: u32| {
                let (on, value, mask) = pool[at as usize - 1].0;
                on.is_none_or(|on| on == port) && address & mask == value & mask
            };
            entries.iter().rev().find(|(at, _)| fits(**at)).map_or(0, |(_, outcome)| *outcome)
        };
        let mut now = had.clone();
        let mut pick = some.iter().cycle();
        for request in requests("", &ENGINE, [&of(&had), &of(&has)], false).expect("it fits") {
            let mut left = updates(&request);
            while !left.is_empty() {
                let at = pick.next().expect("it goes round").index(left.len());
                let (kind, priority, outcome) = left.swap_remove(at);
                let old = match outcome {
                    Some(outcome) => now.insert(priority, outcome),
                    None => now.remove(&priority),
                };
                prop_assert_eq!(old.is_none(), kind == "INSERT");
                prop_assert_eq!(outcome.is_none(), kind == "DELETE");
                for (port, address) in (0..3).flat_map(|port| (0..4).map(move |address| (port, address))) {
                    let decided = decides(&now, port, address);
                    let due = [decides(&had, port, address), decides(&has, port, address)];
                    prop_assert!(due.contains(&decided), "{:?} of {:?} at {} {}", decided, due, port, address);
                }
            }
        }
        prop_assert_eq!(now, has);
    }
}
