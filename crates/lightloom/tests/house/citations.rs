//! Citations of the source papers: where they stand, and what they name.
//!
//! A citation is the key of a paper, a colon and the key of an item: `shufflecast:lemma1`. Lines of an algorithm may be
//! a range: `shufflecast:alg1:3-7`.

use std::fs;
use std::path::Path;

use crate::sources::{entries, root};

/// The papers, in the order in which documents list them.
pub(crate) const PAPERS: [&str; 3] = ["shufflecast", "cepheus", "gleam"];

/// Folders with texts that may cite.
const FOLDERS: [&str; 9] =
    ["bench", "catalogue", "crates", "docs", "examples", "fuzz", "python", "scripts", "tests"];
/// Kinds of files that may cite.
const KINDS: [&str; 5] = ["rs", "py", "pyi", "md", "toml"];
/// These write of citations as such, or are made from them.
const LEFT_OUT: [&str; 2] = ["crates/lightloom/tests/house/", "docs/papers.toml"];

/// What a place in a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// Code that is shipped.
    Code,
    /// A test.
    Test,
    /// A document, an example, a measurement.
    Other,
}

/// An item that a file names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Citation {
    /// Key of the paper.
    pub(crate) paper: &'static str,
    /// Key of the item; one line of an algorithm.
    pub(crate) item: String,
    /// Path of the file in the repository.
    pub(crate) path: String,
    pub(crate) side: Side,
}

/// All citations of the repository, file by file.
pub(crate) fn all() -> Vec<Citation> {
    let mut found = Vec::new();
    for folder in FOLDERS {
        walk(&root().join(folder), folder, &mut found);
    }
    found
}

fn walk(folder: &Path, shown: &str, into: &mut Vec<Citation>) {
    for path in entries(folder) {
        let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
        let shown = format!("{shown}/{name}");
        let is_built = name.starts_with('.') || name == "target";
        if path.is_dir() && !is_built {
            walk(&path, &shown, into);
        }
        let kind = path.extension().and_then(|kind| kind.to_str()).unwrap_or_default();
        let is_left_out = LEFT_OUT.iter().any(|left| shown.starts_with(left));
        if KINDS.contains(&kind) && path.is_file() && !is_left_out {
            // What readers refused may be no text.
            let bytes = fs::read(&path).expect("it is there");
            into.extend(of_file(&shown, &String::from_utf8_lossy(&bytes)));
        }
    }
}

/// The citations of a file.
fn of_file(path: &str, text: &str) -> Vec<Citation> {
    // What stands between two marks is made from citations.
    let written: String = text.split(MARK).step_by(2).collect();
    let (code, tests) = written.split_at(before_tests(&written));
    let of = |part: &str, side| {
        let named = named(part).into_iter();
        named.map(move |(paper, item)| Citation { paper, item, path: path.to_owned(), side })
    };
    let side = side(path);
    let within = if side == Side::Code { Side::Test } else { side };
    of(code, side).chain(of(tests, within)).collect()
}

/// Stands before and after what is made from citations.
pub(crate) const MARK: &str = "<!-- papers -->";

/// Where the module of tests within a file begins; its end where there is none.
fn before_tests(text: &str) -> usize {
    let begins = |&(_, rest): &(usize, &str)| {
        let mut lines = rest.lines().skip(1);
        lines.next().is_some_and(|line| line.starts_with("mod ") && line.ends_with('{'))
    };
    let mut marks = text.match_indices("#[cfg(test)]\n").map(|(at, _)| (at, &text[at..]));
    marks.find(begins).map_or(text.len(), |(at, _)| at)
}

fn side(path: &str) -> Side {
    let parts: Vec<&str> = path.split('/').collect();
    let is_code = parts.contains(&"src") || path.starts_with("python/python/");
    match parts.as_slice() {
        _ if parts.contains(&"tests") || parts.ends_with(&["tests.rs"]) => Side::Test,
        ["crates" | "python", ..] if is_code => Side::Code,
        ["catalogue", ..] => Side::Code,
        _ => Side::Other,
    }
}

/// The papers and items that a text names.
fn named(text: &str) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    for paper in PAPERS {
        for (at, _) in text.match_indices(paper) {
            let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
            let is_whole = !text[..at].ends_with(is_word);
            let item = text[at + paper.len()..].strip_prefix(':').map(item_at).unwrap_or_default();
            // `shufflecast::` is a path of Rust.
            if is_whole && item.starts_with(|c: char| c.is_ascii_alphanumeric()) {
                found.extend(lines_of(item).into_iter().map(|item| (paper, item)));
            }
        }
    }
    found
}

/// The key that a text begins with, without the punctuation that follows.
fn item_at(text: &str) -> &str {
    let ends = |c: char| !(c.is_ascii_alphanumeric() || ".:-".contains(c));
    let key = &text[..text.find(ends).unwrap_or(text.len())];
    key.trim_end_matches(['.', ':', '-'])
}

/// The single lines of a range of lines; any other key as it is.
fn lines_of(key: &str) -> Vec<String> {
    let range = || {
        let (algorithm, lines) = key.split_once(':')?;
        let (first, last) = lines.split_once('-')?;
        let lines = first.parse::<u32>().ok()?..=last.parse().ok()?;
        Some(lines.map(|line| format!("{algorithm}:{line}")).collect())
    };
    range().unwrap_or_else(|| vec![key.to_owned()])
}

#[test]
fn citations_are_found_with_their_lines() {
    let text = "Line 9 (shufflecast:alg1:9), then shufflecast:alg1:11-13. See cepheus:III-D.ack, gleam:3.3.write.\n\
        No citations: shufflecast::Shufflecast, \"shufflecast:\", my-gleam:4, gleam: 4, Gleam:C.";
    let found = named(text);
    let found: Vec<String> =
        found.into_iter().map(|(paper, item)| format!("{paper} {item}")).collect();
    let expected =
        ["alg1:9", "alg1:11", "alg1:12", "alg1:13"].map(|item| format!("shufflecast {item}"));
    assert_eq!(found[..4], expected);
    assert_eq!(found[4..], ["cepheus III-D.ack", "gleam 3.3.write"]);
}

#[test]
fn citations_have_the_side_of_their_place() {
    let text = "//! gleam:C\n#[cfg(test)]\nmod tests;\n// gleam:4\n#[cfg(test)]\nmod more {\n// gleam:A.confirm\n}\n";
    let sides =
        |path: &str| of_file(path, text).into_iter().map(|one| one.side).collect::<Vec<_>>();
    let (code, test, other) = (Side::Code, Side::Test, Side::Other);
    assert_eq!(sides("crates/x/src/a.rs"), [code, code, test]);
    assert_eq!(sides("python/python/lightloom/a.py"), [code, code, test]);
    for path in ["crates/x/src/a/tests/b.rs", "crates/x/src/a/tests.rs", "tests/peers/test_a.py"] {
        assert_eq!(sides(path), [test; 3], "{path}");
    }
    for path in ["bench/a.toml", "docs/a.md", "crates/x/benches/a.rs", "crates/x/README.md"] {
        assert_eq!(sides(path), [other; 3], "{path}");
    }
    let made = format!("gleam:C {MARK} gleam:4 {MARK} gleam:A.confirm");
    assert_eq!(of_file("docs/a.md", &made).len(), 2);
}
