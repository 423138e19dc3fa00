//! Globs that choose and reserve interfaces.

use globset::{Glob, GlobMatcher};
use lightloom_plan::interfaces::device::State;
use lightloom_request::setting::tor::{PORTS, RESERVED};
use lightloom_request::{InputError, Setting, Settings};

/// The globs of `tor.ports` and `tor.reserved`, in lower case.
#[derive(Debug, Clone)]
pub(super) struct Patterns {
    chosen: Option<Vec<GlobMatcher>>,
    reserved: Vec<GlobMatcher>,
}

impl Patterns {
    /// Reads the globs from the settings.
    pub(super) fn read(settings: &Settings) -> Result<Self, InputError> {
        let globs = |setting: &'static Setting<Vec<String>>| {
            let Some(globs) = settings.get(setting)? else { return Ok(None) };
            let compile = |glob: &String| {
                let compiled = Glob::new(&glob.trim().to_lowercase());
                let compiled = compiled.map(|glob| glob.compile_matcher());
                compiled.map_err(|error| settings.refuse(setting, format!("is no glob: {error}")))
            };
            globs.iter().map(compile).collect::<Result<Vec<_>, InputError>>().map(Some)
        };
        Ok(Self { chosen: globs(&PORTS)?, reserved: globs(&RESERVED)?.unwrap_or_default() })
    }

    /// The state of an interface that is not in use. `texts` are its description and its tags.
    pub(super) fn state<'a>(&self, name: &str, texts: impl Iterator<Item = &'a str>) -> State {
        let is_reserved = |text: &str| {
            let text = text.trim().to_lowercase();
            !text.is_empty() && self.reserved.iter().any(|glob| glob.is_match(&text))
        };
        if is_reserved(name) || texts.into_iter().any(is_reserved) {
            return State::Reserved;
        }
        let name = name.to_lowercase();
        let is_chosen =
            self.chosen.as_ref().is_none_or(|globs| globs.iter().any(|glob| glob.is_match(&name)));
        if is_chosen { State::Free } else { State::LeftOut }
    }
}
