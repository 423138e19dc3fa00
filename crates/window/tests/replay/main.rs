//! Replays kept layouts, and every one that once ended the window, through the reader that the fuzz target calls.

mod layout;

use std::fs;
use std::path::Path;

#[allow(clippy::print_stdout, reason = "the last line names the layout that ends the window")]
fn replay(kind: &str, least: usize) {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/replay").join(kind).join("layout");
    let mut paths: Vec<_> = fs::read_dir(folder)
        .map(|entries| entries.map(|entry| entry.expect("an entry").path()).collect())
        .unwrap_or_default();
    paths.sort();
    assert!(paths.len() >= least, "{kind} has {} layouts", paths.len());
    for path in paths {
        println!("{}", path.display());
        layout::read(&fs::read(path).expect("a file"));
    }
}

#[test]
fn no_kept_layout_ends_the_window() {
    replay("corpus", 1);
}

#[test]
fn no_layout_that_once_failed_ends_the_window() {
    replay("failed", 0);
}
