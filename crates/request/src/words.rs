//! The words in which a face tells refusals: flags on a command line, keywords in Python.

use crate::key::Key;

/// How a face names what can be asked.
pub trait Words {
    /// A setting that was not said in a file.
    fn setting(&self, key: &Key) -> String;

    /// An option of a question, from its name in the typed door, such as `core_ports`.
    fn option(&self, name: &str) -> String;

    /// A part of an option's value, such as one failure of a list.
    fn part(&self, option: &str, part: &str) -> String;

    /// What to say to give a value to something that [`Words::setting`] or [`Words::option`] names.
    fn give(&self, name: &str, value: Option<&str>) -> String;
}

/// The words of the command line: settings and options are flags.
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
