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
const RECOVERY: &str = "[recovery]\ndetection = \"15 us\"\ncomputation = \"10 us\"\ninstallation = \"5 us\"\ndrain = \
    \"10 us\"\n";

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
    assert_eq!(answer["recovery"]["finished"], true);
    assert!(!table.contains("The run ended before"), "{table}");
    // A run that ends between the phases says so, and so does one that ends before anything is known.
    for until in ["72 us", "50 us"] {
        let text =
            String::from_utf8(bench.snapshot()[&bench.path("s.toml")].clone()).expect("text");
        bench.write("short.toml", text.replace("20 ms", until));
        assert_eq!(
            bench.ask(&["simulate", "short.toml"])["recovery"]["finished"],
            false,
            "{until}"
        );
        let told = bench.run(&["simulate", "short.toml"]).said();
        assert!(told.contains("The run ended before the rules for all failures"), "{told}");
    }
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

/// A 2,3-Shufflecast with a host a rack; messages from these hosts, and what fails.
fn lossy(from: &[usize], failure: &str, recovery: &str) -> Bench {
    let sent = |host| {
        format!(
            "[[multicast]]\ngroup = \"all\"\nfrom = {host}\nsize = \"400 kB\"\nclass = \"lossy\"\n"
        )
    };
    let sent: String = from.iter().map(sent).collect();
    let network = NETWORK.replace("hosts_per_tor = 2", "hosts_per_tor = 1");
    let bench = bench_with(&format!(
        "{HEAD}{network}[parameters.switch]\nbuffer_per_port = \"200 kB\"\n{DATAGRAMS}{sent}[[failure]]\n{failure}\n\
         [recovery]\ndetection = \"1 us\"\ncomputation = \"1 us\"\ninstallation = \"1 us\"\n{recovery}"
    ));
    bench.write("hall.toml", DESIGN.replace("k = 2", "k = 3"));
    bench
}

/// The branch stays shut until its rules are back, although it works again before.
#[test]
fn a_branch_that_comes_back_is_used_when_its_rules_are_back() {
    let failure = "failed = \"branch:3->14\"\nat = \"10 us\"\nuntil = \"50 us\"";
    let answer = lossy(&[0], failure, "").ask(&["simulate", "s.toml"]);
    assert_eq!(times(&answer, "returned"), [50_000_000]);
    let (restored, added) = (times(&answer, "restored"), times(&answer, "added"));
    assert_eq!((restored.len(), restored.last()), (1, added.last()));
    assert_eq!(
        (&answer["recovery"]["twice"], &answer["warnings"]),
        (&0.into(), &serde_json::json!([]))
    );
    // Under the rules of the repair the mended branch brings second copies.
    let failure = failure.replace("50 us", "28 us");
    let at_once = "drain = \"10 us\"\nreturns = \"at-once\"\n";
    let at_once = lossy(&[3], &failure, at_once).ask(&["simulate", "s.toml"]);
    let twice = at_once["recovery"]["twice"].as_u64().expect("a number");
    let warnings = at_once["warnings"].to_string();
    assert!(twice > 0 && warnings.contains(&format!("{twice} copies came twice")), "{warnings}");
    assert!(warnings.contains("not safe"), "{warnings}");
    assert!(times(&at_once, "restored").is_empty());
}

/// Queues of a relay are longer than any fibre. The default drain waits for them; a short one brings second copies.
#[test]
fn no_copy_comes_twice_with_the_default_drain() {
    let failure = "relay = \"tor:10\"\nat = \"20 us\"";
    let ask = |drain: &str| lossy(&[3, 5, 20], failure, drain).ask(&["simulate", "s.toml"]);
    let default = ask("");
    assert_eq!(
        (&default["recovery"]["twice"], &default["warnings"]),
        (&0.into(), &serde_json::json!([]))
    );
    let short = ask("drain = \"10 us\"\n");
    let twice = short["recovery"]["twice"].as_u64().expect("a number");
    let warnings = short["warnings"].to_string();
    assert!(twice > 0 && warnings.contains(&format!("{twice} copies came twice")), "{warnings}");
    assert!(warnings.contains("recovery.drain"), "{warnings}");
    let [deleted, added] = ["deleted", "added"].map(|what| times(&short, what)[0]);
    // The drain, and the installation after it.
    assert_eq!(added - deleted, 11_000_000);
    let [deleted, added] = ["deleted", "added"].map(|what| times(&default, what)[0]);
    assert!(added - deleted > 33_000_000);
}

/// Deletions take relay entries away and nothing else: the servers of every ToR still get what is under way.
#[test]
fn deletions_change_what_the_plan_deletes() {
    let failure = "relay = \"tor:10\"\nat = \"20 us\"";
    let bench = lossy(&[0, 5, 12], failure, "");
    let answer = bench.ask(&["simulate", "s.toml"]);
    let plan = bench.ask(&["recover", "hall.toml", "--failed", "relay:10"]);
    let planned = |source: u64| {
        let all = plan["changes"].as_object().expect("changes").values();
        all.filter(|change| {
            change["delete"].as_array().expect("a list").iter().any(|of| *of == source)
        })
        .count()
    };
    let events = answer["recovery"]["events"].as_array().expect("events");
    let deleted = events.iter().find(|event| event["what"] == "deleted").expect("deletions");
    assert_eq!(deleted["group_rules"], [0, 5, 12].into_iter().map(planned).sum::<usize>());
}

/// No drain is a bound where copies wait behind others for as long as these come.
#[test]
fn where_no_drain_is_long_enough_it_is_said() {
    let failure = "relay = \"tor:10\"\nat = \"20 us\"";
    let bench = lossy(&[0, 5], failure, "");
    let text = String::from_utf8(bench.snapshot()[&bench.path("s.toml")].clone()).expect("text");
    let more = "[[group]]\nname = \"other\"\nmembers = \"all\"\ntransport = \"datagram\"\n\
                [[multicast]]\ngroup = \"other\"\nfrom = 1\nsize = \"9 kB\"\nclass = \"lossless\"\n";
    bench.write("s.toml", text.replacen("[[multicast]]", &format!("{more}[[multicast]]"), 1));
    let answer = bench.ask(&["simulate", "s.toml"]);
    let warnings = answer["warnings"].to_string();
    assert!(warnings.contains("no drain is long enough"), "{warnings}");
}

/// The packets of a capture: blocks of kind 6. The length of a block follows its kind.
fn frames(capture: &[u8]) -> usize {
    let (mut frames, mut rest) = (0, capture);
    while let [a, _, _, _, b, c, d, e, ..] = *rest {
        frames += usize::from(a == 6);
        let length = u32::from_le_bytes([b, c, d, e]);
        rest = &rest[usize::try_from(length).expect("a length")..];
    }
    frames
}

/// What was under way to a part when it died has not arrived: the trace says so, and nothing counts it.
#[test]
fn what_is_lost_at_a_dead_part_has_not_arrived() {
    let bench = lossy(&[0], "failed = \"tor:8\"\nat = \"7 us\"", "");
    let line = ["simulate", "s.toml", "--out", "out", "--trace", "trace.csv"];
    bench.ask(&line);
    let files = bench.snapshot();
    let rows = |file: &str| -> Vec<csv::StringRecord> {
        let mut reader = csv::Reader::from_reader(files[&bench.path(file)].as_slice());
        reader.records().map(|row| row.expect("a row")).collect()
    };
    let trace = rows("trace.csv");
    // 24 hosts, then the ToRs. Host 0 is of ToR 0, which lights ToR 8.
    let at = |fate: &str| trace.iter().filter(|row| &row[1] == "32" && &row[8] == fate).count();
    let (dead, arrived) = (at("dead"), at(""));
    assert!(dead > 0 && arrived > 0, "{dead} {arrived}");
    let branches = rows("out/branches.csv");
    let into: Vec<_> = branches.iter().filter(|row| &row[3] == "R1.09").collect();
    let sum = |column: usize| -> usize {
        into.iter().map(|row| row[column].parse::<usize>().expect("a number")).sum()
    };
    let (sent, lost, received) = (sum(6), sum(7), sum(8));
    assert_eq!((sent, received), (lost + arrived, arrived));
    assert!(lost >= dead);
    // What was under way died at the ToR, all others at their start.
    let line = ["simulate", "s.toml", "--pcap", "link.pcapng:R1.01>R1.09"];
    bench.ask(&line);
    let capture = &bench.snapshot()[&bench.path("link.pcapng")];
    assert_eq!(frames(capture), received);
}

/// Short messages before, between and after the phases of a rollout: each met the same rules all along its way.
#[test]
fn what_messages_beside_a_rollout_lack_is_told_by_cause() {
    let starts = [10, 45, 75, 400];
    let sent: String = starts
        .iter()
        .map(|us| {
            format!(
                "[[multicast]]\ngroup = \"all\"\nfrom = 3\nsize = \"40 kB\"\nstart = \"{us} us\"\n"
            )
        })
        .collect();
    let slow = RECOVERY.replace("installation = \"5 us\"", "installation = \"20 us\"");
    let bench = bench(&format!("{DATAGRAMS}{sent}{}{slow}", failure(7)));
    let answer = bench.ask(&["simulate", "s.toml"]);
    // Deleted at 85 us, added after 95 us.
    let deleted = times(&answer, "deleted")[0];
    assert!((80_000_000..90_000_000).contains(&deleted), "{deleted}");
    let lacks = |message: usize| -> Vec<(u64, Value)> {
        let each = answer["multicasts"][message]["each"].as_array().expect("receivers");
        let lacking = each.iter().map(|each| &each["lacks"]).filter(|lacks| !lacks.is_null());
        lacking
            .map(|lacks| (lacks["packets"].as_u64().expect("a number"), lacks["causes"].clone()))
            .collect()
    };
    assert!(lacks(0).is_empty() && lacks(3).is_empty(), "{:?} {:?}", lacks(0), lacks(3));
    for message in [1, 2] {
        let lacking = lacks(message);
        assert!(lacking.len() >= 4, "{lacking:?}");
        for (packets, causes) in lacking {
            assert_eq!(causes["dead"], packets, "message {message}: {causes}");
        }
    }
}
