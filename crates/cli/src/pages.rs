//! `lightloom completions` and `lightloom man`: what a shell and a reader of man pages need.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Command;
use clap_complete::aot;
use clap_mangen::Man;
use lightloom::{Error, InputError};
use serde::Serialize;

use crate::help;
use crate::shell::Shell;

/// The pages that were written.
#[derive(Debug, Serialize)]
pub(crate) struct Pages {
    folder: PathBuf,
    pages: Vec<String>,
}

impl Pages {
    /// The answer as people read it.
    pub(crate) fn text(&self) -> String {
        format!("Wrote {} man pages to {}.\n", self.pages.len(), self.folder.display())
    }
}

/// The script that makes a shell complete this command.
pub(crate) fn completions(shell: Shell) -> String {
    let shell = match shell {
        Shell::Bash => aot::Shell::Bash,
        Shell::Zsh => aot::Shell::Zsh,
        Shell::Fish => aot::Shell::Fish,
    };
    let mut script = Vec::new();
    aot::generate(shell, &mut help::command(), "lightloom", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// Writes a page for the command and one for each subcommand. All pages are complete beside their
/// places before the first takes its place; other files of the folder stay.
///
/// # Errors
/// [`Error`] when a page cannot be written; then no page has changed, but for a failure in the middle
/// of the renames.
pub(crate) fn man(folder: &Path) -> Result<Pages, Error> {
    let pages = rendered().map_err(|error| refused(folder, &error))?;
    fs::create_dir_all(folder).map_err(|error| refused(folder, &error))?;
    let mut staged = Staged(Vec::new());
    for (name, text) in &pages {
        let place = folder.join(name);
        staged.write(&place, text).map_err(|error| refused(&place, &error))?;
    }
    while let Some((new, place)) = staged.0.pop() {
        let renamed = fs::rename(&new, &place);
        if renamed.is_err() {
            let _ = fs::remove_file(&new);
        }
        renamed.map_err(|error| refused(&place, &error))?;
    }
    let names = pages.into_iter().map(|(name, _)| name).collect();
    Ok(Pages { folder: folder.to_owned(), pages: names })
}

/// Files that wait beside their places; they go when dropped.
struct Staged(Vec<(PathBuf, PathBuf)>);

impl Staged {
    fn write(&mut self, place: &Path, text: &[u8]) -> io::Result<()> {
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        let new = place.with_file_name(format!(".{name}.{}.new", std::process::id()));
        let mut file = OpenOptions::new().write(true).create_new(true).open(&new)?;
        self.0.push((new, place.to_owned()));
        file.write_all(text)
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        for (new, _) in &self.0 {
            let _ = fs::remove_file(new);
        }
    }
}

/// All pages with their file names.
fn rendered() -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut command = help::command().disable_help_subcommand(true);
    command.build();
    let mut pages = vec![page(&command)?];
    for subcommand in command.get_subcommands() {
        pages.push(page(subcommand)?);
    }
    Ok(pages)
}

fn page(command: &Command) -> io::Result<(String, Vec<u8>)> {
    let page = Man::new(command.clone()).manual("lightloom");
    let mut text = Vec::new();
    page.render(&mut text)?;
    Ok((page.get_filename(), text))
}

fn refused(path: &Path, error: &io::Error) -> Error {
    InputError::new(format!("{}: cannot be written: {error}", path.display())).into()
}
