//! Folders of files are written in one step.

use std::fs;
use std::path::Path;

use lightloom_export::folder::{check, write};
use lightloom_request::{Files, FolderError};

const KNOWN: [&str; 2] = ["a.csv", "mark.json"];
const MARK: &str = "mark.json";

fn files(text: &str) -> Files {
    vec![("a.csv", text.into()), (MARK, text.into())]
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the file system obeys");
    let mut names: Vec<String> = entries
        .map(|entry| {
            entry
                .expect("the file system obeys")
                .file_name()
                .into_string()
                .expect("the file system obeys")
        })
        .collect();
    names.sort();
    names
}

#[test]
fn the_folder_holds_exactly_the_files_of_the_last_run() {
    let parent = tempfile::tempdir().expect("the file system obeys");
    let out = parent.path().join("out");
    for text in ["first", "second", ""] {
        check(&out, &KNOWN, MARK).expect("the file system obeys");
        write(&out, &files(text), &KNOWN, MARK).expect("the file system obeys");
        assert_eq!(names(&out), KNOWN);
        assert_eq!(fs::read_to_string(out.join("a.csv")).expect("the file system obeys"), text);
        assert_eq!(names(parent.path()), ["out"]);
    }
}

#[test]
fn a_check_alone_changes_nothing() {
    let parent = tempfile::tempdir().expect("the file system obeys");
    check(&parent.path().join("a/b/out"), &KNOWN, MARK).expect("the file system obeys");
    check(&parent.path().join("out"), &KNOWN, MARK).expect("the file system obeys");
    assert!(names(parent.path()).is_empty());
}

#[test]
fn a_known_name_without_the_mark_is_foreign() {
    let parent = tempfile::tempdir().expect("the file system obeys");
    let out = parent.path().join("out");
    fs::create_dir(&out).expect("the file system obeys");
    fs::write(out.join("a.csv"), "mine").expect("the file system obeys");
    for refused in [check(&out, &KNOWN, MARK), write(&out, &files("x"), &KNOWN, MARK)] {
        assert!(matches!(refused, Err(FolderError::Foreign { found, .. }) if found == "a.csv"));
    }
    assert_eq!(fs::read_to_string(out.join("a.csv")).expect("the file system obeys"), "mine");
    assert_eq!(names(parent.path()), ["out"]);
}

#[test]
fn a_file_is_no_folder() {
    let parent = tempfile::tempdir().expect("the file system obeys");
    let out = parent.path().join("out");
    fs::write(&out, "mine").expect("the file system obeys");
    assert!(matches!(write(&out, &files("x"), &KNOWN, MARK), Err(FolderError::NotAFolder(_))));
    assert!(matches!(check(&out, &KNOWN, MARK), Err(FolderError::NotAFolder(_))));
    assert_eq!(fs::read_to_string(&out).expect("the file system obeys"), "mine");
    assert_eq!(names(parent.path()), ["out"]);
}

#[test]
fn while_one_run_writes_another_is_told_to_wait() {
    let parent = tempfile::tempdir().expect("the file system obeys");
    let out = parent.path().join("out");
    let lock =
        fs::File::create(parent.path().join(".out.lightloom-lock")).expect("the file system obeys");
    lock.lock().expect("the file system obeys");
    assert!(matches!(write(&out, &files("x"), &KNOWN, MARK), Err(FolderError::Busy(_))));
    assert!(!out.exists());
    drop(lock);
    write(&out, &files("x"), &KNOWN, MARK).expect("the file system obeys");
    assert_eq!(names(parent.path()), ["out"]);
}
