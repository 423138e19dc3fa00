//! The `lightloom` command: turns arguments into a request to the scenario crate and its reports
//! into tables or JSON. It decides nothing itself.
//!
//! Exit codes: 0 an answer, 1 the plan is wrong, a recovery did not restore all or the simulated
//! network failed, 2 bad input.

mod args;
mod commands;
mod explore_tables;
mod failure_tables;
mod light_args;
mod light_tables;
mod plan_tables;
mod progress;
mod simulate;
mod simulate_tables;
mod tables;

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    let cli = args::Cli::parse();
    let (output, code) = match commands::run(&cli.command) {
        Ok(answer) => (answer.text, answer.code),
        Err(error) => {
            let _ = writeln!(io::stderr(), "lightloom: {error}");
            return ExitCode::from(error.exit_code());
        }
    };
    let mut stdout = io::stdout().lock();
    match stdout.write_all(output.as_bytes()).and_then(|()| stdout.flush()) {
        // A reader that has seen enough, such as `head`, is no error.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let _ = writeln!(io::stderr(), "lightloom: standard output: {error}");
            ExitCode::from(2)
        }
        _ => ExitCode::from(code),
    }
}
