//! An entry of a P4 table: what it matches, what it does, and whether the table takes it.

use std::fmt::{self, Write as _};

use lightloom_request::InputError;
use lightloom_topology::TorId;

use crate::language::Changing;
use crate::p4runtime_pipeline::{Action, Field, Kind, Table, Type};

/// A value for a field or a parameter.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value {
    Number(u64),
    Name(String),
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Name(name) => write!(f, "{name:?}"),
        }
    }
}

impl Value {
    /// Whether it is a value of a type.
    pub(super) fn fits(&self, is: Type) -> bool {
        match (self, is) {
            (Self::Number(number), Type::Bits(bits)) => {
                number.checked_shr(bits).is_none_or(|rest| rest == 0)
            }
            (Self::Name(name), Type::Name) => !name.is_empty(),
            _ => false,
        }
    }

    /// The shortest byte string: without leading zeros, but never empty.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Number(number) => {
                let bytes = number.to_be_bytes();
                let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
                quoted(&bytes[zeros.min(bytes.len() - 1)..])
            }
            Self::Name(name) => quoted(name.as_bytes()),
        }
    }
}

/// A text of the protobuf text format. Everything but letters, digits and `-` is escaped.
fn quoted(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for &byte in bytes {
        // Writing to a string does not fail.
        let _ = match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' => write!(text, "{}", char::from(byte)),
            _ => write!(text, "\\{byte:03o}"),
        };
    }
    text + "\""
}

/// Why an update is not written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refused {
    #[error("{place} has no field {field}")]
    NoField { place: &'static str, field: &'static str },
    #[error("{place} says {field} twice")]
    Twice { place: &'static str, field: &'static str },
    #[error("{place} needs {field}")]
    Missing { place: &'static str, field: &'static str },
    #[error("found {value} for {field} of {place}; expected {is}")]
    Overflow { place: &'static str, field: &'static str, value: Value, is: Type },
    #[error(
        "found the value {value:#x} with the mask {mask:#x} for {field} of {place}; bits outside the mask must be 0"
    )]
    NotCanonical { place: &'static str, field: &'static str, value: u64, mask: u64 },
    #[error("found priority {found} of an entry of {place}; expected {expected}")]
    Priority { place: &'static str, found: u32, expected: &'static str },
    #[error("{place} would have two entries with the same match and priority")]
    Duplicate { place: &'static str },
    #[error("found {found} for {what}; {place} holds {most}")]
    Size { place: &'static str, what: &'static str, found: usize, most: usize },
    #[error("found multicast group {0}; expected 1 to 65535")]
    Group(u64),
    #[error("multicast group {0} has two replicas with the same port and instance")]
    Replica(u64),
}

impl Refused {
    /// The error of a switch.
    pub(super) fn of(&self, tor: TorId) -> InputError {
        InputError::new(format!("ToR {tor} does not fit the P4 pipeline: {self}"))
    }

    /// The error of a switch in a phase of a rollout.
    pub(super) fn in_phase(&self, switch: &Changing<'_>) -> InputError {
        let (phase, tor) = (switch.phase, switch.delta.after.tor);
        InputError::new(format!("phase {phase}: {}", self.of(tor)))
    }
}

/// The match of a field.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Matched {
    Whole(Value),
    Masked(u64, u64),
}

impl Matched {
    /// Whether a value fits both.
    fn overlaps(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Whole(one), Self::Whole(other)) => one == other,
            (Self::Masked(value, mask), Self::Masked(other, with)) => {
                (value ^ other) & mask & with == 0
            }
            _ => false,
        }
    }

    /// Whether every value that fits the other one fits this one.
    fn covers(&self, other: &Self) -> bool {
        let narrower = match (self, other) {
            (Self::Masked(_, mask), Self::Masked(_, with)) => mask & !with == 0,
            _ => true,
        };
        narrower && self.overlaps(other)
    }
}

/// What tells an entry from others: its table, its matches by name of field, and its priority.
pub(super) type Key = (u32, Vec<(&'static str, Matched)>, u32);

/// An entry of a table.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub table: &'static Table,
    action: &'static Action,
    matches: Vec<(&'static str, Matched)>,
    arguments: Vec<Value>,
    pub priority: u32,
    metadata: Vec<u8>,
    /// Whether the packets that it decides are dropped.
    pub stops: bool,
    /// Entries with a lower turn are inserted before, and deleted after.
    pub turn: u8,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        let told =
            |entry: &Self| (entry.action.id, entry.arguments.clone(), entry.metadata.clone());
        self.key() == other.key() && told(self) == told(other)
    }
}

impl Entry {
    pub(super) fn new(table: &'static Table, action: &'static Action) -> Self {
        let (matches, arguments, metadata) = Default::default();
        Self {
            table,
            action,
            matches,
            arguments,
            priority: 0,
            metadata,
            stops: false,
            turn: table.turn,
        }
    }

    /// Says that the packets that it decides are dropped.
    pub(super) fn stops(mut self) -> Self {
        self.stops = true;
        self
    }

    /// Gives it another turn than that of its table.
    pub(super) fn turn(mut self, turn: u8) -> Self {
        self.turn = turn;
        self
    }

    /// What tells it from other entries.
    pub(super) fn key(&self) -> Key {
        let mut matches = self.matches.clone();
        matches.sort();
        (self.table.id, matches, self.priority)
    }

    fn matched(&self, field: &str) -> Option<&Matched> {
        self.matches.iter().find(|(name, _)| *name == field).map(|(_, matched)| matched)
    }

    /// Whether a packet fits both.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        let both = |(name, matched): &(&str, Matched)| {
            other.matched(name).is_none_or(|other| matched.overlaps(other))
        };
        self.table.id == other.table.id && self.matches.iter().all(both)
    }

    /// Whether all packets that fit the other one fit this one.
    pub(super) fn covers(&self, other: &Self) -> bool {
        let narrower = |(name, matched): &(&str, Matched)| {
            other.matched(name).is_some_and(|other| matched.covers(other))
        };
        self.table.id == other.table.id && self.matches.iter().all(narrower)
    }

    /// Matches an exact or optional field.
    pub(super) fn is(mut self, field: &'static str, value: impl Into<Value>) -> Self {
        self.matches.push((field, Matched::Whole(value.into())));
        self
    }

    /// Matches a ternary field. With an empty mask the field is left out.
    pub(super) fn masked(mut self, field: &'static str, value: u64, mask: u64) -> Self {
        if value != 0 || mask != 0 {
            self.matches.push((field, Matched::Masked(value, mask)));
        }
        self
    }

    /// Adds an argument of the action.
    pub(super) fn with(mut self, argument: impl Into<Value>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Sets the priority. Higher ones go first.
    pub(super) fn priority(mut self, priority: u32) -> Self {
        self.priority = priority;
        self
    }

    /// Sets what the switch keeps beside the entry and hands back when it is read.
    pub(super) fn metadata(mut self, metadata: &[u8]) -> Self {
        self.metadata = metadata.to_vec();
        self
    }

    /// Checks it against the table and the action.
    pub(super) fn check(&self) -> Result<(), Refused> {
        let place = self.table.name;
        for (at, (name, matched)) in self.matches.iter().enumerate() {
            let field = self.table.fields.iter().find(|field| field.name == *name);
            let Some(field) = field else { return Err(Refused::NoField { place, field: name }) };
            if self.matches[..at].iter().any(|(earlier, _)| earlier == name) {
                return Err(Refused::Twice { place, field: name });
            }
            field_fits(place, field, matched)?;
        }
        for field in self.table.fields.iter().filter(|field| field.kind == Kind::Exact) {
            if !self.matches.iter().any(|(name, _)| *name == field.name) {
                return Err(Refused::Missing { place, field: field.name });
            }
        }
        // Tables with other than exact fields order their entries, and 0 stands for no order.
        let ordered = self.table.fields.iter().any(|field| field.kind != Kind::Exact);
        let found = self.priority;
        match (ordered, found) {
            (true, 0) => Err(Refused::Priority { place, found, expected: "1 or more" }),
            (true, _) if i32::try_from(found).is_err() => {
                Err(Refused::Priority { place, found, expected: "at most 2147483647" })
            }
            (false, 1..) => Err(Refused::Priority { place, found, expected: "none" }),
            _ => Ok(()),
        }?;
        let place = self.action.name;
        for (at, (field, is)) in self.action.parameters.iter().enumerate() {
            match self.arguments.get(at) {
                None => return Err(Refused::Missing { place, field }),
                Some(value) if !value.fits(*is) => {
                    return Err(Refused::Overflow { place, field, value: value.clone(), is: *is });
                }
                Some(_) => {}
            }
        }
        if self.arguments.len() > self.action.parameters.len() {
            return Err(Refused::NoField { place, field: "for another argument" });
        }
        Ok(())
    }

    /// The entry, as it is inserted.
    pub(super) fn text(&self) -> String {
        let mut text = self.start();
        let _ = write!(text, "      action {{ action {{ action_id: {}", self.action.id);
        for (id, value) in (1..).zip(&self.arguments) {
            let id: u32 = id;
            let _ = write!(text, " params {{ param_id: {id} value: {} }}", value.text());
        }
        let _ = writeln!(text, " }} }} # {}", self.action.name);
        text += &self.order();
        if !self.metadata.is_empty() {
            let _ = writeln!(text, "      metadata: {}", quoted(&self.metadata));
        }
        text + "    }\n"
    }

    /// What tells it from other entries, as it is deleted.
    pub(super) fn key_text(&self) -> String {
        self.start() + &self.order() + "    }\n"
    }

    fn order(&self) -> String {
        match self.priority {
            0 => String::new(),
            priority => format!("      priority: {priority}\n"),
        }
    }

    fn start(&self) -> String {
        let mut text = format!("    table_entry {{ # {}\n", self.table.name);
        let _ = writeln!(text, "      table_id: {}", self.table.id);
        for field in self.table.fields {
            let Some((_, matched)) = self.matches.iter().find(|(name, _)| *name == field.name)
            else {
                continue;
            };
            let matched = match (field.kind, matched) {
                (_, Matched::Masked(value, mask)) => {
                    let (value, mask) = (Value::from(*value).text(), Value::from(*mask).text());
                    format!("ternary {{ value: {value} mask: {mask} }}")
                }
                (Kind::Optional, Matched::Whole(value)) => {
                    format!("optional {{ value: {} }}", value.text())
                }
                (_, Matched::Whole(value)) => format!("exact {{ value: {} }}", value.text()),
            };
            let (id, name) = (field.id, field.name);
            let _ = writeln!(text, "      match {{ field_id: {id} {matched} }} # {name}");
        }
        text
    }
}

/// Whether a field takes a match.
fn field_fits(place: &'static str, field: &Field, matched: &Matched) -> Result<(), Refused> {
    let (name, is) = (field.name, field.is);
    let overflow = |value: Value| Err(Refused::Overflow { place, field: name, value, is });
    match (field.kind, matched) {
        (Kind::Ternary, Matched::Masked(value, mask)) => {
            if !Value::from(*value).fits(is) {
                return overflow(Value::from(*value));
            }
            if !Value::from(*mask).fits(is) {
                return overflow(Value::from(*mask));
            }
            if value & !mask != 0 {
                let (value, mask) = (*value, *mask);
                return Err(Refused::NotCanonical { place, field: name, value, mask });
            }
            Ok(())
        }
        (Kind::Exact | Kind::Optional, Matched::Whole(value)) if value.fits(is) => Ok(()),
        (_, Matched::Whole(value)) => overflow(value.clone()),
        (_, Matched::Masked(value, _)) => overflow(Value::from(*value)),
    }
}
