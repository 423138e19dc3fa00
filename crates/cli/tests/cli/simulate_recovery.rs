//! Recoveries during a run: relays fail while messages to groups are under way.

use serde_json::Value;

use crate::bench::Bench;
use crate::simulate::bench_with;

const HEAD: &str = "version = 1\nuntil = \"20 ms\"\npatience = \"5 ms\"\n";
const DESIGN: &str = "version = 1\n[fabric]\nfamily = \"shufflecast\"\np = 2\nk = 2\n";
const NETWORK: &str = "[network]\nkind = \"design\"\nfile = \"hall.toml\"\nhosts_per_tor = 2\nspines = 2\n\
                       rate = \"100 Gb/s\"\nlength = \"3 m\"\nlight = \"off\"\n";
const DATAGRAMS: &str = "[[group]]\nname = \"all\"\nmembers = \"all\"\ntransport = \"datagram\"\n";
const SENT: &str = "[[multicast]]\ngroup = \"all\"\nfrom = 3\nsize = \"2 MB\"\n";
const RECOVERY: &str =
    "[recovery]\ndetection = \"15 us\"\ncomputation = \"10 us\"\ninstallation = \"5 us\"\n";

fn reliable(repair: &str) -> String {
    format!(
        "[[group]]\nname = \"all\"\nmembers = \"all\"\ntransport = \"rc\"\nrepair = \"{repair}\"\n"
    )
}

fn failure(relay: usize) -> String {
    format!("[[failure]]\nrelay = \"tor:{relay}\"\nat = \"40 us\"\n")
}

fn bench(scenario: &str) -> Bench {
    let bench = bench_with(&format!("{HEAD}{NETWORK}{scenario}"));
    bench.write("hall.toml", DESIGN);
    bench
}

/// The times of what happens, in picoseconds.
fn times(answer: &Value, what: &str) -> Vec<u64> {
    let events = answer["recovery"]["events"].as_array().expect("events");
    let of = events.iter().filter(|event| event["what"] == what);
    of.map(|event| event["at_ps"].as_u64().expect("a time")).collect()
}

/// Packets that each receiver lacks.
fn lost(bench: &Bench) -> Vec<u64> {
    let files = bench.snapshot();
    let mut reader = csv::Reader::from_reader(files[&bench.path("out/receivers.csv")].as_slice());
    let titles = reader.headers().expect("a header");
    let at = titles.iter().position(|title| title == "delivered").expect("the column");
    let rows =
        reader.records().map(|row| row.expect("a row")[at].parse::<u64>().expect("a number"));
    rows.map(|delivered| 2_000_000_u64.div_ceil(4096) - delivered).collect()
}

/// Hosts behind the relay lose what passes between its death and the last phase. Hosts whose rules move lose what
/// passes between the deletions and the additions. All others lose nothing.
#[test]
fn datagrams_are_lost_between_failure_and_repair() {
    let bench = bench(&format!("{DATAGRAMS}{SENT}{}{RECOVERY}", failure(7)));
    let answer = bench.ask(&["simulate", "s.toml", "--out", "out"]);
    let one = |what: &str| *times(&answer, what).first().expect("a time");
    assert_eq!(one("failed"), 40_000_000);
    assert_eq!((one("detected"), one("computed")), (55_000_000, 65_000_000));
    // The relay's own rules are deleted first, and installation comes after the drain.
    assert_eq!(one("deleted"), 70_000_000);
    assert!(one("added") > 75_000_000);
    let packets = |from: &str| (one("added") - one(from)) / 334_240;
    let (dead, moved) = (packets("failed"), packets("deleted"));
    let is_near = |lost: u64, expected: u64| lost.abs_diff(expected) <= 4;
    let lost = lost(&bench);
    for &lost in &lost {
        assert!(lost == 0 || is_near(lost, dead) || is_near(lost, moved), "{lost} {dead} {moved}");
    }
    // ToRs 2 and 3 hear nothing but the relay: hosts 4 to 7, after the other host of the sender's rack and two.
    assert!(lost[3..7].iter().all(|&lost| is_near(lost, dead)), "{lost:?}");
    let lacking = answer["recovery"]["lacking"][0]["hosts"].as_array().expect("hosts").len();
    assert_eq!(lacking, lost.iter().filter(|&&lost| lost > 0).count());
    assert_eq!(answer["multicasts"][0]["twice"], 0);
    assert!(answer["recovery"]["lost"].as_u64().expect("a number") > 0);
    assert_eq!(answer["recovery"]["missing"], lost.iter().sum::<u64>());
    let table = bench.run(&["simulate", "s.toml"]).stdout;
    assert!(table.contains("relay:7") && table.contains("A part of a message"), "{table}");
}

/// The relay comes back, and the rules with it.
#[test]
fn rules_go_back_when_a_relay_returns() {
    let bench = bench(&format!(
        "{DATAGRAMS}{}{}until = \"200 us\"\n{RECOVERY}",
        SENT.replace("2 MB", "4 MB"),
        failure(7)
    ));
    let answer = bench.ask(&["simulate", "s.toml"]);
    assert_eq!(times(&answer, "returned"), [200_000_000]);
    assert_eq!(times(&answer, "detected"), [55_000_000, 215_000_000]);
    assert_eq!((times(&answer, "deleted").len(), times(&answer, "added").len()), (2, 2));
    let events = answer["recovery"]["events"].as_array().expect("events");
    let rules = |what: &str| -> u64 {
        let of = events.iter().filter(|event| event["what"] == what);
        of.map(|event| event["rules"].as_u64().expect("a number")).sum()
    };
    // What one way adds the way back deletes. ToR 7 gets a stand-in as a source and gives it up again.
    assert_eq!(rules("deleted") + 2, rules("added"));
    assert_eq!(answer["multicasts"][0]["twice"], 0);
}

#[test]
fn a_reliable_group_goes_on_over_repaired_light() {
    for repair in ["light", "links"] {
        let bench = bench(&format!("{}{SENT}{}{RECOVERY}", reliable(repair), failure(7)));
        let answer = bench.ask(&["simulate", "s.toml"]);
        assert_eq!(answer["multicasts"][0]["completed"], 15, "{repair}");
        assert_eq!(answer["groups"][0]["standing"], "over", "{repair}");
        assert_eq!(answer["recovery"]["lacking"], serde_json::json!([]), "{repair}");
        assert!(answer["recovery"]["repeated"].as_u64().expect("a number") > 0, "{repair}");
    }
}

#[test]
fn without_a_recovery_links_bring_it_or_members_are_named() {
    let off = "[recovery]\nrecover = false\n";
    let ask = |repair| bench(&format!("{}{SENT}{}{off}", reliable(repair), failure(7)));
    let links = ask("links").ask(&["simulate", "s.toml"]);
    assert_eq!(links["multicasts"][0]["completed"], 15);
    let light = ask("light").run(&["simulate", "s.toml"]).stdout;
    assert!(light.contains("A part of a message"), "{light}");
}

/// The sender's own transmitter dies: its data go to a stand-in, which lights the tree. A reliable group lacks nothing,
/// also where repairs go over light alone.
#[test]
fn a_sender_without_light_has_a_stand_in() {
    let datagrams = bench(&format!("{DATAGRAMS}{SENT}{}{RECOVERY}", failure(1)));
    let answer = datagrams.ask(&["simulate", "s.toml", "--out", "out"]);
    assert_eq!(answer["multicasts"][0]["twice"], 0);
    assert!(lost(&datagrams).iter().all(|&lost| lost < 300), "{:?}", lost(&datagrams));
    for repair in ["light", "links"] {
        let reliable = bench(&format!("{}{SENT}{}{RECOVERY}", reliable(repair), failure(1)));
        let answer = reliable.ask(&["simulate", "s.toml", "--check"]);
        assert_eq!(answer["multicasts"][0]["completed"], 15, "{repair}");
        assert_eq!(answer["groups"][0]["standing"], "over", "{repair}");
        assert_eq!(answer["warnings"], serde_json::json!([]), "{repair}");
    }
}

/// A recovered plan whose source has a stand-in: a reliable group completes over light, and nothing is repeated.
#[test]
fn a_recovered_plan_with_a_stand_in_completes_over_light() {
    let network = NETWORK.replace("hall.toml", "plan");
    let bench = bench_with(&format!("{HEAD}{network}{}{SENT}", reliable("light")));
    bench.write("hall.toml", DESIGN);
    let ran = bench.run(&["recover", "hall.toml", "--failed", "relay:1", "--apply", "plan"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    // The sender, host 3, is of ToR 1.
    let rules = &bench.snapshot()[&bench.path("plan/rules.json")];
    let rules: Value = serde_json::from_slice(rules).expect("JSON");
    assert!(rules["via"]["1"].is_u64(), "{}", rules["via"]);
    let answer = bench.ask(&["simulate", "s.toml", "--check"]);
    let message = &answer["multicasts"][0];
    assert_eq!((&message["completed"], &message["repeated"]), (&15.into(), &0.into()));
    assert_eq!((&message["twice"], &message["dropped"]), (&0.into(), &0.into()));
    // One splitter for each of the other cassettes and the first, as from any source.
    assert_eq!(answer["splitters"]["sent"], 2_000_000_u64.div_ceil(4096) * 4);
}

#[test]
fn what_is_wrong_with_a_recovery_is_said() {
    let half = "[recovery]\ndetection = \"1 us\"\n";
    bench(&format!("{DATAGRAMS}{SENT}{}{half}", failure(7)))
        .refuses(&["simulate", "s.toml"], &["recovery.computation: is missing"]);
}
