//! Memory is estimated before work begins, and more than is allowed is refused.

use nix::sys::resource::{UsageWho, getrusage};
use serde_json::Value;

use crate::bench::{Bench, SMALL};

/// A network of 128 hosts with this load of messages of 1 kB.
fn scenario(load: &str) -> String {
    format!(
        "version = 1\nuntil = \"10 ms\"\n[network]\nkind = \"leaf-spine\"\nleaves = 8\nspines = 4\n\
         hosts_per_leaf = 16\nrate = \"100 Gb/s\"\nlength = \"10 m\"\n\
         [[traffic]]\npattern = \"poisson\"\nload = {load}\nsize = \"1 kB\"\n"
    )
}

/// The example of a refusal: what it says is enough. `None`: it is another one.
fn enough(stderr: &str) -> Option<&str> {
    stderr.contains("of memory, and ").then_some(())?;
    stderr.split("allow it with --memory ").nth(1)?.split_whitespace().next()
}

/// Two million ToRs, of which a plan would have two thousand million fibres.
#[test]
fn what_needs_too_much_is_refused_before_any_work() {
    let bench = Bench::new();
    let large = ["--p", "1000", "--k", "2", "--housing", "zone"];
    let refused = bench.run(&[&["info"], &large[..], &["--memory", "100MB"]].concat());
    assert_eq!(refused.code, 2);
    let expected = "lightloom: --memory: the fabric with its hall needs about 620 MB of memory, and 100 MB is \
                    allowed; ask for something smaller, or allow it with --memory 620MB";
    assert_eq!(refused.stderr.trim(), expected);
    // Flows are counted before they are made, at the line that asks for them.
    bench.write("flows.toml", scenario("0.9"));
    let refused = bench.run(&["simulate", "flows.toml", "--memory", "1GB"]);
    assert_eq!(refused.code, 2);
    let place =
        refused.stderr.contains("flows.toml:12: traffic.load: a scenario of 14400000 flows");
    assert!(place && enough(&refused.stderr) == Some("20GB"), "{}", refused.stderr);
}

#[test]
fn every_command_of_a_design_or_a_scenario_takes_the_setting() {
    let bench = Bench::new();
    bench.write("flows.toml", scenario("0.001"));
    bench.write(
        "design.toml",
        "version = 1\n[fabric]\np = 2\nk = 2\n[machine]\nmemory = \"1 kB\"\n",
    );
    let planned = bench.run(&[&["plan", "--out", "plan"], &SMALL[..]].concat());
    assert_eq!(planned.code, 0, "{}", planned.stderr);
    let commands: [&[&str]; 13] = [
        &["info"],
        &["fabric"],
        &["tree", "--source", "1"],
        &["rules", "--tor", "1"],
        &["parallel"],
        &["impact", "--failed", "tx:1"],
        &["recover", "--failed", "tx:1"],
        &["repairs", "--out", "repairs"],
        &["risk"],
        &["budget"],
        &["compare"],
        &["plan", "--out", "other"],
        &["new", "--out", "new.toml"],
    ];
    let little = ["--memory", "1kB"];
    for command in commands {
        let refused = bench.run(&[command, &SMALL[..], &little[..]].concat());
        assert_eq!(refused.code, 2, "{command:?}");
        assert!(enough(&refused.stderr).is_some(), "{command:?}: {}", refused.stderr);
    }
    let others: [&[&str]; 14] = [
        &["explore", "--tors", "8"],
        &["simulate", "flows.toml"],
        &["info", "plan"],
        &["lint", "plan"],
        &["configs", "plan", "--dialect", "openflow", "--out", "written"],
        &["configs", "diff", "plan", "plan", "--dialect", "openflow", "--out", "written"],
        &["verify", "plan"],
        &["report", "plan", "--out", "written"],
        &["draw", "plan", "--out", "written"],
        &["grow", "plan", "--tors", "9", "--out", "written"],
        &["shrink", "plan", "--tors", "7", "--out", "written"],
        &["as-built", "plan", "--form", "written"],
        &["netbox", "plan", "--site", "Hall 1", "--out", "written"],
        &["budget", "plan"],
    ];
    for command in others {
        let refused = bench.run(&[command, &little[..]].concat());
        assert_eq!(refused.code, 2, "{command:?}");
        assert!(enough(&refused.stderr).is_some(), "{command:?}: {}", refused.stderr);
        assert!(!bench.path("written").exists(), "{command:?}");
    }
    // A file can say it too, and a flag goes before the file.
    let refused = bench.run(&["info", "design.toml"]);
    assert!(refused.stderr.contains("design.toml:6: machine.memory: "), "{}", refused.stderr);
    assert_eq!(bench.run(&["info", "design.toml", "--memory", "1GB"]).code, 0);
    let wrong = bench.run(&[&["info"], &SMALL[..], &["--memory", "8"]].concat());
    assert!(
        wrong.stderr.contains("--memory: found \"8\"; expected a data size"),
        "{}",
        wrong.stderr
    );
}

#[test]
fn answers_do_not_depend_on_the_memory() {
    let bench = Bench::new();
    let info = |more: &[&str]| bench.run(&[&["info", "--json"], &SMALL[..], more].concat()).stdout;
    assert_eq!(info(&[]), info(&["--memory", "2GB"]));
    bench.write("flows.toml", scenario("0.001"));
    let run = |more: &[&str]| -> Value {
        let mut answer = bench.ask(&[&["simulate", "flows.toml"], more].concat());
        answer.as_object_mut().expect("an object").remove("timing");
        answer
    };
    assert_eq!(run(&[]), run(&["--memory", "2GB"]));
    for (folder, more) in [("a", &[][..]), ("b", &["--memory", "2GB"][..])] {
        let ran = bench.run(&[&["plan", "--out", folder], &SMALL[..], more].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    }
    let read = |name: &str| std::fs::read(bench.path(name)).expect("it was written");
    assert_eq!(read("a/plan.json"), read("b/plan.json"));
    assert_eq!(read("a/cables.csv"), read("b/cables.csv"));
}

/// The largest peak of all children so far, in bytes. The commands below need more and more, so that it is that of the
/// last one.
fn peak() -> f64 {
    let used = getrusage(UsageWho::RUSAGE_CHILDREN).expect("the kernel tells it");
    used.max_rss() as f64 * 1024.0
}

/// The bytes of a size such as 1.3GB.
fn in_bytes(text: &str) -> f64 {
    let (number, factor) = match text.split_once(|c: char| c.is_ascii_alphabetic()) {
        Some((number, _)) if text.ends_with("GB") => (number, 1e9),
        Some((number, _)) if text.ends_with("MB") => (number, 1e6),
        _ => panic!("{text} is no size of this test"),
    };
    number.parse::<f64>().expect("a number") * factor
}

#[test]
fn estimates_are_within_half_of_what_is_measured() {
    let bench = Bench::new();
    let trays = "[hall]\ntray_width = \"3 m\"\ntray_depth = \"0.5 m\"\n";
    bench.write("design.toml", format!("version = 1\n[fabric]\np = 32\nk = 2\n{trays}"));
    bench.write("flows.toml", scenario("0.01"));
    let commands: [&[&str]; 4] = [
        &["recover", "--p", "32", "--k", "2", "--failed", "tx:8,relay:9"],
        &["plan", "design.toml", "--out", "plan"],
        &["info", "plan"],
        &["simulate", "flows.toml"],
    ];
    for command in commands {
        let mut allowed = "1kB".to_owned();
        let ran = loop {
            let ran = bench.run(&[command, &["--memory", allowed.as_str()]].concat());
            match enough(&ran.stderr).filter(|_| ran.code == 2) {
                Some(enough) => allowed = enough.to_owned(),
                None => break ran,
            }
        };
        assert!(ran.code < 2, "{command:?}: {}", ran.stderr);
        let ratio = in_bytes(&allowed) / peak();
        assert!((1.0 / 1.5..=1.5).contains(&ratio), "{command:?}: {allowed}, {} bytes", peak());
    }
}
