//! Globs that choose and reserve interfaces.

use globset::GlobSet;

use crate::globs;
use lightloom_request::setting::tor::{PORTS, RESERVED};
use lightloom_request::{InputError, Settings};

use crate::devices::device::State;

/// The globs of `tor.ports` and `tor.reserved`, in lower case.
#[derive(Debug, Clone)]
pub struct Patterns {
    chosen: Option<GlobSet>,
    reserved: GlobSet,
}

impl Patterns {
    /// Reads the globs from the settings.
    pub fn read(settings: &Settings) -> Result<Self, InputError> {
        let reserved = globs::read(settings, &RESERVED)?.unwrap_or_default();
        Ok(Self { chosen: globs::read(settings, &PORTS)?, reserved })
    }

    /// The state of an interface that is not in use. `texts` are its description and its tags.
    pub fn state<'a>(&self, name: &str, texts: impl Iterator<Item = &'a str>) -> State {
        let is_reserved = |text: &str| {
            let text = text.trim().to_lowercase();
            !text.is_empty() && self.reserved.is_match(&text)
        };
        if is_reserved(name) || texts.into_iter().any(is_reserved) {
            return State::Reserved;
        }
        let name = name.to_lowercase();
        let is_chosen = self.chosen.as_ref().is_none_or(|globs| globs.is_match(&name));
        if is_chosen { State::Free } else { State::LeftOut }
    }
}
