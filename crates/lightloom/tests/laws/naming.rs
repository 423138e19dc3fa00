//! Names of ToRs and racks: every spelling means the one thing or is refused, whatever racks are called.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::place::key;
use lightloom::Value;
use lightloom::failures::FailureSet;
use lightloom::{Project, Request, Texts, TorId};
use proptest::prelude::*;

/// ToRs of a 2,2-Shufflecast.
const TORS: u32 = 8;

/// Names that a reader may take for something else: numbers, prefixes, arrows, ports, lists.
fn name() -> impl Strategy<Value = String> {
    let number = || (0..12_u32).prop_map(|n| n.to_string());
    let letter = || "[A-C]".prop_map(String::from);
    let plain = prop_oneof![number(), letter()];
    prop_oneof![
        3 => number(),
        2 => letter(),
        1 => (0..12_u32).prop_map(|n| format!("0{n}")),
        2 => number().prop_map(|n| format!("tor:{n}")),
        2 => number().prop_map(|n| format!("rack:{n}")),
        1 => letter().prop_map(|l| format!("rack:{l}")),
        1 => number().prop_map(|n| format!("rack:tor:{n}")),
        1 => number().prop_map(|n| format!("relay:{n}")),
        1 => (letter(), letter()).prop_map(|(a, b)| format!("{a}->{b}")),
        1 => (plain, number()).prop_map(|(a, n)| format!("{a}/{n}")),
        1 => (letter(), number()).prop_map(|(a, n)| format!("{a},{n}")),
        1 => (letter(), number()).prop_map(|(a, n)| format!("{a},relay:{n}")),
        1 => (letter(), number()).prop_map(|(a, n)| format!("{a},tor:tor:{n}")),
    ]
}

/// Names of eight to twelve racks, all different.
fn names() -> impl Strategy<Value = Vec<String>> {
    let all = proptest::collection::btree_set(name(), 8..=12);
    all.prop_map(|names| names.into_iter().collect::<Vec<_>>()).prop_shuffle()
}

fn project(names: &[String]) -> Project {
    let rows = names.iter().zip(1..).map(|(name, i)| format!("\"{name}\",Row,{i}\n"));
    let table = format!("name,row,position\n{}", rows.collect::<String>());
    let texts = Texts::keeping(BTreeMap::from([(PathBuf::from("racks.csv"), table)]));
    let flags = vec![
        (key("fabric.p"), Value::Integer(2)),
        (key("fabric.k"), Value::Integer(2)),
        (key("hall.inventory"), Value::Text("racks.csv".into())),
    ];
    lightloom::open(&Request { design: None, flags, texts }).expect("eight racks for eight ToRs")
}

/// A branch of every ToR of a 2,2-Shufflecast.
fn receiver(tor: u32) -> u32 {
    let (column, row) = (tor / 4, tor % 4);
    (1 - column) * 4 + row % 2 * 2
}

/// How a text can be read as one ToR: no prefix, one, or the other.
fn readings(names: &[String], text: &str) -> BTreeSet<Option<u32>> {
    let number = |text: &str| -> Option<u32> {
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        text.parse().ok().filter(|&tor| digits && tor < TORS)
    };
    // Racks after the eighth hold no ToR.
    let rack = |text: &str| {
        let at = names.iter().position(|name| name == text);
        at.map(|at| u32::try_from(at).ok().filter(|&tor| tor < TORS))
    };
    match (text.strip_prefix("tor:"), text.strip_prefix("rack:")) {
        (Some(rest), _) => number(rest).map(Some).into_iter().collect(),
        (_, Some(rest)) => rack(rest).into_iter().collect(),
        _ => number(text).map(Some).into_iter().chain(rack(text)).collect(),
    }
}

/// The spellings of a ToR that must never fail.
fn certain(names: &[String], tor: u32) -> [String; 2] {
    [format!("tor:{tor}"), format!("rack:{}", names[tor as usize])]
}

/// All spellings of a ToR: a plain one that begins with a prefix means something else by rule.
fn spellings(names: &[String], tor: u32) -> Vec<String> {
    let name = &names[tor as usize];
    let mut all = certain(names, tor).to_vec();
    all.push(tor.to_string());
    if !name.starts_with("tor:") && !name.starts_with("rack:") {
        all.push(name.clone());
    }
    all
}

fn failed(project: &Project, text: &str) -> Result<Vec<String>, String> {
    let parsed = FailureSet::parse(project, text);
    parsed.map(|set| set.names()).map_err(|error| error.to_string())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_text_is_its_only_reading_or_refused(names in names(), other in name()) {
        let project = project(&names);
        let numbers = (0..14).map(|n: u32| n.to_string());
        let prefixed = numbers.clone().map(|n| format!("tor:{n}"));
        let racks = names.iter().map(|name| format!("rack:{name}"));
        let all = names.iter().cloned().chain(numbers).chain(prefixed).chain(racks).chain([other]);
        for text in all {
            let readings = readings(&names, &text);
            let only = readings.first().copied().flatten().filter(|_| readings.len() == 1);
            match project.tor(&text) {
                Ok(found) => prop_assert_eq!(Some(found), only.map(TorId), "{}", text),
                Err(error) => {
                    prop_assert_eq!(only, None, "{}: {}", text, error);
                    if readings.len() == 2 {
                        let message = error.to_string();
                        for cure in [format!("tor:{text}"), format!("rack:{text}")] {
                            prop_assert!(message.contains(&cure), "{}: {}", text, message);
                        }
                    }
                }
            }
        }
        for tor in 0..TORS {
            for text in certain(&names, tor) {
                prop_assert_eq!(project.tor(&text).ok(), Some(TorId(tor)), "{}", text);
            }
        }
    }

    #[test]
    fn a_failure_is_the_one_that_is_meant_or_refused(names in names(), a in 0..TORS, b in 0..TORS) {
        let project = project(&names);
        for (i, at) in spellings(&names, a).iter().enumerate() {
            for kind in ["relay", "tx", "splitter", "tor"] {
                let found = failed(&project, &format!("{kind}:{at}"));
                // With a comma in it a list can be read in another way, and is then refused.
                prop_assert!(found.is_ok() || i > 1 || at.contains(','), "{} {}: {:?}", kind, at, found);
                prop_assert!(found.clone().map_or(true, |f| f == [format!("{kind}:{a}")]), "{}: {:?}", at, found);
            }
            let found = failed(&project, &format!("rx:{at}/1"));
            prop_assert!(found.clone().map_or(true, |f| f == [format!("rx:{a}/1")]), "{}: {:?}", at, found);
            let to = receiver(a);
            for (j, end) in spellings(&names, to).iter().enumerate() {
                let text = format!("branch:{at}->{end}");
                let found = failed(&project, &text);
                let certain = i == 0 && j == 0;
                prop_assert!(found.is_ok() || !certain, "{}: {:?}", text, found);
                prop_assert!(found.clone().map_or(true, |f| f == [format!("branch:{a}->{to}")]), "{}: \
                    {:?}", text, found);
            }
        }
        if a != b {
            for at in spellings(&names, a) {
                for end in spellings(&names, b) {
                    let text = format!("relay:{at},tor:{end}");
                    let expected = [format!("relay:{a}"), format!("tor:{b}")];
                    let found = failed(&project, &text);
                    prop_assert!(found.clone().map_or(true, |f| f == expected), "{}: {:?}", text, found);
                    let list = format!("{at},{end}");
                    let found = project.tors(&list);
                    prop_assert!(found.clone().map_or(true, |f| f == [TorId(a), TorId(b)]), "{}: {:?}", list, found);
                }
            }
            let found = failed(&project, &format!("relay:tor:{a},tor:tor:{b}"));
            prop_assert!(found.is_ok(), "{:?}", found);
        }
    }
}
