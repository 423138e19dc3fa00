//! Single files are replaced in one step. Devices and pipes are written, and not replaced.

use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use lightloom_export::output::file::{NewFile, There, check, write};
use lightloom_export::output::folder;
use lightloom_export::output::kind::Terms;
use lightloom_export::output::kinds;
use lightloom_export::output::{Inputs, MARK};
use lightloom_export::plan::{INDEX, REPAIRS};
use tempfile::TempDir;

fn place() -> (TempDir, PathBuf) {
    let parent = tempfile::tempdir().expect("the file system obeys");
    let file = parent.path().join("x.csv");
    (parent, file)
}

fn replace(path: &Path, text: &str) -> Result<(), String> {
    write(path, text.as_bytes(), There::Replaced, &Inputs::default())
        .map_err(|error| error.to_string())
}

fn save(path: &Path, text: &str) {
    fs::write(path, text).expect("the file system obeys");
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).expect("the file system obeys")
}

fn count(folder: &Path) -> usize {
    fs::read_dir(folder).expect("the file system obeys").count()
}

/// How many temporaries are in a folder that other programs use too.
fn temporaries(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).expect("the file system obeys");
    let names = entries.map(|entry| entry.expect("the file system obeys").file_name());
    names.filter(|name| name.to_string_lossy().contains(".lightloom-")).count()
}

#[test]
fn a_file_is_made_and_replaced_and_what_is_beside_it_stays() {
    let (parent, file) = place();
    save(&parent.path().join("x.csv.part"), "mine");
    for content in ["first", "second"] {
        replace(&file, content).expect("it may be written");
        assert_eq!(text(&file), content);
    }
    assert_eq!(text(&parent.path().join("x.csv.part")), "mine");
    assert_eq!(count(parent.path()), 2);
}

#[test]
fn a_new_file_has_the_rights_of_any_new_file_and_an_old_one_keeps_its_own() {
    let (parent, file) = place();
    replace(&file, "made").expect("it may be written");
    let other = parent.path().join("other");
    save(&other, "by the system");
    let mode = |path: &Path| fs::metadata(path).expect("it is there").mode();
    assert_eq!(mode(&file), mode(&other));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("the file system obeys");
    replace(&file, "again").expect("it may be written");
    assert_eq!(mode(&file) & 0o777, 0o640);
}

#[test]
fn links_to_files_are_followed() {
    let (parent, file) = place();
    let (link, chain) = (parent.path().join("link"), parent.path().join("chain"));
    symlink("x.csv", &link).expect("the file system obeys");
    symlink(&link, &chain).expect("the file system obeys");
    // A link to nothing names the file that is to be made.
    replace(&chain, "made").expect("it may be written");
    assert!(link.is_symlink() && chain.is_symlink());
    assert_eq!(text(&file), "made");
    let circle = parent.path().join("circle");
    symlink("circle", &circle).expect("the file system obeys");
    assert!(replace(&circle, "x").expect_err("a circle leads nowhere").contains("circle"));
}

#[test]
fn a_device_is_written_and_stays_a_device() {
    let before = temporaries(Path::new("/dev"));
    for (device, ends) in [("/dev/null", Ok(())), ("/dev/full", Err(()))] {
        let written = replace(Path::new(device), "x");
        assert_eq!(written.is_ok(), ends.is_ok(), "{device}: {written:?}");
        let metadata = fs::metadata(device).expect("it is there");
        assert!(metadata.file_type().is_char_device(), "{device}");
    }
    assert_eq!(temporaries(Path::new("/dev")), before);
}

#[test]
fn a_pipe_gets_the_bytes() {
    let (parent, _) = place();
    let pipe = parent.path().join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo is there");
    assert!(made.success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || text(&pipe)
    });
    replace(&pipe, "through the pipe").expect("somebody reads");
    assert_eq!(reader.join().expect("the reader ends"), "through the pipe");
    let metadata = fs::symlink_metadata(&pipe).expect("it is there");
    assert!(metadata.file_type().is_fifo());
}

#[test]
fn a_descriptor_leads_to_what_is_open_there() {
    use std::os::fd::AsRawFd as _;
    let (_parent, file) = place();
    save(&file, "before\n");
    let open = File::options().append(true).open(&file).expect("it is there");
    for folder in ["/dev/fd", "/proc/self/fd", &format!("/proc/{}/fd", std::process::id())] {
        replace(Path::new(&format!("{folder}/{}", open.as_raw_fd())), "more\n")
            .expect("it is open");
    }
    // What was there stays, and it is the same file.
    assert_eq!(text(&file), "before\nmore\nmore\nmore\n");
    assert!(fs::symlink_metadata(&file).expect("it is there").is_file());
}

#[test]
fn what_a_run_reads_is_not_written_under_any_name() {
    let (parent, file) = place();
    save(&file, "input");
    let (link, hard) = (parent.path().join("link"), parent.path().join("hard"));
    symlink(&file, &link).expect("the file system obeys");
    fs::hard_link(&file, &hard).expect("the file system obeys");
    let inputs = Inputs::of([&file]);
    for path in [&file, &link, &hard, &parent.path().join("./x.csv")] {
        let refused = write(path, b"x", There::Replaced, &inputs).expect_err("it is an input");
        assert!(refused.to_string().contains("this run reads"), "{refused}");
    }
    assert_eq!(text(&file), "input");
}

#[test]
fn a_file_that_must_stay_stays() {
    let (_parent, file) = place();
    let new = |text: &str| write(&file, text.as_bytes(), There::Stays, &Inputs::default());
    new("made").expect("nothing is there");
    assert!(new("again").is_err());
    assert_eq!(text(&file), "made");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).expect("the file system obeys");
    assert!(replace(&file, "x").expect_err("it is read-only").contains("read-only"));
    assert_eq!(text(&file), "made");
}

#[test]
fn nothing_is_written_into_a_folder_of_lightloom() {
    let (parent, _) = place();
    let plan = parent.path().join("plan");
    let files = [(INDEX, b"x".to_vec()), (REPAIRS, b"x".to_vec())];
    folder::write(&plan, &files, Terms::of(&kinds::OF_REPAIRS, &Inputs::default()))
        .expect("nothing is there");
    let refused = replace(&plan.join("form.csv"), "x").expect_err("it is a folder of files");
    assert!(refused.contains("would lie in the folder"), "{refused}");
    let mark = replace(&plan.join(MARK), "x").expect_err("it is a folder of files");
    assert!(mark.contains("would lie in the folder"), "{mark}");
    assert!(check(&plan, There::Replaced, &Inputs::default()).is_err());
}

#[test]
fn of_two_writers_one_wins_and_the_other_is_told() {
    let (parent, file) = place();
    let mut first =
        NewFile::create(&file, There::Replaced, &Inputs::default()).expect("it is free");
    let second = replace(&file, "second").expect_err("the first one is at work");
    assert!(second.contains("another run"), "{second}");
    first.fill(|out| out.write_all(b"first")).expect("it can be written");
    first.commit().expect("the file is unchanged");
    assert_eq!(text(&file), "first");
    assert_eq!(count(parent.path()), 1);
}

#[test]
fn what_another_program_wrote_meanwhile_stays() {
    for before in [None, Some("before")] {
        let (parent, file) = place();
        if let Some(before) = before {
            save(&file, before);
        }
        let mut new =
            NewFile::create(&file, There::Replaced, &Inputs::default()).expect("it is free");
        new.fill(|out| out.write_all(b"ours")).expect("it can be written");
        save(&file, "theirs");
        assert!(new.commit().expect_err("it changed").to_string().contains("another program"));
        assert_eq!(text(&file), "theirs");
        assert_eq!(count(parent.path()), 1);
    }
}

#[test]
fn a_content_that_fails_leaves_what_was_there() {
    let (parent, file) = place();
    save(&file, "before");
    let mut new = NewFile::create(&file, There::Replaced, &Inputs::default()).expect("it is free");
    let filled = new.fill(|out| {
        out.write_all(b"half")?;
        Err(std::io::Error::other("no more"))
    });
    assert!(filled.is_err());
    drop(new);
    assert_eq!(text(&file), "before");
    assert_eq!(count(parent.path()), 1);
}

#[test]
fn what_a_killed_run_left_is_removed_and_planted_links_are_not_followed() {
    let (parent, file) = place();
    let beside = |name: &str| parent.path().join(name);
    save(&beside(".x.csv.lightloom-0123456789abcdef"), "half");
    save(&beside("mine"), "mine");
    symlink("mine", beside(".x.csv.lightloom-1111111111111111")).expect("the file system obeys");
    fs::hard_link(beside("mine"), beside(".x.csv.lightloom-2222222222222222"))
        .expect("the file system obeys");
    replace(&file, "made").expect("it may be written");
    let mut content = String::new();
    File::open(beside("mine")).expect("it stays").read_to_string(&mut content).expect("it is text");
    assert_eq!(content, "mine");
    assert!(!beside(".x.csv.lightloom-0123456789abcdef").exists());
    assert_eq!(count(parent.path()), 4);
}
