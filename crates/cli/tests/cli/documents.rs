//! Every command that README, docs and doc comments print is run as printed, in a shell, in the order of
//! the page, in a folder laid out like the repository.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::printed::{Printed, fenced_shell, printed_commands};

/// Commands that take long, each with the reason and a smaller one of the same kind that runs in its
/// place: the same command and the same flags.
const COSTLY: [(&str, &str, &str); 13] = [
    (
        "lightloom repairs design.toml --out repairs",
        "9,000 repairs of 1,000 ToRs take minutes",
        "lightloom repairs small.toml --out repairs",
    ),
    (
        "lightloom risk design.toml",
        "all groups of 1,000 ToRs take half a minute",
        "lightloom risk small.toml",
    ),
    (
        "lightloom repairs --family shufflecast --p 4 --k 4 --out repairs",
        "6,400 repairs take minutes",
        "lightloom repairs --family shufflecast --p 2 --k 2 --out repairs",
    ),
    (
        "lightloom risk examples/hall-1024.toml",
        "all groups of 1,024 ToRs take half a minute",
        "lightloom risk small.toml",
    ),
    (
        "lightloom plan --family kautz --p 4 --tors 16384 --out plan",
        "20,480 fibres of a debug build take a quarter of a minute",
        "lightloom plan --family kautz --p 4 --tors 64 --out plan",
    ),
    (
        "lightloom budget --family kautz --p 4 --tors 16384 --json",
        "65,536 branches of a debug build",
        "lightloom budget --family kautz --p 4 --tors 64 --json",
    ),
    (
        "lightloom budget --family shufflecast --p 4 --k 4 --case monte-carlo --catalogue datasheets-2026 \
         --transceiver 10gbase-lr --json",
        "10,000 draws of 4,096 branches of a debug build",
        "lightloom budget --family shufflecast --p 2 --k 2 --case monte-carlo --catalogue datasheets-2026 \
         --transceiver 10gbase-lr --json",
    ),
    (
        "lightloom budget --family kautz --p 4 --tors 1024 --transceiver 10gbase-er --case monte-carlo",
        "10,000 draws of 4,096 branches of a debug build",
        "lightloom budget --family kautz --p 4 --tors 24 --transceiver 10gbase-er --case monte-carlo",
    ),
    (
        "lightloom explore --tors 1000 --max-hops 5 --rank-by fibre",
        "every design of 1,000 ToRs of a debug build",
        "lightloom explore --tors 50 --max-hops 5 --rank-by fibre",
    ),
    (
        "lightloom explore --tors 1024 --catalogue shufflecast-2022 --case best --json",
        "every design of 1,024 ToRs of a debug build",
        "lightloom explore --tors 24 --catalogue shufflecast-2022 --case best --json",
    ),
    (
        "lightloom explore --tors 16384 --catalogue shufflecast-2022 --case best --json",
        "every design of 16,384 ToRs takes half a minute",
        "lightloom explore --tors 24 --catalogue shufflecast-2022 --case best --json",
    ),
    (
        "lightloom simulate examples/racks-with-spines.toml",
        "half a minute of a debug build",
        "lightloom simulate examples/incast.toml",
    ),
    (
        "lightloom simulate examples/stride.toml --threads 2 --out stride",
        "docs/twin.md runs the same scenario",
        "lightloom simulate examples/incast.toml --threads 2 --out stride",
    ),
];

/// Other lines of shell blocks, each with the reason that it does not run here, and what must exist.
const OTHERS: [(&str, &str, &[&str]); 8] = [
    ("make demo", "builds the workspace", &["Makefile", "examples/hall-1024.toml"]),
    ("make install PREFIX=~/.local", "builds a release", &["Makefile", "scripts/install"]),
    ("cargo install --locked --path crates/cli", "installs", &["crates/cli/Cargo.toml"]),
    ("cargo install --locked --path crates/gui", "installs", &["crates/gui/Cargo.toml"]),
    ("lightloom-gui examples/hall-1024.toml", "needs a desktop", &["examples/hall-1024.toml"]),
    ("pip install ./python", "builds a wheel", &["python/pyproject.toml"]),
    ("pip install \"./python[all]\"", "builds a wheel", &["python/pyproject.toml"]),
    ("pip install \"./python[controller]\"", "builds a wheel", &["python/pyproject.toml"]),
];

/// The repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

fn text(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Files below a folder of the repository whose names end so.
fn files(folder: &str, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() && !name.starts_with('.') && name != "target" {
                folders.push(path);
            } else if endings.iter().any(|ending| name.ends_with(ending)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A folder like the repository: the examples, and a small design beside them.
struct Desk(tempfile::TempDir);

struct Ended {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Desk {
    fn new() -> Self {
        let desk = Self(tempfile::tempdir().expect("a temporary folder"));
        for folder in ["examples", "catalogue"] {
            for file in files(folder, &[".toml", ".csv", ".txt", ".goal", ".et", ".json"]) {
                let to = desk.0.path().join(file.strip_prefix(root()).expect("it is below"));
                fs::create_dir_all(to.parent().expect("a folder")).expect("a new folder");
                fs::copy(&file, to).expect("it is copied");
            }
        }
        let made = desk.run("lightloom new --tors 24 -o small.toml");
        assert_eq!(made.code, Some(0), "{}", made.stderr);
        desk
    }

    /// Runs a line in a shell that finds this build's command first.
    fn run(&self, line: &str) -> Ended {
        let own = Path::new(env!("CARGO_BIN_EXE_lightloom")).parent().expect("a folder");
        let mut paths = vec![own.to_path_buf()];
        paths.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
        let output = Command::new("sh")
            .args(["-c", line])
            .env("PATH", std::env::join_paths(paths).expect("paths"))
            .current_dir(self.0.path())
            .output()
            .expect("a shell");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ended {
            code: output.status.code(),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }

    fn names(&self) -> BTreeSet<String> {
        let entries = fs::read_dir(self.0.path()).expect("the folder");
        entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
    }

    /// Runs a printed command: it must answer, and write nothing that it does not name.
    fn check(&self, page: &Path, printed: &Printed) {
        let at = format!("{}:{}: {}", page.display(), printed.line, printed.command);
        assert!(!printed.command.contains('…'), "{at}\nprint the whole command, so that it runs");
        let costly = COSTLY.iter().find(|(command, ..)| *command == printed.command);
        let line = costly.map_or(printed.command.as_str(), |(command, _, smaller)| {
            assert_eq!(flags(command), flags(smaller), "{at}\nthe smaller command is another one");
            for file in words(command).filter(|word| word.contains('/') && !word.starts_with('-')) {
                assert!(root().join(file).exists(), "{at}\nnames {file}, which is not there");
            }
            smaller
        });
        let before = self.names();
        let ended = self.run(line);
        let lacks = ["required", "is missing"].iter().any(|said| ended.stderr.contains(said));
        if printed.is_a_name() && lacks {
            // A command is spoken of, not printed to be run: it must exist.
            let help = self.run(&format!("{line} --help"));
            assert_eq!(help.code, Some(0), "{at}\n{}", help.stderr);
            return;
        }
        assert_eq!(ended.code, Some(0), "{at}\n{}{}", ended.stdout, ended.stderr);
        assert!(!ended.stdout.trim().is_empty(), "{at}\nprints nothing");
        for new in self.names().difference(&before) {
            let named = words(line).any(|word| word == new);
            assert!(named, "{at}\nwrites {new}, which the line does not name: quote its > or <");
        }
    }
}

fn words(command: &str) -> impl Iterator<Item = &str> {
    command.split_whitespace()
}

fn flags(command: &str) -> Vec<&str> {
    let of_all = words(command).take(2);
    of_all.chain(words(command).filter(|word| word.starts_with('-'))).collect()
}

/// Runs all commands of pages, each page in a folder of its own; how many there were.
fn run_pages(pages: &[PathBuf]) -> usize {
    let mut ran = 0;
    for page in pages {
        let found = printed_commands(page, &text(page));
        if found.is_empty() {
            continue;
        }
        let desk = Desk::new();
        for printed in &found {
            desk.check(page, printed);
        }
        ran += found.len();
    }
    ran
}

#[test]
fn every_command_of_the_readme_runs_as_printed() {
    assert!(run_pages(&[root().join("README.md")]) >= 15, "they are there");
}

/// A newcomer reads all of it.
#[test]
fn the_readme_is_short() {
    assert!(text(&root().join("README.md")).lines().count() <= 150);
}

#[test]
fn the_plan_that_the_readme_shows_is_written() {
    let desk = Desk::new();
    let readme = text(&root().join("README.md"));
    let mut lines = fenced_shell(&readme).into_iter();
    let first = lines.find(|(_, line)| line.starts_with("lightloom plan"));
    let (_, line) = first.expect("it makes a plan");
    assert_eq!(desk.run(line).code, Some(0));
    let made = text(&desk.0.path().join("plan/floor-plan.svg"));
    assert_eq!(made, text(&root().join("docs/pictures/floor-plan.svg")));
}

/// Links of the documents to files of the repository and to headings in them.
#[test]
fn every_link_of_a_document_leads_somewhere() {
    let mut pages = files("docs", &[".md"]);
    pages.extend(files("crates", &["README.md"]));
    for page in [
        "README.md",
        "COMPARE.md",
        "python/README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
    ] {
        pages.push(root().join(page));
    }
    let mut followed = 0;
    for page in &pages {
        let folder = page.parent().expect("a folder");
        for link in text(page).split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.contains("://") || link.contains(char::is_whitespace) || link.is_empty() {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { page.clone() } else { folder.join(file) };
            assert!(target.exists(), "{}: {link} leads nowhere", page.display());
            if !heading.is_empty() {
                let found =
                    text(&target).lines().any(|line| anchor(line).as_deref() == Some(heading));
                assert!(found, "{}: {link}: no such heading", page.display());
            }
            followed += 1;
        }
    }
    assert!(followed >= 50, "they are there");
}

/// The name by which links know a heading. `None`: the line is none.
fn anchor(line: &str) -> Option<String> {
    let title = line.strip_prefix('#')?.trim_start_matches('#').trim();
    let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    Some(kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect())
}

#[test]
fn every_command_of_the_docs_runs_as_printed() {
    let mut pages = files("docs", &[".md"]);
    for page in
        ["COMPARE.md", "python/README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
    {
        pages.push(root().join(page));
    }
    assert!(run_pages(&pages) >= 30, "they are there");
}

#[test]
fn every_command_of_examples_and_sources_runs_as_printed() {
    let mut pages = files("examples", &[".toml"]);
    pages.extend(files("catalogue", &[".toml"]));
    for folder in ["crates", "python/src", "python/python"] {
        pages.extend(files(folder, &[".rs", ".py"]).into_iter().filter(|file| {
            // Tests hold commands that are to be refused.
            !file.components().any(|part| part.as_os_str() == "tests")
        }));
    }
    assert!(run_pages(&pages) >= 3, "they are there");
}

#[test]
fn every_other_line_of_a_shell_block_is_known() {
    let mut pages = files("docs", &[".md"]);
    pages.extend(["README.md", "COMPARE.md", "python/README.md"].map(|page| root().join(page)));
    for page in pages {
        for (number, line) in fenced_shell(&text(&page)) {
            let command = line.split(" #").next().unwrap_or_default().trim();
            if command.is_empty() || command.starts_with("lightloom ") {
                continue;
            }
            let at = format!("{}:{number}: {command}", page.display());
            let known = OTHERS.iter().find(|(known, ..)| *known == command);
            let (_, _, needs) = known.unwrap_or_else(|| {
                panic!("{at}\nno test runs it: print a lightloom command, or list it here with a reason")
            });
            for file in *needs {
                assert!(root().join(file).exists(), "{at}\nneeds {file}");
            }
        }
    }
}

#[test]
fn every_command_has_help_whose_examples_are_flags() {
    let desk = Desk::new();
    let help = desk.run("lightloom --help");
    // Two columns of indent, a name, what it does; options have a dash.
    let commands: Vec<&str> = help
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("  ").filter(|rest| !rest.starts_with([' ', '-'])))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|command| *command != "help")
        .collect();
    assert!(commands.len() >= 15, "{commands:?}");
    for command in commands {
        let help = desk.run(&format!("lightloom {command} --help"));
        assert_eq!(help.code, Some(0), "{command}: {}", help.stderr);
        for printed in printed_commands(Path::new("help.md"), &help.stdout) {
            desk.check(Path::new(command), &printed);
        }
    }
}

#[test]
fn what_new_says_next_runs() {
    for name in ["design.toml", "my design.toml", "it's.toml"] {
        let desk = Desk::new();
        let quoted = format!("\"{name}\"");
        let made = desk.run(&format!("lightloom new --tors 24 -o {quoted}"));
        let next = made.stdout.lines().find_map(|line| line.strip_prefix("Next: "));
        let next = next.unwrap_or_else(|| panic!("{}{}", made.stdout, made.stderr));
        let ended = desk.run(next);
        assert_eq!(ended.code, Some(0), "{next}\n{}", ended.stderr);
        assert!(desk.names().contains("plan"), "{next}");
    }
}
