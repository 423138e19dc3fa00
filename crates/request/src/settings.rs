//! The raw form of a request: the given settings with their places, before any check.
//!
//! Settings keep the line that each value came from, so that an error can name it.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::error::InputError;
use crate::key::{Key, section_of};
use crate::message::Message;
use crate::texts::Texts;
use crate::typed::{Setting, SettingValue};
use crate::value::Value;

/// A request as the command line builds it.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// Path of a design file.
    pub design: Option<PathBuf>,
    /// Values from flags. They override the values of the design file.
    pub flags: Vec<(Key, Value)>,
    /// Source of the texts of all files that the request names.
    pub texts: Texts,
}

impl Request {
    /// Adds a value of a setting.
    #[must_use]
    pub fn say(mut self, key: &Key, value: impl Into<Value>) -> Self {
        self.flags.push((*key, value.into()));
        self
    }
}

/// The given settings, by name.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    file: Option<PathBuf>,
    texts: Texts,
    values: BTreeMap<&'static str, Said>,
}

#[derive(Debug, Clone)]
struct Said {
    value: Value,
    /// Line in the design file. `None` for a flag.
    line: Option<u64>,
}

impl Settings {
    /// Empty settings. `file` is the design file whose values will be added.
    pub fn new(file: Option<&Path>, texts: Texts) -> Self {
        Self { file: file.map(Path::to_path_buf), texts, values: BTreeMap::new() }
    }

    /// Source of the texts of all files that the settings name.
    pub fn texts(&self) -> &Texts {
        &self.texts
    }

    /// Sets a value that comes from a line of the design file.
    pub fn say_at(&mut self, key: &Key, value: Value, line: u64) {
        self.values.insert(key.name, Said { value, line: Some(line) });
    }

    /// An error about a setting, at the line that gave its value.
    pub fn refuse(&self, key: &Key, message: impl fmt::Display) -> InputError {
        self.place(key, InputError::new(message))
    }

    /// Like [`Self::refuse`], with a message that mentions other settings.
    pub fn refuse_mentioning(&self, key: &Key, message: Message) -> InputError {
        self.place(key, InputError::mentioning(message))
    }

    fn place(&self, key: &Key, refused: InputError) -> InputError {
        let refused = refused.in_setting(key);
        match (&self.file, self.values.get(key.name)) {
            (Some(file), Some(Said { line: Some(line), .. })) => {
                refused.in_file(file).at_line(*line)
            }
            (Some(file), None) => refused.in_file(file),
            _ => refused,
        }
    }

    /// Whether a setting was given.
    pub fn has(&self, key: &Key) -> bool {
        self.values.contains_key(key.name)
    }

    /// The value of a setting. `None`: it was not given.
    ///
    /// # Errors
    /// [`InputError`] if the value does not have the kind that the setting takes.
    pub fn get<T: SettingValue>(&self, setting: &Setting<T>) -> Result<Option<T>, InputError> {
        let Some(said) = self.values.get(setting.name) else { return Ok(None) };
        let read = T::read(&said.value, setting.takes);
        read.map(Some).map_err(|message| self.refuse(setting, message))
    }

    /// The value of a setting, or its default.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub fn value<T: SettingValue>(&self, setting: &Setting<T>) -> Result<T, InputError> {
        Ok(self.get(setting)?.unwrap_or_else(|| setting.default_value()))
    }

    /// Whether a setting was given with another value than its default.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub fn differs<T: SettingValue + PartialEq>(
        &self,
        setting: &Setting<T>,
    ) -> Result<bool, InputError> {
        Ok(self.get(setting)?.is_some_and(|found| found != setting.default_value()))
    }

    /// Sets a value, and overrides any earlier value.
    pub fn say(&mut self, key: &Key, value: Value) {
        self.values.insert(key.name, Said { value, line: None });
    }

    /// Removes all values of a section.
    pub fn forget_section(&mut self, section: &str) {
        self.values.retain(|name, _| section_of(name) != section);
    }

    /// The given values of a section, by name.
    pub fn said_in(&self, section: &str) -> impl Iterator<Item = (&'static str, &Value)> {
        let said = self.values.iter().filter(move |(name, _)| section_of(name) == section);
        said.map(|(name, said)| (*name, &said.value))
    }

    /// Whether any setting of a section was given.
    pub fn has_section(&self, section: &str) -> bool {
        self.values.keys().any(|name| section_of(name) == section)
    }

    /// A path. A path from the design file is relative to that file; a path from a flag is relative to the
    /// working folder.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub fn path(&self, setting: &Setting<PathBuf>) -> Result<Option<PathBuf>, InputError> {
        if self.has(setting) { self.path_of(setting).map(Some) } else { Ok(None) }
    }

    /// Like [`Self::path`], for a setting that was given. An empty path if it was not.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub fn path_of(&self, key: &Key) -> Result<PathBuf, InputError> {
        let said = self.values.get(key.name);
        let read = said.map_or(Ok(PathBuf::new()), |said| PathBuf::read(&said.value, key.takes));
        let path = read.map_err(|message| self.refuse(key, message))?;
        let from_file = said.is_some_and(|said| said.line.is_some());
        let base = self.file.as_deref().filter(|_| from_file).and_then(Path::parent);
        Ok(base.map_or_else(|| path.clone(), |base| base.join(&path)))
    }
}
