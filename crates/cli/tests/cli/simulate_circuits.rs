//! Networks of optical circuit switches: schedules, what waits for them, and what is refused.

use serde_json::Value;

use crate::bench::Bench;
use crate::impact::read;

fn number(value: &Value) -> u64 {
    read(value)
}

const NETWORK: &str = "[network]\nkind = \"circuits\"\ntors = 4\nhosts_per_tor = 1\nrate = \"100 Gb/s\"\n\
                       delay = \"1 us\"\n";
const SLOTS: &str = "[circuits]\nslot = \"20 us\"\nreconfiguration = \"2 us\"\n";
const FLOW: &str =
    "[[flow]]\nfrom = 0\nto = 2\nsize = \"64 B\"\nclass = \"lossy\"\nverb = \"send\"\n";
const PATIENT: &str = "[parameters.transport]\ntimeout = \"1 ms\"\n";

fn bench(text: &str) -> Bench {
    let bench = Bench::new();
    bench.write("s.toml", format!("version = 1\nuntil = \"20 ms\"\n{text}"));
    bench
}

fn ask(text: &str) -> Value {
    bench(text).ask(&["simulate", "s.toml"])
}

fn max(answer: &Value) -> u64 {
    assert_eq!(answer["flows"]["unfinished"], 0, "{answer}");
    number(&answer["flows"]["completion"]["max_ps"])
}

/// 64 bytes with 62 of headers and 8 of preamble over a link of 100 Gb/s and 1 us.
const LINK: u64 = 8 * (64 + 62 + 8) * 10 + 1_000_000;

/// The circuit of ToR 0 to ToR 2 comes in the second of three slots, and there are 2 us of darkness before it.
#[test]
fn a_message_waits_for_its_circuit_and_the_report_says_how_long_it_may() {
    let answer = ask(&format!("{NETWORK}{SLOTS}{PATIENT}{FLOW}"));
    assert_eq!(max(&answer), 22_000_000 + 2 * LINK);
    let network = &answer["network"];
    assert_eq!(network["kind"], "circuits");
    let circuits = &network["circuits"];
    assert_eq!(number(&circuits["switches"]), 1);
    assert_eq!(number(&circuits["most_hops"]), 1);
    assert_eq!(number(&circuits["period_ps"]), 60_000_000);
    // A slot without its darkness and without the longest frame: 8 + 4,096 + 62 + 16 + 12 bytes.
    let guard = 4_194 * 80;
    assert_eq!(number(&circuits["least_open_ps"]), 18_000_000 - guard);
    assert_eq!(number(&circuits["longest_wait_ps"]), 42_000_000 + guard);
    assert!(answer["warnings"].as_array().expect("a list").is_empty());
    // With three circuit switches nothing ever changes: it is a network of links.
    let still = NETWORK.replace("delay", "circuit_switches = 3\ndelay");
    let answer = ask(&format!("{still}{SLOTS}{PATIENT}{FLOW}"));
    assert_eq!(max(&answer), 3 * LINK);
    assert_eq!(number(&answer["network"]["circuits"]["longest_wait_ps"]), 0);
    // Another network says nothing of circuits.
    let spine = "[network]\nkind = \"leaf-spine\"\nleaves = 2\nspines = 1\nhosts_per_leaf = 2\n\
                 rate = \"100 Gb/s\"\ndelay = \"1 us\"\n";
    assert!(ask(&format!("{spine}{FLOW}"))["network"].get("circuits").is_none());
}

const LISTED: &str = "[circuits]\nperiod = \"100 us\"\n\
    [[circuit]]\nfrom = \"ToR 0\"\nto = \"ToR 1\"\nends = \"50 us\"\n\
    [[circuit]]\nfrom = \"ToR 0\"\nto = \"ToR 1\"\nbegins = \"50 us\"\nends = \"60 us\"\n\
    [[circuit]]\nfrom = \"ToR 0\"\nto = \"ToR 2\"\nbegins = \"70 us\"\nends = \"90 us\"\n\
    [[circuit]]\nfrom = \"ToR 2\"\nto = \"ToR 1\"\nbegins = \"90 us\"\none_way = true\n\
    [[circuit]]\nfrom = \"ToR 1\"\nto = \"ToR 2\"\nbegins = \"60 us\"\nends = \"70 us\"\none_way = true\n";
const THREE: &str = "[network]\nkind = \"circuits\"\ntors = 3\nhosts_per_tor = 1\nrate = \"100 Gb/s\"\n\
                     delay = \"1 us\"\n";

#[test]
fn listed_circuits_are_there_when_their_rows_say() {
    let at = |from: u32, to: u32, start: &str| {
        let flow = format!(
            "[[flow]]\nfrom = {from}\nto = {to}\nsize = \"64 B\"\nclass = \"lossy\"\nverb = \"send\"\n\
             start = \"{start}\"\n"
        );
        max(&ask(&format!("{THREE}{LISTED}{PATIENT}{flow}")))
    };
    assert_eq!(at(0, 1, "0 us"), 3 * LINK);
    // Two rows that follow each other are one circuit.
    assert_eq!(at(1, 0, "49 us"), 3 * LINK);
    // One that is over begins again with the next period.
    assert_eq!(at(0, 1, "60 us"), 40_000_000 + 2 * LINK);
    assert_eq!(at(0, 2, "0 us"), 70_000_000 + 2 * LINK);
    assert_eq!(at(2, 1, "0 us"), 90_000_000 + 2 * LINK);
    assert_eq!(at(1, 2, "0 us"), 60_000_000 + 2 * LINK);
}

#[test]
fn two_hops_and_short_timeouts_are_told() {
    let large = FLOW.replace("64 B", "4 MB");
    let two = SLOTS.replace("[circuits]", "[circuits]\nhops = \"two\"");
    let warnings = |text: &str| ask(text)["warnings"].to_string();
    let told = warnings(&format!("{NETWORK}{two}{PATIENT}{large}"));
    assert!(told.contains("go-back-n takes that for losses"), "{told}");
    let told =
        warnings(&format!("{NETWORK}{SLOTS}[parameters.transport]\ntimeout = \"59 us\"\n{large}"));
    assert!(told.contains("60 us") && told.contains("ends before that"), "{told}");
    // What is repeated though it had arrived was not too slow: it was passed.
    let selective = "[parameters.transport]\nrecovery = \"selective-repeat\"\nwindow = 4096\ntimeout = \"5 ms\"\n\
                     short_timeout = \"5 ms\"\n";
    let told = warnings(&format!("{NETWORK}{two}{selective}{large}"));
    assert!(told.contains("pass each other") && !told.contains("go-back-n"), "{told}");
}

/// Data of a reliable group cross the splitters; what a splitter loses is repeated over circuits, and answers
/// take them.
#[test]
fn groups_over_light_repair_and_answer_over_circuits() {
    let bench = Bench::new();
    bench.write("design.toml", "version = 1\n[fabric]\nfamily = \"shufflecast\"\np = 2\nk = 2\n");
    let text = |core: &str, slots: &str| {
        format!(
            "version = 1\nuntil = \"200 ms\"\n[network]\nkind = \"design\"\nfile = \"design.toml\"\nhosts_per_tor = 1\n\
             {core}\nrate = \"100 Gb/s\"\nlength = \"20 m\"\n{slots}\
             [parameters.transport]\ntimeout = \"5 ms\"\n\
             [[group]]\nname = \"all\"\nmembers = [0, 1, 2, 3, 4, 5, 6, 7]\ndata = \"light\"\ntransport = \"rc\"\n\
             [[loss]]\nsplitter = \"tor:0\"\nbranch = \"tor:4\"\nrate = 0.01\n\
             [[multicast]]\ngroup = \"all\"\nfrom = 0\nsize = \"4 MB\"\n"
        )
    };
    let ask = |core, slots| {
        bench.write("s.toml", text(core, slots));
        bench.ask(&["simulate", "s.toml"])
    };
    let slots = "[circuits]\nslot = \"50 us\"\nreconfiguration = \"5 us\"\n";
    let circuits = ask("circuit_switches = 1", slots);
    let spines = ask("spines = 2", "");
    for answer in [&circuits, &spines] {
        let message = &answer["multicasts"][0];
        assert_eq!(message["completed"], 7, "{message}");
        assert_eq!(answer["end"]["how"], "done");
    }
    let takes = |answer: &Value| number(&answer["multicasts"][0]["last_ps"]);
    assert!(takes(&circuits) > takes(&spines), "repairs wait for circuits");
    // A ToR that dies takes its circuits with it; a link between ToRs is none.
    let dies = "[[failure]]\nlink = [\"R1.01\", \"R1.02\"]\nat = \"1 ms\"\n";
    bench.write("s.toml", text("circuit_switches = 1", slots) + dies);
    bench.refuses(&["simulate", "s.toml"], &["s.toml:", "failure.link", "circuits"]);
    bench.write("s.toml", text("circuit_switches = 1\nspines = 2", slots));
    bench.refuses(&["simulate", "s.toml"], &["s.toml:", "network.spines", "circuit_switches"]);
    bench.write("s.toml", text("spines = 2", slots));
    bench.refuses(&["simulate", "s.toml"], &["s.toml:", "circuits.", "network of circuits"]);
}

/// A source whose transmitter dies sends to its stand-in over circuits. Its last packets may wait there when the part
/// is back, so the drain is told to be uncertain.
#[test]
fn a_stand_in_is_reached_over_circuits() {
    let bench = Bench::new();
    bench.write("design.toml", "version = 1\n[fabric]\nfamily = \"shufflecast\"\np = 2\nk = 2\n");
    let text = |transport: &str| {
        format!(
            "version = 1\nuntil = \"40 ms\"\n[network]\nkind = \"design\"\nfile = \"design.toml\"\n\
             hosts_per_tor = 2\ncircuit_switches = 2\nrate = \"100 Gb/s\"\nlength = \"3 m\"\nlight = \"off\"\n\
             [circuits]\nslot = \"20 us\"\nreconfiguration = \"1 us\"\n\
             [parameters.transport]\ntimeout = \"1 ms\"\n\
             [[group]]\nname = \"all\"\nmembers = \"all\"\ntransport = \"{transport}\"\n\
             [[multicast]]\ngroup = \"all\"\nfrom = 3\nsize = \"2 MB\"\n\
             [[failure]]\nrelay = \"tor:1\"\nat = \"40 us\"\nuntil = \"300 us\"\n\
             [recovery]\ndetection = \"15 us\"\ncomputation = \"10 us\"\ninstallation = \"5 us\"\n"
        )
    };
    let ask = |transport: &str| {
        bench.write("s.toml", text(transport));
        bench.ask(&["simulate", "s.toml", "--check"])
    };
    let reliable = ask("rc");
    assert_eq!(reliable["multicasts"][0]["completed"], 15);
    assert_eq!(reliable["groups"][0]["standing"], "over");
    let datagrams = ask("datagram");
    for answer in [&reliable, &datagrams] {
        let warnings = answer["warnings"].to_string();
        assert!(warnings.contains("wait for circuits"), "{warnings}");
    }
}

#[test]
fn schedules_that_cannot_be_are_refused() {
    let refuses = |text: &str, parts: &[&str]| {
        bench(text).refuses(&["simulate", "s.toml"], &[&["s.toml"], parts].concat());
    };
    refuses(&format!("{NETWORK}{FLOW}"), &["circuits", "is missing"]);
    refuses(&format!("{NETWORK}[circuits]\n{FLOW}"), &["circuits.slot", "is missing"]);
    let slots = |from: &str, to: &str| format!("{NETWORK}{}{FLOW}", SLOTS.replace(from, to));
    refuses(&slots("20 us", "34 ms"), &["patience", "100 ms", "102 ms", "standstill"]);
    refuses(&slots("20 us", "2 us"), &["circuits.slot", "2 us", "dark"]);
    refuses(&slots("slot", "period = \"9 us\"\nslot"), &["circuits.period", "slot"]);
    refuses(&slots("slot", "guard = \"300 ns\"\nslot"), &["circuits.guard", "335.52 ns", "cut"]);
    refuses(&slots("slot", "hops = \"three\"\nslot"), &["circuits.hops", "three"]);
    refuses(&slots("slot = \"20 us\"", "slot = \"0 us\""), &["circuits.slot", "0 s"]);
    refuses(&slots("[circuits]", "[circuits]\nperiods = 3"), &["circuits.periods", "unknown"]);
    let network = |from: &str, to: &str| format!("{}{SLOTS}{FLOW}", NETWORK.replace(from, to));
    refuses(&network("tors = 4", "tors = 1"), &["network.tors"]);
    refuses(&network("hosts_per_tor = 1", "hosts_per_tor = 0"), &["network.hosts_per_tor"]);
    refuses(
        &network("delay", "circuit_switches = 4\ndelay"),
        &["network.circuit_switches", "at most 3"],
    );
    refuses(&network("delay", "spines = 4\ndelay"), &["network.spines"]);
    refuses(&network("tors = 4", "tors = 100000"), &["network.tors", "links"]);
    let listed = |from: &str, to: &str| {
        assert!(LISTED.contains(from));
        format!("{THREE}{}{FLOW}", LISTED.replacen(from, to, 1))
    };
    refuses(&listed("\"ToR 0\"", "\"host 0\""), &["circuit.from", "circuits join ToRs"]);
    refuses(&listed("\"ToR 1\"", "\"ToR 0\""), &["circuit.to", "same ToR"]);
    refuses(&listed("\"50 us\"", "\"101 us\""), &["circuit.ends", "after the period"]);
    refuses(
        &listed("begins = \"70 us\"", "begins = \"90 us\""),
        &["circuit.begins", "before its end"],
    );
    refuses(
        &listed("begins = \"70 us\"", "begins = \"59 us\""),
        &["circuit.begins", "too many", "ToR 0"],
    );
    refuses(&listed("begins = \"50 us\"", "begins = \"40 us\""), &["circuit.begins", "have one"]);
    refuses(
        &listed("begins = \"70 us\"", "begins = \"89900 ns\""),
        &["circuit.ends", "none would go out"],
    );
    refuses(
        &listed("begins = \"60 us\"\nends = \"70 us\"\none_way = true\n", ""),
        &["circuit.begins", "have one"],
    );
    let lacks = LISTED
        .replace("begins = \"60 us\"\nends = \"70 us\"\none_way = true\n", "")
        .replace("[[circuit]]\nfrom = \"ToR 1\"\nto = \"ToR 2\"\n", "");
    refuses(&format!("{THREE}{lacks}{FLOW}"), &["circuit", "ToR 1 to ToR 2", "for ever"]);
    refuses(
        &listed("period", "reconfiguration = \"1 us\"\nperiod"),
        &["circuits.reconfiguration", "rotor"],
    );
    let spine = "[network]\nkind = \"leaf-spine\"\nleaves = 2\nspines = 1\nhosts_per_leaf = 2\n\
                 rate = \"100 Gb/s\"\ndelay = \"1 us\"\n";
    refuses(&format!("{spine}{SLOTS}{FLOW}"), &["circuits", "network of circuits"]);
    refuses(
        &format!("{spine}{}{FLOW}", &LISTED[LISTED.find("[[").expect("rows")..]),
        &["circuit.from"],
    );
}
