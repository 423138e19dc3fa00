//! What a file imports of its own crate.

use std::collections::{BTreeMap, BTreeSet};

use crate::sources::{Crate, Source};

/// What a file imports of its own crate.
#[derive(Default)]
pub(crate) struct Imports {
    /// The files that own what is imported, by module.
    pub(crate) modules: BTreeSet<Vec<String>>,
    /// Imports of a name that no module below the root owns.
    pub(crate) through_root: Vec<String>,
}

/// The imports of a file: its `use` declarations and the paths in its code. What a parent re-exports of its
/// children is an arrow from parent to child.
pub(crate) fn of(of: &Crate, source: &Source) -> Imports {
    let code = without_comments(source.before_tests());
    let children: BTreeSet<String> = declared(&code);
    let known: BTreeSet<&Vec<String>> = of.sources.iter().map(|source| &source.module).collect();
    let mut imports = Imports::default();
    for path in paths(&code) {
        let parts: Vec<&str> = path.split("::").collect();
        let Some(mut at) = start(&parts, source, &children) else { continue };
        let rest = parts.iter().skip_while(|part| matches!(**part, "crate" | "self" | "super"));
        for part in rest {
            let mut next = at.clone();
            next.push((*part).to_owned());
            if !known.contains(&next) {
                break;
            }
            at = next;
        }
        if at.is_empty() && !source.module.is_empty() {
            imports.through_root.push(path);
        } else if at != source.module {
            imports.modules.insert(at);
        }
    }
    imports
}

/// Where a path starts: the root, the file itself, a parent; none for other crates.
fn start(parts: &[&str], source: &Source, children: &BTreeSet<String>) -> Option<Vec<String>> {
    match parts.first().copied() {
        Some("crate") => Some(Vec::new()),
        Some("self") => Some(source.module.clone()),
        Some("super") => {
            let up = parts.iter().take_while(|part| **part == "super").count();
            let kept = source.module.len().checked_sub(up)?;
            Some(source.module[..kept].to_vec())
        }
        Some(first) if children.contains(first) => Some(source.module.clone()),
        _ => None,
    }
}

/// The modules that a file declares.
fn declared(code: &str) -> BTreeSet<String> {
    let name = |line: &str| {
        let rest = line.trim().trim_start_matches("pub ").trim_start_matches("pub(crate) ");
        Some(rest.strip_prefix("mod ")?.strip_suffix(';')?.to_owned())
    };
    code.lines().filter_map(name).collect()
}

fn without_comments(text: &str) -> String {
    let code = |line: &str| line.split("//").next().unwrap_or_default().to_owned() + "\n";
    text.lines().map(code).collect()
}

/// Every path of `use` declarations, one a leaf, and the paths in code that begin with `crate::` or `super::`.
fn paths(code: &str) -> Vec<String> {
    let mut paths = Vec::new();
    let mut rest = String::new();
    let mut declaration: Option<String> = None;
    for line in code.lines() {
        let trimmed = line.trim_start();
        let begins = trimmed.starts_with("use ")
            || trimmed.starts_with("pub use ")
            || trimmed.starts_with("pub(crate) use ")
            || trimmed.starts_with("pub(super) use ");
        if declaration.is_none() && begins {
            let tree = trimmed.split_once("use ").map_or("", |(_, tree)| tree);
            declaration = Some(tree.to_owned());
        } else if let Some(tree) = &mut declaration {
            tree.push_str(line);
        } else {
            rest.push_str(line);
            rest.push('\n');
        }
        if let Some(tree) = declaration.take_if(|tree| tree.contains(';')) {
            let tree: String = tree.chars().filter(|c| *c != '\n').collect();
            leaves("", tree.split(';').next().unwrap_or_default(), &mut paths);
        }
    }
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let words = rest.split(|c: char| !is_path(c));
    let own = words.filter(|word| word.starts_with("crate::") || word.starts_with("super::"));
    paths.extend(own.map(str::to_owned));
    paths
}

/// The leaves of a tree such as `a::{b, c::{d, e}}`.
fn leaves(before: &str, tree: &str, into: &mut Vec<String>) {
    let tree = tree.trim();
    let Some((head, body)) = tree.split_once('{') else {
        let name = tree.split(" as ").next().unwrap_or_default().trim();
        if !name.is_empty() {
            let path = format!("{before}{name}");
            into.push(path.trim_end_matches("::self").to_owned());
        }
        return;
    };
    let before = format!("{before}{}", head.trim());
    let body = body.trim_end().strip_suffix('}').unwrap_or(body);
    let (mut depth, mut from) = (0_i32, 0);
    for (at, c) in body.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                leaves(&before, &body[from..at], into);
                from = at + 1;
            }
            _ => {}
        }
    }
    leaves(&before, &body[from..], into);
}

/// The files that can reach themselves along the arrows, each circle as a text.
pub(crate) fn circles(arrows: &BTreeMap<Vec<String>, BTreeSet<Vec<String>>>) -> Vec<String> {
    let reach = |from: &Vec<String>| {
        let mut seen = BTreeSet::new();
        let mut next: Vec<&Vec<String>> = arrows.get(from).into_iter().flatten().collect();
        while let Some(at) = next.pop() {
            if seen.insert(at.clone()) {
                next.extend(arrows.get(at).into_iter().flatten());
            }
        }
        seen
    };
    let reached: BTreeMap<_, _> = arrows.keys().map(|from| (from, reach(from))).collect();
    let mut circles = BTreeSet::new();
    for (from, seen) in &reached {
        if seen.contains(*from) {
            let same =
                |other: &&Vec<String>| seen.contains(*other) && reached[*other].contains(*from);
            let names = arrows.keys().filter(same).map(|module| module.join("::"));
            circles.insert(names.collect::<Vec<_>>().join(" > "));
        }
    }
    circles.into_iter().collect()
}
