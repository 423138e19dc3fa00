//! The crates of the workspace: what they depend on, and their sources.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A crate.
pub(crate) struct Crate {
    /// Its name without `lightloom-`.
    pub(crate) name: String,
    /// The crates of the workspace that it depends on, by the same names.
    pub(crate) uses: BTreeSet<String>,
    pub(crate) sources: Vec<Source>,
}

/// A file of a crate.
pub(crate) struct Source {
    /// Its path in the repository.
    pub(crate) path: String,
    /// Its module: `a::b` for `src/a/b.rs`; empty for the root.
    pub(crate) module: Vec<String>,
    pub(crate) text: String,
}

impl Crate {
    pub(crate) fn lines(&self) -> usize {
        self.sources.iter().map(|source| source.text.lines().count()).sum()
    }
}

impl Source {
    /// What stands before the tests within the file.
    pub(crate) fn before_tests(&self) -> &str {
        self.text.split("#[cfg(test)]\nmod ").next().unwrap_or_default()
    }

    pub(crate) fn lines_before_tests(&self) -> usize {
        self.before_tests().lines().count()
    }
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All Rust files, tests and benchmarks too.
pub(crate) fn rust_files() -> Vec<PathBuf> {
    let mut folders =
        ["crates", "catalogue", "python", "fuzz"].map(|folder| root().join(folder)).to_vec();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in entries(&folder) {
            if path.is_dir() && !path.ends_with("target") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files
}

/// All crates, in the order of their folders.
pub(crate) fn crates() -> Vec<Crate> {
    let mut folders: Vec<PathBuf> = entries(&root().join("crates"));
    folders.extend([root().join("catalogue"), root().join("python")]);
    let folders = folders.into_iter().filter(|folder| folder.join("Cargo.toml").exists());
    folders.map(|folder| read(&folder)).collect()
}

fn read(folder: &Path) -> Crate {
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).expect("it is there");
    let manifest: toml::Table = manifest.parse().expect("it is TOML");
    let short = |name: &str| name.strip_prefix("lightloom-").unwrap_or(name).to_owned();
    let name = manifest["package"]["name"].as_str().expect("it is a text");
    let uses = manifest.get("dependencies").and_then(toml::Value::as_table);
    let uses = uses.into_iter().flat_map(toml::Table::keys);
    let uses = uses.filter(|name| name.starts_with("lightloom")).map(|name| short(name)).collect();
    let src = folder.join("src");
    let src = if src.exists() { src } else { folder.to_path_buf() };
    let mut sources = Vec::new();
    collect(&src, &mut Vec::new(), &mut sources);
    Crate { name: short(name), uses, sources }
}

fn collect(folder: &Path, module: &mut Vec<String>, into: &mut Vec<Source>) {
    for path in entries(folder) {
        let stem = path.file_stem().expect("it has a name").to_string_lossy().into_owned();
        if path.is_dir() {
            if folder.ends_with("src") || !module.is_empty() {
                module.push(stem);
                collect(&path, module, into);
                module.pop();
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let mut own = module.clone();
            if !matches!(stem.as_str(), "lib" | "main" | "mod") {
                own.push(stem);
            }
            let text = std::fs::read_to_string(&path).expect("it is there");
            let shown = path.canonicalize().expect("it is there");
            let base = root().canonicalize().expect("it is there");
            let shown = shown.strip_prefix(base).unwrap_or(&shown).display().to_string();
            into.push(Source { path: shown, module: own, text });
        }
    }
}

/// What is in a folder, by name.
pub(crate) fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("it is a folder");
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("it can be read").path()).collect();
    paths.sort();
    paths
}
