//! The raw form of a request: what was said, where, and nothing else.
//!
//! Settings know the line that each value came from, so that a refusal can point at it.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::error::InputError;
use crate::key::{Key, section_of};
use crate::message::Message;
use crate::texts::Texts;
use crate::typed::{Setting, SettingValue};
use crate::value::Value;

/// A request as the command line makes it.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// A design file.
    pub design: Option<PathBuf>,
    /// What flags say: values of keys, over those of the file.
    pub flags: Vec<(Key, Value)>,
    /// Where the texts of the files come from that it names.
    pub texts: Texts,
}

impl Request {
    /// The same request with a value of a setting.
    #[must_use]
    pub fn say(mut self, key: &Key, value: impl Into<Value>) -> Self {
        self.flags.push((*key, value.into()));
        self
    }
}

/// What was said, by key.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    file: Option<PathBuf>,
    texts: Texts,
    values: BTreeMap<&'static str, Said>,
}

#[derive(Debug, Clone)]
struct Said {
    value: Value,
    /// The line of the file; none for a flag.
    line: Option<u64>,
}

impl Settings {
    /// Settings with nothing said yet. `file` is the design file that is going to say something.
    pub fn new(file: Option<&Path>, texts: Texts) -> Self {
        Self { file: file.map(Path::to_path_buf), texts, values: BTreeMap::new() }
    }

    /// Where the texts of the files come from that the settings name.
    pub fn texts(&self) -> &Texts {
        &self.texts
    }

    /// Says a value that stands on a line of the design file.
    pub fn say_at(&mut self, key: &Key, value: Value, line: u64) {
        self.values.insert(key.name, Said { value, line: Some(line) });
    }

    /// A refusal about a setting, at the line that said it.
    pub fn refuse(&self, key: &Key, message: impl fmt::Display) -> InputError {
        self.place(key, InputError::new(message))
    }

    /// The same with a message that mentions other settings.
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

    /// Whether a setting was said.
    pub fn has(&self, key: &Key) -> bool {
        self.values.contains_key(key.name)
    }

    /// The value of a setting that was said.
    ///
    /// # Errors
    /// [`InputError`] when the value is not what the setting takes.
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

    /// Says a value, over whatever was said before.
    pub fn say(&mut self, key: &Key, value: Value) {
        self.values.insert(key.name, Said { value, line: None });
    }

    /// Forgets what was said of a section.
    pub fn forget_section(&mut self, section: &str) {
        self.values.retain(|name, _| section_of(name) != section);
    }

    /// What was said of a section, by key.
    pub fn said_in(&self, section: &str) -> impl Iterator<Item = (&'static str, &Value)> {
        let said = self.values.iter().filter(move |(name, _)| section_of(name) == section);
        said.map(|(name, said)| (*name, &said.value))
    }

    /// Whether any key of a section was said.
    pub fn has_section(&self, section: &str) -> bool {
        self.values.keys().any(|name| section_of(name) == section)
    }

    /// A path: relative to the design file when that names it, to the working folder in a flag.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub fn path(&self, setting: &Setting<PathBuf>) -> Result<Option<PathBuf>, InputError> {
        if self.has(setting) { self.path_of(setting).map(Some) } else { Ok(None) }
    }

    /// The same for a key that takes a path and was said.
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
