//! The raw form of a request: what was said, where, and nothing else.
//!
//! A design file is TOML; every key is in [`KEYS`], and a flag says the same as its key. Settings
//! know the line or flag that each value came from, so whatever is wrong with it later can be
//! pointed at.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use lightloom_units::{BitRate, Db, Length, Money, ParseError};
use serde::{Deserialize, Serialize};

use crate::error::InputError;
use crate::spelling::{self, nearest};
use crate::takes::{Takes, of};
use crate::texts::Texts;

/// A key of a design file, and the flag that says the same where there is one.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// `section.key`.
    pub name: &'static str,
    /// `--flag`, or nothing.
    pub flag: &'static str,
    /// What its value is.
    pub takes: Takes,
}

const fn key(name: &'static str, flag: &'static str, takes: Takes) -> Key {
    Key { name, flag, takes }
}

const LENGTH: Takes = Takes::Quantity(of::<Length>, "m");

/// Every key there is.
pub const KEYS: &[Key] = &[
    key("version", "", Takes::Whole),
    key("fabric.family", "--family", Takes::Text),
    key("fabric.p", "--p", Takes::Whole),
    key("fabric.k", "--k", Takes::Whole),
    key("fabric.tors", "--tors", Takes::Whole),
    key("fabric.edges", "--edges", Takes::Path),
    key("routing.router", "--router", Takes::Text),
    key("routing.extra_hops", "--extra-hops", Takes::Whole),
    key("hall.inventory", "--inventory", Takes::Path),
    key("hall.site", "--site", Takes::Texts),
    key("hall.location", "--location", Takes::Texts),
    key("hall.status", "--status", Takes::Texts),
    key("hall.rows_from", "--rows-from", Takes::Text),
    key("hall.placement", "--placement", Takes::Path),
    key("hall.keep", "--keep", Takes::Path),
    key("hall.racks_per_row", "", Takes::Whole),
    key("hall.rack_pitch", "", LENGTH),
    key("hall.row_pitch", "", LENGTH),
    key("hall.width", "", LENGTH),
    key("hall.depth", "", LENGTH),
    key("hall.cross_aisles", "", Takes::Quantities(of::<Length>, "m")),
    key("hall.tray_height", "", LENGTH),
    key("hall.tray_width", "", LENGTH),
    key("hall.tray_depth", "", LENGTH),
    key("hall.fibre_diameter", "", Takes::Quantity(of::<Length>, "mm")),
    key("hall.rack_entry", "", LENGTH),
    key("hall.slack", "", LENGTH),
    key("splitters.housing", "--housing", Takes::Text),
    key("order.spares_percent", "--spares-percent", Takes::Whole),
    key("optics.catalogue", "--catalogue", Takes::Text),
    key("optics.parts", "--parts", Takes::Path),
    key("optics.transceiver", "--transceiver", Takes::Text),
    key("optics.rate", "--rate", Takes::Quantity(of::<BitRate>, "Gb/s")),
    key("optics.splitter", "--splitter-part", Takes::Text),
    key("optics.fibre", "", Takes::Text),
    key("optics.connector", "", Takes::Text),
    key("optics.splice", "", Takes::Text),
    key("optics.panel", "", Takes::Text),
    key("optics.feed_splices", "", Takes::Whole),
    key("optics.feed_panels", "", Takes::Whole),
    key("optics.feed_inline", "", Takes::Texts),
    key("optics.branch_splices", "", Takes::Whole),
    key("optics.branch_panels", "", Takes::Whole),
    key("optics.branch_inline", "", Takes::Texts),
    key("optics.penalty", "", Takes::Quantity(of::<Db>, "dB")),
    key("optics.ageing", "", Takes::Quantity(of::<Db>, "dB")),
    key("optics.comfortable_margin", "", Takes::Quantity(of::<Db>, "dB")),
    key("optics.accept", "--accept", Takes::Text),
    key("optics.samples", "--samples", Takes::Whole),
    key("optics.seed", "--seed", Takes::Whole),
    key("optics.percentile", "--percentile", Takes::Number),
    key("cost.fibre_accounting", "--fibre-accounting", Takes::Text),
    key("cost.fibre_length", "--fibre-length", LENGTH),
    key("cost.years", "--years", Takes::Whole),
    key("cost.energy_price", "--energy-price", Takes::Quantity(of::<Money>, "USD")),
];

/// A request as the command line makes it.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// A design file.
    pub design: Option<PathBuf>,
    /// What flags say: values of keys, over those of the file.
    pub flags: Vec<(&'static str, Value)>,
    /// Where the texts of the files come from that it names.
    pub texts: Texts,
}

/// A value of a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// A whole number.
    Integer(i64),
    /// A text.
    Text(String),
    /// A list of texts.
    List(Vec<String>),
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
    pub fn say_at(&mut self, name: &'static str, value: Value, line: u64) {
        self.values.insert(name, Said { value, line: Some(line) });
    }

    /// A complaint about a key, at the line or flag that said it.
    pub fn refuse(&self, name: &str, message: impl std::fmt::Display) -> InputError {
        let said = self.values.get(name);
        let flag = KEYS.iter().find(|k| k.name == name).map_or("", |k| k.flag);
        let refused = InputError::new(message);
        match (&self.file, said) {
            (Some(file), Some(Said { line: Some(line), .. })) => {
                refused.in_file(file).at_line(*line).in_field(name)
            }
            (Some(file), None) => refused.in_file(file).in_field(name),
            _ if flag.is_empty() => refused.in_field(name),
            _ => refused.in_field(flag),
        }
    }

    /// A complaint about a value of another kind than its key takes.
    fn wrong_kind(&self, name: &str, found: &Value, read_as: Takes) -> InputError {
        let takes = KEYS.iter().find(|key| key.name == name).map_or(read_as, |key| key.takes);
        self.refuse(name, format!("found {found}; expected {takes}"))
    }

    /// Whether a key was said.
    pub fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    pub fn integer(&self, name: &str) -> Result<Option<i64>, InputError> {
        match self.values.get(name).map(|said| &said.value) {
            None => Ok(None),
            Some(Value::Integer(number)) => Ok(Some(*number)),
            Some(other) => Err(self.wrong_kind(name, other, Takes::Whole)),
        }
    }

    /// A number that fits its type; `expected` says what is asked for.
    pub fn number<T: TryFrom<i64>>(
        &self,
        name: &str,
        expected: &str,
    ) -> Result<Option<T>, InputError> {
        let Some(number) = self.integer(name)? else { return Ok(None) };
        match T::try_from(number) {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(self.refuse(name, format!("found {number}; expected {expected}"))),
        }
    }

    pub fn text(&self, name: &str) -> Result<Option<&str>, InputError> {
        match self.values.get(name).map(|said| &said.value) {
            None => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text)),
            Some(other) => Err(self.wrong_kind(name, other, Takes::Text)),
        }
    }

    pub fn list(&self, name: &str) -> Result<Option<&[String]>, InputError> {
        match self.values.get(name).map(|said| &said.value) {
            None => Ok(None),
            Some(Value::List(list)) => Ok(Some(list)),
            Some(other) => {
                let message = format!("found {other}; expected a list such as [\"a\", \"b\"]");
                Err(self.refuse(name, message))
            }
        }
    }

    /// A quantity with its unit.
    pub fn quantity<T: FromStr<Err = ParseError>>(
        &self,
        name: &str,
    ) -> Result<Option<T>, InputError> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        text.parse().map(Some).map_err(|error| self.refuse(name, error))
    }

    /// Says a value, over whatever was said before.
    pub fn say(&mut self, name: &'static str, value: Value) {
        self.values.insert(name, Said { value, line: None });
    }

    /// Forgets what was said of a section, and says these numbers in its place.
    pub fn replace_section<const N: usize>(
        &mut self,
        section: &str,
        numbers: [(&'static str, usize); N],
    ) {
        self.values.retain(|name, _| section_of(name) != section);
        for (name, number) in numbers {
            self.say(name, Value::Integer(i64::try_from(number).unwrap_or(i64::MAX)));
        }
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
    pub fn path(&self, name: &str) -> Result<Option<PathBuf>, InputError> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        let from_file = self.values.get(name).is_some_and(|said| said.line.is_some());
        let base = self.file.as_deref().filter(|_| from_file).and_then(Path::parent);
        Ok(Some(base.map_or_else(|| PathBuf::from(text), |base| base.join(text))))
    }
}

pub fn section_of(key: &str) -> &str {
    key.split_once('.').map_or("", |(section, _)| section)
}

const SECTIONS: [&str; 7] =
    ["[fabric]", "[routing]", "[hall]", "[splitters]", "[order]", "[optics]", "[cost]"];

/// A complaint about a key that is not in [`KEYS`], with the one that was probably meant.
pub fn unknown_key(name: &str) -> InputError {
    InputError::new(unknown(name)).in_field(name)
}

pub fn unknown(name: &str) -> String {
    let section = section_of(name);
    let mut known = keys_of(section);
    if known.is_empty() || section.is_empty() {
        known.extend(SECTIONS);
    }
    spelling::unknown("key", meant(name), &known)
}

/// The keys of a section; "" for those before all sections.
fn keys_of(section: &str) -> Vec<&'static str> {
    KEYS.iter().map(|key| key.name).filter(|key| section_of(key) == section).collect()
}

/// The key or section that an unknown key is nearly.
fn meant(name: &str) -> Option<&'static str> {
    fn last(key: &str) -> &str {
        key.rsplit('.').next().unwrap_or_default()
    }
    let elsewhere = || KEYS.iter().map(|key| key.name).find(|key| last(key) == last(name));
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

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Integer(number) => number.fmt(f),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::List(list) => write!(f, "{list:?}"),
        }
    }
}
