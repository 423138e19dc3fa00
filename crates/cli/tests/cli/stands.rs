//! A plan that goes around failures says what it is, with its failures. `tests/peers/test_repaired_plans.py` replays
//! its files.

use serde_json::json;

use crate::bench::Bench;

const FIGURE_4: [&str; 6] = ["--family", "shufflecast", "--p", "2", "--k", "3"];
const THREE_TWO: [&str; 6] = ["--family", "shufflecast", "--p", "3", "--k", "2"];

/// The code of `recover --apply out`.
fn repaired(bench: &Bench, design: &[&str], failed: &str) -> i32 {
    bench.run(&[&["recover", "--failed", failed, "--apply", "out"], design].concat()).code
}

fn page(bench: &Bench, code: i32) -> String {
    let ran = bench.run(&["report", "out", "--out", "out.html"]);
    assert_eq!(ran.code, code, "{ran:?}");
    std::fs::read_to_string(bench.path("out.html")).expect("a page")
}

#[test]
fn pairs_that_are_cut_off_are_no_good_plan() {
    let bench = Bench::new();
    assert_eq!(repaired(&bench, &THREE_TWO, "cassette:2"), 1);
    let ran = bench.verify("out");
    assert_eq!(ran.code, 1, "{ran:?}");
    let said = ran.said();
    for part in [
        "Cut off: every file is as planned, but the failures leave 48 pairs",
        "270 copies",
        "The plan goes around failures: cassette:2.",
        "Without failures: 324 copies",
        "Source 0 cannot reach 15, 16, 17.",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!said.contains("Good") && !said.contains("Wrong"), "{said}");
    let page = page(&bench, 1);
    assert!(page.contains("cut off") && !page.contains("Wires and rules are proved"), "{page}");
    // What is damaged is told apart.
    bench.write("out/bom.csv", "item\n");
    let ran = bench.run(&["verify", "out"]);
    assert!(ran.code == 2 || ran.stdout.starts_with("Wrong"), "{ran:?}");
}

#[test]
fn a_longer_way_around_failures_is_told_beside_the_one_without() {
    let bench = Bench::new();
    assert_eq!(repaired(&bench, &FIGURE_4, "relay:8,branch:3->15"), 0);
    let plan = std::fs::read(bench.path("out/plan.json")).expect("a plan");
    let plan: serde_json::Value = serde_json::from_slice(&plan).expect("JSON");
    let (report, without) = (&plan["report"], &plan["report"]["without_failures"]);
    assert_eq!((&report["max_hops"], &without["max_hops"]), (&json!(8), &json!(5)));
    assert_eq!(
        (&report["relay_load"]["max"], &without["relay_load"]["max"]),
        (&json!(24), &json!(12))
    );
    assert_eq!(report["verification"]["max_hops"], 8);
    assert_eq!(report["recovery"]["max_hops"], 8);
    assert_eq!(bench.verify("out").code, 0);
    let answer = bench.ask(&["verify", "out"]);
    assert_eq!(answer["failed"], json!(["relay:8", "branch:3->15"]));
    assert_eq!(answer["without_failures"]["max_hops"], 5);
    let page = page(&bench, 0);
    assert!(
        page.contains("Wires and rules are proved, around the failures relay:8, branch:3-&gt;15.")
    );
}

#[test]
fn questions_about_a_repaired_plan_are_answered_as_it_stands() {
    let bench = Bench::new();
    assert_eq!(repaired(&bench, &THREE_TWO, "cassette:2"), 1);
    let info = bench.ask(&["info", "out"]);
    assert_eq!((&info["relay_load"]["max"], &info["pairs_cut_off"]), (&json!(8), &json!(48)));
    assert_eq!(
        (&info["parallel_sources"], &info["parallel_sources_installed"]),
        (&json!(0), &json!(0))
    );
    assert_eq!(info["without_failures"], {
        let mut sound = bench.ask(&[&["info"], &THREE_TWO[..]].concat());
        let keys: Vec<String> =
            info["without_failures"].as_object().expect("facts").keys().cloned().collect();
        sound.as_object_mut().expect("facts").retain(|key, _| keys.contains(key));
        sound
    });
    // The rules are those of the file, and the tree is what they bring.
    let rules = std::fs::read(bench.path("out/rules.json")).expect("rules");
    let rules: serde_json::Value = serde_json::from_slice(&rules).expect("JSON");
    for tor in 0..18_usize {
        let tor = tor.to_string();
        let told = bench.ask(&["rules", "out", "--tor", &tor]);
        assert_eq!(told["sources"], rules["relays"][&tor], "{tor}");
    }
    let tree = bench.ask(&["tree", "out", "--source", "2"]);
    assert_eq!((&tree["via"], &tree["cut_off"]), (&rules["via"]["2"], &json!([16, 17])));
    let paths = tree["paths"].as_object().expect("paths");
    assert_eq!(paths.len(), 15);
    assert_eq!(paths["15"], json!([2, 15]));
}

#[test]
fn further_failures_are_not_asked_of_a_repaired_plan() {
    let bench = Bench::new();
    assert_eq!(repaired(&bench, &FIGURE_4, "relay:8"), 0);
    for args in [
        &["impact", "out", "--failed", "relay:3"][..],
        &["recover", "out", "--failed", "relay:3"],
        &["repairs", "out", "--out", "x"],
        &["risk", "out"],
        &["parallel", "out"],
    ] {
        bench.refuses(args, &["a plan around failures (relay:8)", "its design"]);
    }
}
