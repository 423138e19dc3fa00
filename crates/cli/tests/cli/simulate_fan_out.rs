//! How large a group can be whose switches send it to a limited number of ports.

use serde_json::{Value, json};

use crate::simulate::bench_with;

/// The largest groups by fan-out f (cepheus:VI.group-size): all hosts of a fat tree of f + 1 ports, or f edge switches
/// of f members in each of f + 1 pods of a larger one. One member more is too many.
#[test]
fn the_largest_group_follows_from_the_fan_out() {
    let ask = |ports: u32, fan_out: u32, members: &str| {
        let text = format!(
            "version = 1\nuntil = \"20 ms\"\n[network]\nkind = \"fat-tree\"\nports = {ports}\nrate = \"100 Gb/s\"\n\
             delay = \"1 us\"\n[parameters.groups]\nfan_out = {fan_out}\n\
             [[group]]\nname = \"all\"\nmembers = {members}\ntransport = \"rc\"\n\
             [[multicast]]\ngroup = \"all\"\nfrom = 0\nsize = \"64 kB\"\n"
        );
        let bench = bench_with(&text);
        let ran = bench.run(&["simulate", "s.toml", "--json"]);
        let answer: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        (ran.code, answer)
    };
    for (fan_out, ports, hosts, larger) in
        [(25, 26, 4_394, 16_250), (8, 8, 128, 576), (3, 4, 16, 36)]
    {
        let (_, answer) = ask(4, fan_out, "[0, 1]");
        let told = &answer["network"]["largest_group"];
        assert_eq!(
            (&told["ports"], &told["hosts"], &told["with_larger_switches"]),
            (&json!(ports), &json!(hosts), &json!(larger))
        );
    }
    // Four ports and a fan-out of three: all 16 hosts. With one of two they are too many.
    assert_eq!(ask(4, 3, "\"all\"").0, 0);
    assert_eq!(ask(4, 2, "\"all\"").0, 1);
    // Six ports and a fan-out of two: two hosts of two edge switches in each of three pods, of nine hosts each.
    let pods: Vec<u32> =
        [0, 9, 18].into_iter().flat_map(|pod| [pod, pod + 1, pod + 3, pod + 4]).collect();
    assert_eq!(ask(6, 2, &format!("{pods:?}")).0, 0);
    for more in [2, 6, 19 + 1, 27] {
        let members = [&pods[..], &[more]].concat();
        assert_eq!(ask(6, 2, &format!("{members:?}")).0, 1, "{more}");
    }
    assert!(ask(4, 0, "\"all\"").1["network"].get("largest_group").is_none());
}
