//! `gui`: starts the window, which is a package of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

use lightloom::{Error, InputError};

use crate::answer::Answer;

/// The program of the window.
const WINDOW: &str = "lightloom-gui";

pub(crate) fn run(file: Option<&Path>) -> Result<Answer, Error> {
    let status = Command::new(window()).args(file).status().map_err(|error| {
        InputError::new(format!(
            "{WINDOW} cannot be started: {error}; it is a package of its own, installed with: cargo install \
             --locked --path crates/gui"
        ))
    })?;
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
    Ok(Answer::of(String::new(), code))
}

/// The program beside this one, or the one that the shell would find.
fn window() -> PathBuf {
    let here = std::env::current_exe().ok();
    let beside = here.map(|here| here.with_file_name(WINDOW));
    beside.filter(|beside| beside.is_file()).unwrap_or_else(|| WINDOW.into())
}
