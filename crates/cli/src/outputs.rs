//! The files and folders that a command writes beside its answer.

use std::path::{Path, PathBuf};

use lightloom::units::text::shown_path;

use crate::args::Command;

/// What a command that has ended well has written.
pub(crate) fn of(command: &Command) -> Vec<&Path> {
    let named: Vec<Option<&PathBuf>> = match command {
        Command::New { out, .. }
        | Command::Plan { out, .. }
        | Command::Report { out, .. }
        | Command::Draw { out, .. }
        | Command::Repairs { out, .. } => vec![Some(out)],
        Command::Recover { apply, .. } => vec![apply.as_ref()],
        Command::Man { folder, .. } => vec![Some(folder)],
        Command::Grow(args) => vec![args.out.as_ref()],
        Command::Shrink(args) => vec![args.out.as_ref()],
        Command::AsBuilt(args) => args.outputs(),
        Command::Configs(args) => vec![args.output()],
        Command::Netbox(args) => vec![Some(args.output())],
        Command::Simulate(args) => args.outputs(),
        Command::Collective(args) => vec![args.output()],
        Command::Trace(args) => vec![args.output()],
        _ => Vec::new(),
    };
    named.into_iter().flatten().map(PathBuf::as_path).collect()
}

/// Why an answer was not printed, and what was done all the same.
pub(crate) fn unprinted(error: &std::io::Error, written: &[&Path]) -> String {
    let names: Vec<String> = written.iter().map(|path| shown_path(path)).collect();
    match &*names {
        [] => format!("standard output: the answer cannot be printed: {error}"),
        names => format!(
            "standard output: the answer cannot be printed: {error}; but this was written, and stays: {}",
            names.join(", ")
        ),
    }
}
