//! `gui`: the window is a package of its own.

use crate::bench::Bench;

#[test]
fn without_its_package_the_window_is_refused_and_the_way_to_get_it_is_told() {
    let bench = Bench::new();
    // A copy of the command has nothing beside it, and an empty PATH has nothing else.
    let alone = bench.path("lightloom");
    std::fs::copy(env!("CARGO_BIN_EXE_lightloom"), &alone).expect("it can be copied");
    let ran = std::process::Command::new(&alone)
        .arg("gui")
        .env("PATH", "")
        .output()
        .expect("it can be started");
    let told = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert_eq!(ran.status.code(), Some(2), "{told}");
    assert!(told.contains("cargo install --locked --path crates/gui"), "{told}");
}

#[cfg(unix)]
#[test]
fn the_window_gets_the_file_and_its_exit_code_is_that_of_the_command() {
    use std::os::unix::fs::PermissionsExt as _;

    let bench = Bench::new();
    let alone = bench.path("lightloom");
    std::fs::copy(env!("CARGO_BIN_EXE_lightloom"), &alone).expect("it can be copied");
    let window = bench.path("lightloom-gui");
    std::fs::write(&window, "#!/bin/sh\necho \"$@\"\nexit 3\n").expect("it can be written");
    std::fs::set_permissions(&window, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    let ran = std::process::Command::new(&alone)
        .args(["gui", "a design.toml"])
        .output()
        .expect("it can be started");
    assert_eq!((ran.status.code(), ran.stdout.trim_ascii()), (Some(3), &b"a design.toml"[..]));
}
