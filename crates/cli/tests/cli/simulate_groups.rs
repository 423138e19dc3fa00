//! Groups in scenarios: over the splitters of a design and over links, what is wrong with them, and the
//! messages, splitters and files of the answer.

use serde_json::Value;

use crate::bench::Bench;
use crate::reader::sheet;
use crate::simulate::bench_with;

pub(crate) const HEAD: &str = "version = 1\nuntil = \"5 ms\"\n";
const DESIGN: &str = "version = 1\n[fabric]\nfamily = \"shufflecast\"\np = 2\nk = 2\n";
pub(crate) const NETWORK: &str = "[network]\nkind = \"design\"\nfile = \"hall.toml\"\nhosts_per_tor = 2\nspines = 2\n\
                       rate = \"100 Gb/s\"\nlength = \"3 m\"\n";
pub(crate) const TREE: &str =
    "[network]\nkind = \"fat-tree\"\nports = 4\nrate = \"100 Gb/s\"\ndelay = \"1 us\"\n";
const ALL: &str = "[[group]]\nname = \"all\"\nmembers = \"all\"\ntransport = \"datagram\"\n";
const SENT: &str = "[[multicast]]\ngroup = \"all\"\nfrom = 3\nsize = \"100 kB\"\n";

/// A folder with the design and a scenario.
pub(crate) fn over_design(scenario: &str) -> Bench {
    let bench = bench_with(scenario);
    bench.write("hall.toml", DESIGN);
    bench
}

#[test]
fn light_reaches_all_hosts_of_a_design_once() {
    let bench = over_design(&format!("{HEAD}{NETWORK}{ALL}{SENT}"));
    let answer = bench.ask(&["simulate", "s.toml", "--out", "out"]);
    let message = &answer["multicasts"][0];
    assert_eq!((&message["receivers"], &message["completed"]), (&15.into(), &15.into()));
    // 25 packets to 15 hosts. One splitter for each of four cassettes, of two branches each; a link for each
    // host, the sender's too.
    assert_eq!((&message["sent"], &message["delivered"]), (&25.into(), &375.into()));
    assert_eq!(
        message["tree"],
        serde_json::json!({ "links": 16, "transmissions": 4, "branches": 8 })
    );
    assert_eq!(answer["work"]["data_hops"], 25 * (16 + 8));
    // One neighbour in the own rack, and 14 hosts behind a spine.
    assert_eq!(message["unicast_links"], 2 + 14 * 4);
    // The copy that comes back to the sender's ToR is dropped there.
    assert_eq!((&message["absorbed"], &message["dropped"]), (&25.into(), &0.into()));
    assert_eq!(answer["splitters"]["sent"], 100);
    assert_eq!(bench.column("out/receivers.csv", "delivered"), vec!["25"; 15]);
    assert_eq!(bench.column("out/branches.csv", "lost"), vec!["0"; 16]);
    assert!(bench.snapshot().contains_key(&bench.path("out/receivers.arrow")));
    let table = bench.run(&["simulate", "s.toml"]).stdout;
    assert!(table.contains("16 links, 8 branches") && table.contains("58 links"), "{table}");
}

#[test]
fn trees_are_pruned_to_the_group() {
    let two = "[[group]]\nname = \"two\"\nmembers = [0, 1, 2]\ntransport = \"datagram\"\n";
    let bench = over_design(&format!(
        "{HEAD}{NETWORK}{two}{}",
        SENT.replace("all", "two").replace('3', "0")
    ));
    let answer = bench.ask(&["simulate", "s.toml"]);
    let tree = &answer["multicasts"][0]["tree"];
    // Hosts 0 and 1 share ToR 0. Two or three splitters lead to ToR 1, and no packet crosses a fourth.
    let lit = tree["transmissions"].as_u64().unwrap();
    assert!((1..4).contains(&lit), "{tree}");
    assert_eq!(answer["splitters"]["sent"], 25 * lit);
    assert_eq!(answer["multicasts"][0]["completed"], 2);
}

#[test]
fn random_groups_by_the_thousand_over_links() {
    let groups = "[[group]]\nname = \"g\"\nrandom = 5\ncount = 1000\ntransport = \"datagram\"\n\
                  [[multicast]]\ngroup = \"g\"\nsize = \"1 kB\"\nstart = \"1 us\"\n";
    let bench = bench_with(&format!("{HEAD}{TREE}{groups}"));
    let answer = bench.ask(&["simulate", "s.toml", "--out", "out"]);
    let messages = answer["multicasts"].as_array().unwrap();
    assert_eq!(messages.len(), 1000);
    assert!(messages.iter().all(|message| message["completed"] == 4));
    assert_eq!(messages[7]["group"], "g 7");
    assert_eq!(answer["splitters"], Value::Null);
    assert!(!bench.snapshot().contains_key(&bench.path("out/branches.csv")));
    let names: std::collections::BTreeSet<String> =
        bench.column("out/receivers.csv", "to").into_iter().collect();
    assert_eq!(names.len(), 16, "members are drawn from all hosts");
}

/// A ToR that relays for ToR 1, and is not it.
fn relay(bench: &Bench) -> String {
    let tree = bench.ask(&["tree", "hall.toml", "--source", "tor:1"]);
    let relays = tree["relays"].as_array().expect("a list");
    relays.iter().map(Value::to_string).find(|relay| relay != "1").expect("a relay")
}

#[test]
fn parts_die_and_come_back() {
    let bench = over_design(&format!("{HEAD}{NETWORK}{ALL}{SENT}"));
    let relay = relay(&bench);
    let dies = |what: &str, times: &str| {
        let failure = format!("[[failure]]\n{what}\n{times}\n");
        bench.write("s.toml", format!("{HEAD}{NETWORK}{ALL}{SENT}{failure}"));
        let answer = bench.ask(&["simulate", "s.toml"]);
        let message = &answer["multicasts"][0];
        let of = |key: &str| message[key].as_u64().unwrap();
        (of("completed"), of("delivered"), of("dropped"))
    };
    let always = "at = \"0 s\"";
    let relayed = dies(&format!("relay = \"tor:{relay}\""), always);
    assert!(
        relayed.0 < 15 && relayed.2 == 50,
        "each copy into its splitter is lost twice: {relayed:?}"
    );
    assert_eq!(dies(&format!("splitter = \"tor:{relay}\""), always), relayed);
    assert_eq!(dies(&format!("failed = \"splitter:{relay}\""), always), relayed);
    let tor = dies(&format!("tor = \"tor:{relay}\""), always);
    assert!(tor.0 <= relayed.0 - 2, "its own hosts are cut off too: {tor:?}");
    let from_own = dies("splitter = \"tor:1\"", always);
    assert_eq!((from_own.0, from_own.1), (1, 25), "only the neighbour in the rack has a copy");
    let back = dies(&format!("relay = \"tor:{relay}\""), "at = \"2 us\"\nuntil = \"5 us\"");
    assert!(back.1 > relayed.1 && back.2 > 0 && back.2 < 50, "{back:?}");
    // A recovered plan has its failure and its rules: all receive again.
    let failed = format!("relay:{relay}");
    let ran = bench.run(&["recover", "hall.toml", "--failed", &failed, "--apply", "plan"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    bench.write("s.toml", format!("{HEAD}{NETWORK}{ALL}{SENT}").replace("hall.toml", "plan"));
    let answer = bench.ask(&["simulate", "s.toml"]);
    assert_eq!(answer["multicasts"][0]["completed"], 15);
}

#[test]
fn what_is_wrong_with_groups_is_said() {
    let pair = "[[group]]\nname = \"all\"\nmembers = [0, 3]\ntransport = \"datagram\"\n";
    let with = |group: &str, sent: &str| format!("{NETWORK}{group}{sent}");
    let cases: &[(String, &[&str])] = &[
        (
            with(&pair.replace("3]", "16]"), SENT),
            &["s.toml:12: group.members: found 16", "0 to 15"],
        ),
        (
            with(&pair.replace("3]", "\"spine 0\"]"), SENT),
            &["s.toml:12: group.members: found the switch"],
        ),
        (
            with(&pair.replace("0, 3", "3"), SENT),
            &["s.toml:12: group.members: found 1 host; a group has at least two"],
        ),
        (with(&pair.replace("0, 3", "3, 3"), SENT), &["s.toml:12: group.members: found", "twice"]),
        (
            with(&pair.replace("[0, 3]", "\"some\""), SENT),
            &["s.toml:12: group.members: found \"some\"", "\"all\""],
        ),
        (
            with(&pair.replace("members = [0, 3]", "random = 17"), SENT),
            &["s.toml:12: group.random: found 17; expected 2 to 16"],
        ),
        (
            with(&pair.replace("members = [0, 3]\n", ""), SENT),
            &["s.toml:10: group.members: is missing"],
        ),
        (
            with(&format!("{pair}{pair}"), SENT),
            &["s.toml:15: group.name: found \"all\", which another group has"],
        ),
        (
            with(&format!("{pair}leader = 0\n"), SENT),
            &["s.toml:14: group.leader: is for groups with"],
        ),
        (
            with(pair, &SENT.replace("= 3", "= 5")),
            &["s.toml:16: multicast.from: found", "no member"],
        ),
        (
            with(pair, &SENT.replace("100 kB", "0 B")),
            &["s.toml:17: multicast.size: found 0 B; expected 1 B"],
        ),
        (
            with(pair, &SENT.replace("100 kB", "900 GB")),
            &["s.toml:17: multicast.size: found 900 GB, more than 8388608 packets"],
        ),
        (
            with(pair, &SENT.replace("\"all\"", "\"none\"")),
            &["s.toml:15: multicast.group: found \"none\"; the groups are all"],
        ),
        (
            with(pair, &format!("{SENT}start = \"5 ms\"\n")),
            &["s.toml:18: multicast.start: found 5 ms"],
        ),
        (
            with(pair, &format!("{SENT}{SENT}class = \"lossy\"\n")),
            &["s.toml:22: multicast.class: differs"],
        ),
        (
            format!("{TREE}{pair}data = \"light\"\n{SENT}"),
            &["s.toml:12: group.data: found light, and the network has no splitters"],
        ),
        (
            with(pair, &format!("{SENT}[[change]]\ngroup = \"all\"\nat = \"1 us\"\njoins = [1]\n")),
            &["s.toml:20: change.at: found 1 us, and the last message to the group starts at 0"],
        ),
        (
            with(
                &pair.replace("datagram", "rc"),
                &format!("{SENT}[[change]]\ngroup = \"all\"\nat = \"1 us\"\njoins = [1]\n"),
            ),
            &[
                "s.toml:20: change.at: found 1 us, and the last message to the group starts at 0",
                "earlier",
            ],
        ),
        (
            format!(
                "{}[[flow]]\nfrom = 0\nto = 1\nsize = \"1 kB\"\n[[change]]\ngroup = \"all\"\nat = \"0 s\"\njoins = \
                    [1]\n",
                with(&pair.replace("datagram", "rc"), "")
            ),
            &["change.at: found 0 ps, and there is no message to the group"],
        ),
        (
            with(pair, &format!("{SENT}[[failure]]\nrelay = \"tor:9\"\nat = \"1 us\"\n")),
            &["s.toml:19: failure.relay: found \"9\""],
        ),
        (
            with(
                pair,
                &format!("{SENT}[[failure]]\nrelay = \"tor:1\"\ntor = \"tor:1\"\nat = \"1 us\"\n"),
            ),
            &["s.toml:20: failure.tor: is given together with relay"],
        ),
        (
            with(
                pair,
                &format!(
                    "{SENT}[[failure]]\nsplitter = \"tor:0\"\nbranch = \"tor:0\"\nat = \"1 us\"\n"
                ),
            ),
            &["s.toml:20: failure.branch: "],
        ),
        (
            format!(
                "{TREE}{}[[failure]]\nrelay = \"tor:9\"\nat = \"1 us\"\n",
                "[[flow]]\nfrom = 0\nto = 1\nsize = \"1 kB\"\n"
            ),
            &["failure.relay: names a part of a planned fabric"],
        ),
        (
            format!("{NETWORK}light = \"off\"\n[[flow]]\nfrom = 0\nto = 1\nsize = \"1 kB\"\n"),
            &["s.toml:10: network.light: is for messages to groups"],
        ),
    ];
    for (scenario, expected) in cases {
        let bench = over_design(&format!("{HEAD}{scenario}"));
        let ran = bench.run(&["simulate", "s.toml"]);
        assert_eq!(ran.code, 2, "{scenario}\n{ran:?}");
        for part in *expected {
            assert!(ran.stderr.contains(part), "{scenario}\n{part}\n{}", ran.stderr);
        }
    }
}

/// Losses of a transmitter and of one branch are said in the scenario.
#[test]
fn losses_at_splitters_are_said() {
    let with = |loss: &str| {
        over_design(&format!("{HEAD}{NETWORK}light = \"off\"\n{ALL}{SENT}[[loss]]\n{loss}"))
    };
    let lost = |bench: &Bench| -> Vec<u64> {
        bench.ask(&["simulate", "s.toml", "--out", "out"]);
        let lost = bench.column("out/branches.csv", "lost");
        lost.iter().map(|lost| lost.parse().expect("a number")).collect()
    };
    let all = lost(&with("splitter = \"tor:1\"\nrate = 0.3\n"));
    let [first, second] = [all[2], all[3]];
    assert!(first > 0 && first == second && all.iter().sum::<u64>() == 2 * first, "{all:?}");
    let one = lost(&with("splitter = \"tor:1\"\nbranch = \"tor:7\"\nrate = 0.3\nburst = 2\n"));
    assert!(one[3] > 0 && one.iter().sum::<u64>() == one[3], "{one:?}");
    let refused: [(&str, &[&str]); 6] = [
        ("splitter = \"tor:9\"\nrate = 0.1\n", &["loss.splitter: found"]),
        (
            "splitter = \"tor:1\"\nbranch = \"tor:1\"\nrate = 0.1\n",
            &["loss.branch: found", "reaches"],
        ),
        ("branch = \"tor:1\"\nrate = 0.1\n", &["loss.branch: is for a splitter"]),
        (
            "splitter = \"tor:1\"\nlayer = 1\nrate = 0.1\n",
            &["loss.splitter: is given together with layer"],
        ),
        ("splitter = \"tor:1\"\none_way = true\nrate = 0.1\n", &["loss.one_way: is for a link"]),
        ("splitter = \"tor:1\"\nrate = 1.5\n", &["loss.rate: found 1.5"]),
    ];
    for (loss, expected) in refused {
        with(loss).refuses(&["simulate", "s.toml"], expected);
    }
    let flow =
        "[[flow]]\nfrom = 0\nto = 1\nsize = \"1 kB\"\n[[loss]]\nsplitter = \"tor:1\"\nrate = 0.1\n";
    bench_with(&format!("{HEAD}{TREE}{flow}"))
        .refuses(&["simulate", "s.toml"], &["loss.splitter: names a part of a planned fabric"]);
}

/// A loss names a part of the plan as it is now, not as it was before it grew or shrank.
#[test]
fn losses_at_parts_that_a_plan_no_longer_has_are_refused_at_their_line() {
    let bench = over_design("");
    let old = ["--family", "shufflecast", "--p", "2", "--k", "2", "--housing", "receiver"];
    bench.plan("old", &old);
    bench.ask(&["grow", "old", "--tors", "12", "--out", "grown"]);
    bench.ask(&["shrink", "grown", "--tors", "8", "--out", "small"]);
    let branches = |plan: &str| -> Vec<(String, String)> {
        let cables = sheet(&bench.path(plan).join("cables.csv"));
        let branches = cables.iter().filter(|cable| cable["kind"] == "branch");
        branches.map(|cable| (cable["from_tor"].clone(), cable["to_tor"].clone())).collect()
    };
    let (grown, small) = (branches("grown"), branches("small"));
    assert_eq!(small, branches("old"));
    let simulate = |plan: &str, loss: &str, refused: &[&str]| {
        let network = NETWORK.replace("hall.toml", plan);
        let losses = format!("[[loss]]\n{loss}rate = 0.5\n");
        bench.write("s.toml", format!("{HEAD}{network}light = \"off\"\n{ALL}{SENT}{losses}"));
        match refused {
            [] => _ = bench.ask(&["simulate", "s.toml"]),
            parts => _ = bench.refuses(&["simulate", "s.toml"], parts),
        }
    };
    let rack = &sheet(&bench.path("grown/ports.csv"));
    let rack = &rack.iter().find(|port| port["tor"] == "9").expect("ToR 9")["name"];
    for name in ["tor:9", rack] {
        let splitter = format!("splitter = \"{name}\"\n");
        simulate("grown", &splitter, &[]);
        for plan in ["old", "small"] {
            simulate(plan, &splitter, &["s.toml:20: loss.splitter: found", "0 to 7"]);
        }
    }
    let branch = |(from, to): &(String, String)| {
        format!("splitter = \"tor:{from}\"\nbranch = \"tor:{to}\"\n")
    };
    for gone in grown.iter().filter(|branch| !small.contains(branch)) {
        let line = if gone.0.len() > 1 || &*gone.0 > "7" { "s.toml:20: " } else { "s.toml:21: " };
        simulate("grown", &branch(gone), &[]);
        simulate("small", &branch(gone), &[line, "found"]);
    }
    let moved: Vec<_> = small.iter().filter(|branch| !grown.contains(branch)).collect();
    assert!(!moved.is_empty(), "a transmit cord moved");
    for gone in moved {
        simulate("small", &branch(gone), &[]);
        simulate("grown", &branch(gone), &["s.toml:21: loss.branch: found", "it reaches"]);
    }
}

/// A design whose light does not close runs only when told to. Then its branches lose what their margins say.
#[test]
fn light_decides_loss() {
    let bench = over_design(&format!("{HEAD}{NETWORK}{ALL}{SENT}"));
    let lit = |of: &str| format!("{DESIGN}[optics]\ntransceiver = \"{of}\"\n");
    bench.write("hall.toml", lit("10g-l40"));
    let answer = bench.ask(&["simulate", "s.toml"]);
    assert_eq!(answer["splitters"]["light"], "typical");
    assert_eq!(answer["multicasts"][0]["completed"], 15);
    bench.write("hall.toml", lit("100gbase-dr"));
    let ran = bench.run(&["simulate", "s.toml", "--light", "worst"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(
        ran.stderr.contains("network.file: the light of 16 of 16 branches does not close"),
        "{ran:?}"
    );
    assert!(ran.stderr.contains("margin -"), "{ran:?}");
    assert_eq!(bench.run(&["simulate", "s.toml", "--light", "off"]).code, 0);
    let told = format!("{HEAD}{NETWORK}dark_branches = \"run\"\n{ALL}{SENT}");
    bench.write("s.toml", &told);
    let answer = bench.ask(&["simulate", "s.toml", "--light", "worst"]);
    let splitters = &answer["splitters"];
    assert!(splitters["lost"].as_u64() > Some(0), "{splitters}");
    let worst = &splitters["lossy"][0];
    assert!(worst["margin_db"].as_f64() < Some(0.0) && worst["frame_loss"].as_f64() > Some(0.0));
    // Draws differ by seed, and are the same for a seed.
    let drawn = |seed: &str| {
        let line = ["simulate", "s.toml", "--light", "draw", "--seed", seed];
        bench.ask(&line)["splitters"]["lossy"].clone()
    };
    assert_eq!(drawn("1"), drawn("1"));
    assert_ne!(drawn("1"), drawn("2"));
}
