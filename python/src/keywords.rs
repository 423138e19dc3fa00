//! Names of settings and options as Python has them: keyword arguments.

use lightloom::{Key, Words};

/// Options whose keyword has another name.
const RENAMED: [(&str, &str); 1] = [("apply", "out")];

/// The words of Python.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Keywords;

impl Words for Keywords {
    fn setting(&self, key: &Key) -> String {
        key.keyword()
    }

    fn option(&self, name: &str) -> String {
        let renamed = RENAMED.iter().find(|(option, _)| *option == name);
        renamed.map_or(name, |(_, keyword)| keyword).to_owned()
    }

    fn part(&self, option: &str, part: &str) -> String {
        format!("{}: {part}", self.option(option))
    }

    fn give(&self, name: &str, value: Option<&str>) -> String {
        format!("{name}={}", value.unwrap_or_default())
    }
}
