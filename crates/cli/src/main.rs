//! The `lightloom` command: turns arguments into a request to the library, and its reports
//! into tables or JSON. It decides nothing itself.
//!
//! Exit codes: 0 an answer, 1 the plan is wrong, a recovery did not restore all or the simulated
//! network failed, 2 bad input.

mod admission_tables;
mod answer;
mod args;
mod as_built;
mod budget_tables;
mod cells;
mod collective;
mod commands;
mod configs;
mod design_args;
mod error_tables;
mod explore_tables;
mod failure_tables;
mod flags;
mod group_tables;
mod grow_args;
mod growth_tables;
mod gui;
mod help;
mod light_args;
mod light_tables;
mod lint;
mod look;
mod netbox;
mod numbers;
mod outputs;
mod pages;
mod place_args;
mod plan_tables;
mod progress;
mod recovery_tables;
mod refusal;
mod shell;
mod simulate;
mod simulate_tables;
mod tables;
mod trace_file;
mod trace_tables;
mod width;

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::{ColorChoice, FromArgMatches as _};
use lightloom::units::text::shown_lines;

use crate::args::Cli;

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().collect();
    let colour = look::asked(&args);
    let matches = help::command().color(colour).try_get_matches_from(args);
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() && !is_help(&error) => {
            return refuse(colour, &refusal::line(&error), 2);
        }
        Err(help) => {
            // A reader that has seen enough is no error.
            let _ = help.print();
            return ExitCode::from(if help.use_stderr() { 2 } else { 0 });
        }
    };
    let answer = match commands::run(&cli.command, cli.quiet) {
        Ok(answer) => answer,
        Err(error) => return refuse(cli.color, &error.to_string(), error.exit_code()),
    };
    let written = if answer.is_written { outputs::of(&cli.command) } else { Vec::new() };
    let output = look::painted(cli.color, answer.text);
    let mut stdout = io::stdout().lock();
    match stdout.write_all(output.as_bytes()).and_then(|()| stdout.flush()) {
        // A reader that has seen enough, such as `head`, is no error.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            refuse(cli.color, &outputs::unprinted(&error, &written), 2)
        }
        _ => ExitCode::from(answer.code),
    }
}

fn is_help(error: &clap::Error) -> bool {
    error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
}

fn refuse(colour: ColorChoice, message: &str, code: u8) -> ExitCode {
    // The message may quote arguments and files. A terminal must not obey them.
    let message = shown_lines(message).to_string();
    let _ = io::stderr().write_all(look::refusal(colour, &message).as_bytes());
    ExitCode::from(code)
}
