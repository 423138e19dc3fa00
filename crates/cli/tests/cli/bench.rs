//! A folder of its own for each test, and runs of the command in it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;
use unicode_width::UnicodeWidthStr as _;

/// The smallest fabric with a tree worth the name: 8 ToRs.
pub(crate) const SMALL: [&str; 6] = ["--family", "shufflecast", "--p", "2", "--k", "2"];

/// A temporary folder in which commands run.
pub(crate) struct Bench {
    folder: TempDir,
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).expect("the test writes its input");
    }

    /// Runs the command here. Whatever the outcome, it must not panic, must not colour its output
    /// and must end with one of the three promised codes.
    pub(crate) fn run<S: AsRef<str>>(&self, args: &[S]) -> Ran {
        self.run_in(".", args)
    }

    pub(crate) fn run_in<S: AsRef<str>>(&self, folder: &str, args: &[S]) -> Ran {
        let ran = self.start(folder, args);
        assert!(!ran.stdout.contains('\u{1b}'), "{ran:?}");
        assert!(!ran.stderr.contains('\u{1b}'), "{ran:?}");
        if !args.iter().any(|arg| ["--json", "completions"].contains(&arg.as_ref())) {
            narrow(&ran.stdout);
        }
        ran
    }

    /// A column of a CSV file.
    pub(crate) fn column(&self, file: &str, name: &str) -> Vec<String> {
        let mut reader = csv::Reader::from_path(self.path(file)).expect("a file");
        let titles = reader.headers().expect("a header");
        let at = titles.iter().position(|title| title == name).expect("the column");
        reader.records().map(|row| row.expect("a row")[at].to_owned()).collect()
    }

    /// Runs a command that may be asked for colours.
    pub(crate) fn run_painted<S: AsRef<str>>(&self, args: &[S]) -> Ran {
        self.start(".", args)
    }

    fn start<S: AsRef<str>>(&self, folder: &str, args: &[S]) -> Ran {
        let args: Vec<&str> = args.iter().map(AsRef::as_ref).collect();
        let output = Command::new(env!("CARGO_BIN_EXE_lightloom"))
            .args(&args)
            .current_dir(self.path(folder))
            .output()
            .expect("the command starts");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
        let ran = Ran {
            code: output.status.code().expect("not killed by a signal"),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        };
        assert!(!ran.stderr.contains("panicked"), "{args:?}: {ran:?}");
        assert!((0..=2).contains(&ran.code), "{args:?}: {ran:?}");
        ran
    }

    /// Plans `args` into `out`, which must succeed.
    pub(crate) fn plan(&self, out: &str, args: &[&str]) {
        let ran = self.run(&[&["plan", "--out", out], args].concat());
        assert_eq!(ran.code, 0, "{args:?}: {ran:?}");
    }

    /// The JSON answer of a command that must succeed.
    pub(crate) fn ask(&self, args: &[&str]) -> Value {
        self.run(&[args, &["--json"]].concat()).json()
    }

    pub(crate) fn verify(&self, plan: &str) -> Ran {
        self.run(&["verify", plan])
    }

    /// Every file below the test's folder, with its bytes; links and folders by name only.
    pub(crate) fn snapshot(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        collect(self.folder.path(), &mut found);
        found
    }

    /// Asserts that a command is refused with code 2, that the message has all of `parts`, and
    /// that nothing on disk has changed.
    pub(crate) fn refuses(&self, args: &[&str], parts: &[&str]) -> Ran {
        let before = self.snapshot();
        let ran = self.run(args);
        assert_eq!(ran.code, 2, "{args:?}: {ran:?}");
        assert_eq!(ran.stdout, "", "{args:?}: an answer beside a refusal");
        for part in parts {
            assert!(ran.stderr.contains(part), "{args:?}: no {part:?} in {:?}", ran.stderr);
        }
        assert!(self.snapshot() == before, "{args:?}: the refused command changed files");
        ran
    }

    /// The names in a folder, hidden ones too, sorted. The list of files that lightloom puts into each of its folders
    /// is left out.
    pub(crate) fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).expect("a folder");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .filter(|name| name != "lightloom.sha256")
            .collect();
        names.sort();
        names
    }
}

impl Ran {
    /// Standard output on one line: sentences as they were before they were wrapped.
    pub(crate) fn said(&self) -> String {
        self.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Standard output as exactly one JSON document of a successful run, and nothing said beside it.
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.code, 0, "{self:?}");
        assert_eq!(self.stderr, "", "{self:?}");
        self.document()
    }

    /// Standard output as exactly one JSON document, whatever the code.
    pub(crate) fn document(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }
}

/// Asserts that what people read fits 100 columns, but for a word that is wider and a command to copy.
pub(crate) fn narrow(text: &str) {
    for line in text.lines() {
        let wide_word = line.split_whitespace().any(|word| word.width() > 90);
        let fits = line.width() <= 100 || line.starts_with("Next: ");
        assert!(fits || (wide_word && !line.starts_with('│')), "too wide: {line}");
    }
}

fn collect(folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let kind = fs::symlink_metadata(&path).expect("metadata").file_type();
        if kind.is_dir() {
            collect(&path, found);
            found.insert(path, Vec::new());
        } else if kind.is_file() && fs::metadata(&path).expect("metadata").len() < 1 << 24 {
            let bytes = fs::read(&path).expect("a readable file");
            found.insert(path, bytes);
        } else {
            found.insert(path, Vec::new());
        }
    }
}

/// A rack inventory in own columns: racks `R0`, `R1`, … of this many rows of eight.
pub(crate) fn inventory(rows: usize) -> String {
    let mut text = String::from("name,row,position\n");
    for i in 0..rows * 8 {
        text += &format!("R{i},Row {},{}\n", i / 8 + 1, i % 8 + 1);
    }
    text
}
