//! New weights for a fleet of servers, and tokens of a mixture of experts.

use serde_json::Value;

use crate::bench::Bench;
use crate::simulate::bench_with;

const NETWORK: &str = "version = 1\nseed = 1\nuntil = \"50 ms\"\n[network]\nkind = \"leaf-spine\"\nleaves = 4\n\
                       spines = 2\nhosts_per_leaf = 4\nrate = \"100 Gb/s\"\ndelay = \"1 us\"\n\
                       [[group]]\nname = \"all\"\nmembers = \"all\"\n";

/// A refresh of 14 servers by two sources: two shards, four layers.
fn refresh(more: &str) -> Bench {
    bench_with(&format!(
        "{NETWORK}[[collective]]\noperation = \"refresh\"\nsize = \"8 MB\"\nsources = [0, 8]\n\
         shards = 2\nlayers = 4\n{more}"
    ))
}

fn only(bench: &Bench) -> Value {
    bench.ask(&["simulate", "s.toml", "--check"])["collectives"][0].clone()
}

fn at(one: &Value, path: &str) -> u64 {
    one.pointer(path).and_then(Value::as_u64).unwrap_or_else(|| panic!("{path} in {one}"))
}

/// A layer is a fourth of a shard, and each server has its first one before its last byte.
#[test]
fn servers_have_their_first_layer_early() {
    for schedule in [
        "schedule = \"pull\"\n",
        "schedule = \"chain\"\n",
        "schedule = \"multicast\"\ngroup = \"all\"\n",
    ] {
        let one = only(&refresh(schedule));
        assert_eq!(at(&one, "/completed"), 1, "{one}");
        assert_eq!(at(&one, "/first_layer/count"), 14);
        let (first, last) = (at(&one, "/first_layer/max_ps"), at(&one, "/times/0/last_ps"));
        assert!(first < last, "{schedule}: {first} {last}");
        // No port brings a layer of 1 MB in less time than its rate says.
        assert!(at(&one, "/first_layer/p50_ps") > 80_000_000, "{one}");
    }
}

/// Over a group each server receives both shards and needs one; by pulling it receives its own.
#[test]
fn what_servers_do_not_need_is_counted() {
    let lit = only(&refresh("schedule = \"multicast\"\ngroup = \"all\"\n"));
    // 15 receivers of 8 MB each time: a server needs 4 MB, and the other source nothing.
    assert_eq!(at(&lit, "/filtered_bytes"), 14 * 4_000_000 + 8_000_000);
    assert_eq!(at(&lit, "/sent_bytes"), 8_000_000);
    let pulled = only(&refresh("schedule = \"pull\"\n"));
    assert_eq!(pulled["filtered_bytes"], Value::Null);
    assert_eq!(at(&pulled, "/sent_bytes"), 14 * 4_000_000);
    assert_eq!((&lit["bus_bps"], &pulled["bus_bps"]), (&Value::Null, &Value::Null));
}

/// The two sources share the work.
#[test]
fn sources_take_turns() {
    let bench = refresh("schedule = \"pull\"\n");
    let ran = bench.run(&["simulate", "s.toml", "--out", "out"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let sizes = bench.column("out/flows.csv", "size_bytes");
    let from = bench.column("out/flows.csv", "from");
    let sent = |host: &str| -> u64 {
        let own = sizes.iter().zip(&from).filter(|(_, from)| *from == host);
        own.map(|(size, _)| size.parse::<u64>().expect("a number")).sum()
    };
    assert_eq!((sent("0"), sent("8")), (28_000_000, 28_000_000));
}

#[test]
fn bad_fleets_are_refused() {
    for (more, message) in [
        (
            "schedule = \"pull\"\nmembers = [0, 8, 1]\n",
            "found 3 members, of which 2 are sources, and 2 shards",
        ),
        ("schedule = \"pull\"\nmembers = [0, 1, 2, 3]\n", "collective.sources: found "),
        ("schedule = \"ring\"\n", "no schedule of refresh; those are chain, pull, multicast"),
        ("schedule = \"pull\"\nroot = 1\n", "collective.root: unknown field"),
        ("schedule = \"pull\"\nbuckets = 2\n", "collective.buckets: unknown field"),
    ] {
        refresh(more).refuses(&["simulate", "s.toml"], &[message]);
    }
    let empty = bench_with(&format!(
        "{NETWORK}[[collective]]\noperation = \"refresh\"\nschedule = \"pull\"\nsize = \"1 MB\"\nsources = []\n"
    ));
    empty.refuses(&["simulate", "s.toml"], &["collective.sources: found an empty list"]);
}

const TOKENS: &str = "token,from,to\n0,0,4\n0,0,8\n1,0,0\n2,4,8\n2,4,4\n3,12,0\nlast,0,8\n";

/// Tokens of 4 kB by the table above.
fn experts(operation: &str, more: &str, table: &str) -> Bench {
    let bench = bench_with(&format!(
        "{NETWORK}[[group]]\nname = \"experts\"\nmembers = [0, 4, 8, 12]\n[[collective]]\noperation = \"{operation}\"\n\
         size = \"4 kB\"\nroutes = \"tokens.csv\"\n{more}"
    ));
    bench.write("tokens.csv", table);
    bench
}

const APART: &str = "schedule = \"concurrent\"\nmembers = [0, 4, 8, 12]\n";
const TOGETHER: &str = "schedule = \"multicast\"\ngroup = \"experts\"\n";

#[test]
fn tokens_go_to_their_experts_and_back() {
    // From 0 to 4: one token; from 0 to 8: two; from 4 to 8 and from 12 to 0: one.
    for operation in ["dispatch", "combine"] {
        let one = only(&experts(operation, APART, TOKENS));
        assert_eq!((at(&one, "/messages"), at(&one, "/sent_bytes")), (4, 20_000), "{operation}");
        assert_eq!(at(&one, "/bytes"), 20_000, "five tokens");
        assert_eq!(one["filtered_bytes"], Value::Null);
    }
    // Over a group: two tokens of 0 and one each of 4 and 12 reach three hosts each; five of these twelve are wanted.
    let one = only(&experts("dispatch", TOGETHER, TOKENS));
    assert_eq!((at(&one, "/messages"), at(&one, "/sent_bytes")), (3, 16_000));
    assert_eq!(at(&one, "/filtered_bytes"), 7 * 4_000);
}

/// Over a group of datagrams several sources, or several hosts with tokens, send at a time.
#[test]
fn datagrams_carry_weights_and_tokens() {
    let network =
        NETWORK.replace("members = \"all\"\n", "members = \"all\"\ntransport = \"datagram\"\n");
    let bench = bench_with(&format!(
        "{network}[[collective]]\noperation = \"refresh\"\nschedule = \"multicast\"\ngroup = \"all\"\nsize = \"1 MB\"\n\
         sources = [0, 8]\nshards = 2\nlayers = 2\nat_once = 2\n[[collective]]\noperation = \"dispatch\"\n\
         schedule = \"multicast\"\ngroup = \"all\"\nsize = \"4 kB\"\nroutes = \"tokens.csv\"\nat_once = 3\n\
         start = \"1 ms\"\n"
    ));
    bench.write("tokens.csv", TOKENS);
    let told = bench.ask(&["simulate", "s.toml"]);
    let (weights, tokens) = (&told["collectives"][0], &told["collectives"][1]);
    assert_eq!((at(weights, "/completed"), at(tokens, "/completed")), (1, 1), "{told}");
    assert_eq!(at(weights, "/times/0/receivers"), 14);
    assert_eq!(at(weights, "/filtered_bytes"), 14 * 500_000 + 1_000_000);
    // Four tokens reach 15 hosts each, and five of these 60 are wanted.
    assert_eq!(at(tokens, "/filtered_bytes"), 55 * 4_000);
}

#[test]
fn bad_routes_are_refused_at_their_line() {
    let with = |row: &str| format!("{TOKENS}{row}\n");
    for (operation, more, table, parts) in [
        (
            "dispatch",
            APART,
            with("9,1,0"),
            vec!["tokens.csv:9: from: ", "no member of the operation"],
        ),
        ("dispatch", APART, with("9,0,99"), vec!["tokens.csv:9: to: "]),
        ("dispatch", APART, with("9,0,"), vec!["tokens.csv:9: to: found an empty cell"]),
        ("dispatch", APART, with(",0,4"), vec!["tokens.csv:9: token: found an empty cell"]),
        (
            "dispatch",
            APART,
            with("2,0,12"),
            vec!["tokens.csv:9: from: ", "another host for token \"2\""],
        ),
        ("dispatch", APART, with("2,4,8"), vec!["tokens.csv:9: to: ", "goes to this host twice"]),
        (
            "dispatch",
            APART,
            "token,from,to\n".into(),
            vec!["collective.routes: names a file without tokens"],
        ),
        (
            "dispatch",
            APART,
            "token,from,to\n1,0,0\n".into(),
            vec!["collective.routes: has no token that goes"],
        ),
        ("dispatch", APART, "token,from\n1,0\n".into(), vec!["tokens.csv:1", "to"]),
        ("dispatch", APART, "token,from,to,rank\n1,0,4,1\n".into(), vec!["found column \"rank\""]),
        ("combine", TOGETHER, TOKENS.into(), vec!["collective.group: unknown field"]),
        ("allgather", APART, TOKENS.into(), vec!["collective.routes: unknown field"]),
    ] {
        experts(operation, more, &table).refuses(&["simulate", "s.toml"], &parts);
    }
    let without = bench_with(&format!(
        "{NETWORK}[[collective]]\noperation = \"dispatch\"\nschedule = \"concurrent\"\nsize = \"1 kB\"\n"
    ));
    without.refuses(&["simulate", "s.toml"], &["collective.routes: is missing"]);
}
