//! `lightloom completions` and `lightloom man`: what a shell and a reader of man pages need.

use std::io;
use std::path::{Path, PathBuf};

use clap::Command;
use clap_complete::aot;
use clap_mangen::Man;
use lightloom::edit::write_files;
use lightloom::units::text::shown_path;
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
        format!("Wrote {} man pages to {}.\n", self.pages.len(), shown_path(&self.folder))
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

/// Writes a page for the command and one for each subcommand. Other files of the folder stay.
///
/// # Errors
/// [`Error`] when a page cannot be written.
pub(crate) fn man(folder: &Path) -> Result<Pages, Error> {
    let pages = rendered().map_err(|error| InputError::new(error).in_file(folder))?;
    write_files(folder, &pages)?;
    let names = pages.into_iter().map(|(name, _)| name).collect();
    Ok(Pages { folder: folder.to_owned(), pages: names })
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
