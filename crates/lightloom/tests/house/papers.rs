//! The source papers beside the code: every item of `docs/papers.toml` is cited where it is obeyed and where it is
//! tested, or the list says why not. The tables of `docs/validation.md` are made from that.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use crate::citations::{self, Citation, MARK, PAPERS, Side};
use crate::sources::root;

/// The variable that rewrites the tables.
const UPDATE: &str = "UPDATE_SCHEMAS";

/// Number of lines of each algorithm.
const ALGORITHMS: [(&str, &str, usize); 6] = [
    ("shufflecast", "alg1", 13),
    ("shufflecast", "alg2", 13),
    ("gleam", "alg1", 12),
    ("gleam", "alg2", 18),
    ("gleam", "alg3", 18),
    ("gleam", "alg4", 28),
];

/// An item of a paper.
#[derive(Debug, Clone)]
struct Item {
    key: String,
    /// What it is about, in our words.
    about: String,
    /// Why it is not cited on both sides, or what is done otherwise: a kind, and the reason.
    exception: Option<(Kind, String)>,
}

/// How an item is an exception.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// No code and no test cites it.
    NotDone,
    /// No test cites it.
    CodeOnly,
    /// No code cites it.
    TestOnly,
    /// Both cite it, and do it in part or otherwise.
    Differs,
}

impl Kind {
    const ALL: [(&str, Self); 4] = [
        ("not done", Self::NotDone),
        ("code only", Self::CodeOnly),
        ("test only", Self::TestOnly),
        ("differs", Self::Differs),
    ];

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }
}

/// A paper with its items, in the order of the file.
struct Paper {
    key: &'static str,
    reference: String,
    items: Vec<Item>,
}

/// The files that cite an item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Places {
    code: BTreeSet<String>,
    tests: BTreeSet<String>,
}

fn papers() -> Vec<Paper> {
    let text = fs::read_to_string(root().join("docs/papers.toml")).expect("it is there");
    let mut file: toml::Table = text.parse().expect("it is TOML");
    let mut take = |key: &'static str| {
        let paper = file.remove(key).unwrap_or_else(|| panic!("{key} has no list"));
        let reference = paper["reference"].as_str().expect("a text").to_owned();
        let items = paper["items"].as_array().expect("a list").iter().map(item).collect();
        Paper { key, reference, items }
    };
    let papers = PAPERS.map(&mut take).into();
    let others: Vec<&String> = file.keys().collect();
    assert!(others.is_empty(), "lists of papers that have no place in PAPERS: {others:?}");
    papers
}

fn item(row: &toml::Value) -> Item {
    let texts = row.as_array().into_iter().flatten().map(toml::Value::as_str);
    let texts: Option<Vec<&str>> = texts.collect();
    match texts.as_deref() {
        Some(&[key, about]) => Item { key: key.into(), about: about.into(), exception: None },
        Some(&[key, about, kind, reason]) => {
            let kind = Kind::ALL.iter().find(|(name, _)| *name == kind);
            let (_, kind) = kind.unwrap_or_else(|| panic!("{key} has a kind that is none"));
            Item { key: key.into(), about: about.into(), exception: Some((*kind, reason.into())) }
        }
        _ => panic!(
            "an item has a key and what it is about, or these with a kind and a reason: {row}"
        ),
    }
}

/// The files that cite each item of each paper.
fn places(citations: &[Citation]) -> BTreeMap<(&str, &str), Places> {
    let mut places: BTreeMap<(&str, &str), Places> = BTreeMap::new();
    for one in citations {
        let places = places.entry((one.paper, &one.item)).or_default();
        match one.side {
            Side::Code => places.code.insert(one.path.clone()),
            Side::Test => places.tests.insert(one.path.clone()),
            Side::Other => false,
        };
    }
    places
}

/// What is wrong with where an item is cited.
fn objection(item: &Item, places: &Places) -> Option<String> {
    let kind = item.exception.as_ref().map(|(kind, _)| *kind);
    let (in_code, in_tests) = (!places.code.is_empty(), !places.tests.is_empty());
    let wants = match kind {
        Some(Kind::NotDone) => (false, false),
        Some(Kind::CodeOnly) => (true, false),
        Some(Kind::TestOnly) => (false, true),
        Some(Kind::Differs) | None => (true, true),
    };
    let said = kind.map_or("without an exception", Kind::name);
    let side = |name, is, wanted| match (is, wanted) {
        (true, false) => Some(format!("is cited in {name}")),
        (false, true) => Some(format!("is not cited in {name}")),
        _ => None,
    };
    let wrong = [side("code", in_code, wants.0), side("tests", in_tests, wants.1)];
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    (!wrong.is_empty()).then(|| format!("{} ({said}) {}", item.key, wrong.join(" and ")))
}

#[test]
fn every_citation_names_an_item() {
    let papers = papers();
    let is_item = |one: &Citation| {
        let paper = papers.iter().find(|paper| paper.key == one.paper);
        paper.is_some_and(|paper| paper.items.iter().any(|item| item.key == one.item))
    };
    let citations = citations::all();
    let wrong = citations.iter().filter(|one| !is_item(one));
    let wrong: Vec<String> =
        wrong.map(|one| format!("{}: {}:{}", one.path, one.paper, one.item)).collect();
    assert!(
        wrong.is_empty(),
        "citations that docs/papers.toml does not list:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn every_item_is_cited_in_code_and_tests_or_the_list_says_why_not() {
    let citations = citations::all();
    let places = places(&citations);
    let mut wrong = Vec::new();
    for Paper { key, items, .. } in &papers() {
        let cited =
            |item: &Item| places.get(&(*key, item.key.as_str())).cloned().unwrap_or_default();
        let objections = items.iter().filter_map(|item| objection(item, &cited(item)));
        wrong.extend(objections.map(|wrong| format!("{key}:{wrong}")));
    }
    assert!(wrong.is_empty(), "{} items:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn an_item_is_listed_once_and_an_algorithm_with_all_its_lines() {
    for Paper { key: paper, items, .. } in &papers() {
        let keys: BTreeSet<&str> = items.iter().map(|item| item.key.as_str()).collect();
        assert_eq!(keys.len(), items.len(), "{paper} has an item twice");
        assert!(items.iter().all(|item| !item.about.is_empty()), "{paper}");
        let lines = items.iter().filter(|item| item.key.contains(':')).count();
        let own = ALGORITHMS.iter().filter(|(of, ..)| of == paper);
        for &(_, algorithm, count) in own.clone() {
            let all = (1..=count).all(|line| keys.contains(format!("{algorithm}:{line}").as_str()));
            assert!(all, "{paper}:{algorithm} lacks lines");
        }
        assert_eq!(lines, own.map(|(.., count)| count).sum::<usize>(), "{paper}: other lines");
    }
}

#[test]
fn an_exception_that_is_none_is_found() {
    let of = |kind: Option<Kind>, code: bool, tests: bool| {
        let exception = kind.map(|kind| (kind, String::new()));
        let item = Item { key: "C".into(), about: String::new(), exception };
        let files = |is: bool| is.then(|| "a.rs".to_owned()).into_iter().collect();
        objection(&item, &Places { code: files(code), tests: files(tests) }).is_none()
    };
    let sides = [(false, false), (true, false), (false, true), (true, true)];
    let allowed = |kind| sides.map(|(code, tests)| of(kind, code, tests));
    assert_eq!(allowed(None), [false, false, false, true]);
    assert_eq!(allowed(Some(Kind::Differs)), [false, false, false, true]);
    assert_eq!(allowed(Some(Kind::NotDone)), [true, false, false, false]);
    assert_eq!(allowed(Some(Kind::CodeOnly)), [false, true, false, false]);
    assert_eq!(allowed(Some(Kind::TestOnly)), [false, false, true, false]);
}

/// A row of a table: an item, or lines of an algorithm that are alike.
struct Row<'a> {
    keys: Vec<&'a str>,
    about: Vec<&'a str>,
    places: Places,
    exception: &'a Option<(Kind, String)>,
}

impl Row<'_> {
    fn shown(&self) -> String {
        let first = self.keys.first().copied().unwrap_or_default();
        let last = self.keys.last().and_then(|last| last.split_once(':'));
        let key = match last {
            Some((_, last)) if self.keys.len() > 1 => format!("{first}-{last}"),
            _ => first.to_owned(),
        };
        let files = |paths: &BTreeSet<String>| {
            let short = |path: &String| format!("`{}`", path.trim_start_matches("crates/"));
            paths.iter().map(short).collect::<Vec<_>>().join(", ")
        };
        let note = match self.exception {
            Some((kind, reason)) => format!("**{}**: {reason}", kind.name()),
            None => String::new(),
        };
        let about = self.about.join("; ");
        let (code, tests) = (files(&self.places.code), files(&self.places.tests));
        format!("| `{key}` | {about} | {code} | {tests} | {note} |")
    }
}

/// The rows of a paper. Lines of an algorithm that follow each other are one row where all else is the same.
fn rows<'a>(paper: &'a Paper, places: &BTreeMap<(&str, &str), Places>) -> Vec<Row<'a>> {
    let mut rows: Vec<Row<'a>> = Vec::new();
    let algorithm = |key: &'a str| key.split_once(':').map(|(algorithm, _)| algorithm);
    for Item { key, about, exception } in &paper.items {
        let cited = places.get(&(paper.key, key.as_str())).cloned().unwrap_or_default();
        let is_alike = |row: &&mut Row<'a>| {
            let before = row.keys.last().copied().and_then(algorithm);
            before.is_some()
                && before == algorithm(key)
                && row.places == cited
                && row.exception == exception
        };
        match rows.last_mut().filter(is_alike) {
            Some(row) => {
                row.keys.push(key);
                row.about.push(about);
            }
            None => {
                let (keys, about) = (vec![key.as_str()], vec![about.as_str()]);
                rows.push(Row { keys, about, places: cited, exception });
            }
        }
    }
    rows
}

/// The tables of all papers.
fn tables() -> String {
    let citations = citations::all();
    let places = places(&citations);
    let mut text = String::from("\n");
    for paper in &papers() {
        let _ = write!(text, "\n### `{}`\n\n{}.\n\n", paper.key, paper.reference);
        text.push_str("| item | about | obeyed | tested | exception |\n|---|---|---|---|---|\n");
        for row in rows(paper, &places) {
            text.push_str(&row.shown());
            text.push('\n');
        }
    }
    text.push('\n');
    text
}

#[test]
fn the_tables_of_validation_are_made_from_the_list_and_the_citations() {
    let place = root().join("docs/validation.md");
    let text = fs::read_to_string(&place).expect("it is there");
    let parts: Vec<&str> = text.split(MARK).collect();
    let [before, held, after] = parts.as_slice() else {
        panic!("the tables stand between two marks")
    };
    let made = tables();
    if std::env::var_os(UPDATE).is_some() {
        fs::write(&place, [before, MARK, &made, MARK, after].concat()).expect("it is written");
        return;
    }
    assert!(
        *held == made,
        "docs/validation.md differs from docs/papers.toml and the citations. Rewrite it with {UPDATE}=1"
    );
}
