//! Laws of scenarios that a form changes: a change is of one value, everything else stays, and what is typed never
//! becomes TOML of its own.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use lightloom::Texts;
use lightloom::edit::{ScenarioChange, change_scenario, scenario_rows};
use lightloom::scenario::SECTIONS;
use lightloom::twin::{ScenarioReport, read_scenario};
use proptest::prelude::*;

const EXAMPLES: [&str; 4] = ["all-to-all.toml", "glass.toml", "incast.toml", "stride.toml"];

fn example(name: &str) -> (PathBuf, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    let text = fs::read_to_string(&path).expect("it is there");
    (path, text)
}

fn read(path: &Path, text: &str) -> ScenarioReport {
    let texts = Texts::keeping(BTreeMap::from([(path.to_path_buf(), text.to_owned())]));
    read_scenario(path, &texts).expect("it is a scenario")
}

/// A text as another TOML reader sees it.
fn seen(text: &str) -> toml::Table {
    text.parse().expect("it is TOML")
}

#[test]
fn what_a_form_shows_and_takes_back_is_the_same_scenario() {
    for name in EXAMPLES {
        let (path, text) = example(name);
        let before = read(&path, &text);
        let rows = scenario_rows(&text, &path).expect("it is TOML");
        let lines: Vec<&str> = text.lines().collect();
        let mut changed = text.clone();
        for (number, row) in rows.iter().enumerate() {
            for (field, value) in &row.values {
                let line = lines[usize::try_from(value.line).expect("it is small") - 1];
                assert!(line.contains(field.as_str()), "{name}: {field} is not in {line:?}");
                let change = ScenarioChange::Set { row: number, field, typed: &value.typed };
                changed = change_scenario(&changed, &path, change).expect("it is TOML");
            }
        }
        assert_eq!(read(&path, &changed), before, "{name}");
        assert_eq!(seen(&changed), seen(&text), "{name}");
        let comments = |text: &str| text.matches('#').count();
        assert_eq!(comments(&changed), comments(&text), "{name}");
    }
}

#[test]
fn tables_are_found_however_they_are_written() {
    let path = Path::new("s.toml");
    let texts = [
        "until = \"1 ms\"\n[parameters.wire]\na = 1\n[[flow]]\nfrom = 0\n[[flow]]\nfrom = [3]\n",
        "until = \"1 ms\"\nflow = [{from = 0}, {from = [3]}]\n[parameters]\nwire = {a = 1}\n",
        "until = \"1 ms\"\nparameters.wire.a = 1\nflow = [\n  {from = 0},\n  {from = [3]},\n]\n",
    ];
    for text in texts {
        let rows = scenario_rows(text, path).expect("it is TOML");
        let shown: Vec<(&str, usize, Vec<&str>)> = rows
            .iter()
            .filter(|row| row.section.name != "parameters")
            .map(|row| {
                let typed = row.values.values().map(|value| value.typed.as_str()).collect();
                (row.section.name, row.at, typed)
            })
            .collect();
        let expected =
            [("", 0, vec!["1 ms"]), ("parameters.wire", 0, vec!["1"]), ("flow", 0, vec!["0"])];
        assert_eq!(shown[..3], expected, "{text}");
        assert_eq!(shown[3], ("flow", 1, vec!["3,"]), "a list of one node is no number of nodes");
        let last = rows.len() - 1;
        let change = ScenarioChange::Set { row: last, field: "to", typed: "host 7" };
        let changed = seen(&change_scenario(text, path, change).expect("it is TOML"));
        assert_eq!(changed["flow"][1]["to"].as_str(), Some("host 7"), "{text}");
        assert_eq!(changed["flow"][1]["from"], toml::Value::Array(vec![3.into()]));
        let removed = change_scenario(text, path, ScenarioChange::Remove(last - 1));
        let removed = seen(&removed.expect("it is TOML"));
        assert_eq!(removed["flow"].as_array().map(Vec::len), Some(1), "{text}");
        let added = change_scenario(text, path, ScenarioChange::Add("flow")).expect("it is TOML");
        assert_eq!(seen(&added)["flow"].as_array().map(Vec::len), Some(3), "{text}");
    }
}

#[test]
fn what_is_typed_is_a_value() {
    let path = Path::new("s.toml");
    let mut text = String::new();
    let mut change = |change| text = change_scenario(&text, path, change).expect("it is TOML");
    change(ScenarioChange::Add("network"));
    change(ScenarioChange::Add("flow"));
    change(ScenarioChange::Add("loss"));
    change(ScenarioChange::Add("traffic"));
    change(ScenarioChange::Add("no section"));
    change(ScenarioChange::Add("network"));
    for (row, field, typed) in [
        (0, "until", " 1 ms "),
        (0, "seed", "x"),
        (0, "wrong", "1"),
        (1, "kind", "leaf-spine"),
        (1, "leaves", "3"),
        (2, "from", "0"),
        (2, "to", "host 3"),
        (2, "size", "1 kB\"\n[network]\nx = 1"),
        (4, "link", "host 0, leaf 0"),
        (4, "rate", "1e-5"),
        (4, "corrupt", "true"),
        (3, "pattern", "poisson"),
        (3, "hot", "7"),
        (9, "rate", "1"),
    ] {
        change(ScenarioChange::Set { row, field, typed });
    }
    let expected: toml::Table = toml::toml! {
        until = "1 ms"
        seed = "x"
        [network]
        kind = "leaf-spine"
        leaves = 3
        [[flow]]
        from = 0
        to = "host 3"
        size = "1 kB\" [network] x = 1"
        [[loss]]
        link = ["host 0", "leaf 0"]
        rate = 1e-5
        corrupt = true
        [[traffic]]
        pattern = "poisson"
        hot = [7]
    };
    assert_eq!(seen(&text), expected, "{text}");
    // Another kind of network has other fields.
    let change = ScenarioChange::Set { row: 1, field: "kind", typed: "fat-tree" };
    let text = change_scenario(&text, path, change).expect("it is TOML");
    assert!(!text.contains("leaves"));
    for stays in [0, 1] {
        let same = change_scenario(&text, path, ScenarioChange::Remove(stays));
        assert_eq!(same.expect("it is TOML"), text);
    }
    let refused = change_scenario("a = 1\nb = = 2\n", path, ScenarioChange::Remove(2));
    assert_eq!(refused.expect_err("it is no TOML").line, Some(2));
    let refused = change_scenario("parameters = 3\n", path, ScenarioChange::Add("parameters.wire"));
    assert!(refused.expect_err("it is no section").to_string().contains("parameters"));
}

/// What a user may do, with numbers that may lead nowhere.
fn changes() -> impl Strategy<Value = Vec<(u8, usize, usize, String)>> {
    let one = (0..3_u8, 0..12_usize, 0..40_usize, "[ -~\n\t]{0,12}");
    prop::collection::vec(one, 1..12)
}

proptest! {
    /// Each change of an example gives TOML. Rows of other sections keep their values.
    #[test]
    fn other_rows_stay(name in prop::sample::select(EXAMPLES.to_vec()), changes in changes()) {
        let (path, mut text) = example(name);
        for (kind, number, place, typed) in changes {
            let rows = scenario_rows(&text, &path).expect("it is TOML");
            let section = SECTIONS[place % SECTIONS.len()];
            let field = rows.get(number).map_or("rate", |row| {
                row.section.fields[place % row.section.fields.len()].name
            });
            let change = match kind {
                0 => ScenarioChange::Set { row: number, field, typed: &typed },
                1 => ScenarioChange::Add(section.name),
                _ => ScenarioChange::Remove(number),
            };
            let changed = change_scenario(&text, &path, change).expect("it is TOML");
            let after = scenario_rows(&changed, &path).expect("it is TOML");
            let of = |rows: &[lightloom::edit::ScenarioRow], but: &str| {
                rows.iter()
                    .filter(|row| row.section.name != but)
                    .map(|row| {
                        let values = row.values.iter();
                        let values = values.map(|(name, value)| (name.clone(), value.typed.clone()));
                        (row.section.name, row.at, values.collect::<BTreeMap<_, _>>())
                    })
                    .collect::<Vec<_>>()
            };
            let touched = match change {
                ScenarioChange::Add(name) => name,
                ScenarioChange::Set { row, .. } | ScenarioChange::Remove(row) => {
                    rows.get(row).map_or("-", |row| row.section.name)
                }
            };
            prop_assert_eq!(of(&after, touched), of(&rows, touched));
            let more = match change {
                ScenarioChange::Set { .. } => 0,
                ScenarioChange::Add(_) => isize::from(
                    !section.name.is_empty()
                        && (section.is_list || !rows.iter().any(|row| row.section.name == section.name)),
                ),
                ScenarioChange::Remove(row) => -isize::from(rows.get(row).is_some_and(|row| row.can_go())),
            };
            let grown = after.len().checked_signed_diff(rows.len());
            prop_assert_eq!(grown, Some(more));
            text = changed;
        }
    }
}
