//! Replays the inputs that fuzzing kept (`corpus`), and every input that once failed (`failed`), through the readers
//! that the fuzz targets call. No reader may panic.

mod readers;

use std::fs;
use std::path::{Path, PathBuf};

use crate::readers::READERS;

fn folder(kind: &str, reader: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/replay").join(kind).join(reader)
}

/// The inputs of a folder, by name.
fn inputs(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), fs::read(path).expect("a file"))).collect()
}

#[allow(clippy::print_stdout, reason = "the last line names the input that ends a reader")]
fn replay(kind: &str, least: usize) {
    for (name, read) in READERS {
        let inputs = inputs(&folder(kind, name));
        assert!(inputs.len() >= least, "{kind}/{name} has {} inputs", inputs.len());
        for (path, bytes) in inputs {
            println!("{}", path.display());
            read(&bytes);
        }
    }
}

#[test]
fn no_kept_input_ends_a_reader() {
    replay("corpus", 1);
}

#[test]
fn no_input_that_once_failed_ends_a_reader() {
    replay("failed", 0);
    // Those that were there when the readers were mended.
    for (name, least) in [("design", 1), ("read_back", 2), ("arrow", 3)] {
        assert!(inputs(&folder("failed", name)).len() >= least, "{name}");
    }
}

/// Each reader has a fuzz target of its name.
#[test]
fn each_reader_has_a_fuzz_target() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/Cargo.toml");
    let manifest = fs::read_to_string(manifest).expect("the manifest of the targets");
    for (name, _) in READERS {
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
    }
}
