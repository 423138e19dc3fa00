//! Plan folders that were edited after they were written: `simulate` refuses those whose files say something else than
//! the run would do.

use std::fs;

use serde_json::{Value, json};

use crate::bench::Bench;

const SCENARIO: &str = "version = 1\nuntil = \"5 ms\"\n[network]\nkind = \"design\"\nfile = \"plan\"\n\
                        hosts_per_tor = 2\nspines = 2\nrate = \"100 Gb/s\"\nlength = \"3 m\"\n";
const GROUP: &str = "[[group]]\nname = \"all\"\nmembers = \"all\"\ntransport = \"datagram\"\n\
                     [[multicast]]\ngroup = \"all\"\nfrom = 3\nsize = \"100 kB\"\n";
const FLOW: &str = "[[flow]]\nfrom = 0\nto = 5\nsize = \"1 kB\"\n";
const SMALL: [&str; 6] = ["--family", "shufflecast", "--p", "2", "--k", "3"];

/// A plan, or a recovered one, and a scenario that uses its splitters.
fn planned(is_recovered: bool) -> Bench {
    let bench = Bench::new();
    let args = match is_recovered {
        false => [&["plan"], &SMALL[..], &["--out", "plan"]].concat(),
        true => {
            let failed = ["--failed", "branch:3->15,relay:8", "--apply", "plan"];
            [&["recover"], &SMALL[..], &failed].concat()
        }
    };
    let ran = bench.run(&args);
    assert_eq!(ran.code, 0, "{ran:?}");
    bench.write("s.toml", format!("{SCENARIO}{GROUP}"));
    bench
}

fn read(bench: &Bench, file: &str) -> String {
    fs::read_to_string(bench.path(file)).expect("the file")
}

fn runs(bench: &Bench) {
    let ran = bench.run(&["simulate", "s.toml"]);
    assert_eq!(ran.code, 0, "{ran:?}");
}

/// `simulate` refuses the folder, names the file and says what to do; `verify` finds it, too.
fn refused(bench: &Bench, file: &str, parts: &[&str]) {
    let ran = bench.run(&["simulate", "s.toml"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    for part in [file, "plan.json", "lightloom verify"].iter().chain(parts) {
        assert!(ran.stderr.contains(part), "no {part:?} in {}", ran.stderr);
    }
    assert_ne!(bench.verify("plan").code, 0);
}

#[test]
fn an_intact_folder_runs() {
    for is_recovered in [false, true] {
        let bench = planned(is_recovered);
        runs(&bench);
        // The same rules in another layout.
        let rules: Value = serde_json::from_str(&read(&bench, "plan/rules.json")).expect("JSON");
        bench.write("plan/rules.json", serde_json::to_string_pretty(&rules).expect("JSON"));
        runs(&bench);
        // A sheet that no run depends on.
        bench.write("plan/bom.csv", "");
        runs(&bench);
    }
}

#[test]
fn edited_rules_are_refused() {
    let bench = planned(false);
    let before = read(&bench, "plan/rules.json");
    let mut rules: Value = serde_json::from_str(&before).expect("JSON");
    let gone = rules["relays"]["7"].as_array_mut().expect("a list").remove(0);
    bench.write("plan/rules.json", rules.to_string());
    let why = format!("ToR 7 lacks the rule for source {gone}");
    refused(&bench, "rules.json", &["does not agree with plan.json", &why]);
    let text = before.replace("\"accept\"", "\"acept\"");
    bench.write("plan/rules.json", text);
    refused_format(&bench);
    // The rules do not matter without a group, nor where the scenario names plan.json itself.
    bench.write("s.toml", format!("{SCENARIO}{FLOW}"));
    runs(&bench);
    let alone = SCENARIO.replace("\"plan\"", "\"plan/plan.json\"");
    bench.write("s.toml", format!("{alone}{GROUP}"));
    runs(&bench);
}

/// What is no list of rules is refused with its line.
fn refused_format(bench: &Bench) {
    let ran = bench.run(&["simulate", "s.toml"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.stderr.contains("rules.json:") && ran.stderr.contains("acept"), "{ran:?}");
}

#[test]
fn edited_filters_and_stand_ins_of_a_recovered_plan_are_refused() {
    let bench = planned(true);
    let before = read(&bench, "plan/rules.json");
    let edits: [(&str, Value, &str); 2] = [
        ("accept", json!({}), "lacks the filter"),
        ("via", json!({"8": 13}), "the stand-in of source 8 is ToR 13"),
    ];
    for (key, value, why) in edits {
        let mut rules: Value = serde_json::from_str(&before).expect("JSON");
        assert_ne!(rules[key], value);
        rules[key] = value;
        bench.write("plan/rules.json", rules.to_string());
        refused(&bench, "rules.json", &[why]);
    }
}

#[test]
fn edited_sheets_are_refused() {
    let bench = planned(false);
    for (file, row, column) in [("plan/cables.csv", 5, 8), ("plan/ports.csv", 3, 8)] {
        let before = read(&bench, file);
        let mut lines: Vec<String> = before.lines().map(str::to_owned).collect();
        let mut cells: Vec<&str> = lines[row].split(',').collect();
        assert!(cells[column].starts_with(|c: char| c.is_ascii_digit()), "{cells:?}");
        cells[column] = "99";
        lines[row] = cells.join(",");
        bench.write(file, lines.join("\n") + "\n");
        refused(&bench, file, &["99", &format!(":{}:", row + 1)]);
        bench.write(file, before);
        runs(&bench);
    }
}

#[test]
fn missing_files_are_refused() {
    let bench = planned(false);
    for file in ["rules.json", "cables.csv", "ports.csv"] {
        let path = format!("plan/{file}");
        let before = read(&bench, &path);
        fs::remove_file(bench.path(&path)).expect("the file");
        refused(&bench, file, &["cannot be read"]);
        bench.write(&path, before);
    }
    runs(&bench);
}
