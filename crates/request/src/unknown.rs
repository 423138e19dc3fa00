//! Errors about unknown settings, with a suggestion.

use crate::error::InputError;
use crate::key::section_of;
use crate::setting::all;
use crate::spelling::{self, nearest};

/// The sections as written in a design file.
const SECTIONS: [&str; 7] =
    ["[fabric]", "[routing]", "[hall]", "[splitters]", "[order]", "[optics]", "[cost]"];

/// The error about an unknown setting, with a suggestion.
pub fn unknown_key(name: &str) -> InputError {
    InputError::new(unknown(name)).in_field(name)
}

/// The message about an unknown setting, with a suggestion.
pub fn unknown(name: &str) -> String {
    let section = section_of(name);
    let mut known = keys_of(section);
    if known.is_empty() || section.is_empty() {
        known.extend(SECTIONS);
    }
    spelling::unknown("key", meant(name), &known)
}

/// The settings of a section. An empty name means the settings before all sections.
fn keys_of(section: &str) -> Vec<&'static str> {
    all().iter().filter(|key| key.section() == section).map(|key| key.name).collect()
}

/// The setting or section that an unknown name probably means.
fn meant(name: &str) -> Option<&'static str> {
    fn last(key: &str) -> &str {
        key.rsplit('.').next().unwrap_or_default()
    }
    let elsewhere = || all().iter().map(|key| key.name).find(|key| last(key) == last(name));
    let near = |section: &str| {
        let keys = keys_of(section);
        let near = nearest(last(name), keys.iter().map(|key| last(key)))?;
        keys.into_iter().find(|key| last(key) == near)
    };
    let section = section_of(name);
    if section.is_empty() {
        return nearest(name, SECTIONS.into_iter().chain(keys_of(""))).or_else(elsewhere);
    }
    if keys_of(section).is_empty() {
        let section = nearest(section, SECTIONS);
        let key = section.and_then(|section| near(section.trim_matches(['[', ']'])));
        return key.or(section).or_else(elsewhere);
    }
    near(section).or_else(elsewhere)
}
