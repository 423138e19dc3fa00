//! Refusals of the command line in the words of all other refusals: `lightloom: --flag: found "x";
//! expected one of a, b`.

use std::fmt::Write as _;

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use lightloom::setting;

/// A refusal of clap in one line, without the program's name.
pub(crate) fn line(error: &Error) -> String {
    match error.kind() {
        ErrorKind::InvalidValue => value(error),
        ErrorKind::ValueValidation => {
            let why = std::error::Error::source(error).map(ToString::to_string);
            let why = why.unwrap_or_else(|| "expected another value".into());
            let flag = flag(error);
            format!("{flag}: found {:?}; {why}{}", said(error), other_names(flag))
        }
        ErrorKind::UnknownArgument => {
            let near = text(error, ContextKind::SuggestedArg);
            let near = near.map_or(String::new(), |near| format!("; did you mean {near}?"));
            let kind = if flag(error).starts_with('-') { "unknown flag" } else { "not expected" };
            format!("{}: {kind}{near}{}", flag(error), see_help(error))
        }
        ErrorKind::InvalidSubcommand => {
            let found = text(error, ContextKind::InvalidSubcommand).unwrap_or_default();
            let near = list(error, ContextKind::SuggestedSubcommand);
            let near = near.last().map_or(String::new(), |near| format!("; did you mean {near}?"));
            format!("found {found:?}; expected a command{near}{}", see_help(error))
        }
        ErrorKind::MissingRequiredArgument => {
            let lacking = list(error, ContextKind::InvalidArg).join(", ");
            format!("{lacking}: is missing{}", see_help(error))
        }
        ErrorKind::ArgumentConflict => {
            let others = list(error, ContextKind::PriorArg);
            let others: Vec<&str> = others.into_iter().map(name).collect();
            if others == [flag(error)] {
                format!("{0}: is given more than once{1}", flag(error), other_names(flag(error)))
            } else {
                format!("{}: cannot be used with {}", flag(error), others.join(", "))
            }
        }
        ErrorKind::TooManyValues => {
            format!("{}: found {:?}; expected no value", flag(error), said(error))
        }
        _ => other(error),
    }
}

/// A value that is none of a few words, or that is missing. The library says it in the same words of a
/// design file or a keyword.
fn value(error: &Error) -> String {
    let mut line = format!("{}: ", flag(error));
    match said(error) {
        "" => line += "is missing its value",
        found => {
            let _ = write!(line, "found {found:?}");
        }
    }
    let known = list(error, ContextKind::ValidValue);
    if !known.is_empty() {
        let _ = write!(line, "; expected one of {}", known.join(", "));
    }
    line
}

/// What clap says, on one line and without its own prefix.
fn other(error: &Error) -> String {
    let rendered = error.render().to_string();
    let first = rendered.lines().next().unwrap_or_default();
    first.strip_prefix("error: ").unwrap_or(first).to_owned()
}

/// The flag or argument that a refusal is about.
fn flag(error: &Error) -> &str {
    name(text(error, ContextKind::InvalidArg).unwrap_or_default())
}

/// What else the alias of a flag may have been meant as. `--splitter` is `--p`, and the part has a flag of its own:
/// `--splitter-part`. Empty if the flag has no alias.
fn other_names(flag: &str) -> String {
    let keys = setting::all();
    let named = keys.iter().find(|key| key.flag == Some(flag));
    let Some(alias) = named.and_then(|key| key.alias) else { return String::new() };
    let longer = format!("{alias}-");
    let other = keys.iter().find(|key| key.flag.is_some_and(|flag| flag.starts_with(&longer)));
    let other = other.and_then(|key| Some((key.flag?, key.help.trim_end_matches('.'))));
    let other = other.map_or_else(String::new, |(flag, help)| format!("; {flag} is for: {help}"));
    format!(" ({alias} is another name of it{other})")
}

/// The name of a flag or argument, without the name of its value.
fn name(whole: &str) -> &str {
    if whole.starts_with('-') { whole.split([' ', '=']).next().unwrap_or(whole) } else { whole }
}

fn said(error: &Error) -> &str {
    text(error, ContextKind::InvalidValue).unwrap_or_default()
}

/// Where the flags are listed: the usage line begins with the command's words.
fn see_help(error: &Error) -> String {
    let usage = match error.get(ContextKind::Usage) {
        Some(ContextValue::StyledStr(usage)) => usage.to_string(),
        _ => String::new(),
    };
    let words = usage.trim_start_matches("Usage:").split_whitespace();
    let command: Vec<&str> = words.take_while(|word| !word.starts_with(['<', '[', '-'])).collect();
    if command.is_empty() {
        "; see lightloom --help".into()
    } else {
        format!("; see {} --help", command.join(" "))
    }
}

fn text(error: &Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        ContextValue::Strings(texts) => texts.first().map(String::as_str),
        _ => None,
    }
}

fn list(error: &Error, kind: ContextKind) -> Vec<&str> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text],
        Some(ContextValue::Strings(texts)) => texts.iter().map(String::as_str).collect(),
        _ => Vec::new(),
    }
}
