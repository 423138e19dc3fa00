//! Help, completions, man pages, and their installation.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::bench::Bench;

const HEADINGS: [&str; 7] =
    ["Plan", "Ask", "Failures", "Light and money", "Switches", "Twin", "Shell"];

/// The subcommands that the help lists, in its order.
fn commands(help: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut listed = false;
    for line in help.lines() {
        match line.strip_suffix(':') {
            Some(heading) => listed = HEADINGS.contains(&heading),
            None if listed => found.extend(line.split_whitespace().next()),
            None => {}
        }
    }
    found
}

/// Whether a program is there.
fn there(program: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).any(|folder| folder.join(program).is_file())
}

#[test]
fn the_help_has_headings_and_every_command_once() {
    let help = Bench::new().run(&["--help"]).stdout;
    for heading in HEADINGS {
        assert_eq!(help.matches(&format!("\n{heading}:\n")).count(), 1, "{heading}\n{help}");
    }
    let mut commands = commands(&help);
    assert!(commands.len() >= 20, "{commands:?}");
    let all = commands.len();
    commands.sort_unstable();
    commands.dedup();
    assert_eq!(commands.len(), all);
    assert_eq!(help, Bench::new().run(&["-h"]).stdout);
}

#[test]
fn shells_accept_their_completions() {
    let bench = Bench::new();
    let help = bench.run(&["--help"]).stdout;
    for (shell, checks) in [("bash", "-n"), ("zsh", "-n"), ("fish", "--no-execute")] {
        let ran = bench.run(&["completions", shell]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
        for word in commands(&help).into_iter().chain(["family", "kautz", "monte-carlo"]) {
            assert!(ran.stdout.contains(word), "{shell}: no {word}");
        }
        bench.write("script", &ran.stdout);
        if there(shell) {
            let checked = Command::new(shell).arg(checks).arg(bench.path("script")).output();
            let checked = checked.expect("the shell starts");
            let told = String::from_utf8_lossy(&checked.stderr).into_owned();
            assert!(checked.status.success() && told.is_empty(), "{shell}: {told}");
        }
    }
}

/// Bash asks the script itself: what it offers is what the command takes.
#[test]
fn bash_completes_flags_and_words() {
    let bench = Bench::new();
    bench.write("script", bench.run(&["completions", "bash"]).stdout);
    let offered = |words: &str| {
        let script = format!(
            ". ./script; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _lightloom lightloom \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\"; \
             printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        let shell =
            Command::new("bash").args(["-c", &script]).current_dir(bench.path(".")).output();
        let shell = shell.expect("bash starts");
        assert!(shell.status.success(), "{}", String::from_utf8_lossy(&shell.stderr));
        let text = String::from_utf8_lossy(&shell.stdout).into_owned();
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    if !there("bash") {
        return;
    }
    assert_eq!(offered("lightloom sim"), ["simulate"]);
    assert_eq!(offered("lightloom info --family \"\""), ["shufflecast", "kautz", "custom"]);
    assert_eq!(offered("lightloom explore --rank"), ["--rank-by"]);
}

#[test]
fn readers_accept_the_man_pages() {
    let bench = Bench::new();
    bench.write("man.txt", "mine");
    let ran = bench.run(&["man", "pages/man1"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let help = bench.run(&["--help"]).stdout;
    let mut expected: Vec<String> = commands(&help)
        .into_iter()
        .filter(|name| *name != "help")
        .map(|name| format!("lightloom-{name}.1"))
        .collect();
    expected.push("lightloom.1".into());
    expected.sort();
    assert_eq!(bench.names("pages/man1"), expected);
    for name in &expected {
        let page = bench.path("pages/man1").join(name);
        let text = fs::read_to_string(&page).expect("a page");
        assert!(text.contains(".SH NAME") && text.contains("quiet"), "{name}");
        assert!(!text.contains('\u{1b}'), "{name}");
        for (reader, flags) in
            [("groff", &["-man", "-Tutf8", "-ww", "-z"][..]), ("mandoc", &["-Tlint", "-Werror"])]
        {
            if there(reader) {
                let read = Command::new(reader).args(flags).arg(&page).output().expect("it starts");
                let told = String::from_utf8_lossy(&read.stderr).into_owned();
                assert!(read.status.success() && told.is_empty(), "{reader} {name}: {told}");
            }
        }
    }
    // Again, beside what else is there, the same bytes.
    let before = bench.snapshot();
    bench.write("pages/man1/other.1", "mine");
    assert_eq!(bench.run(&["man", "pages/man1"]).code, 0);
    fs::remove_file(bench.path("pages/man1/other.1")).expect("it stays");
    assert!(bench.snapshot() == before);
}

#[test]
fn man_pages_that_cannot_be_written_leave_nothing() {
    let bench = Bench::new();
    bench.write("file", "mine");
    bench.refuses(&["man", "file"], &["lightloom: file: cannot be written: "]);
    // One place is taken by a folder: the other pages are not left half.
    fs::create_dir_all(bench.path("pages/lightloom-plan.1/inner")).expect("a folder");
    let ran = bench.run(&["man", "pages"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.stderr.contains("lightloom-plan.1: cannot be written: "), "{ran:?}");
    assert!(bench.names("pages").iter().all(|name| !name.ends_with(".new")), "{ran:?}");
}

#[test]
fn the_pages_as_json() {
    let bench = Bench::new();
    let answer = bench.ask(&["man", "pages"]);
    assert_eq!(answer["folder"], "pages");
    let pages = answer["pages"].as_array().expect("a list");
    assert_eq!(pages.len(), bench.names("pages").len());
}

#[test]
fn the_command_is_installed_with_its_completions_and_man_pages() {
    let bench = Bench::new();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/install");
    for _ in 0..2 {
        let ran = Command::new(&script)
            .arg(env!("CARGO_BIN_EXE_lightloom"))
            .env("DESTDIR", bench.path("stage"))
            .env("PREFIX", "/usr")
            .output()
            .expect("the script starts");
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    }
    assert_eq!(bench.names("stage"), ["usr"]);
    assert_eq!(bench.names("stage/usr"), ["bin", "share"]);
    assert_eq!(bench.names("stage/usr/bin"), ["lightloom"]);
    for file in [
        "bash-completion/completions/lightloom",
        "zsh/site-functions/_lightloom",
        "fish/vendor_completions.d/lightloom.fish",
        "man/man1/lightloom.1",
        "man/man1/lightloom-plan.1",
    ] {
        assert!(bench.path("stage/usr/share").join(file).is_file(), "{file}");
    }
    let installed = Command::new(bench.path("stage/usr/bin/lightloom")).arg("--version").output();
    assert!(installed.expect("it runs").status.success());
}
