//! Folders of files are replaced in one step, and only those that lightloom wrote.

use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use lightloom_export::output::folder::{check, write, write_if};
use lightloom_export::output::kind::{Edited, Kind, Terms};
use lightloom_export::output::kinds;
use lightloom_export::output::{Inputs, MARK};
use lightloom_export::plan::{INDEX, REPAIRS};
use lightloom_request::{Files, FolderError};
use tempfile::TempDir;

const KIND: &Kind = &kinds::OF_REPAIRS;

fn files(text: &str) -> Files {
    vec![(INDEX, text.into()), (REPAIRS, text.into())]
}

/// A place with nothing in it, and a folder in it that is not there yet.
fn place() -> (TempDir, PathBuf) {
    let parent = tempfile::tempdir().expect("the file system obeys");
    let out = parent.path().join("out");
    (parent, out)
}

fn put(out: &Path, text: &str) -> Result<(), FolderError> {
    write(out, &files(text), Terms::of(KIND, &Inputs::default()))
}

fn look(out: &Path) -> Result<(), FolderError> {
    check(out, Terms::of(KIND, &Inputs::default()))
}

fn save(path: &Path, text: &str) {
    fs::write(path, text).expect("the file system obeys");
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).expect("the file system obeys")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the file system obeys");
    let name = |entry: std::io::Result<fs::DirEntry>| {
        let name = entry.expect("the file system obeys").file_name();
        name.into_string().expect("the file system obeys")
    };
    let mut names: Vec<String> = entries.map(name).collect();
    names.sort();
    names
}

#[test]
fn the_folder_holds_exactly_the_files_of_the_last_run_and_their_list() {
    let (parent, out) = place();
    for content in ["first", "second", ""] {
        look(&out).expect("it is ours");
        put(&out, content).expect("it is ours");
        assert_eq!(names(&out), [INDEX, MARK, REPAIRS]);
        assert_eq!(text(&out.join(INDEX)), content);
        assert_eq!(names(parent.path()), ["out"]);
    }
}

#[test]
fn a_check_alone_changes_nothing() {
    let (parent, out) = place();
    look(&parent.path().join("a/b/out")).expect("nothing is there");
    look(&out).expect("nothing is there");
    assert!(names(parent.path()).is_empty());
}

#[test]
fn a_folder_of_somebody_else_is_refused() {
    for own in [&[INDEX] as &[&str], &[REPAIRS], &[INDEX, "notes.txt"], &[MARK], &[INDEX, MARK]] {
        let (parent, out) = place();
        fs::create_dir(&out).expect("the file system obeys");
        for name in own {
            save(&out.join(name), "mine");
        }
        for refused in [look(&out), put(&out, "x")] {
            assert!(matches!(refused, Err(FolderError::Foreign { .. })), "{own:?}: {refused:?}");
        }
        assert_eq!(names(&out).len(), own.len());
        assert!(own.iter().all(|name| text(&out.join(name)) == "mine"));
        assert_eq!(names(parent.path()), ["out"]);
    }
}

#[test]
fn a_folder_from_before_lists_is_known_by_all_of_its_files() {
    let (_parent, out) = place();
    fs::create_dir(&out).expect("the file system obeys");
    save(&out.join(INDEX), "old");
    save(&out.join(REPAIRS), "old");
    put(&out, "new").expect("all files of an older version are there");
    assert_eq!(names(&out), [INDEX, MARK, REPAIRS]);
}

#[test]
fn what_was_edited_or_added_is_not_lost() {
    let (parent, out) = place();
    put(&out, "made").expect("nothing is there");
    save(&out.join(INDEX), "edited");
    let refused = put(&out, "again");
    assert!(matches!(refused, Err(FolderError::Edited { found, .. }) if found == INDEX));
    save(&out.join(INDEX), "made");
    save(&out.join("notes.txt"), "mine");
    let refused = put(&out, "again");
    assert!(matches!(refused, Err(FolderError::Foreign { found, .. }) if found == "notes.txt"));
    fs::remove_file(out.join("notes.txt")).expect("the file system obeys");
    // A file that was removed is no loss.
    fs::remove_file(out.join(REPAIRS)).expect("the file system obeys");
    put(&out, "again").expect("it is ours again");
    assert_eq!(names(parent.path()), ["out"]);
}

#[test]
fn an_edit_that_the_user_has_seen_is_replaced_and_foreign_files_are_not() {
    let (_parent, out) = place();
    put(&out, "made").expect("nothing is there");
    save(&out.join(INDEX), "edited");
    let inputs = Inputs::default();
    let agreed = Terms { edited: Edited::Replaced, ..Terms::of(KIND, &inputs) };
    write(&out, &files("again"), agreed).expect("it was agreed on");
    assert_eq!(text(&out.join(INDEX)), "again");
    save(&out.join("notes.txt"), "mine");
    assert!(matches!(write(&out, &files("x"), agreed), Err(FolderError::Foreign { .. })));
}

#[test]
fn a_link_in_place_of_a_file_is_an_edit() {
    let (parent, out) = place();
    put(&out, "made").expect("nothing is there");
    save(&parent.path().join("mine"), "made");
    fs::remove_file(out.join(INDEX)).expect("the file system obeys");
    symlink(parent.path().join("mine"), out.join(INDEX)).expect("the file system obeys");
    assert!(matches!(put(&out, "again"), Err(FolderError::Edited { .. })));
    assert_eq!(text(&parent.path().join("mine")), "made");
}

#[test]
fn another_kind_of_folder_is_refused() {
    let (_parent, out) = place();
    put(&out, "made").expect("nothing is there");
    let refused = write(&out, &files("x"), Terms::of(&kinds::RESULTS, &Inputs::default()));
    assert!(matches!(refused, Err(FolderError::OtherKind { .. })), "{refused:?}");
}

#[test]
fn nothing_is_written_into_a_folder_of_lightloom() {
    let (_parent, out) = place();
    put(&out, "made").expect("nothing is there");
    for inner in [out.join("inner"), out.join("deep/inner")] {
        assert!(matches!(put(&inner, "x"), Err(FolderError::Inside { .. })));
    }
    assert_eq!(names(&out), [INDEX, MARK, REPAIRS]);
}

#[test]
fn a_folder_that_is_read_is_not_written() {
    let (_parent, out) = place();
    put(&out, "made").expect("nothing is there");
    let inputs = Inputs::of([out.join(INDEX)]);
    let refused = write(&out, &files("x"), Terms::of(KIND, &inputs));
    assert!(matches!(refused, Err(FolderError::Read { .. })), "{refused:?}");
    assert_eq!(text(&out.join(INDEX)), "made");
}

#[test]
fn a_folder_that_may_not_be_written_stays() {
    let (_parent, out) = place();
    put(&out, "made").expect("nothing is there");
    let rights = |mode| fs::set_permissions(&out, fs::Permissions::from_mode(mode));
    rights(0o555).expect("the file system obeys");
    // So it is for the administrator, too.
    let refused = put(&out, "again");
    rights(0o755).expect("the file system obeys");
    assert!(matches!(refused, Err(FolderError::ReadOnly(_))), "{refused:?}");
    assert_eq!(text(&out.join(INDEX)), "made");
}

#[test]
fn what_is_changed_while_the_files_are_made_stays() {
    type Change = fn(&Path);
    let changes: [Change; 4] = [
        |out| save(&out.join(INDEX), "edited"),
        |out| save(&out.join("notes.txt"), "mine"),
        |out| fs::remove_file(out.join(INDEX)).expect("the file system obeys"),
        |out| fs::rename(out, out.with_file_name("away")).expect("the file system obeys"),
    ];
    for change in changes {
        let (parent, out) = place();
        put(&out, "made").expect("nothing is there");
        let mut asked = 0;
        let mut go = || {
            asked += 1;
            if asked == 2 {
                change(&out);
            }
            true
        };
        let refused = write_if(&out, &files("again"), Terms::of(KIND, &Inputs::default()), &mut go);
        assert!(matches!(refused, Err(FolderError::Changed(_))), "{refused:?}");
        assert!(names(parent.path()).iter().all(|name| !name.contains("lightloom")));
        assert!(!out.exists() || names(&out).iter().all(|name| text(&out.join(name)) != "again"));
    }
}

#[test]
fn a_folder_that_appears_meanwhile_stays() {
    let (_parent, out) = place();
    let mut asked = 0;
    let mut go = || {
        asked += 1;
        if asked == 2 {
            fs::create_dir(&out).expect("the file system obeys");
            save(&out.join("notes.txt"), "mine");
        }
        true
    };
    let refused = write_if(&out, &files("x"), Terms::of(KIND, &Inputs::default()), &mut go);
    assert!(matches!(refused, Err(FolderError::Changed(_))), "{refused:?}");
    assert_eq!(names(&out), ["notes.txt"]);
}

#[test]
fn a_file_is_no_folder() {
    let (parent, out) = place();
    save(&out, "mine");
    assert!(matches!(put(&out, "x"), Err(FolderError::NotAFolder(_))));
    assert!(matches!(look(&out), Err(FolderError::NotAFolder(_))));
    assert_eq!(text(&out), "mine");
    assert_eq!(names(parent.path()), ["out"]);
}

#[test]
fn while_one_run_writes_another_is_told_to_wait() {
    let (parent, out) = place();
    let mut asked = 0;
    let mut go = || {
        asked += 1;
        if asked == 2 {
            // The first one has all of its files ready.
            assert!(matches!(put(&out, "second"), Err(FolderError::Busy(_))));
            assert!(matches!(look(&out), Err(FolderError::Busy(_))));
        }
        true
    };
    assert!(
        write_if(&out, &files("first"), Terms::of(KIND, &Inputs::default()), &mut go)
            .expect("it is free")
    );
    assert_eq!(asked, 2);
    assert_eq!(text(&out.join(INDEX)), "first");
    assert_eq!(names(parent.path()), ["out"]);
}

#[test]
fn what_a_killed_run_left_is_removed_and_what_another_has_there_is_not() {
    let (parent, out) = place();
    let beside = |name: &str| parent.path().join(name);
    let left = beside(".out.lightloom-0123456789abcdef");
    fs::create_dir(&left).expect("the file system obeys");
    save(&left.join(INDEX), "half");
    // A name of ours with another's file in it stays, and so do names that only look alike.
    let kept = beside(".out.lightloom-fedcba9876543210");
    fs::create_dir(&kept).expect("the file system obeys");
    save(&kept.join("thesis.tex"), "mine");
    save(&beside(".out.lightloom-short"), "mine");
    symlink("thesis", beside(".out.lightloom-1111111111111111")).expect("the file system obeys");
    put(&out, "made").expect("nothing is there");
    assert_eq!(
        names(parent.path()),
        [
            ".out.lightloom-1111111111111111",
            ".out.lightloom-fedcba9876543210",
            ".out.lightloom-short",
            "out"
        ]
    );
}

#[test]
fn a_folder_that_was_moved_away_by_a_killed_run_comes_back() {
    // So it is on a file system that cannot exchange two folders.
    let (parent, out) = place();
    put(&out, "made").expect("nothing is there");
    File::create(out.join(".lightloom-moved")).expect("the file system obeys");
    fs::rename(&out, parent.path().join(".out.lightloom-0123456789abcdef"))
        .expect("the file system obeys");
    look(&out).expect("it is ours");
    assert_eq!(names(&out), [INDEX, MARK, REPAIRS]);
    assert_eq!(names(parent.path()), ["out"]);
}
