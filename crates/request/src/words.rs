//! Names of settings and options in error messages: flags on a command line, keywords in Python.

use crate::key::Key;

/// How a front end names settings and options.
pub trait Words {
    /// The name of a setting that is not from a file.
    fn setting(&self, key: &Key) -> String;

    /// The name of an option, from the field of the request type, such as `core_ports`.
    fn option(&self, name: &str) -> String;

    /// The name of a part of an option's value, such as one failure of a list.
    fn part(&self, option: &str, part: &str) -> String;

    /// What the user writes to give a value. `name` is a result of [`Words::setting`] or [`Words::option`].
    fn give(&self, name: &str, value: Option<&str>) -> String;
}

/// Names on the command line: settings and options are flags.
#[derive(Debug, Clone, Copy, Default)]
pub struct Flags;

impl Words for Flags {
    fn setting(&self, key: &Key) -> String {
        key.flag.unwrap_or(key.name).to_owned()
    }

    fn option(&self, name: &str) -> String {
        format!("--{}", name.replace('_', "-"))
    }

    fn part(&self, option: &str, part: &str) -> String {
        format!("{} {part}", self.option(option))
    }

    fn give(&self, name: &str, value: Option<&str>) -> String {
        value.map_or_else(|| name.to_owned(), |value| format!("{name} {value}"))
    }
}
