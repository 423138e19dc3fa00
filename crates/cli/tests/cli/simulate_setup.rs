//! The set-up of groups of datagrams: a host asks the controller, switches get their rules, members join and leave.

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::impact::read;

const NETWORK: &str = "version = 1\nuntil = \"20 ms\"\n[network]\nkind = \"leaf-spine\"\nleaves = 1\nspines = 1\n\
                       hosts_per_leaf = 6\nrate = \"100 Gb/s\"\ndelay = \"1 us\"\n";
const GROUP: &str = "[[group]]\nname = \"all\"\nmembers = [0, 1, 2]\ntransport = \"datagram\"\n";
const SETUP: &str = "[setup]\ncomputation = \"50 us\"\nto_host = \"5 us\"\nto_switch = \"3 us\"\n";
/// To the controller and back, its computation, to the switch and back, and 600 us for one rule.
const SET_UP: u64 = (5 + 50 + 5 + 3 + 600 + 3) * 1_000_000;
/// 64 bytes of payload with 62 of headers and 8 of preamble over two links of 100 Gb/s and 1 us.
const ALONE: u64 = 2 * (8 * (64 + 62 + 8) * 10 + 1_000_000);

fn bench(text: &str) -> Bench {
    let bench = Bench::new();
    bench.write("s.toml", text);
    bench
}

fn message(start: &str) -> String {
    format!("[[multicast]]\ngroup = \"all\"\nfrom = 0\nsize = \"64 B\"\nstart = \"{start}\"\n")
}

/// Completion times and numbers of receivers of all messages.
fn came(answer: &Value) -> Vec<(u64, u64)> {
    let multicasts = answer["multicasts"].as_array().into_iter().flatten();
    let of = |message: &Value| {
        assert_eq!(message["completed"], message["receivers"], "{message}");
        (read(&message["last_ps"]), read(&message["receivers"]))
    };
    multicasts.map(of).collect()
}

/// A message of 64 bytes takes the set-up and its closed form where the group is new or a member joins or leaves, and
/// its closed form alone where the group is there (shufflecast:III-B2.request, shufflecast:VI-B.update).
#[test]
fn a_message_takes_the_set_up_and_its_closed_form() {
    let changes = "[[change]]\ngroup = \"all\"\nat = \"3 ms\"\njoins = [4, 5]\n\
                   [[change]]\ngroup = \"all\"\nat = \"6 ms\"\nleaves = [1]\n";
    let messages: String =
        ["0 us", "2 ms", "3 ms", "5 ms", "6 ms", "6100 us", "9 ms"].map(message).concat();
    let text = format!("{NETWORK}{SETUP}{GROUP}{changes}{messages}");
    let answer = bench(&text).ask(&["simulate", "s.toml"]);
    let waits = 100_000_000;
    assert_eq!(
        came(&answer),
        [
            (SET_UP + ALONE, 2),
            (ALONE, 2),
            (SET_UP + ALONE, 4),
            (ALONE, 4),
            // Two messages wait for the same set-up, and go out one after the other.
            (SET_UP + ALONE, 3),
            (SET_UP - waits + ALONE + 8 * (64 + 62 + 8 + 12) * 10, 3),
            (ALONE, 3),
        ]
    );
    assert_eq!(answer["multicasts"][2]["opens_ps"], json!(3_000_000_000 + SET_UP));
    assert_eq!(answer["multicasts"][2]["group"], "all");
}

/// A host may ask before it sends; then the message waits for what is left. Several rules take longer where a switch
/// installs one at a time.
#[test]
fn groups_are_asked_for_early_and_rules_take_their_time() {
    let early = GROUP.replace("transport", "start = \"100 us\"\ntransport");
    let text = format!("{NETWORK}{SETUP}{early}{}", message("500 us"));
    let answer = bench(&text).ask(&["simulate", "s.toml"]);
    assert_eq!(came(&answer), [(SET_UP - 400_000_000 + ALONE, 2)]);
    // Two senders have a rule each at the switch.
    let two = format!("{}{}", message("0 us"), message("1 ms").replace("from = 0", "from = 1"));
    let of = |setup: &str| {
        let text = format!("{NETWORK}{setup}{GROUP}{two}");
        came(&bench(&text).ask(&["simulate", "s.toml"]))[0].0
    };
    assert_eq!(of(SETUP), SET_UP + 600_000_000 + ALONE);
    assert_eq!(of(&format!("{SETUP}at_once = 2\n")), SET_UP + ALONE);
    // Without a set-up members join at once.
    let joins = "[[change]]\ngroup = \"all\"\nat = \"1 ms\"\njoins = [3]\n";
    let text = format!("{NETWORK}{GROUP}{joins}{}{}", message("0 us"), message("1 ms"));
    assert_eq!(came(&bench(&text).ask(&["simulate", "s.toml"])), [(ALONE, 2), (ALONE, 3)]);
}

/// Over splitters the same: what is sent after the set-up takes as long as without one, to all that are members then.
#[test]
fn groups_over_light_are_set_up_too() {
    let fabric = "version = 1\n[fabric]\nfamily = \"shufflecast\"\np = 2\nk = 2\n";
    let network = "version = 1\nuntil = \"20 ms\"\n[network]\nkind = \"design\"\nfile = \"d.toml\"\nhosts_per_tor = 2\n\
                   spines = 2\nrate = \"100 Gb/s\"\nlength = \"20 m\"\n";
    let group = "[[group]]\nname = \"all\"\nmembers = [0, 3, 6, 9]\ntransport = \"datagram\"\n";
    let changes = "[[change]]\ngroup = \"all\"\nat = \"5 ms\"\njoins = [12]\n";
    let messages = [message("0 us"), message("4 ms"), message("5 ms")].concat();
    let of = |setup: &str| {
        let bench = bench(&format!("{network}{setup}{group}{changes}{messages}"));
        bench.write("d.toml", fabric);
        came(&bench.ask(&["simulate", "s.toml"]))
    };
    let (at_once, set_up) = (of(""), of(SETUP));
    assert_eq!(set_up[0], (at_once[0].0 + SET_UP, 3));
    assert_eq!(set_up[1], at_once[1]);
    assert_eq!(set_up[2], (at_once[2].0 + SET_UP, 4));
}

#[test]
fn wrong_changes_of_datagram_groups_are_refused() {
    let change =
        |at: &str, what: &str| format!("[[change]]\ngroup = \"all\"\nat = \"{at}\"\n{what}\n");
    let cases = [
        (change("1 ms", "joins = [1]"), "change.joins: found \"host 1\", which is a member"),
        (change("1 ms", "leaves = [4]"), "change.leaves: found \"host 4\", which is no member"),
        (change("1 ms", "leaves = [1, 2]"), "leaves 1 host; a group has at least two"),
        (change("1 ms", "leaves = [0]"), "from: found \"host 0\", which has left the group"),
        (change("3 ms", "joins = [4]"), "change.at: found 3 ms, and the last message"),
    ];
    for (change, expected) in cases {
        let text = format!("{NETWORK}{GROUP}{change}{}", message("2 ms"));
        let told = bench(&text).run(&["simulate", "s.toml"]);
        assert!(told.code == 2 && told.stderr.contains(expected), "{change}: {told:?}");
    }
    let early = GROUP.replace("transport", "start = \"100 us\"\ntransport");
    let told = bench(&format!("{NETWORK}{early}{}", message("2 ms"))).run(&["simulate", "s.toml"]);
    assert!(told.code == 2 && told.stderr.contains("group.start"), "{told:?}");
    let none = format!("{NETWORK}[setup]\nat_once = 0\n{GROUP}{}", message("2 ms"));
    let told = bench(&none).run(&["simulate", "s.toml"]);
    assert!(told.code == 2 && told.stderr.contains("setup.at_once"), "{told:?}");
}
