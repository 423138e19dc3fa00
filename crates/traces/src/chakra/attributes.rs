//! The attributes of a node.

use crate::chakra::wire::{Attribute, Node, Value};
use crate::error::TraceError;

/// The attributes that are read. Others are told.
const READ: [&str; 12] = [
    "comm_dst",
    "comm_size",
    "comm_src",
    "comm_tag",
    "comm_type",
    "involved_dim",
    "is_cpu_op",
    "num_ops",
    "pg_name",
    "root",
    "stream",
    "tid",
];

/// The attributes of a node.
#[derive(Clone, Copy)]
pub(super) struct Attributes<'a>(&'a [Attribute]);

impl<'a> Attributes<'a> {
    /// Those of a node.
    ///
    /// # Errors
    /// [`TraceError`] if one that is read is there twice.
    pub(super) fn of(node: &'a Node) -> Result<Self, TraceError> {
        let all = Self(&node.attr);
        match READ.iter().find(|name| all.0.iter().filter(|one| one.name == **name).count() > 1) {
            Some(name) => Err(TraceError::new(format!("has attribute {name} twice"))),
            None => Ok(all),
        }
    }

    /// The names of those that are not read.
    pub(super) fn unused(self) -> impl Iterator<Item = &'a str> {
        self.0.iter().map(|one| one.name.as_str()).filter(|name| !READ.contains(name))
    }

    fn value(self, name: &str) -> Option<Option<&'a Value>> {
        self.0.iter().find(|one| one.name == name).map(|one| one.value.as_ref())
    }

    /// A whole number. None: it is not there.
    pub(super) fn number(self, name: &str) -> Result<Option<i128>, TraceError> {
        let Some(value) = self.value(name) else { return Ok(None) };
        match value {
            Some(Value::Int32(it) | Value::Sint32(it) | Value::Sfixed32(it)) => {
                Ok(Some((*it).into()))
            }
            Some(Value::Int64(it) | Value::Sint64(it) | Value::Sfixed64(it)) => {
                Ok(Some((*it).into()))
            }
            Some(Value::Uint32(it) | Value::Fixed32(it)) => Ok(Some((*it).into())),
            Some(Value::Uint64(it) | Value::Fixed64(it)) => Ok(Some((*it).into())),
            Some(Value::Bool(it)) => Ok(Some((*it).into())),
            Some(Value::Bools(_) | Value::Text(_)) | None => {
                Err(TraceError::new(format!("attribute {name} is no whole number")))
            }
        }
    }

    /// A whole number of a type.
    pub(super) fn whole<N: TryFrom<i128>>(self, name: &str) -> Result<Option<N>, TraceError> {
        let Some(found) = self.number(name)? else { return Ok(None) };
        match N::try_from(found) {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(TraceError::new(format!("attribute {name} is out of range: {found}"))),
        }
    }

    /// The same, of an attribute that must be there.
    pub(super) fn needed<N: TryFrom<i128>>(self, name: &str) -> Result<N, TraceError> {
        self.whole(name)?.ok_or_else(|| TraceError::new(format!("has no attribute {name}")))
    }

    /// A text; empty if it is not there.
    pub(super) fn text(self, name: &str) -> Result<&'a str, TraceError> {
        match self.value(name) {
            None => Ok(""),
            Some(Some(Value::Text(text))) => Ok(text),
            Some(_) => Err(TraceError::new(format!("attribute {name} is no text"))),
        }
    }

    /// Whether an attribute is a list with a false in it.
    pub(super) fn has_false(self, name: &str) -> bool {
        matches!(self.value(name), Some(Some(Value::Bools(list))) if list.values.contains(&false))
    }
}
