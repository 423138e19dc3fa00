//! The command line as a whole: its subcommands under headings, for the help.

use std::fmt::Write as _;

use clap::builder::styling::Styles;
use clap::{Command, CommandFactory as _};

use crate::args::Cli;
use crate::width::COLUMNS;

/// Every subcommand under its heading, in the order of the help.
const HEADINGS: [(&str, &[&str]); 7] = [
    ("Plan", &["new", "plan", "verify", "report", "draw", "netbox", "grow", "shrink", "as-built"]),
    ("Ask", &["info", "fabric", "tree", "rules", "parallel"]),
    ("Failures", &["impact", "recover", "repairs", "risk"]),
    ("Light and money", &["budget", "compare", "explore", "unused-ports"]),
    ("Switches", &["configs", "lint"]),
    ("Twin", &["simulate", "collective", "trace"]),
    ("Shell", &["gui", "schema", "completions", "man", "help"]),
];

/// The command line with its help.
pub(crate) fn command() -> Command {
    let command = Cli::command().term_width(COLUMNS);
    let template = template(&command);
    command.help_template(template)
}

/// The top-level help: clap has no headings for subcommands.
fn template(command: &Command) -> String {
    let styles = Styles::styled();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for (heading, names) in HEADINGS {
        let _ = writeln!(text, "\n{header}{heading}:{header:#}");
        for name in names {
            let about = match command.find_subcommand(name).and_then(Command::get_about) {
                Some(about) => about.to_string(),
                // clap adds this one later.
                None => "Print this message or the help of a subcommand".into(),
            };
            let _ = writeln!(text, "  {literal}{name:<13}{literal:#} {about}");
        }
    }
    text + "\n" + &format!("{header}Options:{header:#}") + "\n{options}{after-help}"
}

#[test]
fn every_subcommand_is_under_exactly_one_heading() {
    let mut command = command();
    command.build();
    let mut there: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
    let mut listed: Vec<&str> = HEADINGS.iter().flat_map(|(_, names)| *names).copied().collect();
    there.sort_unstable();
    listed.sort_unstable();
    assert_eq!(there, listed);
}

#[test]
fn the_command_line_is_consistent() {
    command().debug_assert();
}
