//! The house as ARCHITECTURE.md draws it: which crate may use which, how large each is, and that within a crate
//! modules import downward, by the module that owns a thing. The source papers are cited where they are obeyed and
//! tested. Everything is read from the sources.

mod citations;
mod door;
mod imports;
mod papers;
mod sources;

use std::collections::{BTreeMap, BTreeSet};

use sources::{Source, crates, root};

/// No crate has more lines of source, but for [`LARGER`].
const LARGEST_CRATE: usize = 12_000;
/// Crates that may have more lines, and why.
const LARGER: [(&str, usize); 2] = [
    // One engine: hosts, switches and links share packets, buffers and time, and a cut would go through every packet.
    ("twin", 17_000),
    // One state behind all panels: a cut would make both halves public to each other.
    ("window", 18_000),
];
/// No file has more lines before its tests.
const LONGEST_FILE: usize = 400;
/// No line has more characters, in macros and texts too.
const LONGEST_LINE: usize = 120;

/// The table of arrows in ARCHITECTURE.md: each crate and the crates that it may depend on.
fn drawn() -> BTreeMap<String, BTreeSet<String>> {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("it is there");
    let table = text.split("<!-- arrows -->").nth(1).expect("the table stands between two marks");
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        let name = cells.first()?.strip_prefix('`')?.strip_suffix('`')?;
        let uses = cells.get(1)?.split(',').map(|name| name.trim().trim_matches('`'));
        let uses = uses.filter(|name| !name.is_empty() && *name != "nothing");
        Some((name.to_owned(), uses.map(str::to_owned).collect()))
    };
    table.lines().filter_map(row).collect()
}

#[test]
fn crates_depend_on_what_the_architecture_draws() {
    let drawn = drawn();
    let found: BTreeMap<String, BTreeSet<String>> =
        crates().into_iter().map(|each| (each.name, each.uses)).collect();
    for (name, uses) in &found {
        let allowed = drawn.get(name).unwrap_or_else(|| panic!("{name} is not drawn"));
        let more: Vec<_> = uses.difference(allowed).collect();
        assert!(more.is_empty(), "{name} depends on {more:?}, which is not drawn");
        let fewer: Vec<_> = allowed.difference(uses).collect();
        assert!(fewer.is_empty(), "{name} is drawn with {fewer:?}, and does not depend on it");
    }
    for name in drawn.keys() {
        assert!(found.contains_key(name), "{name} is drawn, and there is no such crate");
    }
}

#[test]
fn no_crate_is_an_attic() {
    for each in crates() {
        let larger = LARGER.iter().find(|(name, _)| *name == each.name);
        let most = larger.map_or(LARGEST_CRATE, |&(_, most)| most);
        let lines = each.lines();
        assert!(lines <= most, "{} has {lines} lines; it may have {most}", each.name);
        assert!(
            larger.is_none() || lines > LARGEST_CRATE,
            "{} is no larger than others",
            each.name
        );
    }
}

#[test]
fn no_file_is_too_long_to_read() {
    let long = |source: &Source| source.lines_before_tests() > LONGEST_FILE;
    let crates = crates();
    let files = crates.iter().flat_map(|each| &each.sources).filter(|source| long(source));
    let files: Vec<_> = files.map(|source| &source.path).collect();
    assert!(files.is_empty(), "more than {LONGEST_FILE} lines: {files:?}");
}

/// A transport is a file, and a word in the list that the endpoint of any transport is made of.
#[test]
fn no_other_file_names_the_transport_of_an_endpoint() {
    let crates = crates();
    let twin = crates.iter().find(|each| each.name == "twin").expect("it is a crate");
    let own = "crates/twin/src/host/endpoint.rs";
    let names =
        |source: &&Source| source.text.contains("Endpoint::") && !source.path.ends_with(own);
    let files: Vec<_> = twin.sources.iter().filter(names).map(|source| &source.path).collect();
    assert!(files.is_empty(), "they name a variant of Endpoint: {files:?}");
}

#[test]
fn no_line_is_too_wide() {
    let mut wide = Vec::new();
    for path in sources::rust_files() {
        let text = std::fs::read_to_string(&path).expect("it is text");
        let lines = (1..).zip(text.lines()).filter(|(_, line)| line.chars().count() > LONGEST_LINE);
        wide.extend(lines.map(|(number, _)| format!("{}:{number}", path.display())));
    }
    assert!(wide.is_empty(), "more than {LONGEST_LINE} characters: {wide:?}");
}

/// A doc line says what a field is. A question word says nothing.
#[test]
fn no_documentation_is_a_question_word() {
    const WORDS: [&str; 10] = [
        "When.",
        "From when.",
        "Until when.",
        "What.",
        "Who.",
        "Where.",
        "Which.",
        "How much.",
        "How many.",
        "How long.",
    ];
    let mut found = Vec::new();
    for source in crates().iter().flat_map(|each| &each.sources) {
        let is_one =
            |line: &str| line.trim().strip_prefix("/// ").is_some_and(|text| WORDS.contains(&text));
        let lines = (1..).zip(source.text.lines()).filter(|(_, line)| is_one(line));
        found.extend(lines.map(|(number, _)| format!("{}:{number}", source.path)));
    }
    assert!(found.is_empty(), "say what it is, and its unit: {found:?}");
}

#[test]
fn modules_import_by_the_module_that_owns_a_thing() {
    let mut wrong = Vec::new();
    for each in crates() {
        for source in &each.sources {
            let through = imports::of(&each, source).through_root;
            wrong.extend(through.into_iter().map(|path| format!("{}: {path}", source.path)));
        }
    }
    assert!(wrong.is_empty(), "imports through the root of the crate:\n{}", wrong.join("\n"));
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let mut circles = Vec::new();
    for each in crates() {
        let arrows: BTreeMap<_, _> = each
            .sources
            .iter()
            .map(|source| (source.module.clone(), imports::of(&each, source).modules))
            .collect();
        circles.extend(
            imports::circles(&arrows).into_iter().map(|circle| format!("{}: {circle}", each.name)),
        );
    }
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}
