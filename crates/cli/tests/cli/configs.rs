//! Configurations of switches: what is refused, and that equal plans give equal bytes. What the files do is tested on
//! Open vSwitch by `tests/peers`.

use std::fs;

use crate::bench::{Bench, SMALL};

const TOLD: [&str; 4] = ["--dialect", "openflow", "--out", "configs"];

fn configs<'a>(design: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [&["configs"], design, &TOLD[..], more].concat()
}

/// Refuses a file of groups for the small fabric.
fn refuses(text: &str, parts: &[&str]) {
    refuses_for(&SMALL, text, parts);
}

fn refuses_for(design: &[&str], text: &str, parts: &[&str]) {
    let bench = Bench::new();
    bench.write("groups.toml", format!("version = 1\n{text}"));
    let parts = [&["groups.toml:"], parts].concat();
    bench.refuses(&configs(design, &["--groups", "groups.toml"]), &parts);
    assert!(!bench.path("configs").exists());
}

#[test]
fn equal_plans_give_equal_files_and_other_files_stay() {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    let answer = bench.ask(&configs(&["plan"], &[]));
    assert_eq!(
        (answer["dialect"].as_str(), answer["encoding"].as_str()),
        (Some("openflow"), Some("masked"))
    );
    let first = bench.snapshot();
    assert_eq!(bench.run(&configs(&["plan"], &[])).code, 0);
    assert_eq!(bench.run(&configs(&SMALL, &[])).code, 0);
    assert!(bench.snapshot() == first, "a design and its plan are told the same");
    bench.write("configs/mine.txt", "mine");
    bench.refuses(&configs(&["plan"], &[]), &["configs", "mine.txt"]);
}

#[test]
fn a_fabric_that_is_too_large_is_refused() {
    let bench = Bench::new();
    let large = ["--family", "kautz", "--p", "8", "--tors", "8192"];
    bench.refuses(&configs(&large, &[]), &["found 8192 ToRs", "4096"]);
}

#[test]
fn an_edited_plan_is_refused() {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    let rules = fs::read_to_string(bench.path("plan/rules.json")).expect("it was written");
    bench.write("plan/rules.json", rules.replacen("[0,", "[", 1));
    bench.refuses(&configs(&["plan"], &[]), &["plan", "rules.json", "verify"]);
    bench.refuses(&configs(&["plan"], &["--p", "2"]), &["--p"]);
}

#[test]
fn groups_that_cannot_be_are_refused() {
    let server = "[[server]]\nname = \"s1\"\ntor = \"tor:0\"\n";
    let each = "[servers]\nper_tor = 2\n";
    refuses("[server]\n", &["server"]);
    refuses("groups = 3\n", &["groups", "unknown"]);
    refuses("[servers]\nper_tor = 2\nport = 3\n", &["servers.port"]);
    refuses(&format!("{each}{server}"), &["servers.per_tor", "[[server]]"]);
    refuses("[[server]]\nname = \"s1\"\n", &["server.tor", "is missing"]);
    refuses("[[server]]\nname = \"s1\"\ntor = \"rack:nowhere\"\n", &["server.tor", "nowhere"]);
    refuses(&format!("{server}{server}"), &["server.name", "twice"]);
    refuses("[[server]]\nname = \"all\"\ntor = \"tor:0\"\n", &["server.name", "all servers"]);
    refuses(
        &format!("{server}interface = \"Ethernet1\"\n"),
        &["server.interface", "no interfaces"],
    );
    let group = |name: &str, rest: &str| format!("{each}[[group]]\nname = {name}\n{rest}");
    for name in
        ["\"a b\"", "\"a\\nb\"", "\"a;b\"", "\"a!\"", "\"\\\"\"", "\"\"", "\"é\"", "\"a,b\""]
    {
        refuses(&group(name, "members = [\"all\"]\n"), &["group.name"]);
    }
    refuses(&group("\"g\"", ""), &["group.members", "is missing"]);
    refuses(&group("\"g\"", "members = [\"tor:99\"]\n"), &["group.members", "tor:99"]);
    refuses(&group("\"g\"", "members = [\"tor:1/3\"]\n"), &["group.members", "no servers"]);
    refuses(&group("\"g\"", "members = [\"all\", \"tor:1\"]\n"), &["group.members", "twice"]);
    refuses(
        &group("\"g\"", "address = \"10.0.0.1\"\nmembers = []\n"),
        &["group.address", "239.0.0.0/8"],
    );
    refuses(
        &group("\"g\"", "address = \"239.0.0\"\nmembers = []\n"),
        &["group.address", "239.0.0.1"],
    );
    let two = |one: &str, other: &str| {
        let group =
            |name: &str, rest: &str| format!("[[group]]\nname = \"{name}\"\n{rest}members = []\n");
        format!("{}{}", group("g1", one), group(other, one))
    };
    refuses(&two("", "g1"), &["group.name", "twice"]);
    refuses(
        &two("address = \"239.0.0.7\"\n", "g2"),
        &["group.address", "also that of group \"g1\""],
    );
    // shufflecast:III-B.match
    refuses("[addresses]\ngroups = \"10.0.0.0/8\"\n", &["addresses", "224.0.0.0/4"]);
    refuses("[addresses]\nservers = \"239.0.0.0/8\"\n", &["addresses", "outside"]);
    refuses("[addresses]\nservers = \"10.0.0.1/8\"\n", &["addresses.servers", "10.0.0.0/8"]);
    refuses("[addresses]\nservers = \"10.0.0.0/30\"\n", &["addresses", "bits"]);
    refuses("[servers]\nper_tor = 4000000\n", &["servers.per_tor", "room for"]);
    refuses("[servers]\nper_tor = 4095\n", &["servers.per_tor", "4095 for servers", "has 4096"]);
}

#[test]
fn a_tor_has_no_more_servers_than_ports() {
    let model = ["--p", "4", "--k", "2", "--tor-model", "hp-5920af-24xg"];
    refuses_for(
        &model,
        "[servers]\nper_tor = 21\n",
        &["per_tor", "4 ports", "21 for servers", "has 24"],
    );
    let bench = Bench::new();
    bench.write("groups.toml", "version = 1\n[servers]\nper_tor = 20\n");
    assert_eq!(bench.run(&configs(&model, &["--groups", "groups.toml"])).code, 0);
}

#[test]
fn addresses_of_groups_leave_room_for_the_sender() {
    let bench = Bench::new();
    let text = "version = 1\n[[group]]\nname = \"g\"\naddress = \"239.0.0.1\"\nmembers = []\n";
    bench.write("groups.toml", text);
    let asked = ["--groups", "groups.toml", "--encoding", "masked-destination"];
    bench.refuses(&configs(&SMALL, &asked), &["groups.toml:4", "group.address", "low 3 bits"]);
    bench.write("groups.toml", text.replace("239.0.0.1", "239.0.0.8"));
    assert_eq!(bench.run(&configs(&SMALL, &asked)).code, 0);
}

#[test]
fn the_same_plan_has_nothing_to_roll_out() {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    let diff = ["configs", "diff", "plan", "plan", "--dialect", "openflow", "--out", "rollout"];
    let ran = bench.run(&diff);
    assert_eq!(ran.code, 0);
    assert!(ran.stdout.contains("Nothing changes"), "{}", ran.stdout);
    assert_eq!(bench.names("rollout"), ["rollback.json", "rollout.json"]);
    for dialect in ["p4runtime", "p4runtime-sonic"] {
        let told = ["--dialect", dialect, "--encoding", "masked-destination", "--out", dialect];
        let ran = bench.run(&[&["configs", "diff", "plan", "plan"], &told[..]].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(ran.stdout.contains("Nothing changes"), "{}", ran.stdout);
        assert_eq!(bench.names(dialect), ["rollback.json", "rollout.json"]);
    }
    bench.refuses(
        &["configs", "diff", "plan", "missing", "--dialect", "openflow", "--out", "x"],
        &["missing"],
    );
}

#[test]
fn what_was_read_back_is_compared() {
    let bench = Bench::new();
    bench.plan("plan", &SMALL);
    bench.write(
        "groups.toml",
        "version = 1\n[servers]\nper_tor = 1\n[[group]]\nname = \"g\"\nmembers = [\"all\"]\n",
    );
    assert_eq!(bench.run(&configs(&["plan"], &["--groups", "groups.toml"])).code, 0);
    fs::create_dir(bench.path("back")).expect("a folder");
    let text = |name: String| fs::read_to_string(bench.path(&name)).expect("it was written");
    for tor in 0..8 {
        let (flows, gate) =
            (text(format!("configs/tor-{tor}.flows")), text(format!("configs/tor-{tor}.gate")));
        bench.write(&format!("back/tor-{tor}.dump-flows"), flows + &gate);
        bench.write(
            &format!("back/tor-{tor}.dump-groups"),
            text(format!("configs/tor-{tor}.groups")),
        );
    }
    let verify = ["configs", "verify", "configs", "--read-back", "back"];
    let good = bench.ask(&verify);
    assert_eq!((good["good"].as_bool(), good["right"].as_u64()), (Some(true), Some(8)));
    // A rule, a gate, a group, a switch, a neighbour and a probe that are otherwise.
    let flows = text("back/tor-1.dump-flows".into());
    bench.write("back/tor-1.dump-flows", flows.replacen("write_metadata:2", "write_metadata:1", 1));
    let flows = text("back/tor-2.dump-flows".into());
    let open = flows.lines().filter(|line| !line.contains("goto_table:1")).collect::<Vec<_>>();
    bench.write("back/tor-2.dump-flows", open.join("\n"));
    bench.write("back/tor-3.dump-groups", "group_id=77,type=all,bucket=actions=output:1\n");
    fs::remove_file(bench.path("back/tor-4.dump-flows")).expect("it was written");
    bench.write("back/neighbours.csv", "tor,number,heard\n0,1,7\n");
    bench.write("back/probes.csv", "source,group,server,copies\ntor:0/1,g,tor:1/1,2\n");
    let ran = bench.run(&[&verify[..], &["--json"]].concat());
    assert_eq!(ran.code, 1);
    let said = ran.stdout;
    for part in [
        "ToR 1 has",
        "ToR 2: the gate is closed",
        "has group 77",
        "ToR 4 was not read back",
        "port 1 hears",
        "reached tor:1/1 2 times",
        "did not reach tor:2/1",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    bench.write("back/tor-5.dump-flows", "nonsense\n");
    bench.refuses(&verify, &["tor-5.dump-flows:1", "expected a flow"]);
}

/// A transmit port of its own costs a transceiver of each ToR, and no relay sends back by the port that it received at.
#[test]
fn a_transmit_port_of_its_own_needs_no_hairpin() {
    let bench = Bench::new();
    let own = ["--transmit-port", "own"];
    bench.plan("shared", &SMALL);
    bench.plan("own", &[&SMALL[..], &own].concat());
    assert!(bench.verify("own").stdout.contains("Good"), "{}", bench.verify("own").stdout);
    let count = |plan: &str| bench.column(&format!("{plan}/ports.csv"), "port").len();
    assert_eq!((count("shared"), count("own")), (16, 24));
    let feeds = bench.column("own/cables.csv", "from_port");
    assert!(feeds.iter().all(|port| port == "2"));
    for (plan, has_hairpin) in [("shared", true), ("own", false)] {
        assert_eq!(bench.run(&configs(&[plan], &[])).code, 0);
        let flows = fs::read_to_string(bench.path("configs/tor-3.flows")).expect("it was written");
        assert_eq!(flows.contains("write_metadata:2"), has_hairpin, "{flows}");
    }
    let signalling = [&SMALL[..], &own, &["--fault-signalling", "on", "--out", "x"]].concat();
    bench.refuses(
        &[&["plan"], &signalling[..]].concat(),
        &["--transmit-port", "link fault signalling"],
    );
    let grown = ["grow", "own", "--tors", "12", "--out", "grown"];
    bench.refuses(&grown, &["transmit port"]);
}

/// The feed moves from a port of its own to port 0: other ports and rules, so all gates close first.
#[test]
fn the_feed_moves_to_port_0() {
    let bench = Bench::new();
    bench.plan("own", &[&SMALL[..], &["--transmit-port", "own"]].concat());
    bench.plan("shared", &SMALL);
    let report =
        bench.ask(&["configs", "diff", "own", "shared", "--dialect", "openflow", "--out", "way"]);
    let names: Vec<&str> = report["phases"]
        .as_array()
        .expect("phases")
        .iter()
        .filter_map(|phase| phase["name"].as_str())
        .collect();
    assert_eq!(names, ["close", "replace", "canary", "open"]);
    let bundle =
        fs::read_to_string(bench.path("way/02-replace-tor-3.bundle")).expect("it was written");
    assert!(bundle.contains("write_metadata:2"), "hairpins are added: {bundle}");
}

/// The files of each dialect between a plan and its repair, and what is refused.
#[test]
fn each_dialect_has_rollouts() {
    let bench = Bench::new();
    let model = [&SMALL[..], &["--tor-model", "arista-7050sx-64"]].concat();
    bench.plan("plan", &model);
    let recover = ["--failed", "relay:3", "--apply", "repaired"];
    assert_eq!(bench.run(&[&["recover"], &model[..], &recover].concat()).code, 0);
    let diff = |dialect: &str, encoding: &str, out: &str| {
        let told = ["--dialect", dialect, "--encoding", encoding, "--out", out];
        bench.run(&[&["configs", "diff", "plan", "repaired"], &told[..]].concat())
    };
    for (dialect, ending) in
        [("openflow", ".bundle"), ("p4runtime", ".1.p4rt.txt"), ("eos", ".1.eos")]
    {
        let ran = diff(dialect, "masked", dialect);
        assert_eq!(ran.code, 0, "{dialect}: {}", ran.stderr);
        let names = bench.names(dialect);
        for start in ["", "back-"] {
            let is_one = |name: &String| {
                name.starts_with(&format!("{start}0"))
                    && name.contains("-add-tor-")
                    && name.ends_with(ending)
            };
            assert!(names.iter().any(is_one), "{dialect}: {names:?}");
        }
        // Written again, they take the place of those before. Files of others are not touched.
        assert_eq!(diff(dialect, "masked", dialect).code, 0);
        bench.write(&format!("{dialect}/01-add-tor-1.mine"), "mine");
        let ran = diff(dialect, "masked", dialect);
        assert!(ran.code == 2 && ran.stderr.contains(".mine"), "{}", ran.stderr);
    }
    let ran = diff("sonic", "masked", "sonic");
    assert!(ran.stdout.contains("Nothing changes that this dialect can express"), "{}", ran.stdout);
    assert!(ran.stdout.contains("phase add"), "{}", ran.stdout);
    assert_eq!(bench.names("sonic"), ["rollback.json", "rollout.json"]);
    let ran = diff("p4runtime-sonic", "masked-destination", "x");
    assert!(ran.code == 2 && ran.stderr.contains("stand-in"), "{}", ran.stderr);
    let ran = diff("p4runtime-sonic", "masked", "x");
    assert!(ran.code == 2 && ran.stderr.contains("--encoding"), "{}", ran.stderr);
    assert!(!bench.path("x").exists());
}

/// Above 4,096 ToRs masks serve a Shufflecast. All else is refused with its size, and with what serves.
#[test]
fn tables_that_are_too_long_say_what_serves() {
    let bench = Bench::new();
    let large = ["--p", "4", "--k", "5"];
    for encoding in ["literal", "roots"] {
        bench.refuses(
            &configs(&large, &["--encoding", encoding]),
            &["--encoding", "5120 ToRs", "take masked", "10 entries", "in place of 2560"],
        );
    }
    bench.refuses(
        &configs(&["--p", "4", "--k", "6"], &[]),
        &["24576 ToRs", "150994944 rules", "67108864"],
    );
    let kautz = ["--family", "kautz", "--p", "4", "--tors", "5000"];
    bench.refuses(&configs(&kautz, &[]), &["5000 ToRs", "6250000 rules", "Shufflecast only"]);
}
