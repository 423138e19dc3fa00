//! Names of options as Python has them. The scenario crate names the flags of the command line and the
//! keys of a design file; a Python program has keyword arguments in their place.

use std::borrow::Cow;

use lightloom::InputError;
use lightloom::settings::{KEYS, Key};

/// Flags whose keyword has another name.
const RENAMED: [(&str, &str); 1] = [("--apply", "out")];

/// The keyword that says what a key says.
pub(crate) fn of_key(key: &Key) -> String {
    if key.flag.is_empty() {
        key.name.rsplit('.').next().unwrap_or(key.name).to_owned()
    } else {
        of_flag(key.flag)
    }
}

fn of_flag(flag: &str) -> String {
    let renamed = RENAMED.iter().find(|(name, _)| *name == flag);
    let same = || flag.trim_start_matches('-').replace('-', "_");
    renamed.map_or_else(same, |(_, keyword)| (*keyword).to_owned())
}

/// The same refusal, about keywords. Where it is about a value in a flag (`--failed relay:99`), the
/// value stays in the message, and the field is the keyword alone.
pub(crate) fn refusal(error: &InputError) -> InputError {
    let mut told = InputError {
        message: running(&error.message).into_owned(),
        others: error.others.iter().map(refusal).collect(),
        ..error.clone()
    };
    let Some(field) = &error.field else { return told };
    let (name, value) = field.split_once(' ').unwrap_or((field, ""));
    if name.starts_with("--") {
        told.field = Some(of_flag(name));
        if !value.is_empty() {
            told.message = format!("{value}: {}", told.message);
        }
    } else if error.file.is_none() {
        let key = KEYS.iter().find(|key| key.name == field);
        told.field = key.map(of_key).or(told.field);
    }
    told
}

/// A text in which flags are keywords: `--seed` becomes `seed=`. What stands in quotes is somebody's
/// input, and stays.
pub(crate) fn running(text: &str) -> Cow<'_, str> {
    if !text.contains("--") {
        return text.into();
    }
    let mut told = String::with_capacity(text.len());
    let (mut quoted, mut before) = (false, ' ');
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let length = flag_length(rest);
        if !quoted && length > 0 && matches!(before, ' ' | '\n' | '(' | '`') {
            let (flag, after) = rest.split_at(length);
            told.push_str(&of_flag(flag));
            told.push('=');
            // `--site "A"` and `--site=A` have their value right behind.
            rest = after.strip_prefix('=').unwrap_or(after);
            rest = rest.strip_prefix(' ').filter(|value| value.starts_with('"')).unwrap_or(rest);
            before = '=';
            continue;
        }
        if next == '"' && before != '\\' {
            quoted = !quoted;
        }
        // Of two backslashes the second escapes nothing.
        before = if next == '\\' && before == '\\' { ' ' } else { next };
        told.push(next);
        rest = &rest[next.len_utf8()..];
    }
    told.into()
}

/// How long the flag is that a text starts with; 0 where it starts with none.
fn flag_length(text: &str) -> usize {
    let Some(name) = text.strip_prefix("--") else { return 0 };
    if !name.starts_with(|first: char| first.is_ascii_lowercase()) {
        return 0;
    }
    let other = |c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    2 + name.find(other).unwrap_or(name.len())
}
