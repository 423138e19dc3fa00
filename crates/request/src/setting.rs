//! Declarations of all settings of a design.
//!
//! One declaration feeds the reader of design files, the flags of the command line, the keywords of
//! Python, the comments of `lightloom new`, the reference page and the JSON Schema of design files.

mod built;
mod counted;

pub use built::{fabric, hall, routing, splitters, tor};
pub use counted::{cost, machine, optics, order, work};

use crate::key::{Default, Key, Takes, Written};
use crate::typed::Setting;

/// The setting with a name.
pub fn named(name: &str) -> Option<Key> {
    all().into_iter().find(|key| key.name == name)
}

/// `version`: version of the design file's format.
pub static VERSION: Setting<i64> = Setting::new(Key::new(
    "version",
    Takes::Whole { least: i64::MIN, most: i64::MAX },
    Default::Value(Written::Whole(1)),
    "Version of the design file's format.",
));

/// All settings, section by section.
pub fn all() -> Vec<Key> {
    [vec![*VERSION], built::all(), counted::all()].concat()
}

/// The sections in the order of a design file: name and help text.
pub fn sections() -> impl Iterator<Item = (&'static str, &'static str)> {
    built::SECTIONS.iter().chain(counted::SECTIONS).copied()
}
