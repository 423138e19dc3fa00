//! Queue pairs in error, messages that wait for messages to groups, and standstills of groups, as answers tell them.

use serde_json::{Value, json};

use crate::simulate::bench_with;

const STAR: &str = "[network]\nkind = \"leaf-spine\"\nleaves = 1\nspines = 0\nhosts_per_leaf = 4\n\
                    rate = \"100 Gb/s\"\ndelay = \"1 us\"\n";
const HEAD: &str = "version = 1\nuntil = \"1 s\"\n";
const RETRIES: &str = "[parameters.transport]\ntimeout = \"100 us\"\nretries = 2\n";
const GROUP: &str = "[[group]]\nname = \"all\"\nmembers = \"all\"\n";

fn dead(host: usize, at: &str) -> String {
    format!("[[failure]]\nlink = [\"host {host}\", \"leaf 0\"]\nat = \"{at}\"\n")
}

fn flow(from: usize, to: usize, more: &str) -> String {
    format!("[[flow]]\nfrom = {from}\nto = {to}\nsize = \"2 MB\"\n{more}\n")
}

fn cast(from: usize, more: &str) -> String {
    format!("[[multicast]]\ngroup = \"all\"\nfrom = {from}\nsize = \"1 MB\"\n{more}\n")
}

fn warned(answer: &Value, parts: &[&str]) -> bool {
    let warnings = answer["warnings"].as_array().into_iter().flatten();
    let told = |text: &str| parts.iter().all(|part| text.contains(part));
    warnings.filter_map(Value::as_str).any(told)
}

#[test]
fn an_error_is_told_with_who_had_what() {
    let flows = flow(0, 1, "") + &flow(1, 2, "after = 0") + &flow(2, 3, "");
    let bench = bench_with(&format!("{HEAD}{STAR}{flows}{RETRIES}{}", dead(1, "50 us")));
    let ran = bench.run(&["simulate", "s.toml", "--out", "out", "--json"]);
    let answer = ran.document();
    assert_eq!((ran.code, &answer["end"]["how"]), (1, &json!("failed")));
    let failed = &answer["queue_pair_errors"][0];
    assert_eq!(failed["message"], "flow 0 (host 0 to host 1)");
    assert_eq!((&failed["error"], &failed["timeouts"]), (&json!("retries-exceeded"), &json!(3)));
    let had = &failed["receivers"][0]["in_order_bytes"];
    assert_eq!(failed["receivers"][0]["host"], "host 1");
    assert!(had.as_u64().is_some_and(|had| had > 0 && had < 2_000_000), "{failed}");
    let never = json!({
        "message": "flow 1 (host 1 to host 2)", "waits_for": "flow 0 (host 0 to host 1)"
    });
    assert_eq!(answer["never_started"], json!([never]));
    assert!(warned(&answer, &["flow 0 (host 0 to host 1)", "3 timeouts", "host 1 has"]));
    assert!(warned(&answer, &["1 message never started", "flow 1 (host 1 to host 2)"]));
    let status = bench.column("out/flows.csv", "status");
    assert_eq!(status, ["retries-exceeded", "never-started", "acknowledged"]);
    assert_eq!(bench.column("out/flows.csv", "in_order_bytes")[0], had.to_string());
    let text = bench.run(&["simulate", "s.toml"]).stdout;
    assert!(text.contains("queue pair in error") && text.contains("never started"), "{text}");
    // Without a limit it is repeated until nothing got on for too long, and the text says what waits.
    let bench = bench_with(&format!("{HEAD}{STAR}{flows}{}", dead(1, "50 us")));
    let ran = bench.run(&["simulate", "s.toml", "--json"]);
    let answer = ran.document();
    assert_eq!((ran.code, &answer["end"]["how"]), (1, &json!("stalled")));
    let why = answer["end"]["why"].as_str().unwrap();
    for part in ["flow 0 (host 0 to host 1) waits: packet ", "is not acknowledged", "host 1 has"] {
        assert!(why.contains(part), "{part}: {why}");
    }
}

#[test]
fn a_group_in_error_names_each_receiver() {
    let casts = cast(0, "") + &cast(2, "");
    let bench = bench_with(&format!("{HEAD}{STAR}{GROUP}{casts}{RETRIES}{}", dead(1, "50 us")));
    let ran = bench.run(&["simulate", "s.toml", "--out", "out", "--json"]);
    let answer = ran.document();
    assert_eq!((ran.code, &answer["end"]["how"]), (1, &json!("failed")));
    let errors = answer["queue_pair_errors"].as_array().unwrap();
    let ended: Vec<(&Value, &Value)> =
        errors.iter().map(|failed| (&failed["message"], &failed["error"])).collect();
    let [first, second] = [0, 2]
        .map(|from| json!(format!("message {} to group \"all\" (from host {from})", from / 2)));
    assert_eq!(ended, [(&first, &json!("retries-exceeded")), (&second, &json!("flushed"))]);
    let hosts: Vec<&Value> =
        errors[0]["receivers"].as_array().unwrap().iter().map(|had| &had["host"]).collect();
    assert_eq!(hosts, ["host 1", "host 2", "host 3"]);
    assert_eq!(answer["groups"][0]["standing"], "failed");
    let status = bench.column("out/receivers.csv", "status");
    assert_eq!((&*status[0], &*status[3]), ("retries-exceeded", "flushed"));
}

#[test]
fn a_standstill_of_a_group_names_group_message_and_member() {
    let bench = bench_with(&format!("{HEAD}{STAR}{GROUP}{}{}", cast(1, ""), dead(2, "50 us")));
    let answer = bench.run(&["simulate", "s.toml", "--json"]).document();
    assert_eq!(answer["end"]["how"], "stalled");
    let why = answer["end"]["why"].as_str().unwrap();
    for part in
        ["message 0 to group \"all\" (from host 1) waits: packet ", "since 49.", "host 2 has "]
    {
        assert!(why.contains(part), "{part}: {why}");
    }
    let tries = "[parameters.groups]\nregister_tries = 1000\n";
    let bench = bench_with(&format!("{HEAD}{STAR}{GROUP}{}{tries}{}", cast(1, ""), dead(2, "0 s")));
    let answer = bench.run(&["simulate", "s.toml", "--json"]).document();
    let why = answer["end"]["why"].as_str().unwrap();
    for part in ["group \"all\"", "1 hosts have not confirmed", "the first host 2"] {
        assert!(why.contains(part), "{part}: {why}");
    }
}

#[test]
fn an_all_reduce_is_a_gather_and_a_broadcast() {
    let gather: String = (1..4).map(|host| flow(host, 0, "")).collect();
    let broadcast = cast(0, "name = \"sum\"\nafter = [0, 1, 2]");
    let back = flow(2, 3, "after = \"sum\"");
    let bench = bench_with(&format!("{HEAD}{STAR}{gather}{back}{GROUP}{broadcast}"));
    let answer = bench.ask(&["simulate", "s.toml", "--out", "out"]);
    assert_eq!((&answer["end"]["how"], &answer["flows"]["completed"]), (&json!("done"), &json!(4)));
    let received = bench.column("out/flows.csv", "received_ps");
    let gathered = received[..3].iter().map(|at| at.parse::<u64>().unwrap()).max();
    assert_eq!(answer["multicasts"][0]["start_ps"].as_u64(), gathered);
    let hosts = bench.column("out/receivers.csv", "to");
    let place = hosts.iter().position(|host| host == "2").unwrap();
    let started = bench.column("out/flows.csv", "start_ps");
    assert_eq!(started[3], bench.column("out/receivers.csv", "received_ps")[place]);
}

/// What waits for datagrams that its host lacks never begins: the run fails, and says why.
#[test]
fn what_waits_for_lost_datagrams_fails_the_run() {
    let datagrams = "[[group]]\nname = \"all\"\nmembers = [0, 1, 2]\ntransport = \"datagram\"\n";
    let rows =
        flow(1, 2, "after = \"sum\"") + &flow(2, 1, "after = 0") + &cast(0, "name = \"sum\"\n");
    let lossy = "[[loss]]\nlink = [\"host 1\", \"leaf 0\"]\nrate = 1.0\n";
    let bench = bench_with(&format!("{HEAD}{STAR}{rows}{datagrams}{lossy}"));
    let ran = bench.run(&["simulate", "s.toml", "--json"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let report = ran.document();
    assert_eq!(report["end"]["how"], "failed");
    let failures = report["end"]["failures"].as_array().expect("a list");
    assert_eq!(failures.len(), 2, "{failures:?}");
    for (failure, what) in
        failures.iter().zip(["of which its host lacks datagrams", "which failed"])
    {
        assert_eq!(failure["cause"], "never-started");
        assert!(failure["why"].as_str().expect("a text").contains(what), "{failure}");
    }
    // Where nothing is lost, nothing fails; nor where the host that waits has all.
    let well = [
        rows.clone() + datagrams,
        format!("{rows}{datagrams}{}", lossy.replace("host 1", "host 2")),
    ];
    assert_eq!(
        bench_with(&format!("{HEAD}{STAR}{}", well[0])).run(&["simulate", "s.toml"]).code,
        0
    );
    let flow_alone =
        well[1].replacen(&flow(2, 1, "after = 0"), "", 1).replace("to = 2\n", "to = 0\n");
    assert_eq!(
        bench_with(&format!("{HEAD}{STAR}{flow_alone}")).run(&["simulate", "s.toml"]).code,
        0
    );
}

#[test]
fn what_cannot_be_waited_for_is_refused() {
    let pair = "[[group]]\nname = \"all\"\nmembers = [0, 1]\n";
    let named = |more: &str| cast(0, &format!("name = \"sum\"\n{more}"));
    let datagrams = "[[group]]\nname = \"all\"\nmembers = [0, 1]\ntransport = \"datagram\"\n";
    let cases = [
        (
            pair,
            flow(2, 3, "after = \"sum\"") + &named(""),
            "flow.after: found \"sum\", which \"host 2\"",
        ),
        (pair, flow(1, 3, "after = \"all\"") + &named(""), "flow.after: found \"all\"; the named"),
        (pair, flow(1, 0, "after = \"sum\"") + &named("after = 0"), "after: waits for itself"),
        (
            pair,
            flow(1, 2, "") + &named("after = 0"),
            "multicast.after: found 0, a flow from \"host 1\" to \"host 2\"; a host waits for what it",
        ),
        (pair, flow(1, 0, "") + &named("after = 7"), "multicast.after: found 7; there are 1 flows"),
        (pair, named("") + &named(""), "multicast.name: found \"sum\", which another"),
        (
            datagrams,
            flow(0, 1, "after = \"sum\"") + &named(""),
            "flow.after: found \"sum\", datagrams",
        ),
        (pair, named("after = \"sum\""), "multicast.after: waits for itself"),
    ];
    for (group, rows, message) in cases {
        bench_with(&format!("{HEAD}{STAR}{rows}{group}"))
            .refuses(&["simulate", "s.toml"], &[message]);
    }
    for (said, message) in [("-1", "retries: "), ("\"never\"", "retries: found \"never\"")] {
        let retries = format!("[parameters.transport]\nretries = {said}\n");
        bench_with(&format!("{HEAD}{STAR}{}{retries}", flow(0, 1, "")))
            .refuses(&["simulate", "s.toml"], &[message]);
    }
}
